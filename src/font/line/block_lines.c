// ^FB and ^TB: where lines end. Greedy, at spaces, soft hyphens and between East Asian characters; a word that is wider
// than the block is cut between letters, never between a letter and its marks.
#include "font/line/block_lines.h"

#include "base/ckd.h"
#include "font/line/breaks.h"

#define SOFT_HYPHEN 0xAD
#define SILENT_BREAK 0x200B

struct breaker {
    const struct pl_layout *layout;
    const struct pl_block *block;
    int64_t *advances; // of each character, in 1/2048 dots
    uint8_t *breaks;   // enum pl_break before each character
    int64_t hyphen;    // advance of the hyphen that a soft hyphen may become
    struct pl_lines *out;
    uint32_t cap;
};

static enum pl_errc measure(struct breaker *b, struct pl_error *err)
{
    const struct pl_layout *layout = b->layout;
    b->advances = pl_arena_zalloc(layout->arena, ((size_t)layout->length + 1) * sizeof *b->advances, 8);
    b->breaks = pl_arena_zalloc(layout->arena, (size_t)layout->length + 1, 1);
    if (!b->advances || !b->breaks)
        return pl_fail_memory(err);
    PL_TRY(pl_breaks_find(layout->chars, layout->length, layout->job, b->breaks, err));
    for (uint32_t start = 0; start < layout->length;) {
        uint32_t end = start;
        PL_TRY(pl_job_check(layout->job, err));
        while (end < layout->length && layout->chars[end] != '\n')
            end++;
        struct pl_items items;
        PL_TRY(pl_layout_line(layout, start, end, &items, err));
        for (uint32_t i = 0; i < items.count; i++)
            b->advances[items.at[i].cluster] += items.at[i].advance;
        start = end + 1;
    }
    b->hyphen = pl_layout_width_of(layout, '-');
    // A soft hyphen inside a line takes no room.
    for (uint32_t i = 0; i < layout->length; i++)
        if (layout->chars[i] == SOFT_HYPHEN || layout->chars[i] == SILENT_BREAK)
            b->advances[i] = 0;
    return PL_OK;
}

static enum pl_errc add_line(struct breaker *b, struct pl_line line, struct pl_error *err)
{
    if (!PL_ARENA_GROW(b->layout->arena, b->out->at, b->out->count, b->cap, 16))
        return pl_fail_memory(err);
    b->out->at[b->out->count++] = line;
    return PL_OK;
}

// Room for a line behind an indent. A word that fits the whole width stays whole there, and behind an indent that is
// wider than the block lines do not end any more (measured on a printer).
static int64_t room_for(const struct breaker *b, uint32_t start, uint32_t end, int32_t indent)
{
    int64_t whole = (int64_t)b->block->width * 2048, room = whole - (int64_t)indent * 2048;
    if (indent == 0)
        return room;
    if (room < 0)
        return INT64_MAX / 2;
    if (start > 0 && b->layout->chars[start - 1] != ' ')
        return room; // the rest of a word that was cut
    int64_t word = 0;
    for (uint32_t i = start; i < end && b->layout->chars[i] != ' ' && b->layout->chars[i] != SOFT_HYPHEN; i++) {
        if (i > start && b->breaks[i] == PL_BREAK_MAY)
            break;
        word += b->advances[i];
    }
    return word > room && word <= whole ? word : room;
}

// Cuts a word that is wider than the line as a printer does: as much as leaves more room than the hyphen needs; if that
// is nothing, one letter, without a hyphen unless both fill the line.
static struct pl_line cut_with_hyphen(const struct breaker *b, uint32_t start, uint32_t end, int64_t room,
                                      uint32_t *next)
{
    int64_t width = 0;
    struct pl_line line = {.start = start, .end = start};
    for (uint32_t i = start, to; i < end; i = to) {
        to = i + 1;
        int64_t wider = width + b->advances[i];
        while (to < end && b->breaks[to] == PL_BREAK_NEVER)
            wider += b->advances[to++];
        bool first = i == start, fits = wider + b->hyphen < room || (first && wider + b->hyphen == room);
        if (!fits && !first)
            break;
        line.end = to;
        line.adds_hyphen = fits;
        line.width = wider + (fits ? b->hyphen : 0);
        width = wider;
        if (!fits)
            break;
    }
    *next = line.end;
    return line;
}

