// Barcodes that a fix makes larger.
#include "describe/fix_barcode.h"

#include <math.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "render/render.h"

// Is the command one of the list, in which a blank stands behind each?
static bool is_one_of(const char *list, const char *command)
{
    const char *at = strstr(list, command);
    return at && at[strlen(command)] == ' ';
}

bool pl_fix_is_linear(const char *command)
{
    return is_one_of("^BC ^B3 ^BE ^BU ^B8 ^B9 ^BA ^B2 ^BK ^BI ^BJ ^BM ^BP ^B1 ^BL ^BS ", command);
}

// One direction of a barcode on the page: the bars, and what is before and behind them (quiet zones, captions).
struct span {
    double before, at, bars, behind;
};

static struct span span_of(int32_t at, uint32_t bars, int32_t ink_at, uint32_t ink, int32_t quiet_at, uint32_t quiet)
{
    const double first = PL_MIN(ink_at, quiet ? quiet_at : ink_at), end = (double)ink_at + ink;
    return (struct span){at - first, at, bars, PL_MAX(end, quiet ? (double)quiet_at + quiet : end) - at - bars};
}

int64_t pl_fix_way_inside(int64_t at, int64_t size, int32_t low, int32_t high)
{
    if (size > (int64_t)high - low)
        return 0;
    return at < low ? low - at : at + size > high ? high - at - size : 0;
}

// Is there room from `low` to `high` with bars of this size? They begin where they did, and go the `way` that is
// needed; if they are not `anchored`, they may also end where they did, and must have room where they are. *from and
// *to: what they may take.
static bool fits(struct span s, double bars, double margins, int32_t low, int32_t high, bool anchored, int64_t *way,
                 int64_t *from, int64_t *to)
{
    const double before = PL_MAX(s.before, 0.0) * margins, behind = PL_MAX(s.behind, 0.0) * margins;
    const int64_t size = (int64_t)ceil(before + bars + behind), other = (int64_t)floor(s.at + s.bars - bars - before);
    *from = (int64_t)floor(s.at - before);
    *way = pl_fix_way_inside(*from, size, low, high);
    *from += *way;
    *to = *from + size;
    if (!anchored)
        *from = PL_MIN(*from, other);
    return size <= (int64_t)high - low && (anchored || (*way == 0 && other >= low));
}

bool pl_fix_is_free(const struct platen_page *page, struct pl_box now, struct pl_box then)
{
    const struct pl_box more[] = {{then.x0, then.y0, PL_MIN(now.x0, then.x1), then.y1},
                                  {PL_MAX(now.x1, then.x0), then.y0, then.x1, then.y1},
                                  {then.x0, then.y0, then.x1, PL_MIN(now.y0, then.y1)},
                                  {then.x0, PL_MAX(now.y1, then.y0), then.x1, then.y1}};
    for (size_t i = 0; i < PL_COUNTOF(more); i++) {
        if (pl_page_has_ink(&page->drawn, more[i]))
            return false;
    }
    return true;
}

// In which directions is the place of the field where its bars begin on the page? ^FT is their lower end, and is
// another corner of turned fields; a third parameter or a turned label can mean the other end.
struct anchored {
    bool x, y;
};
static struct anchored anchored_of(const struct platen_page *page, uint32_t index, uint32_t rotation)
{
    struct platen_place_source place;
    if (page->document->options.rotation != 0 || !platen_page_place_source_at(page, index, &place) ||
        place.step_x <= 0 || place.step_y <= 0)
        return (struct anchored){false, false};
    const struct pl_slice written = pl_slice_sub(page->document->input, place.offset, place.length);
    uint32_t commas = 0;
    for (size_t i = 0; i < written.len; i++)
        commas += written.ptr[i] == ',';
    const bool origin = strcmp(place.command, "^FO") == 0;
    return (struct anchored){commas < 2 && (origin || rotation == 0), commas < 2 && origin};
}

