// The search in the tables of bidirectional classes and brackets.
#include "font/line/bidi_class.h"

#include <stddef.h>

#include "base/ckd.h"
#include "base/search.h"
#include "font/line/bidi_table.h"

enum pl_bidi_class pl_bidi_class(uint32_t codepoint)
{
    uint32_t first;
    PL_FIND_FIRST(first, PL_COUNTOF(class_rows), codepoint > class_rows[first].last);
    bool found = first < PL_COUNTOF(class_rows) && codepoint >= class_rows[first].first;
    return found ? (enum pl_bidi_class)class_rows[first].value : PL_BIDI_L;
}

uint32_t pl_bidi_bracket(uint32_t codepoint, bool *opens)
{
    uint32_t first;
    PL_FIND_FIRST(first, PL_COUNTOF(bracket_rows), codepoint > bracket_rows[first].c);
    if (first == PL_COUNTOF(bracket_rows) || bracket_rows[first].c != codepoint)
        return 0;
    *opens = bracket_rows[first].opens;
    return bracket_rows[first].pair;
}
