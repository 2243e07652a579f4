// Rewrites every label of a list in every way, draws both, and counts: same, reported, silent. A line of the list is
// dpmm, width and height in millimetres, path. It judges by the public library alone.
#include <math.h>
#include <platen/platen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct way {
    const char *name;
    uint32_t rotation;
    double to;
    enum platen_length_unit unit;
    bool fills;
    enum platen_layout layout;
    enum platen_graphic_coding graphics;
};
static const struct way WAYS[] = {
    {.name = "90", .rotation = 90},
    {.name = "180", .rotation = 180},
    {.name = "270", .rotation = 270},
    {.name = "to 6", .to = 6},
    {.name = "to 8", .to = 8},
    {.name = "to 12", .to = 12},
    {.name = "to 24", .to = 24},
    {.name = "dots", .unit = PLATEN_UNIT_DOTS},
    {.name = "mm", .unit = PLATEN_UNIT_MM},
    {.name = "in", .unit = PLATEN_UNIT_INCHES},
    {.name = "fill", .fills = true},
    {.name = "format"},
    {.name = "minify", .layout = PLATEN_LAYOUT_COMPACT},
    {.name = "hex", .graphics = PLATEN_GRAPHIC_HEX},
    {.name = "z64", .layout = PLATEN_LAYOUT_COMPACT, .graphics = PLATEN_GRAPHIC_Z64},
};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0], PAGES_MOST = 40 };
enum verdict { SAME, REPORTED, SILENT, FAILED, VERDICTS };

struct element {
    char type[12];
    double x, y, width, height;
    bool inside;
    int decoded;
};
struct shown {
    uint32_t count, element_count, width, height;
    uint8_t *dots; // of all pages, a byte each
    size_t dot_count;
    struct element *elements;
};

static struct platen_worker *worker;
static bool shows_details;

static void shown_free(struct shown *s)
{
    free(s->dots);
    free(s->elements);
    *s = (struct shown){0};
}

static void keep_page(struct shown *s, const struct platen_page *page, bool dots)
{
    struct platen_bitmap bits;
    platen_page_bitmap(page, &bits);
    s->width = bits.width;
    s->height = bits.height;
    if (dots) {
        size_t more = (size_t)bits.width * bits.height;
        s->dots = realloc(s->dots, s->dot_count + more + 1);
        for (uint32_t y = 0; y < bits.height; y++)
            for (uint32_t x = 0; x < bits.width; x++)
                s->dots[s->dot_count++] =
                    (uint8_t)(bits.words[(size_t)y * bits.words_per_row + x / 64] >> (63 - x % 64) & 1);
    }
    struct platen_element e;
    for (uint32_t i = 0; platen_page_element_at(page, i, &e); i++) {
        s->elements = realloc(s->elements, (s->element_count + 1) * sizeof *s->elements);
        struct element *out = &s->elements[s->element_count++];
        *out = (struct element){.x = e.x,
                                .y = e.y,
                                .width = e.width,
                                .height = e.height,
                                .inside = e.inside_label,
                                .decoded = e.symbology ? (e.decoded == 1 && e.matches == 0 ? 0 : e.decoded) : -1};
        snprintf(out->type, sizeof out->type, "%s", e.type_name);
    }
}

static bool show(const void *code, size_t size, double dpmm, double width, double height, uint32_t rotation, bool dots,
                 struct shown *out)
{
    struct platen_document *document;
    struct platen_error err;
    const struct platen_options o =
        PLATEN_OPTIONS(.width_mm = width, .height_mm = height, .dpmm = dpmm, .rotation = rotation, .has_time = true,
                       .want_elements = true, .verify = !dots, .rules = "none", .collapse_copies = true);
    *out = (struct shown){0};
    if (platen_parse(worker, code, size, &o, &document, &err) != PLATEN_OK)
        return false;
    bool ok = true;
    out->count = platen_label_count(document);
    for (uint32_t i = 0; ok && i < out->count && i < PAGES_MOST; i++) {
        const struct platen_page *page;
        ok = platen_draw(worker, document, i, &page, &err) == PLATEN_OK;
        if (ok)
            keep_page(out, page, dots);
    }
    platen_document_free(document);
    return ok;
}

