// The command table: rows, and lookup by the longest name.
#include "lang/epl/cmd_table.h"

#include <stddef.h>

#include "base/ckd.h"
#include "lang/epl/epl.h"
#include "lang/epl/state.h"
#include "lang/params.h"

#define KIND(id, name, handler, kind, lexing, before, support, summary, note, ...)                                     \
    {{name, PL_LANG_##support, summary, note, PARAMS(__VA_ARGS__)}, EPL_LEX_##lexing, before, epl_cmd_##handler, kind},
#define ROW(id, name, handler, ...) KIND(id, name, handler, 0, __VA_ARGS__)
#define IGNORE(id, name, summary, note, ...) ROW(id, name, ignore, ITEMS, 0, NO_EFFECT, summary, note, __VA_ARGS__)
#define HOST(id, name, summary, note, ...) ROW(id, name, host, ITEMS, 0, NO_EFFECT, summary, note, __VA_ARGS__)

static const struct epl_row ROWS[] = {
#include "lang/epl/cmd_rows.h"
};

const struct epl_row *epl_row_lookup(struct pl_slice line)
{
    const struct epl_row *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++) {
        const char *name = ROWS[i].info.title;
        if (line.len == 0 || (uint8_t)name[0] != line.ptr[0])
            continue;
        size_t length = strlen(name);
        if (length > longest && length <= line.len && memcmp(line.ptr, name, length) == 0) {
            best = &ROWS[i];
            longest = length;
        }
    }
    // A letter more belongs to a name that is not known, but where a parameter is a letter or text.
    uint8_t next = best && line.len > longest ? line.ptr[longest] : 0;
    bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (best && letter) {
        const struct pl_lang_param *first = &best->info.params[0];
        bool choice = first->name && first->type == PL_LANG_CHOICE && strchr(first->values, next);
        bool text = first->name && first->type == PL_LANG_TEXT;
        if (!choice && !text)
            return NULL;
    }
    return best;
}

// Codes whose numbers without a letter are parameters of their own.
static const struct epl_row CODES[] = {
    ROW(PDF417, "b", matrix, 2D, 0, FULL, "PDF417", "", D("x", -32768, 65535, ""), D("y", -32768, 65535, ""),
        T("type", ""), D("width", 0, 65535, ""), D("height", 0, 65535, ""), T("options", ""), P("data"))
        ROW(MAXICODE, "b", matrix, 2D, 0, FULL, "MaxiCode", "", D("x", -32768, 65535, ""), D("y", -32768, 65535, ""),
            T("type", ""), N("symbol", 1, 8, "1"), N("of symbols", 1, 8, "1"), T("options", ""), P("data"))};

const struct epl_row *epl_code_lookup(const struct epl_row *row, struct pl_slice type)
{
    bool is_code = row->lex == EPL_LEX_2D && type.len == 1;
    return is_code && type.ptr[0] == 'P' ? &CODES[0] : is_code && type.ptr[0] == 'M' ? &CODES[1] : row;
}

const struct pl_lang_command *pl_epl_command_at(uint32_t index)
{
    return index < PL_COUNTOF(ROWS) ? &ROWS[index].info : NULL;
}
