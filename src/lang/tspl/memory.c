// What a printer remembers from one input to the next: settings, counters and files, written as TSPL.
#include "lang/tspl/state.h"

#include <string.h>

void tspl_printer_defaults(struct tspl *t)
{
    t->printer = (struct tspl_printer){.density = -1, .speed_tenths = -1, .mode = 'T'};
}

static struct pl_slice copy(struct tspl *t, struct pl_slice text)
{
    uint8_t *bytes = text.len ? pl_arena_copy(t->arena, text.ptr, text.len) : NULL;
    t->no_memory |= text.len && !bytes;
    return pl_slice_make(bytes, bytes ? text.len : 0);
}

enum pl_errc tspl_start_after(struct tspl *t, const struct tspl *before)
{
    tspl_printer_defaults(t);
    if (!before)
        return PL_OK;
    t->printer = before->printer;
    for (int i = 0; i < TSPL_COUNTERS; i++)
        t->counters[i] = (struct tspl_counter){copy(t, before->counters[i].value), before->counters[i].step};
    return t->no_memory ? pl_fail_memory(t->err) : PL_OK;
}

static void write_text(struct pl_buf *out, struct pl_slice text)
{
    pl_buf_append_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            pl_buf_append_cstr(out, "\\[\"]");
        else
            pl_buf_append_byte(out, text.ptr[i]);
    }
    pl_buf_append_byte(out, '"');
}

void pl_tspl_write_settings(const void *end, struct pl_buf *out)
{
    const struct tspl *t = end;
    const struct tspl_printer *p = &t->printer;
    if (p->width && p->length)
        pl_buf_printf(out, "SIZE %u dot,%u dot\r\n", p->width, p->length);
    else if (p->width)
        pl_buf_printf(out, "SIZE %u dot\r\n", p->width);
    if (p->gap_given)
        pl_buf_printf(out, "%s %d dot,%d dot\r\n", p->black_mark ? "BLINE" : "GAP", p->gap, p->gap_offset);
    if (p->offset)
        pl_buf_printf(out, "OFFSET %d dot\r\n", p->offset);
    if (p->reference_x || p->reference_y)
        pl_buf_printf(out, "REFERENCE %d,%d\r\n", p->reference_x, p->reference_y);
    if (p->shift_x || p->shift_y)
        pl_buf_printf(out, "SHIFT %d,%d\r\n", p->shift_x, p->shift_y);
    if (p->mirrored)
        pl_buf_append_cstr(out, "DIRECTION 0,1\r\n");
    if (p->density >= 0)
        pl_buf_printf(out, "DENSITY %d\r\n", p->density);
    if (p->speed_tenths >= 0)
        pl_buf_printf(out, "SPEED %d.%d\r\n", p->speed_tenths / 10, p->speed_tenths % 10);
    if (p->mode != 'T')
        pl_buf_printf(out, "SET %s\r\n", p->mode == 'P' ? "PEEL ON" : "CUTTER 1");
    if (p->page)
        pl_buf_printf(out, "CODEPAGE %s\r\n", p->page->name);
    for (int i = 0; i < TSPL_COUNTERS; i++) {
        const struct tspl_counter *c = &t->counters[i];
        if (c->step)
            pl_buf_printf(out, "SET COUNTER @%d %lld\r\n", i, (long long)c->step);
        if (c->value.len == 0)
            continue;
        pl_buf_printf(out, "@%d=", i);
        write_text(out, c->value);
        pl_buf_append_cstr(out, "\r\n");
    }
}

void pl_tspl_write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out)
{
    (void)picture;
    if (!object->bytes.ptr)
        return;
    const char *memory = object->name.drive == 'E' ? "F," : "";
    // With its size a program is what it was, also with EOP inside; but that makes a program only of a name with BAS.
    if (object->kind == PL_OBJECT_FORMAT && strcmp(object->name.ext, "BAS") != 0) {
        struct pl_slice lines = object->bytes;
        bool ended = lines.len == 0 || lines.ptr[lines.len - 1] == '\n' || lines.ptr[lines.len - 1] == '\r';
        pl_buf_printf(out, "DOWNLOAD %s\"%s.%s\"\r\n", memory, object->name.name, object->name.ext);
        pl_buf_append_slice(out, lines);
        pl_buf_append_cstr(out, ended ? "EOP\r\n" : "\r\nEOP\r\n");
        return;
    }
    pl_buf_printf(out, "DOWNLOAD %s\"%s.%s\",%zu,", memory, object->name.name, object->name.ext, object->bytes.len);
    pl_buf_append_slice(out, object->bytes);
    pl_buf_append_cstr(out, "\r\n");
}

void pl_tspl_settings(const void *end, struct pl_lang_settings *out)
{
    const struct tspl *t = end;
    const struct tspl_printer *p = &t->printer;
    *out = (struct pl_lang_settings){.print_width = p->width,
                                     .label_length = p->length,
                                     .darkness_tenths = p->density < 0 ? 80 : p->density * 10,
                                     .mode = p->mode,
                                     .tracking = p->black_mark                 ? 'M'
                                                 : p->gap_given && p->gap == 0 ? 'N'
                                                                               : 'Y',
                                     .media = 'T',
                                     .speed = p->speed_tenths < 0 ? 4 : (uint8_t)(p->speed_tenths / 10)};
}

const struct pl_lang_answers *pl_tspl_answers(const void *end)
{
    return &((const struct tspl *)end)->answers;
}
