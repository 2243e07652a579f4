// SGD: a table of names with what they read and set.
#include "printer/sgd.h"

#include <string.h>

#include "base/ckd.h"

// ---- lines

static void skip_blanks(struct pl_slice *s)
{
    while (s->len > 0 && (*s->ptr == ' ' || *s->ptr == '\t'))
        *s = pl_slice_sub(*s, 1, s->len);
}

static struct pl_slice word(struct pl_slice *s)
{
    skip_blanks(s);
    size_t n = 0;
    while (n < s->len && s->ptr[n] != ' ' && s->ptr[n] != '\t')
        n++;
    struct pl_slice found = pl_slice_sub(*s, 0, n);
    *s = pl_slice_sub(*s, n, s->len);
    return found;
}

// A text in quotes, or a word.
static struct pl_slice quoted(struct pl_slice *s)
{
    skip_blanks(s);
    if (s->len == 0 || *s->ptr != '"')
        return word(s);
    const uint8_t *end = s->len > 1 ? memchr(s->ptr + 1, '"', s->len - 1) : NULL;
    size_t n = end ? (size_t)(end - s->ptr) : s->len;
    struct pl_slice found = pl_slice_sub(*s, 1, n - 1);
    *s = pl_slice_sub(*s, end ? n + 1 : n, s->len);
    return found;
}

void sgd_read(struct pl_slice line, struct sgd_line *out)
{
    *out = (struct sgd_line){0};
    struct pl_slice rest = line;
    word(&rest); // !
    word(&rest); // U1
    struct pl_slice verb = word(&rest);
    out->verb = pl_slice_eq_nocase(verb, pl_slice_cstr("getvar"))   ? SGD_GET
                : pl_slice_eq_nocase(verb, pl_slice_cstr("setvar")) ? SGD_SET
                : pl_slice_eq_nocase(verb, pl_slice_cstr("do"))     ? SGD_DO
                                                                    : SGD_NONE;
    out->name = quoted(&rest);
    out->value = quoted(&rest);
}

// ---- values

static void get_name(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->name);
}

static void get_firmware(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->firmware);
}

static void get_serial(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->serial);
}

static void get_product(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "%s-%s ZPL", f->model, printer_dpi_name(f->dpmm));
}

// ~HS and ~HI without what frames them.
static void put_unframed(const struct printer_face *f, const char *what, struct pl_buf *out)
{
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    printer_reply(f, pl_slice_cstr(what), &text);
    size_t end = text.len;
    while (end > 0 && (text.data[end - 1] == '\r' || text.data[end - 1] == '\n'))
        end--;
    for (size_t i = 0; i < end; i++) {
        if (text.data[i] != 0x02 && text.data[i] != 0x03)
            pl_buf_append_byte(out, text.data[i]);
    }
    pl_buf_inherit(out, &text);
    pl_buf_fini(&text);
}

static void get_host_status(const struct printer_face *f, struct pl_buf *out)
{
    put_unframed(f, "HS", out);
}

static void get_host_identity(const struct printer_face *f, struct pl_buf *out)
{
    put_unframed(f, "HI", out);
}

static void get_status(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->head_open    ? "head open"
                            : f->paper_out  ? "media out"
                            : f->ribbon_out ? "ribbon out"
                            : f->paused     ? "paused"
                                            : "ok");
}

static void get_uptime(const struct printer_face *f, struct pl_buf *out)
{
    uint64_t s = f->uptime_s;
    pl_buf_printf(out, "%02llu days %02u hours %02u mins %02u secs", (unsigned long long)(s / 86400),
                  (unsigned)(s / 3600 % 24), (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

static void get_pause(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->paused ? "true" : "false");
}

static void get_latch(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->head_open ? "open" : "ok");
}

static void get_cover(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->head_open ? "yes" : "no");
}

static void get_paper(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->paper_out ? "out" : "ok");
}

static void get_dpi(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->dpmm == 6    ? 152
                           : f->dpmm == 8  ? 203
                           : f->dpmm == 12 ? 300
                           : f->dpmm == 24 ? 600
                                           : f->dpmm * 254u / 10);
}

static void get_width(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->width);
}

static void get_length(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->length);
}

static void get_tone(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "%d.%d", f->darkness_tenths / 10, f->darkness_tenths % 10);
}

static void get_speed(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "%u.0", f->speed);
}

static void get_media(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->tracking == 'N' ? "continuous" : f->tracking == 'M' ? "mark" : "gap/notch");
}

static void get_mode(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->mode == 'P'   ? "peel off"
                            : f->mode == 'R' ? "rewind"
                            : f->mode == 'C' ? "cutter"
                            : f->mode == 'A' ? "applicator"
                                             : "tear off");
}

static void get_method(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->media == 'D' ? "direct thermal" : "thermal trans");
}

static void get_labels(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->printed);
}

static void get_distance(const struct printer_face *f, struct pl_buf *out)
{
    uint64_t inches = f->dpmm ? f->printed_dots * 10 / (f->dpmm * 254u) : 0;
    pl_buf_printf(out, "%llu INCHES, %llu CENTIMETERS", (unsigned long long)inches,
                  (unsigned long long)(f->dpmm ? f->printed_dots / (f->dpmm * 10u) : 0));
}

static void get_address(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->address);
}

