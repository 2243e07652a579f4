// What all languages share of the splitter: the unit, and text that is of none.
#include "printer/splitter_parts.h"

#include <string.h>

void splitter_clear(struct printer_splitter *s)
{
    pl_buf_clear(&s->unit);
    s->unit.failed = s->unit.short_of_memory = false;
    s->has_command = s->overflows = false;
    s->kept = s->may_print = s->plain = 0;
}

void splitter_emit(struct printer_splitter *s, enum printer_unit unit, printer_unit_sink *sink, void *user)
{
    if (s->unit.len > 0 && !s->overflows) {
        s->json_cut = false;
        sink(user, unit, &s->unit);
    }
    if (!s->unit.data)
        pl_buf_init(&s->unit, s->most); // it was taken over
    splitter_clear(s);
    s->in_format = false;
}

void splitter_keep(struct printer_splitter *s, const uint8_t *bytes, size_t len, printer_unit_sink *sink, void *user)
{
    if (s->overflows || len == 0)
        return;
    pl_buf_append(&s->unit, bytes, len);
    if (!s->unit.failed)
        return;
    s->unit.failed = false;
    sink(user, PRINTER_UNIT_TOO_LARGE, &s->unit);
    if (!s->unit.data)
        pl_buf_init(&s->unit, s->most);
    pl_buf_fini(&s->unit);
    pl_buf_init(&s->unit, s->most);
    s->overflows = true;
    s->kept = 0;
}

// ---- text outside of ZPL's formats, which means nothing in ZPL: it is shown to who knows other languages

// Lines of it may be code of another language; a word or two are none.
static void emit_other(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct pl_slice text = pl_slice_trim(pl_buf_slice(&s->other));
    bool lines = text.len > 0 && (memchr(text.ptr, '\n', text.len) || memchr(text.ptr, '\r', text.len));
    if (lines)
        sink(user, PRINTER_UNIT_OTHER, &s->other);
    if (!s->other.data)
        pl_buf_init(&s->other, SPLITTER_OTHER_BYTES);
    pl_buf_clear(&s->other);
    s->other.failed = s->other.short_of_memory = false;
    s->other_line = 0;
}

// The line that prints, in each of the languages, begins with a P: a client that waits for its label is told then.
void splitter_other_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    bool end = c == '\n' || c == '\r';
    if (s->other_cut || (s->other.len == 0 && c <= ' '))
        return;
    pl_buf_append_byte(&s->other, c);
    if (s->other.failed)
        s->other_cut = true;
    if (s->other_cut || (end && s->other_line == 'P'))
        emit_other(s, sink, user);
    else if (end || (s->other_line == 0 && c > ' '))
        s->other_line = end ? 0 : c;
}

void splitter_other_bytes(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    for (size_t i = 0; i < bytes.len; i++)
        splitter_other_byte(s, bytes.ptr[i], sink, user);
}

void splitter_end_other(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    if (s->other.len > 0)
        emit_other(s, sink, user);
    s->other_cut = false;
}
