// Barcodes in what stands alone in a picture: the ink is parted into blocks, and each is given to the readers that want
// nothing but the symbol.
#include "base/ckd.h"
#include "check/find_internal.h"
#include "check/readers.h"

// Ink that is less than a cell apart belongs together: modules of a matrix, bars. Blocks that are looked at, and their
// dots in all.
enum { MATRIX_CELL = 6, BARS_CELL = 16, BLOCKS_MOST = 64, BLOCK_LEAST = 30, SIDE_MOST = 1024, DOTS_MOST = 4 << 20 };

struct cells {
    uint32_t side; // in dots
    uint32_t columns, rows;
    uint8_t *marks;  // 1: ink that is in no block yet
    uint32_t *stack; // of cells to look at
};

static enum pl_errc mark_cells(struct pl_find *find, uint32_t side, struct cells *out)
{
    out->side = side;
    const struct pl_bitmap *p = find->picture;
    out->columns = (p->width + side - 1) / side;
    out->rows = (p->height + side - 1) / side;
    const size_t count = (size_t)out->columns * out->rows;
    out->marks = PL_ARENA_ARRAY(find->arena, uint8_t, count);
    out->stack = PL_ARENA_ARRAY(find->arena, uint32_t, count);
    if (!out->marks || !out->stack)
        return pl_fail_memory(find->err);
    memset(out->marks, 0, count);
    for (uint32_t y = 0; y < p->height; y++) {
        uint32_t start, end;
        for (uint32_t x = 0; pl_bitmap_next_run(p, y, x, &start, &end); x = end)
            memset(out->marks + (size_t)(y / side) * out->columns + start / side, 1,
                   (end - 1) / side - start / side + 1);
    }
    return PL_OK;
}

static struct pl_box widen(struct pl_box box, uint32_t x, uint32_t y)
{
    return (struct pl_box){PL_MIN(box.x0, (int32_t)x), PL_MIN(box.y0, (int32_t)y), PL_MAX(box.x1, (int32_t)x + 1),
                           PL_MAX(box.y1, (int32_t)y + 1)};
}

// Takes all cells that touch this one, and gives their box in dots.
static struct pl_box take_block(struct cells *c, uint32_t from)
{
    struct pl_box box = {INT32_MAX, INT32_MAX, 0, 0};
    uint32_t depth = 0;
    c->marks[from] = 0;
    c->stack[depth++] = from;
    while (depth) {
        const uint32_t at = c->stack[--depth], x = at % c->columns, y = at / c->columns;
        box = widen(box, x, y);
        for (uint32_t i = 0; i < 9; i++) {
            const uint32_t u = x + i % 3 - 1, v = y + i / 3 - 1; // wraps around below 0, and is too large then
            if (u >= c->columns || v >= c->rows || !c->marks[v * c->columns + u])
                continue;
            c->marks[v * c->columns + u] = 0;
            c->stack[depth++] = v * c->columns + u;
        }
    }
    const int32_t side = (int32_t)c->side;
    return (struct pl_box){box.x0 * side, box.y0 * side, box.x1 * side, box.y1 * side};
}

// The ink of a box without the paper around it.
static enum pl_errc tighten(struct pl_find *find, struct pl_box *box)
{
    struct pl_bitmap part;
    PL_TRY(pl_bitmap_new(find->arena, (uint32_t)(box->x1 - box->x0), (uint32_t)(box->y1 - box->y0), &part, find->err));
    pl_bitmap_blit(&part, find->picture, -box->x0, -box->y0, PL_INK_BLACK);
    const struct pl_box ink = pl_bitmap_ink_box(&part);
    *box = (struct pl_box){box->x0 + ink.x0, box->y0 + ink.y0, box->x0 + ink.x1, box->y0 + ink.y1};
    return PL_OK;
}

// Hatching: bars of one width, but for a dot of rounding, whatever is between them. The first and the last may be cut.
static bool is_hatching(const struct pl_read_runs *runs)
{
    uint32_t narrowest = UINT32_MAX, widest = 0;
    for (uint32_t i = 2; i + 2 < runs->count; i += 2) {
        narrowest = PL_MIN(narrowest, runs->widths[i]);
        widest = PL_MAX(widest, runs->widths[i]);
    }
    return widest * 2 <= narrowest * 3;
}

