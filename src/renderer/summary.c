// Summaries, from a document of this process or from what a renderer says of one.
#include "renderer/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

// One block for findings, copies and texts. NULL: no memory.
static uint8_t *reserve(struct summary *out, uint32_t labels, uint32_t findings, size_t texts)
{
    size_t size;
    if (!PL_CKD_MUL(&size, (size_t)findings, sizeof(struct platen_diagnostic) + sizeof(char *)) ||
        !PL_CKD_ADD(&size, size, (size_t)labels * sizeof(uint32_t)) || !PL_CKD_ADD(&size, size, texts))
        return NULL;
    out->bytes = size;
    out->memory = malloc(PL_MAX(size, (size_t)1));
    return out->memory;
}

bool summary_of_document(const struct platen_document *document, struct summary *out)
{
    *out = (struct summary){.pages = platen_page_count(document),
                            .labels = platen_label_count(document),
                            .language = platen_document_language(document)};
    uint32_t count = platen_diagnostic_count(document);
    uint8_t *at = reserve(out, out->labels, count, 0);
    if (!at)
        return false;
    struct platen_diagnostic *items = (struct platen_diagnostic *)(void *)at;
    uint32_t *copies = (uint32_t *)(void *)(items + count);
    for (uint32_t i = 0; i < count; i++) {
        if (!platen_diagnostic_at(document, i, &items[i]))
            count = i;
    }
    for (uint32_t i = 0; i < out->labels; i++) {
        struct platen_label info = {.copies = 1};
        platen_label_at(document, i, &info);
        copies[i] = info.copies;
    }
    out->copies = copies;
    out->findings = (struct findings){items, NULL, count, platen_diagnostics_dropped(document)};
    return true;
}

// The next text of `size` bytes with its NUL. NULL: there is none.
static const char *next_text(struct pl_slice *texts, uint32_t size)
{
    if (size == 0 || size > texts->len || memchr(texts->ptr, '\0', size) != texts->ptr + size - 1)
        return NULL;
    const char *text = (const char *)texts->ptr;
    *texts = pl_slice_sub(*texts, size, texts->len);
    return text;
}

static bool read_finding(struct pl_slice *in, struct platen_diagnostic *out, const char **fix)
{
    struct render_finding f;
    if (in->len < sizeof f)
        return false;
    memcpy(&f, in->ptr, sizeof f);
    *in = pl_slice_sub(*in, sizeof f, in->len);
    const char *code = next_text(in, f.code);
    const char *message = code ? next_text(in, f.message) : NULL;
    const char *command = message ? next_text(in, f.command) : NULL;
    *fix = command ? next_text(in, f.fix) : NULL;
    if (!*fix || f.severity > PLATEN_ERROR || f.label < -1)
        return false;
    *out = (struct platen_diagnostic){.code = code,
                                      .element = -1,
                                      .severity = (enum platen_severity)f.severity,
                                      .message = message,
                                      .command = command,
                                      .offset = f.offset,
                                      .length = f.length,
                                      .line = f.line,
                                      .column = f.column,
                                      .label = f.label,
                                      .parameter = f.parameter};
    return true;
}

// Do the copies make up the pages?
static bool counts_agree(const struct summary *s, bool collapsed)
{
    uint64_t pages = 0;
    for (uint32_t i = 0; i < s->labels; i++) {
        if (s->copies[i] == 0)
            return false;
        pages += collapsed ? 1 : s->copies[i];
    }
    return pages == s->pages;
}

static bool is_language(uint32_t value)
{
    const char *name, *title;
    return value == PLATEN_LANGUAGE_DETECT || platen_language_names((enum platen_language)value, &name, &title);
}

bool summary_of_answer(const struct render_answer *answer, struct pl_slice copies, struct pl_slice findings,
                       uint32_t most_labels, bool collapsed, struct summary *out, bool *sound)
{
    *out = (struct summary){.pages = answer->pages,
                            .labels = answer->labels,
                            .width_mm = answer->width_mm,
                            .height_mm = answer->height_mm,
                            .language = (enum platen_language)answer->language,
                            .looks_like = (enum platen_language)answer->looks_like};
    *sound = answer->labels <= most_labels && answer->pages <= most_labels &&
             copies.len == (size_t)answer->labels * sizeof(uint32_t) &&
             answer->finding_count <= findings.len / sizeof(struct render_finding) && is_language(answer->language) &&
             is_language(answer->looks_like);
    if (!*sound)
        return false;
    uint8_t *at = reserve(out, answer->labels, answer->finding_count, findings.len);
    if (!at)
        return false;
    struct platen_diagnostic *items = (struct platen_diagnostic *)(void *)at;
    const char **fixes = (const char **)(void *)(items + answer->finding_count);
    uint8_t *own_copies = (uint8_t *)(fixes + answer->finding_count);
    uint8_t *texts = own_copies + copies.len;
    if (copies.len > 0)
        memcpy(own_copies, copies.ptr, copies.len);
    if (findings.len > 0)
        memcpy(texts, findings.ptr, findings.len);
    out->copies = (const uint32_t *)(void *)own_copies;
    struct pl_slice rest = pl_slice_make(texts, findings.len);
    for (uint32_t i = 0; *sound && i < answer->finding_count; i++)
        *sound = read_finding(&rest, &items[i], &fixes[i]);
    *sound = *sound && rest.len == 0 && counts_agree(out, collapsed);
    if (!*sound) {
        summary_free(out);
        return false;
    }
    out->findings = (struct findings){items, fixes, answer->finding_count, answer->findings_dropped};
    return true;
}

void summary_free(struct summary *summary)
{
    free(summary->memory);
    *summary = (struct summary){0};
}

uint32_t summary_label_of_page(const struct summary *summary, uint32_t page, bool collapsed)
{
    uint32_t label = 0;
    for (uint32_t at = 0; label + 1 < summary->labels; label++) {
        at += collapsed ? 1 : summary->copies[label];
        if (page < at)
            break;
    }
    return label;
}

uint32_t summary_warnings_outside(const struct summary *summary, uint32_t first, uint32_t count)
{
    const struct findings *findings = &summary->findings;
    uint32_t warnings = findings->dropped;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct platen_diagnostic *d = &findings->items[i];
        bool inside = d->label >= 0 && (uint32_t)d->label >= first && (uint32_t)d->label - first < count;
        warnings += !inside && d->severity != PLATEN_INFO;
    }
    return warnings;
}
