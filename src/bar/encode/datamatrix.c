// Data Matrix ECC 200 (ISO/IEC 16022): choice of size, check codewords.
#include "bar/encode/datamatrix.h"

#include <string.h>

#include "bar/encode/datamatrix_parts.h"
#include "bar/encode/reed_solomon.h"
#include "base/ckd.h"

#define FIELD_BITS 8
#define FIELD_POLYNOMIAL 0x12D

enum { STRUCTURED_APPEND = 233, READER_PROGRAMMING = 234 }; // codewords

// clang-format off
static const struct pl_dm_size squares[] = {
    {10, 10, 8, 8, 3, 1, 5},        {12, 12, 10, 10, 5, 1, 7},      {14, 14, 12, 12, 8, 1, 10},
    {16, 16, 14, 14, 12, 1, 12},    {18, 18, 16, 16, 18, 1, 14},    {20, 20, 18, 18, 22, 1, 18},
    {22, 22, 20, 20, 30, 1, 20},    {24, 24, 22, 22, 36, 1, 24},    {26, 26, 24, 24, 44, 1, 28},
    {32, 32, 14, 14, 62, 1, 36},    {36, 36, 16, 16, 86, 1, 42},    {40, 40, 18, 18, 114, 1, 48},
    {44, 44, 20, 20, 144, 1, 56},   {48, 48, 22, 22, 174, 1, 68},   {52, 52, 24, 24, 204, 2, 42},
    {64, 64, 14, 14, 280, 2, 56},   {72, 72, 16, 16, 368, 4, 36},   {80, 80, 18, 18, 456, 4, 48},
    {88, 88, 20, 20, 576, 4, 56},   {96, 96, 22, 22, 696, 4, 68},   {104, 104, 24, 24, 816, 6, 56},
    {120, 120, 18, 18, 1050, 6, 68}, {132, 132, 20, 20, 1304, 8, 62}, {144, 144, 22, 22, 1558, 10, 62},
};
static const struct pl_dm_size rectangles[] = {
    {8, 18, 6, 16, 5, 1, 7},     {8, 32, 6, 14, 10, 1, 11},   {12, 26, 10, 24, 16, 1, 14},
    {12, 36, 10, 16, 22, 1, 18}, {16, 36, 14, 16, 32, 1, 24}, {16, 48, 14, 22, 49, 1, 28},
};
// clang-format on

// Structured append and reader programming are the symbol's first codewords wherever their marks are.
struct message {
    uint16_t *chars;
    size_t count;
    uint8_t header[4];
    uint32_t header_length;
};

static enum pl_errc read_content(const struct pl_content *content, struct pl_arena *arena, struct message *m,
                                 struct pl_error *err)
{
    size_t length = pl_content_length(content);
    *m = (struct message){.chars = PL_ARENA_ARRAY(arena, uint16_t, length + 1)};
    if (m->chars == NULL)
        return pl_fail_memory(err);
    for (size_t i = 0; i < length; i++) {
        uint32_t code = pl_content_at(content, i), number = pl_mark_number(code);
        switch (pl_mark_kind(code)) {
        case 0:
            m->chars[m->count++] = (uint16_t)(code & 0xFF);
            break;
        case PL_MARK_FNC1:
            m->chars[m->count++] = PL_DM_FNC1;
            break;
        case PL_MARK_ECI:
            if (number > 999)
                return pl_fail(err, PL_E_INVALID, "a Data Matrix symbol has character sets up to 999 only");
            m->chars[m->count++] = (uint16_t)(PL_DM_ECI + number);
            break;
        case PL_MARK_APPEND:
            memcpy(m->header,
                   (uint8_t[]){STRUCTURED_APPEND, (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number}, 4);
            m->header_length = 4;
            break;
        case PL_MARK_READER:
            m->header[0] = READER_PROGRAMMING;
            m->header_length = 1;
            break;
        default:
            return pl_fail(err, PL_E_INVALID, "a Data Matrix symbol has no such mark");
        }
    }
    return PL_OK;
}

// The first size of the table that holds `need` codewords and has the rows and columns asked for (0: any).
static const struct pl_dm_size *find_size(const struct pl_dm_size *table, size_t count, uint32_t need, uint32_t rows,
                                          uint32_t columns)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].data >= need && (rows == 0 || table[i].rows == rows) &&
            (columns == 0 || table[i].columns == columns))
            return &table[i];
    return NULL;
}

bool pl_datamatrix_has_size(uint32_t rows, uint32_t columns)
{
    return find_size(squares, PL_COUNTOF(squares), 0, rows, columns) != NULL ||
           find_size(rectangles, PL_COUNTOF(rectangles), 0, rows, columns) != NULL;
}

static const struct pl_dm_size *choose_size(const struct pl_datamatrix_options *options, uint32_t need)
{
    uint32_t rows = options->rows, columns = options->columns;
    if (!pl_datamatrix_has_size(rows, columns)) // no such symbol: the size is free
        rows = columns = 0;
    const struct pl_dm_size *square = find_size(squares, PL_COUNTOF(squares), need, rows, columns);
    const struct pl_dm_size *rectangle = find_size(rectangles, PL_COUNTOF(rectangles), need, rows, columns);
    if (options->rectangular)
        return rectangle != NULL ? rectangle : square;
    // A size that only a rectangle has decides the shape.
    return square != NULL || (rows == 0 && columns == 0) ? square : rectangle;
}

static enum pl_errc add_checks(const struct pl_dm_size *size, uint8_t *words, struct pl_arena *arena,
                               struct pl_error *err)
{
    const struct pl_rs *rs = pl_rs_new(arena, FIELD_BITS, FIELD_POLYNOMIAL, 1, size->checks);
    if (rs == NULL)
        return pl_fail_memory(err);
    uint32_t blocks = size->blocks;
    for (uint32_t block = 0; block < blocks; block++) {
        // The turns of the blocks go on behind the data, which in 144 x 144 ends in the middle of a turn.
        uint32_t length = (size->data - block + blocks - 1) / blocks;
        pl_rs_encode_bytes(rs, words + block, blocks, length, words + block + length * blocks, blocks);
    }
    return PL_OK;
}

enum pl_errc pl_datamatrix_encode(struct pl_content content, const struct pl_datamatrix_options *options,
                                  struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err)
{
    struct message m;
    PL_TRY(read_content(&content, arena, &m, err));
    if (m.count == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a Data Matrix symbol");
    if (m.count > 2 * PL_DM_MAX_DATA) // two digits a codeword is the most; the look-ahead must not meet more
        return pl_fail(err, PL_E_INVALID, "the data is longer than the largest Data Matrix symbol holds");
    struct pl_dm_stream *stream = PL_ARENA_ARRAY(arena, struct pl_dm_stream, 1);
    if (stream == NULL)
        return pl_fail_memory(err);
    memcpy(stream->words, m.header, m.header_length);
    stream->length = m.header_length;
    PL_TRY(pl_dm_encode_chars(m.chars, m.count, stream, err));
    const struct pl_dm_size *size = choose_size(options, stream->length + pl_dm_tail_need(stream));
    if (size == NULL)
        return pl_fail(err, PL_E_INVALID, "the data does not fit into a Data Matrix symbol of the size asked for");
    pl_dm_finish(stream, size->data, options->tail_in_ascii);
    uint8_t words[PL_DM_MAX_DATA + 620];
    memcpy(words, stream->words, size->data);
    PL_TRY(add_checks(size, words, arena, err));
    PL_TRY(pl_bitmap_new(arena, size->columns, size->rows, modules, err));
    pl_dm_draw(size, words, modules);
    return PL_OK;
}
