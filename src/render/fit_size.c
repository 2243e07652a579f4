// The size that labels were meant for: what ^PW and ^LL say, and where the content ends. docs/library.md has the rules.
#include <math.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "render/render.h"

#define MARGIN_MM 1.0    // right of and below the content
#define LEAST_MM 3.0     // a ^PW or ^LL below this is no size of a label
#define ALIKE_MM 2.0     // a side that is given may differ so much from that of a common label
#define EQUAL_MM 0.01    // less than half a dot
#define MUCH_LARGER 1.25 // so much more paper is not spent on a margin
#define ROUNDED_MM 5.0   // sides beyond all common labels

// Labels that are sold everywhere, in millimetres.
static const double COMMON[][2] = {
    {25.4, 12.7},  {25.4, 25.4},  {31.75, 25.4},  {38.1, 25.4},   {40, 30},       {50, 25},       {50, 30},
    {50.8, 25.4},  {50.8, 50.8},  {57.15, 19.05}, {57.15, 31.75}, {60, 40},       {70, 50},       {76.2, 25.4},
    {76.2, 50.8},  {76.2, 76.2},  {80, 50},       {100, 50},      {100, 100},     {100, 150},     {101.6, 25.4},
    {101.6, 50.8}, {101.6, 76.2}, {101.6, 101.6}, {101.6, 127},   {101.6, 152.4}, {101.6, 165.1}, {101.6, 203.2},
    {105, 148},    {148, 210},    {152.4, 101.6}, {152.4, 203.2}, {210, 297},     {203.2, 279.4},
};

// A side in dots: given by the label or the caller, or the end of the content.
struct side {
    uint32_t given, ink;
    double mm; // the result
};

static double mm_of(double dots, double dpmm)
{
    uint32_t dpi = pl_nominal_dpi(dpmm);
    return dpi ? dots / dpi * 25.4 : dots / dpmm;
}

// The same in whole micrometres, rounded up: it gives as many dots again.
static double round_up(double mm)
{
    return ceil(mm * 1000 - 1e-6) / 1000;
}

// Where the ink of a label ends, from the origin of the page.
static enum pl_errc measure(struct platen_worker *worker, const struct platen_document *doc,
                            const struct pl_label *label, uint32_t *right, uint32_t *bottom, struct pl_error *err)
{
    struct pl_diags unheard;
    struct pl_drawn_page page;
    pl_worker_drop_page(worker);
    pl_diags_init(&unheard, &worker->page_arena, 0);
    const struct pl_page_options options = {
        .width = doc->width, .height = doc->height, .dpmm = pl_whole_dpmm(doc->options.dpmm), .want_report = true};
    const struct pl_page_tools tools = {.writer = worker->writer,
                                        .arena = &worker->page_arena,
                                        .scratch = &worker->scratch,
                                        .diags = &unheard,
                                        .job = &doc->job};
    PL_TRY(pl_page_draw(&doc->scene, label, &options, &tools, &page, err));
    uint32_t dot = PL_MAX(label->dot_size, 1u);
    for (uint32_t i = 0; i < page.report_count; i++) {
        struct pl_box ink = page.reports[i].drawn.ink;
        if (pl_box_is_empty(ink))
            continue;
        *right = PL_MAX(*right, (uint32_t)pl_clamp_i64((int64_t)ink.x1 * dot, 0, INT32_MAX));
        *bottom = PL_MAX(*bottom, (uint32_t)pl_clamp_i64((int64_t)ink.y1 * dot, 0, INT32_MAX));
    }
    pl_worker_drop_page(worker);
    return PL_OK;
}

static double needed_mm(const struct side *side, double margin, double dpmm)
{
    return side->ink ? mm_of(side->ink, dpmm) + margin : 0;
}

static bool side_holds(const struct side *side, double common, double margin, double dpmm)
{
    return common + EQUAL_MM >= needed_mm(side, margin, dpmm) &&
           (side->given == 0 || fabs(common - mm_of(side->given, dpmm)) <= ALIKE_MM);
}

// The smallest common label that holds the content. NULL: none does.
static const double *common_size(const struct side *width, const struct side *height, double margin, double dpmm)
{
    const double *best = NULL;
    for (size_t i = 0; i < PL_COUNTOF(COMMON); i++) {
        const double *size = COMMON[i];
        if (side_holds(width, size[0], margin, dpmm) && side_holds(height, size[1], margin, dpmm) &&
            (!best || size[0] * size[1] < best[0] * best[1]))
            best = size;
    }
    return best;
}

// A side that is given stays as it is, unless another label needs more.
static double side_mm(const struct side *side, double common, double dpmm)
{
    double given = mm_of(side->given, dpmm);
    if (side->given > 0 && given >= needed_mm(side, 0, dpmm))
        return round_up(given);
    return common > 0 ? common : ceil(needed_mm(side, MARGIN_MM, dpmm) / ROUNDED_MM) * ROUNDED_MM;
}

static void choose(struct side *width, struct side *height, double dpmm)
{
    const double *best = common_size(width, height, MARGIN_MM, dpmm);
    // Frames are often drawn up to the edge: they must not cost a size.
    const double *full = common_size(width, height, 0, dpmm);
    if (full && (!best || full[0] * full[1] * MUCH_LARGER < best[0] * best[1]))
        best = full;
    width->mm = side_mm(width, best ? best[0] : 0, dpmm);
    height->mm = side_mm(height, best ? best[1] : 0, dpmm);
}

