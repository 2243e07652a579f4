// The table of fixes: for each kind of finding what is changed in the label code.
#include "describe/fixes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/err.h"
#include "base/fmt.h"
#include "describe/fix_barcode.h"
#include "lang/lang.h"
#include "render/render.h"

struct work {
    struct pl_slice code;
    struct pl_lang_settings settings; // of the code's end
    const struct platen_document *document;
    const struct platen_page *page;
    const struct platen_diagnostic *d;
    struct pl_fix *out;
};

// Findings of longer code are described without a fix; and so far is looked for one, since each finding looks.
#define DESCRIBED_MAX 262144u
#define LOOK_MOST 65536u

typedef bool fix_fn(const struct work *w);

static const char PREFIXES[] = "^~,"; // in the order of pl_lang_settings

// ---- looking into the code

// Where `text` is between two places of the code; SIZE_MAX: nowhere.
static size_t find(struct pl_slice code, size_t from, size_t to, const char *text)
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

static size_t find_last(struct pl_slice code, size_t from, size_t to, const char *text)
{
    size_t last = SIZE_MAX;
    for (size_t at = find(code, from, to, text); at != SIZE_MAX; at = find(code, at + 1, to, text))
        last = at;
    return last;
}

static size_t end_of(const struct platen_diagnostic *d)
{
    return (size_t)d->offset + d->length;
}

// The end of the text between two places without what is blank before it.
static size_t trim_end(struct pl_slice code, size_t from, size_t to)
{
    while (to > from && memchr(" \r\n\t", code.ptr[to - 1], 4))
        to--;
    return to;
}

// ---- making edits

static bool title(const struct work *w, const char *fmt, ...) PL_PRINTF(2, 3);
static bool title(const struct work *w, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(w->out->title, sizeof w->out->title, fmt, args);
    va_end(args);
    return true;
}

static bool edit(const struct work *w, size_t offset, size_t length, const char *text)
{
    if (w->out->count == PL_FIX_EDITS || strlen(text) >= PL_FIX_TEXT || offset + length > w->code.len)
        return false;
    struct pl_edit *e = &w->out->edits[w->out->count++];
    e->offset = (uint32_t)offset;
    e->length = (uint32_t)length;
    memcpy(e->text, text, strlen(text) + 1);
    return true;
}

// The same with `text` in the prefixes that the code has at this place. False: they are not known.
static bool edit_code(const struct work *w, size_t offset, size_t length, const char *text)
{
    char own[PL_FIX_TEXT];
    size_t n = strlen(text);
    if (offset < w->settings.prefixes_since || n >= sizeof own)
        return false;
    for (size_t i = 0; i <= n; i++) {
        const char *role = text[i] ? strchr(PREFIXES, text[i]) : NULL;
        own[i] = role ? (char)w->settings.prefixes[role - PREFIXES] : text[i];
    }
    return edit(w, offset, length, own);
}

// Can a command be put here? What is behind it must not become one of its parameters.
static bool is_apart(const struct work *w, size_t offset)
{
    return offset >= w->code.len || memchr("^~\x1e\x10 \r\n\t", w->code.ptr[offset], 8);
}

// The text behind `before` in the finding's message, up to a character of `until`. False: it is not there.
static bool from_message(const struct platen_diagnostic *d, const char *before, const char *until, char *out,
                         size_t room)
{
    const char *at = strstr(d->message, before);
    if (!at)
        return false;
    at += strlen(before);
    size_t n = strcspn(at, until);
    if (n == 0 || n >= room)
        return false;
    memcpy(out, at, n);
    out[n] = '\0';
    return true;
}

static bool is_number(const char *text)
{
    text += *text == '-';
    return *text && text[strspn(text, "0123456789")] == '\0';
}

