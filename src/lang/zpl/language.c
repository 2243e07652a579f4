// The row of ZPL II in the table of languages.
#include "lang/zpl/zpl.h"

#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/zpl/cmd_words.h"
#include "lang/zpl/memory.h"

// The length of a line that only EPL2 has, though it begins as ZPL does; 0: it is another one.
static size_t epl_line(struct pl_slice rest)
{
    static const char *const LINES[] = {"^@", "^ee", "^default"};
    for (size_t i = 0; i < PL_COUNTOF(LINES); i++) {
        size_t length = strlen(LINES[i]);
        bool ends = rest.len == length || (rest.len > length && (rest.ptr[length] == '\r' || rest.ptr[length] == '\n'));
        if (ends && memcmp(rest.ptr, LINES[i], length) == 0)
            return length;
    }
    return 0;
}

// The length of what says nothing about ZPL: blanks and control characters, lines of EPL2, ~! and a letter of TSPL.
static size_t other_code(struct pl_slice rest)
{
    enum { IMMEDIATE = 3 };
    size_t skipped = pl_lang_skip(rest, 0);
    if (skipped > 0 || rest.ptr[0] <= ' ')
        return PL_MAX(skipped, (size_t)1);
    return rest.len >= IMMEDIATE && memcmp(rest.ptr, "~!", 2) == 0 ? IMMEDIATE : epl_line(rest);
}

// The byte '^' or '~' in front, or a format's start among the first bytes (text before it is ignored).
static enum pl_lang_confidence detect(struct pl_slice input)
{
    size_t at = pl_utf8_mark(input), most = PL_MIN(input.len, PL_LANG_LOOK);
    for (size_t skip = 1; at < most && skip > 0; at += skip)
        skip = other_code(pl_slice_sub(input, at, most - at));
    if (at < most && (input.ptr[at] == '^' || input.ptr[at] == '~'))
        return PL_LANG_CERTAIN;
    for (; at + 2 < most; at++)
        if (input.ptr[at] == '^' && (input.ptr[at + 1] | 0x20) == 'x' && (input.ptr[at + 2] | 0x20) == 'a')
            return PL_LANG_LIKELY;
    return PL_LANG_NONE;
}

const struct pl_lang pl_lang_zpl = {
    .name = "zpl",
    .title = "ZPL II",
    .detect = detect,
    .interpret = pl_zpl_interpret,
    .outline = pl_zpl_outline,
    .before_params = "",
    .between_params = ",",
    .memory = {.write_settings = pl_zpl_write_settings,
               .write_saved = pl_zpl_write_saved,
               .write_object = pl_zpl_write_object,
               .settings = pl_zpl_settings,
               .answers = pl_zpl_answers},
    .commands = {.at = pl_zpl_command_at, .about_param = pl_zpl_param_words, .about_value = pl_zpl_value_words},
    .size_commands = "^PW and ^LL",
    .length_command = "^LL",
    .brackets_are_known = true,
    .label_begins = "^XA",
    .label_ends = "^XZ",
    .label_content = "a field that prints",
};