// ^PW and ^LL of all labels; where one has none, its content counts.
static enum pl_errc read_labels(struct platen_worker *worker, const struct platen_document *doc, struct side *width,
                                struct side *height, struct pl_error *err)
{
    uint32_t least = (uint32_t)(LEAST_MM * doc->options.dpmm);
    bool width_is_set = width->given > 0, height_is_set = height->given > 0;
    for (uint32_t i = 0; i < doc->scene.label_count; i++) {
        const struct pl_label *label = &doc->scene.labels[i];
        uint32_t right = 0, bottom = 0;
        bool has_width = width_is_set || label->print_width >= least;
        bool has_height = height_is_set || label->length >= least;
        if (!has_width || !has_height)
            PL_TRY(measure(worker, doc, label, &right, &bottom, err));
        if (!has_width)
            width->ink = PL_MAX(width->ink, right);
        else if (!width_is_set)
            width->given = PL_MAX(width->given, label->print_width);
        if (!has_height)
            height->ink = PL_MAX(height->ink, bottom);
        else if (!height_is_set)
            height->given = PL_MAX(height->given, label->length);
    }
    return PL_OK;
}

// Content decided, since a label does not say it.
static bool is_guessed(bool fits, const struct side *side)
{
    return fits && side->ink > 0;
}

enum pl_errc pl_fit_size(struct platen_document *doc, bool fits_width, bool fits_height, struct pl_error *err)
{
    struct side width = {.given = fits_width ? 0 : doc->width}, height = {.given = fits_height ? 0 : doc->height};
    double dpmm = doc->options.dpmm;
    PL_TRY(read_labels(doc->worker, doc, &width, &height, err));
    if (width.given + (uint64_t)width.ink == 0 || height.given + (uint64_t)height.ink == 0)
        return PL_OK; // there is nothing to go by: the default stays
    doc->size_guessed = is_guessed(fits_width, &width) || is_guessed(fits_height, &height);
    choose(&width, &height, dpmm);
    // No page is larger than the limit, whatever a label says; what lies beyond its edge is reported as such.
    double most = (double)doc->worker->engine->limits.dots_per_label;
    double w = PL_MIN(pl_dots(width.mm, dpmm), PL_MIN(most, (double)(INT32_MAX / 8)));
    double h = PL_MIN(pl_dots(height.mm, dpmm), PL_MIN(floor(most / w), (double)(INT32_MAX / 8)));
    if (fits_width) {
        doc->width = (uint32_t)w;
        doc->options.width_mm = w < pl_dots(width.mm, dpmm) ? round_up(mm_of(w, dpmm)) : width.mm;
    }
    if (fits_height) {
        doc->height = (uint32_t)h;
        doc->options.height_mm = h < pl_dots(height.mm, dpmm) ? round_up(mm_of(h, dpmm)) : height.mm;
    }
    return PL_OK;
}

void pl_take_stated_size(struct platen_document *doc, bool fits_width, bool fits_height)
{
    uint32_t stated_width = 0, stated_height = 0;
    for (uint32_t i = 0; i < doc->scene.label_count; i++) {
        stated_width = PL_MAX(stated_width, doc->scene.labels[i].print_width);
        stated_height = PL_MAX(stated_height, doc->scene.labels[i].length);
    }
    const uint64_t most = doc->worker->engine->limits.dots_per_label;
    const uint64_t longest = PL_MIN(most, (uint64_t)(INT32_MAX / 8));
    uint64_t width = fits_width && stated_width > 0 ? PL_MIN(stated_width, longest) : doc->width;
    uint64_t height = fits_height && stated_height > 0 ? PL_MIN(stated_height, longest) : doc->height;
    if (width * height > most && fits_height)
        height = most / width;
    else if (width * height > most)
        width = PL_MAX(most / height, 1u);
    const double dpmm = doc->options.dpmm;
    if (width != doc->width)
        doc->options.width_mm = round_up(mm_of((double)width, dpmm));
    if (height != doc->height)
        doc->options.height_mm = round_up(mm_of((double)height, dpmm));
    doc->width = (uint32_t)width;
    doc->height = (uint32_t)height;
}

void pl_note_corner(struct platen_page *page, const struct platen_document *doc, const struct pl_label *label)
{
    // Only where the label itself says that it is narrower: many small labels are drawn on the default page on purpose.
    if (doc->options.fit_size || label->print_width == 0 ||
        (uint64_t)label->print_width * 10 >= (uint64_t)doc->width * 9)
        return;
    const struct pl_drawn_page *drawn = &page->drawn;
    struct pl_box all = {0};
    int32_t width = (int32_t)(drawn->is_grey ? drawn->grey.width : drawn->bits.width);
    int32_t height = (int32_t)(drawn->is_grey ? drawn->grey.height : drawn->bits.height);
    for (uint32_t i = 0; i < drawn->report_count; i++)
        all = pl_box_union(all, pl_box_intersect(drawn->reports[i].box, (struct pl_box){0, 0, width, height}));
    if (pl_box_is_empty(all) || (int64_t)(all.x1 - all.x0) * 4 >= width || (int64_t)(all.y1 - all.y0) * 4 >= height)
        return;
    pl_diag_add(&page->diags, PL_DIAG_CONTENT_IN_CORNER, label->source, 0,
                "The content takes %d x %d of %d x %d dots: the label may be meant for a smaller size.",
                all.x1 - all.x0, all.y1 - all.y0, width, height);
}
