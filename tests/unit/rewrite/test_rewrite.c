// Label code to label code: what is written anew is read as the same commands and draws the same labels.
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "engine_fixture.h"
#include "platen/platen.h"
#include "rewrite/commands.h"

struct text {
    char *data;
    size_t size;
};

static struct text rewritten(const void *zpl, size_t size, const struct platen_rewrite_options *options)
{
    struct platen_rewritten *r;
    struct platen_error err;
    enum platen_status status = platen_rewrite(worker, zpl, size, options, &r, &err);
    if (status != PLATEN_OK)
        fail_msg("%s", err.message);
    size_t n;
    const char *code = platen_rewritten_code(r, &n);
    assert_int_equal(code[n], '\0'); // bindings take it for a C string
    struct text out = {malloc(n + 1), n};
    memcpy(out.data, code, n);
    out.data[n] = '\0';
    platen_rewritten_free(r);
    return out;
}

static char *format_of(const char *zpl)
{
    return rewritten(zpl, strlen(zpl), NULL).data;
}

#define assert_rewritten(zpl, expected, ...)                                                                           \
    do {                                                                                                               \
        const struct platen_rewrite_options options_ = PLATEN_REWRITE_OPTIONS(__VA_ARGS__);                            \
        struct text got_ = rewritten(zpl, strlen(zpl), &options_);                                                     \
        assert_string_equal(got_.data, expected);                                                                      \
        free(got_.data);                                                                                               \
    } while (0)

// ---- pictures

struct pictures {
    uint64_t hash;
    uint32_t labels;
};

static struct pictures draw(const void *zpl, size_t size, double dpmm, double w, double h)
{
    struct pictures out = {.hash = 14695981039346656037u};
    struct platen_document *document;
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = w, .height_mm = h, .dpmm = dpmm, .has_time = true,
                                                         .time = 1000000000, .collapse_copies = true);
    if (platen_parse(worker, zpl, size, &options, &document, NULL) != PLATEN_OK)
        return out;
    out.labels = platen_label_count(document);
    for (uint32_t i = 0; i < out.labels; i++) {
        const struct platen_page *page;
        struct platen_bitmap bits;
        assert_int_equal(platen_draw(worker, document, i, &page, NULL), PLATEN_OK);
        platen_page_bitmap(page, &bits);
        for (size_t k = 0; k < (size_t)bits.words_per_row * bits.height; k++)
            out.hash = (out.hash ^ bits.words[k]) * 1099511628211u;
    }
    platen_document_free(document);
    return out;
}

// ---- commands

static struct pl_slice unpadded(struct pl_slice s)
{
    while (s.len && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\r'))
        s.len--;
    return s;
}

static void assert_same_commands(const char *name, struct pl_slice a, struct pl_slice b)
{
    struct pl_arena arena;
    struct pl_diags diags;
    struct pl_error err;
    const struct pl_job job = {0};
    pl_arena_init(&arena, (size_t)256 << 20);
    pl_diags_init(&diags, &arena, 0);
    struct rw_document from = {.arena = &arena, .diags = &diags, .job = &job, .input = a}, to = from;
    to.input = b;
    assert_int_equal(rw_read(&from, &err), PL_OK);
    assert_int_equal(rw_read(&to, &err), PL_OK);
    uint32_t k = 0;
    for (uint32_t i = 0; i < from.count; i++) {
        const struct rw_command *x = &from.commands[i], *y = &to.commands[k];
        if (x->left_out)
            continue;
        if (k++ >= to.count || x->first != y->first || x->second != y->second || x->item_count != y->item_count ||
            !pl_slice_eq(unpadded(x->data), unpadded(y->data)))
            fail_msg("%s: command %u at byte %u is read otherwise", name, i, x->start);
        for (uint32_t item = 0; item < x->item_count; item++)
            assert_true(pl_slice_eq(x->items[item], y->items[item]));
    }
    assert_int_equal(k, to.count);
    pl_arena_fini(&arena);
}

// Formatting and shortening change neither commands nor pictures, and a second time changes nothing.
static void check_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *zpl = malloc((size_t)4 << 20);
    size_t size = fread(zpl, 1, (size_t)4 << 20, file);
    fclose(file);
    const struct platen_rewrite_options compact = PLATEN_REWRITE_OPTIONS(.layout = PLATEN_LAYOUT_COMPACT);
    const struct platen_rewrite_options smallest = PLATEN_REWRITE_OPTIONS(.graphics = PLATEN_GRAPHIC_SMALLEST);
    struct text lines = rewritten(zpl, size, NULL), again = rewritten(lines.data, lines.size, NULL);
    struct text brief = rewritten(zpl, size, &compact), coded = rewritten(zpl, size, &smallest);
    if (again.size != lines.size || memcmp(again.data, lines.data, lines.size) != 0)
        fail_msg("%s: formatting it twice changes it", path);
    assert_same_commands(path, pl_slice_make(zpl, size), pl_slice_make(lines.data, lines.size));
    struct pictures before = draw(zpl, size, 8, 101.6, 152.4);
    const struct text *all[] = {&lines, &brief, &coded};
    for (size_t i = 0; i < 3; i++) {
        struct pictures after = draw(all[i]->data, all[i]->size, 8, 101.6, 152.4);
        if (after.hash != before.hash || after.labels != before.labels)
            fail_msg("%s: written anew (%zu) it is drawn otherwise", path, i);
    }
    free(zpl);
    free(lines.data);
    free(again.data);
    free(brief.data);
    free(coded.data);
}

