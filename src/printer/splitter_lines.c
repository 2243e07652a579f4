// Units of EPL2, TSPL and CPCL. Each byte is looked at once, and kept once.
#include "base/ckd.h"
#include "printer/lines_parts.h"
#include "printer/splitter_parts.h"

void printer_splitter_read(struct printer_splitter *s, enum printer_language language, struct epl_forms *forms)
{
    s->lines = (struct printer_lines){.language = language, .forms = forms};
}

// A byte that is not counted. `at_start`: it is the first of the unit.
static enum line_step step_over(struct printer_lines *l, uint8_t c, bool at_start)
{
    if (l->unsure)
        return LINE_GOES_ON;
    enum line_step step = l->language == PRINTER_EPL    ? lines_epl(l, c)
                          : l->language == PRINTER_TSPL ? lines_tspl(l, c, at_start)
                                                        : lines_cpcl(l, c);
    if (l->unsure)
        l->left = 0;
    return l->unsure ? LINE_GOES_ON : step;
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
}

// Text that is a unit of its own.
static void emit_text(struct printer_splitter *s, enum printer_unit unit, struct pl_slice bytes,
                      printer_unit_sink *sink, void *user)
{
    struct pl_buf text;
    pl_buf_init(&text, LINE_HEAD);
    pl_buf_append_slice(&text, bytes);
    if (!text.failed)
        sink(user, unit, &text);
    s->starved = s->starved || text.failed;
    pl_buf_fini(&text);
}

static void emit_sgd(struct printer_splitter *s, size_t taken, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    take_back(s, taken);
    emit_text(s, PRINTER_UNIT_SGD, pl_slice_make(l->head, PL_MIN(l->length, LINE_HEAD)), sink, user);
}

static void take_step(struct printer_splitter *s, enum line_step step, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    if (step == LINE_CONTROL) {
        const uint8_t command[3] = {l->bytes[0], '!', l->bytes[1]};
        take_back(s, sizeof command);
        emit_text(s, PRINTER_UNIT_CONTROL, pl_slice_make(command, sizeof command), sink, user);
    } else if (step == LINE_SGD) {
        emit_sgd(s, (size_t)l->length + 1, sink, user);
    } else {
        splitter_emit(s, step == LINE_PRINTS ? PRINTER_UNIT_LABEL : PRINTER_UNIT_CODE, sink, user);
        l->draws = l->recalls = false;
        l->recalled = (struct epl_form){0};
    }
}

static void note_partial(struct printer_splitter *s)
{
    s->in_format = s->lines.draws || s->lines.recording || s->lines.left > 0;
}

size_t splitter_feed_lines(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    size_t i = 0, from = 0;
    while (i < bytes.len && !s->pauses) {
        if (l->left > 0 || l->unsure) {
            size_t run = l->unsure ? bytes.len - i : (size_t)PL_MIN(l->left, (uint64_t)(bytes.len - i));
            l->left -= PL_MIN(l->left, (uint64_t)run);
            i += run;
            continue;
        }
        uint8_t c = bytes.ptr[i];
        bool first = s->unit.len == 0 && from == i && l->state == 0;
        enum line_step step = step_over(l, c, first);
        i++;
        if (first && (c == '\r' || c == '\n' || c == 0) && step == LINE_GOES_ON && l->state == 0) {
            from = i; // line ends between two units are of neither
        } else if (step != LINE_GOES_ON) {
            splitter_keep(s, bytes.ptr + from, i - from, sink, user);
            from = i;
            take_step(s, step, sink, user);
        }
    }
    splitter_keep(s, bytes.ptr + from, i - from, sink, user);
    note_partial(s);
    return i;
}

static void restart(struct printer_splitter *s)
{
    printer_splitter_read(s, s->lines.language, s->lines.forms);
}

void splitter_end_lines(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    // The end of the input ends its last line, too.
    enum line_step step = l->left > 0 ? LINE_GOES_ON : step_over(l, '\n', false);
    bool unfinished = l->left > 0 || l->recording || l->draws || l->state != 0;
    if (step == LINE_SGD)
        emit_sgd(s, l->length, sink, user);
    // What was not cut off, since it could not be known where, is carried out as a whole.
    if (step == LINE_PRINTS || l->unsure || (l->recalls && !unfinished))
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
