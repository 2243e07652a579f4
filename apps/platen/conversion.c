// The names of conversions' options and how they are read.
#include "conversion.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

#define AT(member) offsetof(struct conversion_wish, member)

static const struct conversion_field CODE[] = {
    {"action", FIELD_CHOICE, AT(action), "format minify explain extract", 0, 0,
     "one of format, minify, explain, extract"},
    {"graphics", FIELD_CODING, AT(graphics), "keep", 0, 0, "keep, " CODING_LIST},
    {"table", FIELD_CHOICE, AT(table), "text json csv", 0, 0, "one of text, json, csv"},
    {"targetDpmm", FIELD_NUMBER, AT(target_dpmm), NULL, 1, 48, "a number from 1 to 48"},
};
const struct conversion_fields CODE_FIELDS = {CODE, PL_COUNTOF(CODE)};

static const struct conversion_field GRAPHIC[] = {
    {"dither", FIELD_CHOICE, AT(dither), "threshold auto floyd-steinberg atkinson ordered", 0, 0,
     "one of threshold, auto, floyd-steinberg, atkinson, ordered"},
    {"coding", FIELD_CODING, AT(coding), "default", 0, 0, CODING_LIST},
    {"form", FIELD_CHOICE, AT(form), "gf dg", 0, 0, "gf or dg"},
    {"threshold", FIELD_NUMBER, AT(threshold), NULL, 1, 99, "a number from 1 to 99"},
    {"x", FIELD_NUMBER, AT(x), NULL, 0, 32000, "a number from 0 to 32000"},
    {"y", FIELD_NUMBER, AT(y), NULL, 0, 32000, "a number from 0 to 32000"},
    {"invert", FIELD_FLAG, AT(invert), NULL, 0, 0, "true or false"},
    {"trim", FIELD_FLAG, AT(trim), NULL, 0, 0, "true or false"},
    {"exactFit", FIELD_FLAG, AT(exact_fit), NULL, 0, 0, "true or false"},
    {"bare", FIELD_FLAG, AT(bare), NULL, 0, 0, "true or false"},
    {"name", FIELD_TEXT, AT(name), NULL, 0, CONVERSION_TEXT, "a name such as R:LOGO.GRF"},
};
const struct conversion_fields GRAPHIC_FIELDS = {GRAPHIC, PL_COUNTOF(GRAPHIC)};

static const struct conversion_field FONT[] = {
    {"path", FIELD_TEXT, AT(path), NULL, 0, CONVERSION_TEXT, "a path such as E:NAME.TTF"},
    {"name", FIELD_TEXT, AT(letter), NULL, 0, CONVERSION_TEXT, "a letter for ^CW, A to Z or 0 to 9"},
    {"unicodes", FIELD_TEXT, AT(unicodes), NULL, 0, CONVERSION_RANGES, "ranges such as 0030-0039,0041-005A"},
    {"form", FIELD_CHOICE, AT(form), "du dy", 0, 0, "du or dy"},
    {"bare", FIELD_FLAG, AT(bare), NULL, 0, 0, "true or false"},
};
const struct conversion_fields FONT_FIELDS = {FONT, PL_COUNTOF(FONT)};

static bool read_choice(const char *words, struct pl_slice text, uint32_t *out)
{
    uint32_t index = 0;
    for (const char *p = words; *p; index++) {
        size_t n = strcspn(p, " ");
        if (pl_slice_eq_nocase(text, pl_slice_make(p, n))) {
            *out = index;
            return true;
        }
        p += n + (p[n] == ' ');
    }
    return false;
}

bool coding_by_name(struct pl_slice name, const char *first, uint32_t *out)
{
    for (uint32_t i = PLATEN_GRAPHIC_KEEP; i <= PLATEN_GRAPHIC_SMALLEST; i++) {
        const char *known =
            i == PLATEN_GRAPHIC_KEEP ? first : platen_graphic_coding_name((enum platen_graphic_coding)i);
        if (pl_slice_eq_nocase(name, pl_slice_cstr(known))) {
            *out = i;
            return true;
        }
    }
    return false;
}