// Writes parameter `index` (from 1) of the command of `name_length` bytes that is at these places.
static bool write_parameter(const struct work *w, size_t from, size_t to, size_t name_length, uint32_t index,
                            const char *value)
{
    struct pl_slice code = w->code;
    size_t at = from + name_length, end;
    to = trim_end(code, from, PL_MIN(to, code.len));
    if (index == 0 || at > to || from < w->settings.prefixes_since)
        return false;
    // ^A030,40 leaves its orientation out, without a comma: its parameters are not at their places.
    if (pl_upper(code.ptr[from + 1]) == 'A' && at < to && pl_is_digit(code.ptr[at]))
        return false;
    for (uint32_t i = 1;; i++) {
        for (end = at; end < to && code.ptr[end] != w->settings.prefixes[2];)
            end++;
        if (i == index)
            return edit(w, at, end - at, value);
        if (end == to) { // parameters before it are missing, too
            char text[PL_FIX_TEXT] = "";
            size_t commas = index - i;
            if (commas + strlen(value) >= sizeof text)
                return false;
            memset(text, w->settings.prefixes[2], commas);
            memcpy(text + commas, value, strlen(value) + 1);
            return edit(w, to, 0, text);
        }
        at = end + 1;
    }
}

static bool write_own_parameter(const struct work *w, const char *value)
{
    return write_parameter(w, w->d->offset, end_of(w->d), strlen(w->d->command), w->d->parameter, value);
}

// ---- what parsing finds

static bool has_own_prefixes(const struct work *w)
{
    return w->settings.prefixes_since > 0 || memcmp(w->settings.prefixes, PREFIXES, 3) != 0;
}

static bool fix_command(const struct work *w)
{
    char meant[8];
    size_t old = strlen(w->d->command);
    if (from_message(w->d, "Was ", " ", meant, sizeof meant))
        return title(w, "Change %s to %s", w->d->command, meant) && edit_code(w, w->d->offset, old, meant);
    return title(w, "Remove %s: it does nothing", w->d->command) && edit(w, w->d->offset, w->d->length, "");
}

static bool add_format_end(const struct work *w)
{
    const size_t end = w->code.len;
    const bool on_new_line = end == 0 || w->code.ptr[end - 1] == '\n';
    return title(w, "Add ^XZ at the end") && edit_code(w, end, 0, on_new_line ? "^XZ\n" : "\n^XZ\n");
}

static bool end_format_before(const struct work *w)
{
    return title(w, "Add ^XZ before it") && edit_code(w, w->d->offset, 0, "^XZ\n");
}

static bool add_field_end(const struct work *w)
{
    struct pl_slice code = w->code;
    if (strncmp(w->d->message, "The field has no ^FS", 20) == 0)
        return title(w, "Add ^FS") && edit_code(w, trim_end(code, w->d->offset, end_of(w->d)), 0, "^FS");
    if (has_own_prefixes(w))
        return false;
    // A field was moved. If its data came before, another one begins here; else which place was meant is not known.
    const size_t from = w->d->offset > LOOK_MOST ? w->d->offset - LOOK_MOST : 0;
    size_t data = find_last(code, from, w->d->offset, "^FD");
    if (data == SIZE_MAX || find(code, data, w->d->offset, "^FS") != SIZE_MAX ||
        find(code, data, w->d->offset, "^X") != SIZE_MAX)
        return false;
    return title(w, "Add ^FS before it") && edit(w, trim_end(code, data, w->d->offset), 0, "^FS");
}

static bool write_used_value(const struct work *w)
{
    char used[24];
    if (w->settings.has_units)
        return false; // the number that was used is in dots
    if ((from_message(w->d, "; it was read as ", ".", used, sizeof used) ||
         from_message(w->d, "; used ", "", used, sizeof used)) &&
        is_number(used))
        return title(w, "Write %s", used) && write_own_parameter(w, used);
    const char *last = strrchr(w->d->message, ';');
    if (last && sscanf(last, "; %20[-0-9] was use", used) == 1 && is_number(used))
        return title(w, "Write %s", used) && write_own_parameter(w, used);
    if (last && (strstr(last, "; it was ignored.") || strstr(last, "; the default was used.")))
        return w->d->parameter > 0 && title(w, "Remove the value: the default is used") && write_own_parameter(w, "");
    return false;
}

static bool remove_text(const struct work *w)
{
    if (strncmp(w->d->message, "Text outside", 12) != 0)
        return false;
    return title(w, "Remove the text") && edit(w, w->d->offset, w->d->length, "");
}

