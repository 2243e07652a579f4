// Documents as parts of a multipart body.
#include "batch/reader.h"

// As it is written; empty: there is none.
static struct pl_slice parameter(const struct pl_part *part, const char *name)
{
    struct pl_parameter found;
    return pl_parameter_find(part->parameters, name, &found) ? found.value : pl_slice_make("", 0);
}

enum pl_batch_found pl_parts_next(struct pl_multipart *reader, struct pl_slice window, bool ended, size_t *used,
                                  struct pl_batch_item *item, struct pl_error *err)
{
    static const enum pl_batch_found FOUND[] = {[PL_MULTIPART_PART] = PL_BATCH_DOCUMENT,
                                                [PL_MULTIPART_MORE] = PL_BATCH_MORE,
                                                [PL_MULTIPART_END] = PL_BATCH_END,
                                                [PL_MULTIPART_BAD] = PL_BATCH_BAD};
    struct pl_part part = {0};
    enum pl_multipart_found found = pl_multipart_next(reader, window, ended, used, &part, err);
    *item = (struct pl_batch_item){parameter(&part, "name"), parameter(&part, "filename"), part.data};
    return FOUND[found];
}
