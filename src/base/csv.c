// Rows of comma-separated values.
#include "base/csv.h"

#include <stdio.h>
#include <string.h>

#define ROW_MAX ((size_t)1 << 20)

void pl_csv_init(struct pl_csv *reader)
{
    *reader = (struct pl_csv){0};
    pl_buf_init(&reader->text, ROW_MAX);
}

void pl_csv_fini(struct pl_csv *reader)
{
    pl_buf_fini(&reader->text);
}

static bool is_separator(const struct pl_csv *reader, uint8_t byte)
{
    // In the first row each of them may be the one.
    return reader->separator ? byte == (uint8_t)reader->separator : byte == ',' || byte == ';' || byte == '\t';
}

// The row's end outside of quotes; window.len: there is none. A quote opens only at a field's start: 5" is five inches.
static size_t find_end(struct pl_csv *reader, struct pl_slice window)
{
    size_t at = reader->scanned;
    if (at == 0)
        reader->row_lines = reader->lines;
    for (; at < window.len; at++) {
        uint8_t byte = window.ptr[at];
        if (byte == '"' && (reader->quoted || !reader->inside)) {
            reader->quoted = !reader->quoted;
            if (reader->quoted && (at == 0 || window.ptr[at - 1] != '"'))
                reader->quote_lines = reader->lines;
            reader->inside = reader->quoted; // a doubled quote opens it again
            continue;
        }
        if (byte == '\n' && !reader->quoted)
            break;
        reader->lines += byte == '\n';
        bool mark = !reader->separator && at < 3 && window.ptr[0] == 0xEF; // in front of the first field
        reader->inside = !mark && (reader->quoted || !is_separator(reader, byte));
    }
    reader->scanned = at;
    return at;
}

static char separator_of(struct pl_slice row)
{
    static const char CANDIDATES[] = {',', ';', '\t'};
    char best = ',';
    size_t most = 0;
    for (size_t i = 0; i < sizeof CANDIDATES; i++) {
        size_t count = 0;
        bool quoted = false;
        for (size_t k = 0; k < row.len; k++) {
            quoted ^= row.ptr[k] == '"';
            count += !quoted && row.ptr[k] == (uint8_t)CANDIDATES[i];
        }
        if (count > most) {
            most = count;
            best = CANDIDATES[i];
        }
    }
    return best;
}

// Splits the row; fields lie one behind the other in reader->text. False: too many, or too long.
static bool split(struct pl_csv *reader, struct pl_slice row)
{
    size_t starts[PL_CSV_FIELDS_MAX];
    pl_buf_clear(&reader->text);
    if (!pl_buf_reserve(&reader->text, row.len + 1))
        return false;
    reader->count = 0;
    size_t at = 0;
    do {
        if (reader->count == PL_CSV_FIELDS_MAX)
            return false;
        starts[reader->count++] = reader->text.len;
        bool quoted = at < row.len && row.ptr[at] == '"';
        for (at += quoted; at < row.len; at++) {
            uint8_t byte = row.ptr[at];
            if (quoted && byte == '"') {
                if (at + 1 < row.len && row.ptr[at + 1] == '"')
                    at++;
                else {
                    quoted = false;
                    continue;
                }
            } else if (!quoted && byte == (uint8_t)reader->separator) {
                break;
            }
            pl_buf_append_byte(&reader->text, byte);
        }
    } while (at++ < row.len);
    for (uint32_t i = 0; i < reader->count; i++) {
        size_t end = i + 1 < reader->count ? starts[i + 1] : reader->text.len;
        reader->fields[i] = pl_slice_make(reader->text.data + starts[i], end - starts[i]);
    }
    return !reader->text.failed;
}

// The row at hand. Those of values are numbered from 1, as documents are.
static const char *row_name(const struct pl_csv *reader, char room[64])
{
    if (reader->rows == 0)
        return "the first row";
    (void)snprintf(room, 64, "row %zu (line %zu)", reader->rows, reader->row_lines + 1);
    return room;
}

enum pl_csv_found pl_csv_next(struct pl_csv *reader, struct pl_slice window, bool ended, size_t *used,
                              struct pl_error *err)
{
    char room[64];
    *used = 0;
    for (;;) {
        struct pl_slice rest = pl_slice_sub(window, *used, window.len);
        size_t end = find_end(reader, rest);
        if (end > ROW_MAX) {
            (void)!pl_fail(err, PL_E_LIMIT, "%s is longer than %zu bytes; is a quote missing?", row_name(reader, room),
                           ROW_MAX);
            return PL_CSV_BAD;
        }
        if (end == rest.len && !ended)
            return PL_CSV_MORE;
        struct pl_slice row = pl_slice_sub(rest, 0, end);
        if (row.len > 0 && row.ptr[row.len - 1] == '\r')
            row.len--;
        bool last = end == rest.len;
        *used += end + !last;
        reader->lines += !last;
        reader->scanned = 0;
        reader->inside = false;
        if (reader->quoted) {
            (void)!pl_fail(err, PL_E_INVALID, "%s has a quote that does not end; it opens in line %zu",
                           row_name(reader, room), reader->quote_lines + 1);
            return PL_CSV_BAD;
        }
        if (row.len == 0) {
            if (last)
                return PL_CSV_END;
            continue;
        }
        if (reader->separator == 0) {
            static const uint8_t MARK[] = {0xEF, 0xBB, 0xBF}; // spreadsheets write it first
            if (row.len >= 3 && memcmp(row.ptr, MARK, 3) == 0)
                row = pl_slice_sub(row, 3, row.len);
            reader->separator = separator_of(row);
        }
        if (!split(reader, row)) {
            (void)!pl_fail(err, PL_E_LIMIT, "%s has more than %u fields", row_name(reader, room), PL_CSV_FIELDS_MAX);
            return PL_CSV_BAD;
        }
        reader->row = row;
        reader->rows++;
        return PL_CSV_ROW;
    }
}

enum pl_errc pl_csv_keep(const struct pl_csv *reader, struct pl_arena *arena, struct pl_slice **out,
                         struct pl_error *err)
{
    *out = PL_ARENA_ARRAY(arena, struct pl_slice, reader->count);
    const uint8_t *text = pl_arena_copy(arena, reader->text.data, reader->text.len);
    if (!*out || !text)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < reader->count; i++)
        (*out)[i] = pl_slice_make(text + (reader->fields[i].ptr - reader->text.data), reader->fields[i].len);
    return PL_OK;
}

enum pl_errc pl_csv_name_columns(struct pl_slice *names, uint32_t count, struct pl_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        names[i] = pl_slice_trim(names[i]);
        for (uint32_t k = 0; k < i && names[i].len > 0; k++) {
            if (pl_slice_eq(names[k], names[i]))
                return pl_fail(err, PL_E_INVALID, "two columns are called '%.*s'",
                               (int)(names[i].len < 60 ? names[i].len : 60), (const char *)names[i].ptr);
        }
    }
    return PL_OK;
}
