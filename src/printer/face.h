// What a printer says of itself: plain values, from which every answer is written.
#ifndef PRINTER_FACE_H
#define PRINTER_FACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "printer/splitter.h"

struct printer_face {
    const char *name;     // as people call it
    const char *model;    // "ZT410"
    const char *firmware; // "V75.19.15Z"
    const char *language; // "hybrid_xml_zpl": what it reads, as SGD names it
    const char *serial;
    const char *address; // that it listens on, without the port
    uint16_t port;
    uint8_t mac[6];
    uint32_t dpmm;
    bool paper_out, ribbon_out, head_open, paused, buffer_full;
    bool format_is_partial; // one has begun to arrive
    uint32_t width, length; // in dots: of the media, or what ^PW and ^LL set
    uint32_t formats_waiting, stored_graphics;
    uint64_t labels_remaining;
    uint32_t memory_kb, memory_free_kb;
    int32_t darkness_tenths, tear_off;
    char mode, tracking, media; // letters of ^MM, ^MN and ^MT
    uint8_t speed, slew, backfeed;
    struct printer_prefixes prefixes;
    uint64_t printed;      // labels
    uint64_t printed_dots; // their length
    uint64_t uptime_s;
    int64_t time; // seconds since 1970, local
};

// "200dpi": what the models of Zebra call their density.
const char *printer_dpi_name(uint32_t dpmm);

// Answers to the control commands (replies.c). `what` is that of PRINTER_UNIT_CONTROL; false: it has no answer.
bool printer_reply(const struct printer_face *face, struct pl_slice what, struct pl_buf *out);
void printer_reply_status(const struct printer_face *face, struct pl_buf *out);         // ~HS
void printer_reply_configuration(const struct printer_face *face, struct pl_buf *out);  // ^HH
void printer_reply_xml(const struct printer_face *face, char part, struct pl_buf *out); // ^HZ
// The label that ~WC prints, as label code.
void printer_configuration_label(const struct printer_face *face, struct pl_buf *out);

#endif
