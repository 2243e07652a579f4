// The fonts of the process and the writer of a thread: start, end, and what a font reference comes down to.
#include "font/writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "font/bitmap_font.h"
#include "font/embedded.h"
#include "font/fallback.h"
#include "font/font_hb.h"

// Keys of faces: those of the program are small numbers, downloaded fonts come with their own.
enum { KEY_FONT0 = 1, KEY_SYMBOL, KEY_BOX, KEY_DEVICES = 16, KEY_FALLBACKS = 256 };
#define KEY_FILES (UINT64_C(1) << 32)

#define SMALLEST 10   // dots of a scalable font
#define LARGEST 32000 // dots
#define MOST_MAGNIFIED 10

enum pl_errc pl_fonts_new(struct pl_fonts **out, struct pl_error *err)
{
    struct pl_fonts *fonts = calloc(1, sizeof *fonts);
    *out = fonts;
    if (!fonts)
        return pl_fail_memory(err);
    for (size_t i = 0; i < PL_BLOB_COUNT; i++)
        fonts->blobs[i] =
            pl_slice_make(pl_embedded_fonts[i].begin, (size_t)(pl_embedded_fonts[i].end - pl_embedded_fonts[i].begin));
    struct pl_ft *ft;
    enum pl_errc code = pl_ft_new(NULL, &ft, err);
    if (code == PL_OK) {
        struct pl_ft_face *face = pl_ft_open(ft, fonts->blobs[PL_BLOB_MONO]);
        if (face)
            pl_symbols_compose(&fonts->symbols, face);
        if (!face || pl_ft_starved(ft))
            code = pl_fail(err, PL_E_MEMORY, "no memory to open the embedded fonts");
        pl_ft_close(face);
        pl_ft_free(ft);
    }
    if (code == PL_OK)
        code = pl_fallback_load(fonts, err);
    if (code != PL_OK) {
        pl_fonts_free(fonts);
        *out = NULL;
    }
    return code;
}

void pl_fonts_free(struct pl_fonts *fonts)
{
    if (!fonts)
        return;
    pl_fallback_unload(fonts);
    free(fonts);
}

enum pl_errc pl_writer_new(const struct pl_fonts *fonts, size_t cache_bytes, struct pl_budget *budget,
                           struct pl_writer **out, struct pl_error *err)
{
    struct pl_writer *writer = calloc(1, sizeof *writer);
    *out = NULL;
    if (!writer)
        return pl_fail_memory(err);
    writer->fonts = fonts;
    writer->budget = budget;
    enum pl_errc code = pl_ft_new(budget, &writer->ft, err);
    if (code == PL_OK)
        code = pl_cache_new(cache_bytes, &writer->cache, err);
    if (code != PL_OK) {
        pl_writer_free(writer);
        return code;
    }
    writer->font0 = (struct pl_face){.kind = PL_FACE_FONT0, .key = KEY_FONT0};
    writer->symbol = (struct pl_face){.kind = PL_FACE_SYMBOL, .key = KEY_SYMBOL};
    writer->box = (struct pl_face){.kind = PL_FACE_BOX, .key = KEY_BOX};
    for (uint32_t i = 0; i < fonts->fallback_count; i++)
        writer->fallbacks[i] = (struct pl_face){.kind = PL_FACE_FILE,
                                                .key = KEY_FALLBACKS + i,
                                                .bytes = fonts->fallbacks[i].bytes,
                                                .size_1000 = fonts->fallbacks[i].size_1000,
                                                .narrow_1000 = fonts->fallbacks[i].narrow_1000};
    *out = writer;
    return PL_OK;
}

static void close_face(struct pl_face *face)
{
    pl_hb_close(face->hb);
    pl_ft_close(face->ft);
    pl_bitmap_font_free(face->bitmap);
    free(face->quick_glyphs);
}

void pl_writer_end_job(struct pl_writer *writer)
{
    for (uint32_t i = 0; i < writer->job_face_count; i++) {
        pl_cache_forget_face(writer->cache, writer->job_faces[i]->key);
        close_face(writer->job_faces[i]);
        free(writer->job_faces[i]);
    }
    writer->job_face_count = 0;
}

// Faces are opened when they are first used: one that was forgotten is opened again.
static void forget_face(struct pl_face *face)
{
    close_face(face);
    face->opened = false;
    face->ft = NULL;
    face->hb = NULL;
    face->quick_glyphs = NULL;
}

void pl_writer_forget(struct pl_writer *writer)
{
    pl_writer_end_job(writer);
    for (uint32_t i = 0; i < writer->device_count; i++)
        forget_face(&writer->devices[i]);
    for (uint32_t i = 0; i < writer->fonts->fallback_count; i++)
        forget_face(&writer->fallbacks[i]);
    pl_cache_clear(writer->cache);
    if (writer->ft)
        pl_ft_refresh(writer->ft);
}

void pl_writer_free(struct pl_writer *writer)
{
    if (!writer)
        return;
    pl_writer_forget(writer);
    pl_cache_free(writer->cache);
    pl_ft_free(writer->ft);
    free(writer);
}

