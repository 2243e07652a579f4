// Sizes of fonts at another density. What is written is the size at which the font was drawn, times the ratio: bitmap
// fonts have whole multiples of a cell, and a size that nobody says is that of the font itself.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/lengths.h"
#include "font/face/fonts.h"
#include "rewrite/rescale.h"

#define HEIGHT 1 // parameters of ^A, ^A@, ^GS and ^CF alike
#define WIDTH 2
#define SIZE_MOST 32000.0
#define SCALABLE_LEAST 10 // a scalable font is not smaller
#define SYMBOLS '$'

static int letter_index(uint8_t letter)
{
    letter = pl_upper(letter);
    return pl_is_upper(letter) ? letter - 'A' : pl_is_digit(letter) ? 26 + letter - '0' : -1;
}

// The resident font that a letter's size follows: 0 for all scalable ones.
static char font_of(const struct rescale *r, uint8_t letter)
{
    int index = letter_index(letter);
    if (index < 0)
        return r->font.letter;
    if (r->font.stored[index] || letter == '0')
        return '0';
    char capital = (char)(index < 26 ? 'A' + index : 0);
    bool resident = (capital >= 'A' && capital <= 'H') || (capital >= 'P' && capital <= 'V');
    return resident ? capital : r->font.letter;
}

void rescale_note_letter(struct rescale *r, const struct rw_command *c)
{
    int index = rw_is(c, "^CW") && rw_has(c, 0) ? letter_index(c->items[0].ptr[0]) : -1;
    if (index >= 0)
        r->font.stored[index] = true;
}

bool rescale_is_font(const struct rw_command *c)
{
    return rw_is_font(c) || rw_is(c, "^A@") || rw_is(c, "^GS") || rw_is(c, "^CF");
}

enum pl_errc rescale_part_height(struct rw_document *doc, struct rw_command *c, struct pl_error *err)
{
    if (!rw_is_font(c) || !rw_has(c, 0))
        return PL_OK;
    struct pl_slice first = c->items[0];
    size_t at = pl_is_digit(first.ptr[0]) ? 0 : 1;
    bool turned = at == 1 && strchr("NRIBnrib", first.ptr[0]);
    if (at == 1 && (!turned || first.len < 2 || !pl_is_digit(first.ptr[1]) || rw_has(c, WIDTH)))
        return PL_OK;
    struct pl_slice width = c->item_count > 1 ? c->items[1] : pl_slice_make("", 0);
    if (!rw_set_item(doc, c, WIDTH, width) || !rw_set_item(doc, c, HEIGHT, pl_slice_sub(first, at, first.len)))
        return pl_fail_memory(err);
    c->items[0] = pl_slice_sub(first, 0, at);
    return PL_OK;
}

static int32_t read_size(const struct rescale *r, const struct rw_command *c, uint32_t item, bool *given)
{
    double dots;
    if (!rescale_read(r, c, item, true, &dots))
        return 0;
    *given = true;
    return (int32_t)PL_MIN(fabs(dots), SIZE_MOST);
}

// The nearest multiple of a cell, of two the smaller: what grows no longer fits.
static double whole_cells(double exact, int32_t cell)
{
    return PL_MAX(ceil(exact / PL_MAX(cell, 1) - 0.5 - 1e-9), 1.0) * cell;
}