// Bars: many of them, not all of one width, and the same ones in half of the height, since what destroys them may be
// higher; or fewer of them, the same ones in nearly all of it.
static bool looks_linear(const struct pl_bitmap *p)
{
    enum { PARTS = 8, BARS_LEAST = 18, SAME_LEAST = 4, FEW_LEAST = 12, SAME_OF_FEW = 7 };
    struct pl_read_runs runs;
    const uint32_t middle = p->height / 2;
    uint32_t same = 0, wide = 0, widest = 0;
    pl_read_row(p, middle, &runs);
    if (runs.count < 2 * FEW_LEAST - 1 || is_hatching(&runs))
        return false;
    uint32_t length = runs.x1 - runs.x0, hole = 0;
    for (uint32_t i = 1; i < runs.count; i++)
        hole = runs.widths[i] > runs.widths[hole] ? i : hole;
    // One that is much wider than all others lies over the bars, or is where they were wiped out.
    if (runs.widths[hole] * 8 > length) {
        length -= runs.widths[hole];
        runs.widths[hole] = 0;
    }
    for (uint32_t i = 0; i < runs.count; i++) {
        wide += runs.widths[i] * runs.count * 2 > length * 3; // than half more of the mean
        widest = PL_MAX(widest, runs.widths[i]);
    }
    for (uint32_t i = 0; i < PARTS; i++)
        same += pl_read_same_rows(p, middle, (2 * i + 1) * p->height / (2 * PARTS));
    return same >= (runs.count < 2 * BARS_LEAST - 1 ? SAME_OF_FEW : SAME_LEAST) && wide * 10 >= runs.count &&
           widest * runs.count <= length * 10;
}

// DataBar, which zxing does not search for: it is read as if its kind were known, upright and turned over.
static enum pl_errc read_databar(struct pl_find *find, const struct pl_bitmap *part, struct pl_found_symbol *found)
{
    // Modules from the first bar to the last; the others have as many as they need.
    static const struct {
        enum pl_check_symbology symbology;
        uint32_t modules;
    } kinds[] = {{PL_CHECK_DATABAR, 95}, {PL_CHECK_DATABAR_LIMITED, 73}, {PL_CHECK_DATABAR_EXPANDED, 0}};
    struct pl_read_runs runs;
    pl_read_row(part, part->height / 2, &runs);
    uint32_t narrowest = part->width;
    for (uint32_t i = 0; i < runs.count; i++)
        narrowest = PL_MIN(narrowest, runs.widths[i]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !found->read; i++) {
        const uint32_t modules = kinds[i].modules;
        const uint32_t module = modules ? (runs.x1 - runs.x0 + modules / 2) / modules : narrowest;
        found->symbology = kinds[i].symbology;
        PL_TRY(pl_find_read(find, part, PL_MAX(module, 1u), PL_ROT_N, found));
        if (!found->read)
            PL_TRY(pl_find_read(find, part, PL_MAX(module, 1u), PL_ROT_I, found));
    }
    if (found->read)
        found->gs1 = true;
    else
        found->symbology = PL_CHECK_SYMBOLOGY_COUNT;
    return PL_OK;
}

// DataBar in rows: the first or the last of them has the bars and spaces of whole pairs of characters, and is as long
// as these are; and there are few kinds of rows, so that there is little to try.
static bool looks_stacked(const struct pl_bitmap *p, struct pl_found_symbol *found, uint32_t *module)
{
    enum { PAIR = 21, PAIR_MODULES = 49, PAIRS_MOST = 5, CHANGES_MOST = 48, STACKED = 50, OMNI_LEAST = 40, EDGE = 2 };
    uint32_t changes = 0;
    for (uint32_t y = 1; y < p->height && changes <= CHANGES_MOST; y++)
        changes += !pl_read_same_rows(p, y - 1, y);
    if (p->height <= 2 * EDGE || changes == 0 || changes > CHANGES_MOST)
        return false;
    for (int i = 0; i < 2; i++) {
        struct pl_read_runs runs;
        pl_read_row(p, i ? p->height - 1 - EDGE : EDGE, &runs);
        const uint32_t pairs = runs.count / PAIR, rest = runs.count % PAIR;
        if (pairs < 1 || pairs > PAIRS_MOST || rest < 2 || rest > 4)
            continue;
        const uint32_t expanded = pairs * PAIR_MODULES + 4;
        const bool stacked = pairs == 1 && p->width % STACKED == 0;
        *module = stacked ? p->width / STACKED : (p->width + expanded / 2) / expanded;
        found->symbology = !stacked                            ? PL_CHECK_DATABAR_EXPANDED
                           : p->height >= OMNI_LEAST * *module ? PL_CHECK_DATABAR_STACKED_OMNI
                                                               : PL_CHECK_DATABAR_STACKED;
        if (stacked || (*module && p->width == expanded * *module))
            return true;
    }
    return false;
}