static size_t check_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t count = 0;
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t n = strlen(entry->d_name);
        if (n > 4 && strcmp(entry->d_name + n - 4, ".zpl") == 0) {
            check_file(path);
            count++;
        } else if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            count += check_folder(path);
        }
    }
    if (dir)
        closedir(dir);
    return count;
}

static void golden_labels_are_the_same(void **state)
{
    (void)state;
    assert_true(check_folder("tests/golden") > 100);
}

static void shared_labels_are_the_same(void **state)
{
    (void)state;
    const char *shared = getenv("PLATEN_SHARED") ? getenv("PLATEN_SHARED") : "../shared";
    char path[512];
    size_t count = 0;
    static const char *const FOLDERS[] = {"zpl/corpus", "labelary", "labelary-more"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", shared, FOLDERS[i]);
        count += check_folder(path);
    }
    if (count == 0)
        skip();
}

// ---- the layout, as recorded

static void one_field_a_line(void **state)
{
    (void)state;
    char *got = format_of("^XA ^FO  50,   50 ^A 0,  50 ^FD Field 1 ^FS    ^XZ");
    assert_string_equal(got, "^XA\n^FO50,50^A0,50^FD Field 1^FS\n^XZ\n");
    free(got);
    got = format_of("remark^xa^fxa comment^pw812^fs^ci28^fo1,2^gb3,4,5^fs free text^xz~dgr:a.grf,1,1,ff^xa^xz");
    assert_string_equal(got, "remark\n^XA\n^FXa comment\n^PW812^FS\n^CI28\n^FO1,2^GB3,4,5^FS free text\n^XZ\n"
                             "~DGr:a.grf,1,1,ff\n^XA\n^XZ\n");
    free(got);
}

static void blanks_that_can_be_seen_stay(void **state)
{
    (void)state;
    static const char *const KEPT[] = {"^XA\n^FO1,1^BCN,50^FDab ^FS\n^XZ\n", "^XA\n^FO1,1^A0R,50^FDab ^FS\n^XZ\n",
                                       "^XA\n^FO1,1,1^A0N,50^FDab ^FS\n^XZ\n", "^XA\n^FO1,1^FB90,1,0,C^FDab ^FS\n^XZ\n",
                                       "^XA\n^FWR\n^FO1,1^A0,50^FDab ^FS\n^XZ\n"};
    for (size_t i = 0; i < 5; i++) {
        char *got = format_of(KEPT[i]);
        assert_string_equal(got, KEPT[i]);
        free(got);
    }
}

static void other_prefixes_are_kept(void **state)
{
    (void)state;
    char *got = format_of("^XA^CC/ /FO 1,2/CD;/FO3 ; 4/GB5;6;7/FS/XZ");
    assert_string_equal(got, "^XA\n^CC/\n/FO1,2/CD;/FO3;4/GB5;6;7/FS\n/XZ\n");
    free(got);
    // A capital that is a prefix now would begin another command.
    got = format_of("^XA^CCFFfo1,2FfdxFfsFxz");
    assert_string_equal(got, "^XA\n^CCF\nFfO1,2FfDxFfS\nFXZ\n");
    free(got);
}

