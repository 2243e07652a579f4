// What is said about data and options of a barcode, and the panel that replaces one whose data is bad.
#include <stdarg.h>
#include <stdio.h>

#include "bar/layout/build.h"
#include "base/ckd.h"

struct pl_diag *pl_bar_note(struct pl_bar_build *b, enum pl_diag_id id, const char *fmt, ...)
{
    char message[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    // An option is put right where the barcode is described, all else in the data.
    struct pl_source source = id == PL_DIAG_BARCODE_OPTION ? b->context->source : b->context->data_source;
    return pl_diag_add(b->context->diags, id, source, 0, "%s", message);
}

// "INVALID - X" in reverse in place of the symbol.
static enum pl_errc set_panel(struct pl_bar_build *b, enum pl_bar_fault fault)
{
    struct pl_bar_layout *out = b->out;
    char words[] = "INVALID - X";
    words[sizeof words - 2] = (char)fault;
    struct pl_font_ref font = pl_bar_caption_font(b);
    uint32_t m = PL_MIN(b->module, 10u);
    out->bands = NULL;
    out->band_count = 0;
    out->text_count = 0;
    out->width = (uint32_t)(sizeof words - 1) * 6 * m;
    out->height = 9 * m;
    out->reversed_panel = true;
    return pl_bar_add_text(b, &font, pl_slice_cstr(words), 0, (int32_t)(7 * m));
}

enum pl_errc pl_bar_give_up(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...)
{
    char message[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    pl_bar_note(b, PL_DIAG_BARCODE_UNENCODABLE, "%s %s", message,
                b->barcode->validate ? "An INVALID panel was printed instead." : "Nothing was drawn.");
    b->out->bands = NULL;
    b->out->band_count = 0;
    b->out->picture = NULL;
    b->out->text_count = 0;
    b->out->width = b->out->height = 0;
    enum pl_errc code = b->barcode->validate ? set_panel(b, fault) : PL_OK;
    b->ended = code == PL_OK;
    return code;
}

enum pl_errc pl_bar_refused(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason,
                            enum pl_bar_fault fault, const char *name)
{
    if (code == PL_E_INVALID)
        return pl_bar_give_up(b, fault, "%s cannot hold the data: %s.", name, reason->message);
    return pl_fail(b->err, code, "%s", reason->message);
}

bool pl_bar_invalid(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...)
{
    if (!b->barcode->validate)
        return false;
    char message[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    // The panel's text is a handful of bytes: if even they are refused, the caller's next allocation reports it.
    return pl_bar_give_up(b, fault, "%s", message) == PL_OK;
}

enum pl_errc pl_bar_report_findings(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    for (uint32_t i = 0; i < barcode->finding_count; i++) {
        const struct pl_barcode_finding *f = &barcode->findings[i];
        if (f->refusal && (barcode->validate || !f->remark))
            return pl_bar_give_up(b, f->fault, "%s", f->refusal);
        pl_bar_note(b, f->id, "%s", f->remark ? f->remark : "");
    }
    return PL_OK;
}
