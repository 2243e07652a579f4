// Renders every label of an index beside its reference image and scores both ways (see README.md of the data):
// ink overlap of the bitonal page, share of differing dots of the grey one.
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "picture.h"
#include "platen/platen.h"
#include "table.h"

struct settings {
    const char *data[8]; // folders with an index.tsv
    int data_count;
    const char *report;
    const char *diff, *out;
    const char *thresholds;
    const char *scores; // file for one line per label
    bool check, raise;
    int jobs;
    const char *groups[16];
    int group_count;
    const char *ids[64];
    int id_count;
};

struct work {
    const struct settings *settings;
    struct platen_engine *engine;
    struct row *rows;
    size_t count;
    atomic_size_t next;
};

static bool read_file(const char *path, uint8_t **data, size_t *size)
{
    FILE *f = fopen(path, "rb");
    *data = NULL;
    *size = 0;
    if (!f)
        return false;
    size_t capacity = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            uint8_t *more = realloc(*data, capacity);
            if (!more)
                break;
            *data = more;
        }
        size_t got = fread(*data + *size, 1, capacity - *size, f);
        *size += got;
        if (got == 0)
            break;
    }
    bool ok = !ferror(f);
    fclose(f);
    return ok;
}

// Renders one page of the row into `out`; false with row->error set. Under an old mask QR symbols are taken out of both
// pictures.
static bool render(struct platen_worker *worker, struct row *row, const uint8_t *zpl, size_t size,
                   enum platen_quality quality, struct picture *reference, struct picture *out)
{
    struct platen_options options =
        PLATEN_OPTIONS(.width_mm = row->width_mm, .height_mm = row->height_mm, .dpmm = row->dpmm, .quality = quality,
                       .want_elements = row->old_qr_mask, .has_time = true, .time = 1577836800);
    struct platen_error err;
    struct platen_document *document;
    const struct platen_page *page;
    uint32_t label;
    *out = (struct picture){0};
    if (platen_parse(worker, zpl, size, &options, &document, &err) != PLATEN_OK) {
        snprintf(row->error, sizeof row->error, "%s", err.message);
        return false;
    }
    bool ok = false;
    if (!platen_label_of_page(document, row->page, &label)) {
        snprintf(row->error, sizeof row->error, "no page %u, the input has %u", row->page, platen_page_count(document));
    } else if (platen_draw(worker, document, label, &page, &err) != PLATEN_OK) {
        snprintf(row->error, sizeof row->error, "%s", err.message);
    } else {
        struct platen_bitmap b;
        platen_page_bitmap(page, &b);
        size_t n = (size_t)b.width * b.height;
        out->width = b.width;
        out->height = b.height;
        out->dots = malloc(n ? n : 1);
        ok = out->dots != NULL;
        for (size_t y = 0; ok && y < b.height; y++) {
            for (size_t x = 0; x < b.width; x++) {
                bool ink = !b.grey && (b.words[y * b.words_per_row + x / 64] >> (63 - x % 64)) & 1;
                out->dots[y * b.width + x] = b.grey ? b.bytes[y * b.width + x] : ink ? 0 : 255;
            }
        }
        struct platen_element e;
        for (uint32_t i = 0; ok && row->old_qr_mask && platen_page_element_at(page, i, &e); i++) {
            if (e.symbology && strcmp(e.symbology, "qr") == 0) {
                picture_blank(out, e.x, e.y, e.width, e.height);
                picture_blank(reference, e.x, e.y, e.width, e.height);
            }
        }
    }
    platen_document_free(document);
    return ok;
}

static void file_name(const struct settings *s, const struct row *row, const char *kind, char out[512])
{
    char flat[256];
    snprintf(flat, sizeof flat, "%s", row->id);
    for (char *p = flat; *p; p++)
        *p = *p == '/' ? '_' : *p;
    snprintf(out, 512, "%s/%s.%s.png", s->report, flat, kind);
}

static void write_pictures(const struct settings *s, const struct row *row, const struct picture *reference,
                           const struct picture *ours)
{
    char path[512];
    if (s->diff)
        picture_write_difference(s->diff, reference, ours);
    if (s->out)
        picture_write(s->out, ours);
    if (!s->report)
        return;
    file_name(s, row, "reference", path);
    picture_write(path, reference);
    file_name(s, row, "ours", path);
    picture_write(path, ours);
    file_name(s, row, "difference", path);
    picture_write_difference(path, reference, ours);
}

static void score_row(const struct settings *s, struct platen_worker *worker, struct row *row)
{
    char path[1024];
    struct picture reference, ours = {0}, grey = {0};
    uint8_t *zpl = NULL;
    size_t size = 0;
    row->bitonal = (struct score){.ink_overlap = 0, .diff32 = 1};
    row->grey = row->bitonal;
    snprintf(path, sizeof path, "%s/%s", row->folder, row->png);
    if (!picture_read(path, &reference, row->error, sizeof row->error))
        return;
    snprintf(path, sizeof path, "%s/%s", row->folder, row->zpl);
    if (!read_file(path, &zpl, &size)) {
        snprintf(row->error, sizeof row->error, "%.150s: %s", path, strerror(errno));
    } else if (render(worker, row, zpl, size, PLATEN_BITONAL, &reference, &ours) &&
               render(worker, row, zpl, size, PLATEN_GRAYSCALE, &reference, &grey)) {
        if (ours.width != reference.width || ours.height != reference.height) {
            snprintf(row->error, sizeof row->error, "ours is %ux%u, the reference %ux%u", ours.width, ours.height,
                     reference.width, reference.height);
        } else {
            row->bitonal = picture_score(&reference, &ours);
            row->grey = picture_score(&reference, &grey);
            write_pictures(s, row, &reference, &ours);
        }
    }
    picture_free(&ours);
    picture_free(&grey);
    free(zpl);
    picture_free(&reference);
}

