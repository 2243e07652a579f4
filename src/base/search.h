// The search in rows that are in order.
#ifndef PL_BASE_SEARCH_H
#define PL_BASE_SEARCH_H

// Sets `index`, a variable, to the first row that is not before what is looked for, or to `count`. `is_before` tells it
// of the row `index`: PL_FIND_FIRST(i, count, rows[i].last < c).
#define PL_FIND_FIRST(index, count, is_before)                                                                         \
    do {                                                                                                               \
        uint32_t low_ = 0, high_ = (uint32_t)(count);                                                                  \
        while (low_ < high_) {                                                                                         \
            (index) = low_ + (high_ - low_) / 2;                                                                       \
            if (is_before)                                                                                             \
                low_ = (index) + 1;                                                                                    \
            else                                                                                                       \
                high_ = (index);                                                                                       \
        }                                                                                                              \
        (index) = low_;                                                                                                \
    } while (0)

#endif