void pl_writer_stats(const struct pl_writer *writer, struct pl_writer_stats *out)
{
    struct pl_cache_stats stats;
    pl_cache_stats(writer->cache, &stats);
    *out = (struct pl_writer_stats){stats.bytes, stats.limit, stats.hits, stats.misses, stats.evictions};
}

struct pl_face *pl_writer_file_face(struct pl_writer *writer, const struct pl_font_file *file)
{
    struct pl_face *face = NULL;
    for (uint32_t i = 0; i < writer->job_face_count && !face; i++)
        if (writer->job_faces[i]->file_id == file->id)
            face = writer->job_faces[i];
    if (!face) {
        if (writer->job_face_count == PL_MAX_JOB_FACES)
            return NULL;
        face = calloc(1, sizeof *face);
        if (!face)
            return NULL;
        face->kind = file->kind == PL_FONT_FILE_BITMAP ? PL_FACE_BITMAP : PL_FACE_FILE;
        face->key = KEY_FILES + file->id;
        face->file_id = file->id;
        face->bytes = file->bytes;
        face->size_1000 = face->narrow_1000 = 1000;
        if (face->kind == PL_FACE_BITMAP)
            face->bitmap = pl_bitmap_font_parse(file->bytes, writer->budget);
        writer->job_faces[writer->job_face_count++] = face;
    }
    if (face->kind == PL_FACE_BITMAP)
        return face->bitmap ? face : NULL;
    return pl_face_open(writer, face) ? face : NULL;
}

static struct pl_face *device_face(struct pl_writer *writer, const struct pl_device_font *device)
{
    for (uint32_t i = 0; i < writer->device_count; i++)
        if (writer->devices[i].device == device)
            return &writer->devices[i];
    if (writer->device_count == PL_MAX_DEVICE_FACES)
        return NULL;
    struct pl_face *face = &writer->devices[writer->device_count];
    *face = (struct pl_face){.kind = PL_FACE_DEVICE,
                             .key = KEY_DEVICES + writer->device_count,
                             .device = device,
                             .bytes = writer->fonts->blobs[device->blob]};
    writer->device_count++;
    return face;
}

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

static void scalable(const struct pl_font_ref *ref, struct pl_face *face, struct pl_text_font *out)
{
    int32_t height = ref->height, width = ref->width;
    complete_size(&height, &width, 15, 12);
    height = pl_clamp_i32(height, SMALLEST, LARGEST);
    width = pl_clamp_i32(width, SMALLEST, LARGEST);
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

static bool resident(struct pl_writer *writer, const struct pl_font_ref *ref, uint32_t dpmm, struct pl_text_font *out)
{
    int32_t mx, my;
    const struct pl_device_font *device = pl_device_lookup(ref->letter, dpmm);
    const struct pl_preset_font *preset = pl_preset_lookup(ref->letter);
    if (device) {
        struct pl_face *face = device_face(writer, device);
        if (!face || !pl_face_open(writer, face))
            return false;
        magnify(ref, device->cell_height, device->cell_width, MOST_MAGNIFIED, &my, &mx);
        cells(face, mx, my, device->cell_height, device->baseline, out);
        return true;
    }
    if (preset) {
        magnify(ref, preset->height, preset->width, LARGEST / preset->height, &my, &mx);
        out->main = (struct pl_sized_face){&writer->font0, preset->width * mx, preset->height * my};
        out->fallback = (struct pl_sized_face){NULL, preset->width * mx, preset->height * my};
        out->cell_height = out->pitch = out->tb_pitch = preset->height * my;
        out->baseline = preset->baseline * my;
        return true;
    }
    if (ref->letter == '$') {
        magnify(ref, PL_SYMBOL_CELL, PL_SYMBOL_CELL, MOST_MAGNIFIED, &my, &mx);
        cells(&writer->symbol, mx, my, PL_SYMBOL_CELL, PL_SYMBOL_CELL, out);
        return true;
    }
    if (ref->letter == '0') {
        scalable(ref, &writer->font0, out);
        return true;
    }
    return false;
}

enum pl_errc pl_font_resolve(struct pl_writer *writer, const struct pl_font_ref *ref, uint32_t dpmm,
                             struct pl_arena *arena, struct pl_text_font *out, struct pl_error *err)
{
    *out = (struct pl_text_font){.linked = ref->linked, .linked_count = ref->linked_count};
    if (ref->file) {
        struct pl_face *face = pl_writer_file_face(writer, ref->file);
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
    if (resident(writer, ref, dpmm, out))
        return PL_OK;
    // An unknown letter prints as A, an unknown digit as 0 (zpl-reference g.26).
    if (!out->asked_missing)
        out->asked_missing =
            pl_arena_printf(arena, "%c", ref->letter >= 0x20 && ref->letter < 0x7F ? ref->letter : '?');
    if (!out->asked_missing)
        return pl_fail_memory(err);
    struct pl_font_ref other = *ref;
    other.letter = ref->letter >= '0' && ref->letter <= '9' ? '0' : 'A';
    if (!resident(writer, &other, dpmm, out))
        return pl_fail(err, PL_E_MEMORY, "no memory to open the embedded fonts");
    return PL_OK;
}
