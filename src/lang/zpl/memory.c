// A printer's memory as label code.
#include "lang/zpl/memory.h"

#include "lang/zpl/state.h"

#define STX 0x02
#define ETX 0x03
#define DLE 0x10
#define RS 0x1E
#define US 0x1F

// "^XX" with numbers behind it.
static void put_command(struct pl_buf *out, uint8_t prefix, const char *name)
{
    pl_buf_append_byte(out, prefix);
    pl_buf_append_cstr(out, name);
}

static void put_number(struct pl_buf *out, int64_t value, bool more)
{
    pl_buf_append_i64(out, value);
    if (more)
        pl_buf_append_byte(out, US);
}

static void put_pair(struct pl_buf *out, const char *name, int64_t a, int64_t b)
{
    put_command(out, RS, name);
    put_number(out, a, true);
    put_number(out, b, false);
}

static void put_one(struct pl_buf *out, const char *name, int64_t value)
{
    put_command(out, RS, name);
    put_number(out, value, false);
}

static void put_letter(struct pl_buf *out, const char *name, char letter)
{
    put_command(out, RS, name);
    pl_buf_append_byte(out, (uint8_t)letter);
}

static void put_flag(struct pl_buf *out, const char *name, bool on)
{
    put_letter(out, name, on ? 'Y' : 'N');
}

static void put_name(struct pl_buf *out, const struct pl_object_name *name)
{
    char text[PL_OBJECT_NAME_TEXT_MAX];
    pl_buf_append(out, text, pl_object_name_format(name, text));
}

static void put_remap(struct pl_buf *out, unsigned set, const uint8_t *map)
{
    put_one(out, "CI", set);
    for (unsigned i = 0; i < 256; i++) {
        if (map[i] == i)
            continue;
        pl_buf_append_byte(out, US);
        put_number(out, map[i], true);
        put_number(out, i, false);
    }
}

static void put_charset(struct pl_buf *out, const struct zpl_printer *pr)
{
    for (unsigned i = 0; i < PL_COUNTOF(pr->remaps); i++) {
        if (pr->remaps[i])
            put_remap(out, i, pr->remaps[i]);
    }
    if (pr->encoding_map || pr->encoding_table) {
        put_command(out, RS, "SE");
        put_name(out, &pr->encoding_name);
    }
    put_one(out, "CI", pr->charset.set);
}

static void put_fonts(struct pl_buf *out, const struct zpl_printer *pr)
{
    for (int i = 0; i < (int)PL_COUNTOF(pr->font_of); i++) {
        const struct pl_font_file *file = pr->font_of[i];
        if (!file && !pr->missing_of[i])
            continue;
        put_letter(out, "CW", (char)(i < 26 ? 'A' + i : '0' + i - 26));
        pl_buf_append_byte(out, US);
        if (file)
            pl_buf_append_slice(out, file->name);
        else
            pl_buf_append_cstr(out, "R:MISSING.FNT");
    }
    for (uint32_t i = 0; i < pr->link_count; i++) {
        const struct zpl_link *link = &pr->links[i];
        put_command(out, RS, "FL");
        pl_buf_append_slice(out, link->file->name);
        pl_buf_append_byte(out, US);
        put_name(out, &link->base);
        pl_buf_append_byte(out, US);
        pl_buf_append_byte(out, link->linked ? '1' : '0');
    }
    put_letter(out, "CF", pr->cf_letter);
    pl_buf_append_byte(out, US);
    put_number(out, pr->cf_height, true);
    put_number(out, pr->cf_width, false);
    if (pr->last_named_font) {
        // A field without data prints nothing; what it names is the font of a later ^A@ without a name.
        put_command(out, RS, "A@N");
        pl_buf_append_byte(out, US);
        put_number(out, 0, true);
        put_number(out, 0, true);
        pl_buf_append_slice(out, pr->last_named_font->name);
        put_command(out, RS, "FS");
    }
}

static void put_clock(struct pl_buf *out, const struct zpl_clock *clock)
{
    put_command(out, RS, "SLS");
    pl_buf_append_byte(out, US);
    put_number(out, clock->language, false);
    for (int i = 0; i < 2; i++) {
        const struct zpl_clock_offset *o = &clock->offset[i];
        put_one(out, "SO", i + 2);
        const int32_t values[] = {o->months, o->days, o->years, o->hours, o->minutes, o->seconds};
        for (size_t k = 0; k < PL_COUNTOF(values); k++) {
            pl_buf_append_byte(out, US);
            put_number(out, values[k], false);
        }
    }
}