// Each was written differently the second time, or drawn otherwise: prefixes without a command, control codes at the
// end of a text, an empty ^FV, ^A without a font, a text of blanks.
static void damaged_code_is_written_the_same_twice(void **state)
{
    (void)state;
    static const char *const DAMAGED[] = {"^FD~~^Xc",
                                          "^FD~~^A0",
                                          "^FD~\x02^XZ",
                                          "^FX^~\r\n",
                                          "^FD~~^~D\t",
                                          "^XA^FDa\x10\x0F^XZ",
                                          "^XA^FDa\x1E^FS^XZ",
                                          "^XA^FV~~^GFB,9",
                                          "^a^",
                                          "^A~",
                                          "^A\x1F",
                                          "^A\nF\nF",
                                          "^XA^FDH^FV",
                                          "^XA^FDH^FV^XZ",
                                          "^XA^FDH^FV\n^XZ",
                                          "^XA^SN^FD",
                                          "^XA^SN5^FD^XZ",
                                          "^XA^FO2^FV^XA^SN",
                                          "\x02^FD ^FS",
                                          "^XA^FD\n ^FS",
                                          "^XA~JA^GFB,9^^XA^FDa",
                                          "^XA~JX^GFB,9^^XA^FDa",
                                          "^XA^CCF~JR^XA^FDa^XZ",
                                          "^XA^BC^XA^FX^FS^FD,",
                                          "~~^^~^^XA^FDa^FS^XZ^"};
    const struct platen_rewrite_options compact = PLATEN_REWRITE_OPTIONS(.layout = PLATEN_LAYOUT_COMPACT);
    for (size_t i = 0; i < sizeof DAMAGED / sizeof DAMAGED[0]; i++) {
        size_t size = strlen(DAMAGED[i]);
        struct pictures before = draw(DAMAGED[i], size, 8, 20, 10);
        for (int brief = 0; brief < 2; brief++) {
            const struct platen_rewrite_options *options = brief ? &compact : NULL;
            struct text once = rewritten(DAMAGED[i], size, options), twice = rewritten(once.data, once.size, options);
            struct pictures after = draw(once.data, once.size, 8, 20, 10);
            if (once.size != twice.size || memcmp(once.data, twice.data, once.size) != 0)
                fail_msg("%zu: '%s', then '%s'", i, once.data, twice.data);
            if (before.labels != after.labels || before.hash != after.hash)
                fail_msg("%zu: '%s' is drawn otherwise", i, once.data);
            free(once.data);
            free(twice.data);
        }
    }
}

// ---- density, rotation, values

static void lengths_follow_the_density(void **state)
{
    (void)state;
    assert_rewritten("^XA^FO10,20^GB30,40,2^FS^MUM^FO10,20^GB3,4,1^FS^XZ",
                     "^XA\n^FO30,60^GB90,120,6^FS\n^MUM\n^FO10,20^GB3,4,1^FS\n^XZ\n", .target_dpmm = 24);
    // What nobody says is in dots too.
    assert_rewritten("^XA^FO1,1^BCN^FD1^FS^FO5,5^FDa^FS^XZ",
                     "^XA\n^BY6,,30\n^CFA,27,15\n^FO3,3^BCN^FD1^FS\n^FO15,15^FDa^FS\n^XZ\n", .target_dpmm = 24);
    assert_rewritten("^XA^FO0,0^GFA,2,2,1,80FF^FS^XZ", "^XA\n^FO0,0^GFA,18,18,3,E,::!::^FS\n^XZ\n", .target_dpmm = 24);
    // A format that only other code recalls was scaled by the unit in which the code ends.
    assert_rewritten("^XA^MUM^DFR:A.ZPL^FS^FO1,2^GB10,1,1^FS^XZ^XA^MUD^FO8,8^GB16,16,8^FS^XZ",
                     "^XA\n^MUM\n^DFR:A.ZPL^FS\n^FO1,2^GB10,1,1^FS\n^XZ\n^XA\n^MUD\n^FO24,24^GB48,48,24^FS\n^XZ\n",
                     .target_dpmm = 24);
    assert_rewritten("^XA^DFR:A.ZPL^FS^FO8,16^GB80,8,8^FS^XZ^XA^MUM^FO1,1^GB2,2,1^FS^XZ",
                     "^XA\n^DFR:A.ZPL^FS\n^FO24,48^GB240,24,24^FS\n^XZ\n^XA\n^MUM\n^FO1,1^GB2,2,1^FS\n^XZ\n",
                     .target_dpmm = 24);
}

