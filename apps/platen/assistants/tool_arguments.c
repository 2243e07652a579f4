// Arguments of tools: their schema and reading them, by rows as those of the render controls.
#include "tool_arguments.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"

#define AT(member) .offset = offsetof(struct tool_values, member), .size = sizeof((struct tool_values *)NULL)->member

// Rows of their own, or the name of one of conversions'.
static const struct {
    const struct conversion_fields *fields;
    struct control_row row;
} ARGUMENTS[ARG_COUNT] = {
    [ARG_ZPL] = {NULL, {.name = "zpl", .kind = KIND_TEXT, AT(zpl), .sentence = "Label code to render."}},
    [ARG_A] = {NULL, {.name = "a", .kind = KIND_TEXT, AT(a), .sentence = "Label code."}},
    [ARG_B] = {NULL, {.name = "b", .kind = KIND_TEXT, AT(b), .sentence = "Label code to compare it with."}},
    [ARG_TOLERANCE_DOTS] = {&COMPARE_FIELDS, {.name = "toleranceDots"}},
    [ARG_TOLERANCE_PERCENT] = {&COMPARE_FIELDS, {.name = "tolerancePercent"}},
    [ARG_ELEMENTS] = {&COMPARE_FIELDS, {.name = "elements"}},
    [ARG_TARGET_DPMM] = {&CODE_FIELDS, {.name = "targetDpmm"}},
    [ARG_GRAPHICS] = {&CODE_FIELDS, {.name = "graphics"}},
    [ARG_TO_LANGUAGE] = {&CODE_FIELDS, {.name = "toLanguage"}},
    [ARG_MAX_WIDTH] = {NULL,
                       {.name = "maxWidth",
                        .kind = KIND_WHOLE,
                        AT(conversion.max_width),
                        .least = 16,
                        .most = 20000,
                        .initial = 1000,
                        .has_default = true,
                        .sentence = "Widest picture, in dots: a wider label is shown smaller."}},
    [ARG_FIX] = {NULL,
                 {.name = "fix",
                  .kind = KIND_FLAG,
                  AT(conversion.fix),
                  .has_default = true,
                  .sentence = "Also return the label code with all fixes applied, as fixedZpl.",
                  .more = "Check that code again: a fix may uncover another finding."}},
    [ARG_TO] = {NULL,
                {.name = "to",
                 .kind = KIND_WORD,
                 AT(to),
                 .words = "zpl minified pdf fields",
                 .has_default = true,
                 .sentence =
                     "zpl: label code, one field a line; minified: as short as it gets; pdf: all labels as a PDF; "
                     "fields: texts and barcodes with their places, as JSON. Another language: toLanguage; a picture: "
                     "render_label."}},
    [ARG_DATA] = {NULL,
                  {.name = "data",
                   .kind = KIND_TEXT,
                   AT(data),
                   .sentence = "GS1 data: with brackets such as (01)09506000134352(10)A1, an element string with the "
                               "character U+001D for FNC1, or a GS1 Digital Link."}},
    [ARG_NAME] = {NULL,
                  {.name = "name",
                   .kind = KIND_TEXT,
                   AT(name),
                   .sentence = "A command such as ^FO, ~DG or BC; several are separated by spaces."}},
    [ARG_SEARCH] = {NULL,
                    {.name = "search",
                     .kind = KIND_TEXT,
                     AT(search),
                     .sentence = "Words for what a command does, such as barcode, text width, or center text."}},
};

static const struct control_row *row_of(int argument)
{
    const struct control_row *own = &ARGUMENTS[argument].row;
    return ARGUMENTS[argument].fields ? conversion_field(ARGUMENTS[argument].fields, own->name) : own;
}

static void *value_at(struct tool_values *values, int argument)
{
    return (char *)values + row_of(argument)->offset +
           (ARGUMENTS[argument].fields ? offsetof(struct tool_values, conversion) : 0);
}

// ---- schemas

static void put_key(struct pl_buf *out, const char *name, bool *first)
{
    if (!*first)
        pl_buf_append_byte(out, ',');
    *first = false;
    pl_buf_append_json_string(out, pl_slice_cstr(name));
    pl_buf_append_byte(out, ':');
}

