// The command table: rows, lookup by name, and the nearest name to a mistyped one.
#include "lang/zpl/cmd_table.h"

#include <stddef.h>

#include "base/ckd.h"
#include "lang/params.h"
#include "lang/zpl/printer.h"
#include "lang/zpl/zpl.h"

#define ORI C("orientation", "NRIB", "^FW")
#define BARH D("height", 1, 32000, "^BY height")
#define TEXT C("text", "YN", "Y")
#define TEXTN C("text", "YN", "N")
#define ABOVE C("text above", "YN", "N")
#define AZTEC_PARAMS                                                                                                   \
    ORI, N("magnification", 1, 100, "by density"), C("extended channel", "YN", "N"),                                   \
        N("error control or size", 0, 300, "0"), C("reader set-up", "YN", "N"), N("symbols", 1, 26, "1"),              \
        T("message id", "")

// A row's place in the index: two prefixes times 37 x 37 characters.
#define CHAR_INDEX(c) ((c) >= '@' ? (c) - '@' + 10 : (c) - '0')
#define KEY(prefix, a, b) (((prefix) == '~') * 37 * 37 + CHAR_INDEX(a) * 37 + CHAR_INDEX(b))

// ^A's second character is the font, not a part of the name.
#define TITLE(prefix, a, b)                                                                                            \
    {                                                                                                                  \
        prefix, a, (a) == 'A' && (b) == '0' ? '\0' : (b), '\0'                                                         \
    }
#define ANY false
#define FIELD true

enum row_id {
#define ROW(id, ...) ROW_##id,
#define KIND ROW
#define IGNORE ROW
#define HOST ROW
#include "lang/zpl/cmd_rows.h"
    ROW_COUNT
};

static const struct zpl_row ROWS[ROW_COUNT] = {
#define KIND(id, prefix, a, b, handler, kind, lexing, where, support, summary, note, ...)                              \
    [ROW_##id] = {{TITLE(prefix, a, b), PL_LANG_##support, summary, note, PARAMS(__VA_ARGS__)},                        \
                  ZPL_LEX_##lexing,                                                                                    \
                  where,                                                                                               \
                  zpl_cmd_##handler,                                                                                   \
                  kind},
#define ROW(id, prefix, a, b, handler, ...) KIND(id, prefix, a, b, handler, 0, __VA_ARGS__)
#define IGNORE(id, prefix, a, b, ...) ROW(id, prefix, a, b, ignore, ARGS, ANY, NO_EFFECT, __VA_ARGS__)
#define HOST(id, prefix, a, b, ...) ROW(id, prefix, a, b, host, ARGS, ANY, NO_EFFECT, __VA_ARGS__)
#include "lang/zpl/cmd_rows.h"
};

static const uint16_t INDEX[2 * 37 * 37] = {
#define ROW(id, prefix, a, b, ...) [KEY(prefix, a, b)] = ROW_##id + 1,
#define KIND ROW
#define IGNORE ROW
#define HOST ROW
#include "lang/zpl/cmd_rows.h"
};

static int char_index(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= '@' && c <= 'Z' ? c - '@' + 10 : -1;
}

const struct zpl_row *zpl_row_lookup(char prefix, uint8_t first, uint8_t second)
{
    int a = char_index(first), b = char_index(second);
    if (a < 0 || b < 0)
        return NULL;
    uint16_t at = INDEX[(prefix == '~') * 37 * 37 + a * 37 + b];
    return at ? &ROWS[at - 1] : NULL;
}

bool zpl_row_suggest(char prefix, uint8_t first, uint8_t second, char out[5])
{
    // The same letters under the other prefix, swapped letters, then one letter that looks alike.
    static const char ALIKE[][2] = {{'0', 'O'}, {'O', '0'}, {'1', 'I'}, {'I', '1'}, {'5', 'S'},
                                    {'S', '5'}, {'8', 'B'}, {'B', '8'}, {'2', 'Z'}, {'Z', '2'}};
    uint8_t a = first, b = second;
    char p = prefix;
    const struct zpl_row *row = zpl_row_lookup(p = prefix == '^' ? '~' : '^', a, b);
    if (!row)
        row = zpl_row_lookup(p = prefix, a = second, b = first);
    for (size_t i = 0; !row && i < PL_COUNTOF(ALIKE); i++) {
        if ((uint8_t)ALIKE[i][0] == second)
            row = zpl_row_lookup(p = prefix, a = first, b = (uint8_t)ALIKE[i][1]);
        if (!row && (uint8_t)ALIKE[i][0] == first)
            row = zpl_row_lookup(p = prefix, a = (uint8_t)ALIKE[i][1], b = second);
    }
    if (!row)
        return false;
    out[0] = p;
    out[1] = (char)a;
    out[2] = (char)b;
    out[3] = '\0';
    return true;
}

const struct pl_lang_command *pl_zpl_command_at(uint32_t index)
{
    return index < ROW_COUNT ? &ROWS[index].info : NULL;
}
