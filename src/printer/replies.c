// Answers to host commands. Where bytes of a real printer were captured (a ZT410), they are the same; docs/printer.md
// names the others.
#include <string.h>

#include "base/ckd.h"
#include "base/date.h"
#include "printer/face.h"

const char *printer_dpi_name(uint32_t dpmm)
{
    return dpmm >= 24 ? "600dpi" : dpmm >= 12 ? "300dpi" : dpmm >= 8 ? "200dpi" : "150dpi";
}

// ---- ~HS, ~HI, ~HM

static int mode_number(char mode)
{
    switch (mode) {
    case 'R':
        return 0;
    case 'P':
        return 1;
    case 'C':
    case 'D':
        return 3;
    case 'A':
        return 4;
    default:
        return 2;
    }
}

static void put_status(const struct printer_face *f, const char *begin, const char *end, const char *last,
                       struct pl_buf *out)
{
    pl_buf_printf(out, "%s030,%d,%d,%04u,%03u,%d,0,%d,000,0,0,0%s", begin, f->paper_out, f->paused,
                  PL_MIN(f->length, 9999u), PL_MIN(f->formats_waiting, 999u), f->buffer_full, f->format_is_partial,
                  end);
    pl_buf_printf(out, "%s001,0,%d,%d,%d,%d,6,0,%08llu,1,%03u%s", begin, f->head_open, f->ribbon_out, f->media != 'D',
                  mode_number(f->mode), (unsigned long long)PL_MIN(f->labels_remaining, (uint64_t)99999999u),
                  PL_MIN(f->stored_graphics, 999u), end);
    pl_buf_printf(out, "%s1234,0%s", begin, last);
}

void printer_reply_status(const struct printer_face *f, struct pl_buf *out)
{
    put_status(f, "\x02", "\x03\r\n", "\x03\r\n", out);
}

static void reply_identity(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "\x02%s-%s,%s,%u,%uKB\x03\r\n", f->model, printer_dpi_name(f->dpmm), f->firmware, f->dpmm,
                  f->memory_kb);
}

static void reply_memory(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "\x02%04u,%04u,%04u\x03\r\n", f->memory_kb, f->memory_kb, f->memory_free_kb);
}

// ---- ~HD

static void reply_head(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "Head Temp = 22\r\nAmbient Temp = 153\r\nHead Test = Test Not Run\r\nDarkness Adjust = %d\r\n",
                  f->darkness_tenths / 10);
    pl_buf_printf(out, "Print Speed = %u.0\r\nSlew Speed = %u.0\r\nBackfeed Speed = %u.0\r\n", f->speed, f->slew,
                  f->backfeed);
    pl_buf_printf(out, "Static_pitch_length = %04u\r\n", f->length);
    pl_buf_append_cstr(out, "Dynamic_pitch_length = 0000\r\nMax_dynamic_pitch_length = 0000\r\n"
                            "Min_dynamic_pitch_length = 0000\r\n");
    pl_buf_printf(out, "COMMAND PFX = %c : FORMAT PFX = %c : DELIMITER = %c\r\n", f->prefixes.tilde, f->prefixes.caret,
                  f->prefixes.comma);
    pl_buf_append_cstr(out, "Dynamic_top_position = 0000\r\n\r\nNo ribbon A/D = 0000\r\n\r\nPCB Temp = 177\r\n");
}

// ---- ~HQ

// A line of 44 characters.
static void put_line(struct pl_buf *out, const char *text)
{
    pl_buf_printf(out, "%-44s\r\n", text);
}

static void query_errors(const struct printer_face *f, struct pl_buf *out)
{
    unsigned errors =
        (f->paper_out ? 1u : 0) | (f->ribbon_out ? 2u : 0) | (f->head_open ? 4u : 0) | (f->paused ? 0x10000u : 0);
    char line[64];
    struct pl_buf text;
    pl_buf_init(&text, sizeof line);
    pl_buf_printf(&text, "   ERRORS:         %d 00000000 %08X", errors != 0, errors);
    pl_buf_append_byte(&text, '\0');
    put_line(out, "  PRINTER STATUS");
    put_line(out, text.data && !text.failed ? (const char *)text.data : "");
    put_line(out, "   WARNINGS:       0 00000000 00000000");
    pl_buf_fini(&text);
}