void tool_put_schema(const struct mcp_tool *tool, struct pl_buf *out)
{
    const struct tool_takes *takes = tool->own;
    bool first = true;
    pl_buf_append_cstr(out, "{\"type\":\"object\",\"properties\":{");
    for (int i = 0; i < ARG_COUNT; i++) {
        if (!(takes->arguments >> i & 1))
            continue;
        put_key(out, ARGUMENTS[i].row.name, &first);
        control_put_schema(row_of(i), true, out);
    }
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (!(takes->controls >> i & 1))
            continue;
        const struct control_row *row = control_row((enum control)i);
        put_key(out, row->name, &first);
        control_put_schema(row, true, out);
    }
    pl_buf_append_cstr(out, "},\"required\":[");
    first = true;
    for (int i = 0; i < ARG_COUNT; i++) {
        if (!(takes->required >> i & 1))
            continue;
        if (!first)
            pl_buf_append_byte(out, ',');
        first = false;
        pl_buf_append_json_string(out, pl_slice_cstr(ARGUMENTS[i].row.name));
    }
    pl_buf_append_cstr(out, "],\"additionalProperties\":false}");
}

// ---- reading

struct reading {
    const struct tool_takes *takes;
    struct tool_values *values;
    struct pl_slice untaken; // the first control that the tool does not take; empty: none
};

// What an argument is says what to write instead: "4in" for millimetres, "4x6" for a size that is recognised.
static bool refuse_value(const struct control_row *row, struct problem *problem)
{
    if (row->sentence)
        problem_add(problem, row->sentence);
    return false;
}

// A control that the tool does not take is refused by its name, whatever its value.
static bool take_control(struct reading *r, struct pl_slice name, struct control_value value, bool *taken,
                         struct problem *problem)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        if (!control_is_named(row, name))
            continue;
        *taken = true;
        if (r->takes->controls >> i & 1)
            return controls_set_one(&r->values->controls, (enum control)i, name, value, problem) ||
                   refuse_value(row, problem);
        if (r->untaken.len == 0)
            r->untaken = name;
        return true;
    }
    return true;
}

static bool take_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                        struct problem *problem)
{
    struct reading *r = user;
    for (int i = 0; i < ARG_COUNT; i++) {
        const struct control_row *row = row_of(i);
        if (!(r->takes->arguments >> i & 1) || !control_is_named(row, name))
            continue;
        *taken = true;
        if (value.type == PL_JSON_NULL)
            return true;
        if (r->values->given >> i & 1)
            return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice.", row->name);
        if (row->kind == KIND_TEXT ? value.type != PL_JSON_STRING : !control_read(row, value, value_at(r->values, i)))
            return control_refuse(row, name, value, problem) || refuse_value(row, problem);
        if (row->kind == KIND_TEXT)
            memcpy(value_at(r->values, i), &value.text, sizeof value.text);
        r->values->given |= UINT32_C(1) << i;
        return true;
    }
    return take_control(r, name, value, taken, problem);
}

// "zpl, widthMm, dpmm"
static void list_names(const struct tool_takes *takes, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ARG_COUNT + CONTROL_COUNT; i++) {
        bool own = i < ARG_COUNT;
        if (!(own ? takes->arguments >> i & 1 : takes->controls >> (i - ARG_COUNT) & 1))
            continue;
        const char *name = own ? ARGUMENTS[i].row.name : control_row((enum control)(i - ARG_COUNT))->name;
        int n = snprintf(out + used, room - used, "%s%s", used ? ", " : "", name);
        if (n < 0 || (size_t)n >= room - used)
            return;
        used += (size_t)n;
    }
}

static bool refuse_unknown(struct mcp_call *call, const struct tool_takes *takes, struct pl_slice name)
{
    char names[400];
    list_names(takes, names, sizeof names);
    return mcp_refuse(call, "%s has no argument '%.*s'. It takes %s.", call->tool->name,
                      (int)PL_MIN(name.len, (size_t)60), (const char *)name.ptr, names);
}

bool tool_read(struct mcp_call *call, struct tool_values *values)
{
    struct problem problem;
    const struct tool_takes *takes = call->tool->own;
    memset(values, 0, sizeof *values);
    controls_init(&values->controls);
    for (int i = 0; i < ARG_COUNT; i++) {
        if (row_of(i)->has_default)
            control_reset(row_of(i), value_at(values, i));
    }
    struct reading reading = {.takes = takes, .values = values};
    if (!controls_from_members(&values->controls, "arguments", 64, call->arguments, call->arena, take_member, &reading,
                               &problem))
        return mcp_refuse(call, "%s", problem.message);
    if (values->controls.unknown_count > 0)
        return refuse_unknown(call, takes, values->controls.unknown[0]);
    if (reading.untaken.len > 0)
        return refuse_unknown(call, takes, reading.untaken);
    for (int i = 0; i < ARG_COUNT; i++) {
        if (takes->required >> i & 1 && !(values->given >> i & 1))
            return mcp_refuse(call, "'%s' is missing. %s needs it.", ARGUMENTS[i].row.name, call->tool->name);
    }
    return true;
}
