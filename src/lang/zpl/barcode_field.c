// A barcode with nothing given, and what its readers find in the data.
#include "lang/zpl/barcode_field.h"

#include <stdarg.h>
#include <string.h>

#include "base/ckd.h"
#include "os/locale.h"

void zpl_barcode_init(struct zpl_barcode *field, enum pl_symbology symbology)
{
    *field = (struct zpl_barcode){.size = -1};
    pl_barcode_init(&field->symbol, symbology);
}

// The sentence is the finding's remark, or says why there can be no symbol.
PL_PRINTF(3, 0)
static enum pl_errc add(struct zpl_reader *r, struct pl_barcode_finding finding, const char *fmt, va_list args)
{
    char sentence[256];
    if (r->out->finding_count == ZPL_FINDINGS_MAX)
        return pl_fail(r->err, PL_E_BUG, "too many findings in one barcode");
    pl_os_vsnprintf(sentence, sizeof sentence, fmt, args);
    const char *kept = pl_arena_copy(r->arena, sentence, strlen(sentence) + 1);
    if (!kept)
        return pl_fail_memory(r->err);
    *(finding.id == PL_DIAG_BARCODE_UNENCODABLE ? &finding.refusal : &finding.remark) = kept;
    r->findings[r->out->finding_count++] = finding;
    return PL_OK;
}

enum pl_errc zpl_reader_remark(struct zpl_reader *r, enum pl_diag_id id, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    enum pl_errc code = add(r, (struct pl_barcode_finding){.id = id}, fmt, args);
    va_end(args);
    return code;
}

enum pl_errc zpl_reader_refuse(struct zpl_reader *r, enum pl_bar_fault fault, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    enum pl_errc code =
        add(r, (struct pl_barcode_finding){.id = PL_DIAG_BARCODE_UNENCODABLE, .fault = fault}, fmt, args);
    va_end(args);
    return code;
}

enum pl_errc zpl_reader_fault(struct zpl_reader *r, enum pl_bar_fault fault, const char *refusal, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    enum pl_errc code = add(r, (struct pl_barcode_finding){PL_DIAG_BARCODE_DATA, fault, NULL, refusal}, fmt, args);
    va_end(args);
    return code;
}
