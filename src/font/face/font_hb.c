// The one file that knows HarfBuzz.
#include "font/face/font_hb.h"

#include <stdlib.h>

#include <hb.h>

#include "base/ckd.h"
#include "font/face/sfnt.h"

struct pl_hb_font {
    hb_font_t *font;
    hb_buffer_t *buffer;
    struct pl_slice file;     // of a downloaded font
    const struct pl_job *job; // while it shapes
};

#define MOST_KERN_TABLES 32
// HarfBuzz checks a table before it is used, in up to 64 steps for each of its bytes. Fonts have 400 KB at most.
#define LARGEST_LAYOUT_TABLE ((size_t)1 << 20)

// The tables that shaping needs. Those of Apple's own layout are left out: their state machines have no bounds, and
// label printers do not know them.
static hb_blob_t *reference_table(hb_face_t *face, hb_tag_t tag, void *user)
{
    (void)face;
    static const hb_tag_t USED[] = {HB_TAG('h', 'e', 'a', 'd'), HB_TAG('m', 'a', 'x', 'p'), HB_TAG('h', 'h', 'e', 'a'),
                                    HB_TAG('h', 'm', 't', 'x'), HB_TAG('c', 'm', 'a', 'p'), HB_TAG('G', 'D', 'E', 'F'),
                                    HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'), HB_TAG('k', 'e', 'r', 'n'),
                                    HB_TAG('O', 'S', '/', '2'), HB_TAG('l', 'o', 'c', 'a'), HB_TAG('g', 'l', 'y', 'f'),
                                    HB_TAG('C', 'F', 'F', ' ')};
    const struct pl_hb_font *font = user;
    bool used = false;
    for (size_t i = 0; i < PL_COUNTOF(USED); i++)
        used = used || USED[i] == tag;
    struct pl_slice table = used ? pl_sfnt_table(font->file, tag) : pl_slice_make(NULL, 0);
    if (table.len > LARGEST_LAYOUT_TABLE && (tag == HB_TAG('G', 'D', 'E', 'F') || tag == HB_TAG('k', 'e', 'r', 'n') ||
                                             tag == HB_TAG('G', 'S', 'U', 'B') || tag == HB_TAG('G', 'P', 'O', 'S')))
        table.len = 0;
    bool positions = tag == HB_TAG('G', 'P', 'O', 'S');
    if ((positions || tag == HB_TAG('G', 'S', 'U', 'B')) && !pl_sfnt_can_shape(table, positions))
        table.len = 0;
    // Version 0 and the number of subtables.
    if (tag == HB_TAG('k', 'e', 'r', 'n') &&
        (table.len < 4 || table.ptr[0] || table.ptr[1] || table.ptr[2] || table.ptr[3] > MOST_KERN_TABLES))
        table.len = 0;
    return hb_blob_create((const char *)table.ptr, (unsigned)table.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
}

// Called between two lookups: when the time is up, those that are left are skipped.
static hb_bool_t between_lookups(hb_buffer_t *buffer, hb_font_t *font, const char *message, void *user)
{
    (void)buffer, (void)font, (void)message;
    return pl_job_check(((const struct pl_hb_font *)user)->job, NULL) == PL_OK;
}

struct pl_hb_font *pl_hb_open(struct pl_slice bytes, bool downloaded)
{
    if (bytes.len > UINT32_MAX)
        return NULL;
    struct pl_hb_font *out = malloc(sizeof *out);
    if (!out)
        return NULL;
    *out = (struct pl_hb_font){.file = bytes};
    hb_blob_t *blob = hb_blob_create((const char *)bytes.ptr, (unsigned)bytes.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = downloaded ? hb_face_create_for_tables(reference_table, out, NULL) : hb_face_create(blob, 0);
    out->font = hb_font_create(face); // scaled in font units, with HarfBuzz's own OpenType functions
    out->buffer = hb_buffer_create();
    if (downloaded)
        hb_buffer_set_message_func(out->buffer, between_lookups, out, NULL);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return out;
}

void pl_hb_close(struct pl_hb_font *font)
{
    if (!font)
        return;
    hb_buffer_destroy(font->buffer);
    hb_font_destroy(font->font);
    free(font);
}

bool pl_hb_prepare(struct pl_slice font)
{
    struct pl_hb_font *hb = pl_hb_open(font, false);
    hb_codepoint_t glyph = 0;
    bool can_look_up = hb && hb_font_get_nominal_glyph(hb->font, 'A', &glyph) && glyph > 0;
    pl_hb_close(hb);
    return can_look_up && hb_unicode_funcs_get_default() != hb_unicode_funcs_get_empty();
}

enum pl_errc pl_hb_shape(struct pl_hb_font *font, const uint32_t *chars, uint32_t total, uint32_t start,
                         uint32_t length, bool right_to_left, const struct pl_job *job, struct pl_arena *arena,
                         struct pl_hb_glyph **out, uint32_t *count, struct pl_error *err)
{
    hb_buffer_t *buffer = font->buffer;
    hb_buffer_clear_contents(buffer);
    if (total > INT32_MAX)
        return pl_fail(err, PL_E_LIMIT, "a text field is too long");
    hb_buffer_add_codepoints(buffer, chars, (int)total, start, (int)length);
    hb_buffer_set_direction(buffer, right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_guess_segment_properties(buffer);
    // Not the machine's language, which the guess would take.
    hb_buffer_set_language(buffer, HB_LANGUAGE_INVALID);
    font->job = job;
    hb_shape(font->font, buffer, NULL, 0);
    font->job = NULL;
    PL_TRY(pl_job_check(job, err));
    unsigned n = 0, m = 0;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &n);
    const hb_glyph_position_t *pos = hb_buffer_get_glyph_positions(buffer, &m);
    struct pl_hb_glyph *glyphs = PL_ARENA_ARRAY(arena, struct pl_hb_glyph, (size_t)n + 1);
    if (!glyphs)
        return pl_fail_memory(err);
    for (unsigned i = 0; i < n && i < m; i++)
        glyphs[i] = (struct pl_hb_glyph){
            info[i].codepoint, PL_MIN(info[i].cluster, total - 1), pl_clamp_i32(pos[i].x_advance, -65536, 65536),
            pl_clamp_i32(pos[i].x_offset, -65536, 65536), pl_clamp_i32(pos[i].y_offset, -65536, 65536)};
    *out = glyphs;
    *count = PL_MIN(n, m);
    return PL_OK;
}

uint32_t pl_hb_compose(uint32_t base, uint32_t mark)
{
    hb_codepoint_t both = 0;
    return hb_unicode_compose(hb_unicode_funcs_get_default(), base, mark, &both) ? both : 0;
}

bool pl_hb_is_mark(uint32_t codepoint)
{
    hb_unicode_general_category_t category = hb_unicode_general_category(hb_unicode_funcs_get_default(), codepoint);
    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK;
}

bool pl_hb_is_virama(uint32_t codepoint)
{
    return hb_unicode_combining_class(hb_unicode_funcs_get_default(), codepoint) == HB_UNICODE_COMBINING_CLASS_VIRAMA;
}

uint32_t pl_hb_mirror(uint32_t codepoint)
{
    return hb_unicode_mirroring(hb_unicode_funcs_get_default(), codepoint);
}

uint32_t pl_hb_script(uint32_t codepoint)
{
    hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), codepoint);
    if (script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN)
        return 0;
    return (uint32_t)script;
}