static void query_serial(const struct printer_face *f, struct pl_buf *out)
{
    put_line(out, "  SERIAL NUMBER");
    pl_buf_printf(out, "   %-41s\r\n", f->serial);
}

static void query_mac(const struct printer_face *f, struct pl_buf *out)
{
    put_line(out, "  MAC ADDRESS");
    pl_buf_printf(out, "   %02X:%02X:%02X:%02X:%02X:%02X%24s\r\n", f->mac[0], f->mac[1], f->mac[2], f->mac[3],
                  f->mac[4], f->mac[5], "");
}

static void query_plug(const struct printer_face *f, struct pl_buf *out)
{
    put_line(out, "  PLUG AND PLAY MESSAGES");
    pl_buf_printf(out, "   MFG: Zebra Technologies\r\n   CMD: ZPL\r\n   MDL: %s\r\n", f->model);
}

static uint64_t inches(const struct printer_face *f)
{
    uint64_t per_inch = f->dpmm * 254u / 10u;
    return per_inch ? f->printed_dots / per_inch : 0;
}

static void query_odometer(const struct printer_face *f, struct pl_buf *out)
{
    static const char *const COUNTERS[] = {"TOTAL NONRESETTABLE: ", "USER RESETTABLE CNTR1:", "USER RESETTABLE CNTR2:"};
    put_line(out, "  PRINT METERS");
    for (size_t i = 0; i < PL_COUNTOF(COUNTERS); i++)
        pl_buf_printf(out, "   %-22s %12llu \"    \r\n", COUNTERS[i], (unsigned long long)inches(f));
}

static void query_head(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "  LAST CLEANED:         %12llu \"      \r\n", (unsigned long long)inches(f));
    put_line(out, "  HEAD LIFE HISTORY");
    put_line(out, "   #   DISTANCE");
    pl_buf_printf(out, "   1: %10llu \"                          \r\n", (unsigned long long)inches(f));
}

static void query_usb(const struct printer_face *f, struct pl_buf *out)
{
    (void)f;
    put_line(out, "  USB INFORMATION");
    put_line(out, "   PID:                         00F9");
    put_line(out, "   RELEASE VERSION:             01.01");
}

static void query_test(const struct printer_face *f, struct pl_buf *out)
{
    (void)f;
    put_line(out, "  HEAD TEST RESULTS");
    put_line(out, "   0,A,0000,0000,0000");
}

static void query_alerts(const struct printer_face *f, struct pl_buf *out)
{
    (void)f;
    put_line(out, "  MAINTENANCE ALERT SETTINGS");
    put_line(out, "   HEAD REPLACEMENT INTERVAL:        0 km");
    put_line(out, "   HEAD REPLACEMENT FREQUENCY:       0 M");
    put_line(out, "   HEAD CLEANING INTERVAL:           0 M");
    put_line(out, "   HEAD CLEANING FREQUENCY:          0 M");
    put_line(out, "   PRINT REPLACEMENT ALERT:           NO");
    put_line(out, "   PRINT CLEANING ALERT:              NO");
    put_line(out, "   UNITS:                              I");
}

static void query_messages(const struct printer_face *f, struct pl_buf *out)
{
    (void)f;
    put_line(out, "  MAINTENANCE ALERT MESSAGES");
    pl_buf_append_cstr(out, "   CLEAN: PLEASE CLEAN PRINT HEAD\r\n   REPLACE: PLEASE REPLACE PRINT HEAD\r\n");
}

static const struct {
    char name[3];
    void (*write)(const struct printer_face *f, struct pl_buf *out);
} QUERIES[] = {{"ES", query_errors},   {"SN", query_serial},  {"HA", query_mac}, {"PP", query_plug},
               {"OD", query_odometer}, {"PH", query_head},    {"UI", query_usb}, {"JT", query_test},
               {"MA", query_alerts},   {"MI", query_messages}};

