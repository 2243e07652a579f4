// The search in the tables of bidirectional classes and brackets.
#include "font/line/bidi_class.h"

#include <stddef.h>

#include "base/ckd.h"
#include "font/line/bidi_table.h"

enum pl_bidi_class pl_bidi_class(uint32_t codepoint)
{
    size_t low = 0, high = PL_COUNTOF(class_rows);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (codepoint > class_rows[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < PL_COUNTOF(class_rows) && codepoint >= class_rows[low].first;
    return found ? (enum pl_bidi_class)class_rows[low].value : PL_BIDI_L;
}

uint32_t pl_bidi_bracket(uint32_t codepoint, bool *opens)
{
    size_t low = 0, high = PL_COUNTOF(bracket_rows);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (codepoint > bracket_rows[middle].c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == PL_COUNTOF(bracket_rows) || bracket_rows[low].c != codepoint)
        return 0;
    *opens = bracket_rows[low].opens;
    return bracket_rows[low].pair;
}
