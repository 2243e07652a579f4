// The parts of an answer beside those of the label, and what a document says of itself.
#include "renderer/answer_extras.h"

#include <string.h>

#include "base/ckd.h"
#include "describe/fixes.h"

#define FINDINGS_BYTES ((size_t)64 << 20)
#define REPLIES_BYTES ((size_t)64 << 20)

void answer_extras_init(struct answer_extras *extras)
{
    *extras = (struct answer_extras){0};
    pl_buf_init(&extras->copies, FINDINGS_BYTES);
    pl_buf_init(&extras->findings, FINDINGS_BYTES);
    pl_buf_init(&extras->replies, REPLIES_BYTES);
    pl_buf_init(&extras->stored, FINDINGS_BYTES);
}

bool answer_extras_failed(const struct answer_extras *extras)
{
    return extras->copies.failed || extras->findings.failed || extras->replies.failed || extras->stored.failed;
}

void answer_extras_wipe(struct answer_extras *extras)
{
    struct pl_buf *all[] = {&extras->copies, &extras->findings, &extras->replies, &extras->stored};
    for (size_t i = 0; i < PL_COUNTOF(all); i++) {
        if (all[i]->data)
            memset(all[i]->data, 0, all[i]->len);
        pl_buf_fini(all[i]);
    }
}

// `fix` is its JSON, or empty.
static void put_finding(struct pl_buf *out, const struct platen_diagnostic *d, struct pl_slice fix)
{
    const char *command = d->command ? d->command : "";
    struct render_finding finding = {.code = (uint32_t)strlen(d->code) + 1,
                                     .message = (uint32_t)strlen(d->message) + 1,
                                     .command = (uint32_t)strlen(command) + 1,
                                     .fix = (uint32_t)fix.len + 1,
                                     .severity = d->severity,
                                     .offset = d->offset,
                                     .length = d->length,
                                     .line = d->line,
                                     .column = d->column,
                                     .parameter = d->parameter,
                                     .label = d->label};
    pl_buf_append(out, &finding, sizeof finding);
    pl_buf_append(out, d->code, finding.code);
    pl_buf_append(out, d->message, finding.message);
    pl_buf_append(out, command, finding.command);
    pl_buf_append_slice(out, fix);
    pl_buf_append_byte(out, '\0');
}

void answer_extras_describe(const struct platen_document *document, const struct render_ask *ask,
                            struct answer_extras *extras, struct render_answer *answer)
{
    answer->pages = platen_page_count(document);
    answer->labels = platen_label_count(document);
    answer->findings_dropped = platen_diagnostics_dropped(document);
    platen_document_size(document, &answer->width_mm, &answer->height_mm, NULL, NULL);
    answer->language = platen_document_language(document);
    for (uint32_t i = 0; i < answer->labels; i++) {
        struct platen_label info = {.copies = 1};
        platen_label_at(document, i, &info);
        pl_buf_append(&extras->copies, &info.copies, sizeof info.copies);
    }
    const bool in_json = ask->controls.format == OUTPUT_JSON || ask->controls.format == OUTPUT_BASE64;
    uint32_t count = platen_diagnostic_count(document);
    struct pl_buf fix;
    pl_buf_init(&fix, SIZE_MAX / 2);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_diagnostic d;
        if (platen_diagnostic_at(document, i, &d)) {
            if (in_json)
                pl_fix_describe(document, NULL, &d, &fix);
            put_finding(&extras->findings, &d, pl_buf_slice(&fix));
            answer->finding_count++;
        }
    }
    pl_buf_take_over(&extras->findings, &fix);
}
