// Reading --printer.
#include "printer_spec.h"

#include <platen/platen.h>
#include <stdio.h>
#include <string.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "base/limits.h"
#include "base/slice.h"

#define MM_PER_INCH 25.4
#define SIDE_MM_MAX 2000.0
#define NUMBER_MAX 23

static bool copy_text(struct pl_slice from, char *to, size_t room)
{
    if (from.len == 0 || from.len > room)
        return false;
    memcpy(to, from.ptr, from.len);
    to[from.len] = '\0';
    return true;
}

static bool read_name(struct printer_spec *spec, struct pl_slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        uint8_t c = value.ptr[i];
        bool good = pl_is_letter(c) || pl_is_digit(c) || c == '-' || c == '_';
        if (!good)
            return false;
    }
    // Words of the API's paths.
    return !pl_slice_eq_cstr(value, "events") && copy_text(value, spec->name, PRINTER_NAME_MAX);
}

// A number without sign and exponent; *text goes on behind it.
static bool read_number(struct pl_slice *text, double *out)
{
    size_t n = 0;
    while (n < text->len && n < NUMBER_MAX && (pl_is_digit(text->ptr[n]) || text->ptr[n] == '.'))
        n++;
    struct pl_slice number = pl_slice_sub(*text, 0, n);
    *text = pl_slice_sub(*text, n, text->len);
    return pl_parse_double(number, out);
}

// To a thousandth, so that it reads as it was meant.
static double rounded(double mm)
{
    return (double)(int64_t)(mm * 1000 + 0.5) / 1000;
}

static bool read_size(struct printer_spec *spec, struct pl_slice value)
{
    if (pl_slice_eq_nocase(value, pl_slice_cstr("auto"))) {
        spec->fits = true;
        return true;
    }
    double width, height;
    if (!read_number(&value, &width) || value.len == 0 || (value.ptr[0] != 'x' && value.ptr[0] != 'X'))
        return false;
    value = pl_slice_sub(value, 1, value.len);
    if (!read_number(&value, &height))
        return false;
    double unit = pl_slice_eq_nocase(value, pl_slice_cstr("in"))   ? MM_PER_INCH
                  : pl_slice_eq_nocase(value, pl_slice_cstr("mm")) ? 1
                                                                   : 0;
    spec->fits = false;
    spec->width_mm = rounded(width * unit);
    spec->height_mm = rounded(height * unit);
    return spec->width_mm > 0 && spec->height_mm > 0 && spec->width_mm <= SIDE_MM_MAX && spec->height_mm <= SIDE_MM_MAX;
}

static bool read_dpmm(struct printer_spec *spec, struct pl_slice value)
{
    double dpmm;
    if (!read_number(&value, &dpmm) || value.len > 0)
        return false;
    spec->dpmm = (uint32_t)dpmm;
    return dpmm == 6 || dpmm == 8 || dpmm == 12 || dpmm == 24;
}

const char *printer_language_name(const struct printer_spec *spec)
{
    const char *name = "", *title;
    platen_language_names(spec->language, &name, &title);
    return name;
}

static bool read_language(struct printer_spec *spec, struct pl_slice value)
{
    return language_by_name(value, &spec->language);
}

static bool read_profile(struct printer_spec *spec, struct pl_slice value)
{
    spec->reference = pl_slice_eq_cstr(value, "reference");
    return spec->reference || pl_slice_eq_cstr(value, "printer");
}

static bool read_model(struct printer_spec *spec, struct pl_slice value)
{
    struct platen_printer_model model;
    for (uint32_t i = 0; platen_printer_model_at(i, &model); i++) {
        spec->model = i;
        if (pl_slice_eq_nocase(value, pl_slice_cstr(model.name)))
            return true;
    }
    return false;
}

static bool read_spare(struct printer_spec *spec, struct pl_slice value)
{
    spec->is_spare = pl_slice_eq_cstr(value, "on");
    return spec->is_spare || pl_slice_eq_cstr(value, "off");
}

// Where no density was given, a model brings its own.
static uint32_t default_dpmm(const struct printer_spec *spec)
{
    struct platen_printer_model model = {0};
    return spec->model > 0 && platen_printer_model_at(spec->model, &model) ? model.dpmm : 8;
}

