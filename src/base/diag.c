// Collecting diagnostics; running out of memory here only counts them as dropped.
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "os/locale.h"

static const struct pl_diag_info INFO[] = {
#define PL_DIAG(id, code, severity, summary) {code, PL_SEV_##severity, summary},
#include "base/diag_table.h"
#undef PL_DIAG
};

const struct pl_diag_info *pl_diag_info(enum pl_diag_id id)
{
    return &INFO[(unsigned)id < PL_DIAG_COUNT ? id : 0];
}

void pl_diags_init(struct pl_diags *diags, struct pl_arena *arena, uint32_t limit)
{
    *diags = (struct pl_diags){.arena = arena, .limit = limit, .label = -1, .element = -1};
}

struct pl_diag *pl_diag_add(struct pl_diags *diags, enum pl_diag_id id, struct pl_source source, unsigned parameter,
                            const char *fmt, ...)
{
    if (diags->count >= diags->limit || !PL_ARENA_GROW(diags->arena, diags->items, diags->count, diags->capacity, 16)) {
        diags->dropped++;
        return NULL;
    }
    char text[512];
    va_list args;
    va_start(args, fmt);
    int length = pl_os_vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    char *message = length < 0 ? NULL : pl_arena_copy(diags->arena, text, PL_MIN((size_t)length, sizeof text - 1) + 1);
    if (!message) {
        diags->dropped++;
        return NULL;
    }
    diags->items[diags->count++] = (struct pl_diag){.id = id,
                                                    .severity = pl_diag_info(id)->severity,
                                                    .source = source,
                                                    .label = diags->label,
                                                    .element = diags->element,
                                                    .parameter = (uint8_t)PL_MIN(parameter, 255u),
                                                    .message = message};
    return &diags->items[diags->count - 1];
}

static int by_offset(const void *a, const void *b)
{
    const struct pl_diag *const *x = a, *const *y = b;
    return ((*x)->source.offset > (*y)->source.offset) - ((*x)->source.offset < (*y)->source.offset);
}

static void begin_line(struct pl_line_mark *at, size_t start)
{
    at->start = at->read = start;
    at->line++;
}

void pl_line_mark_move(struct pl_line_mark *at, struct pl_slice input, size_t to)
{
    while (at->read < to) {
        const uint8_t *lf = memchr(input.ptr + at->read, '\n', to - at->read), *cr;
        const uint8_t *end = lf ? lf : input.ptr + to;
        while ((cr = memchr(input.ptr + at->read, '\r', (size_t)(end - input.ptr) - at->read)) != NULL &&
               !(cr + 1 < input.ptr + input.len && cr[1] == '\n'))
            begin_line(at, (size_t)(cr - input.ptr) + 1);
        at->read = (size_t)(end - input.ptr);
        if (lf)
            begin_line(at, at->read + 1);
    }
}

void pl_diags_locate(struct pl_diags *diags, struct pl_slice input, struct pl_line_mark *mark)
{
    if (diags->count == 0)
        return;
    // One pass over the input, the diagnostics in the order of their places.
    struct pl_diag **order = PL_ARENA_ARRAY(diags->arena, struct pl_diag *, diags->count);
    if (!order)
        return;
    for (uint32_t i = 0; i < diags->count; i++)
        order[i] = &diags->items[i];
    qsort(order, diags->count, sizeof *order, by_offset);
    struct pl_line_mark at = PL_FIRST_LINE;
    for (uint32_t i = 0; i < diags->count; i++) {
        size_t offset = PL_MIN((size_t)order[i]->source.offset, input.len);
        if (mark && mark->read > at.read && mark->start <= offset)
            at = *mark;
        pl_line_mark_move(&at, input, offset);
        order[i]->line = at.line;
        order[i]->column = (uint32_t)(offset - at.start) + 1;
    }
    if (mark && at.read > mark->read)
        *mark = at;
}