static bool reply_query(const struct printer_face *f, struct pl_slice name, struct pl_buf *out)
{
    for (size_t i = 0; i < PL_COUNTOF(QUERIES); i++) {
        if (pl_slice_eq_cstr(name, QUERIES[i].name)) {
            pl_buf_append_cstr(out, "\x02\r\n\r\n");
            QUERIES[i].write(f, out);
            pl_buf_append_byte(out, 0x03);
            return true;
        }
    }
    return false;
}

// ---- all of them

// TSPL: 0 is ready.
static void reply_tspl(const struct printer_face *f, struct pl_slice what, struct pl_buf *out)
{
    uint8_t status = (uint8_t)((f->head_open ? 0x01 : 0) | (f->paper_out ? 0x04 : 0) | (f->ribbon_out ? 0x08 : 0) |
                               (f->paused ? 0x10 : 0));
    if (what.ptr[2] == '?')
        pl_buf_append_byte(out, status);
    else if (what.ptr[2] == 'T')
        pl_buf_append_cstr(out, "Platen\r\n");
    else if (what.ptr[2] == 'I')
        pl_buf_append_cstr(out, "1, 0, 0\r\n");
}

// CPCL, by Zebra's manual: 0 is ready. ESC N acknowledges that the printer was switched on, which it never says here.
static void reply_cpcl(const struct printer_face *f, struct pl_slice what, struct pl_buf *out)
{
    uint8_t status = (uint8_t)((f->paused ? 0x01 : 0) | (f->paper_out ? 0x02 : 0) | (f->head_open ? 0x04 : 0));
    if (what.ptr[1] == 'h')
        pl_buf_append_byte(out, status);
    else if (what.ptr[1] == 'i')
        pl_buf_append_byte(out, f->ribbon_out ? 0x80 : 0);
    else if (what.ptr[1] == 'v')
        pl_buf_append(out, "Platen", sizeof "Platen"); // with its NUL
}

bool printer_reply(const struct printer_face *face, struct pl_slice what, struct pl_buf *out)
{
    enum { ESC = 0x1B };
    if (what.len == 2 && what.ptr[0] == ESC) {
        reply_cpcl(face, what, out);
        return true;
    }
    if (what.len == 3 && what.ptr[1] == '!') {
        reply_tspl(face, what, out);
        return true;
    }
    static const struct {
        char name[3];
        void (*write)(const struct printer_face *f, struct pl_buf *out);
    } rows[] = {{"HS", printer_reply_status}, {"HI", reply_identity}, {"HM", reply_memory}, {"HD", reply_head}};
    if (what.len == 4 && what.ptr[0] == 'H' && what.ptr[1] == 'Q')
        return reply_query(face, pl_slice_sub(what, 2, 2), out);
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        if (pl_slice_eq_cstr(what, rows[i].name)) {
            rows[i].write(face, out);
            return true;
        }
    }
    return false; // ~HU too: no alert was set
}

// ---- ^HH

// Two blanks, 20 characters of value, 18 of name.
static void put_row(struct pl_buf *out, const char *value, const char *name)
{
    pl_buf_printf(out, "  %-20s%-18s\r\n", value, name);
}

static void put_number_row(struct pl_buf *out, const char *before, unsigned long long value, int digits,
                           const char *behind, const char *name)
{
    struct pl_buf text;
    pl_buf_init(&text, 64);
    pl_buf_printf(&text, "%s%0*llu%s", before, digits, value, behind);
    pl_buf_append_byte(&text, '\0');
    put_row(out, text.failed || !text.data ? "" : (const char *)text.data, name);
    pl_buf_fini(&text);
}

static const char *mode_name(char mode)
{
    switch (mode) {
    case 'P':
        return "PEEL OFF";
    case 'R':
        return "REWIND";
    case 'A':
        return "APPLICATOR";
    case 'C':
        return "CUTTER";
    case 'D':
        return "DELAYED CUT";
    default:
        return "TEAR OFF";
    }
}

