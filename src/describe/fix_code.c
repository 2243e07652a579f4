// Fixes look into label code and change it: its commands and their parameters, and the element that a finding is about.
#include "describe/fix_work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

size_t pl_fix_look(struct pl_slice code, size_t from, size_t to, const char *text)
{
    const size_t length = strlen(text);
    to = PL_MIN(to, code.len);
    while (from < to && to - from >= length) {
        const uint8_t *at = memchr(code.ptr + from, text[0], to - from - length + 1);
        if (!at)
            break;
        from = (size_t)(at - code.ptr);
        if (pl_upper(at[1]) == (uint8_t)text[1] && pl_slice_eq_nocase(pl_slice_make(at, length), pl_slice_cstr(text)))
            return from;
        from++;
    }
    return SIZE_MAX;
}

size_t pl_fix_look_back(struct pl_slice code, size_t from, size_t to, const char *text)
{
    size_t last = SIZE_MAX;
    for (size_t at = pl_fix_look(code, from, to, text); at != SIZE_MAX; at = pl_fix_look(code, at + 1, to, text))
        last = at;
    return last;
}

size_t pl_fix_trim_end(struct pl_slice code, size_t from, size_t to)
{
    while (to > from && memchr(" \r\n\t", code.ptr[to - 1], 4))
        to--;
    return to;
}

bool pl_fix_title(const struct pl_fix_work *w, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(w->out->title, sizeof w->out->title, fmt, args);
    va_end(args);
    return true;
}

bool pl_fix_edit(const struct pl_fix_work *w, size_t offset, size_t length, const char *text)
{
    if (w->out->count == PL_FIX_EDITS || strlen(text) >= PL_FIX_TEXT || offset + length > w->code.len)
        return false;
    struct pl_edit *e = &w->out->edits[w->out->count++];
    e->offset = (uint32_t)offset;
    e->length = (uint32_t)length;
    memcpy(e->text, text, strlen(text) + 1);
    return true;
}

bool pl_fix_is_apart(const struct pl_fix_work *w, size_t offset)
{
    return offset >= w->code.len || memchr("^~\x1e\x10 \r\n\t", w->code.ptr[offset], 8);
}

bool pl_fix_write_parameter(const struct pl_fix_work *w, size_t from, size_t to, size_t name_length, uint32_t index,
                            const char *value)
{
    struct pl_slice code = w->code;
    size_t at = from + name_length, end;
    to = pl_fix_trim_end(code, from, PL_MIN(to, code.len));
    if (index == 0 || at > to || from < w->settings.prefixes_since)
        return false;
    // ^A030,40 leaves its orientation out, without a comma: its parameters are not at their places.
    if (pl_upper(code.ptr[from + 1]) == 'A' && at < to && pl_is_digit(code.ptr[at]))
        return false;
    for (uint32_t i = 1;; i++) {
        for (end = at; end < to && code.ptr[end] != w->settings.prefixes[2];)
            end++;
        if (i == index)
            return pl_fix_edit(w, at, end - at, value);
        if (end == to) { // parameters before it are missing, too
            char text[PL_FIX_TEXT] = "";
            size_t commas = index - i;
            if (commas + strlen(value) >= sizeof text)
                return false;
            memset(text, w->settings.prefixes[2], commas);
            memcpy(text + commas, value, strlen(value) + 1);
            return pl_fix_edit(w, to, 0, text);
        }
        at = end + 1;
    }
}

int64_t pl_fix_element(const struct pl_fix_work *w, struct platen_element *out)
{
    const struct platen_page *page = w->page;
    if (!page)
        return -1;
    if (w->d->element >= 0)
        return platen_page_element_at(page, (uint32_t)w->d->element, out) ? w->d->element : -1;
    for (uint32_t i = 0; platen_page_element_at(page, i, out); i++) {
        if (out->offset <= w->d->offset && pl_fix_end(w->d) <= (size_t)out->offset + out->length)
            return i;
    }
    return -1;
}

size_t pl_fix_command(const struct pl_fix_work *w, struct platen_element *e)
{
    // A field without ^FS goes on in the next one: the last command counts.
    return pl_fix_element(w, e) < 0 ? SIZE_MAX
                                    : pl_fix_look_back(w->code, e->offset, (size_t)e->offset + e->length, e->command);
}

size_t pl_fix_command_end(struct pl_slice code, size_t from)
{
    for (size_t at = from + 1; at < code.len; at++) {
        if (memchr("^~\x1e\x10", code.ptr[at], 4)) // RS and DLE are prefixes, too
            return at;
    }
    return code.len;
}

// The number of the parameter of a command whose name has this word; 0: it has none.
static uint32_t parameter_named(const char *command, const char *word)
{
    struct platen_command row;
    struct platen_command_parameter parameter;
    for (uint32_t i = 0; platen_command_at(PLATEN_LANGUAGE_ZPL, i, &row); i++) {
        if (strcmp(row.name, command) != 0)
            continue;
        for (uint32_t p = 0; platen_command_parameter_at(PLATEN_LANGUAGE_ZPL, i, p, &parameter); p++) {
            if (strstr(parameter.name, word))
                return p + 1;
        }
    }
    return 0;
}

bool pl_fix_write_named(const struct pl_fix_work *w, size_t at, const char *command, const char *word,
                        const char *value)
{
    return pl_fix_write_parameter(w, at, pl_fix_command_end(w->code, at), strlen(command),
                                  parameter_named(command, word), value);
}
