// The table of render controls, and sets of them.
#include "request/controls.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "request/own_values.h"

#define DEFAULT(value) .initial = (value), .has_default = true
#define SIZE_OF(member) sizeof((struct controls *)NULL)->member
#define ROW(id, type, member, ...)                                                                                     \
    [CONTROL_##id] = {__VA_ARGS__, .offset = offsetof(struct controls, member), .size = SIZE_OF(member)},
#define ROW_AT(id, member, ...) ROW(id, , member, __VA_ARGS__)
#define PAIR_AT(id, member, ...)                                                                                       \
    [CONTROL_##id] = {__VA_ARGS__, .offset = offsetof(struct controls, member), .size = 2 * (SIZE_OF(member))},

static const struct control_row ROWS[CONTROL_COUNT] = {
#include "request/control_rows.h"
};
#undef ROW
#undef ROW_AT
#undef PAIR_AT

#define VALUE_MAX 32 // bytes of a value

_Static_assert(CONTROL_COUNT <= 64, "a bit for each control");

const struct control_row *control_row(enum control control)
{
    return &ROWS[control];
}

static void *value_of(struct controls *controls, enum control control)
{
    return (char *)controls + ROWS[control].offset;
}

void controls_init(struct controls *controls)
{
    memset(controls, 0, sizeof *controls);
    controls->layout.size = sizeof controls->layout;
    for (int i = 0; i < CONTROL_COUNT; i++)
        control_reset(&ROWS[i], value_of(controls, (enum control)i));
}

void control_values_copy(struct control_values *into, const struct controls *from)
{
    memset(into, 0, sizeof *into);
    into->given = from->given;
    into->layout.size = from->layout.size;
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (ROWS[i].kind != KIND_TEXT)
            memcpy((char *)into + ROWS[i].offset, (const char *)from + ROWS[i].offset, ROWS[i].size);
    }
}

static bool find_control(struct pl_slice name, enum control *control)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (control_is_named(&ROWS[i], name)) {
            *control = (enum control)i;
            return true;
        }
    }
    return false;
}

static void note_unknown(struct controls *c, struct pl_slice name)
{
    if (c->unknown_count < PL_COUNTOF(c->unknown))
        c->unknown[c->unknown_count++] = name;
}

void controls_note_useless(struct controls *c, const char *name)
{
    if (c->useless_count < PL_COUNTOF(c->useless))
        c->useless[c->useless_count++] = name;
}

void controls_reset(struct controls *c, enum control control)
{
    control_reset(&ROWS[control], value_of(c, control));
    c->given &= ~(UINT64_C(1) << control);
}

bool controls_set_one(struct controls *c, enum control control, struct pl_slice name, struct control_value v,
                      struct problem *problem)
{
    assert((unsigned)control < CONTROL_COUNT);
    const struct control_row *row = &ROWS[control];
    _Alignas(8) uint8_t value[VALUE_MAX];
    if (v.json && v.type == PL_JSON_NULL)
        return true; // as if it were not there
    assert(row->size <= VALUE_MAX);
    if (!control_read(row, v, value)) {
        control_refuse(row, name, v, problem);
        if (control == CONTROL_FORMAT)
            problem->code = "unknown_format";
        if (control == CONTROL_DPMM)
            problem_add(problem, row->more); // dots per inch are what most people know
        return false;
    }
    if (controls_has(c, control) && !control_same(row, value, value_of(c, control)))
        return problem_twice(problem, row->name);
    memcpy(value_of(c, control), value, row->size);
    c->given |= UINT64_C(1) << control;
    return true;
}

