// Text before it is laid out: cleaned, composed and ordered.
#include "base/ckd.h"
#include "font/face/font_hb.h"
#include "font/line/bidi.h"
#include "font/line/layout.h"

#define SOFT_HYPHEN 0xAD
#define SILENT_BREAK 0x200B // a line of a block may end there
#define REPLACEMENT 0xFFFD

bool pl_layout_needs_shaping(uint32_t c)
{
    if (c < 0x300)
        return false;
    return c <= 0x36F || (c >= 0x590 && c <= 0x109F) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x1700 && c <= 0x18AF) ||
           (c >= 0x1A00 && c <= 0x1CFF) || (c >= 0x1DC0 && c <= 0x1DFF) || (c >= 0x200C && c <= 0x200F) ||
           (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xA800 && c <= 0xABFF) || (c >= 0xFB1D && c <= 0xFEFF) ||
           (c >= 0x10800 && c <= 0x11FFF) || (c >= 0x1E000 && c <= 0x1EFFF);
}

// Never prints and takes no room, and does not order text either. U+FFFD stands for bytes that are not valid in the
// character set: the reference leaves them out, and the language has reported them.
static bool is_ignored(uint32_t c, bool in_block)
{
    if (c < 0x20)
        return !(in_block && c == '\n') && c != '\t';
    if (c == SOFT_HYPHEN || c == SILENT_BREAK)
        return !in_block;
    return (c >= 0x7F && c < 0xA0) || (c >= 0x2060 && c <= 0x2065) || (c >= 0x206A && c <= 0x206F) ||
           (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == REPLACEMENT;
}

static bool is_presentation_form(uint32_t c)
{
    return (c >= 0xFB50 && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFC);
}

// Text that is cleaned: its characters and, where they are known, the levels of them and of their paragraphs.
struct clean {
    uint32_t *chars;
    uint8_t *levels, *bases; // NULL: all are 0
    uint32_t length;
};

// Levels, unless all text runs from left to right.
static enum pl_errc find_levels(const struct pl_layout *layout, struct clean *text, struct pl_error *err)
{
    uint8_t *levels = pl_arena_zalloc(layout->arena, (size_t)text->length * 2 + 2, 1), any = 0;
    if (!levels)
        return pl_fail_memory(err);
    uint8_t *bases = levels + text->length + 1;
    PL_TRY(
        pl_bidi_levels(text->chars, text->length, PL_BIDI_BASE_TEXT, layout->arena, layout->job, levels, bases, err));
    for (uint32_t i = 0; i < text->length; i++)
        any |= levels[i];
    if (any == 0)
        return PL_OK;
    text->levels = levels;
    text->bases = bases;
    return PL_OK;
}

static void drop_controls(struct clean *text)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < text->length; i++) {
        if (pl_bidi_is_control(text->chars[i]))
            continue;
        text->chars[n] = text->chars[i];
        if (text->levels) {
            text->levels[n] = text->levels[i];
            text->bases[n] = text->bases[i];
        }
        n++;
    }
    text->length = n;
}

// Finds out what the text needs. True: none of its characters is ignored or a control.
static bool survey(struct pl_layout *layout, const uint32_t *chars, uint32_t length, bool in_block)
{
    bool clean = true, plain_arabic = false;
    for (uint32_t i = 0; i < length; i++) {
        if (chars[i] >= 0x20 && chars[i] < 0x7F)
            continue; // nothing of what follows: most text of labels
        clean = clean && !is_ignored(chars[i], in_block) && !pl_bidi_is_control(chars[i]);
        layout->simple = layout->simple && !pl_layout_needs_shaping(chars[i]);
        layout->ordered = layout->ordered || is_presentation_form(chars[i]);
        plain_arabic = plain_arabic || (chars[i] >= 0x620 && chars[i] <= 0x6D3);
    }
    // Forms among ordinary letters are ligatures of running text; forms alone were shaped and ordered by the sender.
    layout->ordered = layout->ordered && !plain_arabic;
    return clean;
}

// Copies the characters that are not ignored, accents joined with their letters. True: there are controls.
static bool copy_composed(const uint32_t *chars, uint32_t length, bool in_block, struct clean *text)
{
    bool controls = false;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t c = chars[i], n = text->length;
        if (is_ignored(c, in_block))
            continue;
        uint32_t both = n > 0 && c >= 0x300 && c <= 0x36F ? pl_hb_compose(text->chars[n - 1], c) : 0;
        if (both)
            text->chars[n - 1] = both;
        else
            text->chars[text->length++] = c;
        controls = controls || pl_bidi_is_control(c);
    }
    return controls;
}

enum pl_errc pl_layout_init(struct pl_layout *layout, struct pl_faces *faces, const struct pl_text_font *font,
                            struct pl_arena *arena, const struct pl_job *job, const uint32_t *chars, uint32_t length,
                            bool in_block, struct pl_error *err)
{
    *layout = (struct pl_layout){
        .faces = faces, .font = font, .arena = arena, .job = job, .chars = chars, .length = length, .simple = true};
    bool clean = survey(layout, chars, length, in_block);
    if (clean && layout->simple)
        return PL_OK;
    struct clean text = {.chars = PL_ARENA_ARRAY(arena, uint32_t, (size_t)length + 1)};
    if (!text.chars)
        return pl_fail_memory(err);
    bool controls = copy_composed(chars, length, in_block, &text);
    layout->simple = true;
    for (uint32_t i = 0; i < text.length; i++)
        layout->simple =
            layout->simple && (!pl_layout_needs_shaping(text.chars[i]) || pl_bidi_is_control(text.chars[i]));
    if (!layout->simple || controls) {
        layout->base_rtl = pl_bidi_reads_from_right(text.chars, text.length);
        if (!layout->ordered)
            PL_TRY(find_levels(layout, &text, err));
        drop_controls(&text);
    }
    layout->chars = text.chars;
    layout->length = text.length;
    layout->levels = text.levels;
    layout->bases = text.bases;
    layout->simple = layout->simple && !text.levels;
    return PL_OK;
}
