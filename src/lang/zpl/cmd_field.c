// Commands of the field: place, data, indicators, serial numbers, clock.
#include "lang/zpl/args.h"

// The place of a parameter in the input.
static void find_parameter(const struct zpl *z, const struct zpl_args *a, unsigned i, uint32_t *offset,
                           uint32_t *length)
{
    if (i >= a->count)
        return;
    struct pl_slice s = pl_slice_trim(a->item[i]), text = z->lex.text;
    if (s.len == 0 || s.ptr < text.ptr || s.ptr + s.len > text.ptr + text.len)
        return;
    *offset = z->lex.origin + (uint32_t)(s.ptr - text.ptr);
    *length = (uint32_t)s.len;
}

static struct pl_place_source place_source(const struct zpl *z, const struct zpl_args *a)
{
    struct pl_place_source p = {.x = z->field.x, .y = z->field.y};
    if (!z->lex.mapped)
        return p;
    p.source = a->source;
    p.unit_dots = z->printer.unit_plain ? 1 : (float)zpl_scale_dots(z, 100000000) / 10000;
    find_parameter(z, a, 0, &p.x_offset, &p.x_length);
    find_parameter(z, a, 1, &p.y_offset, &p.y_length);
    return p;
}

static void report_moved(struct zpl *z, const struct zpl_args *a)
{
    struct pl_diag *d =
        pl_diag_add(z->diags, PL_DIAG_FIELD_UNTERMINATED, a->source, 0,
                    "%s: the field before it has no ^FS; that field was moved to this place.", a->source.command);
    if (d)
        d->severity = PL_SEV_WARNING;
}

enum pl_errc zpl_cmd_place(struct zpl *z, const struct zpl_args *a)
{
    const bool typeset = a->row->kind;
    // A graphic that has no ^FS is drawn.
    struct zpl_field *f = &z->field;
    if (f->graphic != ZPL_NO_GRAPHIC || !z->profile->place_moves_open_field)
        PL_TRY(zpl_field_flush(z, a->source.offset));
    else if (f->has_data)
        report_moved(z, a);
    zpl_field_touch(z, a);
    f->has_position = true;
    f->typeset = typeset;
    f->x = f->y = 0;
    bool x_given = zpl_arg_int(z, a, 0, &f->x);
    bool y_given = zpl_arg_int(z, a, 1, &f->y);
    f->x_goes_on = typeset && !x_given;
    f->y_goes_on = typeset && !y_given;
    f->placed_by = place_source(z, a);
    char c;
    f->has_justify = zpl_arg_choice(z, a, 2, &c);
    if (f->has_justify)
        f->justify = c == '1' ? PL_JUSTIFY_RIGHT : c == '2' ? PL_JUSTIFY_AUTO : PL_JUSTIFY_LEFT;
    return PL_OK;
}

// The data is read with the indicators that stand before it.
static void take_data(struct zpl_field *f, struct pl_slice data, const struct zpl_args *a)
{
    f->has_data = true;
    f->data = data;
    f->data_marks = f->marks;
    memcpy(f->data_command, a->source.command, sizeof(f->data_command));
}

enum pl_errc zpl_cmd_data(struct zpl *z, const struct zpl_args *a)
{
    const bool variable = a->row->kind;
    struct zpl_field *f = &z->field;
    if (variable && a->raw.len == 0)
        return PL_OK;
    zpl_field_touch(z, a);
    // ^SN brings its own value.
    if (f->serial.has_number && (a->raw.len == 0 || !z->profile->data_replaces_serial))
        return PL_OK;
    f->serial.has_number = false;
    // Some generators send an empty ^FD first.
    if (f->has_data && pl_slice_trim(f->data).len > 0)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, a->source, 0,
                    "%s: the field already has data; the earlier data was left out.", a->source.command);
    take_data(f, a->raw, a);
    f->variable = variable;
    return PL_OK;
}

enum pl_errc zpl_cmd_field_separator(struct zpl *z, const struct zpl_args *a)
{
    return zpl_field_end(z, a->source.offset + PL_MIN(a->source.length, 3u));
}