uint32_t pl_fix_dots(const struct platen_page *page, double mm)
{
    struct platen_bitmap dots;
    platen_page_bitmap(page, &dots);
    return (uint32_t)PL_MAX(ceil(mm * dots.dpmm - 0.01), 1.0);
}

bool pl_fix_has_room(const struct platen_page *page, uint32_t index, uint32_t module, uint32_t raise, int64_t way[2])
{
    struct platen_element e;
    const struct pl_box area = page->drawn.area;
    if (!platen_page_element_at(page, index, &e) || e.module_dots == 0 || page->dot_size != 1)
        return false; // with ^JMB numbers of the code are not in dots of the page
    const double times = (double)module / e.module_dots;
    double longer = times;
    // Wide bars are whole dots: a ratio of 2.5 can be 2 with narrow modules, and 3 with others.
    if (times > 1 && is_one_of("^B3 ^B2 ^BK ^BI ^BJ ^BM ^BP ^B1 ^BL ", e.command))
        longer *= 2.0 * e.module_dots / (2.0 * e.module_dots - 1);
    const bool upright = e.rotation % 180 == 0;
    const struct anchored anchored = anchored_of(page, index, e.rotation);
    const struct span x = span_of(e.bars_x, e.bars_width, e.x, e.width, e.quiet_x, e.quiet_width),
                      y = span_of(e.bars_y, e.bars_height, e.y, e.height, e.quiet_y, e.quiet_height);
    int64_t left, right, top, bottom;
    if (!fits(x, upright ? x.bars * longer : x.bars + raise, times, area.x0, area.x1, anchored.x, &way[0], &left,
              &right) ||
        !fits(y, upright ? y.bars + raise : y.bars * longer, times, area.y0, area.y1, anchored.y, &way[1], &top,
              &bottom))
        return false;
    struct pl_box now = {e.x, e.y, e.x + (int32_t)e.width, e.y + (int32_t)e.height};
    if (e.quiet_width > 0)
        now = pl_box_union(now, (struct pl_box){e.quiet_x, e.quiet_y, e.quiet_x + (int32_t)e.quiet_width,
                                                e.quiet_y + (int32_t)e.quiet_height});
    return pl_fix_is_free(page, now, (struct pl_box){(int32_t)left, (int32_t)top, (int32_t)right, (int32_t)bottom});
}

// Further back and ahead nothing is looked for: each finding looks.
#define BY_WITHIN 65536u

static bool is_command(struct pl_slice code, size_t at, char first, char second)
{
    return at + 2 < code.len && code.ptr[at] == '^' && pl_upper(code.ptr[at + 1]) == first &&
           (second == '\0' || pl_upper(code.ptr[at + 2]) == second);
}

bool pl_fix_module_after(struct pl_slice code, size_t at, const struct platen_element *e, uint32_t *module)
{
    size_t later = (size_t)e->offset + e->length, by = at;
    // A stored format that is recalled behind it may have barcodes.
    const size_t most = PL_MIN(code.len, later + BY_WITHIN);
    while (later < most && !is_command(code, later, 'B', '\0') && !is_command(code, later, 'X', 'F'))
        later++;
    *module = 0;
    if (later == most && most < code.len)
        return false;
    if (later == code.len ||
        (is_command(code, later, 'B', 'Y') && later + 3 < code.len && pl_is_digit(code.ptr[later + 3])))
        return true;
    uint32_t set = 0;
    while (by > 0 && at - by < BY_WITHIN && set == 0) {
        if (!is_command(code, --by, 'B', 'Y'))
            continue;
        for (size_t i = by + 3; i < at && pl_is_digit(code.ptr[i]) && set < 100; i++)
            set = set * 10 + (uint32_t)(code.ptr[i] - '0');
    }
    if (set == 0 && by > 0)
        return false;
    *module = set ? set : 2; // what a printer begins with
    return *module == e->module_dots;
}
