// The names of conversions' options and how they are read.
#include "request/conversion.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

#define ROW(member, ...)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__, .offset = offsetof(struct conversion_request, member),                                            \
                     .size = sizeof((struct conversion_request *)NULL)->member                                         \
    }
// Words are in the order of the library's enums.
#define CODINGS " acs hex z64 smallest"

static const struct control_row CODE[] = {
    ROW(action, .name = "action", .kind = KIND_WORD, .words = "format minify explain extract", .has_default = true,
        .sentence = "What is done: format writes one field a line; minify as short as it gets; explain describes each "
                    "command in words; extract lists texts and barcodes with their places."),
    ROW(graphics, .name = "graphics", .option = "graphics", .argument = "C", .kind = KIND_WORD, .words = "keep" CODINGS,
        .has_default = true, .sentence = "Coding of ^GF and ~DG."),
    ROW(table, .name = "table", .kind = KIND_WORD, .words = "text json csv",
        .sentence = "Form of explain (text or json) and extract (json or csv).", .more = "Default: by Accept."),
    ROW(target_dpmm, .name = "targetDpmm", .option = "to", .argument = "D", .kind = KIND_NUMBER, .least = PL_DPMM_MIN,
        .most = PL_DPMM_MAX, .sentence = "Density that the code is made for, from that of dpmm.",
        .more = "Places, sizes, fonts, modules and graphics are scaled."),
    ROW(utf8, .name = "utf8", .option = "utf8", .kind = KIND_FLAG, .has_default = true,
        .sentence = "Adds ^CI28 to UTF-8 code that chooses no character set.",
        .more = "Values that are filled in count, too."),
    ROW(to_language, .name = "toLanguage", .option = "to-language", .argument = "L", .kind = KIND_WORD,
        .words = "keep zpl epl tspl cpcl", .has_default = true,
        .sentence =
            "Writes the code in another language; in zpl texts and barcodes stay such, in others a label is a graphic.",
        .more =
            "zpl: texts, barcodes and shapes stay what they are where ZPL prints the same dots, the rest becomes ^GF "
            "and is named in the warnings. epl, tspl, cpcl: each label as one graphic. Not together with targetDpmm, "
            "rotation, units, data or utf8."),
    ROW(unit, .name = "units", .option = "units", .argument = "U", .kind = KIND_WORD, .words = "keep dots mm in",
        .has_default = true, .sentence = "Unit of the lengths, with the ^MU that says so; the dots stay the same."),
};
const struct conversion_fields CODE_FIELDS = {CODE, PL_COUNTOF(CODE)};

#define PLACE .kind = KIND_WHOLE, .most = 32000, .has_default = true, .sentence = "Place of the field, in dots."
#define BARE                                                                                                           \
    .name = "bare", .option = "bare", .kind = KIND_FLAG, .has_default = true, .sentence = "Without ^XA and ^XZ."

static const struct control_row GRAPHIC[] = {
    ROW(dither, .name = "dither", .option = "dither", .argument = "D", .kind = KIND_WORD,
        .words = "threshold auto floyd-steinberg atkinson ordered", .has_default = true,
        .sentence = "How shades become dots; with auto bars and text stay crisp.",
        .more = "auto: shades beside black or white by the threshold, the others ordered."),
    ROW(threshold, .name = "threshold", .option = "threshold", .argument = "P", .kind = KIND_NUMBER, .least = 1,
        .most = 99, .initial = 50, .has_default = true, .sentence = "Percent of white below which a shade is ink."),
    ROW(coding, .name = "coding", .option = "coding", .argument = "C", .kind = KIND_WORD, .words = "default" CODINGS,
        .has_default = true, .sentence = "Coding of the data; the default, acs, works on every printer."),
    ROW(form, .name = "form", .kind = KIND_WORD, .words = "gf dg", .has_default = true,
        .sentence = "gf: ^GF; dg: ~DG and ^XG."),
    ROW(name, .name = "name", .option = "name", .argument = "N", .kind = KIND_CHARS,
        .allowed = "a name such as R:LOGO.GRF", .sentence = "Name of a stored graphic."),
    ROW(x, .name = "x", PLACE),
    ROW(y, .name = "y", PLACE),
    ROW(invert, .name = "invert", .option = "invert", .kind = KIND_FLAG, .has_default = true,
        .sentence = "Black and white swapped."),
    ROW(trim, .name = "trim", .option = "trim", .kind = KIND_FLAG, .has_default = true,
        .sentence = "Edges without ink are cut off."),
    ROW(exact_fit, .name = "exactFit", .option = "exact-fit", .kind = KIND_FLAG, .has_default = true,
        .sentence = "Larger by any factor; otherwise by whole numbers."),
    ROW(bare, BARE),
};
const struct conversion_fields GRAPHIC_FIELDS = {GRAPHIC, PL_COUNTOF(GRAPHIC)};