static enum pl_errc read_stacked(struct pl_find *find, const struct pl_bitmap *part, struct pl_found_symbol *found)
{
    static const enum pl_rotation turns[] = {PL_ROT_N, PL_ROT_I};
    uint32_t module;
    if (!looks_stacked(part, found, &module))
        return PL_OK;
    for (int i = 0; i < 2 && !found->read; i++)
        PL_TRY(pl_find_read(find, part, module, turns[i], found));
    found->gs1 = found->read;
    return PL_OK;
}

// Bars that are not read, where there are some of the same height a little before or behind them: something lies over a
// barcode, or was wiped out of it, and it is told once. Two barcodes have two quiet zones between them, which are as
// wide as so many of their bars and spaces. `turned`: the bars lie, and are upright in `part`.
static bool is_rest_of_another(struct pl_find *find, struct pl_box box, const struct pl_bitmap *part, bool turned)
{
    enum { QUIET_ZONES = 14 };
    struct pl_read_runs runs;
    pl_read_row(part, part->height / 2, &runs);
    for (uint32_t i = 0; i < find->out->count; i++) {
        struct pl_found_symbol *other = &find->out->items[i];
        const struct pl_box all = pl_box_union(other->place, box);
        const int64_t high = turned ? all.x1 - all.x0 : all.y1 - all.y0;
        const int64_t gap = turned ? all.y1 - all.y0 - (box.y1 - box.y0) - (other->place.y1 - other->place.y0)
                                   : all.x1 - all.x0 - (box.x1 - box.x0) - (other->place.x1 - other->place.x0);
        if (other->read || other->symbology != PL_CHECK_SYMBOLOGY_COUNT ||
            gap * runs.count > (int64_t)part->width * QUIET_ZONES || high * 8 > (int64_t)part->height * 9)
            continue;
        other->place = all;
        return true;
    }
    return false;
}

static enum pl_errc look_for_bars(struct pl_find *find, struct pl_box box)
{
    enum { HEIGHT_LEAST = 30, WIDTH_LEAST = 80 };
    struct pl_bitmap part, turned;
    PL_TRY(pl_bitmap_new(find->arena, (uint32_t)(box.x1 - box.x0), (uint32_t)(box.y1 - box.y0), &part, find->err));
    pl_bitmap_blit(&part, find->picture, -box.x0, -box.y0, PL_INK_BLACK);
    PL_TRY(pl_bitmap_turn(find->arena, &part, PL_ROT_R, &turned, find->err));
    const struct pl_bitmap *const ways[] = {&part, &turned};
    for (int i = 0; i < 2; i++) {
        struct pl_found_symbol found = {.symbology = PL_CHECK_SYMBOLOGY_COUNT, .place = box};
        PL_TRY(read_stacked(find, ways[i], &found));
        if (found.read) {
            pl_find_add(find, found);
            return PL_OK;
        }
        found.symbology = PL_CHECK_SYMBOLOGY_COUNT;
        if (ways[i]->width < WIDTH_LEAST || ways[i]->height < HEIGHT_LEAST || !looks_linear(ways[i]))
            continue;
        PL_TRY(read_databar(find, ways[i], &found));
        if (found.read || (!find->read_only && !is_rest_of_another(find, box, ways[i], i == 1)))
            pl_find_add(find, found);
        return PL_OK;
    }
    return PL_OK;
}

static enum pl_errc look_for_square(struct pl_find *find, struct pl_box box, bool *read)
{
    enum { PAPER = 16 };
    const int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    const struct pl_box around = {box.x0 - PAPER, box.y0 - PAPER, box.x1 + PAPER, box.y1 + PAPER};
    *read = false;
    if (width > 5 * height || height > 5 * width)
        return PL_OK;
    return pl_find_by_zxing(find, around, (uint32_t)PL_ZXING_DATAMATRIX | PL_ZXING_AZTEC, false, read);
}