static void put_prefix_row(struct pl_buf *out, uint8_t c, const char *name)
{
    struct pl_buf text;
    pl_buf_init(&text, 32);
    pl_buf_printf(&text, "<%c>  %02XH", c >= 0x20 && c < 0x7F ? c : '?', c);
    pl_buf_append_byte(&text, '\0');
    put_row(out, text.failed || !text.data ? "" : (const char *)text.data, name);
    pl_buf_fini(&text);
}

static void put_rows(const struct printer_face *f, struct pl_buf *out)
{
    struct pl_date now;
    struct pl_buf text;
    pl_date_from_seconds(f->time, &now);
    pl_buf_init(&text, 256);
    pl_buf_printf(&text, "+%d.%d", f->darkness_tenths / 10, f->darkness_tenths % 10);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "DARKNESS");
    put_number_row(out, "", f->speed, 1, ".0 IPS", "PRINT SPEED");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%+04d", f->tear_off);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "TEAR OFF");
    put_row(out, mode_name(f->mode), "PRINT MODE");
    put_row(out, f->tracking == 'N' ? "CONTINUOUS" : f->tracking == 'M' ? "MARK" : "GAP/NOTCH", "MEDIA TYPE");
    put_row(out, "TRANSMISSIVE", "SENSOR SELECT");
    put_row(out, f->media == 'D' ? "DIRECT-THERMAL" : "THERMAL-TRANS.", "PRINT METHOD");
    put_number_row(out, "", f->width, 1, "", "PRINT WIDTH");
    put_number_row(out, "", f->length, 4, "", "LABEL LENGTH");
    put_row(out, "39.0IN   988MM", "MAXIMUM LENGTH");
    put_row(out, "NORMAL MODE", "COMMUNICATIONS");
    put_prefix_row(out, f->prefixes.tilde, "CONTROL PREFIX");
    put_prefix_row(out, f->prefixes.caret, "FORMAT PREFIX");
    put_prefix_row(out, f->prefixes.comma, "DELIMITER CHAR");
    put_row(out, "ZPL II", "ZPL MODE");
    put_row(out, "CALIBRATION", "MEDIA POWER UP");
    put_row(out, "CALIBRATION", "HEAD CLOSE");
    put_row(out, "DEFAULT", "BACKFEED");
    put_row(out, "+000", "LABEL TOP");
    put_row(out, "+0000", "LEFT POSITION");
    put_row(out, "DPCSWFXM", "MODES ENABLED");
    put_row(out, "........", "MODES DISABLED");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%4u %u/MM FULL", f->width, f->dpmm);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "RESOLUTION");
    put_row(out, "3.0", "LINK-OS VERSION");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%s <-", f->firmware);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "FIRMWARE");
    put_row(out, "1.3", "XML SCHEMA");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%uk............R:", f->memory_kb);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "RAM");
    put_row(out, "65536k...........E:", "ONBOARD FLASH");
    put_row(out, "NONE", "FORMAT CONVERT");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%02d/%02d/%02d", now.month, now.day, now.year % 100);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "RTC DATE");
    pl_buf_clear(&text);
    pl_buf_printf(&text, "%02d:%02d", now.hour, now.minute);
    pl_buf_append_byte(&text, '\0');
    put_row(out, (const char *)text.data, "RTC TIME");
    put_number_row(out, "", f->printed, 1, " LABELS", "NONRESET CNTR");
    put_number_row(out, "", inches(f), 1, " IN", "NONRESET CNTR");
    pl_buf_fini(&text);
}

void printer_reply_configuration(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_byte(out, 0x02);
    put_rows(f, out);
    pl_buf_append_byte(out, 0x03);
}

