// SGD: a table of names with what they read and set.
#include "printer/sgd.h"

#include <stddef.h>
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
    pl_buf_take_over(out, &text);
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

static void get_dpi(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_append_u64(out, f->dpmm == 6    ? 152
                           : f->dpmm == 8  ? 203
                           : f->dpmm == 12 ? 300
                           : f->dpmm == 24 ? 600
                                           : f->dpmm * 254u / 10);
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

static void get_distance(const struct printer_face *f, struct pl_buf *out)
{
    uint64_t inches = f->dpmm ? f->printed_dots * 10 / (f->dpmm * 254u) : 0;
    pl_buf_printf(out, "%llu INCHES, %llu CENTIMETERS", (unsigned long long)inches,
                  (unsigned long long)(f->dpmm ? f->printed_dots / (f->dpmm * 10u) : 0));
}

static void get_mac(const struct printer_face *f, struct pl_buf *out)
{
    pl_buf_printf(out, "%02X:%02X:%02X:%02X:%02X:%02X", f->mac[0], f->mac[1], f->mac[2], f->mac[3], f->mac[4],
                  f->mac[5]);
}

typedef void get_fn(const struct printer_face *f, struct pl_buf *out);

// What a row reads where that is a member of the face.
enum sgd_kind { OTHERWISE, TEXT, NUMBER16, NUMBER32, NUMBER64, FLAG, LETTER };

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

#define READS(which, of) .kind = which, .member = offsetof(struct printer_face, of)
#define CODE(text, which) .action = SGD_CODE, .code = text, .setting = which
#define FROM(low, high) .least = low, .most = high
#define SAYS(of, text, otherwise) READS(FLAG, of), .yes = text, .no = otherwise

// Setting a row either does something or gives label code: `code` with the value, or the letter of its word, in the
// place of '%'.
static const struct {
    const char *name;
    get_fn *get;
    const char *fixed;    // instead of `get`
    uint8_t kind;         // enum sgd_kind: instead of both
    uint16_t member;      // of struct printer_face
    const char *yes, *no; // FLAG
    const char *unframed; // instead of all: the answer to a control command, without what frames it
    enum sgd_action action;
    const char *code;
    enum sgd_setting setting;
    const struct sgd_word *words; // NULL: a number from `least` to `most`
    int32_t least, most;
} ROWS[] = {
    {.name = "alerts.configured", .fixed = ""},
    {.name = "appl.link_os_version", .fixed = "3.0"},
    {.name = "appl.name", READS(TEXT, firmware)},
    {.name = "device.config_report", .fixed = "", .action = SGD_CONFIG},
    {.name = "device.friendly_name", READS(TEXT, name)},
    {.name = "device.host_identification", .unframed = "HI"},
    {.name = "device.host_status", .unframed = "HS"},
    {.name = "device.languages", READS(TEXT, language)},
    {.name = "device.pause", SAYS(paused, "true", "false"), .action = SGD_PAUSE},
    {.name = "device.product_name", .get = get_product},
    {.name = "device.reset", .fixed = "", .action = SGD_RESET},
    {.name = "device.restore_defaults", .fixed = "", CODE("^XA^JUF^XZ", SET_ALL)},
    {.name = "device.status", .get = get_status},
    {.name = "device.unique_id", READS(TEXT, serial)},
    {.name = "device.uptime", .get = get_uptime},
    {.name = "ezpl.media_type", READS(LETTER, tracking), CODE("^XA^MN%^XZ", SET_TRACKING), .words = TRACKING},
    {.name = "ezpl.print_method", READS(LETTER, media), CODE("^XA^MT%^XZ", SET_MEDIA), .words = METHODS},
    {.name = "ezpl.print_width", READS(NUMBER32, width), CODE("^XA^PW%^XZ", SET_WIDTH), FROM(2, 32000)},
    {.name = "head.latch", SAYS(head_open, "open", "ok")},
    {.name = "head.resolution.in_dpi", .get = get_dpi},
    {.name = "internal_wired.mac_addr", .get = get_mac},
    {.name = "ip.addr", READS(TEXT, address)},
    {.name = "ip.port", READS(NUMBER16, port)},
    {.name = "media.printmode", READS(LETTER, mode), CODE("^XA^MM%^XZ", SET_MODE), .words = MODES},
    {.name = "media.speed", .get = get_speed, CODE("^XA^PR%^XZ", SET_SPEED), FROM(1, 14)},
    {.name = "media.status", SAYS(paper_out, "out", "ok")},
    {.name = "media.type", READS(LETTER, tracking), CODE("^XA^MN%^XZ", SET_TRACKING), .words = TRACKING},
    {.name = "odometer.total_label_count", READS(NUMBER64, printed)},
    {.name = "odometer.total_print_length", .get = get_distance},
    {.name = "print.tone", .get = get_tone, CODE("~SD%", SET_DARKNESS), FROM(0, 30)},
    {.name = "sensor.cover_open", SAYS(head_open, "yes", "no")},
    {.name = "sensor.paper_supply", SAYS(paper_out, "out", "ok")},
    {.name = "zpl.label_length", READS(NUMBER32, length), CODE("^XA^LL%^XZ", SET_LENGTH), FROM(1, 32000)},
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
    const void *member = (const char *)face + ROWS[at].member;
    switch ((enum sgd_kind)ROWS[at].kind) {
    case TEXT:
        pl_buf_append_cstr(value, *(const char *const *)member);
        break;
    case NUMBER16:
        pl_buf_append_u64(value, *(const uint16_t *)member);
        break;
    case NUMBER32:
        pl_buf_append_u64(value, *(const uint32_t *)member);
        break;
    case NUMBER64:
        pl_buf_append_u64(value, *(const uint64_t *)member);
        break;
    case FLAG:
        pl_buf_append_cstr(value, *(const bool *)member ? ROWS[at].yes : ROWS[at].no);
        break;
    case LETTER:
        put_word(ROWS[at].words, *(const char *)member, value);
        break;
    case OTHERWISE:
        if (ROWS[at].get)
            ROWS[at].get(face, value);
        else if (ROWS[at].unframed)
            put_unframed(face, ROWS[at].unframed, value);
        else
            pl_buf_append_cstr(value, ROWS[at].fixed);
        break;
    }
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
    pl_buf_take_over(code, &text);
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
