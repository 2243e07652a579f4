// Documents: their commands by the lexers of the languages.
#include "lsp/document.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "base/fmt.h"

// What editors call the languages.
static enum platen_language language_of(struct pl_slice id)
{
    for (uint32_t i = 0; i < 4; i++) {
        const struct pl_lang *language = pl_lang_at(i);
        if (language && pl_slice_eq_nocase(id, pl_slice_cstr(language->name)))
            return (enum platen_language)(PLATEN_LANGUAGE_ZPL + i);
    }
    return PLATEN_LANGUAGE_DETECT;
}

struct lsp_document *lsp_document_new(struct pl_slice uri, struct pl_slice language_id)
{
    struct lsp_document *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    lsp_text_init(&d->text);
    d->declared = language_of(language_id);
    d->uri = malloc(uri.len + 1);
    if (!d->uri || !lsp_text_set(&d->text, pl_slice_make(NULL, 0))) {
        lsp_document_free(d);
        return NULL;
    }
    if (uri.len > 0)
        memcpy(d->uri, uri.ptr, uri.len);
    d->uri[uri.len] = '\0';
    lsp_document_changed(d);
    return d;
}

void lsp_document_free(struct lsp_document *d)
{
    if (!d)
        return;
    lsp_text_fini(&d->text);
    lsp_result_free(d->result);
    free(d->commands);
    free(d->items);
    free(d->params);
    free(d->uri);
    free(d);
}

void lsp_document_changed(struct lsp_document *d)
{
    d->revision++;
    d->is_read = false;
    d->language = d->declared == PLATEN_LANGUAGE_DETECT ? pl_lang_detect(lsp_text_slice(&d->text))
                                                        : pl_lang_at((uint32_t)(d->declared - PLATEN_LANGUAGE_ZPL));
}

struct reading {
    struct lsp_document *d;
    bool ok;
};

static bool grow(void **items, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    uint32_t wanted = PL_MAX(needed, *capacity * 2);
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

static bool take(void *user, const struct pl_lang_span *span)
{
    struct reading *r = user;
    struct lsp_document *d = r->d;
    r->ok = grow((void **)&d->commands, &d->command_capacity, d->command_count + 1, sizeof *d->commands) &&
            grow((void **)&d->items, &d->item_capacity, d->item_count + PL_LANG_PARTS, sizeof *d->items) &&
            grow((void **)&d->params, &d->param_capacity, d->item_count + PL_LANG_PARTS, sizeof *d->params);
    if (!r->ok)
        return false;
    struct lsp_command *c = &d->commands[d->command_count++];
    *c = (struct lsp_command){.about = span->command,
                              .start = span->start,
                              .end = span->end,
                              .first_item = d->item_count,
                              .data = span->data,
                              .item_count = (uint16_t)span->item_count,
                              .name_length = (uint8_t)PL_MIN(span->name_length, 255u),
                              .is_text = span->is_text,
                              .in_dots = span->in_dots};
    memcpy(c->name, span->name, 3);
    memcpy(d->items + d->item_count, span->items, span->item_count * sizeof *d->items);
    memcpy(d->params + d->item_count, span->params, span->item_count);
    d->item_count += span->item_count;
    return true;
}

bool lsp_document_read(struct lsp_document *d)
{
    struct reading r = {d, true};
    if (d->is_read)
        return true;
    d->command_count = d->item_count = 0;
    d->language->outline(lsp_text_slice(&d->text), take, &r);
    d->is_read = r.ok;
    return r.ok;
}

uint32_t lsp_document_first_behind(const struct lsp_document *d, size_t offset)
{
    uint32_t low = 0, high = d->command_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (d->commands[middle].end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct lsp_command *lsp_document_command_at(const struct lsp_document *d, size_t offset, bool before)
{
    uint32_t i = lsp_document_first_behind(d, offset);
    const struct lsp_command *here = i < d->command_count && d->commands[i].start <= offset ? &d->commands[i] : NULL;
    const struct lsp_command *last = i > 0 && d->commands[i - 1].end == offset ? &d->commands[i - 1] : NULL;
    return last && (before || !here) ? last : here;
}

uint32_t lsp_item_at(const struct lsp_document *d, const struct lsp_command *c, size_t offset)
{
    for (uint32_t i = 0; i < c->item_count; i++) {
        struct pl_lang_part part = d->items[c->first_item + i];
        if (offset >= part.offset && offset <= (size_t)part.offset + part.length)
            return i;
    }
    return c->item_count;
}

bool lsp_item_mm(const struct lsp_document *d, const struct lsp_command *c, uint32_t item, double dpmm, double *mm)
{
    const struct pl_lang_param *p = lsp_param(d, c, item);
    struct pl_slice s = lsp_part_text(d, lsp_item(d, c, item));
    int64_t value = 0;
    bool minus = s.len > 0 && s.ptr[0] == '-';
    if (!p || p->type != PL_LANG_DOTS || !c->in_dots || s.len <= minus || s.len > 7)
        return false;
    for (size_t i = minus; i < s.len; i++) {
        if (!pl_is_digit(s.ptr[i]))
            return false;
        value = value * 10 + (s.ptr[i] - '0');
    }
    *mm = (double)(minus ? -value : value) / dpmm;
    return true;
}