static void put_device(struct pl_buf *out, const struct zpl_device *d)
{
    put_command(out, DLE, "SD");
    pl_buf_append_i64(out, d->darkness_tenths / 10);
    if (d->darkness_tenths % 10 != 0)
        pl_buf_printf(out, ".%d", (int)(d->darkness_tenths % 10));
    put_command(out, DLE, "TA");
    pl_buf_append_i64(out, d->tear_off);
    put_letter(out, "MM", d->mode);
    put_letter(out, "MN", d->tracking);
    put_letter(out, "MT", d->media);
    put_one(out, "PR", d->speed);
    pl_buf_append_byte(out, US);
    put_number(out, d->slew, true);
    put_number(out, d->backfeed, false);
}

static void put_printer(struct pl_buf *out, const struct zpl_printer *pr)
{
    static const char TURNS[] = "NRIB";
    put_command(out, RS, "MUD");
    pl_buf_append_byte(out, US);
    put_number(out, 1, true);
    put_number(out, 1, false);
    put_letter(out, "CM", pr->drive_names[0]);
    for (int i = 1; i < 4; i++) {
        pl_buf_append_byte(out, US);
        pl_buf_append_byte(out, (uint8_t)pr->drive_names[i]);
    }
    put_charset(out, pr);
    put_fonts(out, pr);
    put_one(out, "BY", pr->by_module);
    pl_buf_append_byte(out, US);
    pl_buf_printf(out, "%u.%u", (unsigned)(pr->by_ratio_tenths / 10), (unsigned)(pr->by_ratio_tenths % 10));
    pl_buf_append_byte(out, US);
    put_number(out, pr->by_height, false);
    put_letter(out, "FW", TURNS[(unsigned)pr->fw_rotation & 3]);
    pl_buf_append_byte(out, US);
    put_number(out, (int)pr->fw_justify, false);
    put_pair(out, "LH", pr->home_x, pr->home_y);
    put_one(out, "LS", pr->shift);
    put_one(out, "LT", pr->top);
    put_flag(out, "LR", pr->reverse);
    put_flag(out, "PM", pr->mirrored);
    put_letter(out, "PO", pr->upside_down ? 'I' : 'N');
    put_letter(out, "JM", pr->half_density ? 'B' : 'A');
    put_flag(out, "MC", !pr->keep_image);
    put_flag(out, "CV", pr->validate);
    if (pr->print_width)
        put_one(out, "PW", pr->print_width);
    if (pr->label_length)
        put_one(out, "LL", pr->label_length);
    put_one(out, "PA", pr->default_glyph);
    pl_buf_append_byte(out, US);
    put_number(out, pr->bidi, true);
    put_number(out, pr->shaping, false);
    put_clock(out, &pr->clock);
    put_device(out, &pr->device);
    // Last: from here on it counts for numbers.
    if (!pr->unit_plain) {
        put_letter(out, "MU", pr->unit);
        pl_buf_append_byte(out, US);
        put_number(out, pr->unit_from, true);
        put_number(out, pr->unit_to, false);
    }
}

static void put_prefixes(struct pl_buf *out, uint8_t caret, uint8_t tilde, uint8_t comma)
{
    const struct {
        const char *name;
        uint8_t character;
    } rows[] = {{"CC", caret}, {"CT", tilde}, {"CD", comma}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        put_command(out, DLE, rows[i].name);
        pl_buf_append_byte(out, rows[i].character);
    }
}

void pl_zpl_write_settings(const void *end, struct pl_buf *out)
{
    const struct zpl *z = end;
    pl_buf_append_byte(out, STX);
    put_command(out, RS, "JUF"); // a document after the saved ones starts with those
    put_printer(out, &z->printer);
    pl_buf_append_byte(out, ETX);
    put_prefixes(out, z->lex.caret, z->lex.tilde, z->lex.comma);
}

void pl_zpl_write_saved(const void *end, struct pl_buf *out)
{
    const struct zpl *z = end;
    if (!z->has_saved)
        return;
    pl_buf_append_byte(out, STX);
    put_printer(out, &z->saved);
    put_command(out, RS, "JUS");
    pl_buf_append_byte(out, ETX);
}

