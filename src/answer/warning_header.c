// Diagnostics that the service itself finds, and Labelary's X-Warnings header.
#include "answer/warning_header.h"

#include <stdio.h>

#include "base/ckd.h"

static void add(struct unknown_controls *out, const char *code, const char *before, const char *name,
                const char *behind)
{
    if (out->count == PL_COUNTOF(out->items))
        return;
    char *text = out->texts[out->count];
    snprintf(text, UNKNOWN_TEXT, "%s'%s'%s", before, name, behind);
    out->items[out->count++] = (struct platen_diagnostic){
        .element = -1, .code = code, .severity = PLATEN_WARNING, .message = text, .command = "", .label = -1};
}

// The name is cut and cleaned, since it comes from outside.
static void add_unknown(struct unknown_controls *out, struct pl_slice name)
{
    char shown[33];
    size_t n = 0;
    for (; n < name.len && n < sizeof shown - 1; n++)
        shown[n] = name.ptr[n] >= 0x20 && name.ptr[n] < 0x7F ? (char)name.ptr[n] : '?';
    shown[n] = '\0';
    add(out, "unknown_field", "There is no control ", shown, "; it was ignored.");
}

// Of a control that is given: why it has no effect on the output. NULL: it has.
static const char *scope_note(const struct controls *controls, const struct control_row *row)
{
    if (row->scope == SCOPE_PDFS && controls->format != OUTPUT_PDF)
        return " is for PDFs; it was ignored.";
    // Everybody may ask for the first one.
    if (row->scope == SCOPE_PICTURES && !output_is_picture(controls->format) && controls->page != 0)
        return " is for pictures; this output holds all labels.";
    // The default changes nothing, so that a client may always send it.
    if (row->scope == SCOPE_JPEGS && controls->format != OUTPUT_JPEG && controls->jpeg_quality != row->initial)
        return " is for JPEGs; it was ignored.";
    return NULL;
}

void unknown_controls_make(struct unknown_controls *out, const struct controls *controls)
{
    out->count = 0;
    for (uint32_t i = 0; i < controls->unknown_count; i++)
        add_unknown(out, controls->unknown[i]);
    for (uint32_t i = 0; i < controls->useless_count; i++)
        add(out, "unknown_field", "", controls->useless[i], " has no effect on this output; it was ignored.");
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        const char *note = controls_has(controls, (enum control)i) ? scope_note(controls, row) : NULL;
        if (note)
            add(out, "unknown_field", "", row->name, note);
    }
    for (uint32_t i = 0; i < controls->overridden_count; i++)
        add(out, "overridden_field", "", (const char *)controls->overridden[i].ptr,
            " has one value in the query and another in the body; the query's was used.");
    if (controls->path_format)
        add(out, "overridden_field", "", "format",
            " has one value in the path and another beside it; the path's was used.");
    if (controls->body_note)
        add(out, "body_type", "The body was read as ", controls->body_note, ", which its Content-Type does not say.");
}

#define HEADER_WARNINGS 20
#define HEADER_BYTES 4096

// The separator and whatever is not printable ASCII may not stand in a field: an unknown command may be ^||.
static void append_field(struct pl_buf *text, const char *field)
{
    for (const char *c = field; *c; c++) {
        uint8_t byte = (uint8_t)*c;
        if (byte >= 0x80 && byte < 0xC0)
            continue; // the rest of a character already shown as '?'
        pl_buf_append_byte(text, byte == '|' ? '/' : byte < 0x20 || byte > 0x7E ? '?' : byte);
    }
}

void warning_header_add(struct warning_header *header, const struct platen_diagnostic *d)
{
    if (d->severity == PLATEN_INFO)
        return;
    header->count++;
    if (header->shown == HEADER_WARNINGS || header->text.len > HEADER_BYTES)
        return;
    header->shown++;
    struct pl_buf *text = &header->text;
    if (text->len > 0)
        pl_buf_append_byte(text, '|');
    pl_buf_append_u64(text, d->offset);
    pl_buf_append_byte(text, '|');
    pl_buf_append_u64(text, d->length);
    pl_buf_append_byte(text, '|');
    append_field(text, d->command ? d->command : "");
    pl_buf_append_byte(text, '|');
    if (d->parameter)
        pl_buf_append_u64(text, d->parameter);
    pl_buf_append_byte(text, '|');
    append_field(text, d->message);
}

void warning_header_add_unknown(struct warning_header *header, const struct controls *controls)
{
    struct unknown_controls unknown;
    unknown_controls_make(&unknown, controls);
    for (uint32_t i = 0; i < unknown.count; i++)
        warning_header_add(header, &unknown.items[i]);
    header->obeyed += controls->overridden_count + controls->path_format + (controls->body_note != NULL);
}

void warning_header_join(struct warning_header *header, const struct warning_header *more)
{
    header->count += more->count;
    struct pl_slice rest = pl_buf_slice(&more->text);
    for (uint32_t i = 0; i < more->shown; i++) {
        if (header->shown == HEADER_WARNINGS || header->text.len > HEADER_BYTES)
            return;
        // A warning has five fields and none of them the separator in it.
        size_t end = 0;
        for (unsigned fields = 0; end < rest.len; end++) {
            if (rest.ptr[end] == '|' && ++fields == 5)
                break;
        }
        if (header->text.len > 0)
            pl_buf_append_byte(&header->text, '|');
        pl_buf_append_slice(&header->text, pl_slice_sub(rest, 0, end));
        rest = pl_slice_sub(rest, end + 1, rest.len);
        header->shown++;
    }
    if (more->text.failed)
        header->text.failed = true;
}
