// From a font reference to a face at a size: resident fonts, downloaded files, magnifications.
#include "font/face/text_font.h"

#include "base/ckd.h"
#include "font/face/bitmap_font.h"
#include "font/face/fonts.h"

#define SMALLEST 10   // dots of a scalable font
#define LARGEST 32000 // dots
#define MOST_MAGNIFIED 10
#define MOST_MAGNIFIED_CPCL 64 // SETMAG of 16, four cells of font 0

// One size missing: the other's; both missing: the defaults.
static void complete_size(int32_t *height, int32_t *width, int32_t default_height, int32_t default_width)
{
    if (*height <= 0 && *width <= 0) {
        *height = default_height;
        *width = default_width;
    } else if (*height <= 0) {
        *height = *width;
    } else if (*width <= 0) {
        *width = *height;
    }
}

static int32_t magnification(int32_t asked, int32_t cell, int32_t most)
{
    int64_t rounded = ((int64_t)asked * 2 + cell) / ((int64_t)cell * 2);
    return pl_clamp_i32(rounded, 1, most);
}

// Sizes of cells as magnifications; one missing takes the other's.
static void magnify(const struct pl_font_ref *ref, int32_t cell_height, int32_t cell_width, int32_t most, int32_t *my,
                    int32_t *mx)
{
    *my = ref->height > 0 ? magnification(ref->height, cell_height, most) : 0;
    *mx = ref->width > 0 ? magnification(ref->width, cell_width, most) : 0;
    complete_size(my, mx, 1, 1);
}

static int32_t most_magnified(uint8_t resident)
{
    return resident >= PL_FONT_CPCL_0 && resident <= PL_FONT_CPCL_7 ? MOST_MAGNIFIED_CPCL : MOST_MAGNIFIED;
}

static void scalable_size(int32_t *height, int32_t *width)
{
    complete_size(height, width, 15, 12);
    *height = pl_clamp_i32(*height, SMALLEST, LARGEST);
    *width = pl_clamp_i32(*width, SMALLEST, LARGEST);
}

static void scalable(const struct pl_font_ref *ref, struct pl_face *face, struct pl_text_font *out)
{
    int32_t height = ref->height, width = ref->width;
    scalable_size(&height, &width);
    out->main = (struct pl_sized_face){face, width, height};
    out->fallback = (struct pl_sized_face){NULL, width, height};
    out->cell_height = out->pitch = height;
    out->baseline = (int32_t)((int64_t)height * 3 / 4);
    out->tb_pitch = (int32_t)(((int64_t)height * 1261 + 500) / 1000);
}

static void cells(struct pl_face *face, int32_t mx, int32_t my, int32_t cell_height, int32_t baseline,
                  struct pl_text_font *out)
{
    out->main = (struct pl_sized_face){face, mx, my};
    out->fallback = (struct pl_sized_face){NULL, cell_height * mx, cell_height * my};
    out->cell_height = out->pitch = out->tb_pitch = cell_height * my;
    out->baseline = baseline * my;
}