// A place where a line can end.
struct line_end {
    struct pl_line line;
    uint32_t next; // where the next line begins
    bool known;
};

// The line that begins at `start` and has no room for all: it ends between words where it can, else inside of a word.
static struct pl_line end_line(const struct breaker *b, uint32_t start, uint32_t end, int64_t room,
                               const struct line_end *broken, const struct line_end *cut, uint32_t *next)
{
    if (!broken->known && b->layout->hyphenates && b->block->kind == PL_BLOCK_LINES)
        return cut_with_hyphen(b, start, end, room, next);
    const struct line_end *chosen = broken->known ? broken : cut;
    *next = chosen->next;
    return chosen->line;
}

// The line that begins at `start`; says where the next one begins.
static struct pl_line next_line(const struct breaker *b, uint32_t start, uint32_t end, int64_t room, uint32_t *next)
{
    const uint32_t *chars = b->layout->chars;
    int64_t width = 0, ink_width = 0; // with and without the spaces at the end
    uint32_t ink_end = start;
    struct line_end broken = {0}, cut = {0}; // cut: in the middle of a word
    for (uint32_t i = start; i < end; i++) {
        uint32_t c = chars[i];
        const struct pl_line ink = {.start = start, .end = ink_end, .width = ink_width};
        if (c == ' ') {
            if (i > start && chars[i - 1] != ' ')
                broken = (struct line_end){ink, i, true};
            width += b->advances[i];
            continue;
        }
        if (c == SOFT_HYPHEN && ink_width + b->hyphen <= room && i > start) {
            const struct pl_line line = {.start = start, .end = i + 1, .width = width + b->hyphen, .hyphen = true};
            broken = (struct line_end){line, i + 1, true};
            continue;
        }
        if (c == SILENT_BREAK) {
            if (i > start)
                broken = (struct line_end){ink, i + 1, true};
            continue;
        }
        if (i > start && b->breaks[i] != PL_BREAK_NEVER)
            cut = (struct line_end){ink, i, true};
        if (i > start && b->breaks[i] == PL_BREAK_MAY)
            broken = cut;
        if (width + b->advances[i] > room && (broken.known || cut.known))
            return end_line(b, start, end, room, &broken, &cut, next);
        width += b->advances[i];
        ink_width = width;
        ink_end = i + 1;
    }
    *next = end;
    return (struct pl_line){.start = start, .end = ink_end, .width = ink_width};
}

enum pl_errc pl_block_lines(const struct pl_layout *layout, const struct pl_block *block, struct pl_lines *out,
                            struct pl_error *err)
{
    *out = (struct pl_lines){NULL, 0};
    struct breaker b = {.layout = layout, .block = block, .out = out};
    PL_TRY(measure(&b, err));
    bool more = layout->length > 0;
    for (uint32_t start = 0; more;) {
        uint32_t end = start;
        while (end < layout->length && layout->chars[end] != '\n')
            end++;
        bool hard = end < layout->length;
        int32_t indent = 0;
        uint32_t at = start;
        // ^FB prints no space at the start of a line (measured on a printer).
        while (block->kind == PL_BLOCK_LINES && at < end && layout->chars[at] == ' ')
            at++;
        do {
            PL_TRY(pl_job_check(layout->job, err));
            uint32_t next = end;
            struct pl_line line = next_line(&b, at, end, room_for(&b, at, end, indent), &next);
            int64_t spaces = 0;
            for (; next < end && layout->chars[next] == ' '; next++)
                spaces += b.advances[next];
            line.indent = indent;
            line.hard = hard && next >= end;
            PL_TRY(add_line(&b, line, err));
            at = next;
            indent = PL_MAX(0, block->indent);
            int64_t room = ((int64_t)block->width - indent) * 2048;
            if (layout->wide_gaps_take_lines && at < end && spaces > 0 && room >= 0 && spaces >= room)
                PL_TRY(add_line(&b, (struct pl_line){.start = at, .end = at, .indent = indent}, err));
        } while (at < end);
        start = end + 1;
        more = start < layout->length;
    }
    if (out->count > 0)
        out->at[out->count - 1].last = true;
    return PL_OK;
}
