// Reading times and the sheets of a PDF.
#include "request/own_values.h"

#include <string.h>

#include "base/ckd.h"
#include "base/date.h"
#include "base/fmt.h"

#define CELLS_MOST 1000u

// ---- times

static bool two_digits(struct pl_slice s, size_t at, int *out)
{
    if (at + 2 > s.len || s.ptr[at] < '0' || s.ptr[at] > '9' || s.ptr[at + 1] < '0' || s.ptr[at + 1] > '9')
        return false;
    *out = (s.ptr[at] - '0') * 10 + (s.ptr[at + 1] - '0');
    return true;
}

bool control_read_time(struct pl_slice s, int64_t *out)
{
    if (pl_parse_i64(s, out))
        return *out >= TIME_LEAST && *out <= TIME_MOST;
    if (s.len > 0 && (s.ptr[s.len - 1] == 'Z' || s.ptr[s.len - 1] == 'z'))
        s.len--;
    int century, years, month, day, hour = 0, minute = 0, second = 0;
    if (s.len < 10 || s.ptr[4] != '-' || s.ptr[7] != '-' || !two_digits(s, 0, &century) || !two_digits(s, 2, &years) ||
        !two_digits(s, 5, &month) || !two_digits(s, 8, &day))
        return false;
    if (s.len > 10) {
        if ((s.len != 16 && s.len != 19) || (s.ptr[10] != 'T' && s.ptr[10] != 't' && s.ptr[10] != ' ') ||
            s.ptr[13] != ':' || !two_digits(s, 11, &hour) || !two_digits(s, 14, &minute))
            return false;
        if (s.len == 19 && (s.ptr[16] != ':' || !two_digits(s, 17, &second)))
            return false;
    }
    if (month < 1 || month > 12)
        return false;
    *out = pl_date_to_seconds(century * 100 + years, month, day, hour, minute, second);
    // What is out of range was carried over; such a time is refused instead.
    struct pl_date date;
    pl_date_from_seconds(*out, &date);
    return *out >= TIME_LEAST && date.month == month && date.day == day && date.hour == hour && date.minute == minute &&
           date.second == second;
}

// ---- sheets

static bool length(struct pl_slice text, double *mm)
{
    return pl_parse_double(text, mm) && *mm >= 0 && *mm <= SHEET_LENGTH_MOST;
}

// Both sides of an x. False: there is none.
static bool halves(struct pl_slice text, struct pl_slice *a, struct pl_slice *b)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((text.ptr[i] | 32) == 'x') {
            *a = pl_slice_sub(text, 0, i);
            *b = pl_slice_sub(text, i + 1, text.len);
            return true;
        }
    }
    return false;
}

bool control_read_page_size(struct pl_slice text, void *at)
{
    static const struct {
        const char *name;
        double size[2];
    } SIZES[] = {{"A4", {210, 297}},
                 {"A5", {148, 210}},
                 {"A6", {105, 148}},
                 {"Letter", {215.9, 279.4}},
                 {"Legal", {215.9, 355.6}}};
    for (size_t i = 0; i < PL_COUNTOF(SIZES); i++) {
        if (pl_slice_eq_nocase(text, pl_slice_cstr(SIZES[i].name))) {
            memcpy(at, SIZES[i].size, sizeof SIZES[i].size);
            return true;
        }
    }
    struct pl_slice a, b;
    double size[2];
    if (!halves(text, &a, &b) || !length(a, &size[0]) || !length(b, &size[1]) || size[0] <= 0 || size[1] <= 0)
        return false;
    memcpy(at, size, sizeof size);
    return true;
}

static bool cells(struct pl_slice text, uint32_t *out)
{
    uint64_t value;
    if (!pl_parse_u64(text, &value) || value < 1 || value > CELLS_MOST)
        return false;
    *out = (uint32_t)value;
    return true;
}

bool control_read_grid(struct pl_slice text, void *at)
{
    struct pl_slice a, b;
    uint32_t grid[2] = {0};
    if (!pl_slice_eq_nocase(text, pl_slice_cstr("auto")) &&
        !(halves(text, &a, &b) && cells(a, &grid[0]) && cells(b, &grid[1])))
        return false;
    memcpy(at, grid, sizeof grid);
    return true;
}

bool control_read_gap(struct pl_slice text, void *at)
{
    struct pl_slice a = text, b = text;
    double gap[2];
    halves(text, &a, &b);
    if (!length(a, &gap[0]) || !length(b, &gap[1]))
        return false;
    memcpy(at, gap, sizeof gap);
    return true;
}