static bool remove_command(const struct work *w)
{
    return title(w, "Remove %s", w->d->command) && edit(w, w->d->offset, w->d->length, "");
}

static bool choose_utf8(const struct work *w)
{
    struct platen_label label;
    if (w->d->label < 0 || !platen_label_at(w->document, (uint32_t)w->d->label, &label) || label.length > LOOK_MOST ||
        !is_apart(w, (size_t)label.offset + 3) ||
        find(w->code, label.offset, (size_t)label.offset + 3, "^XA") == SIZE_MAX ||
        find(w->code, label.offset, (size_t)label.offset + label.length, "^CI") != SIZE_MAX ||
        find(w->code, label.offset, (size_t)label.offset + label.length, "^XF") != SIZE_MAX)
        return false; // another one is chosen, here or maybe in the stored format
    return title(w, "Add ^CI28 behind ^XA") && edit(w, (size_t)label.offset + 3, 0, "^CI28");
}

// ---- what drawing finds

// The number of the element that the finding is about; -1: there is none.
static int64_t element_of(const struct work *w, struct platen_element *out)
{
    const struct platen_page *page = w->page;
    if (!page)
        return -1;
    if (w->d->element >= 0)
        return platen_page_element_at(page, (uint32_t)w->d->element, out) ? w->d->element : -1;
    for (uint32_t i = 0; platen_page_element_at(page, i, out); i++) {
        if (out->offset <= w->d->offset && end_of(w->d) <= (size_t)out->offset + out->length)
            return i;
    }
    return -1;
}

// Where the element's own command is, which `out` gets; SIZE_MAX: its code is elsewhere, as with stored formats.
static size_t command_of(const struct work *w, struct platen_element *e)
{
    // A field without ^FS goes on in the next one: the last command counts.
    return element_of(w, e) < 0 ? SIZE_MAX : find_last(w->code, e->offset, (size_t)e->offset + e->length, e->command);
}

static size_t command_end(struct pl_slice code, size_t from)
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

// Writes the parameter whose name has this word into the command that is at this place.
static bool write_named_parameter(const struct work *w, size_t at, const char *command, const char *word,
                                  const char *value)
{
    return write_parameter(w, at, command_end(w->code, at), strlen(command), parameter_named(command, word), value);
}

// Changes a coordinate so that the ink moves by `way` dots at least. `moved`: dots by which a printer has moved it
// already.
static bool move_by(const struct work *w, uint32_t offset, uint32_t length, int32_t old, double step, int32_t moved,
                    int64_t way)
{
    char text[24];
    if (way == 0)
        return true;
    if (length == 0 || step == 0)
        return false;
    double units = (double)way / step;
    units = units > 0 ? ceil(units) + moved : floor(units);
    if (old + units < 0 || old + units > 32000)
        return false;
    snprintf(text, sizeof text, "%d", (int)(old + units));
    return edit(w, offset, length, text);
}

static bool move_both(const struct work *w, const struct platen_place_source *p, int64_t dx, int64_t dy)
{
    return move_by(w, p->x_offset, p->x_length, p->x, p->step_x, p->moved_x, dx) &&
           move_by(w, p->y_offset, p->y_length, p->y, p->step_y, p->moved_y, dy);
}

// Moves what an element takes: would that be into the quiet zone of a barcode or, of a barcode with its own, over
// other ink?
static bool may_move(const struct work *w, int64_t index, struct pl_box now, int64_t dx, int64_t dy, bool quiet)
{
    struct platen_element e;
    const struct pl_box then = {(int32_t)(now.x0 + dx), (int32_t)(now.y0 + dy), (int32_t)(now.x1 + dx),
                                (int32_t)(now.y1 + dy)};
    if (quiet)
        return pl_fix_is_free(w->page, now, then);
    for (uint32_t i = 0; platen_page_element_at(w->page, i, &e); i++) {
        const struct pl_box zone = {e.quiet_x, e.quiet_y, e.quiet_x + (int32_t)e.quiet_width,
                                    e.quiet_y + (int32_t)e.quiet_height};
        if (i != index && e.type == PLATEN_BARCODE && !pl_box_is_empty(pl_box_intersect(then, zone)))
            return false;
    }
    return true;
}