static void get_port(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->port);
}

static void get_mac(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "%02X:%02X:%02X:%02X:%02X:%02X", f->mac[0], f->mac[1], f->mac[2], f->mac[3], f->mac[4],
                  f->mac[5]);
}

typedef void get_fn(const struct printer_face *f, struct pl_buf *out);

// Setting a row either does something or gives label code: `code` with the value in the place of '%'.
static const struct {
    const char *name;
    get_fn *get;
    const char *fixed; // instead of `get`
    enum sgd_action action;
    const char *code;
} ROWS[] = {
    {"alerts.configured", NULL, "", SGD_NOTHING, NULL},
    {"appl.link_os_version", NULL, "3.0", SGD_NOTHING, NULL},
    {"appl.name", get_firmware, NULL, SGD_NOTHING, NULL},
    {"device.config_report", NULL, "", SGD_CONFIG, NULL},
    {"device.friendly_name", get_name, NULL, SGD_NOTHING, NULL},
    {"device.host_identification", get_host_identity, NULL, SGD_NOTHING, NULL},
    {"device.host_status", get_host_status, NULL, SGD_NOTHING, NULL},
    {"device.languages", NULL, "hybrid_xml_zpl", SGD_NOTHING, NULL},
    {"device.pause", get_pause, NULL, SGD_PAUSE, NULL},
    {"device.product_name", get_product, NULL, SGD_NOTHING, NULL},
    {"device.reset", NULL, "", SGD_RESET, NULL},
    {"device.restore_defaults", NULL, "", SGD_CODE, "^XA^JUF^XZ"},
    {"device.status", get_status, NULL, SGD_NOTHING, NULL},
    {"device.unique_id", get_serial, NULL, SGD_NOTHING, NULL},
    {"device.uptime", get_uptime, NULL, SGD_NOTHING, NULL},
    {"ezpl.media_type", get_media, NULL, SGD_NOTHING, NULL},
    {"ezpl.print_width", get_width, NULL, SGD_CODE, "^XA^PW%^XZ"},
    {"head.latch", get_latch, NULL, SGD_NOTHING, NULL},
    {"head.resolution.in_dpi", get_dpi, NULL, SGD_NOTHING, NULL},
    {"internal_wired.mac_addr", get_mac, NULL, SGD_NOTHING, NULL},
    {"ip.addr", get_address, NULL, SGD_NOTHING, NULL},
    {"ip.port", get_port, NULL, SGD_NOTHING, NULL},
    {"media.printmode", get_mode, NULL, SGD_NOTHING, NULL},
    {"media.speed", get_speed, NULL, SGD_CODE, "^XA^PR%^XZ"},
    {"media.status", get_paper, NULL, SGD_NOTHING, NULL},
    {"media.type", get_media, NULL, SGD_NOTHING, NULL},
    {"odometer.total_label_count", get_labels, NULL, SGD_NOTHING, NULL},
    {"odometer.total_print_length", get_distance, NULL, SGD_NOTHING, NULL},
    {"print.tone", get_tone, NULL, SGD_CODE, "~SD%"},
    {"ezpl.print_method", get_method, NULL, SGD_NOTHING, NULL},
    {"sensor.cover_open", get_cover, NULL, SGD_NOTHING, NULL},
    {"sensor.paper_supply", get_paper, NULL, SGD_NOTHING, NULL},
    {"zpl.label_length", get_length, NULL, SGD_CODE, "^XA^LL%^XZ"},
    {"zpl.zpl_mode", NULL, "zpl II", SGD_NOTHING, NULL},
};

static bool find(struct pl_slice name, size_t *at)
{
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++) {
        if (pl_slice_eq_nocase(name, pl_slice_cstr(ROWS[i].name))) {
            *at = i;
            return true;
        }
    }
    return false;
}

bool sgd_get(const struct printer_face *face, struct pl_slice name, struct pl_buf *value)
{
    size_t at;
    if (!find(name, &at))
        return false;
    if (ROWS[at].get)
        ROWS[at].get(face, value);
    else
        pl_buf_append_cstr(value, ROWS[at].fixed);
    return true;
}

// Only digits and a point: a value never becomes a command.
static bool is_number(struct pl_slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        if ((value.ptr[i] < '0' || value.ptr[i] > '9') && value.ptr[i] != '.')
            return false;
    }
    return value.len > 0 && value.len <= 8;
}

enum sgd_action sgd_act(struct pl_slice name, struct pl_slice value, bool *known, struct pl_buf *code)
{
    size_t at;
    *known = find(name, &at);
    if (!*known)
        return SGD_NOTHING;
    if (ROWS[at].action != SGD_CODE)
        return ROWS[at].action;
    const char *place = strchr(ROWS[at].code, '%');
    if (place && !is_number(value))
        return SGD_NOTHING;
    // The usual prefixes by their control codes: those that hold may be others.
    for (const char *c = ROWS[at].code; *c; c++) {
        if (*c == '%')
            pl_buf_append_slice(code, value);
        else
            pl_buf_append_byte(code, *c == '^' ? 0x1E : *c == '~' ? 0x10 : (uint8_t)*c);
    }
    return SGD_CODE;
}

void sgd_names(void (*each)(void *user, const char *name), void *user)
{
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++)
        each(user, ROWS[i].name);
}