static void *run_worker(void *arg)
{
    struct work *work = arg;
    struct platen_worker *worker;
    struct platen_error err;
    if (platen_worker_new(work->engine, &worker, &err) != PLATEN_OK) {
        fprintf(stderr, "conformance: %s\n", err.message);
        exit(2);
    }
    for (;;) {
        size_t i = atomic_fetch_add(&work->next, 1);
        if (i >= work->count)
            break;
        score_row(work->settings, worker, &work->rows[i]);
    }
    platen_worker_free(worker);
    return NULL;
}

static bool wanted(const struct settings *s, const struct row *row)
{
    bool group = s->group_count == 0, id = s->id_count == 0;
    for (int i = 0; i < s->group_count; i++)
        group = group || strcmp(s->groups[i], row->group) == 0;
    for (int i = 0; i < s->id_count; i++)
        id = id || strstr(row->id, s->ids[i]) != NULL;
    return group && id;
}

static void usage(FILE *out)
{
    fprintf(out, "usage: conformance --data DIR [options]\n"
                 "  --data DIR         folder with index.tsv (again for more sets)\n"
                 "  --group NAME       only this group (again for more)\n"
                 "  --id TEXT          only labels whose id contains TEXT (again for more)\n"
                 "  --report DIR       write pictures and index.html there\n"
                 "  --diff FILE.png    write the three-colour difference of the (last) label\n"
                 "  --out FILE.png     write our bitonal page of the (last) label\n"
                 "  --scores FILE      write one line per label\n"
                 "  --thresholds FILE  with --check: fail below these; with --raise: lift them to what was reached\n"
                 "  --jobs N           threads (2)\n");
}

static int parse(int argc, char **argv, struct settings *s)
{
    static const struct option OPTIONS[] = {
        {"data", required_argument, NULL, 'd'},
        {"group", required_argument, NULL, 'g'},
        {"id", required_argument, NULL, 'i'},
        {"report", required_argument, NULL, 'r'},
        {"diff", required_argument, NULL, 'D'},
        {"out", required_argument, NULL, 'o'},
        {"scores", required_argument, NULL, 's'},
        {"thresholds", required_argument, NULL, 't'},
        {"check", no_argument, NULL, 'c'},
        {"raise", no_argument, NULL, 'R'},
        {"jobs", required_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int c;
    while ((c = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1) {
        switch (c) {
        case 'd':
            if (s->data_count < 8)
                s->data[s->data_count++] = optarg;
            break;
        case 'g':
            if (s->group_count < 16)
                s->groups[s->group_count++] = optarg;
            break;
        case 'i':
            if (s->id_count < 64)
                s->ids[s->id_count++] = optarg;
            break;
        case 'r':
            s->report = optarg;
            break;
        case 'D':
            s->diff = optarg;
            break;
        case 'o':
            s->out = optarg;
            break;
        case 's':
            s->scores = optarg;
            break;
        case 't':
            s->thresholds = optarg;
            break;
        case 'c':
            s->check = true;
            break;
        case 'R':
            s->raise = true;
            break;
        case 'j':
            s->jobs = atoi(optarg);
            break;
        case 'h':
            usage(stdout);
            exit(0);
        default:
            usage(stderr);
            return 2;
        }
    }
    if (s->data_count == 0 || ((s->check || s->raise) && !s->thresholds)) {
        usage(stderr);
        return 2;
    }
    s->jobs = s->jobs < 1 ? 1 : s->jobs > 16 ? 16 : s->jobs;
    return 0;
}

int main(int argc, char **argv)
{
    struct settings s = {.jobs = 2};
    int status = parse(argc, argv, &s);
    if (status)
        return status;
    struct table table = {0};
    for (int i = 0; i < s.data_count; i++) {
        if (!table_read(s.data[i], &table)) {
            fprintf(stderr, "conformance: %s/index.tsv: %s\n", s.data[i], strerror(errno));
            return 2;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++) {
        if (wanted(&s, &table.rows[i]))
            table.rows[kept++] = table.rows[i];
    }
    table.count = kept;
    if (kept == 0) {
        fprintf(stderr, "conformance: no label of the index is meant\n");
        return 2;
    }
    if (s.report && mkdir(s.report, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "conformance: %s: %s\n", s.report, strerror(errno));
        return 2;
    }
    struct platen_error err;
    struct work work = {.settings = &s, .rows = table.rows, .count = table.count};
    if (platen_engine_new(NULL, &work.engine, &err) != PLATEN_OK) {
        fprintf(stderr, "conformance: %s\n", err.message);
        return 2;
    }
    pthread_t threads[16];
    int started = 0;
    for (int i = 1; i < s.jobs; i++)
        started += pthread_create(&threads[started], NULL, run_worker, &work) == 0;
    run_worker(&work);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    platen_engine_free(work.engine);

    table_print(&table, stdout);
    if (s.scores && !table_write_scores(&table, s.scores))
        fprintf(stderr, "conformance: %s: %s\n", s.scores, strerror(errno));
    if (s.report && !table_write_html(&table, s.report))
        fprintf(stderr, "conformance: %s: %s\n", s.report, strerror(errno));
    if (s.raise && !thresholds_raise(&table, s.thresholds))
        return 2;
    if (s.check)
        status = thresholds_check(&table, s.thresholds) ? 0 : 1;
    table_free(&table);
    return status;
}
