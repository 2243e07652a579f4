// What the files of the splitter share.
#ifndef PRINTER_SPLITTER_PARTS_H
#define PRINTER_SPLITTER_PARTS_H

#include "printer/splitter.h"

void splitter_clear(struct printer_splitter *s); // nothing is there of the unit
void splitter_emit(struct printer_splitter *s, enum printer_unit unit, printer_unit_sink *sink, void *user);
// More bytes of the unit.
void splitter_keep(struct printer_splitter *s, const uint8_t *bytes, size_t len, printer_unit_sink *sink, void *user);

#define SPLITTER_AGAIN_BYTES ((size_t)16 << 10)
#define SPLITTER_OTHER_BYTES ((size_t)4 << 10)
// Text outside of formats.
void splitter_other_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user);
void splitter_other_bytes(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user);
void splitter_end_other(struct printer_splitter *s, printer_unit_sink *sink,
                        void *user); // a command begins, or no more

// splitter_lines.c: the same as of splitter.h, for other languages than ZPL.
size_t splitter_feed_lines(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user);
void splitter_end_lines(struct printer_splitter *s, printer_unit_sink *sink, void *user);
void splitter_cancel_lines(struct printer_splitter *s);
bool splitter_lines_are_idle(const struct printer_splitter *s);

#endif
