// What a collector's journal says of the rows that are packed, and what outputs are by their names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "batch/names.h"
#include "pack.h"

// "TYPE PLACE SIZE"
static void read_place(struct pack_row *row)
{
    struct pl_slice words = row->type;
    const uint8_t *size = words.len > 0 ? memrchr(words.ptr, ' ', words.len) : NULL;
    const uint8_t *place = size ? memrchr(words.ptr, ' ', (size_t)(size - words.ptr)) : NULL;
    if (!place)
        return;
    row->type = pl_slice_sub(words, 0, (size_t)(place - words.ptr));
    row->has_place = pl_parse_u64(pl_slice_make(place + 1, (size_t)(size - place - 1)), &row->place) &&
                     pl_parse_u64(pl_slice_make(size + 1, words.len - (size_t)(size + 1 - words.ptr)), &row->size);
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcasecmp(text + a - b, end) == 0;
}

bool pack_is_pdf(const char *output)
{
    return ends_with(output, ".pdf");
}

bool pack_is_file(const char *output)
{
    return pack_is_pdf(output) || ends_with(output, ".zip");
}

bool pack_is_taken(const char *output)
{
    char *journal = NULL;
    if (!pack_is_file(output) || access(output, F_OK) != 0 || asprintf(&journal, "%s.parts/" PACK_JOURNAL, output) < 0)
        return false;
    bool taken = access(journal, F_OK) != 0; // it goes last, but for the folder
    free(journal);
    return taken;
}

bool pack_row_read(struct pl_slice line, struct pack_row *out)
{
    struct pl_slice fields[4];
    for (int i = 0; i < 4; i++)
        fields[i] = pl_slice_until(&line, '\t');
    *out =
        (struct pack_row){.ok = pl_slice_eq_cstr(fields[1], "ok"), .type = fields[2], .ending = fields[3], .id = line};
    read_place(out);
    return pl_parse_u64(fields[0], &out->sequence) && line.len > 0;
}

static int by_sequence(const void *a, const void *b)
{
    const struct pack_row *x = a, *y = b;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->id.ptr < y->id.ptr ? -1 : 1; // as they came
}

enum pl_errc pack_rows_read(struct pack_rows *p, const char *journal, struct pl_error *err)
{
    size_t capacity = 0;
    struct pl_id_set ids = {0};
    if (!cli_read(journal, (size_t)1 << 34, &p->text, NULL))
        return pl_fail(err, PL_E_IO, "%s cannot be read", journal);
    struct pl_slice rest = pl_slice_make(p->text.data, p->text.size);
    // From the end: the last result of a row counts, which may be a good one behind an error.
    while (rest.len > 0) {
        struct pack_row row;
        rest.len--; // its end
        const uint8_t *before = memrchr(rest.ptr, '\n', rest.len);
        size_t start = before ? (size_t)(before + 1 - rest.ptr) : 0;
        struct pl_slice line = pl_slice_sub(rest, start, rest.len); // as it is: an id may end with a blank
        rest.len = start;
        enum pl_id_added added = pack_row_read(line, &row) ? pl_id_set_add(&ids, row.id) : PL_ID_KNOWN;
        if (added == PL_ID_KNOWN)
            continue;
        if (p->count == capacity && added == PL_ID_NEW) {
            capacity = capacity ? capacity * 2 : 1024;
            struct pack_row *more = realloc(p->rows, capacity * sizeof *more);
            added = more ? added : PL_ID_NO_MEMORY;
            p->rows = more ? more : p->rows;
        }
        if (added == PL_ID_NO_MEMORY) {
            pl_id_set_free(&ids);
            return pl_fail(err, PL_E_MEMORY, "not enough memory");
        }
        p->rows[p->count++] = row;
    }
    pl_id_set_free(&ids);
    if (p->count > 0)
        qsort(p->rows, p->count, sizeof *p->rows, by_sequence);
    return PL_OK;
}

void pack_rows_free(struct pack_rows *rows)
{
    cli_input_free(&rows->text);
    free(rows->rows);
    *rows = (struct pack_rows){0};
}