static bool move_inside(const struct work *w)
{
    struct platen_element e;
    struct platen_place_source place;
    int64_t index = element_of(w, &e);
    if (w->document->options.rotation != 0)
        return false; // the ink is elsewhere than the numbers say
    if (index < 0 || !platen_page_place_source_at(w->page, (uint32_t)index, &place) || place.unit_dots != 1 ||
        e.offset > w->d->offset)
        return false;
    const struct pl_box area = w->page->drawn.area;
    bool quiet = e.type == PLATEN_BARCODE && e.quiet_width > 0;
    int64_t left = e.x, top = e.y, right = left + e.width, bottom = top + e.height;
    if (quiet) {
        left = PL_MIN(left, (int64_t)e.quiet_x);
        top = PL_MIN(top, (int64_t)e.quiet_y);
        right = PL_MAX(right, (int64_t)e.quiet_x + e.quiet_width);
        bottom = PL_MAX(bottom, (int64_t)e.quiet_y + e.quiet_height);
    }
    int64_t dx = pl_fix_way_inside(left, right - left, area.x0, area.x1),
            dy = pl_fix_way_inside(top, bottom - top, area.y0, area.y1);
    if ((dx == 0 && dy == 0) || right - left > (int64_t)area.x1 - area.x0 || bottom - top > (int64_t)area.y1 - area.y0)
        return false;
    const struct pl_box now = {pl_saturate_i32(left), pl_saturate_i32(top), pl_saturate_i32(right),
                               pl_saturate_i32(bottom)};
    if (!may_move(w, index, now, dx, dy, quiet))
        return false;
    return title(w, "Move it into the label") && move_both(w, &place, dx, dy) && w->out->count > 0;
}

// Writes the width of modules into the ^BY that the field has before its command, or puts one there.
static bool write_module(const struct work *w, size_t from, size_t at, uint32_t module)
{
    char text[16];
    const size_t by = find_last(w->code, from, at, "^BY");
    size_t end = by == SIZE_MAX ? at : by + 3;
    while (end < at && pl_is_digit(w->code.ptr[end]))
        end++;
    const bool own = by != SIZE_MAX && end > by + 3;
    snprintf(text, sizeof text, own ? "%u" : "^BY%u", module);
    return edit(w, own ? by + 3 : at, own ? end - by - 3 : 0, text);
}

// ^BY holds for the barcodes behind it, too: those that have it of the same ^BY as this one get it back.
static bool widen_modules(const struct work *w)
{
    struct platen_element e;
    struct platen_place_source place;
    uint32_t old;
    int64_t way[2];
    size_t at = command_of(w, &e);
    if (at == SIZE_MAX || w->settings.has_units || !pl_fix_is_linear(e.command) ||
        !pl_fix_module_after(w->code, at, &e, &old) || (old > 0 && !is_apart(w, (size_t)e.offset + e.length)))
        return false;
    char text[16], back[16];
    const uint32_t index = (uint32_t)element_of(w, &e), wanted = e.module_dots + pl_fix_dots(w->page, w->d->missing_mm);
    // Wide bars become wider with the ratio of ^BY, not with its module. ^BY10 is the widest.
    if (strncmp(w->d->message, "The wide bars", 13) == 0 || wanted > 10 ||
        !pl_fix_has_room(w->page, index, wanted, 0, way))
        return false;
    if ((way[0] || way[1]) && (!platen_page_place_source_at(w->page, index, &place) || place.unit_dots != 1 ||
                               place.offset > at || !move_both(w, &place, way[0], way[1])))
        return false;
    snprintf(text, sizeof text, "^BY%u", wanted);
    snprintf(back, sizeof back, "^BY%u", old);
    return title(w, "%s %s before %s%s", find_last(w->code, e.offset, at, "^BY") == SIZE_MAX ? "Add" : "Write", text,
                 e.command, w->out->count ? ", and move it" : "") &&
           write_module(w, e.offset, at, wanted) && (old == 0 || edit(w, (size_t)e.offset + e.length, 0, back));
}

