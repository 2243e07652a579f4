// Commands that are put between others: collected first and moved in all at once, so that many of them cost little.
#include <string.h>

#include "base/ckd.h"

#include "rewrite/commands.h"
#include <assert.h>

struct rw_command *rw_insert(struct rw_document *doc, uint32_t index, const char *name, const char *items)
{
    struct rw_command *c = PL_ARENA_NEW(doc->arena, struct rw_command);
    struct rw_insertion *inserted = PL_ARENA_NEW(doc->arena, struct rw_insertion);
    char *copy = pl_arena_printf(doc->arena, "%s", items);
    if (!c || !inserted || !copy)
        return NULL;
    const struct rw_command *near = index > 0            ? &doc->commands[index - 1]
                                    : index < doc->count ? &doc->commands[index]
                                                         : NULL;
    *c = (struct rw_command){.row = zpl_row_lookup(name[0], (uint8_t)name[1], (uint8_t)name[2]),
                             .prefix = name[0],
                             .first = (uint8_t)name[1],
                             .second = (uint8_t)name[2],
                             .caret = near ? near->caret : '^',
                             .tilde = near ? near->tilde : '~',
                             .comma = near ? near->comma : ',',
                             .start = near ? near->end : 0,
                             .end = near ? near->end : 0,
                             .origin = near ? near->origin_end : 0,
                             .origin_end = near ? near->origin_end : 0};
    c->kind = c->row ? (uint8_t)c->row->lex : ZPL_LEX_ARGS;
    for (char *p = copy; *p; p++) // written in this document's own delimiter
        *p = *p == ',' ? (char)c->comma : *p;
    if (*copy && !rw_set_item(doc, c, 0, pl_slice_cstr(copy)))
        return NULL;
    *inserted = (struct rw_insertion){.command = c, .index = index};
    if (!doc->inserted)
        doc->inserted_end = &doc->inserted;
    *doc->inserted_end = inserted;
    doc->inserted_end = &inserted->next;
    return c;
}

enum pl_errc rw_apply_insertions(struct rw_document *doc, struct pl_error *err)
{
    if (!doc->inserted)
        return PL_OK;
    // How many come before each index, then where each one goes.
    uint32_t *at = PL_ARENA_ARRAY(doc->arena, uint32_t, (size_t)doc->count + 2);
    uint32_t total = doc->count;
    if (!at)
        return pl_fail_memory(err);
    memset(at, 0, ((size_t)doc->count + 2) * sizeof *at);
    for (const struct rw_insertion *i = doc->inserted; i; i = i->next) {
        assert(i->index <= doc->count);
        at[i->index + 1]++;
        total++;
    }
    struct rw_command *all = PL_ARENA_ARRAY(doc->arena, struct rw_command, total);
    if (!all)
        return pl_fail_memory(err);
    for (uint32_t i = 0, before = 0; i < doc->count; i++) {
        before += at[i + 1];
        all[i + before] = doc->commands[i];
    }
    for (uint32_t i = 1; i <= doc->count + 1; i++) // the first of those at index i goes to i + at[i]
        at[i] += at[i - 1];
    for (const struct rw_insertion *i = doc->inserted; i; i = i->next)
        all[i->index + at[i->index]++] = *i->command;
    doc->commands = all;
    doc->count = doc->capacity = total;
    doc->inserted = NULL;
    return PL_OK;
}