void printer_configuration_label(const struct printer_face *f, struct pl_buf *out)
{
    struct pl_buf rows;
    pl_buf_init(&rows, 65536);
    pl_buf_printf(&rows, "  %s\r\n  %s-%s\r\n\r\n", f->name, f->model, printer_dpi_name(f->dpmm));
    put_rows(f, &rows);
    uint32_t height = f->dpmm >= 12 ? 27 : 18, y = height * 2;
    // Prefixes by their control codes: they are those that hold.
    pl_buf_append_cstr(out, "\x02\x1e"
                            "CI0\x1e"
                            "LH0\x1f"
                            "0\x1e"
                            "PQ1");
    struct pl_slice rest = pl_buf_slice(&rows);
    while (rest.len > 0) {
        const uint8_t *end = memchr(rest.ptr, '\r', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        pl_buf_printf(out,
                      "\x1e"
                      "FO%u\x1f%u\x1e"
                      "A0N\x1f%u\x1e"
                      "FH\x1e"
                      "FD",
                      height, y, height);
        for (size_t i = 0; i < len; i++) {
            uint8_t c = rest.ptr[i];
            if (c == '^' || c == '~' || c == '_' || c < 0x20 || c == f->prefixes.caret || c == f->prefixes.tilde)
                pl_buf_printf(out, "_%02X", c);
            else
                pl_buf_append_byte(out, c);
        }
        pl_buf_append_cstr(out, "\x1e"
                                "FS");
        y += height + 2;
        rest = pl_slice_sub(rest, end ? len + 2 : len, rest.len);
    }
    pl_buf_append_byte(out, 0x03);
    pl_buf_take_over(out, &rows);
}

// ---- ^HZ

static void put_escaped(struct pl_buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<' || *text == '&' || *text == '>' || *text == '\'')
            pl_buf_printf(out, "&#%d;", *text);
        else
            pl_buf_append_byte(out, (uint8_t)*text);
    }
}

void printer_reply_xml(const struct printer_face *f, char part, struct pl_buf *out)
{
    pl_buf_append_cstr(out, "<?xml version='1.0'?>\r\n<ZEBRA-ELTRON-PERSONALITY>\r\n");
    if (part != 'R') {
        pl_buf_printf(out, "<DESCRIPTION><MODEL>%s-%s</MODEL><FIRMWARE-VERSION>%s</FIRMWARE-VERSION>", f->model,
                      printer_dpi_name(f->dpmm), f->firmware);
        pl_buf_printf(out, "<DOTS-PER-MM>%u</DOTS-PER-MM><DOTS-PER-DOTROW>%u</DOTS-PER-DOTROW></DESCRIPTION>\r\n",
                      f->dpmm, f->width);
        pl_buf_append_cstr(out, "<SETTINGS><NAME>");
        put_escaped(out, f->name);
        pl_buf_printf(out,
                      "</NAME><PRINT-WIDTH>%u</PRINT-WIDTH><LABEL-LENGTH>%u</LABEL-LENGTH><MEDIA-DARKNESS>%d.%d"
                      "</MEDIA-DARKNESS><PRINT-RATE>%u.0</PRINT-RATE><PRINT-MODE>%s</PRINT-MODE></SETTINGS>\r\n",
                      f->width, f->length, f->darkness_tenths / 10, f->darkness_tenths % 10, f->speed,
                      mode_name(f->mode));
    }
    if (part == 'A' || part == 'R')
        pl_buf_printf(out,
                      "<STATUS><PAPER-OUT>%c</PAPER-OUT><RIBBON-OUT>%c</RIBBON-OUT><HEAD-OPEN>%c</HEAD-OPEN><PAUSE>%c"
                      "</PAUSE><LABELS-REMAINING-IN-BATCH>%llu</LABELS-REMAINING-IN-BATCH></STATUS>\r\n",
                      f->paper_out ? 'Y' : 'N', f->ribbon_out ? 'Y' : 'N', f->head_open ? 'Y' : 'N',
                      f->paused ? 'Y' : 'N', (unsigned long long)f->labels_remaining);
    pl_buf_append_cstr(out, "</ZEBRA-ELTRON-PERSONALITY>\r\n");
}