// ^CF inside a field took the place of its own font; parts of ^BY, thicknesses and sizes that nobody says stayed as
// they were; rows of Code 49, which are counted in modules, grew twice.
static void what_is_not_said_follows_the_density_too(void **state)
{
    (void)state;
    assert_rewritten("^XA^FT1,2^A0N,13,14^FDa^FS^FT^GS^FDC^FS^XZ",
                     "^XA\n^FT3,6^A0N,39,42^FDa^FS\n^FT^GS,72,72^FDC^FS\n^XZ\n", .target_dpmm = 24);
    assert_rewritten("^XA^BY3^FO1,1^BCN^FD1^FS^BY4^XZ", "^XA\n^BY9,,30\n^FO3,3^BCN^FD1^FS\n^BY12\n^XZ\n",
                     .target_dpmm = 24);
    assert_rewritten("^XA^FO1,1^GB5,6^FS^FO1,1^GC^FS^XZ", "^XA\n^FO3,3^GB15,18,3^FS\n^FO3,3^GC9,3^FS\n^XZ\n",
                     .target_dpmm = 24);
    assert_rewritten("^XA^FO1,1^GD^FS^FO1,1^GD1,9,5^FS^XZ", "^XA\n^FO3,3^GD9,9,3^FS\n^FO3,3^GD9,27,15^FS\n^XZ\n",
                     .target_dpmm = 24);
    assert_rewritten("^XA^BY2,3,7^FO1,1^B4N,5^FD1^FS^FO1,1^B4^FD1^FS^XZ",
                     "^XA\n^BY6,3,21\n^FO3,3^B4N,5^FD1^FS\n^FO3,3^B4,7^FD1^FS\n^XZ\n", .target_dpmm = 24);
}

static void units_change_and_dots_stay(void **state)
{
    (void)state;
    const char *dots = "^XA\n^FO20,33^A0N,50,40^FDa^FS\n^FO20,120^GB100,8,2^FS\n^XZ\n";
    const char *mm = "^XA\n^MUM\n^FO2.5,4.125^A0N,6.25,5^FDa^FS\n^FO2.5,15^GB12.5,1,0.25^FS\n^MUD\n^XZ\n";
    const char *inches = "^XA\n^MUI\n^FO0.0984,0.1624^A0N,0.2461,0.1969^FDa^FS\n^FO0.0984,0.5906^GB0.4921,0.0394,0.0098"
                         "^FS\n^MUD\n^XZ\n";
    assert_rewritten(dots, mm, .unit = PLATEN_UNIT_MM);
    assert_rewritten(mm, mm, .unit = PLATEN_UNIT_MM);
    assert_rewritten(dots, inches, .unit = PLATEN_UNIT_INCHES);
    assert_rewritten(mm, inches, .unit = PLATEN_UNIT_INCHES);
    assert_rewritten(dots, dots, .unit = PLATEN_UNIT_DOTS);
    assert_rewritten(inches, "^XA\n^MUD\n^FO20,33^A0N,50,40^FDa^FS\n^FO20,120^GB100,8,2^FS\n^XZ\n",
                     .unit = PLATEN_UNIT_DOTS);
    // A height in the place of the orientation is a length, too; a magnification and a module of ^BQ are none.
    assert_rewritten("^XA^MUM^FO1,1^A0N6.25,5^FDa^FS^FO1,9^BQN,2,6^FDMA,a^FS^XZ",
                     "^XA\n^MUD\n^FO8,8^A0N,50,40^FDa^FS\n^FO8,72^BQN,2,6^FDMA,a^FS\n^XZ\n", .unit = PLATEN_UNIT_DOTS);
    // A conversion of densities is carried out; what was said before the first label is said there.
    assert_rewritten("^MUD,150,300^XA^FO10,20^GB30,40,2^FS^XZ", "^MUD\n^XA\n^FO20,40^GB60,80,4^FS\n^XZ\n",
                     .unit = PLATEN_UNIT_DOTS);
    // Another unit on the way, and a reset, after which it is said again.
    assert_rewritten(
        "^XA^MUM^FO1,1^GB2,2,1^FS^MUD^FO8,8^GB16,16,8^FS^XZ~JR^XA^FO8,8^GB16,16,8^FS^XZ",
        "^XA\n^MUM\n^FO1,1^GB2,2,1^FS\n^FO1,1^GB2,2,1^FS\n^XZ\n~JR\n^XA\n^MUM\n^FO1,1^GB2,2,1^FS\n^MUD\n^XZ\n",
        .unit = PLATEN_UNIT_MM);
    // With another density the lengths are those of the new one.
    assert_rewritten("^XA^FO10,20^GB30,40,2^FS^XZ", "^XA\n^MUM\n^FO1.25,2.5^GB3.75,5,0.25^FS\n^MUD\n^XZ\n",
                     .target_dpmm = 24, .unit = PLATEN_UNIT_MM);
    // A stored format is written where it is, and recalled in the same unit.
    assert_rewritten("^XA^DFR:A.ZPL^FS^FO8,16^GB80,8,8^FS^XZ^XA^XFR:A.ZPL^FS^XZ",
                     "^XA\n^MUM\n^DFR:A.ZPL^FS\n^FO1,2^GB10,1,1^FS\n^XZ\n^XA\n^XFR:A.ZPL^FS\n^MUD\n^XZ\n",
                     .unit = PLATEN_UNIT_MM);
    // One that only other code recalls keeps the unit it is stored in, though the code ends in another.
    const char *stored = "^XA\n^MUM\n^DFR:A.ZPL^FS\n^FO1,2^GB10,1,1^FS\n^XZ\n^XA\n^FO1,1^GB2,2,1^FS\n^MUD\n^XZ\n";
    assert_rewritten("^XA^DFR:A.ZPL^FS^FO8,16^GB80,8,8^FS^XZ^XA^FO8,8^GB16,16,8^FS^XZ", stored, .unit = PLATEN_UNIT_MM);
    assert_rewritten(stored, stored, .unit = PLATEN_UNIT_MM);
    // Its own unit is none of the code around it.
    assert_rewritten("^XA^DFR:A.ZPL^FS^MUM^FO1,2^GB10,1,1^FS^XZ^XA^FO8,8^GB16,16,8^FS^XZ", stored,
                     .unit = PLATEN_UNIT_MM);
}

