// The table of fixes: for each kind of finding what is changed in the label code.
#include "describe/fixes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "describe/fix_work.h"

#define DESCRIBED_MAX 262144u // findings of longer code are described without a fix

static const char PREFIXES[] = "^~,"; // in the order of pl_lang_settings

// The same with `text` in the prefixes that the code has at this place. False: they are not known.
static bool edit_code(const struct pl_fix_work *w, size_t offset, size_t length, const char *text)
{
    char own[PL_FIX_TEXT];
    size_t n = strlen(text);
    if (offset < w->settings.prefixes_since || n >= sizeof own)
        return false;
    for (size_t i = 0; i <= n; i++) {
        const char *role = text[i] ? strchr(PREFIXES, text[i]) : NULL;
        own[i] = role ? (char)w->settings.prefixes[role - PREFIXES] : text[i];
    }
    return pl_fix_edit(w, offset, length, own);
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

static bool write_own_parameter(const struct pl_fix_work *w, const char *value)
{
    const size_t name = strlen(w->d->command);
    // Of commands with data, as ^GF, the finding has the name alone.
    const size_t end = w->d->length > name ? pl_fix_end(w->d) : pl_fix_command_end(w->code, w->d->offset);
    return pl_fix_write_parameter(w, w->d->offset, end, name, w->d->parameter, value);
}

// ---- what parsing finds

static bool has_own_prefixes(const struct pl_fix_work *w)
{
    return w->settings.prefixes_since > 0 || memcmp(w->settings.prefixes, PREFIXES, 3) != 0;
}

static bool fix_command(const struct pl_fix_work *w)
{
    char meant[8];
    size_t old = strlen(w->d->command);
    if (from_message(w->d, "Was ", " ", meant, sizeof meant))
        return pl_fix_title(w, "Change %s to %s", w->d->command, meant) && edit_code(w, w->d->offset, old, meant);
    return pl_fix_title(w, "Remove %s: it does nothing", w->d->command) &&
           pl_fix_edit(w, w->d->offset, w->d->length, "");
}

static bool add_format_end(const struct pl_fix_work *w)
{
    const size_t end = w->code.len;
    const bool on_new_line = end == 0 || w->code.ptr[end - 1] == '\n';
    return pl_fix_title(w, "Add ^XZ at the end") && edit_code(w, end, 0, on_new_line ? "^XZ\n" : "\n^XZ\n");
}

static bool end_format_before(const struct pl_fix_work *w)
{
    return pl_fix_title(w, "Add ^XZ before it") && edit_code(w, w->d->offset, 0, "^XZ\n");
}

static bool add_field_end(const struct pl_fix_work *w)
{
    struct pl_slice code = w->code;
    if (strncmp(w->d->message, "The field has no ^FS", 20) == 0)
        return pl_fix_title(w, "Add ^FS") &&
               edit_code(w, pl_fix_trim_end(code, w->d->offset, pl_fix_end(w->d)), 0, "^FS");
    if (has_own_prefixes(w))
        return false;
    // A field was moved. If its data came before, another one begins here; else which place was meant is not known.
    const size_t from = w->d->offset > PL_FIX_LOOK_MOST ? w->d->offset - PL_FIX_LOOK_MOST : 0;
    size_t data = pl_fix_look_back(code, from, w->d->offset, "^FD");
    if (data == SIZE_MAX || pl_fix_look(code, data, w->d->offset, "^FS") != SIZE_MAX ||
        pl_fix_look(code, data, w->d->offset, "^X") != SIZE_MAX)
        return false;
    return pl_fix_title(w, "Add ^FS before it") && pl_fix_edit(w, pl_fix_trim_end(code, data, w->d->offset), 0, "^FS");
}

static bool write_used_value(const struct pl_fix_work *w)
{
    char used[24];
    if (w->settings.has_units)
        return false; // the number that was used is in dots
    if ((from_message(w->d, "; it was read as ", ".", used, sizeof used) ||
         from_message(w->d, "; used ", "", used, sizeof used)) &&
        is_number(used))
        return pl_fix_title(w, "Write %s", used) && write_own_parameter(w, used);
    const char *last = strrchr(w->d->message, ';');
    if (last && sscanf(last, "; %20[-0-9] was use", used) == 1 && is_number(used))
        return pl_fix_title(w, "Write %s", used) && write_own_parameter(w, used);
    if (last && (strstr(last, "; it was ignored.") || strstr(last, "; the default was used.")))
        return w->d->parameter > 0 && pl_fix_title(w, "Remove the value: the default is used") &&
               write_own_parameter(w, "");
    return false;
}

static bool remove_text(const struct pl_fix_work *w)
{
    if (strncmp(w->d->message, "Text outside", 12) != 0)
        return false;
    return pl_fix_title(w, "Remove the text") && pl_fix_edit(w, w->d->offset, w->d->length, "");
}

static bool remove_command(const struct pl_fix_work *w)
{
    return pl_fix_title(w, "Remove %s", w->d->command) && pl_fix_edit(w, w->d->offset, w->d->length, "");
}

static bool choose_utf8(const struct pl_fix_work *w)
{
    struct platen_label label;
    if (w->d->label < 0 || !platen_label_at(w->document, (uint32_t)w->d->label, &label) ||
        label.length > PL_FIX_LOOK_MOST || !pl_fix_is_apart(w, (size_t)label.offset + 3) ||
        pl_fix_look(w->code, label.offset, (size_t)label.offset + 3, "^XA") == SIZE_MAX ||
        pl_fix_look(w->code, label.offset, (size_t)label.offset + label.length, "^CI") != SIZE_MAX ||
        pl_fix_look(w->code, label.offset, (size_t)label.offset + label.length, "^XF") != SIZE_MAX)
        return false; // another one is chosen, here or maybe in the stored format
    return pl_fix_title(w, "Add ^CI28 behind ^XA") && pl_fix_edit(w, (size_t)label.offset + 3, 0, "^CI28");
}

// ---- what drawing finds in the data

// The field's own data; false: it comes from elsewhere, or is changed by ^FH.
static bool data_of(const struct pl_fix_work *w, size_t *from, size_t *to)
{
    struct platen_element e;
    if (pl_fix_element(w, &e) < 0 || e.data_length > 0)
        return false;
    size_t end = (size_t)e.offset + e.length, at = pl_fix_look_back(w->code, e.offset, end, "^FD");
    if (at == SIZE_MAX || pl_fix_look(w->code, e.offset, end, "^FH") != SIZE_MAX ||
        pl_fix_look(w->code, e.offset, end, "^FV") != SIZE_MAX)
        return false;
    *from = at + 3;
    *to = pl_fix_command_end(w->code, at);
    return true;
}

static bool write_digit(const struct pl_fix_work *w)
{
    char digit[4];
    size_t at = w->d->offset;
    if (strstr(w->d->message, "write N as its last parameter")) {
        struct platen_element e;
        at = pl_fix_command(w, &e);
        return at != SIZE_MAX && pl_fix_title(w, "Write N: no second check digit") &&
               pl_fix_write_named(w, at, e.command, "check", "N");
    }
    if (!from_message(w->d, " must be ", ".", digit, sizeof digit) || strlen(digit) != 1 ||
        !pl_is_digit((uint8_t)digit[0]) || at >= w->code.len || !pl_is_digit(w->code.ptr[at]))
        return false;
    return pl_fix_title(w, "Write the check digit %s", digit) && pl_fix_edit(w, at, 1, digit);
}

// "(01): the check digit 3 was replaced by 2": the message has no place, the data in brackets has.
static bool write_gs1_digit(const struct pl_fix_work *w)
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
    size_t at = pl_fix_look(w->code, from, to, start), length = strcmp(identifier, "00") == 0 ? 18 : 14;
    if (at == SIZE_MAX || strlen(identifier) != 2)
        return false;
    at += strlen(start) + length - 1;
    return at < to && pl_is_digit(w->code.ptr[at]) && pl_fix_title(w, "Write the check digit %s", digit) &&
           pl_fix_edit(w, at, 1, digit);
}

