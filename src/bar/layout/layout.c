// From a barcode of the scene to a layout: the row of the table, its builder, quiet zones.
#include "bar/bar.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

static uint32_t clamp(int64_t value, uint32_t low, uint32_t high)
{
    return (uint32_t)pl_clamp_i64(value, low, high);
}

// Postal codes ask for room in inches, not in modules: 1/8 to the sides, 1/25 above and below.
static void set_quiet_zones(struct pl_bar_build *b)
{
    struct pl_bar_layout *out = b->out;
    if (b->row->build == pl_bar_build_postal) {
        out->quiet_left = out->quiet_right = (b->context->dpmm * 3175 + 999) / 1000;
        out->quiet_top = out->quiet_bottom = (b->context->dpmm * 1016 + 999) / 1000;
        return;
    }
    out->quiet_left = b->quiet_left * out->module;
    out->quiet_right = b->quiet_right * out->module;
    out->quiet_top = out->quiet_bottom = b->quiet_vertical * out->module;
}

enum pl_errc pl_bar_layout(const struct pl_barcode *barcode, const struct pl_bar_context *context,
                           struct pl_bar_layout *out, struct pl_error *err)
{
    memset(out, 0, sizeof *out);
    const struct pl_bar_symbology *row = pl_bar_symbology(barcode->symbology);
    if (!row)
        return pl_fail(err, PL_E_BUG, "no such symbology: %d", (int)barcode->symbology);
    struct pl_bar_build b = {.barcode = barcode,
                             .context = context,
                             .row = row,
                             .out = out,
                             .err = err,
                             .quiet_left = row->quiet_left,
                             .quiet_right = row->quiet_right,
                             .quiet_vertical = row->quiet_vertical};
    b.module = clamp(barcode->module, 1, PL_BAR_MODULE_MAX);
    b.height =
        clamp(barcode->height > 0 ? (int64_t)barcode->height : (int64_t)barcode->default_height, 1, PL_BAR_HEIGHT_MAX);
    out->module = b.module;
    out->symbology = pl_symbology_name(barcode->symbology);
    if (!row->own_findings)
        PL_TRY(pl_bar_report_findings(&b));
    if (!b.ended)
        PL_TRY(row->build(&b));
    set_quiet_zones(&b);
    return PL_OK;
}
