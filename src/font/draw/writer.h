// Inside the fonts: faces, faces at a size, and the writer that owns them. Not for other modules.
#ifndef PL_FONT_WRITER_H
#define PL_FONT_WRITER_H

#include "font/cache.h"
#include "font/device.h"
#include "font/font_ft.h"
#include "font/symbols.h"
#include "font/text.h"

struct pl_bitmap_font;
struct pl_hb_font;

enum pl_face_kind {
    PL_FACE_FONT0,
    PL_FACE_DEVICE, // A to H
    PL_FACE_SYMBOL, // ^GS
    PL_FACE_FILE,   // TrueType or OpenType: downloaded, or a face of the system
    PL_FACE_BITMAP, // ~DB
    PL_FACE_BOX     // what is drawn when nothing has the character
};

#define PL_FACE_ASCII 256

struct pl_face {
    enum pl_face_kind kind;
    uint64_t key; // unique in the process
    bool opened;  // the file was looked at; it may still be unusable
    struct pl_slice bytes;
    struct pl_ft_face *ft;
    struct pl_hb_font *hb;
    const struct pl_device_font *device;
    struct pl_bitmap_font *bitmap;
    uint64_t file_id;       // of a downloaded font
    int32_t size_1000;      // PL_FACE_FILE: em in 1/1000 of the height asked for
    int32_t narrow_1000;    // PL_FACE_FILE: x once more in 1/1000
    uint32_t *quick_glyphs; // PL_FACE_FILE: glyph + 1 of the characters below PL_FACE_ASCII; 0: not looked up
};

// A face at a size. For PL_FACE_DEVICE, PL_FACE_SYMBOL and PL_FACE_BITMAP the sizes are magnifications.
struct pl_sized_face {
    struct pl_face *face;
    int32_t width, height;
};

// Text of a greater height than this is filled as outlines by the reference, where the pen is; smaller text is placed
// as pictures of glyphs on whole dots.
#define PL_LARGEST_PICTURE 100
#define PL_PHASES 16 // places between two dots

static inline bool pl_is_large_text(const struct pl_sized_face *sized)
{
    if (sized->face->kind == PL_FACE_DEVICE)
        return (int64_t)sized->height * sized->face->device->size_1000 > PL_LARGEST_PICTURE * 1000;
    return sized->height > PL_LARGEST_PICTURE &&
           (sized->face->kind == PL_FACE_FONT0 || sized->face->kind == PL_FACE_FILE);
}

// A face of the system or of the program, mapped at start, to look in for characters that the label's font lacks.
struct pl_fallback {
    const char *file; // its name, for messages
    struct pl_slice bytes;
    int32_t size_1000, narrow_1000;
    bool mapped; // by mmap, otherwise embedded
};

#define PL_MAX_FALLBACKS 64

struct pl_fonts {
    struct pl_slice blobs[PL_BLOB_COUNT];
    struct pl_fallback fallbacks[PL_MAX_FALLBACKS];
    uint32_t fallback_count;
    uint32_t fallbacks_missing; // files of the table that are not installed
    bool has_cjk;               // a face with Chinese, Japanese and Korean was found
    struct pl_symbols symbols;
};

// Characters or glyphs that are handled between two looks at the clock, by loops that take about a microsecond for
// each.
#define PL_CHARS_PER_CHECK 256u

#define PL_MAX_DEVICE_FACES 16
#define PL_MAX_JOB_FACES 64

struct pl_writer {
    const struct pl_fonts *fonts;
    struct pl_budget *budget; // of the job, for what downloaded fonts take; may be NULL
    struct pl_ft *ft;
    struct pl_cache *cache;
    struct pl_face font0, symbol, box;
    struct pl_face devices[PL_MAX_DEVICE_FACES];
    uint32_t device_count;
    struct pl_face fallbacks[PL_MAX_FALLBACKS];
    struct pl_face *job_faces[PL_MAX_JOB_FACES]; // downloaded fonts of this job
    uint32_t job_face_count;
};

// What a font reference comes down to: the face at its size, and the line that it makes.
struct pl_text_font {
    struct pl_sized_face main;
    struct pl_sized_face fallback;            // size at which faces of the system join in (its face is not set)
    const struct pl_font_file *const *linked; // ^FL
    uint32_t linked_count;
    int32_t cell_height, baseline, pitch; // dots; the pitch is that of ^FB
    int32_t tb_pitch;                     // of ^TB
    const char *asked_missing;            // set when another font than the one asked for is used: its name
};

enum pl_errc pl_font_resolve(struct pl_writer *writer, const struct pl_font_ref *ref, uint32_t dpmm,
                             struct pl_arena *arena, struct pl_text_font *out, struct pl_error *err) PL_MUST_USE;

// The face of a downloaded font, opened on first use; NULL when it cannot be used.
struct pl_face *pl_writer_file_face(struct pl_writer *writer, const struct pl_font_file *file);
// Opens a face of the system on first use; false when it is of no use.
bool pl_face_open(struct pl_writer *writer, struct pl_face *face);

// The glyph of a character; false when the face lacks it. Glyphs of font 0, device and symbol faces are characters.
bool pl_face_glyph(struct pl_writer *writer, struct pl_face *face, uint32_t codepoint, uint32_t *glyph);
// The outline of a glyph, and the map that gives it its size times `scale`. False: the glyph has none.
bool pl_face_outline(struct pl_writer *writer, const struct pl_sized_face *sized, uint32_t glyph, uint32_t scale,
                     struct pl_outline *outline, struct pl_outline_map *map);
// In 1/2048 dots.
int64_t pl_face_advance(struct pl_writer *writer, const struct pl_sized_face *sized, uint32_t glyph);

// Where a glyph is drawn: its pen on the label, and how far beyond it, along the line, in 1/PL_PHASES dots.
struct pl_glyph_place {
    int32_t x, y;
    uint32_t phase;
    enum pl_rotation rotation;
};

// `ink` grows by the glyph's box.
enum pl_errc pl_glyph_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_sized_face *sized, uint32_t glyph, struct pl_glyph_place place,
                           struct pl_box *ink, struct pl_error *err) PL_MUST_USE;

#endif
