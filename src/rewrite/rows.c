// Reading rows of values.
#include "rewrite/rows.h"

#include <string.h>

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
    return false;
}

// Room for one more; the arrays double.
static bool grow(struct pl_arena *arena, void **items, uint32_t count, size_t size)
{
    if (count & (count - 1) || (count > 0 && count < 8))
        return true;
    void *grown = pl_arena_array(arena, count ? (size_t)count * 2 : 8, size, _Alignof(max_align_t));
    if (grown && count)
        memcpy(grown, *items, count * size);
    *items = grown;
    return grown != NULL;
}

static enum pl_errc add_row(struct pl_arena *arena, struct rw_rows *rows, struct rw_row row, struct pl_error *err)
{
    void *items = rows->rows;
    if (rows->count == RW_ROWS_MOST)
        return pl_fail(err, PL_E_LIMIT, "there are more than %u rows of values", RW_ROWS_MOST);
    if (!grow(arena, &items, rows->count, sizeof row))
        return pl_fail_memory(err);
    rows->rows = items;
    rows->rows[rows->count++] = row;
    return PL_OK;
}

static enum pl_errc add_pair(struct pl_arena *arena, struct rw_row *row, struct rw_pair pair, struct pl_error *err)
{
    void *items = row->pairs;
    if (row->count == PAIRS_MOST)
        return pl_fail(err, PL_E_LIMIT, "a row has more than %u values", PAIRS_MOST);
    if (!grow(arena, &items, row->count, sizeof pair))
        return pl_fail_memory(err);
    row->pairs = items;
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
    *out = reader->token;
    if (!reader->escaped)
        return PL_OK;
    uint8_t *text = PL_ARENA_ARRAY(arena, uint8_t, reader->token.len + 1);
    if (!text)
        return pl_fail_memory(err);
    *out = pl_slice_make(text, pl_json_unescape(reader->token, text));
    return PL_OK;
}

static enum pl_errc json_row(struct pl_arena *arena, struct pl_json_reader *reader, struct rw_row *row,
                             struct pl_error *err)
{
    enum pl_json_event event;
    while ((event = pl_json_next(reader)) == PL_JSON_KEY) {
        struct rw_pair pair;
        PL_TRY(string_of(arena, reader, &pair.name, err));
        event = pl_json_next(reader);
        if (event == PL_JSON_BAD)
            return bad_json(reader, err);
        if (event == PL_JSON_OBJECT || event == PL_JSON_ARRAY)
            return pl_fail(err, PL_E_INVALID, "the value of '%.*s' must be a string, a number or a boolean",
                           (int)(pair.name.len < 40 ? pair.name.len : 40), (const char *)pair.name.ptr);
        pair.value = event == PL_JSON_TRUE    ? pl_slice_cstr("true")
                     : event == PL_JSON_FALSE ? pl_slice_cstr("false")
                     : event == PL_JSON_NULL  ? pl_slice_make("", 0)
                                              : reader->token;
        if (event == PL_JSON_STRING)
            PL_TRY(string_of(arena, reader, &pair.value, err));
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

// ---- CSV (RFC 4180), parted by commas, semicolons or tabs

struct csv {
    struct pl_slice text;
    size_t at;
    uint8_t part;
};

// The next cell. *last: it ends its line.
static enum pl_errc next_cell(struct pl_arena *arena, struct csv *csv, struct pl_slice *out, bool *last,
                              struct pl_error *err)
{
    const uint8_t *p = csv->text.ptr;
    size_t n = csv->text.len, from = csv->at;
    if (csv->at < n && p[csv->at] == '"') {
        uint8_t *text = NULL;
        size_t len = 0, end = ++from;
        while (end < n && !(p[end] == '"' && !(end + 1 < n && p[end + 1] == '"')))
            end += p[end] == '"' ? 2 : 1;
        if (end >= n)
            return pl_fail(err, PL_E_INVALID, "a quoted value of the CSV has no end");
        text = PL_ARENA_ARRAY(arena, uint8_t, end - from + 1);
        if (!text)
            return pl_fail_memory(err);
        for (size_t i = from; i < end; i++) {
            text[len++] = p[i];
            i += p[i] == '"';
        }
        *out = pl_slice_make(text, len);
        csv->at = end + 1;
        while (csv->at < n && p[csv->at] != csv->part && p[csv->at] != '\n')
            csv->at++;
    } else {
        while (csv->at < n && p[csv->at] != csv->part && p[csv->at] != '\n')
            csv->at++;
        size_t end = csv->at;
        if (end > from && p[end - 1] == '\r' && (end == n || p[end] == '\n'))
            end--;
        *out = pl_slice_sub(csv->text, from, end - from);
    }
    *last = csv->at >= n || p[csv->at] == '\n';
    csv->at += csv->at < n;
    return PL_OK;
}

static uint8_t parts_by(struct pl_slice text)
{
    static const uint8_t PARTS[] = {',', ';', '\t'};
    size_t counts[3] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.len && (quoted || text.ptr[i] != '\n'); i++) {
        quoted ^= text.ptr[i] == '"';
        for (size_t k = 0; k < 3 && !quoted; k++)
            counts[k] += text.ptr[i] == PARTS[k];
    }
    for (size_t k = 1; k < 3; k++)
        best = counts[k] > counts[best] ? k : best;
    return PARTS[best];
}

static enum pl_errc read_csv(struct pl_arena *arena, struct pl_slice text, struct rw_rows *out, struct pl_error *err)
{
    struct csv csv = {.text = text, .part = parts_by(text)};
    struct rw_row names = {0};
    struct pl_slice cell;
    bool last = false;
    while (!last) {
        PL_TRY(next_cell(arena, &csv, &cell, &last, err));
        PL_TRY(add_pair(arena, &names, (struct rw_pair){.name = pl_slice_trim(cell)}, err));
    }
    while (csv.at < text.len) {
        struct rw_row row = {0};
        uint32_t column = 0;
        for (last = false; !last; column++) {
            PL_TRY(next_cell(arena, &csv, &cell, &last, err));
            if (column < names.count)
                PL_TRY(add_pair(arena, &row, (struct rw_pair){names.pairs[column].name, cell}, err));
        }
        bool empty = column == 1 && row.count == 1 && row.pairs[0].value.len == 0;
        if (!empty)
            PL_TRY(add_row(arena, out, row, err));
    }
    return PL_OK;
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
