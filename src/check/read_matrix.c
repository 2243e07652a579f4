// Symbols that zxing-cpp reads as a whole: by their modules first.
#include "check/read_work.h"

// The dots as they are. A finder pattern that a line crosses is still one to a camera.
static enum pl_errc read_dots(struct pl_read_work *w)
{
    enum pl_zxing_status status;
    if (w->reader->formats & PL_ZXING_QR) // DetectPureQR of zxing 1.4 ends the program where ink is beside the symbol
        return PL_OK;
    PL_TRY(pl_read_take_crop(w));
    PL_TRY(pl_read_ask_whole(w, true));
    return pl_read_is_read(w) || !w->request->as_seen ? PL_OK : pl_read_see(w, &status);
}

// By its modules, then by its dots as the symbol alone, then by its modules wherever zxing finds it in them. A camera
// chooses what is dark by what it sees: where thin lines cross a symbol, more than half of a module, where white ones
// do, less. A QR Code must have what a scanner looks for first, and is not looked for: the triples are too many even in
// a grid.
static enum pl_errc read_matrix(struct pl_read_work *w)
{
    const struct pl_box area = w->from;
    const uint32_t margin = w->margin;
    const bool qr = w->reader->formats & PL_ZXING_QR;
    struct pl_bitmap grid;
    for (int i = 0; i < PL_READ_THRESHOLDS; i++) {
        struct pl_finder_damage damage;
        PL_TRY(pl_read_take_grid(w, (struct pl_read_sampling){true, PL_READ_EIGHTHS[i]}));
        if (pl_read_finders(&w->crop, w->reader->formats, &damage) || !qr)
            PL_TRY(pl_read_ask_grid(w, true));
        if (pl_read_is_read(w))
            return PL_OK;
        if (i == 0)
            grid = w->crop;
    }
    if (w->request->inverted)
        return PL_OK;
    w->from = area;
    w->margin = margin;
    PL_TRY(read_dots(w));
    if (pl_read_is_read(w) || qr)
        return PL_OK;
    w->crop = grid;
    return pl_read_ask_grid(w, false);
}

// zxing has no deadline, and what it tries grows with what is printed over a symbol: all triples of finder patterns in
// a QR Code, all start patterns of PDF417, all pairs of DataBar. A page full of them took minutes. So it looks at dots
// only where it takes them for the symbol alone, and otherwise at the modules: where they are, is known.
enum pl_errc pl_read_whole(struct pl_read_work *w)
{
    switch (w->reader->formats) {
    case PL_ZXING_MAXICODE: // no grid of squares
        PL_TRY(pl_read_take_crop(w));
        return pl_read_ask_whole(w, true);
    case PL_ZXING_DATABAR:
    case PL_ZXING_DATABAR_EXPANDED:
        PL_TRY(pl_read_take_grid(w, (struct pl_read_sampling){false, PL_READ_EIGHTHS[0]}));
        return pl_read_ask_grid(w, false);
    // Never as the symbol alone: that way of zxing 1.4 writes beyond its rows where it takes a column too few or too
    // many for one.
    case PL_ZXING_PDF417:
        for (int i = 0; i < PL_READ_THRESHOLDS && !pl_read_is_read(w); i++) {
            PL_TRY(pl_read_take_grid(w, (struct pl_read_sampling){false, PL_READ_EIGHTHS[i]}));
            PL_TRY(pl_read_ask_grid(w, false));
        }
        return PL_OK;
    default:
        return read_matrix(w);
    }
}
