// Helpers of the font tests: a sheet to write on, and text fields in one line of C.
#ifndef PL_TESTS_FONT_SHEET_H
#define PL_TESTS_FONT_SHEET_H

#include "../unit.h"

#include "base/utf8.h"
#include "font/draw/text.h"

struct sheet {
    struct pl_fonts *fonts;
    struct pl_writer *writer;
    struct pl_arena arena, scratch;
    struct pl_diags diags;
    struct pl_bitmap canvas;
    struct pl_pen pen;
    struct pl_text_result result;
    uint32_t scale;
};

// Everything that a field can be; what is not named is 0.
struct field {
    int32_t x, y;
    bool typeset, goes_on, any_coverage;
    enum pl_rotation rotation;
    enum pl_justify justify;
    char letter; // 0: font 0
    int32_t height, width;
    const struct pl_font_file *file;
    const struct pl_font_file *const *linked;
    uint32_t linked_count;
    const char *text; // UTF-8
    struct pl_block block;
    enum pl_text_direction direction;
    int32_t gap;
    enum pl_ink ink;
    bool no_bidi, no_shaping;
};

static inline void sheet_blank(struct sheet *s, uint32_t width, uint32_t height, uint32_t scale)
{
    s->scale = scale;
    s->pen = (struct pl_pen){0};
    assert_int_equal(pl_bitmap_new(&s->arena, width * scale, height * scale, &s->canvas, NULL), PL_OK);
}

static inline void sheet_open(struct sheet *s, uint32_t width, uint32_t height)
{
    *s = (struct sheet){0};
    pl_arena_init(&s->arena, (size_t)512 << 20);
    pl_arena_init(&s->scratch, (size_t)256 << 20);
    pl_diags_init(&s->diags, &s->arena, 100);
    assert_int_equal(pl_fonts_new(NULL, &s->fonts, NULL), PL_OK);
    assert_int_equal(pl_writer_new(s->fonts, (size_t)4 << 20, NULL, &s->writer, NULL), PL_OK);
    sheet_blank(s, width, height, 1);
}

static inline void sheet_close(struct sheet *s)
{
    pl_writer_free(s->writer);
    pl_fonts_free(s->fonts);
    pl_arena_fini(&s->arena);
    pl_arena_fini(&s->scratch);
}

static inline uint32_t *sheet_chars(struct sheet *s, const char *utf8, uint32_t *length)
{
    struct pl_slice in = pl_slice_cstr(utf8);
    uint32_t *out = PL_ARENA_ARRAY(&s->arena, uint32_t, in.len + 1);
    assert_non_null(out);
    *length = 0;
    for (size_t at = 0; at < in.len;)
        out[(*length)++] = pl_utf8_next(in, &at);
    return out;
}

static inline struct pl_box sheet_write(struct sheet *s, struct field f)
{
    struct pl_element element = {.kind = PL_ELEMENT_TEXT, .rotation = f.rotation};
    element.at = (struct pl_placement){
        .x = f.x, .y = f.y, .typeset = f.typeset, .x_goes_on = f.goes_on, .y_goes_on = f.goes_on, .justify = f.justify};
    struct pl_text *text = &element.text;
    text->font = (struct pl_font_ref){f.letter ? f.letter : '0', f.file, f.linked, f.linked_count, f.height, f.width};
    text->chars = sheet_chars(s, f.text, &text->length);
    text->block = f.block;
    text->direction = f.direction;
    text->gap = f.gap;
    text->no_bidi = f.no_bidi;
    text->no_shaping = f.no_shaping;
    struct pl_text_target target = {.profile = &pl_profile_reference.font,
                                    .canvas = &s->canvas,
                                    .ink = f.ink,
                                    .scale = s->scale,
                                    .any_coverage = f.any_coverage,
                                    .dpmm = 8,
                                    .arena = &s->scratch,
                                    .diags = &s->diags};
    struct pl_error err = {0};
    if (pl_text_draw(s->writer, &target, &element, &s->pen, &s->result, &err) != PL_OK)
        fail_msg("%s", err.message);
    return s->result.ink;
}

#define WRITE(s, ...) sheet_write((s), (struct field){__VA_ARGS__})

static inline struct pl_block fb(int32_t width, int32_t lines, int32_t spacing, enum pl_block_align align,
                                 int32_t indent)
{
    return (struct pl_block){.kind = PL_BLOCK_LINES,
                             .width = width,
                             .max_lines = lines,
                             .spacing = spacing,
                             .indent = indent,
                             .align = align};
}

static inline struct pl_block tb(int32_t width, int32_t height)
{
    return (struct pl_block){.kind = PL_BLOCK_BOX, .width = width, .height = height};
}

#endif