static void a_turned_label_is_the_picture_turned(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^FO20,30^GB100,40,3^FS^FO60,200^GE80,50,4^FS^FO150,20^GFA,4,4,2,F0F08001^FS"
                              "^FO30,100^BY2^B3N,N,60,N^FDAB12^FS^FT200,380^BXN,5,200^FDhello^FS^XZ";
    for (unsigned quarters = 1; quarters < 4; quarters++) {
        const struct platen_rewrite_options turn =
            PLATEN_REWRITE_OPTIONS(.width_mm = 50, .height_mm = 60, .rotation = quarters * 90);
        struct text code = rewritten(ZPL, sizeof ZPL - 1, &turn);
        struct platen_document *document;
        const struct platen_page *page;
        struct platen_buffer a = {0}, b = {0};
        const struct platen_options upright =
            PLATEN_OPTIONS(.width_mm = 50, .height_mm = 60, .rotation = quarters * 90);
        const struct platen_options turned =
            PLATEN_OPTIONS(.width_mm = quarters % 2 ? 60 : 50, .height_mm = quarters % 2 ? 50 : 60);
        assert_int_equal(platen_parse(worker, ZPL, sizeof ZPL - 1, &upright, &document, NULL), PLATEN_OK);
        assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
        assert_int_equal(platen_encode(worker, page, PLATEN_PNG, NULL, &a, NULL), PLATEN_OK);
        platen_document_free(document);
        assert_int_equal(platen_parse(worker, code.data, code.size, &turned, &document, NULL), PLATEN_OK);
        assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
        assert_int_equal(platen_encode(worker, page, PLATEN_PNG, NULL, &b, NULL), PLATEN_OK);
        platen_document_free(document);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        platen_buffer_free(&a);
        platen_buffer_free(&b);
        free(code.data);
    }
}

// Fields were moved as if every label were as large as the page; one without a place, or turned beyond the edge, stayed
// where it was without a word.
static void a_turned_label_keeps_to_its_own_size(void **state)
{
    (void)state;
    assert_rewritten("^XA^PW200^LL100^FO10,20^GB30,40,2^FS^XZ",
                     "^XA\n^FWR\n^LL200\n^PW100\n^FO40,10^GB40,30,2^FS\n^XZ\n", .rotation = 90, .width_mm = 50,
                     .height_mm = 60);
    assert_rewritten("^XA^PW200^LL100^FO10,20^GB30,40,2^FS^XZ",
                     "^XA\n^FWB\n^LL200\n^PW100\n^FO20,160^GB40,30,2^FS\n^XZ\n", .rotation = 270, .width_mm = 50,
                     .height_mm = 60);
    assert_rewritten("^XA^GFA,2,2,1,C0C0^FS^XZ", "^XA\n^FWR\n^FO77,0^GFA,8,8,1,C,:,:::::^FS\n^XZ\n", .rotation = 90,
                     .width_mm = 10, .height_mm = 10);
    assert_rewritten("^XA^MUM^FO1,2^GB3,4,1^FS^XZ", "^XA\n^FWR\n^MUM\n^FO3.8750,1.0000^GB4,3,1^FS\n^XZ\n",
                     .rotation = 90, .width_mm = 10, .height_mm = 10);
    assert_rewritten("^XA^FO300,5^GB30,4,2^FS^XZ", "^XA\n^FWB\n^FO5,69^GB4,30,2^FS\n^XZ\n", .rotation = 270,
                     .width_mm = 50, .height_mm = 20);
}

