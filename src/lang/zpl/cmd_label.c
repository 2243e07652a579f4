// Commands of the whole label and the printer: brackets, quantity, home, units, orientation, resets.
#include <stddef.h>

#include "lang/zpl/args.h"

enum pl_errc zpl_cmd_format_start(struct zpl *z, const struct zpl_args *a)
{
    // A stored file may hold a whole format; recalled, its brackets mean nothing.
    return z->depth > 0 ? PL_OK : zpl_label_begin(z, a->source);
}

enum pl_errc zpl_cmd_format_end(struct zpl *z, const struct zpl_args *a)
{
    return z->depth > 0 ? PL_OK : zpl_label_end(z, a->source);
}

enum pl_errc zpl_cmd_quantity(struct zpl *z, const struct zpl_args *a)
{
    int32_t v = 1;
    if (zpl_arg_int(z, a, 0, &v))
        z->label.quantity = (uint32_t)v;
    if (zpl_arg_int(z, a, 2, &v))
        z->label.replicates = (uint32_t)v;
    return PL_OK;
}

// Commands whose parameters are settings of the printer, as they are given.
#define AT(kind, member)                                                                                               \
    {                                                                                                                  \
        ZPL_##kind, offsetof(struct zpl_printer, member)                                                               \
    }
static const struct zpl_member SETTINGS[][3] = {
    [ZPL_SET_HOME] = {AT(NUMBER, home_x), AT(NUMBER, home_y)},
    [ZPL_SET_LENGTH] = {AT(NUMBER, label_length)},
    [ZPL_SET_REVERSE] = {AT(FLAG, reverse)},
    [ZPL_SET_SHIFT] = {AT(NUMBER, shift)},
    [ZPL_SET_TOP] = {AT(NUMBER, top)},
    [ZPL_SET_MIRROR] = {AT(FLAG, mirrored)},
    [ZPL_SET_VALIDATION] = {AT(FLAG, validate)},
    [ZPL_SET_TEXT] = {AT(FLAG, default_glyph), AT(FLAG, bidi), AT(FLAG, shaping)},
    [ZPL_SET_CLOCK] = {{0}, AT(NUMBER, clock.language)},
    [ZPL_SET_BARCODES] = {AT(NUMBER, by_module), AT(TENTHS, by_ratio_tenths), AT(NUMBER, by_height)},
};

enum pl_errc zpl_cmd_setting(struct zpl *z, const struct zpl_args *a)
{
    zpl_args_into(z, a, 0, SETTINGS[a->row->kind], PL_COUNTOF(SETTINGS[0]), &z->printer);
    return PL_OK;
}

enum pl_errc zpl_cmd_map_clear(struct zpl *z, const struct zpl_args *a)
{
    bool clear = true;
    if (zpl_arg_flag(z, a, 0, &clear))
        z->printer.keep_image = !clear;
    return PL_OK;
}

enum pl_errc zpl_cmd_units(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_printer *pr = &z->printer;
    char unit = 'D';
    zpl_arg_choice(z, a, 0, &unit);
    pr->unit = unit;
    int32_t from = 0, to = 0;
    if (zpl_arg_int(z, a, 1, &from) && zpl_arg_int(z, a, 2, &to)) {
        pr->unit_from = (uint32_t)from;
        pr->unit_to = (uint32_t)to;
    }
    pr->unit_plain = pr->unit == 'D' && pr->unit_from == pr->unit_to;
    z->has_units |= !pr->unit_plain;
    return PL_OK;
}

enum pl_errc zpl_cmd_orientation(struct zpl *z, const struct zpl_args *a)
{
    char c;
    if (zpl_arg_choice(z, a, 0, &c))
        z->printer.upside_down = c == 'I';
    return PL_OK;
}

enum pl_errc zpl_cmd_print_width(struct zpl *z, const struct zpl_args *a)
{
    // Generators send ^PW0 for "as wide as it is"; nothing would be left of the label by the nearest allowed width.
    int32_t v;
    if (!zpl_arg_int(z, a, 0, &v))
        return PL_OK;
    if (v < 2)
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_RANGE, a->source, 1,
                    "^PW: a label is at least 2 dots wide; the command was ignored.");
    else
        z->printer.print_width = (uint32_t)v;
    return PL_OK;
}

enum pl_errc zpl_cmd_half_density(struct zpl *z, const struct zpl_args *a)
{
    char c;
    if (zpl_arg_choice(z, a, 0, &c))
        z->printer.half_density = c == 'B';
    return PL_OK;
}

// ~JA: what was received before it and has not been printed is gone. Nothing counts as printed before the end of the
// input.
enum pl_errc zpl_cmd_cancel_all(struct zpl *z, const struct zpl_args *a)
{
    if (z->labels.count > 0 || z->label.open)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, a->source, 0, "~JA cancels all labels before it.");
    z->labels.count = 0;
    z->format_count = 0;
    z->labels.printed = z->labels.copied = 0;
    zpl_label_drop(z);
    return PL_OK;
}

// ~JX: the open format is gone, with the text that a recall of it still had to bring.
enum pl_errc zpl_cmd_cancel_format(struct zpl *z, const struct zpl_args *a)
{
    if (z->label.open)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, a->source, 0, "~JX cancels the format that contains it.");
    zpl_label_drop(z);
    if (z->depth > 0) {
        z->lex = z->frames[0];
        z->depth = 0;
    }
    return PL_OK;
}

enum pl_errc zpl_cmd_power_on_reset(struct zpl *z, const struct zpl_args *a)
{
    zpl_label_drop(z);
    zpl_printer_reset(z);
    z->kept_count = 0;
    struct pl_object_name all;
    pl_object_name_parse(pl_slice_cstr("R:*.*"), "", "", &all);
    PL_TRY(zpl_delete_objects(z, a, &all));
    if (z->depth > 0) {
        z->lex = z->frames[0];
        z->depth = 0;
    }
    zpl_lexer_prefixes(&z->lex, '^', '~', ',');
    return PL_OK;
}

static bool arg_is(const struct zpl_args *a, unsigned i, const char *choices)
{
    if (!zpl_arg_given(a, i))
        return true;
    const uint8_t c = a->item[i].len == 1 ? a->item[i].ptr[0] : 0;
    return c && strchr(choices, pl_is_lower(c) ? c - 'a' + 'A' : c);
}

// ^RFW,H into the bank of the EPC, from its start (word 2).
static bool writes_epc(const struct zpl_args *a)
{
    return arg_is(a, 0, "W") && arg_is(a, 1, "H") && arg_is(a, 2, "02") && arg_is(a, 4, "1E");
}

// ^RF, ^WT and their kin take the field's data for a tag: it does not print.
enum pl_errc zpl_cmd_rfid_data(struct zpl *z, const struct zpl_args *a)
{
    if (z->label.open) {
        zpl_field_touch(z, a);
        z->field.silent = true;
        z->field.writes_epc = strcmp(a->source.command, "^RF") == 0 && writes_epc(a);
    }
    return PL_OK;
}