static bool raise_bars(const struct work *w)
{
    struct platen_element e;
    size_t at = command_of(w, &e);
    if (at == SIZE_MAX || !pl_fix_is_linear(e.command) || e.rotation % 180 != 0 || w->settings.has_units)
        return false;
    char text[16];
    int64_t way[2];
    const uint32_t raise = pl_fix_dots(w->page, w->d->missing_mm);
    if (!pl_fix_has_room(w->page, (uint32_t)element_of(w, &e), e.module_dots, raise, way) || way[0] || way[1])
        return false;
    snprintf(text, sizeof text, "%u", e.bars_height + raise);
    return title(w, "Make the bars %s dots high", text) && write_named_parameter(w, at, e.command, "height", text);
}

// The field's own data; false: it comes from elsewhere, or is changed by ^FH.
static bool data_of(const struct work *w, size_t *from, size_t *to)
{
    struct platen_element e;
    if (element_of(w, &e) < 0 || e.data_length > 0)
        return false;
    size_t end = (size_t)e.offset + e.length, at = find_last(w->code, e.offset, end, "^FD");
    if (at == SIZE_MAX || find(w->code, e.offset, end, "^FH") != SIZE_MAX ||
        find(w->code, e.offset, end, "^FV") != SIZE_MAX)
        return false;
    *from = at + 3;
    *to = command_end(w->code, at);
    return true;
}

static bool write_digit(const struct work *w)
{
    char digit[4];
    size_t at = w->d->offset;
    if (strstr(w->d->message, "write N as its last parameter")) {
        struct platen_element e;
        at = command_of(w, &e);
        return at != SIZE_MAX && title(w, "Write N: no second check digit") &&
               write_named_parameter(w, at, e.command, "check", "N");
    }
    if (!from_message(w->d, " must be ", ".", digit, sizeof digit) || strlen(digit) != 1 ||
        !pl_is_digit((uint8_t)digit[0]) || at >= w->code.len || !pl_is_digit(w->code.ptr[at]))
        return false;
    return title(w, "Write the check digit %s", digit) && edit(w, at, 1, digit);
}

// "(01): the check digit 3 was replaced by 2": the message has no place, the data in brackets has.
static bool write_gs1_digit(const struct work *w)
{
    char identifier[8], digit[4], start[12];
    size_t from, to;
    if (!strstr(w->d->message, " was replaced by "))
        return write_digit(w);
    if (!from_message(w->d, "(", ")", identifier, sizeof identifier) ||
        !from_message(w->d, " was replaced by ", ",", digit, sizeof digit) || strlen(digit) != 1 ||
        !data_of(w, &from, &to))
        return false;
    snprintf(start, sizeof start, "(%s)", identifier);
    size_t at = find(w->code, from, to, start), length = strcmp(identifier, "00") == 0 ? 18 : 14;
    if (at == SIZE_MAX || strlen(identifier) != 2)
        return false;
    at += strlen(start) + length - 1;
    return at < to && pl_is_digit(w->code.ptr[at]) && title(w, "Write the check digit %s", digit) &&
           edit(w, at, 1, digit);
}

static bool add_separator(const struct work *w)
{
    if (!strstr(w->d->message, "FNC1 (>8) is missing before it"))
        return false;
    return title(w, "Add >8 before it") && edit(w, w->d->offset, 0, ">8");
}

static bool write_data(const struct work *w)
{
    char text[PL_FIX_TEXT];
    size_t from, to;
    if (!data_of(w, &from, &to) || to - from >= sizeof text)
        return false;
    if (strstr(w->d->message, "; upper case was encoded")) {
        for (size_t i = 0; i < to - from; i++) {
            uint8_t c = w->code.ptr[from + i];
            if (c < ' ' || c > '~')
                return false; // no text that an edit could have
            text[i] = (char)pl_upper(c);
        }
        text[to - from] = '\0';
        return title(w, "Write capital letters") && edit(w, from, to - from, text);
    }
    // A comma among the first three may end a level or a mode that was meant.
    if (strstr(w->d->message, "does not begin with level, input mode and comma"))
        return !memchr(w->code.ptr + from, ',', PL_MIN(to - from, (size_t)3)) &&
               title(w, "Write QA, before the data") && edit(w, from, 0, "QA,");
    if (from_message(w->d, "zeros were put before it: ", ".", text, sizeof text) ||
        from_message(w->d, "The data is long; ", " ", text, sizeof text))
        return is_number(text) && title(w, "Write %.40s", text) && edit(w, from, to - from, text);
    return false;
}