#define ROWS(text) .rows = (text), .rows_size = sizeof(text) - 1

static void values_are_data_and_nothing_else(void **state)
{
    (void)state;
    assert_rewritten("^XA^FO1,1^FD<{{ a }}>^FS^XZ", "^XA\n^FO1,1^FH_^FD<x_5EFS_7EJA>^FS\n^XZ\n",
                     ROWS("[{\"a\":\"x^FS~JA\"}]"));
    assert_rewritten("^XA^FO1,1^FH_^FD_41{{a}}^FS^XZ", "^XA\n^FO1,1^FH_^FD_41_5F41^FS\n^XZ\n", ROWS("a\n_41\n"));
    assert_rewritten("^XA^FO1,1^FN7\"name\"^FS^FO2,2^FN8^FDold^FS^XZ",
                     "^XA\n^FO1,1^FDAnn^FS\n^FO2,2^FD5^FS\n^XZ\n^XA\n^FO1,1^FDBob^FS\n^FO2,2^FD6^FS\n^XZ\n",
                     ROWS("name;8\r\nAnn;5\r\n\"Bob\";6\r\n"));
    assert_rewritten("^XA^DFR:A.ZPL^FS^FO1,1^FN1^FS^XZ",
                     "^XA\n^DFR:A.ZPL^FS\n^FO1,1^FN1^FS\n^XZ\n^XA\n^XFR:A.ZPL^FS\n^FN1^FDq^FS\n^XZ\n",
                     ROWS("{\"1\":\"q\"}"));
}

// ^FH wrote its escapes with "_", which ^CC had made a prefix: the value was lost.
static void values_are_escaped_by_no_prefix(void **state)
{
    (void)state;
    assert_rewritten("^XA^CC_^XZ_XA_FO1,1_FD{{a}}_FS_XZ", "^XA\n^CC_\n^XZ\n_XA\n_FO1,1_FH\\_FD\\5FXZ_FS\n_XZ\n",
                     ROWS("[{\"a\":\"_XZ\"}]"));
    // The code's own indicator cannot serve either.
    assert_rewritten("^XA^CC_^XZ_XA_FO1,1_FH_FD{{a}}_FS_XZ", "^XA\n^CC_\n^XZ\n_XA\n_FO1,1_FH_FH\\_FD\\5FXZ_FS\n_XZ\n",
                     ROWS("[{\"a\":\"_XZ\"}]"));
    // Behind the data ^FH is too late.
    assert_rewritten("^XA^FO1,1^FD{{a}}^FH_^FS^XZ", "^XA\n^FO1,1^FH_^FD_5EXZ^FH_^FS\n^XZ\n", ROWS("a\n^XZ\n"));
    // All candidates stand in the data: none of it becomes an escape.
    assert_rewritten("^XA^FO1,1^FD_41\\`|@$&*#={{a}}^FS^XZ", "^XA\n^FO1,1^FH_^FD_5F41\\`|@$&*#=_5E^FS\n^XZ\n",
                     ROWS("a\n^\n"));
}

static void names_and_numbers_are_found(void **state)
{
    (void)state;
    assert_rewritten("^XA^FO1,1^FN1^FD{{a}}^FS^XZ", "^XA\n^FO1,1^FN1^FDx^FS\n^XZ\n", ROWS("a\nx\n"));
    assert_rewritten("^XA^FO1,1^FN07^FS^XZ", "^XA\n^FO1,1^FDx^FS\n^XZ\n", ROWS("7\nx\n"));
    assert_rewritten("^XA^FO1,1^FD{{a}}", "^XA\n^FO1,1^FDx\n", ROWS("a\nx\n"));
}

