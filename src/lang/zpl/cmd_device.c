// Settings that change no dot: darkness, speed, media. The printer says them of itself and saves them (^JU).
#include "lang/zpl/args.h"

// These change nothing that shows, so wrong values are passed over in silence.
static bool quiet_tenths(const struct zpl_args *a, int32_t least, int32_t most, int32_t *out)
{
    int64_t value;
    bool clean;
    if (!zpl_arg_given(a, 0) || !zpl_parse_number(a->item[0], &value, &clean))
        return false;
    *out = (int32_t)pl_clamp_i64(value / 1000, least, most);
    return true;
}

static void quiet_choice(const struct zpl_args *a, char *out)
{
    char letter = zpl_arg_given(a, 0) ? (char)(pl_slice_trim(a->item[0]).ptr[0] & 0xDF) : '\0';
    if (letter && strchr(a->row->info.params[0].values, letter))
        *out = letter;
}

// ^JUS saves what holds now for the next power-on. What recalls it counts only where a printer goes on from input to
// input: a picture of one input shows what the input says.
enum pl_errc zpl_cmd_configuration(struct zpl *z, const struct zpl_args *a)
{
    char action = '\0';
    quiet_choice(a, &action);
    if (action == 'S') {
        z->saved = z->printer;
        z->has_saved = true;
    } else if (z->options->after && action == 'R') {
        zpl_printer_reset(z);
    } else if (z->options->after && action == 'F') {
        zpl_printer_defaults(z);
    }
    return PL_OK;
}

enum pl_errc zpl_cmd_darkness(struct zpl *z, const struct zpl_args *a)
{
    quiet_tenths(a, 0, 300, &z->printer.device.darkness_tenths);
    return PL_OK;
}

// ^MD is relative to ~SD.
enum pl_errc zpl_cmd_darkness_step(struct zpl *z, const struct zpl_args *a)
{
    int32_t *darkness = &z->printer.device.darkness_tenths, step;
    if (quiet_tenths(a, -300, 300, &step))
        *darkness = (int32_t)pl_clamp_i64(*darkness + step, 0, 300);
    return PL_OK;
}

enum pl_errc zpl_cmd_device_letter(struct zpl *z, const struct zpl_args *a)
{
    quiet_choice(a, (char *)&z->printer.device + a->row->kind);
    return PL_OK;
}

// Inches a second: a number, or a letter from A (2) to E (12).
static void read_speed(const struct zpl_args *a, unsigned i, uint8_t *out)
{
    static const uint8_t LETTERS[] = {2, 3, 4, 6, 8, 10, 12}; // A B C and more
    int64_t value;
    bool clean;
    if (!zpl_arg_given(a, i))
        return;
    struct pl_slice s = pl_slice_trim(a->item[i]);
    uint8_t letter = s.len == 1 ? (uint8_t)(s.ptr[0] & 0xDF) : 0;
    if (letter >= 'A' && letter < 'A' + (int)PL_COUNTOF(LETTERS))
        *out = LETTERS[letter - 'A'];
    else if (zpl_parse_number(s, &value, &clean) && value >= 10000 && value <= 140000)
        *out = (uint8_t)(value / 10000);
}

enum pl_errc zpl_cmd_print_speed(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_device *d = &z->printer.device;
    read_speed(a, 0, &d->speed);
    read_speed(a, 1, &d->slew);
    read_speed(a, 2, &d->backfeed);
    return PL_OK;
}

enum pl_errc zpl_cmd_tear_off(struct zpl *z, const struct zpl_args *a)
{
    int32_t tenths;
    if (quiet_tenths(a, -1200, 1200, &tenths))
        z->printer.device.tear_off = tenths / 10;
    return PL_OK;
}

enum pl_errc zpl_cmd_ignore(struct zpl *z, const struct zpl_args *a)
{
    (void)z;
    (void)a;
    return PL_OK;
}
