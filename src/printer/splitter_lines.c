// Units of EPL2, TSPL and CPCL. Each byte is looked at once, and kept once.
#include "base/ckd.h"
#include "printer/lines_parts.h"
#include "printer/splitter_parts.h"

#define SGD_BYTES ((size_t)64 << 10) // of a line
// Bytes that may be read again: so many at first, and for each byte that comes.
#define AGAIN_AT_FIRST ((uint64_t)64 << 10)
#define AGAIN_FOR_EACH 4u

void printer_splitter_read(struct printer_splitter *s, enum platen_language language, struct printer_forms *forms)
{
    s->lines = (struct printer_lines){.language = language, .forms = forms};
}

bool splitter_lines_are_idle(const struct printer_splitter *s)
{
    const struct printer_lines *l = &s->lines;
    bool begun = l->unsure || l->draws || l->recording || l->recalls || l->left > 0;
    return !begun && l->state == 0 && l->mode == 0 && s->unit.len == 0 && !s->overflows;
}

// The last bytes of the unit are none of the label.
static void take_back(struct printer_splitter *s, size_t bytes)
{
    s->unit.len -= PL_MIN(s->unit.len, bytes);
    s->plain = s->plain > s->unit.len ? 0 : s->plain;
}

// Bytes that are a unit of their own.
static void emit_text(struct printer_splitter *s, enum printer_unit unit, struct pl_slice bytes,
                      printer_unit_sink *sink, void *user)
{
    struct pl_buf text;
    pl_buf_init(&text, s->most);
    pl_buf_append_slice(&text, bytes);
    if (!text.failed)
        sink(user, unit, &text);
    s->starved = s->starved || text.failed;
    pl_buf_fini(&text);
}

// The part of the unit from the line on that is being read, or has ended.
static struct pl_slice line_of(const struct printer_splitter *s)
{
    return pl_slice_sub(pl_buf_slice(&s->unit), s->kept, s->unit.len);
}

// Its bytes go, and are a unit before the one that they were in.
static void emit_line(struct printer_splitter *s, enum printer_unit unit, printer_unit_sink *sink, void *user)
{
    struct pl_slice line = line_of(s);
    take_back(s, line.len);
    emit_text(s, unit, line, sink, user); // what is behind the end of the unit is still there
}

static void emit_sgd(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct pl_slice line = line_of(s);
    while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == '\n'))
        line.len--;
    take_back(s, line_of(s).len);
    emit_text(s, PRINTER_UNIT_SGD, line, sink, user);
}

// The unit ended before the line that has ended now. If the unit was over the limit, the line is known by its
// beginning, in which is all that sessions begin with.
static void emit_before(struct printer_splitter *s, enum line_before before, printer_unit_sink *sink, void *user)
{
    struct pl_buf line;
    pl_buf_init(&line, s->most);
    pl_buf_append_slice(&line, s->overflows ? line_text(&s->lines) : line_of(s));
    if (s->overflows)
        pl_buf_append_byte(&line, '\n');
    s->starved = s->starved || line.failed;
    take_back(s, line_of(s).len);
    splitter_emit(s, before == LINE_PRINTS_BEFORE ? PRINTER_UNIT_LABEL : PRINTER_UNIT_UNFINISHED, sink, user);
    lines_sent(&s->lines);
    splitter_keep(s, line.data, line.len, sink, user);
    pl_buf_fini(&line);
}

// What is stored does not depend on what is drawn around it: it is a unit before that, unless the label has used what
// was stored before, or another change waits in the unit, which comes first. A unit over the limit ends with it, unless
// it is one of a label that has begun.
static void emit_stored(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    const bool waits = l->waits || l->noted, over = s->overflows;
    if (over)
        l->change = LINE_NO_CHANGE; // it goes with the unit
    lines_note_change(l);
    if (over && !l->draws && !l->recalls) {
        splitter_clear(s);
        lines_sent(l);
        l->waits = false;
    }
    if (over || waits)
        return;
    emit_line(s, PRINTER_UNIT_STORED, sink, user);
    lines_sent(l);
}

static void take_step(struct printer_splitter *s, enum line_step step, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    if (l->before != LINE_NOTHING_BEFORE)
        emit_before(s, (enum line_before)l->before, sink, user);
    l->before = LINE_NOTHING_BEFORE;
    if (step == LINE_CONTROL) {
        const uint8_t command[3] = {l->bytes[0], '!', l->bytes[1]}, question[2] = {l->bytes[0], l->bytes[1]};
        bool is_cpcl = l->language == PLATEN_LANGUAGE_CPCL;
        struct pl_slice bytes =
            is_cpcl ? pl_slice_make(question, sizeof question) : pl_slice_make(command, sizeof command);
        take_back(s, bytes.len);
        emit_text(s, PRINTER_UNIT_CONTROL, bytes, sink, user);
    } else if (step == LINE_SGD && line_of(s).len <= SGD_BYTES) {
        emit_sgd(s, sink, user);
    } else if (step == LINE_STORES) {
        emit_stored(s, sink, user);
    } else if (step == LINE_PRINTS || step == LINE_ASKS) {
        splitter_emit(s, step == LINE_PRINTS ? PRINTER_UNIT_LABEL : PRINTER_UNIT_CODE, sink, user);
        lines_sent(l);
        l->draws = l->recalls = l->waits = false;
        l->recalled = (struct printer_form){0};
    }
}

// A line begins here, or a command that holds lines goes on.
static void note_line(struct printer_splitter *s, uint8_t state_before)
{
    const struct printer_lines *l = &s->lines;
    if (state_before == 0 && l->state != 0 && !l->stores && !l->recording)
        s->kept = s->unit.len;
}