// ---- objects

static void put_download(struct pl_buf *out, const struct pl_object_name *name, char letter, size_t size,
                         size_t per_row)
{
    put_command(out, DLE, "DY");
    put_name(out, name);
    pl_buf_append_byte(out, US);
    pl_buf_append_byte(out, 'B');
    pl_buf_append_byte(out, US);
    pl_buf_append_byte(out, (uint8_t)letter);
    pl_buf_append_byte(out, US);
    pl_buf_append_u64(out, size);
    pl_buf_append_byte(out, US);
    if (per_row)
        pl_buf_append_u64(out, per_row);
    pl_buf_append_byte(out, US);
}

void zpl_put_bitmap_rows(struct pl_buf *out, const struct pl_bitmap *bits)
{
    size_t per_row = ((size_t)bits->width + 7) / 8;
    for (uint32_t y = 0; y < bits->height; y++) {
        const uint64_t *row = pl_bitmap_row(bits, y);
        uint8_t *to = pl_buf_reserve(out, per_row);
        if (!to)
            return;
        for (size_t i = 0; i < per_row; i++)
            to[i] = (uint8_t)(row[i / 8] >> (56 - i % 8 * 8));
        out->len += per_row;
    }
}

static void put_bitmap(struct pl_buf *out, const struct pl_object_name *name, const struct pl_bitmap *bits)
{
    size_t per_row = ((size_t)bits->width + 7) / 8;
    put_download(out, name, 'G', per_row * bits->height, per_row);
    zpl_put_bitmap_rows(out, bits);
}

// Is there a byte in it that would end its download?
static bool has_prefix(struct pl_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (c == '^' || c == '~' || c == STX || c == ETX || c == 0x0F || c == DLE || c == RS)
            return true;
    }
    return false;
}

static void put_format(struct pl_buf *out, const struct pl_object *o)
{
    put_prefixes(out, o->prefixes[0], o->prefixes[1], o->prefixes[2]);
    pl_buf_append_byte(out, STX);
    put_command(out, RS, "DF");
    put_name(out, &o->name);
    pl_buf_append_slice(out, o->bytes);
    pl_buf_append_byte(out, ETX);
    put_prefixes(out, '^', '~', ',');
}

void pl_zpl_write_object(const struct pl_object *o, const struct pl_bitmap *picture, struct pl_buf *out)
{
    switch (o->kind) {
    case PL_OBJECT_BITMAP:
        put_bitmap(out, &o->name, o->data);
        break;
    case PL_OBJECT_PICTURE:
        if (picture)
            put_bitmap(out, &o->name, picture);
        break;
    case PL_OBJECT_FORMAT:
        put_format(out, o);
        break;
    case PL_OBJECT_FONT:
        if (!o->bitmap_font) {
            put_download(out, &o->name, 'T', o->bytes.len, 0);
            pl_buf_append_slice(out, o->bytes);
        } else if (!has_prefix(o->bytes)) {
            put_command(out, DLE, "DB");
            put_name(out, &o->name);
            pl_buf_append_byte(out, US);
            pl_buf_append_slice(out, o->bytes);
        }
        break;
    case PL_OBJECT_FILE:
        put_download(out, &o->name, 'B', o->bytes.len, 0);
        pl_buf_append_slice(out, o->bytes);
        break;
    }
}

// ---- what others ask

void pl_zpl_settings(const void *end, struct pl_lang_settings *out)
{
    const struct zpl *z = end;
    const struct zpl_printer *pr = &z->printer;
    const struct zpl_device *d = &pr->device;
    *out = (struct pl_lang_settings){.print_width = pr->print_width,
                                     .label_length = pr->label_length,
                                     .darkness_tenths = d->darkness_tenths,
                                     .tear_off = d->tear_off,
                                     .mode = d->mode,
                                     .tracking = d->tracking,
                                     .media = d->media,
                                     .speed = d->speed,
                                     .slew = d->slew,
                                     .backfeed = d->backfeed,
                                     .prefixes = {z->lex.caret, z->lex.tilde, z->lex.comma},
                                     .prefixes_since = z->lex.prefixes_since,
                                     .has_units = z->has_units};
}

const struct pl_lang_answers *pl_zpl_answers(const void *end)
{
    return &((const struct zpl *)end)->answers;
}
