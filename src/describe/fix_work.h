// What fixes share: the finding at hand, its place in label code, and changes of it.
#ifndef PL_DESCRIBE_FIX_WORK_H
#define PL_DESCRIBE_FIX_WORK_H

#include "describe/fixes.h"
#include "lang/lang.h"
#include "render/render.h"

#define PL_FIX_LOOK_MOST 65536u // further back and ahead nothing is looked for: each finding looks

struct pl_fix_work {
    struct pl_slice code;
    struct pl_lang_settings settings; // of the code's end
    const struct platen_document *document;
    const struct platen_page *page;
    const struct platen_diagnostic *d;
    struct pl_fix *out;
};

// False: the finding has no such fix.
typedef bool pl_fix_function(const struct pl_fix_work *w);

// ---- fix_code.c

static inline size_t pl_fix_end(const struct platen_diagnostic *d)
{
    return (size_t)d->offset + d->length;
}
// Where `text` is first, or last, between two places of the code; SIZE_MAX: nowhere.
size_t pl_fix_look(struct pl_slice code, size_t from, size_t to, const char *text);
size_t pl_fix_look_back(struct pl_slice code, size_t from, size_t to, const char *text);
// The end of the text between two places without what is blank before it.
size_t pl_fix_trim_end(struct pl_slice code, size_t from, size_t to);
// Can a command be put here? What is behind it must not become one of its parameters.
bool pl_fix_is_apart(const struct pl_fix_work *w, size_t offset);
// The number of the element that the finding is about; -1: there is none.
int64_t pl_fix_element(const struct pl_fix_work *w, struct platen_element *out);
// Where the element's own command is, which `out` gets; SIZE_MAX: its code is elsewhere, as with stored formats.
size_t pl_fix_command(const struct pl_fix_work *w, struct platen_element *out);
size_t pl_fix_command_end(struct pl_slice code, size_t from);
// These are true, or say that the fix cannot be had.
bool pl_fix_title(const struct pl_fix_work *w, const char *fmt, ...) PL_PRINTF(2, 3);
bool pl_fix_edit(const struct pl_fix_work *w, size_t offset, size_t length, const char *text);
// Writes parameter `index` (from 1) of the command of `name_length` bytes that is at these places.
bool pl_fix_write_parameter(const struct pl_fix_work *w, size_t from, size_t to, size_t name_length, uint32_t index,
                            const char *value);
// Writes the parameter whose name has this word into the command that is at this place.
bool pl_fix_write_named(const struct pl_fix_work *w, size_t at, const char *command, const char *word,
                        const char *value);

// ---- fix_drawn.c

pl_fix_function pl_fix_move_inside, pl_fix_widen_modules, pl_fix_raise_bars;

#endif
