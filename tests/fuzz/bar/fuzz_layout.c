// All symbologies from spec to layout: the first bytes are the options, the rest is the data. A layout must hold
// together.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bar/bar.h"
#include "lang/zpl/barcode_field.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *bytes;
static size_t left;

static uint32_t take(uint32_t below)
{
    if (left == 0)
        return 0;
    left--;
    return *bytes++ % below;
}

// -1 (not given) in about half of the cases.
static int32_t option(uint32_t below)
{
    uint32_t value = take(2 * below);
    return value < below ? (int32_t)value : -1;
}

// `beyond`: dots by which bands may be wider than the layout. A printer places a MicroPDF417 of a series as if it had
// no row address patterns: three of ten modules.
static void check_bands(const struct pl_bar_layout *layout, uint64_t beyond)
{
    for (uint32_t i = 0; i < layout->band_count; i++) {
        const struct pl_bar_band *band = &layout->bands[i];
        uint64_t end = 0;
        for (uint32_t k = 0; k < band->run_count; k++) {
            const struct pl_bar_run *run = &band->runs[k];
            if (run->width == 0 || (k && run->x <= end) || run->x + (uint64_t)run->width > layout->width + beyond)
                abort();
            end = run->x + (uint64_t)run->width;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    left = size;
    struct zpl_barcode field;
    zpl_barcode_init(&field, (enum pl_symbology)take(PL_SYM_COUNT));
    struct pl_barcode spec = field.symbol;
    spec.module = take(12);
    spec.ratio_tenths = 18 + take(15);
    spec.default_height = take(200);
    spec.height = option(120);
    uint32_t flags = take(256);
    spec.text = flags & 1;
    spec.text_above = flags & 2;
    spec.check = flags & 4;
    field.eci = flags & 64;
    spec.validate = flags & 128;
    field.mode = "\0NUADEF0123456BC"[take(15)];
    char start = "\0ABCDx"[take(6)], stop = "\0ABCDx"[take(6)];
    int32_t magnification = option(120);
    field.size = option(120);
    if (field.size > 100)
        field.size += 100;
    int32_t columns = option(120), rows = option(120), size_number = option(34);
    static const int32_t qualities[] = {-1, 0, 50, 80, 100, 140, 200, 200, 200};
    int32_t quality = qualities[take(9)], format = option(7);
    field.escape = (uint8_t) "\0~_"[take(3)];
    bool rectangular = option(3) == 2;
    int32_t append_count = option(27), append_index = option(9);
    int32_t form = option(13), separator = option(3), segments_per_row = option(24);
    int32_t narrow = option(12), micro_module = option(12), micro_height = option(100);
    switch (spec.symbology) {
    case PL_SYM_AZTEC:
        spec.aztec.magnification = magnification;
        spec.aztec.append_count = append_count;
        break;
    case PL_SYM_CODABLOCK:
        spec.codablock.variant = (char)(field.mode == 'A' || field.mode == 'E' ? field.mode : 0);
        spec.codablock.checks = flags & 32;
        spec.codablock.columns = columns;
        spec.codablock.rows = rows;
        break;
    case PL_SYM_CODABAR:
        spec.codabar.start = start;
        spec.codabar.stop = stop;
        break;
    case PL_SYM_DATABAR:
        spec.databar.form = form;
        spec.databar.magnification = magnification;
        spec.databar.separator = separator;
        spec.databar.segments_per_row = segments_per_row;
        break;
    case PL_SYM_DATAMATRIX:
        spec.datamatrix.quality = quality;
        spec.datamatrix.columns = columns;
        spec.datamatrix.rows = rows;
        spec.datamatrix.format = format;
        spec.datamatrix.rectangular = rectangular;
        break;
    case PL_SYM_MAXICODE:
        spec.maxicode.append_index = append_index;
        spec.maxicode.append_count = append_count;
        break;
    case PL_SYM_MICROPDF417:
        spec.micropdf417.size_number = size_number;
        break;
    case PL_SYM_MSI:
        spec.msi.checks = (enum pl_msi_checks)(field.mode % 4);
        spec.msi.check_in_text = flags & 8;
        break;
    case PL_SYM_PDF417:
        spec.pdf417.security = field.size;
        spec.pdf417.columns = columns;
        spec.pdf417.rows = rows;
        spec.pdf417.truncated = flags & 16;
        break;
    case PL_SYM_QR:
        spec.qr.magnification = magnification;
        spec.qr.model1 = field.mode == '1';
        break;
    case PL_SYM_TLC39:
        spec.tlc39.narrow = narrow;
        spec.tlc39.micro_module = micro_module;
        spec.tlc39.micro_height = micro_height;
        break;
    default:
        break;
    }
    int32_t positions[3][2] = {{10, 10}, {-1, 0}, {500, 10}};
    spec.positions = (const int32_t(*)[2])positions;
    spec.position_count = take(8) > 6 ? 3 : 0;
    struct pl_arena arena;
    pl_arena_init(&arena, 128u << 20);
    struct pl_diags diags;
    pl_diags_init(&diags, &arena, 100);
    static const uint32_t densities[] = {6, 8, 12, 24};
    struct pl_bar_context context = {.profile = size / 4 % 2 == 0 ? &pl_profile_reference.bar : &pl_profile_printer.bar,
                                     .dpmm = densities[size % 4],
                                     .scale = size % 16 == 0 ? 4 : 1,
                                     .arena = &arena,
                                     .diags = &diags};
    struct pl_bar_layout layout;
    struct pl_error err = {0};
    field.symbol = spec;
    if (zpl_barcode_read(&field, pl_slice_make(bytes, left), &arena, &spec, &err) != PL_OK)
        abort();
    enum pl_errc code = pl_bar_layout(&spec, &context, &layout, &err);
    if (code != PL_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort(); // memory is ample: only our bugs are left
    }
    for (const struct pl_bar_layout *l = &layout; l; l = l->next)
        check_bands(l, spec.symbology == PL_SYM_MICROPDF417 ? (uint64_t)l->module * 30 : 0);
    if (layout.text_count > sizeof layout.texts / sizeof *layout.texts || !layout.symbology)
        abort();
    if (layout.band_count == 0 && !layout.picture && diags.count == 0)
        abort(); // nothing drawn, and nobody said why
    pl_arena_fini(&arena);
    return 0;
}
