// What both halves of the splitter share: units and their bytes.
#ifndef PRINTER_SPLITTER_PARTS_H
#define PRINTER_SPLITTER_PARTS_H

#include "printer/splitter.h"

void splitter_keep(struct printer_splitter *s, const uint8_t *bytes, size_t len, printer_unit_sink *sink, void *user);
void splitter_emit(struct printer_splitter *s, enum printer_unit unit, printer_unit_sink *sink, void *user);

// lines.c. A byte of a job in lines. False: it begins a format of ZPL, whose first bytes are s->lines.head.
bool lines_take(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user);
// Text outside of formats, which may be the first line of another language. False: it is none, the byte is ZPL's.
bool lines_detect(struct printer_splitter *s, uint8_t c, bool is_prefix, printer_unit_sink *sink, void *user);
// A question to the printer, of its own.
void lines_ask(struct printer_splitter *s, enum printer_language language, struct pl_slice text,
               printer_unit_sink *sink, void *user);
void lines_end(struct printer_splitter *s, printer_unit_sink *sink, void *user);
void lines_clear(struct printer_lines *l);

static inline bool lines_reads(const struct printer_splitter *s)
{
    return s->lines.language > PRINTER_ZPL;
}

#endif