static const struct control_row FONT[] = {
    ROW(path, .name = "path", .option = "path", .argument = "P", .kind = KIND_CHARS,
        .allowed = "a path such as E:NAME.TTF", .pattern = "^([REBA]:[A-Z0-9]{1,16}[.][A-Z0-9]{3})?$",
        .examples = "[\"E:NAME.TTF\"]", .sentence = "Name on the printer; without it R:FONT.TTF.",
        .more = "A drive (R, E, B, A), up to 16 capitals and digits, an extension."),
    ROW(letter, .name = "name", .option = "letter", .argument = "L", .kind = KIND_CHARS,
        .allowed = "one letter, A to Z or 0 to 9", .pattern = "^[A-Z0-9]?$", .examples = "[\"A\"]",
        .sentence = "Letter that ^CW gives to the font."),
    ROW(unicodes, .name = "unicodes", .option = "unicodes", .argument = "R", .kind = KIND_CHARS,
        .allowed = "ranges such as 0030-0039,0041-005A",
        .sentence = "Only the characters of these ranges, and those of chars.", .more = "Such as 0030-0039,0041-005A."),
    ROW(form, .name = "form", .option = "form", .argument = "F", .kind = KIND_WORD, .words = "du dy",
        .has_default = true, .sentence = "~DU, or ~DY: a file of hex digits with the extension TTF or TTE."),
    ROW(face, .name = "face", .option = "face", .argument = "N", .kind = KIND_WHOLE, .most = FACE_MOST,
        .has_default = true, .sentence = "Which font of a collection (TTC)."),
    ROW(instance, .name = "instance", .option = "instance", .argument = "NAME", .kind = KIND_CHARS,
        .allowed = "a name such as SemiBold", .sentence = "Named instance of a variable font."),
    ROW(bare, BARE),
};
const struct conversion_fields FONT_FIELDS = {FONT, PL_COUNTOF(FONT)};

static const struct control_row COMPARE[] = {
    ROW(tolerance_dots, .name = "toleranceDots", .kind = KIND_WHOLE, .most = 9007199254740992.0, .has_default = true,
        .sentence = "As many dots of each label may differ."),
    ROW(tolerance_percent, .name = "tolerancePercent", .kind = KIND_NUMBER, .most = 100, .has_default = true,
        .sentence = "Or as many percent of the ink."),
    ROW(elements, .name = "elements", .kind = KIND_FLAG, .has_default = true,
        .sentence = "Changes of elements and copies count, too, even those that do not show."),
    ROW(pictures, .name = "picture", .kind = KIND_FLAG, .has_default = true,
        .sentence = "With a PNG of both for each label."),
};
const struct conversion_fields COMPARE_FIELDS = {COMPARE, PL_COUNTOF(COMPARE)};

const struct control_row *conversion_field(const struct conversion_fields *fields, const char *name)
{
    size_t i = 0;
    while (i < fields->count && strcmp(fields->rows[i].name, name) != 0)
        i++;
    if (i == fields->count)
        abort(); // a name that no row has
    return &fields->rows[i];
}

bool conversion_take(struct conversion_request *request, const struct conversion_fields *fields,
                     const struct control_row *row, struct pl_slice text)
{
    request->given |= UINT32_C(1) << (row - fields->rows);
    return control_read(row, control_text(text), (char *)request + row->offset);
}