static bool find_resident(struct pl_faces *faces, const struct pl_font_ref *ref, uint32_t dpmm,
                          struct pl_text_font *out)
{
    int32_t mx, my;
    const struct pl_device_font *device = pl_device_lookup(ref->resident, dpmm);
    const struct pl_preset_font *preset = pl_preset_lookup(ref->resident);
    if (device) {
        struct pl_face *face = pl_faces_of_device(faces, device);
        if (!face || !pl_face_open(faces, face))
            return false;
        magnify(ref, device->cell_height, device->cell_width, most_magnified(ref->resident), &my, &mx);
        cells(face, mx, my, device->cell_height, device->baseline, out);
        return true;
    }
    if (preset) {
        magnify(ref, preset->height, preset->width, LARGEST / preset->height, &my, &mx);
        out->main = (struct pl_sized_face){&faces->font0, preset->width * mx, preset->height * my};
        out->fallback = (struct pl_sized_face){NULL, preset->width * mx, preset->height * my};
        out->cell_height = out->pitch = out->tb_pitch = preset->height * my;
        out->baseline = preset->baseline * my;
        if (preset->resident == PL_FONT_S) {
            // Measured on a printer: 34 and 25 dots at 40, 67 and 50 at 80.
            out->short_pitch = (int32_t)(((int64_t)preset->height * my * 84 + 50) / 100);
            out->short_baseline = 25 * my;
        }
        return true;
    }
    if (ref->resident == PL_FONT_SYMBOLS) {
        magnify(ref, PL_SYMBOL_CELL, PL_SYMBOL_CELL, MOST_MAGNIFIED, &my, &mx);
        cells(&faces->symbol, mx, my, PL_SYMBOL_CELL, PL_SYMBOL_CELL, out);
        return true;
    }
    if (ref->resident == PL_FONT_SCALABLE) {
        scalable(ref, &faces->font0, out);
        return true;
    }
    return false;
}

void pl_font_cell(uint8_t resident, uint32_t dpmm, int32_t *height, int32_t *width)
{
    const struct pl_font_ref ref = {.resident = resident, .height = *height, .width = *width};
    const struct pl_device_font *device = pl_device_lookup(resident, dpmm);
    const struct pl_preset_font *preset = pl_preset_lookup(resident);
    int32_t my, mx;
    if (!device && !preset && resident != PL_FONT_SYMBOLS) {
        scalable_size(height, width);
        return;
    }
    int32_t cell_height = device ? device->cell_height : preset ? preset->height : PL_SYMBOL_CELL;
    int32_t cell_width = device ? device->cell_width : preset ? preset->width : PL_SYMBOL_CELL;
    magnify(&ref, cell_height, cell_width, preset && !device ? LARGEST / cell_height : most_magnified(resident), &my,
            &mx);
    *height = cell_height * my;
    *width = cell_width * mx;
}

enum pl_errc pl_text_font_resolve(struct pl_faces *faces, const struct pl_font_ref *ref, uint32_t dpmm,
                                  struct pl_arena *arena, struct pl_text_font *out, struct pl_error *err)
{
    *out = (struct pl_text_font){.linked = ref->linked, .linked_count = ref->linked_count};
    if (ref->file) {
        struct pl_face *face = pl_faces_of_file(faces, ref->file);
        if (face && face->kind == PL_FACE_BITMAP) {
            int32_t mx, my, height = pl_bitmap_font_height(face->bitmap);
            magnify(ref, height, pl_bitmap_font_width(face->bitmap), MOST_MAGNIFIED, &my, &mx);
            cells(face, mx, my, height, pl_bitmap_font_baseline(face->bitmap), out);
            return PL_OK;
        }
        if (face) {
            scalable(ref, face, out);
            return PL_OK;
        }
        out->asked_missing = pl_arena_printf(arena, "%.*s", (int)PL_MIN(ref->file->name.len, (size_t)64),
                                             (const char *)ref->file->name.ptr);
        if (!out->asked_missing)
            return pl_fail_memory(err);
    }
    if (find_resident(faces, ref, dpmm, out))
        return PL_OK;
    // The language has chosen a font that is there; for other callers an unknown digit is the scalable font, anything
    // else A.
    if (!out->asked_missing)
        out->asked_missing =
            pl_arena_printf(arena, "%c", ref->resident >= 0x20 && ref->resident < 0x7F ? ref->resident : '?');
    if (!out->asked_missing)
        return pl_fail_memory(err);
    struct pl_font_ref other = *ref;
    other.resident = pl_is_digit(ref->resident) ? PL_FONT_SCALABLE : PL_FONT_A;
    if (!find_resident(faces, &other, dpmm, out))
        return pl_fail(err, PL_E_MEMORY, "no memory to open the embedded fonts");
    return PL_OK;
}
