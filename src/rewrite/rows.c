// Reading rows of values.
#include "rewrite/rows.h"

#include <string.h>

#include "base/csv.h"
#include "base/json_reader.h"

#define PAIRS_MOST 1000u

bool rw_row_value(const struct rw_row *row, struct pl_slice name, struct pl_slice *out)
{
    for (uint32_t i = 0; i < row->count; i++) {
        if (pl_slice_eq(row->pairs[i].name, name)) {
            *out = row->pairs[i].value;
            return true;
        }
    }
    *out = row->sample;
    return row->sample.len > 0;
}

static enum pl_errc add_row(struct pl_arena *arena, struct rw_rows *rows, struct rw_row row, struct pl_error *err)
{
    if (rows->count == RW_ROWS_MOST)
        return pl_fail(err, PL_E_LIMIT, "there are more than %u rows of values", RW_ROWS_MOST);
    if (!PL_ARENA_GROW(arena, rows->rows, rows->count, rows->capacity, 8))
        return pl_fail_memory(err);
    rows->rows[rows->count++] = row;
    return PL_OK;
}

static enum pl_errc add_pair(struct pl_arena *arena, struct rw_row *row, struct rw_pair pair, struct pl_error *err)
{
    if (row->count == PAIRS_MOST)
        return pl_fail(err, PL_E_LIMIT, "a row has more than %u values", PAIRS_MOST);
    if (!PL_ARENA_GROW(arena, row->pairs, row->count, row->capacity, 8))
        return pl_fail_memory(err);
    row->pairs[row->count++] = pair;
    return PL_OK;
}

// ---- JSON

static enum pl_errc bad_json(const struct pl_json_reader *reader, struct pl_error *err)
{
    return pl_fail(err, PL_E_INVALID, "the values are not valid JSON: %.150s", reader->err.message);
}

static enum pl_errc string_of(struct pl_arena *arena, const struct pl_json_reader *reader, struct pl_slice *out,
                              struct pl_error *err)
{
    return pl_json_text(reader->token, reader->escaped, arena, out) ? PL_OK : pl_fail_memory(err);
}

static enum pl_errc bad_pair(const char *what, struct pl_slice name, const char *why, struct pl_error *err)
{
    return pl_fail(err, PL_E_INVALID, "%s '%.*s' %s", what, (int)(name.len < 40 ? name.len : 40),
                   (const char *)name.ptr, why);
}

// The value that comes next. JSON's null is none.
static enum pl_errc json_value(struct pl_arena *arena, struct pl_json_reader *reader, struct rw_pair *pair,
                               bool *is_none, struct pl_error *err)
{
    enum pl_json_event event = pl_json_next(reader);
    if (event == PL_JSON_BAD)
        return bad_json(reader, err);
    if (event == PL_JSON_OBJECT || event == PL_JSON_ARRAY)
        return bad_pair("the value of", pair->name, "must be a string, a number or a boolean", err);
    *is_none = event == PL_JSON_NULL;
    pair->value = event == PL_JSON_TRUE    ? pl_slice_cstr("true")
                  : event == PL_JSON_FALSE ? pl_slice_cstr("false")
                                           : reader->token;
    return event == PL_JSON_STRING ? string_of(arena, reader, &pair->value, err) : PL_OK;
}

static enum pl_errc json_row(struct pl_arena *arena, struct pl_json_reader *reader, struct rw_row *row,
                             struct pl_error *err)
{
    enum pl_json_event event;
    while ((event = pl_json_next(reader)) == PL_JSON_KEY) {
        struct rw_pair pair;
        bool is_none = false;
        PL_TRY(string_of(arena, reader, &pair.name, err));
        for (uint32_t i = 0; i < row->count; i++) {
            if (pl_slice_eq(row->pairs[i].name, pair.name))
                return bad_pair("a row has", pair.name, "twice", err);
        }
        PL_TRY(json_value(arena, reader, &pair, &is_none, err));
        if (!is_none)
            PL_TRY(add_pair(arena, row, pair, err));
    }
    return event == PL_JSON_OBJECT_END ? PL_OK : bad_json(reader, err);
}