// First row and column with ink, of one page.
static void first_ink(const struct shown *s, size_t page, uint32_t *x0, uint32_t *y0)
{
    const uint8_t *dots = s->dots + page * s->width * s->height;
    *x0 = s->width;
    *y0 = s->height;
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            if (!dots[(size_t)y * s->width + x])
                continue;
            *y0 = *y0 < y ? *y0 : y;
            *x0 = *x0 < x ? *x0 : x;
        }
    }
}

static bool dot_at(const struct shown *s, size_t page, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < s->width && y < s->height &&
           s->dots[(page * s->height + (size_t)y) * s->width + (size_t)x];
}

// A label that is smaller than the page by ^PW and ^LL is at another place of the rotated page.
static size_t different_dots(const struct shown *a, const struct shown *b, bool smaller)
{
    size_t count = a->dot_count == b->dot_count ? 0 : 1, pages = a->dot_count / ((size_t)a->width * a->height + 1);
    for (size_t i = 0; i < a->dot_count && i < b->dot_count; i++)
        count += a->dots[i] != b->dots[i];
    if (count == 0 || !smaller || a->dot_count != b->dot_count || a->width != b->width)
        return count;
    count = 0;
    for (size_t page = 0; page <= pages && page * a->width * a->height < a->dot_count; page++) {
        uint32_t ax, ay, bx, by;
        first_ink(a, page, &ax, &ay);
        first_ink(b, page, &bx, &by);
        for (int64_t y = -(int64_t)a->height; y < (int64_t)a->height; y++)
            for (int64_t x = -(int64_t)a->width; x < (int64_t)a->width; x++)
                count += dot_at(a, page, x + ax, y + ay) != dot_at(b, page, x + bx, y + by);
    }
    return count;
}

// Elements of another size than they should have, that left the label, or whose barcode is no longer read.
static size_t different_elements(const struct shown *a, const struct shown *b, double ratio, size_t *lost)
{
    if (a->element_count != b->element_count)
        return 1;
    size_t count = 0;
    for (uint32_t i = 0; i < a->element_count; i++) {
        const struct element *e = &a->elements[i], *f = &b->elements[i];
        double error = fmax(fmax(fabs(e->x * ratio - f->x), fabs(e->y * ratio - f->y)),
                            fmax(fabs(e->width * ratio - f->width), fabs(e->height * ratio - f->height)));
        bool gone = e->decoded == 1 && f->decoded != 1;
        bool text = strcmp(e->type, "text") == 0;
        *lost += gone;
        count += gone || (e->width > 0 && error > (text ? 2 * fmax(ratio, 1) + 1 : 2.5)) || (e->inside && !f->inside);
    }
    return count;
}

static bool has_note(const struct platen_rewritten *r, const char *code)
{
    struct platen_diagnostic note;
    for (uint32_t i = 0; platen_rewritten_note_at(r, i, &note); i++)
        if (strcmp(note.code, code) == 0)
            return true;
    return false;
}

struct label {
    double dpmm, width, height;
    const char *path;
    char *code;
    size_t size;
};

// Does rewriting what was rewritten change nothing? A rotation and another density are not to be done twice.
static bool is_settled(const char *code, size_t size, const struct platen_rewrite_options *options)
{
    struct platen_rewritten *again;
    size_t size_again = 0;
    if (options->rotation || options->target_dpmm > 0)
        return true;
    if (platen_rewrite(worker, code, size, options, &again, NULL) != PLATEN_OK)
        return false;
    const char *code_again = platen_rewritten_code(again, &size_again);
    bool same = size == size_again && memcmp(code, code_again, size) == 0;
    platen_rewritten_free(again);
    return same;
}

