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

// One scan line; false: not a symbol of this kind.
typedef bool pl_read_line(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out);
pl_read_line pl_read_code11, pl_read_industrial_2of5, pl_read_standard_2of5, pl_read_msi, pl_read_plessey,
    pl_read_extension;

// The whole crop.
typedef bool pl_read_area(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out);
pl_read_area pl_read_planet, pl_read_postnet, pl_read_intelligent_mail, pl_read_micropdf417, pl_read_code49,
    pl_read_codablock_a, pl_read_codablock_f;

// The bytes of PDF417 codewords; MicroPDF417 begins in byte compaction, PDF417 in text.
bool pl_read_pdf_words(const uint16_t *words, uint32_t count, bool micro, struct pl_read_text *out);

// The widths of a row in modules, rounded; 0: there is an element that is narrower than half a module or too wide.
uint32_t pl_read_modules(const struct pl_read_runs *runs, uint32_t module, uint8_t *widths, uint32_t capacity);
// The dots of a module's width around its middle as one: module `x` of the row.
bool pl_read_module(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t module);

// The symbol by its modules, with paper around them, PL_READ_GRID dots a module. Ink that covers half of a module makes
// it dark. `square`: rows are as high as modules are wide; otherwise they stay as they are.
#define PL_READ_GRID 2
#define PL_READ_GRID_QUIET 4 // modules
enum pl_errc pl_read_grid(struct pl_arena *arena, const struct pl_bitmap *crop, uint32_t module, bool square,
                          struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;
// Can the three finder patterns of a QR Code be found in its grid: is 1:1:3:1:1 whole through the middle of each,
// across and down?
bool pl_read_has_finders(const struct pl_bitmap *grid);

#endif
