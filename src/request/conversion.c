// The names of conversions' options and how they are read.
#include "request/conversion.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"

#define AT(member)                                                                                                     \
    .offset = offsetof(struct conversion_request, member), .size = sizeof((struct conversion_request *)NULL)->member
#define LENGTH_UNITS "keep dots mm in"  // in the order of enum platen_length_unit
#define CODINGS " acs hex z64 smallest" // behind the name of the first, in the order of enum platen_graphic_coding

static const struct control_row CODE[] = {
    {.name = "action", .kind = KIND_WORD, AT(action), .words = "format minify explain extract"},
    {.name = "graphics", .kind = KIND_WORD, AT(graphics), .words = "keep" CODINGS},
    {.name = "table", .kind = KIND_WORD, AT(table), .words = "text json csv"},
    {.name = "targetDpmm", .kind = KIND_NUMBER, AT(target_dpmm), .least = PL_DPMM_MIN, .most = PL_DPMM_MAX},
    {.name = "utf8", .kind = KIND_FLAG, AT(utf8)},
    {.name = "toLanguage", .kind = KIND_WORD, AT(to_language), .words = "keep" TARGET_LANGUAGES},
    {.name = "units", .kind = KIND_WORD, AT(unit), .words = LENGTH_UNITS},
};
const struct conversion_fields CODE_FIELDS = {CODE, PL_COUNTOF(CODE)};

static const struct control_row GRAPHIC[] = {
    {.name = "dither", .kind = KIND_WORD, AT(dither), .words = "threshold auto floyd-steinberg atkinson ordered"},
    {.name = "coding", .kind = KIND_WORD, AT(coding), .words = "default" CODINGS, .allowed = CODING_LIST},
    {.name = "form", .kind = KIND_WORD, AT(form), .words = "gf dg"},
    {.name = "threshold", .kind = KIND_NUMBER, AT(threshold), .least = 1, .most = 99},
    {.name = "x", .kind = KIND_NUMBER, AT(x), .most = 32000},
    {.name = "y", .kind = KIND_NUMBER, AT(y), .most = 32000},
    {.name = "invert", .kind = KIND_FLAG, AT(invert)},
    {.name = "trim", .kind = KIND_FLAG, AT(trim)},
    {.name = "exactFit", .kind = KIND_FLAG, AT(exact_fit)},
    {.name = "bare", .kind = KIND_FLAG, AT(bare)},
    {.name = "name", .kind = KIND_CHARS, AT(name), .allowed = "a name such as R:LOGO.GRF"},
};
const struct conversion_fields GRAPHIC_FIELDS = {GRAPHIC, PL_COUNTOF(GRAPHIC)};

static const struct control_row FONT[] = {
    {.name = "path", .kind = KIND_CHARS, AT(path), .allowed = "a path such as E:NAME.TTF"},
    {.name = "name", .kind = KIND_CHARS, AT(letter), .allowed = "a letter for ^CW, A to Z or 0 to 9"},
    {.name = "unicodes", .kind = KIND_CHARS, AT(unicodes), .allowed = "ranges such as 0030-0039,0041-005A"},
    {.name = "form", .kind = KIND_WORD, AT(form), .words = "du dy"},
    {.name = "face", .kind = KIND_WHOLE, AT(face), .most = FACE_MOST},
    {.name = "instance", .kind = KIND_CHARS, AT(instance), .allowed = "a name such as SemiBold"},
    {.name = "bare", .kind = KIND_FLAG, AT(bare)},
};
const struct conversion_fields FONT_FIELDS = {FONT, PL_COUNTOF(FONT)};

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

bool target_language_by_name(struct pl_slice name, uint32_t *out)
{
    const struct control_row row = {.kind = KIND_WORD, .size = sizeof *out, .words = "keep" TARGET_LANGUAGES};
    return control_read(&row, control_text(name), out) && *out != 0;
}

bool length_unit_by_name(struct pl_slice name, uint32_t *out)
{
    const struct control_row row = {.kind = KIND_WORD, .size = sizeof *out, .words = LENGTH_UNITS};
    return control_read(&row, control_text(name), out) && *out != 0;
}

bool conversion_set(struct conversion_request *request, const struct conversion_fields *fields, struct pl_slice name,
                    struct control_value value, bool *taken, struct problem *problem)
{
    *taken = false;
    for (size_t i = 0; i < fields->count; i++) {
        const struct control_row *row = &fields->rows[i];
        if (!control_is_named(row, name))
            continue;
        *taken = true;
        bool given = request->given >> i & 1;
        if (!control_take(row, name, value, (char *)request + row->offset, &given, problem))
            return false;
        request->given |= (uint32_t)given << i;
        return true;
    }
    return true;
}

void conversion_override(struct conversion_request *body, const struct conversion_request *query,
                         const struct conversion_fields *fields, struct controls *notes)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct control_row *row = &fields->rows[i];
        const char *from = (const char *)query + row->offset;
        char *into = (char *)body + row->offset;
        if (!(query->given >> i & 1))
            continue;
        if (body->given >> i & 1 && memcmp(from, into, row->size) != 0)
            controls_note_overridden(notes, row->name);
        memcpy(into, from, row->size);
    }
    body->given |= query->given;
}

// ---- what an output has no use for

#define BIT(control) (UINT64_C(1) << (control))
#define SIZE_BITS (BIT(CONTROL_WIDTH_MM) | BIT(CONTROL_HEIGHT_MM) | BIT(CONTROL_DPMM) | BIT(CONTROL_ROTATION))

static const struct {
    uint64_t controls;   // those that count
    const char *useless; // fields of its route that do not
} OUTPUTS[CONVERSION_COUNT] = {
    [CONVERT_CODE] = {SIZE_BITS | BIT(CONTROL_STRICT) | BIT(CONTROL_LANGUAGE), " table "},
    [CONVERT_EXPLAIN] = {BIT(CONTROL_DPMM), " graphics targetDpmm utf8 toLanguage units "},
    [CONVERT_EXTRACT] = {SIZE_BITS | BIT(CONTROL_PROFILE) | BIT(CONTROL_TIME) | BIT(CONTROL_LANGUAGE),
                         " graphics targetDpmm utf8 toLanguage units "},
    [CONVERT_GRAPHIC] = {SIZE_BITS, " "},
    [CONVERT_FONT] = {0, " "},
    [CONVERT_CHECK] = {SIZE_BITS | BIT(CONTROL_SIZE) | BIT(CONTROL_PROFILE) | BIT(CONTROL_TIME) |
                           BIT(CONTROL_LANGUAGE) | BIT(CONTROL_RULES) | BIT(CONTROL_MIN_MODULE_MM) |
                           BIT(CONTROL_PRINTER_MODEL) | BIT(CONTROL_VERIFY),
                       " "},
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

void conversion_note_useless(const struct conversion_request *request, const struct conversion_fields *fields,
                             struct controls *controls)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        bool counts = OUTPUTS[request->conversion].controls & BIT(i);
        enum control_scope scope = control_row((enum control)i)->scope; // of PDFs and JPEGs it is told elsewhere
        if (controls_has(controls, (enum control)i) && !counts && scope != SCOPE_PDFS && scope != SCOPE_JPEGS)
            controls_note_useless(controls, control_row((enum control)i)->name);
    }
    controls->format = OUTPUT_PNG; // whatever it said, it is no PDF
    for (size_t i = 0; fields && i < fields->count; i++) {
        if (request->given >> i & 1 && is_among(OUTPUTS[request->conversion].useless, fields->rows[i].name))
            controls_note_useless(controls, fields->rows[i].name);
    }
}