static const struct {
    const char *key;
    bool (*read)(struct printer_spec *spec, struct pl_slice value);
    const char *allowed;
    bool is_makers; // whoever makes a spare printer may set it
    size_t address; // `read` is NULL: where in the spec the address is
} KEYS[] = {
    {"name", read_name, "1 to 31 letters, digits, - and _, and not events", true, 0},
    {"listen", NULL, "an address such as 127.0.0.1:9100", false, offsetof(struct printer_spec, listen)},
    {"size", read_size, "4x6in, 100x150mm or auto", true, 0},
    {"dpmm", read_dpmm, "6, 8, 12 or 24", true, 0},
    {"language", read_language, "zpl, epl, tspl or cpcl", true, 0},
    {"profile", read_profile, "printer or reference", false, 0},
    {"model", read_model, "a printer model that 'platen render --help' lists, such as zd621-203", false, 0},
    {"json", NULL, "an address such as 127.0.0.1:9200", false, offsetof(struct printer_spec, json)},
    {"lpd", NULL, "an address such as 127.0.0.1:515", false, offsetof(struct printer_spec, lpd)},
    {"spare", read_spare, "on or off", false, 0},
};

const char *printer_spec_choose(struct printer_spec *spec, struct pl_slice key, struct pl_slice value)
{
    for (size_t i = 0; i < PL_COUNTOF(KEYS); i++) {
        if (KEYS[i].is_makers && pl_slice_eq_cstr(key, KEYS[i].key))
            return KEYS[i].read(spec, value) ? NULL : KEYS[i].allowed;
    }
    return "one of name, size, dpmm and language";
}

// `seen` has a bit for each key that was read before.
static enum pl_errc read_key(struct printer_spec *spec, uint32_t *seen, struct pl_slice key, struct pl_slice value,
                             struct pl_error *err)
{
    for (size_t i = 0; i < PL_COUNTOF(KEYS); i++) {
        if (!pl_slice_eq_cstr(key, KEYS[i].key))
            continue;
        if (*seen & 1u << i)
            return pl_fail(err, PL_E_INVALID, "--printer: '%s' is given twice for one printer", KEYS[i].key);
        *seen |= 1u << i;
        bool ok = KEYS[i].read ? KEYS[i].read(spec, value)
                               : copy_text(value, (char *)spec + KEYS[i].address, PRINTER_ADDRESS_MAX);
        return ok ? PL_OK
                  : pl_fail(err, PL_E_INVALID, "--printer: '%s' is '%.*s', but must be %s", KEYS[i].key,
                            (int)PL_MIN(value.len, (size_t)64), (const char *)value.ptr, KEYS[i].allowed);
    }
    return pl_fail(
        err, PL_E_INVALID,
        "--printer: there is no '%.*s'; the keys are name, listen, size, dpmm, language, profile, model, json, lpd "
        "and spare",
        (int)PL_MIN(key.len, (size_t)32), (const char *)key.ptr);
}

static enum pl_errc read_spec(struct pl_slice text, uint32_t index, struct printer_spec *spec, struct pl_error *err)
{
    uint32_t seen = 0;
    *spec = (struct printer_spec){
        .width_mm = PL_DEFAULT_WIDTH_MM, .height_mm = PL_DEFAULT_HEIGHT_MM, .language = PLATEN_LANGUAGE_ZPL};
    snprintf(spec->name, sizeof spec->name, index == 0 ? "printer" : "printer%u", index + 1);
    while (text.len > 0) {
        struct pl_slice value = pl_slice_trim(pl_slice_until(&text, ','));
        if (value.len == 0)
            continue;
        bool has_key = memchr(value.ptr, '=', value.len) != NULL;
        struct pl_slice key = has_key ? pl_slice_trim(pl_slice_until(&value, '=')) : pl_slice_cstr("listen");
        PL_TRY(read_key(spec, &seen, key, pl_slice_trim(value), err));
    }
    if (spec->dpmm == 0)
        spec->dpmm = default_dpmm(spec);
    if (!spec->listen[0])
        snprintf(spec->listen, sizeof spec->listen, "127.0.0.1:%u", 9100 + index);
    return PL_OK;
}

enum pl_errc printer_specs_read(const char *text, struct printer_spec *specs, uint32_t *count, struct pl_error *err)
{
    struct pl_slice rest = pl_slice_cstr(text ? text : "");
    *count = 0;
    while (rest.len > 0) {
        struct pl_slice one = pl_slice_trim(pl_slice_until(&rest, ';'));
        if (one.len == 0)
            continue;
        if (*count == PRINTERS_MAX)
            return pl_fail(err, PL_E_INVALID, "--printer: there may be %u printers", PRINTERS_MAX);
        PL_TRY(read_spec(one, *count, &specs[*count], err));
        for (uint32_t i = 0; i < *count; i++) {
            if (strcmp(specs[i].name, specs[*count].name) == 0)
                return pl_fail(err, PL_E_INVALID, "--printer: two printers are called '%s'", specs[i].name);
        }
        ++*count;
    }
    return PL_OK;
}