// ^FH, ^FE and ^FC behind the data of their field change nothing any more.
static void report_late(struct zpl *z, const struct zpl_args *a)
{
    if (z->field.has_data)
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 0,
                    "%s: comes after the data of its field and has no effect on it; it belongs before %s.",
                    a->source.command, z->field.data_command);
}

// One character, taken as it is; `fallback` where there is none.
static uint8_t one_char(const struct zpl_args *a, unsigned i, uint8_t fallback)
{
    if (i >= a->count || a->item[i].len == 0)
        return fallback;
    uint8_t c = a->item[i].ptr[0];
    return c == '\r' || c == '\n' ? fallback : c;
}

enum pl_errc zpl_cmd_field_hex(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    report_late(z, a);
    // Even the delimiter may be the indicator.
    uint8_t c = a->raw.len > 0 ? a->raw.ptr[0] : '_';
    z->field.marks.hex = c == '\r' || c == '\n' ? '_' : c;
    return PL_OK;
}

enum pl_errc zpl_cmd_field_embed(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    report_late(z, a);
    z->field.marks.embed = one_char(a, 0, '#');
    return PL_OK;
}

enum pl_errc zpl_cmd_field_clock(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    report_late(z, a);
    z->field.marks.clock[0] = one_char(a, 0, '%');
    z->field.marks.clock[1] = one_char(a, 1, 0);
    z->field.marks.clock[2] = one_char(a, 2, 0);
    return PL_OK;
}

enum pl_errc zpl_cmd_field_number(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    // The number ends where a prompt in quotes begins.
    struct zpl_args number = *a;
    struct pl_slice digits = a->count ? a->item[0] : pl_slice_make(NULL, 0);
    const uint8_t *quote = digits.len ? memchr(digits.ptr, '"', digits.len) : NULL;
    if (quote)
        digits.len = (size_t)(quote - digits.ptr);
    number.item = &digits;
    number.count = 1;
    z->field.number = 0;
    zpl_arg_int(z, &number, 0, &z->field.number);
    return PL_OK;
}

enum pl_errc zpl_cmd_field_reverse(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    z->field.reverse = true;
    return PL_OK;
}

enum pl_errc zpl_cmd_field_orientation(struct zpl *z, const struct zpl_args *a)
{
    bool given = zpl_arg_rotation(z, a, 0, &z->printer.fw_rotation);
    if (given && z->field.has_rotation && z->profile->fw_turns_open_text)
        z->field.rotation = z->printer.fw_rotation;
    char c;
    if (zpl_arg_choice(z, a, 1, &c))
        z->printer.fw_justify = c == '1' ? PL_JUSTIFY_RIGHT : c == '2' ? PL_JUSTIFY_AUTO : PL_JUSTIFY_LEFT;
    return PL_OK;
}

enum pl_errc zpl_cmd_field_direction(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    char c = 'H';
    zpl_arg_choice(z, a, 0, &c);
    z->field.direction = c == 'V' ? PL_DIR_VERTICAL : c == 'R' ? PL_DIR_REVERSE : PL_DIR_HORIZONTAL;
    z->field.gap = 0;
    zpl_arg_int(z, a, 1, &z->field.gap);
    return PL_OK;
}

// Does the value that begins here leave out a position of ^FM?
static bool is_excluded(struct pl_slice value)
{
    value = pl_slice_trim(value);
    return value.len > 0 && (value.ptr[0] | 32) == 'e';
}

