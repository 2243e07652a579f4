// Reading a document from a line.
#include "request/document_line.h"

#include <stdio.h>

#include "batch/names.h"

bool document_id_check(struct pl_slice id, struct problem *problem)
{
    return pl_id_usable(id) ||
           problem_set(problem, 400, "invalid_parameter",
                       "'id' must be a number or a string of 1 to %u bytes of UTF-8 without control characters.",
                       PL_ID_MAX);
}

struct pl_slice document_id_or_number(struct pl_slice id, uint64_t number, char room[DOCUMENT_NUMBER_ROOM])
{
    if (pl_id_usable(id))
        return id;
    int len = snprintf(room, DOCUMENT_NUMBER_ROOM, "%llu", (unsigned long long)number);
    return pl_slice_make(room, (size_t)len);
}

struct reading {
    struct document_line *line;
    bool has_zpl;
};

static bool take_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                        struct problem *problem)
{
    struct reading *reading = user;
    struct document_line *line = reading->line;
    bool is_text = value.type == PL_JSON_STRING || value.type == PL_JSON_NUMBER;
    *taken = true;
    // A column of a template has its own spelling.
    if (line->fills_template ? pl_slice_eq_cstr(name, "id") : pl_slice_eq_nocase(name, pl_slice_cstr("id"))) {
        struct pl_slice id = is_text ? value.text : pl_slice_make("", 0);
        if (!document_id_check(id, problem))
            return false;
        if (line->id.len > 0 && !pl_slice_eq(line->id, id))
            return problem_twice(problem, "id");
        line->id = id;
        return true;
    }
    if (!line->fills_template && pl_slice_eq_nocase(name, pl_slice_cstr("zpl"))) {
        if (reading->has_zpl)
            return problem_set(problem, 400, "conflicting_parameter", "'zpl' is given twice.");
        reading->has_zpl = true;
        return controls_text_member(name, value, &line->zpl, problem);
    }
    *taken = line->fills_template;
    return true;
}

bool document_line_read(struct document_line *line, bool fills_template, struct pl_slice text, struct pl_arena *arena,
                        struct controls *controls, struct problem *problem)
{
    struct reading reading = {.line = line};
    line->fills_template = fills_template;
    line->id = line->zpl = pl_slice_make("", 0);
    bool ok = fills_template ? controls_from_members(controls, "row", PL_CSV_FIELDS_MAX, text, arena, take_member,
                                                     &reading, problem)
                             : controls_from_object(controls, text, arena, take_member, &reading, problem);
    if (!ok)
        return false;
    return fills_template || reading.has_zpl ||
           problem_set(problem, 400, "missing_zpl", "The line has no 'zpl': the label code, a string.");
}
