// Fuzz target: MaxiCode of any mode, address and data. It reads back, and has a picture at any density.
#include "bar/encode/maxicode_parts.h"
#include "bar/layout/maxicode_dots.h"
#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap cells, picture;
    struct decoded_maxicode more;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    char postcode[10] = "";
    struct pl_maxicode_options options = {.mode = 2 + kind % 5, .postcode = postcode};
    for (uint32_t i = 0; i < 9; i++)
        postcode[i] = (char)(options.mode == 2 ? '0' + take(&in) % 10 : take(&in));
    options.country = take(&in) * 3;
    options.service = take(&in) * 3;
    if (kind >= 128) {
        options.append_count = 2 + take(&in) % 7;
        options.append_index = 1 + take(&in) % options.append_count;
    }
    uint32_t dpmm = 1 + take(&in) % 48;
    enum pl_errc code = pl_maxicode_encode(rest(&in), &options, &in.arena, &cells, &err);
    if (code == PL_OK) {
        struct decoded out = new_decoded();
        check_decoded(decode_maxicode(&cells, &out, &more), &out, rest(&in));
        if (more.mode != options.mode || more.append_count != (kind >= 128 ? options.append_count : 0) ||
            more.append_index != (kind >= 128 ? options.append_index : 0) ||
            (options.mode == 2 && strcmp(more.postcode, postcode) != 0) ||
            (options.mode <= 3 && (more.country != options.country || more.service != options.service)))
            abort();
        code = pl_maxicode_draw_dots(&cells, dpmm, &in.arena, &picture, &err);
    }
    check(&in, code, &picture);
    return 0;
}
