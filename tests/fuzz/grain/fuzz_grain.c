// The request reader and everything behind it: no body makes it read outside, run on, or answer a bad number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grain/batch.h"
#include "grain/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What a client may be told: finite, above zero, below what is possible.
static void check_result(const struct grain_result *result)
{
    if (result->error != GRAIN_OK)
        return;
    if (!(result->moisture > 0 && result->moisture < 1000) || !(result->ur > 0 && result->ur < 100) ||
        !isfinite(result->ta))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pl_slice text = pl_slice_make(data, size);
    struct grain_reader reader;
    struct grain_request request;
    struct grain_result result;
    struct pl_error err;
    size_t items = 0;
    enum grain_read read;
    grain_reader_init(&reader, text);
    while ((read = grain_reader_next(&reader, &request, &err)) == GRAIN_READ_ITEM) {
        grain_calculate(&request, &result);
        check_result(&result);
        items++;
    }

    struct pl_buf out;
    struct grain_tally tally;
    pl_buf_init(&out, GRAIN_ANSWER_MAX);
    enum pl_errc code = grain_answer_json(text, NULL, &out, &tally, &err);
    if ((code == PL_OK) != (read == GRAIN_READ_END) || (code == PL_OK && out.len < 2 + items * 20))
        abort();
    // Neither of these may ever stand in an answer as a value: behind the quote and colon of a key. (Names that came in
    // are told back as they were, with their quotes escaped.)
    if (out.len > 0 &&
        (memmem(out.data, out.len, "\":nan", 5) != NULL || memmem(out.data, out.len, "\":inf", 5) != NULL))
        abort();
    pl_buf_fini(&out);

    // The same bytes as a name and as a number of a query.
    grain_request_init(&request);
    grain_request_put(&request, pl_slice_cstr("grain"), text);
    grain_request_put(&request, pl_slice_cstr("ta"), text);
    grain_request_put(&request, text, text);
    grain_calculate(&request, &result);
    check_result(&result);
    return 0;
}
