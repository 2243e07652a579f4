// CODABLOCK A: rows of Code 39 with a row indicator at both ends and two check characters for the whole block.
#include "bar/encode/codablock_parts.h"

#include <string.h>

#include "base/ckd.h"

enum {
    MIN_COLUMNS = 2,
    MAX_ROWS = 22,
    CHECKS = 2,
    SPACE = 38,
    START_STOP = 43,
    MAX_CHARS = PL_CODABLOCK_MAX_COLUMNS * MAX_ROWS
};

// Values 0 to 42; the last is the start and stop character.
static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%*";

const uint16_t pl_code39_elements[44] = {0x034, 0x121, 0x061, 0x160, 0x031, 0x130, 0x070, 0x025, 0x124, 0x064, 0x109,
                                         0x049, 0x148, 0x019, 0x118, 0x058, 0x00D, 0x10C, 0x04C, 0x01C, 0x103, 0x043,
                                         0x142, 0x013, 0x112, 0x052, 0x007, 0x106, 0x046, 0x016, 0x181, 0x0C1, 0x1C0,
                                         0x091, 0x190, 0x0D0, 0x085, 0x184, 0x0C4, 0x0A8, 0x0A2, 0x08A, 0x02A, 0x094};

static bool read_values(struct pl_slice data, uint8_t *out)
{
    for (size_t i = 0; i < data.len; i++) {
        const char *at = data.ptr[i] != '\0' && data.ptr[i] != '*' ? strchr(alphabet, data.ptr[i]) : NULL;
        if (at == NULL)
            return false;
        out[i] = (uint8_t)(at - alphabet);
    }
    return true;
}

// Values of the check characters. The sums wrap at 16 bits (measured on a printer).
static void find_checks(const uint8_t *values, uint32_t count, uint8_t checks[CHECKS])
{
    uint16_t first = 0, second = 0;
    for (uint32_t i = 0; i < count; i++) {
        first = (uint16_t)(first + (i + 1) * values[i]);
        second = (uint16_t)(second + i * values[i]);
    }
    checks[0] = (uint8_t)(first % 43);
    checks[1] = (uint8_t)(second % 43);
}

bool pl_codablock_a_text(struct pl_slice data, size_t length, uint8_t *out)
{
    uint8_t values[MAX_CHARS], checks[CHECKS];
    if (length > MAX_CHARS || length < data.len + CHECKS || !read_values(data, values))
        return false;
    memset(values + data.len, SPACE, length - data.len);
    find_checks(values, (uint32_t)length - CHECKS, checks);
    memcpy(values + length - CHECKS, checks, CHECKS);
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)alphabet[values[i]];
    return true;
}

static uint8_t *put_char(uint8_t *at, uint32_t value, bool last)
{
    for (int i = 8; i >= 0; i--)
        *at++ = pl_code39_elements[value] >> i & 1 ? 2 : 1;
    if (!last)
        *at++ = 1; // the gap between characters
    return at;
}

struct grid {
    uint32_t rows, columns;
};

static bool choose_grid(uint32_t length, const struct pl_codablock_options *options, struct grid *grid)
{
    uint32_t rows = options->rows, columns = options->columns, checks = options->checks ? CHECKS : 0;
    if (columns == 0)
        columns = (length + (rows > 1 ? checks : 0) + PL_MAX(rows, 1u) - 1) / PL_MAX(rows, 1u);
    columns = PL_MIN(PL_MAX(columns, (uint32_t)MIN_COLUMNS), (uint32_t)PL_CODABLOCK_MAX_COLUMNS);
    if (rows == 0)
        rows = length <= columns ? 1 : (length + checks + columns - 1) / columns;
    *grid = (struct grid){rows, columns};
    return rows <= MAX_ROWS && rows * columns >= length + (rows > 1 ? checks : 0);
}

static enum pl_errc codablock_a(struct pl_slice data, const struct pl_codablock_options *options,
                                struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err)
{
    uint8_t values[MAX_CHARS];
    struct grid grid;
    if (data.len > MAX_CHARS || !choose_grid((uint32_t)data.len, options, &grid))
        return pl_fail(err, PL_E_INVALID, "the data does not fit into the rows and columns asked for");
    if (!read_values(data, values))
        return pl_fail(err, PL_E_INVALID, "CODABLOCK A holds digits, capital letters and - . $ / + %% and space only");
    uint32_t length = (uint32_t)data.len;
    if (grid.rows == 1) {
        grid.columns = length;
    } else {
        uint32_t checks = options->checks ? CHECKS : 0, end = grid.rows * grid.columns - checks;
        while (length < end)
            values[length++] = SPACE;
        if (checks)
            find_checks(values, end, values + end);
    }
    // A single row has the indicator L before the data and none behind it.
    uint32_t chars = grid.columns + (grid.rows == 1 ? 3 : 4), count = 10 * chars - 1;
    uint8_t *widths = PL_ARENA_ARRAY(arena, uint8_t, (size_t)grid.rows * count);
    if (widths == NULL)
        return pl_fail_memory(err);
    *out = (struct pl_codablock){.rows = grid.rows,
                                 .elements = count,
                                 .start_elements = 10,
                                 .stop_elements = 10,
                                 .ratio = true,
                                 .widths = widths};
    for (uint32_t row = 0; row < grid.rows; row++) {
        uint32_t indicator = row == 0 ? 20 + grid.rows : row - 1;
        widths = put_char(widths, START_STOP, false);
        widths = put_char(widths, indicator, false);
        for (uint32_t i = 0; i < grid.columns; i++)
            widths = put_char(widths, values[row * grid.columns + i], false);
        if (grid.rows > 1)
            widths = put_char(widths, indicator, false);
        widths = put_char(widths, START_STOP, true);
    }
    return PL_OK;
}

enum pl_errc pl_codablock_encode(struct pl_content content, const struct pl_codablock_options *options,
                                 struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err)
{
    if (pl_content_length(&content) == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a CODABLOCK symbol");
    if (options->variant != 'A')
        return pl_codablock_f(&content, options, arena, out, err);
    if (content.codes)
        return pl_fail(err, PL_E_INVALID, "CODABLOCK A has no function characters");
    return codablock_a(content.bytes, options, arena, out, err);
}