bool controls_set(struct controls *c, struct pl_slice name, struct control_value v, struct problem *problem)
{
    enum control control;
    if (find_control(name, &control))
        return controls_set_one(c, control, name, v, problem);
    // Other names are noted. A label of another density would be wrong in every measure, so this one is refused.
    if (pl_slice_eq_nocase(name, pl_slice_cstr("dpi"))) {
        problem_set(problem, 400, "invalid_parameter",
                    "There is no 'dpi': the density is 'dpmm', in dots per millimetre.");
        problem_add(problem, ROWS[CONTROL_DPMM].more);
        return false;
    }
    note_unknown(c, name);
    return true;
}

void controls_note_overridden(struct controls *c, const char *name)
{
    if (c->overridden_count < PL_COUNTOF(c->overridden))
        c->overridden[c->overridden_count++] = pl_slice_cstr(name);
}

void controls_note_name(struct controls *c, struct pl_slice name)
{
    enum control control;
    if (find_control(name, &control))
        controls_note_useless(c, ROWS[control].name);
    else
        note_unknown(c, name);
}

void controls_merge(struct controls *into, const struct controls *from)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const void *value = (const char *)from + ROWS[i].offset;
        if (!controls_has(from, (enum control)i))
            continue;
        memcpy(value_of(into, (enum control)i), value, ROWS[i].size);
    }
    into->given |= from->given;
    for (uint32_t i = 0; i < from->unknown_count; i++)
        note_unknown(into, from->unknown[i]);
}

void controls_override(struct controls *body, const struct controls *query)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const void *value = (const char *)query + ROWS[i].offset;
        if ((body->given & query->given) >> i & 1 && !control_same(&ROWS[i], value, value_of(body, (enum control)i)))
            controls_note_overridden(body, ROWS[i].name);
    }
    controls_merge(body, query);
}

void controls_take_path_format(struct controls *c, enum output format)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->overridden_count; i++) { // neither of the two formats was used
        if (!pl_slice_eq_cstr(c->overridden[i], ROWS[CONTROL_FORMAT].name))
            c->overridden[kept++] = c->overridden[i];
    }
    c->path_format = controls_has(c, CONTROL_FORMAT) && (c->format != format || kept != c->overridden_count);
    c->overridden_count = kept;
    c->format = format;
}

const char *controls_of_pdf(const struct controls *c)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (ROWS[i].scope == SCOPE_PDFS && controls_has(c, (enum control)i))
            return ROWS[i].name;
    }
    return NULL;
}

struct controls controls_without_pdf(const struct controls *controls)
{
    struct controls c = *controls;
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (ROWS[i].scope == SCOPE_PDFS)
            c.given &= ~(UINT64_C(1) << i);
    }
    return c;
}

// ---- output formats

static const struct {
    const char *name, *mime;
    enum platen_format format;
} OUTPUTS[OUTPUT_COUNT] = {
    [OUTPUT_PNG] = {"png", "image/png", PLATEN_PNG},
    [OUTPUT_JPEG] = {"jpeg", "image/jpeg", PLATEN_JPEG},
    [OUTPUT_WEBP] = {"webp", "image/webp", PLATEN_WEBP},
    [OUTPUT_PDF] = {"pdf", "application/pdf", PLATEN_PDF},
    [OUTPUT_JSON] = {"json", "application/json", PLATEN_PNG},
    [OUTPUT_BASE64] = {"base64", "application/json", PLATEN_PNG},
};

bool output_by_name(struct pl_slice name, enum output *out)
{
    uint32_t word;
    bool known = control_word(OUTPUT_WORDS, name, &word);
    *out = known ? (enum output)word : OUTPUT_PNG;
    return known;
}

const char *output_name(enum output output)
{
    return OUTPUTS[output].name;
}

bool output_is_picture(enum output output)
{
    return output == OUTPUT_PNG || output == OUTPUT_JPEG || output == OUTPUT_WEBP;
}

bool output_holds_all(enum output output)
{
    return !output_is_picture(output);
}

enum platen_format output_format(enum output output)
{
    return OUTPUTS[output].format;
}

const char *output_mime(enum output output)
{
    return OUTPUTS[output].mime;
}