static enum verdict judge(const struct label *l, const struct way *w, size_t *lost, size_t *different)
{
    struct platen_rewritten *rewritten;
    struct platen_error err;
    const struct platen_rewrite_options o =
        PLATEN_REWRITE_OPTIONS(.dpmm = l->dpmm, .target_dpmm = w->to, .unit = w->unit, .rotation = w->rotation,
                               .width_mm = l->width, .height_mm = l->height, .layout = w->layout,
                               .graphics = w->graphics);
    if (platen_rewrite(worker, l->code, l->size, &o, &rewritten, &err) != PLATEN_OK) {
        printf("failed\t%s\t%s\t%s\n", w->name, l->path, err.message);
        return FAILED;
    }
    size_t size;
    const char *code = platen_rewritten_code(rewritten, &size);
    bool sideways = w->rotation % 180 != 0, dots = w->to == 0;
    struct shown a, b;
    bool ok = show(l->code, l->size, l->dpmm, l->width, l->height, w->rotation, dots, &a) &&
              show(code, size, dots ? l->dpmm : w->to, sideways ? l->height : l->width, sideways ? l->width : l->height,
                   0, dots, &b);
    size_t gone = 0;
    *different = !ok    ? 0
                 : dots ? different_dots(&a, &b, strstr(l->code, "^PW") || strstr(l->code, "^LL"))
                        : different_elements(&a, &b, w->to / l->dpmm, &gone);
    *different += !is_settled(code, size, &o);
    *lost += gone;
    uint32_t notes = platen_rewritten_note_count(rewritten);
    bool named = gone ? has_note(rewritten, "rewrite_unreadable") : notes > 0;
    enum verdict verdict = !ok ? FAILED : *different == 0 && a.count == b.count ? SAME : named ? REPORTED : SILENT;
    if (shows_details && verdict != SAME) {
        struct platen_diagnostic note = {.message = ""};
        platen_rewritten_note_at(rewritten, 0, &note);
        printf("%s\t%s\t%zu\t%zu\t%s\t%s\n", verdict == SILENT ? "silent" : "reported", w->name, *different, gone,
               l->path, note.message ? note.message : "");
    }
    shown_free(&a);
    if (ok)
        shown_free(&b);
    platen_rewritten_free(rewritten);
    return verdict;
}

// ---- filling

struct text {
    char *bytes;
    size_t size;
};

static void add(struct text *t, const char *bytes, size_t size)
{
    t->bytes = realloc(t->bytes, t->size + size + 1);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = 0;
}

static void add_json(struct text *t, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char escape[8];
        bool special = bytes[i] == '"' || bytes[i] == '\\' || (uint8_t)bytes[i] < 0x20;
        int length = special ? snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)bytes[i]) : 1;
        add(t, special ? escape : &bytes[i], (size_t)length);
    }
}

// May the data of a field be taken out and filled in again? What ZPL interprets in it may not: a value is data.
static bool is_plain(const char *data, size_t size, const char *field, size_t field_size)
{
    static const char *const LEFT[] = {"^FH", "^FB", "^TB", "^FC", "^SN", "^SF", "^FN",
                                       "^FE", "^BC", "^BX", "^B7", "^BF", "^BO", "^B0"};
    for (size_t i = 0; i < sizeof LEFT / sizeof LEFT[0]; i++)
        for (size_t k = 0; k + 3 <= field_size; k++)
            if (strncmp(field + k, LEFT[i], 3) == 0)
                return false;
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)data[i] < 0x20 || (uint8_t)data[i] >= 0x7F || strchr("^~{}", data[i]))
            return false;
    return size > 0;
}

// The label as a template: plain field data becomes {{a0}}, {{a1}}, ... with the data as the one row's values.
static uint32_t make_template(const struct label *l, struct text *zpl, struct text *row)
{
    uint32_t count = 0;
    const char *p = l->code, *end = l->code + l->size, *field = p;
    add(row, "[{", 2);
    while (p < end) {
        const char *data = memmem(p, (size_t)(end - p), "^FD", 3);
        const char *stop = data ? memchr(data + 3, '^', (size_t)(end - data - 3)) : NULL;
        if (!stop)
            break;
        for (const char *fs; (fs = memmem(field, (size_t)(data - field), "^FS", 3)) != NULL;)
            field = fs + 3;
        size_t size = (size_t)(stop - data - 3);
        add(zpl, p, (size_t)(data + 3 - p));
        if (is_plain(data + 3, size, field, (size_t)(data - field)) && strncmp(stop, "^FS", 3) == 0) {
            char name[40];
            add(zpl, name, (size_t)snprintf(name, sizeof name, "{{a%u}}", count));
            add(row, name, (size_t)snprintf(name, sizeof name, "%s\"a%u\":\"", count ? "," : "", count));
            add_json(row, data + 3, size);
            add(row, "\"", 1);
            count++;
        } else {
            add(zpl, data + 3, size);
        }
        p = stop;
    }
    add(zpl, p, (size_t)(end - p));
    add(row, "}]", 2);
    return count;
}

