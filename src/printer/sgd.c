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

static void get_language(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_cstr(out, f->language);
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

// Words of settings whose label code has a letter. The first is that of all other letters.
struct sgd_word {
    char letter;
    const char *word;
};
static const struct sgd_word TRACKING[] = {{'Y', "gap/notch"}, {'N', "continuous"}, {'M', "mark"}, {0}};
static const struct sgd_word MODES[] = {{'T', "tear off"}, {'P', "peel off"},   {'R', "rewind"},
                                        {'C', "cutter"},   {'A', "applicator"}, {0}};
static const struct sgd_word METHODS[] = {{'T', "thermal trans"}, {'D', "direct thermal"}, {0}};

static void put_word(const struct sgd_word *words, char letter, struct pl_buf *out)
{
    const struct sgd_word *w = words;
    while (w->word && w->letter != letter)
        w++;
    pl_buf_append_cstr(out, w->word ? w->word : words->word);
}

static void get_media(const struct printer_face *f, struct pl_buf *out)
{
    put_word(TRACKING, f->tracking, out);
}

static void get_mode(const struct printer_face *f, struct pl_buf *out)
{
    put_word(MODES, f->mode, out);
}

static void get_method(const struct printer_face *f, struct pl_buf *out)
{
    put_word(METHODS, f->media, out);
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

enum sgd_setting {
    SET_NONE,
    SET_WIDTH,
    SET_LENGTH,
    SET_DARKNESS,
    SET_SPEED,
    SET_MODE,
    SET_TRACKING,
    SET_MEDIA,
    SET_ALL
};

// Setting a row either does something or gives label code: `code` with the value, or the letter of its word, in the
// place of '%'.
static const struct {
    const char *name;
    get_fn *get;
    const char *fixed; // instead of `get`
    enum sgd_action action;
    const char *code;
    enum sgd_setting setting;
    const struct sgd_word *words; // NULL: a number from `least` to `most`
    int32_t least, most;
} ROWS[] = {
    {.name = "alerts.configured", .fixed = ""},
    {.name = "appl.link_os_version", .fixed = "3.0"},
    {.name = "appl.name", .get = get_firmware},
    {.name = "device.config_report", .fixed = "", .action = SGD_CONFIG},
    {.name = "device.friendly_name", .get = get_name},
    {.name = "device.host_identification", .get = get_host_identity},
    {.name = "device.host_status", .get = get_host_status},
    {.name = "device.languages", .get = get_language},
    {.name = "device.pause", .get = get_pause, .action = SGD_PAUSE},
    {.name = "device.product_name", .get = get_product},
    {.name = "device.reset", .fixed = "", .action = SGD_RESET},
    {.name = "device.restore_defaults", .fixed = "", .action = SGD_CODE, .code = "^XA^JUF^XZ", .setting = SET_ALL},
    {.name = "device.status", .get = get_status},
    {.name = "device.unique_id", .get = get_serial},
    {.name = "device.uptime", .get = get_uptime},
    {"ezpl.media_type", get_media, NULL, SGD_CODE, "^XA^MN%^XZ", SET_TRACKING, TRACKING, 0, 0},
    {"ezpl.print_method", get_method, NULL, SGD_CODE, "^XA^MT%^XZ", SET_MEDIA, METHODS, 0, 0},
    {"ezpl.print_width", get_width, NULL, SGD_CODE, "^XA^PW%^XZ", SET_WIDTH, NULL, 2, 32000},
    {.name = "head.latch", .get = get_latch},
    {.name = "head.resolution.in_dpi", .get = get_dpi},
    {.name = "internal_wired.mac_addr", .get = get_mac},
    {.name = "ip.addr", .get = get_address},
    {.name = "ip.port", .get = get_port},
    {"media.printmode", get_mode, NULL, SGD_CODE, "^XA^MM%^XZ", SET_MODE, MODES, 0, 0},
    {"media.speed", get_speed, NULL, SGD_CODE, "^XA^PR%^XZ", SET_SPEED, NULL, 1, 14},
    {.name = "media.status", .get = get_paper},
    {"media.type", get_media, NULL, SGD_CODE, "^XA^MN%^XZ", SET_TRACKING, TRACKING, 0, 0},
    {.name = "odometer.total_label_count", .get = get_labels},
    {.name = "odometer.total_print_length", .get = get_distance},
    {"print.tone", get_tone, NULL, SGD_CODE, "~SD%", SET_DARKNESS, NULL, 0, 30},
    {.name = "sensor.cover_open", .get = get_cover},
    {.name = "sensor.paper_supply", .get = get_paper},
    {"zpl.label_length", get_length, NULL, SGD_CODE, "^XA^LL%^XZ", SET_LENGTH, NULL, 1, 32000},
    {.name = "zpl.zpl_mode", .fixed = "zpl II"},
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

// "12" or "12.5" in tenths: only digits and a point, so that a value never becomes a command.
static bool read_tenths(struct pl_slice value, int32_t *tenths)
{
    int32_t whole = 0;
    size_t at = 0;
    while (at < value.len && at < 6 && pl_is_digit(value.ptr[at]))
        whole = whole * 10 + (value.ptr[at++] - '0');
    *tenths = whole * 10;
    if (at == 0 || at == value.len)
        return at > 0;
    if (value.len != at + 2 || value.ptr[at] != '.' || value.ptr[at + 1] < '0' || value.ptr[at + 1] > '9')
        return false;
    *tenths += value.ptr[at + 1] - '0';
    return true;
}

// What the label code has in the place of '%'. False: the setting cannot have this value.
static bool understand(size_t row, struct pl_slice value, struct pl_buf *text, int32_t *tenths, char *letter)
{
    const struct sgd_word *words = ROWS[row].words;
    for (; words && words->word; words++) {
        if (pl_slice_eq_nocase(value, pl_slice_cstr(words->word))) {
            *letter = words->letter;
            pl_buf_append_byte(text, (uint8_t)words->letter);
            return true;
        }
    }
    bool whole = ROWS[row].setting != SET_DARKNESS;
    if (ROWS[row].words || !read_tenths(value, tenths) || *tenths < ROWS[row].least * 10 ||
        *tenths > ROWS[row].most * 10 || (whole && *tenths % 10 != 0))
        return false;
    pl_buf_append_u64(text, (uint64_t)(*tenths / 10));
    if (*tenths % 10 != 0)
        pl_buf_printf(text, ".%d", *tenths % 10);
    return true;
}

static void expect(enum sgd_setting setting, int32_t tenths, char letter, struct sgd_values *values)
{
    static const struct sgd_values FACTORY = {
        .darkness_tenths = 100, .speed = 4, .mode = 'T', .tracking = 'Y', .media = 'T'};
    switch (setting) {
    case SET_WIDTH:
        values->width = (uint32_t)tenths / 10;
        break;
    case SET_LENGTH:
        values->length = (uint32_t)tenths / 10;
        break;
    case SET_DARKNESS:
        values->darkness_tenths = tenths;
        break;
    case SET_SPEED:
        values->speed = (uint8_t)(tenths / 10);
        break;
    case SET_MODE:
        values->mode = letter;
        break;
    case SET_TRACKING:
        values->tracking = letter;
        break;
    case SET_MEDIA:
        values->media = letter;
        break;
    case SET_ALL:
        *values = FACTORY;
        break;
    case SET_NONE:
        break;
    }
}

enum sgd_action sgd_act(struct pl_slice name, struct pl_slice value, bool *known, struct pl_buf *code,
                        struct sgd_values *values)
{
    size_t at;
    int32_t tenths = 0;
    char letter = 0;
    struct pl_buf text;
    *known = find(name, &at);
    if (!*known)
        return SGD_NOTHING;
    if (ROWS[at].action != SGD_CODE)
        return ROWS[at].action;
    pl_buf_init(&text, 16);
    bool good = !strchr(ROWS[at].code, '%') || understand(at, value, &text, &tenths, &letter);
    // The usual prefixes by their control codes: those that hold may be others.
    for (const char *c = ROWS[at].code; good && *c; c++) {
        if (*c == '%')
            pl_buf_append_slice(code, pl_buf_slice(&text));
        else
            pl_buf_append_byte(code, *c == '^' ? 0x1E : *c == '~' ? 0x10 : (uint8_t)*c);
    }
    pl_buf_inherit(code, &text);
    pl_buf_fini(&text);
    if (!good)
        return SGD_NOTHING;
    expect(ROWS[at].setting, tenths, letter, values);
    return SGD_CODE;
}

void sgd_names(void (*each)(void *user, const char *name), void *user)
{
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++)
        each(user, ROWS[i].name);
}
