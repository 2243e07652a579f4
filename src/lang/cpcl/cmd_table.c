// The command table: rows, and lookup by name.
#include "lang/cpcl/cmd_table.h"
#include "lang/cpcl/cpcl.h"

#include "lang/params.h"

#define BLOCK(id, name, also, handler, kind, flags, end, support, summary, note, ...)                                  \
    {{name, PL_LANG_##support, summary, note, PARAMS(__VA_ARGS__)}, also, cpcl_cmd_##handler, kind, flags, end},
#define ROW(id, name, also, handler, kind, flags, support, summary, note, ...)                                         \
    BLOCK(id, name, also, handler, kind, flags, NULL, support, summary, note, __VA_ARGS__)
#define IGNORE(id, name, also, summary, note, ...)                                                                     \
    ROW(id, name, also, ignore, 0, CPCL_UNIT, NO_EFFECT, summary, note, __VA_ARGS__)
#define HOST(id, name, also, summary, note, ...) ROW(id, name, also, host, 0, 0, NO_EFFECT, summary, note, __VA_ARGS__)
#define NOT_DRAWN(id, name, also, summary, note, ...)                                                                  \
    ROW(id, name, also, unsupported, 0, 0, PARTIAL, summary, note, __VA_ARGS__)

static const struct cpcl_row ROWS[] = {
#include "lang/cpcl/cmd_rows.h"
};

static const struct cpcl_row CODES[] = {
#include "lang/cpcl/code_rows.h"
};

const struct cpcl_row *cpcl_row_lookup(struct pl_slice word)
{
    for (size_t i = 0; i < PL_COUNTOF(ROWS) && word.len > 0; i++)
        if (pl_slice_eq_cstr(word, ROWS[i].info.title) || pl_slice_is_one_of(word, ROWS[i].also))
            return &ROWS[i];
    return NULL;
}

const struct cpcl_row *cpcl_code_lookup(struct pl_slice type)
{
    for (size_t i = 0; i < PL_COUNTOF(CODES) && type.len > 0; i++)
        if (pl_slice_is_one_of(type, CODES[i].also))
            return &CODES[i];
    return NULL;
}

const struct pl_lang_command *pl_cpcl_command_at(uint32_t index)
{
    return index < PL_COUNTOF(ROWS) ? &ROWS[index].info : NULL;
}