// Before the element where the finding is, and before those behind it that the message names. The next check finds
// those that a fix has no room for.
static bool add_separator(const struct pl_fix_work *w)
{
    char identifier[8];
    size_t at = w->d->offset;
    const size_t end = pl_fix_command_end(w->code, at);
    const char *other = strstr(w->d->message, " It is missing before (");
    if (!strstr(w->d->message, "FNC1 (>8) is missing before it") || !pl_fix_edit(w, at, 0, ">8"))
        return false;
    pl_fix_title(w, other ? "Add >8 before each" : "Add >8 before it");
    while (other && (other = strchr(other + 1, '(')) && sscanf(other, "%7[()0-9]", identifier) == 1) {
        at = pl_fix_look(w->code, at + 1, end, identifier);
        if (at == SIZE_MAX || !pl_fix_edit(w, at, 0, ">8"))
            break;
    }
    return true;
}

static bool write_data(const struct pl_fix_work *w)
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
        return pl_fix_title(w, "Write capital letters") && pl_fix_edit(w, from, to - from, text);
    }
    // A comma among the first three may end a level or a mode that was meant.
    if (strstr(w->d->message, "does not begin with level, input mode and comma"))
        return !memchr(w->code.ptr + from, ',', PL_MIN(to - from, (size_t)3)) &&
               pl_fix_title(w, "Write QA, before the data") && pl_fix_edit(w, from, 0, "QA,");
    if (from_message(w->d, "zeros were put before it: ", ".", text, sizeof text) ||
        from_message(w->d, "The data is long; ", " ", text, sizeof text))
        return is_number(text) && pl_fix_title(w, "Write %.40s", text) && pl_fix_edit(w, from, to - from, text);
    return false;
}