bool conversion_has_table(const struct conversion_request *request)
{
    return request->table != (request->action == ACTION_EXPLAIN ? PLATEN_TABLE_CSV : PLATEN_TABLE_TEXT);
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
#define LOOK_BITS (BIT(CONTROL_FORMAT) | BIT(CONTROL_QUALITY) | BIT(CONTROL_JPEG_QUALITY)) // of pictures alone

// What counts for a conversion. All else is put back to its default before it runs, so that it cannot be obeyed.
static const struct {
    unsigned groups;             // where labels are drawn: all controls of these groups,
    uint64_t but;                // but for these
    uint64_t controls;           // and these
    uint64_t for_other_language; // and these where the code is written in another language
    const char *useless;         // fields of its route that do not count
} OUTPUTS[CONVERSION_COUNT] = {
    [CONVERT_CODE] = {.controls = SIZE_BITS | BIT(CONTROL_STRICT) | BIT(CONTROL_LANGUAGE),
                      .for_other_language = BIT(CONTROL_SIZE),
                      .useless = " table "},
    [CONVERT_EXPLAIN] = {.controls = BIT(CONTROL_DPMM), .useless = " graphics targetDpmm utf8 toLanguage units "},
    // Places and findings are those of the printer's dots, whatever a picture would look like.
    [CONVERT_EXTRACT] = {.groups = GROUP_SIZING | GROUP_DRAWING,
                         .but = LOOK_BITS,
                         .useless = " graphics targetDpmm utf8 toLanguage units "},
    [CONVERT_GRAPHIC] = {.controls = SIZE_BITS, .useless = " "},
    [CONVERT_FONT] = {.useless = " "},
    [CONVERT_CHECK] = {.groups = GROUP_LABELS, .but = LOOK_BITS, .useless = " "},
};

static bool counts(const struct conversion_request *request, enum control control)
{
    uint64_t bit = BIT(control), own = OUTPUTS[request->conversion].controls;
    bool of_group = control_row(control)->group & OUTPUTS[request->conversion].groups;
    own |= request->to_language != 0 ? OUTPUTS[request->conversion].for_other_language : 0;
    return own & bit || (of_group && !(OUTPUTS[request->conversion].but & bit));
}

static bool is_among(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += n) {
        if (at > words && at[-1] == ' ' && at[n] == ' ')
            return true;
    }
    return false;
}

void conversion_drop_useless(struct conversion_request *request, const struct conversion_fields *fields,
                             struct controls *controls, bool by_option)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i); // of PDFs and JPEGs it is told elsewhere
        if (!controls_has(controls, (enum control)i) || counts(request, (enum control)i) || row->scope == SCOPE_PDFS ||
            row->scope == SCOPE_JPEGS)
            continue;
        controls_reset(controls, (enum control)i);
        controls_note_useless(controls, by_option ? row->option : row->name);
    }
    for (size_t i = 0; fields && i < fields->count; i++) {
        const struct control_row *row = &fields->rows[i];
        if (!(request->given >> i & 1) || !is_among(OUTPUTS[request->conversion].useless, row->name))
            continue;
        control_reset(row, (char *)request + row->offset);
        controls_note_useless(controls, by_option ? row->option : row->name);
    }
}

// ---- as options of libplaten

struct platen_rewrite_options conversion_rewrite(const struct conversion_request *r, const struct platen_options *o)
{
    return (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(
            .layout = r->action == ACTION_MINIFY ? PLATEN_LAYOUT_COMPACT : PLATEN_LAYOUT_LINES,
            .graphics = (enum platen_graphic_coding)r->graphics, .target_dpmm = r->target_dpmm, .to_utf8 = r->utf8,
            .unit = (enum platen_length_unit)r->unit, .to_language = (enum platen_language)r->to_language,
            .dpmm = o->dpmm, .width_mm = o->width_mm, .height_mm = o->height_mm, .rotation = o->rotation,
            .fit_size = o->fit_size, .language = o->language, .cancel = o->cancel, .deadline_ns = o->deadline_ns);
}

struct platen_graphic_options conversion_graphic(const struct conversion_request *r, const struct platen_options *o)
{
    return (struct platen_graphic_options)
        PLATEN_GRAPHIC_OPTIONS(.dither = (enum platen_dither)r->dither, .coding = (enum platen_graphic_coding)r->coding,
                               .threshold = r->threshold, .x = r->x, .y = r->y, .invert = r->invert, .trim = r->trim,
                               .exact_fit = r->exact_fit, .stored = r->form == 1, .bare = r->bare, .name = r->name,
                               .dpmm = o->dpmm, .width_mm = o->width_mm, .height_mm = o->height_mm,
                               .rotation = o->rotation, .cancel = o->cancel, .deadline_ns = o->deadline_ns);
}

struct platen_font_options conversion_font(const struct conversion_request *r, const char *chars)
{
    return (struct platen_font_options)PLATEN_FONT_OPTIONS(.path = r->path, .chars = chars, .unicodes = r->unicodes,
                                                           .letter = r->letter[0], .bare = r->bare,
                                                           .as_file = r->form == 1, .face = r->face,
                                                           .instance = r->instance[0] ? r->instance : NULL);
}