static void every_stored_format_is_called_and_keeps_its_line_ends(void **state)
{
    (void)state;
    assert_rewritten("^XA^DFR:A.ZPL^FS^FB90,2^FN1^FS^XZ^XA^DFR:B.ZPL^FS^FN2^FS^XZ",
                     "^XA\n^DFR:A.ZPL^FS\n^FB90,2^FN1^FS\n^XZ\n^XA\n^DFR:B.ZPL^FS\n^FN2^FS\n^XZ\n"
                     "^XA\n^XFR:A.ZPL^FS\n^FN1^FDa\\&b^FS\n^XZ\n^XA\n^XFR:B.ZPL^FS\n^FN2^FDc d^FS\n^XZ\n",
                     ROWS("{\"1\":\"a\\nb\",\"2\":\"c\\nd\"}"));
}

// The number of a recalled field was left out with its value put in, so that the value was drawn at 0,0.
static void a_recall_keeps_the_numbers_of_its_fields(void **state)
{
    (void)state;
    assert_rewritten("^XA^XFR:A.ZPL^FS^FN1^FDold^FS^XZ", "^XA\n^XFR:A.ZPL^FS\n^FN1^FDnew^FS\n^XZ\n", ROWS("1\nnew\n"));
    assert_rewritten("^XA^XFR:A.ZPL^FS^FN1^FDold^FS^XZ^XA^FN1^FDold^FS^XZ",
                     "^XA\n^XFR:A.ZPL^FS\n^FN1^FDnew^FS\n^XZ\n^XA\n^FDnew^FS\n^XZ\n", ROWS("1\nnew\n"));
}

// Each format was taken to reach to the end of the label, over all that followed: 14 kB of them took a minute.
static void a_stored_format_ends_where_the_next_begins(void **state)
{
    (void)state;
    assert_rewritten("^XA^DFA^FS^FN1^FS^DFB^FS^FN2^FS^XZ",
                     "^XA\n^DFA^FS\n^FN1^FS\n^DFB^FS\n^FN2^FS\n^XZ\n"
                     "^XA\n^XFA^FS\n^FN1^FDone^FS\n^XZ\n^XA\n^XFB^FS\n^FN2^FDtwo^FS\n^XZ\n",
                     ROWS("1,2\none,two\n"));
}

static void bad_values_are_an_error_with_a_sentence(void **state)
{
    (void)state;
    static const char *const BAD[] = {"[1]", "{\"a\":[1]}", "[{\"a\":1}", "[]", "a,b\n\"x", "a,b\n"};
    for (size_t i = 0; i < 6; i++) {
        const struct platen_rewrite_options options =
            PLATEN_REWRITE_OPTIONS(.rows = BAD[i], .rows_size = strlen(BAD[i]));
        struct platen_rewritten *r;
        struct platen_error err = {0};
        assert_int_equal(platen_rewrite(worker, "^XA^XZ", 6, &options, &r, &err), PLATEN_E_INVALID);
        assert_null(r);
        assert_true(strlen(err.message) > 10);
    }
}

// A missing value left the field empty, with a note; a value too many was dropped.
static void a_missing_value_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *zpl, *rows, *message;
        enum platen_status status;
    } BAD[] = {
        {"^XA^FD{{a}}{{b}}^FS^XZ", "a\nx\n", "there is no value for 'b'", PLATEN_E_NOT_FOUND},
        {"^XA^FD{{b}}^FS^XZ", "a,b\nx,y\nx\n", "row 2 has no value for 'b'", PLATEN_E_NOT_FOUND},
        {"^XA^FD{{a}}^FS^XZ", "{\"a\":null}", "there is no value for 'a'", PLATEN_E_NOT_FOUND},
        {"^XA^FD{{a}}^FS^XZ", "{\"a\":1,\"b\":2,\"a\":3}", "a row has 'a' twice", PLATEN_E_INVALID},
        {"^XA^FN3^FS^XZ", "a\nx\n", "there is no value for '3'", PLATEN_E_NOT_FOUND},
        {"^XA^DFR:A.ZPL^FS^FN3^FS^XZ", "a\nx\n", "there is no value for '3'", PLATEN_E_NOT_FOUND},
        {"^XA^FO{{x}},1^FDa^FS^XZ", "a\nx\n", "there is no value for 'x'", PLATEN_E_NOT_FOUND},
        {"^XA^FO{{a}},1^FDa^FS^XZ", "a\n1^XZ\n",
         "the value of 'a' is for a parameter and holds '^', '~' or a control character", PLATEN_E_INVALID},
        {"^XA^FD{{a}}^FS^XZ", "a,b\nx,y,z\n",
         "row 1 of the values has 3 fields and the first row 2; a value with the separator needs quotes",
         PLATEN_E_INVALID},
        // The first of two columns counted, in silence.
        {"^XA^FD{{a}}^FS^XZ", "a,b,\" a \"\nx,y,z\n", "two columns are called 'a'", PLATEN_E_INVALID},
        {"^XA^FD{{a}}^FS^XZ", "a,b\n\"x,y\n", "row 1 (line 2) has a quote that does not end; it opens in line 2",
         PLATEN_E_INVALID},
        {"^XA^FD{{a}}^FS^XZ", "a,\"b\n", "the first row has a quote that does not end; it opens in line 1",
         PLATEN_E_INVALID},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        const struct platen_rewrite_options options =
            PLATEN_REWRITE_OPTIONS(.rows = BAD[i].rows, .rows_size = strlen(BAD[i].rows));
        struct platen_rewritten *r;
        struct platen_error err = {0};
        assert_int_equal(platen_rewrite(worker, BAD[i].zpl, strlen(BAD[i].zpl), &options, &r, &err), BAD[i].status);
        assert_null(r);
        assert_string_equal(err.message, BAD[i].message);
    }
    assert_rewritten("^XA^FO1,1^FN3^FDown^FS^XZ", "^XA\n^FO1,1^FN3^FDown^FS\n^XZ\n", ROWS("a\nx\n"));
    assert_rewritten("^XA^FD{{a}}^FS^XZ", "^XA\n^FD^FS\n^XZ\n", ROWS("a,b\n,y\n"));       // an empty one is one
    assert_rewritten("^XA^FD{{a}}^FS^XZ", "^XA\n^FDx^FS\n^XZ\n", ROWS("a,b,,\nx,y,,\n")); // as spreadsheets export it
}