// ^FM x1,y1,x2,y2,…: up to 60 pairs, more than a list of parameters holds.
enum pl_errc zpl_cmd_field_origins(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    enum { MAX_ORIGINS = 60 };
    int32_t(*list)[2] = pl_arena_array(z->arena, MAX_ORIGINS, sizeof(*list), _Alignof(int32_t));
    if (!list)
        return pl_fail_memory(z->err);
    uint32_t values = 0;
    size_t from = 0;
    for (size_t i = 0; i <= a->raw.len && values < MAX_ORIGINS * 2; i++) {
        if (i < a->raw.len && !(z->lex.classes[a->raw.ptr[i]] & ZPL_CLASS_SPLIT))
            continue;
        struct pl_slice item = pl_slice_trim(pl_slice_sub(a->raw, from, i - from));
        from = i + 1;
        int64_t v;
        bool clean;
        bool excluded = is_excluded(item);
        int32_t dots = -1;
        if (!excluded && zpl_parse_number(item, &v, &clean))
            dots = pl_clamp_i32(zpl_scale_dots(z, v), 0, 32000);
        list[values / 2][values % 2] = dots;
        values++;
        // An excluded pair is one letter or two.
        if (excluded && values % 2 && !is_excluded(pl_slice_sub(a->raw, from, a->raw.len))) {
            list[values / 2][1] = -1;
            values++;
        }
    }
    for (uint32_t i = 0; i < values / 2; i++) {
        if (list[i][0] >= 0) {
            list[i][0] += z->printer.home_x - z->printer.shift;
            list[i][1] += z->printer.home_y;
        }
    }
    z->field.positions = list;
    z->field.position_count = values / 2;
    return PL_OK;
}

enum pl_errc zpl_cmd_serial_number(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    static const uint8_t ONE[] = {'1'};
    int32_t step = 1;
    bool zeros = false;
    zpl_arg_int(z, a, 1, &step);
    zpl_arg_flag(z, a, 2, &zeros);
    take_data(f, a->count && a->item[0].len ? a->item[0] : pl_slice_make(ONE, 1), a);
    f->serial.has_number = true;
    f->serial.increment = step;
    f->serial.zeros = zeros;
    return PL_OK;
}

enum pl_errc zpl_cmd_serial_field(struct zpl *z, const struct zpl_args *a)
{
    if (!zpl_arg_given(a, 0))
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1,
                                       "^SF: the mask is missing; the command was ignored."));
    zpl_field_touch(z, a);
    struct zpl_serial *s = &z->field.serial;
    s->has_mask = true;
    s->mask = pl_slice_trim(a->item[0]);
    s->mask_increment = a->count > 1 ? pl_slice_trim(a->item[1]) : pl_slice_make(NULL, 0);
    return PL_OK;
}

enum pl_errc zpl_cmd_clock_offset(struct zpl *z, const struct zpl_args *a)
{
    int32_t clock;
    if (!zpl_arg_int(z, a, 0, &clock))
        return PL_REPORTED(
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^SO: the clock (2 or 3) is missing."));
    struct zpl_clock_offset *o = &z->printer.clock.offset[clock - 2];
    *o = (struct zpl_clock_offset){0};
    zpl_arg_int(z, a, 1, &o->months);
    zpl_arg_int(z, a, 2, &o->days);
    zpl_arg_int(z, a, 3, &o->years);
    zpl_arg_int(z, a, 4, &o->hours);
    zpl_arg_int(z, a, 5, &o->minutes);
    zpl_arg_int(z, a, 6, &o->seconds);
    return PL_OK;
}

enum pl_errc zpl_cmd_clock_set(struct zpl *z, const struct zpl_args *a)
{
    struct pl_date d;
    pl_date_from_seconds(z->printer.clock.now, &d);
    zpl_arg_int(z, a, 0, &d.month);
    zpl_arg_int(z, a, 1, &d.day);
    zpl_arg_int(z, a, 2, &d.year);
    zpl_arg_int(z, a, 3, &d.hour);
    zpl_arg_int(z, a, 4, &d.minute);
    zpl_arg_int(z, a, 5, &d.second);
    char format = 'M';
    zpl_arg_choice(z, a, 6, &format);
    if (format != 'M')
        d.hour = d.hour % 12 + (format == 'P' ? 12 : 0);
    z->printer.clock.now = pl_date_to_seconds(d.year, d.month, d.day, d.hour, d.minute, d.second);
    return PL_OK;
}
