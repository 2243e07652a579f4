// UTF-8 code that chooses no character set: a printer takes its letters for two or three others each. ^CI28 is added.
#include "base/utf8.h"
#include "base/fmt.h"
#include "rewrite/fill.h"
#include "rewrite/passes.h"

// Does field data hold escapes of bytes that are no ASCII?
static bool has_high_escapes(struct pl_slice data, uint8_t indicator)
{
    for (size_t i = 0; i + 2 < data.len; i++) {
        if (data.ptr[i] == indicator && pl_hex_value(data.ptr[i + 1]) >= 8 && pl_hex_value(data.ptr[i + 2]) >= 0)
            return true;
    }
    return false;
}

// Such escapes are bytes of the set that was in force, and no UTF-8.
static void note_escapes(struct rw_document *doc)
{
    uint8_t indicator = 0;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^FH"))
            indicator = rw_has(c, 0) ? c->items[0].ptr[0] : '_';
        else if (rw_is(c, "^FS") || rw_is(c, "^XA"))
            indicator = 0;
        else if (indicator && (rw_is(c, "^FD") || rw_is(c, "^FV")) && has_high_escapes(c->data, indicator))
            RW_NOTE(doc, c, "The field has escapes of ^CI0; with ^CI28 they are read as UTF-8.");
    }
}

static bool needs_utf8(struct pl_slice s)
{
    return !pl_is_ascii(s) && pl_utf8_valid(s);
}

// Does a value that is filled in at the command need UTF-8?
static bool gets_utf8(const struct rw_command *c, const struct rw_row *row)
{
    struct pl_slice name, value;
    if (rw_is(c, "^FN") && rw_number_value(row, c, &name, &value) && needs_utf8(value))
        return true;
    for (size_t i = 0; i < c->data.len; i++) {
        if (rw_placeholder(c->data, i, &name) && rw_row_value(row, name, &value) && needs_utf8(value))
            return true;
    }
    return false;
}

static bool gets_utf8_of_any(const struct rw_command *c, const struct rw_rows *rows)
{
    for (uint32_t i = 0; rw_takes_value(c) && i < rows->count; i++) {
        if (gets_utf8(c, &rows->rows[i]))
            return true;
    }
    return false;
}

enum pl_errc rw_choose_utf8(struct rw_document *doc, const struct rw_rows *rows, bool *added, struct pl_error *err)
{
    uint32_t first = doc->count;
    bool needed = *added = false;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        bool is_data = rw_is(c, "^FD") || rw_is(c, "^FV");
        if (rw_is(c, "^CI"))
            return PL_OK;
        if (rw_is(c, "^XA") && first == doc->count)
            first = i;
        if (is_data && !pl_is_ascii(c->data)) {
            if (!pl_utf8_valid(c->data))
                return PL_OK;
            needed = true;
        }
        needed = needed || gets_utf8_of_any(c, rows);
    }
    if (!needed || first == doc->count)
        return PL_OK;
    note_escapes(doc);
    *added = true;
    return rw_insert(doc, first + 1, "^CI", "28") ? rw_apply_insertions(doc, err) : pl_fail_memory(err);
}
