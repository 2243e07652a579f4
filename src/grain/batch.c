// Reads, computes and writes calculation after calculation, so that memory holds one of them at a time.
#include "grain/batch.h"

#include "grain/reader.h"

enum pl_errc grain_answer_json(struct pl_slice text, const struct pl_job *job, struct pl_buf *out,
                               struct grain_tally *tally, struct pl_error *err)
{
    struct grain_reader reader;
    struct grain_request request;
    struct grain_result result;
    grain_reader_init(&reader, text);
    *tally = (struct grain_tally){.batch = reader.batch};
    if (reader.batch)
        pl_buf_append_byte(out, '[');
    for (;;) {
        switch (grain_reader_next(&reader, &request, err)) {
        case GRAIN_READ_BAD:
            return err->code;
        case GRAIN_READ_END:
            if (reader.batch)
                pl_buf_append_byte(out, ']');
            return pl_buf_check(out, err);
        case GRAIN_READ_ITEM:
            break;
        }
        grain_calculate(&request, &result);
        if (reader.items > 1)
            pl_buf_append_byte(out, ',');
        grain_write_answer(out, &request, &result);
        tally->items++;
        tally->errors += result.error != GRAIN_OK;
        if (reader.items % 256 == 0)
            PL_TRY(pl_job_check(job, err));
    }
}