static enum pl_errc read_json(struct pl_arena *arena, struct pl_slice text, struct rw_rows *out, struct pl_error *err)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, text);
    enum pl_json_event event = pl_json_next(&reader);
    bool many = event == PL_JSON_ARRAY;
    if (many)
        event = pl_json_next(&reader);
    while (event == PL_JSON_OBJECT) {
        struct rw_row row = {0};
        PL_TRY(json_row(arena, &reader, &row, err));
        PL_TRY(add_row(arena, out, row, err));
        event = pl_json_next(&reader);
        if (!many)
            return event == PL_JSON_END ? PL_OK : bad_json(&reader, err);
    }
    if (event == PL_JSON_BAD)
        return bad_json(&reader, err);
    if (event != PL_JSON_ARRAY_END)
        return pl_fail(err, PL_E_INVALID, "the values must be an array of objects; there is %s in it",
                       pl_json_event_name(event));
    return pl_json_next(&reader) == PL_JSON_END ? PL_OK : bad_json(&reader, err);
}

// ---- CSV

static enum pl_errc csv_row(struct pl_arena *arena, const struct pl_csv *csv, const struct pl_slice *names,
                            uint32_t name_count, struct rw_rows *out, struct pl_error *err)
{
    struct rw_row row = {0};
    struct pl_slice *fields;
    // A separator that was not quoted moves all values behind it: no label is better than a wrong one.
    if (csv->count > name_count)
        return pl_fail(
            err, PL_E_INVALID,
            "row %u of the values has %u fields and the first row %u; a value with the separator needs quotes",
            out->count + 1, csv->count, name_count);
    PL_TRY(pl_csv_keep(csv, arena, &fields, err));
    for (uint32_t i = 0; i < csv->count; i++)
        PL_TRY(add_pair(arena, &row, (struct rw_pair){names[i], fields[i]}, err));
    return add_row(arena, out, row, err);
}

static enum pl_errc csv_rows(struct pl_arena *arena, struct pl_csv *csv, struct pl_slice text, struct rw_rows *out,
                             struct pl_error *err)
{
    struct pl_slice *names = NULL;
    uint32_t name_count = 0;
    enum pl_csv_found found;
    size_t used;
    while ((found = pl_csv_next(csv, text, true, &used, err)) == PL_CSV_ROW) {
        text = pl_slice_sub(text, used, text.len);
        if (names) {
            PL_TRY(csv_row(arena, csv, names, name_count, out, err));
            continue;
        }
        PL_TRY(pl_csv_keep(csv, arena, &names, err));
        name_count = csv->count;
        PL_TRY(pl_csv_name_columns(names, name_count, err));
    }
    return found == PL_CSV_END ? PL_OK : err->code;
}

static enum pl_errc read_csv(struct pl_arena *arena, struct pl_slice text, struct rw_rows *out, struct pl_error *err)
{
    struct pl_csv csv;
    pl_csv_init(&csv);
    enum pl_errc code = csv_rows(arena, &csv, text, out, err);
    pl_csv_fini(&csv);
    return code;
}

enum pl_errc rw_rows_read(struct pl_arena *arena, struct pl_slice text, struct rw_rows *out, struct pl_error *err)
{
    static const uint8_t MARK[] = {0xEF, 0xBB, 0xBF};
    *out = (struct rw_rows){0};
    if (text.len >= 3 && memcmp(text.ptr, MARK, 3) == 0)
        text = pl_slice_sub(text, 3, text.len);
    struct pl_slice begin = pl_slice_trim(text);
    bool json = begin.len > 0 && (begin.ptr[0] == '[' || begin.ptr[0] == '{');
    PL_TRY(json ? read_json(arena, text, out, err) : read_csv(arena, text, out, err));
    return out->count > 0 ? PL_OK : pl_fail(err, PL_E_INVALID, "there are no rows of values");
}
