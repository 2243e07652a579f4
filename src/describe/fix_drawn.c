// Fixes of what is printed: it is moved into the label, and barcodes get wider modules or higher bars where there is
// room.
#include "describe/fix_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

// Is the command one of the list, in which a blank stands behind each?
static bool is_one_of(const char *list, const char *command)
{
    const char *at = strstr(list, command);
    return at && at[strlen(command)] == ' ';
}

static bool is_linear(const char *command)
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

// How far a box has to go to be within `low` and `high`; 0 where it is, or cannot be.
static int64_t way_inside(int64_t at, int64_t size, int32_t low, int32_t high)
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
    // A digit beside the bars of EAN and UPC can stand a dot further out than in proportion.
    const double rounded = margins > 1 ? 1 : 0;
    const double before = s.before > 0 ? s.before * margins + rounded : 0;
    const double behind = s.behind > 0 ? s.behind * margins + rounded : 0;
    const int64_t size = (int64_t)ceil(before + bars + behind), other = (int64_t)floor(s.at + s.bars - bars - before);
    *from = (int64_t)floor(s.at - before);
    *way = way_inside(*from, size, low, high);
    *from += *way;
    *to = *from + size;
    if (!anchored)
        *from = PL_MIN(*from, other);
    return size <= (int64_t)high - low && (anchored || (*way == 0 && other >= low));
}

// The ink of an element, and the quiet zones of a barcode.
static struct pl_box box_of(const struct platen_element *e)
{
    const struct pl_box ink = {e->x, e->y, pl_saturate_i32((int64_t)e->x + e->width),
                               pl_saturate_i32((int64_t)e->y + e->height)};
    if (e->type != PLATEN_BARCODE || e->quiet_width == 0)
        return ink;
    return pl_box_union(ink,
                        (struct pl_box){e->quiet_x, e->quiet_y, pl_saturate_i32((int64_t)e->quiet_x + e->quiet_width),
                                        pl_saturate_i32((int64_t)e->quiet_y + e->quiet_height)});
}

// Is nothing printed where the barcode with its quiet zones is to be and is not yet?
static bool is_free(const struct platen_page *page, struct pl_box now, struct pl_box then)
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

// Whole dots that a finding's length is, one at least.
static uint32_t dots_of(const struct platen_page *page, double mm)
{
    struct platen_bitmap dots;
    platen_page_bitmap(page, &dots);
    return (uint32_t)PL_MAX(ceil(mm * dots.dpmm - 0.01), 1.0);
}

// Has the label room for all of the barcode when its modules have this width, and its bars are `raise` dots higher, and
// is nothing else printed there? It must then be moved by `way` (x, y) dots.
static bool has_room(const struct platen_page *page, uint32_t index, uint32_t module, uint32_t raise, int64_t way[2])
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
    return is_free(page, box_of(&e), (struct pl_box){(int32_t)left, (int32_t)top, (int32_t)right, (int32_t)bottom});
}

static bool is_command(struct pl_slice code, size_t at, char first, char second)
{
    return at + 2 < code.len && code.ptr[at] == '^' && pl_upper(code.ptr[at + 1]) == first &&
           (second == '\0' || pl_upper(code.ptr[at + 2]) == second);
}

