// The machines of the three languages, by the one that a printer reads.
#include "printer/lines_parts.h"

enum line_step lines_step(struct printer_lines *l, uint8_t c, bool at_start)
{
    if (l->unsure)
        return LINE_GOES_ON;
    enum line_step step = l->language == PLATEN_LANGUAGE_EPL    ? lines_epl(l, c)
                          : l->language == PLATEN_LANGUAGE_TSPL ? lines_tspl(l, c, at_start)
                                                                : lines_cpcl(l, c);
    if (l->unsure)
        l->left = 0;
    return l->unsure ? LINE_GOES_ON : step;
}

size_t lines_pass(struct printer_lines *l, struct pl_slice bytes)
{
    size_t run = (size_t)PL_MIN(l->left, (uint64_t)bytes.len);
    l->left -= run;
    for (size_t i = 0; l->scans && i < run; i++) {
        if (l->language == PLATEN_LANGUAGE_TSPL)
            (void)lines_program(l, bytes.ptr[i]);
        else
            (void)lines_format(l, bytes.ptr[i]);
    }
    if (l->scans && l->left == 0) {
        if (l->language == PLATEN_LANGUAGE_TSPL)
            lines_program_end(l);
        else
            lines_format_end(l);
        l->scans = false;
    }
    return run;
}

bool lines_have_stored(struct printer_lines *l)
{
    bool ended = l->stores && l->state == 0 && l->mode == 0 && l->left == 0 && !l->recording && !l->counts;
    l->stores = l->stores && !ended;
    return ended && !l->unsure;
}

enum line_step lines_rewound(struct printer_lines *l)
{
    l->rewinds = false;
    l->behind = 0;
    l->state = 0;
    return l->language == PLATEN_LANGUAGE_TSPL ? lines_tspl_line_over(l) : LINE_GOES_ON;
}

bool lines_are_in_quotes(const struct printer_lines *l)
{
    return l->language == PLATEN_LANGUAGE_TSPL ? lines_tspl_quoted(l)
                                               : l->language == PLATEN_LANGUAGE_EPL && lines_epl_quoted(l);
}

void printer_forms_read(struct printer_forms *forms, enum platen_language language, struct pl_slice memory)
{
    struct printer_lines l = {.language = language, .forms = forms};
    for (size_t i = 0; i < memory.len && !l.unsure;) {
        if (l.left > 0) {
            i += lines_pass(&l, pl_slice_sub(memory, i, memory.len));
        } else {
            enum line_step step = lines_step(&l, memory.ptr[i++], false);
            l.recalls = l.waits = false;
            if (step == LINE_STORES)
                lines_note_change(&l);
        }
        if (lines_have_stored(&l))
            lines_note_change(&l);
    }
    lines_sent(&l);
    forms->full = forms->full || l.unsure; // what is behind is not known
}
