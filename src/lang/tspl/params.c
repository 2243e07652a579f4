// Which parameter of a command an argument is: some may be left out, and the data comes last.
#include "base/ckd.h"
#include "lang/tspl/cmd_table.h"

static bool is_named(const struct tspl_row *row, unsigned param, const char *name)
{
    return param < row->about.param_count && strcmp(row->about.params[param].name, name) == 0;
}

// x,y,mode, then of the modes 2 and 3 class, country and postcode (of the USA in two parts), then perhaps the length.
static unsigned maxicode_param(const struct tspl_args *a, unsigned item)
{
    enum { CLASS = 3, COUNTRY, POSTCODE, LENGTH };
    bool has_address = tspl_is_word(a, 2, "2") || tspl_is_word(a, 2, "3");
    bool usa = tspl_is_word(a, 2, "2") && tspl_is_word(a, COUNTRY, "840");
    unsigned behind = !has_address ? CLASS : usa ? POSTCODE + 2 : POSTCODE + 1;
    if (item < behind)
        return PL_MIN(item, (unsigned)POSTCODE);
    return item == behind ? LENGTH : TSPL_NO_PARAM;
}

// Of a command whose last parameter is data.
static unsigned param_before_data(const struct tspl_args *a, unsigned item)
{
    const struct tspl_row *row = a->row;
    unsigned last = row->about.param_count - 2; // what may repeat
    if (row->run == tspl_cmd_maxicode)
        return maxicode_param(a, item);
    if (item > last)
        return is_named(row, last, "options") ? last : TSPL_NO_PARAM;
    return item;
}

unsigned tspl_param_of(const struct tspl_row *row, const struct tspl_statement *st, unsigned item)
{
    unsigned count = row->about.param_count, data = count - 1;
    struct tspl_args a = {.row = row, .st = st};
    if (is_named(row, 0, "memory")) // [F,|E,]"NAME"
        return item + (st->count < 2 || tspl_is_data(&a, 0));
    if (row->run == tspl_cmd_shift) // [x,]y
        return item + (st->count < 2 || st->item[1].len == 0);
    if (!row->draws || row->about.params[data].type != PL_LANG_DATA)
        return item;
    if (st->count < row->draws) // it is being written
        return item < data ? item : TSPL_NO_PARAM;
    if (item == tspl_data_item(row, st))
        return data;
    return item < tspl_data_item(row, st) ? param_before_data(&a, item) : TSPL_NO_PARAM;
}