// The module that a ^BY must set again behind the field, since a later barcode has it of the same ^BY as the field,
// whose own command is at `at`; 0: none has. False: which one it is cannot be said.
static bool module_after(struct pl_slice code, size_t at, const struct platen_element *e, uint32_t *module)
{
    size_t later = (size_t)e->offset + e->length, by = at;
    // A stored format that is recalled behind it may have barcodes.
    const size_t most = PL_MIN(code.len, later + PL_FIX_LOOK_MOST);
    while (later < most && !is_command(code, later, 'B', '\0') && !is_command(code, later, 'X', 'F'))
        later++;
    *module = 0;
    if (later == most && most < code.len)
        return false;
    if (later == code.len ||
        (is_command(code, later, 'B', 'Y') && later + 3 < code.len && pl_is_digit(code.ptr[later + 3])))
        return true;
    uint32_t set = 0;
    while (by > 0 && at - by < PL_FIX_LOOK_MOST && set == 0) {
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

// Changes a coordinate so that the ink moves by `way` dots at least. `moved`: dots by which a printer has moved it
// already.
static bool move_by(const struct pl_fix_work *w, uint32_t offset, uint32_t length, int32_t old, double step,
                    int32_t moved, int64_t way)
{
    char text[24];
    if (way == 0)
        return true;
    if (length == 0 || step == 0)
        return false;
    double units = (double)way / step;
    units = units > 0 ? ceil(units) + moved : floor(units);
    if (old + units < 0 || old + units > 32000)
        return false;
    snprintf(text, sizeof text, "%d", (int)(old + units));
    return pl_fix_edit(w, offset, length, text);
}

static bool move_both(const struct pl_fix_work *w, const struct platen_place_source *p, int64_t dx, int64_t dy)
{
    return move_by(w, p->x_offset, p->x_length, p->x, p->step_x, p->moved_x, dx) &&
           move_by(w, p->y_offset, p->y_length, p->y, p->step_y, p->moved_y, dy);
}

// Is the element over no barcode there and, if it is one with quiet zones, over no other ink? A part that it is over
// already counts, too: where other bars are hit than now, the symbol can be worse.
static bool may_move(const struct pl_fix_work *w, int64_t index, struct pl_box now, struct pl_box then, bool quiet)
{
    struct platen_element e;
    for (uint32_t i = 0; platen_page_element_at(w->page, i, &e); i++) {
        const struct pl_box other = box_of(&e), both = pl_box_intersect(then, other);
        const bool within = then.x0 > other.x0 && then.y0 > other.y0 && then.x1 < other.x1 && then.y1 < other.y1;
        const bool counts = e.type == PLATEN_BARCODE || (quiet && (e.type == PLATEN_TEXT || !within)); // a frame
        if (i != index && counts && !pl_box_is_empty(both))
            return false;
    }
    return !quiet || is_free(w->page, now, then);
}

bool pl_fix_move_inside(const struct pl_fix_work *w)
{
    struct platen_element e;
    struct platen_place_source place;
    int64_t index = pl_fix_element(w, &e);
    if (w->document->options.rotation != 0)
        return false; // the ink is elsewhere than the numbers say
    if (index < 0 || !platen_page_place_source_at(w->page, (uint32_t)index, &place) || place.unit_dots != 1 ||
        e.offset > w->d->offset)
        return false;
    const struct pl_box area = w->page->drawn.area, now = box_of(&e);
    const int64_t width = (int64_t)now.x1 - now.x0, height = (int64_t)now.y1 - now.y0;
    const int64_t dx = way_inside(now.x0, width, area.x0, area.x1), dy = way_inside(now.y0, height, area.y0, area.y1);
    if ((dx == 0 && dy == 0) || width > (int64_t)area.x1 - area.x0 || height > (int64_t)area.y1 - area.y0)
        return false;
    const struct pl_box then = {(int32_t)(now.x0 + dx), (int32_t)(now.y0 + dy), (int32_t)(now.x1 + dx),
                                (int32_t)(now.y1 + dy)};
    return may_move(w, index, now, then, e.type == PLATEN_BARCODE && e.quiet_width > 0) &&
           pl_fix_title(w, "Move it into the label") && move_both(w, &place, dx, dy) && w->out->count > 0;
}

// Writes the width of modules into the ^BY that the field has before its command, or puts one there.
static bool write_module(const struct pl_fix_work *w, size_t from, size_t at, uint32_t module)
{
    char text[16];
    const size_t by = pl_fix_look_back(w->code, from, at, "^BY");
    size_t end = by == SIZE_MAX ? at : by + 3;
    while (end < at && pl_is_digit(w->code.ptr[end]))
        end++;
    const bool own = by != SIZE_MAX && end > by + 3;
    snprintf(text, sizeof text, own ? "%u" : "^BY%u", module);
    return pl_fix_edit(w, own ? by + 3 : at, own ? end - by - 3 : 0, text);
}

// ^BY holds for the barcodes behind it, too: those that have it of the same ^BY as this one get it back.
bool pl_fix_widen_modules(const struct pl_fix_work *w)
{
    struct platen_element e;
    struct platen_place_source place;
    uint32_t old;
    int64_t way[2];
    size_t at = pl_fix_command(w, &e);
    if (at == SIZE_MAX || w->settings.has_units || !is_linear(e.command) || !module_after(w->code, at, &e, &old) ||
        (old > 0 && !pl_fix_is_apart(w, (size_t)e.offset + e.length)))
        return false;
    char text[16], back[16];
    const uint32_t index = (uint32_t)pl_fix_element(w, &e), wanted = e.module_dots + dots_of(w->page, w->d->missing_mm);
    // Wide bars become wider with the ratio of ^BY, not with its module. ^BY10 is the widest.
    if (strncmp(w->d->message, "The wide bars", 13) == 0 || wanted > 10 || !has_room(w->page, index, wanted, 0, way))
        return false;
    if ((way[0] || way[1]) && (!platen_page_place_source_at(w->page, index, &place) || place.unit_dots != 1 ||
                               place.offset > at || !move_both(w, &place, way[0], way[1])))
        return false;
    snprintf(text, sizeof text, "^BY%u", wanted);
    snprintf(back, sizeof back, "^BY%u", old);
    return pl_fix_title(w, "%s %s before %s%s",
                        pl_fix_look_back(w->code, e.offset, at, "^BY") == SIZE_MAX ? "Add" : "Write", text, e.command,
                        w->out->count ? ", and move it" : "") &&
           write_module(w, e.offset, at, wanted) && (old == 0 || pl_fix_edit(w, (size_t)e.offset + e.length, 0, back));
}

bool pl_fix_raise_bars(const struct pl_fix_work *w)
{
    struct platen_element e;
    size_t at = pl_fix_command(w, &e);
    if (at == SIZE_MAX || !is_linear(e.command) || e.rotation % 180 != 0 || w->settings.has_units)
        return false;
    char text[16];
    int64_t way[2];
    const uint32_t raise = dots_of(w->page, w->d->missing_mm);
    if (!has_room(w->page, (uint32_t)pl_fix_element(w, &e), e.module_dots, raise, way) || way[0] || way[1])
        return false;
    snprintf(text, sizeof text, "%u", e.bars_height + raise);
    return pl_fix_title(w, "Make the bars %s dots high", text) && pl_fix_write_named(w, at, e.command, "height", text);
}
