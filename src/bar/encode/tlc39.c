// TLC39: checks the number and encodes the linked MicroPDF417 symbol.
#include "bar/encode/tlc39.h"

enum { NUMBER_LENGTH = 6, MAX_EXTRA = 150, COLUMNS = 4, MIN_ROWS = 6 };

enum pl_errc pl_tlc39_encode(struct pl_slice number, struct pl_slice extra, struct pl_pdf_rules rules,
                             struct pl_arena *arena, struct pl_tlc39 *out, struct pl_error *err)
{
    *out = (struct pl_tlc39){0};
    bool good = number.len == NUMBER_LENGTH;
    for (size_t i = 0; good && i < NUMBER_LENGTH; i++)
        good = pl_is_digit(number.ptr[i]);
    if (!good)
        return pl_fail(err, PL_E_INVALID, "TLC39 begins with a number of six digits");
    if (extra.len == 0)
        return PL_OK;
    if (extra.len > MAX_EXTRA)
        return pl_fail(err, PL_E_INVALID, "TLC39 holds at most %d characters after the number", MAX_EXTRA);
    struct pl_micropdf417_options options = {
        .size = -1, .columns = COLUMNS, .min_rows = MIN_ROWS, .linked = true, .rules = rules};
    PL_TRY(pl_micropdf417_encode(extra, &options, arena, &out->micro, err));
    out->has_micro = true;
    return PL_OK;
}