// Size in dots of the new density, and a note where the font does not have it.
static void new_size(struct rescale *r, const struct rw_command *c, char font, int32_t *height, int32_t *width)
{
    pl_font_cell((uint8_t)font, pl_whole_dpmm(r->from), height, width);
    double exact_height = *height * r->ratio, exact_width = *width * r->ratio;
    int32_t before_height = *height, before_width = *width;
    int32_t cell_height = 0, cell_width = 0;
    bool scalable = font == '0';
    pl_font_cell((uint8_t)font, pl_whole_dpmm(r->to), &cell_height, &cell_width);
    *height =
        (int32_t)PL_MIN(scalable ? rescale_round(r, exact_height) : whole_cells(exact_height, cell_height), SIZE_MOST);
    *width =
        (int32_t)PL_MIN(scalable ? rescale_round(r, exact_width) : whole_cells(exact_width, cell_width), SIZE_MOST);
    int32_t real_height = *height, real_width = *width;
    pl_font_cell((uint8_t)font, pl_whole_dpmm(r->to), &real_height, &real_width);
    double error = PL_MAX(fabs(real_height - exact_height), fabs(real_width - exact_width));
    if (error >= (scalable ? 1 : 0.001))
        RW_NOTE(r->doc, c,
                "%.3s: letters of %d x %d dots at %g dpmm are %.1f x %.1f dots at %g dpmm; they became %d x %d, the "
                "nearest size of this font.",
                rw_source(c).command, before_height, before_width, r->from, exact_height, exact_width, r->to,
                real_height, real_width);
}

static bool is_plain_size(int32_t size)
{
    return size == 0 || size >= SCALABLE_LEAST;
}

// ^CF: what it says stays for the fields that follow.
static char take_default(struct rescale *r, const struct rw_command *c, bool given, int32_t *height, int32_t *width)
{
    if (rw_has(c, 0)) {
        r->font.letter = 'A'; // of a letter without a font
        r->font.letter = font_of(r, c->items[0].ptr[0]);
    }
    if (given || r->font.letter != '0') {
        r->font.height = *height;
        r->font.width = *width;
    }
    *height = r->font.height;
    *width = r->font.width;
    r->font.said = true;
    return r->font.letter;
}

// The font of ^A, ^A@ and ^GS.
static char font_of_command(struct rescale *r, const struct rw_command *c)
{
    if (rw_is(c, "^GS"))
        return SYMBOLS;
    if (rw_is(c, "^A@") && r->font.named)
        return '0';
    return rw_is(c, "^A@") || c->unnamed ? r->font.letter : font_of(r, c->second);
}

enum pl_errc rescale_font(struct rescale *r, struct rw_command *c)
{
    bool is_default = rw_is(c, "^CF"), symbols = rw_is(c, "^GS"), given = false;
    PL_TRY(rescale_part_height(r->doc, c, r->err));
    int32_t height = read_size(r, c, HEIGHT, &given), width = read_size(r, c, WIDTH, &given);
    char before = r->font.letter, font;
    if (is_default) {
        font = take_default(r, c, given, &height, &width);
    } else {
        r->font.named = r->font.named || (rw_is(c, "^A@") && rw_has(c, 3));
        font = font_of_command(r, c);
        given = height > 0 || width > 0;
        if (!given) {
            height = symbols ? r->font.last_height : r->font.height;
            width = symbols ? r->font.last_width : r->font.width;
        }
    }
    if (!symbols) {
        r->font.last_height = height;
        r->font.last_width = width;
    }
    // A size that ^CF has said for scalable fonts serves them still.
    bool plain = font == '0' && is_plain_size(height) && is_plain_size(width) && (height > 0 || width > 0);
    if (plain && given) {
        PL_TRY(rescale_item(r, c, HEIGHT));
        return rescale_item(r, c, WIDTH);
    }
    if (plain && before == '0')
        return PL_OK;
    new_size(r, c, font, &height, &width);
    PL_TRY(rescale_write(r, c, HEIGHT, height, true));
    return rescale_write(r, c, WIDTH, width, true);
}

enum pl_errc rescale_default_font(struct rescale *r, const struct rw_command *text)
{
    int32_t height = 0, width = 0;
    if (r->font.said || r->label == UINT32_MAX)
        return PL_OK;
    r->font.said = true;
    new_size(r, text, r->font.letter, &height, &width);
    char *items = pl_arena_printf(r->doc->arena, "%c,%d,%d", r->font.letter, height, width);
    return items && rw_insert(r->doc, r->label + 1, "^CF", items) ? PL_OK : pl_fail_memory(r->err);
}
