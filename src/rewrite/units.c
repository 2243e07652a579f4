// From one unit of ^MU to another: each length is the same number of dots as before.
#include <math.h>

#include "rewrite/fill.h"
#include "rewrite/rescale.h"

#define HALVES (1 + 1e-12) // 63.5 dots are not 63.4999 because of a product with 25.4

struct units {
    struct rw_document *doc;
    struct rw_flow flow;
    double dpmm;
    struct rw_unit from; // in force in the code as it was
    const char *to;      // "D", "I" or "M"
    bool said;           // the code as it will be has said it
    struct pl_error *err;
};

static bool is_plain(const struct rw_unit *u)
{
    return u->letter != 'I' && u->letter != 'M' && u->from == u->to;
}

// Are the numbers in this unit already?
static bool is_same(const struct units *u)
{
    return *u->to == 'D' ? is_plain(&u->from) : u->from.letter == (uint8_t)*u->to;
}

static enum pl_errc write_length(struct units *u, struct rw_command *c, uint32_t item, double dots)
{
    const struct rw_unit to = {(uint8_t)*u->to, 1, 1};
    char *text = pl_arena_printf(u->doc->arena, "%.*f", *u->to == 'D' ? 0 : 4, dots / rw_unit_dots(&to, u->dpmm));
    if (!text)
        return pl_fail_memory(u->err);
    struct pl_slice s = pl_slice_cstr(text);
    if (*u->to != 'D') {
        while (s.ptr[s.len - 1] == '0')
            s.len--;
        if (s.ptr[s.len - 1] == '.')
            s.len--;
    }
    return rw_set_item(u->doc, c, item, s) ? PL_OK : pl_fail_memory(u->err);
}

static enum pl_errc change_length(struct units *u, struct rw_command *c, uint32_t item)
{
    const struct pl_lang_param *p = rescale_param(c, item);
    int64_t value;
    bool clean;
    if (!p || p->type != PL_LANG_DOTS || !rw_has(c, item))
        return PL_OK;
    if (rw_has_placeholder(c->items[item])) {
        RW_NOTE(u->doc, c, "%.3s: %s has an open value, which is taken in the new unit.", rw_source(c).command,
                p->name);
        return PL_OK;
    }
    if (!zpl_parse_number(c->items[item], &value, &clean))
        return PL_OK;
    double dots = round((double)value / 10000 * rw_unit_dots(&u->from, u->dpmm) * HALVES);
    return write_length(u, c, item, dots == 0 ? 0 : dots); // no -0
}

static enum pl_errc change_lengths(struct units *u, struct rw_command *c)
{
    if (!c->row || c->kind != ZPL_LEX_ARGS || c->no_parameters)
        return PL_OK;
    if (rescale_is_font(c))
        PL_TRY(rescale_part_height(u->doc, c, u->err));
    for (uint32_t item = 0; item < c->item_count; item++)
        PL_TRY(change_length(u, c, item));
    return PL_OK;
}

// The first one says the unit; the others have nothing to say any more.
static enum pl_errc change_command_of_unit(struct units *u, struct rw_command *c)
{
    c->left_out = u->said;
    u->said = true;
    if (c->item_count > 1)
        c->item_count = 1;
    return rw_set_item(u->doc, c, 0, pl_slice_cstr(u->to)) ? PL_OK : pl_fail_memory(u->err);
}

static enum pl_errc say_unit(struct units *u, uint32_t index, const char *unit)
{
    return rw_insert(u->doc, index, "^MU", unit) ? PL_OK : pl_fail_memory(u->err);
}

static enum pl_errc change_command(struct units *u, uint32_t index)
{
    struct rw_command *c = &u->doc->commands[index];
    u->from = u->flow.units[index];
    if (rw_is(c, "^MU"))
        return change_command_of_unit(u, c);
    if (rw_is(c, "~JR"))
        u->said = false;
    if (rw_is(c, "^XA") && !u->said && *u->to != 'D') {
        u->said = true;
        return say_unit(u, index + 1, u->to);
    }
    // A printer takes numbers before the first label in dots.
    if (is_same(u) || !u->said)
        return PL_OK;
    if (rw_is(c, "^XF") && rw_recalls_unknown(&u->flow, c))
        RW_NOTE(u->doc, c,
                "^XF: the format that it recalls is not in the code; its lengths are taken in the new unit.");
    return change_lengths(u, c);
}

// What is left as it was, behind counted bytes that break off, has the unit that it had.
static enum pl_errc keep_unit_of_rest(struct units *u)
{
    if (!u->doc->torn || !u->said || is_same(u))
        return PL_OK;
    return say_unit(u, u->doc->count, is_plain(&u->from) ? "D" : u->from.letter == 'I' ? "I" : "M");
}

// Printers keep the unit: code that left them counting in dots does so still.
static enum pl_errc go_back_to_dots(struct units *u)
{
    uint32_t end = UINT32_MAX;
    if (*u->to == 'D' || !u->said || !is_plain(&u->from))
        return PL_OK;
    for (uint32_t i = u->doc->count; i-- > 0;) {
        const struct rw_command *c = &u->doc->commands[i];
        if (rw_is(c, "^DF")) // it would be part of the format
            return PL_OK;
        if (rw_is(c, "^XZ") && end == UINT32_MAX)
            end = i;
        if (rw_is(c, "^XA"))
            return end == UINT32_MAX ? PL_OK : say_unit(u, end, "D");
    }
    return PL_OK;
}

enum pl_errc rw_change_units(struct rw_document *doc, double dpmm, enum platen_length_unit to, struct pl_error *err)
{
    static const char *const LETTERS[] = {"D", "D", "M", "I"}; // in the order of enum platen_length_unit
    struct units u = {.doc = doc, .dpmm = dpmm, .from = RW_UNIT_DOTS, .to = LETTERS[to], .err = err};
    if (to == PLATEN_UNIT_KEEP)
        return PL_OK;
    PL_TRY(rw_flow_find(doc, &u.flow, err));
    for (uint32_t i = 0; i < u.flow.count; i++) {
        PL_TRY(pl_job_check(doc->job, err));
        PL_TRY(change_command(&u, u.flow.order[i]));
    }
    if (u.flow.reached > 0)
        u.from = u.flow.units[u.flow.order[u.flow.reached - 1]];
    PL_TRY(doc->torn ? keep_unit_of_rest(&u) : go_back_to_dots(&u));
    return rw_apply_insertions(doc, err);
}