static bool add_line(const struct pl_fix_work *w)
{
    struct platen_element e;
    char lines[12];
    if (!strstr(w->d->message, "needs more lines") || pl_fix_element(w, &e) < 0 ||
        !from_message(w->d, "its block has (", ")", lines, sizeof lines))
        return false;
    size_t at = pl_fix_look_back(w->code, e.offset, (size_t)e.offset + e.length, "^FB");
    if (at == SIZE_MAX)
        return false;
    snprintf(lines, sizeof lines, "%d", atoi(lines) + 1);
    return pl_fix_title(w, "Give the block %s lines", lines) && pl_fix_write_named(w, at, "^FB", "lines", lines);
}

static const struct {
    const char *code;
    pl_fix_function *fix;
    bool any_prefixes; // also in code that changes its own prefixes or delimiter
} FIXES[] = {
    {"unknown_command", fix_command, true},
    {"format_unterminated", add_format_end, true},
    {"nested_format", end_format_before, true},
    {"field_unterminated", add_field_end, true},
    {"parameter_range", write_used_value, true},
    {"parameter_invalid", write_used_value, true},
    {"outside_format", remove_text, false},
    {"host_command", remove_command, false},
    {"charset_suspect", choose_utf8, false},
    {"outside_label", pl_fix_move_inside, false},
    {"quiet_zone_at_edge", pl_fix_move_inside, false},
    {"bars_cut", pl_fix_move_inside, false},
    {"symbol_unreadable", pl_fix_move_inside, false},
    {"module_below_minimum", pl_fix_widen_modules, false},
    {"ink_margin", pl_fix_widen_modules, false},
    {"bars_too_low", pl_fix_raise_bars, false},
    {"check_digit_wrong", write_digit, false},
    {"gs1_check_digit", write_gs1_digit, false},
    {"gs1_syntax", add_separator, false},
    {"barcode_data", write_data, false},
    {"text_clipped", add_line, false},
};

bool pl_fix_find(const struct platen_document *document, const struct platen_page *page,
                 const struct platen_diagnostic *d, struct pl_fix *out)
{
    struct pl_fix_work w = {.code = document->input, .document = document, .page = page, .d = d, .out = out};
    *out = (struct pl_fix){.count = 0};
    if (document->code_is_made || platen_document_language(document) != PLATEN_LANGUAGE_ZPL ||
        pl_fix_end(d) > w.code.len)
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

void pl_fix_add_note(struct platen_document *document, const struct platen_diagnostic *note)
{
    struct pl_diags *diags = &document->diags;
    const int32_t last = diags->label;
    const struct pl_source at = {.offset = note->offset, .length = note->length};
    diags->label = -1;
    for (uint32_t i = 0; i < document->scene.label_count && diags->label < 0; i++) {
        const struct pl_source *label = &document->scene.labels[i].source;
        if (at.offset >= label->offset && at.offset - label->offset < label->length)
            diags->label = (int32_t)i;
    }
    struct pl_diag *d =
        pl_diag_add(diags, PL_DIAG_REWRITE, pl_source_of(&at, 0, 0, note->command), 0, "%s", note->message);
    if (d) {
        d->line = note->line;
        d->column = note->column;
    }
    diags->label = last;
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