// A label whose data was taken out and filled in again must have the dots that it had.
static enum verdict judge_filling(const struct label *l)
{
    struct text zpl = {0}, row = {0};
    struct platen_rewritten *r = NULL;
    struct platen_error err;
    enum verdict verdict = SAME;
    uint32_t count = make_template(l, &zpl, &row);
    const struct platen_rewrite_options o =
        PLATEN_REWRITE_OPTIONS(.dpmm = l->dpmm, .width_mm = l->width, .height_mm = l->height, .rows = row.bytes,
                               .rows_size = row.size);
    if (count > 0 && platen_rewrite(worker, zpl.bytes, zpl.size, &o, &r, &err) != PLATEN_OK) {
        verdict = err.status == PLATEN_E_NOT_FOUND ? SAME : FAILED; // ^FN of its own without a value
        if (verdict == FAILED)
            printf("failed\tfill\t%s\t%s\n", l->path, err.message);
    } else if (count > 0) {
        size_t size;
        const char *code = platen_rewritten_code(r, &size);
        struct shown a = {0}, b = {0};
        bool ok = show(l->code, l->size, l->dpmm, l->width, l->height, 0, true, &a) &&
                  show(code, size, l->dpmm, l->width, l->height, 0, true, &b);
        size_t different = ok ? different_dots(&a, &b, false) : 0;
        uint32_t notes = platen_rewritten_note_count(r);
        verdict = !ok ? FAILED : different == 0 && a.count == b.count && notes == 0 ? SAME : notes ? REPORTED : SILENT;
        if (shows_details && verdict != SAME) {
            struct platen_diagnostic note = {.message = ""};
            platen_rewritten_note_at(r, 0, &note);
            printf("%s\tfill\t%zu\t0\t%s\t%s\n", verdict == SILENT ? "silent" : "reported", different, l->path,
                   note.message ? note.message : "");
        }
        shown_free(&a);
        shown_free(&b);
        platen_rewritten_free(r);
    }
    free(zpl.bytes);
    free(row.bytes);
    return verdict;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size + 1);
    *size = fread(bytes, 1, *size, f);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

int main(int argc, char **argv)
{
    struct platen_engine *engine;
    struct platen_error err;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--details") == 0)
            shows_details = true;
        else
            only = argv[i];
    }
    if (platen_engine_new(NULL, &engine, &err) != PLATEN_OK || platen_worker_new(engine, &worker, &err) != PLATEN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    uint32_t counts[WAY_COUNT][VERDICTS] = {0}, files = 0;
    size_t lost[WAY_COUNT] = {0};
    char line[4096], path[4000];
    while (fgets(line, sizeof line, stdin)) {
        struct label l = {.path = path};
        if (sscanf(line, "%lf\t%lf\t%lf\t%3999[^\n]", &l.dpmm, &l.width, &l.height, path) != 4)
            continue;
        l.code = read_file(path, &l.size);
        if (!l.code)
            continue;
        files++;
        for (size_t w = 0; w < WAY_COUNT; w++) {
            size_t different;
            if ((only && strcmp(only, WAYS[w].name) != 0) || WAYS[w].to == l.dpmm)
                continue;
            counts[w][WAYS[w].fills ? judge_filling(&l) : judge(&l, &WAYS[w], &lost[w], &different)]++;
        }
        free(l.code);
    }
    uint32_t silent = 0;
    printf("%u files\n%-8s %8s %8s %8s %8s %14s\n", files, "way", "same", "reported", "silent", "failed",
           "barcodes lost");
    for (size_t w = 0; w < WAY_COUNT; w++) {
        printf("%-8s %8u %8u %8u %8u %14zu\n", WAYS[w].name, counts[w][SAME], counts[w][REPORTED], counts[w][SILENT],
               counts[w][FAILED], lost[w]);
        silent += counts[w][SILENT];
    }
    platen_worker_free(worker);
    platen_engine_free(engine);
    return silent ? 1 : 0;
}
