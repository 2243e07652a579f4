// Reading the index, means per group, lists, scores and the HTML report.
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "groups.h"

static void copy_field(char *out, size_t size, const char *from)
{
    snprintf(out, size, "%s", from ? from : "");
}

// The columns are found by their names in the first line.
static const char *const COLUMNS[] = {"id",   "group",           "zpl",        "png", "dpmm", "widthMm", "heightMm",
                                      "page", "zebrash_ink_iou", "old_qr_mask"};
enum { ID, GROUP, ZPL, PNG, DPMM, WIDTH, HEIGHT, PAGE, PEER, OLD_MASK, COLUMN_COUNT };

static size_t split(char *line, char *fields[], size_t max)
{
    size_t n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *p = line; n < max; p++) {
        fields[n++] = p;
        p += strcspn(p, "\t");
        if (!*p)
            break;
        *p = 0;
    }
    return n;
}

static const char *name_of(const char *id)
{
    const char *slash = strrchr(id, '/');
    return slash ? slash + 1 : id;
}

// Where a row goes: behind all others, or in the place of the same carrier label of another set. NULL: no memory.
static struct row *place_of(struct table *table, const char *folder, const char *id)
{
    for (size_t i = 0; i < table->count; i++) {
        struct row *row = &table->rows[i];
        if (row->folder != folder && strcmp(row->group, "carrier") == 0 && strcmp(name_of(row->id), name_of(id)) == 0)
            return row;
    }
    struct row *rows = realloc(table->rows, (table->count + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    table->rows = rows;
    rows[table->count] = (struct row){0};
    return &rows[table->count++];
}

bool table_read(const char *folder, struct table *out)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/index.tsv", folder);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    char *line = NULL, *fields[64];
    size_t capacity = 0, places[COLUMN_COUNT] = {0}, before = out->count;
    bool head = true;
    while (getline(&line, &capacity, f) > 0) {
        size_t n = split(line, fields, 64);
        if (head) {
            for (size_t c = 0; c < COLUMN_COUNT; c++) {
                places[c] = SIZE_MAX;
                for (size_t i = 0; i < n; i++)
                    if (strcmp(fields[i], COLUMNS[c]) == 0)
                        places[c] = i;
            }
            head = false;
            continue;
        }
        const char *v[COLUMN_COUNT];
        for (size_t c = 0; c < COLUMN_COUNT; c++)
            v[c] = places[c] < n ? fields[places[c]] : "";
        struct row *row = place_of(out, folder, v[ID]);
        if (!row)
            break;
        row->folder = folder;
        copy_field(row->id, sizeof row->id, v[ID]);
        if (!*row->group)
            copy_field(row->group, sizeof row->group, v[GROUP]);
        copy_field(row->zpl, sizeof row->zpl, v[ZPL]);
        copy_field(row->png, sizeof row->png, v[PNG]);
        row->dpmm = (uint32_t)atoi(v[DPMM]);
        row->page = (uint32_t)atoi(v[PAGE]);
        row->width_mm = atof(v[WIDTH]);
        row->height_mm = atof(v[HEIGHT]);
        row->old_qr_mask = strcmp(v[OLD_MASK], "yes") == 0;
        if (*v[PEER] || row->peer_overlap == 0)
            row->peer_overlap = *v[PEER] ? atof(v[PEER]) : -1;
    }
    free(line);
    fclose(f);
    return out->count > before;
}

void table_free(struct table *table)
{
    free(table->rows);
    *table = (struct table){0};
}

static int worse_first(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    if (x->bitonal.ink_overlap != y->bitonal.ink_overlap)
        return x->bitonal.ink_overlap < y->bitonal.ink_overlap ? -1 : 1;
    return strcmp(x->id, y->id);
}

// Pointers to all rows, the worst first; NULL without memory.
static const struct row **sorted(const struct table *table)
{
    const struct row **order = malloc(table->count * sizeof *order);
    for (size_t i = 0; order && i < table->count; i++)
        order[i] = &table->rows[i];
    if (order)
        qsort(order, table->count, sizeof *order, worse_first);
    return order;
}

void table_print(const struct table *table, FILE *out)
{
    struct groups groups;
    groups_of(table, &groups);
    fprintf(out, "%-12s %5s  %-9s %-9s %-11s %-8s %s\n", "group", "n", "overlap", "lowest", "diff32 %", "failed",
            "peer's overlap");
    for (size_t i = 0; i < groups.count; i++) {
        const struct group *g = &groups.items[i];
        fprintf(out, "%-12s %5zu  %.4f    %.4f    %8.3f    %-8zu %.4f\n", g->name, g->n, g->mean_overlap,
                g->least_overlap, g->mean_diff32 * 100, g->errors, g->peer_overlap);
    }
    const struct row **order = sorted(table);
    if (!order)
        return;
    fprintf(out, "\nworst labels: overlap, dots missing, dots too many, diff32 %%\n");
    for (size_t i = 0; i < table->count && i < 20; i++) {
        const struct row *r = order[i];
        fprintf(out, "  %.4f %7u %7u %7.3f  %s%s%s\n", r->bitonal.ink_overlap, r->bitonal.missing, r->bitonal.extra,
                r->grey.diff32 * 100, r->id, *r->error ? "  " : "", r->error);
    }
    free(order);
}

bool table_write_scores(const struct table *table, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "id\tgroup\tink_overlap\tdiff32_pct\tmissing\textra\tpeer_overlap\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct row *r = &table->rows[i];
        fprintf(f, "%s\t%s\t%.4f\t%.4f\t%u\t%u\t%.4f\n", r->id, r->group, r->bitonal.ink_overlap, r->grey.diff32 * 100,
                r->bitonal.missing, r->bitonal.extra, r->peer_overlap);
    }
    return fclose(f) == 0;
}

bool table_write_html(const struct table *table, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *f = fopen(path, "w");
    const struct row **order = sorted(table);
    if (!f || !order) {
        if (f)
            fclose(f);
        free(order);
        return false;
    }
    fputs(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Conformance</title><style>"
        "body{font:14px sans-serif;margin:1.5em}img{border:1px solid #bbb;max-width:32%;height:auto;vertical-align:top}"
        "section{margin:1.5em 0}h2{font-size:15px}pre{background:#f4f4f4;padding:1em}"
        "</style><h1>Conformance</h1><p>Reference, ours, difference (black: both, red: only the reference, blue: only "
        "ours). The worst first.</p>",
        f);
    fputs("<pre>", f);
    table_print(table, f);
    fputs("</pre>", f);
    for (size_t i = 0; i < table->count; i++) {
        const struct row *r = order[i];
        char flat[128];
        snprintf(flat, sizeof flat, "%s", r->id);
        for (char *p = flat; *p; p++)
            *p = *p == '/' ? '_' : *p;
        fprintf(f, "<section><h2>%s — overlap %.4f, diff32 %.3f %%, missing %u, too many %u %s</h2>", r->id,
                r->bitonal.ink_overlap, r->grey.diff32 * 100, r->bitonal.missing, r->bitonal.extra, r->error);
        if (!*r->error) {
            static const char *const KINDS[] = {"reference", "ours", "difference"};
            for (size_t k = 0; k < 3; k++)
                fprintf(f, "<img loading=\"lazy\" alt=\"%s\" src=\"%s.%s.png\"> ", KINDS[k], flat, KINDS[k]);
        }
        fputs("</section>\n", f);
    }
    free(order);
    return fclose(f) == 0;
}