static enum pl_errc look_for_matrix(struct pl_find *find, struct pl_box box)
{
    const int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    bool read;
    PL_TRY(look_for_square(find, box, &read));
    if (!read && width * 10 > height * 9 && height * 10 > width * 9)
        PL_TRY(pl_find_by_zxing(find, box, PL_ZXING_MAXICODE, true, &read));
    return PL_OK;
}

static bool is_dark(const struct pl_bitmap *p, struct pl_box box)
{
    uint64_t ink = 0;
    for (int32_t y = box.y0; y < box.y1; y++) {
        uint32_t start, end;
        for (uint32_t x = (uint32_t)box.x0;
             x < (uint32_t)box.x1 && pl_bitmap_next_run(p, (uint32_t)y, x, &start, &end) && start < (uint32_t)box.x1;
             x = end)
            ink += PL_MIN(end, (uint32_t)box.x1) - start;
    }
    return ink * 2 >= (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
}

static enum pl_errc mark_inside(struct pl_find *find, struct pl_box box)
{
    if (is_dark(find->picture, box))
        pl_bitmap_fill(find->inside, box, PL_INK_BLACK);
    return PL_OK;
}

static enum pl_errc look_for_reversed(struct pl_find *find, struct pl_box box)
{
    bool read;
    return look_for_square(find, box, &read);
}

static enum pl_errc look_at_blocks(struct pl_find *find, uint32_t cell,
                                   enum pl_errc (*look)(struct pl_find *find, struct pl_box box))
{
    struct cells cells;
    uint32_t blocks = 0;
    uint64_t dots = 0;
    PL_TRY(mark_cells(find, cell, &cells));
    for (uint32_t i = 0; i < cells.columns * cells.rows && blocks < BLOCKS_MOST && dots < DOTS_MOST; i++) {
        if (!cells.marks[i])
            continue;
        struct pl_box box = take_block(&cells, i);
        if (box.x1 - box.x0 < BLOCK_LEAST || box.y1 - box.y0 < BLOCK_LEAST || box.x1 - box.x0 > SIDE_MOST ||
            box.y1 - box.y0 > SIDE_MOST || !pl_find_is_new(find, box))
            continue;
        PL_TRY(pl_job_check(find->job, find->err));
        PL_TRY(tighten(find, &box));
        blocks++;
        dots += (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
        if (pl_find_is_new(find, box))
            PL_TRY(look(find, box));
    }
    return PL_OK;
}

// White on black: what is white inside of dark blocks is searched as if it were ink.
static enum pl_errc look_inside(struct pl_find *find)
{
    struct pl_bitmap inside;
    PL_TRY(pl_bitmap_new(find->arena, find->picture->width, find->picture->height, &inside, find->err));
    find->inside = &inside;
    PL_TRY(look_at_blocks(find, MATRIX_CELL, mark_inside));
    pl_bitmap_blit(&inside, find->picture, 0, 0, PL_INK_WHITE);
    const struct pl_box all = {0, 0, (int32_t)inside.width, (int32_t)inside.height};
    if (!pl_bitmap_has_ink(&inside, all))
        return PL_OK;
    struct pl_find reversed = *find;
    bool read;
    reversed.picture = &inside;
    reversed.reversed = true;
    PL_TRY(look_at_blocks(&reversed, MATRIX_CELL, look_for_reversed));
    return pl_find_by_zxing(&reversed, all, PL_FIND_LINEAR, false, &read);
}

enum pl_errc pl_find_blocks(struct pl_find *find)
{
    PL_TRY(look_at_blocks(find, MATRIX_CELL, look_for_matrix));
    PL_TRY(look_inside(find));
    // Spaces of wide modules are wider than the cell that parts bars from what stands beside them.
    find->read_only = true;
    for (uint32_t cell = BARS_CELL; cell <= 4 * BARS_CELL; cell *= 2)
        PL_TRY(look_at_blocks(find, cell, look_for_bars));
    find->read_only = false;
    PL_TRY(look_at_blocks(find, BARS_CELL, look_for_bars));
    return look_at_blocks(find, 4 * BARS_CELL, look_for_bars);
}