static bool read_field(const struct conversion_field *field, struct control_value v, void *at)
{
    bool flag;
    switch (field->type) {
    case FIELD_CHOICE:
        return (!v.json || v.type == PL_JSON_STRING) && read_choice(field->words, v.text, at);
    case FIELD_CODING:
        return (!v.json || v.type == PL_JSON_STRING) && coding_by_name(v.text, field->words, at);
    case FIELD_NUMBER: {
        double number;
        if ((v.json && v.type != PL_JSON_NUMBER) || !pl_parse_double(v.text, &number) || number < field->least ||
            number > field->most)
            return false;
        memcpy(at, &number, sizeof number);
        return true;
    }
    case FIELD_FLAG:
        if (v.json ? v.type != PL_JSON_TRUE && v.type != PL_JSON_FALSE : !pl_parse_bool(v.text, &flag))
            return false;
        flag = v.json ? v.type == PL_JSON_TRUE : flag;
        memcpy(at, &flag, sizeof flag);
        return true;
    case FIELD_TEXT:
        if ((v.json && v.type != PL_JSON_STRING) || v.text.len >= (size_t)field->most ||
            (v.text.len && memchr(v.text.ptr, 0, v.text.len)))
            return false;
        if (v.text.len)
            memcpy(at, v.text.ptr, v.text.len);
        ((char *)at)[v.text.len] = '\0';
        return true;
    }
    return false;
}

bool conversion_set(struct conversion_wish *wish, const struct conversion_fields *fields, struct pl_slice name,
                    struct control_value value, bool *taken, struct problem *problem)
{
    *taken = false;
    for (size_t i = 0; i < fields->count; i++) {
        const struct conversion_field *field = &fields->items[i];
        if (!pl_slice_eq_cstr(name, field->name))
            continue;
        *taken = true;
        if (value.json && value.type == PL_JSON_NULL)
            return true;
        if (read_field(field, value, (char *)wish + field->offset)) {
            wish->given |= UINT32_C(1) << i;
            return true;
        }
        return problem_set(problem, 400, "invalid_parameter", "'%s' must be %s.", field->name, field->allowed);
    }
    return true;
}

// ---- what an output has no use for

#define BIT(control) (UINT64_C(1) << (control))
#define SIZE_BITS (BIT(CONTROL_WIDTH_MM) | BIT(CONTROL_HEIGHT_MM) | BIT(CONTROL_DPMM) | BIT(CONTROL_ROTATION))

static const struct {
    uint64_t controls;   // those that count
    const char *useless; // fields of its route that do not
} OUTPUTS[CONVERSION_COUNT] = {
    [CONVERT_CODE] = {SIZE_BITS, " table "},
    [CONVERT_EXPLAIN] = {BIT(CONTROL_DPMM), " graphics targetDpmm "},
    [CONVERT_EXTRACT] = {SIZE_BITS | BIT(CONTROL_PROFILE) | BIT(CONTROL_TIME), " graphics targetDpmm "},
    [CONVERT_GRAPHIC] = {SIZE_BITS, " "},
    [CONVERT_FONT] = {0, " "},
};

static bool is_among(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += n) {
        if (at > words && at[-1] == ' ' && at[n] == ' ')
            return true;
    }
    return false;
}

void conversion_note_useless(const struct conversion_wish *wish, const struct conversion_fields *fields,
                             struct controls *controls)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        bool counts = OUTPUTS[wish->conversion].controls & BIT(i);
        if (controls_has(controls, (enum control)i) && !counts && !control_is_of_pdf((enum control)i))
            controls_note_useless(controls, control_info((enum control)i)->name);
    }
    controls->format = OUTPUT_PNG; // whatever it said, it is no PDF
    for (size_t i = 0; fields && i < fields->count; i++) {
        if (wish->given >> i & 1 && is_among(OUTPUTS[wish->conversion].useless, fields->items[i].name))
            controls_note_useless(controls, fields->items[i].name);
    }
}
