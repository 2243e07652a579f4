// TLC39: what of the field goes into Code 39 and what into the linked MicroPDF417 symbol.
#include "bar/encoder.h"

enum { NUMBER_LENGTH = 6, MAX_EXTRA = 150, COLUMNS = 4, MIN_ROWS = 6 };

enum pl_errc pl_tlc39_encode(struct pl_slice data, struct pl_arena *arena, struct pl_tlc39 *out, struct pl_error *err)
{
    *out = (struct pl_tlc39){.number = pl_slice_sub(data, 0, NUMBER_LENGTH)};
    if (out->number.len < NUMBER_LENGTH)
        return pl_fail(err, PL_E_INVALID, "TLC39 begins with a number of six digits");
    for (size_t i = 0; i < NUMBER_LENGTH; i++)
        if (data.ptr[i] < '0' || data.ptr[i] > '9')
            return pl_fail(err, PL_E_INVALID, "TLC39 begins with a number of six digits");
    if (data.len < NUMBER_LENGTH + 2 || data.ptr[NUMBER_LENGTH] != ',')
        return PL_OK; // without a comma there is the number only
    struct pl_slice extra = pl_slice_sub(data, NUMBER_LENGTH + 1, data.len);
    if (extra.len > MAX_EXTRA)
        return pl_fail(err, PL_E_INVALID, "TLC39 holds at most %d characters after the number", MAX_EXTRA);
    // Serial number and further data are told apart by asterisks, as printers do it.
    uint8_t text[MAX_EXTRA];
    for (size_t i = 0; i < extra.len; i++)
        text[i] = extra.ptr[i] == ',' ? '*' : extra.ptr[i];
    struct pl_micropdf417_options options = {
        .mode = -1, .columns = COLUMNS, .min_rows = MIN_ROWS, .linked = true, .literal = true};
    PL_TRY(pl_micropdf417_encode(pl_slice_make(text, extra.len), &options, arena, &out->micro, err));
    out->has_micro = true;
    return PL_OK;
}