static void parameters_are_filled_too(void **state)
{
    (void)state;
    assert_rewritten("^XA^FO{{x}},{{ y }}^A0N,{{h}}0^FD{{a}}^FS^XZ",
                     "^XA\n^FO5,6^A0N,30^FDq^FS\n^XZ\n^XA\n^FO7,8^A0N,40^FDr^FS\n^XZ\n",
                     ROWS("x,y,h,a\n5,6,3,q\n7,8,4,r\n"));
    assert_rewritten("^XA^DFR:A.ZPL^FS^FO1,1^FD{{a}}^FS^XZ", "^XA\n^DFR:A.ZPL^FS\n^FO1,1^FDq^FS\n^XZ\n",
                     ROWS("a\nq\n"));
}

static void commands_in_words(void **state)
{
    (void)state;
    struct platen_buffer out = {0};
    assert_int_equal(platen_explain(worker, "^FO80,8^ZZZ", 11, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_OK);
    assert_true(out.size > 20);
    assert_memory_equal(out.data, "^FO  Top left corner of the field: x 80 dots (10.00 mm), y 8 dots (1.00 mm)\n", 76);
    platen_buffer_free(&out);
    // A negative length was taken for none.
    assert_int_equal(platen_explain(worker, "^LT-8", 5, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_OK);
    static const char DOWN[] = "^LT  Moves the whole format down or up: rows -8 dots (-1.00 mm)\n";
    assert_int_equal(out.size, sizeof DOWN - 1);
    assert_memory_equal(out.data, DOWN, sizeof DOWN - 1);
    platen_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_labels_are_the_same),
        cmocka_unit_test(shared_labels_are_the_same),
        cmocka_unit_test(one_field_a_line),
        cmocka_unit_test(blanks_that_can_be_seen_stay),
        cmocka_unit_test(other_prefixes_are_kept),
        cmocka_unit_test(damaged_code_is_written_the_same_twice),
        cmocka_unit_test(lengths_follow_the_density),
        cmocka_unit_test(what_is_not_said_follows_the_density_too),
        cmocka_unit_test(units_change_and_dots_stay),
        cmocka_unit_test(a_turned_label_is_the_picture_turned),
        cmocka_unit_test(a_turned_label_keeps_to_its_own_size),
        cmocka_unit_test(values_are_data_and_nothing_else),
        cmocka_unit_test(values_are_escaped_by_no_prefix),
        cmocka_unit_test(names_and_numbers_are_found),
        cmocka_unit_test(every_stored_format_is_called_and_keeps_its_line_ends),
        cmocka_unit_test(a_recall_keeps_the_numbers_of_its_fields),
        cmocka_unit_test(a_stored_format_ends_where_the_next_begins),
        cmocka_unit_test(bad_values_are_an_error_with_a_sentence),
        cmocka_unit_test(a_missing_value_is_an_error),
        cmocka_unit_test(parameters_are_filled_too),
        cmocka_unit_test(commands_in_words),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
