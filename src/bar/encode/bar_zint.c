// The only file that knows libzint: modules of the symbologies that it encodes as the reference does.
#include "bar/encode/bar_zint.h"

#include <string.h>
#include <zint.h>

#include "base/ckd.h"

// No symbology that is taken from libzint holds more; its own limits are lower and its checks run before any buffer is
// filled.
#define DATA_MAX 2000

static enum pl_errc copy_modules(const struct zint_symbol *symbol, struct pl_arena *arena, struct pl_zint_symbol *out,
                                 struct pl_error *err)
{
    if (symbol->rows < 1 || symbol->rows > PL_ZINT_ROWS || symbol->width < 1 || symbol->width > 144 * 8)
        return pl_fail(err, PL_E_BUG, "libzint gave a symbol of %d rows of %d modules", symbol->rows, symbol->width);
    uint32_t rows = (uint32_t)symbol->rows, width = (uint32_t)symbol->width;
    PL_TRY(pl_bitmap_new(arena, width, rows, &out->modules, err));
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < width; x++)
            if (symbol->encoded_data[y][x / 8] >> (x % 8) & 1)
                pl_bitmap_set(&out->modules, x, y);
        float height = symbol->row_height[y];
        out->row_height[y] = height > 0 && height < 1000 ? (uint16_t)(height + 0.5f) : 0;
    }
    return PL_OK;
}

enum pl_errc pl_zint_encode(const struct pl_zint_job *job, struct pl_arena *arena, struct pl_zint_symbol *out,
                            struct pl_error *err)
{
    if (job->data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data");
    if (job->data.len > DATA_MAX)
        return pl_fail(err, PL_E_INVALID, "%zu characters are too many", job->data.len);
    struct zint_symbol *symbol = ZBarcode_Create();
    if (!symbol)
        return pl_fail_memory(err);
    symbol->symbology = (int)job->symbology;
    symbol->input_mode = job->gs1 ? GS1_MODE | GS1NOCHECK_MODE : DATA_MODE;
    symbol->option_1 = job->option_1 ? job->option_1 : -1;
    symbol->option_2 = job->option_2;
    symbol->option_3 = job->option_3;
    symbol->output_options = BARCODE_NO_QUIET_ZONES;
    symbol->show_hrt = 0;
    if (job->append_count > 1) {
        symbol->structapp.index = (int)job->append_index;
        symbol->structapp.count = (int)job->append_count;
    }
    enum pl_errc code = PL_OK;
    if (job->primary) {
        size_t length = strlen(job->primary);
        if (length >= sizeof symbol->primary)
            code = pl_fail(err, PL_E_INVALID, "the primary part is too long");
        else
            memcpy(symbol->primary, job->primary, length + 1);
    }
    if (code == PL_OK) {
        int zint_code = ZBarcode_Encode(symbol, job->data.ptr, (int)job->data.len);
        if (zint_code == ZINT_ERROR_MEMORY) {
            code = pl_fail_memory(err);
        } else if (zint_code >= ZINT_ERROR) {
            symbol->errtxt[sizeof symbol->errtxt - 1] = 0;
            const char *reason = strchr(symbol->errtxt, ':'); // "Error 312: Invalid character ..."
            code = pl_fail(err, PL_E_INVALID, "%s", reason && reason[1] ? reason + 2 : symbol->errtxt);
        } else {
            code = copy_modules(symbol, arena, out, err);
        }
    }
    ZBarcode_Delete(symbol);
    return code;
}