static bool add_line(const struct work *w)
{
    struct platen_element e;
    char lines[12];
    if (!strstr(w->d->message, "needs more lines") || element_of(w, &e) < 0 ||
        !from_message(w->d, "its block has (", ")", lines, sizeof lines))
        return false;
    size_t at = find_last(w->code, e.offset, (size_t)e.offset + e.length, "^FB");
    if (at == SIZE_MAX)
        return false;
    snprintf(lines, sizeof lines, "%d", atoi(lines) + 1);
    return title(w, "Give the block %s lines", lines) && write_named_parameter(w, at, "^FB", "lines", lines);
}

static const struct {
    const char *code;
    fix_fn *fix;
    bool any_prefixes; // also in code that changes its own prefixes or delimiter
} FIXES[] = {
    {"unknown_command", fix_command, true},      {"format_unterminated", add_format_end, true},
    {"nested_format", end_format_before, true},  {"field_unterminated", add_field_end, true},
    {"parameter_range", write_used_value, true}, {"parameter_invalid", write_used_value, true},
    {"outside_format", remove_text, false},      {"host_command", remove_command, false},
    {"charset_suspect", choose_utf8, false},     {"outside_label", move_inside, false},
    {"quiet_zone_at_edge", move_inside, false},  {"bars_cut", move_inside, false},
    {"symbol_unreadable", move_inside, false},   {"module_below_minimum", widen_modules, false},
    {"ink_margin", widen_modules, false},        {"bars_too_low", raise_bars, false},
    {"check_digit_wrong", write_digit, false},   {"gs1_check_digit", write_gs1_digit, false},
    {"gs1_syntax", add_separator, false},        {"barcode_data", write_data, false},
    {"text_clipped", add_line, false},
};

bool pl_fix_find(const struct platen_document *document, const struct platen_page *page,
                 const struct platen_diagnostic *d, struct pl_fix *out)
{
    struct work w = {.code = document->input, .document = document, .page = page, .d = d, .out = out};
    *out = (struct pl_fix){.count = 0};
    if (document->code_is_made || platen_document_language(document) != PLATEN_LANGUAGE_ZPL || end_of(d) > w.code.len)
        return false;
    document->language->memory.settings(document->end, &w.settings);
    for (size_t i = 0; i < PL_COUNTOF(FIXES); i++) {
        if (strcmp(d->code, FIXES[i].code) == 0)
            return (FIXES[i].any_prefixes || !has_own_prefixes(&w)) && FIXES[i].fix(&w) && out->count > 0;
    }
    return false;
}

void pl_fix_give_none(struct platen_document *document)
{
    document->code_is_made = true;
}

void pl_fix_write(struct pl_json_writer *out, const struct pl_fix *fix)
{
    pl_json_object(out);
    pl_json_kv_cstr(out, "title", fix->title);
    pl_json_kv_array(out, "edits");
    for (uint32_t i = 0; i < fix->count; i++) {
        pl_json_object(out);
        pl_json_kv_u64(out, "offset", fix->edits[i].offset);
        pl_json_kv_u64(out, "length", fix->edits[i].length);
        pl_json_kv_cstr(out, "text", fix->edits[i].text);
        pl_json_end(out);
    }
    pl_json_ends(out, 2);
}

void pl_fix_describe(const struct platen_document *document, const struct platen_page *page,
                     const struct platen_diagnostic *d, struct pl_buf *out)
{
    struct pl_json_writer json;
    struct pl_fix fix;
    pl_buf_rewind(out);
    if (document->input.len > DESCRIBED_MAX || !pl_fix_find(document, page, d, &fix))
        return;
    pl_json_writer_init(&json, out);
    pl_fix_write(&json, &fix);
}