// Has the command ended with its first line? Then what came behind that is read again. False: it cannot be.
static bool rewind_line(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    size_t bytes = l->behind > 0 ? l->behind - 1 : 0;
    if (s->overflows || bytes > s->unit.len - PL_MIN(s->unit.len, s->kept) ||
        s->read_again > AGAIN_AT_FIRST + AGAIN_FOR_EACH * s->taken)
        return false;
    if (s->again_from < s->again.len && bytes <= s->again_from) {
        s->again_from -= bytes; // they were read again already
    } else {
        pl_buf_clear(&s->again);
        pl_buf_append_slice(&s->again, pl_slice_sub(pl_buf_slice(&s->unit), s->unit.len - bytes, bytes));
        if (s->again.failed)
            return false;
        s->again_from = 0;
    }
    s->read_again += bytes;
    take_back(s, bytes);
    take_step(s, lines_rewound(l), sink, user);
    return true;
}

static void take_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    uint8_t state = l->state;
    bool first = s->unit.len == 0 && state == 0;
    enum line_step step = lines_step(l, c, first);
    if (first && (c == '\r' || c == '\n' || c == 0) && step == LINE_GOES_ON && l->state == 0)
        return; // line ends between two units are of neither
    note_line(s, state);
    splitter_keep(s, &c, 1, sink, user);
    if (l->rewinds) {
        l->unsure = !rewind_line(s, sink, user) || l->unsure;
        l->rewinds = false;
    } else if (step != LINE_GOES_ON || l->before != LINE_NOTHING_BEFORE) {
        take_step(s, step, sink, user);
    }
    // What EPL2 recalls prints only where a value or P follows, which ends the unit.
    if (l->recalls && !l->draws && !l->stores && l->state == 0 && l->left == 0 && l->language != PLATEN_LANGUAGE_EPL)
        s->may_print = s->unit.len;
}

// Bytes that are counted, or of which nothing is known any more.
static size_t take_run(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    size_t run = l->unsure ? bytes.len : lines_pass(l, bytes);
    splitter_keep(s, bytes.ptr, run, sink, user);
    return run;
}

static void note_partial(struct printer_splitter *s)
{
    s->in_format = s->lines.draws || s->lines.recording || s->lines.left > 0;
    if (s->overflows)
        lines_sent(&s->lines); // it never is
}

static size_t take_some(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    size_t used = 1;
    if (s->plain == 0 && (l->left > 0 || l->inner > 0))
        s->plain = s->unit.len;
    if (l->left > 0 || l->unsure)
        used = take_run(s, bytes, sink, user);
    else
        take_byte(s, bytes.ptr[0], sink, user);
    if (lines_have_stored(l))
        emit_stored(s, sink, user);
    return used;
}

// All that is to be read again: a pause waits for its end.
static void take_again(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    while (s->again_from < s->again.len) {
        struct pl_slice rest = pl_slice_sub(pl_buf_slice(&s->again), s->again_from, s->again.len);
        size_t run = s->lines.unsure ? rest.len : (size_t)PL_MIN(s->lines.left, (uint64_t)rest.len);
        s->again_from += PL_MAX(run, (size_t)1);
        (void)take_some(s, rest, sink, user);
    }
    pl_buf_clear(&s->again);
    s->again_from = 0;
}

size_t splitter_feed_lines(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    size_t i = 0;
    while (i < bytes.len && !s->pauses) {
        size_t used = take_some(s, pl_slice_sub(bytes, i, bytes.len), sink, user);
        i += used;
        s->taken += used;
        if (s->again.len > 0)
            take_again(s, sink, user);
    }
    note_partial(s);
    return i;
}

static void restart(struct printer_splitter *s)
{
    lines_sent(&s->lines);
    printer_splitter_read(s, s->lines.language, s->lines.forms);
    pl_buf_clear(&s->again);
    s->again_from = 0;
}

// The end of the input ends its last line, and quotes that are open end with their first one.
static enum line_step end_line(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    while (!l->unsure && l->behind > 0 && lines_are_in_quotes(l)) {
        l->unsure = !rewind_line(s, sink, user);
        take_again(s, sink, user);
    }
    if (l->left > 0)
        return LINE_GOES_ON;
    enum line_step step = lines_step(l, '\n', false);
    return !l->unsure && lines_are_in_quotes(l) ? lines_rewound(l) : step;
}

void splitter_end_lines(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    enum line_step step = end_line(s, sink, user);
    bool prints = step == LINE_PRINTS;
    take_step(s, prints ? LINE_GOES_ON : step, sink, user);
    if (lines_have_stored(l))
        emit_stored(s, sink, user);
    bool unfinished = l->left > 0 || l->recording || l->draws || l->state != 0;
    // Code that may have printed is carried out without the unfinished code behind it.
    if (unfinished && s->may_print > 0 && !l->unsure && !s->overflows) {
        s->kept = s->may_print;
        emit_before(s, LINE_PRINTS_BEFORE, sink, user);
    }
    // Code that was not cut off, since it could not be known where, is carried out as a whole.
    if (prints || l->unsure || (l->recalls && !unfinished))
        splitter_emit(s, PRINTER_UNIT_LABEL, sink, user);
    else
        splitter_emit(s, unfinished ? PRINTER_UNIT_UNFINISHED : PRINTER_UNIT_CODE, sink, user);
    restart(s);
}

// Counted bytes are still counted.
void splitter_cancel_lines(struct printer_splitter *s)
{
    uint64_t left = s->lines.left;
    restart(s);
    s->lines.left = left;
    s->overflows = left > 0;
}
