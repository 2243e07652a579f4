// The project's own readers, for what zxing-cpp does not read. They see the dots of the bars alone, upright.
#ifndef PL_CHECK_READERS_H
#define PL_CHECK_READERS_H

#include "check/read.h"

struct pl_read_text {
    uint8_t *data; // PL_READ_MAX_DATA bytes
    uint32_t length;
    bool full;
};

static inline void pl_read_put(struct pl_read_text *text, uint32_t c)
{
    if (text->length < PL_READ_MAX_DATA)
        text->data[text->length++] = (uint8_t)c;
    else
        text->full = true;
}

void pl_read_normalise(enum pl_check_symbology symbology, struct pl_read_text *text, bool *gs1);

// Bars and spaces along a row: a bar first, a bar last.
#define PL_READ_MAX_RUNS 2048
struct pl_read_runs {
    uint32_t widths[PL_READ_MAX_RUNS];
    uint32_t count;  // odd, or 0: no bar, or more than there is room for
    uint32_t x0, x1; // of the ink
};
void pl_read_row(const struct pl_bitmap *crop, uint32_t y, struct pl_read_runs *out);

static inline bool pl_read_same_rows(const struct pl_bitmap *crop, uint32_t a, uint32_t b)
{
    return memcmp(pl_bitmap_row(crop, a), pl_bitmap_row(crop, b), crop->stride * sizeof(uint64_t)) == 0;
}

// A wide element is two modules or more; half-way decides.
static inline bool pl_read_is_wide(uint32_t width, uint32_t module)
{
    return (uint64_t)width * 2 > (uint64_t)module * 3;
}

// Character `index` of a row of Code 39, with one gap behind each: its place in "0-9A-Z-. $/+%*".
#define PL_READ_CODE39_STEP 10u // elements of a character and its gap
#define PL_READ_CODE39_STAR 43u // start and stop
#define PL_READ_NO_CODE39 44u
uint32_t pl_read_code39(const struct pl_read_runs *runs, uint32_t index, uint32_t module);

// One scan line; false: not a symbol of this kind.
typedef bool pl_read_line(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out);
pl_read_line pl_read_code11, pl_read_industrial_2of5, pl_read_standard_2of5, pl_read_msi, pl_read_plessey,
    pl_read_extension, pl_read_databar_limited;

// The whole crop.
typedef bool pl_read_area(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out);
pl_read_area pl_read_planet, pl_read_postnet, pl_read_intelligent_mail, pl_read_micropdf417, pl_read_code49,
    pl_read_codablock_a, pl_read_codablock_f, pl_read_pdf417, pl_read_tlc39, pl_read_aztec;

// What reads a symbology. Linear ones are read by line, the others as a whole.
struct pl_reader {
    uint32_t formats; // of zxing
    pl_read_line *line;
    pl_read_area *area; // is asked before zxing
    const char *reason; // why there is none
};
const struct pl_reader *pl_reader_of(enum pl_check_symbology symbology); // one that exists

// A codeword of PDF417 or MicroPDF417 from the scan lines of its row: it begins at dot x, y and has `height` dots.
// PL_READ_NO_WORD: no line gives one.
#define PL_READ_NO_WORD UINT32_C(0xFFFF)
#define PL_READ_PDF_MODULES 17u // of a codeword
uint32_t pl_read_pdf_codeword(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t height, uint32_t module,
                              uint32_t cluster);
// A MicroPDF417 that fills this box of the crop; its data is put behind what is there.
bool pl_read_micropdf417_in(const struct pl_bitmap *crop, struct pl_box box, uint32_t module, struct pl_read_text *out);
bool pl_read_pdf_checks_hold(const uint16_t *words, uint32_t total, uint32_t checks);
// The bytes of PDF417 codewords. A PDF417 starts in text compaction; a MicroPDF417 must start with a mode codeword.
bool pl_read_pdf_words(const uint16_t *words, uint32_t count, bool micro, struct pl_read_text *out);

// The widths of a row in modules, rounded; 0: there is an element that is narrower than half a module or too wide.
uint32_t pl_read_modules(const struct pl_read_runs *runs, uint32_t module, uint8_t *widths, uint32_t capacity);
// Is there ink in the middle of module `x` of the row?
bool pl_read_module(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t module);

// The symbol by its modules, with paper around them, PL_READ_GRID dots a module.
#define PL_READ_GRID 2
#define PL_READ_GRID_QUIET 4 // modules
struct pl_read_sampling {
    bool square;      // rows are as high as modules are wide; otherwise they stay as they are
    uint32_t eighths; // of a module that ink covers at least if it is dark
};
enum pl_errc pl_read_grid(struct pl_arena *arena, const struct pl_bitmap *crop, uint32_t module,
                          struct pl_read_sampling sampling, struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;
// Can the three finder patterns of a QR Code be found in its grid: is 1:1:3:1:1 whole through the middle of each,
// across and down?
bool pl_read_has_finders(const struct pl_bitmap *grid);
// How many percent of the modules of each part of the finder pattern are wrong: of the corners of a QR Code, of the
// left, lower, upper and right side of a Data Matrix, of the rings of an Aztec.
enum { PL_FINDER_PARTS = 4 };
struct pl_finder_damage {
    uint32_t percent[PL_FINDER_PARTS];
};
// Measures the pattern in a grid, then makes it whole: zxing 1.4 does not read a symbol alone without it, and ends the
// program by an assertion where the diagonal of a corner is damaged. False: no symbol has this shape.
bool pl_read_finders(struct pl_bitmap *grid, uint32_t format, struct pl_finder_damage *out);

#endif
