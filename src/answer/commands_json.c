// The command table as JSON: for `platen commands --json` and GET /api/commands.
#include "answer/commands_json.h"

#include "describe/describe.h"

void commands_json_text(struct pl_buf *out, const char *name, const char *value)
{
    pl_buf_printf(out, "\"%s\":", name);
    pl_buf_append_json_string(out, pl_slice_cstr(value));
}

// Characters of a choice with commas between: "N, R, I, B".
void commands_list_values(struct pl_buf *out, const char *values)
{
    for (const char *v = values; *v; v++)
        pl_buf_printf(out, "%s%c", v > values ? ", " : "", *v);
}

// "^FOx,y,justification", "SIZE width,height", "LINE x y …": the parameters by their names.
static void write_syntax(struct pl_buf *out, enum platen_language language, uint32_t index,
                         const struct platen_command *c)
{
    struct platen_command_parameter p;
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    pl_buf_append_cstr(&text, c->name);
    for (uint32_t i = 0; platen_command_parameter_at(language, index, i, &p); i++) {
        pl_buf_append_cstr(&text, pl_describe_separator(language, i == 0));
        pl_buf_append_cstr(&text, p.name);
    }
    pl_buf_append_cstr(out, "\"syntax\":");
    pl_buf_append_json_string(out, pl_buf_slice(&text));
    pl_buf_take_over(out, &text);
}

// "0 to 32000" or "N, R, I, B".
static void write_range(struct pl_buf *out, const struct platen_command_parameter *p)
{
    struct pl_buf text;
    pl_buf_init(&text, 1024);
    if (p->values[0])
        commands_list_values(&text, p->values);
    else
        pl_buf_printf(&text, "%d to %d", p->min, p->max);
    pl_buf_append_cstr(out, ",\"range\":");
    pl_buf_append_json_string(out, pl_buf_slice(&text));
    pl_buf_take_over(out, &text);
}

// "meanings":{"N":"normal",…}, of those that have words.
static void write_meanings(struct pl_buf *out, enum platen_language language, uint32_t command, uint32_t index,
                           const char *values)
{
    bool first = true;
    for (const char *v = values; *v; v++) {
        size_t length;
        const char *words = platen_command_value_about(language, command, index, *v, &length);
        if (length == 0)
            continue;
        pl_buf_append_cstr(out, first ? ",\"meanings\":{" : ",");
        pl_buf_append_json_string(out, pl_slice_make(v, 1));
        pl_buf_append_byte(out, ':');
        pl_buf_append_json_string(out, pl_slice_make(words, length));
        first = false;
    }
    if (!first)
        pl_buf_append_byte(out, '}');
}

void commands_json_one(struct pl_buf *out, enum platen_language language, uint32_t index,
                       const struct platen_command *c)
{
    pl_buf_append_cstr(out, "{");
    commands_json_text(out, "name", c->name);
    pl_buf_append_cstr(out, ",");
    write_syntax(out, language, index, c);
    pl_buf_append_cstr(out, ",");
    commands_json_text(out, "support", c->support == PLATEN_SUPPORT_NO_EFFECT ? "none" : c->support_name);
    pl_buf_append_cstr(out, ",");
    commands_json_text(out, "summary", c->summary);
    if (c->note[0]) {
        pl_buf_append_cstr(out, ",");
        commands_json_text(out, "note", c->note);
    }
    pl_buf_append_cstr(out, ",\"parameters\":[");
    struct platen_command_parameter p;
    for (uint32_t i = 0; platen_command_parameter_at(language, index, i, &p); i++) {
        pl_buf_append_cstr(out, i ? ",{" : "{");
        commands_json_text(out, "name", p.name);
        pl_buf_append_cstr(out, ",");
        commands_json_text(out, "type", p.type);
        if (p.has_range)
            pl_buf_printf(out, ",\"min\":%d,\"max\":%d", p.min, p.max);
        if (p.values[0]) {
            pl_buf_append_cstr(out, ",");
            commands_json_text(out, "values", p.values);
            write_meanings(out, language, index, i, p.values);
        }
        if (p.about[0]) {
            pl_buf_append_cstr(out, ",");
            commands_json_text(out, "description", p.about);
        }
        if (p.has_range || p.values[0])
            write_range(out, &p);
        if (p.fallback[0]) {
            pl_buf_append_cstr(out, ",");
            commands_json_text(out, "default", p.fallback);
        }
        pl_buf_append_cstr(out, "}");
    }
    pl_buf_append_cstr(out, "]}");
}

void commands_json_all(struct pl_buf *out, enum platen_language language)
{
    struct platen_command c;
    pl_buf_append_cstr(out, "[");
    for (uint32_t i = 0; platen_command_at(language, i, &c); i++) {
        pl_buf_append_cstr(out, i ? ",\n" : "\n");
        commands_json_one(out, language, i, &c);
    }
    pl_buf_append_cstr(out, "\n]\n");
}
