// One label of the description.
#include "base/base64.h"
#include "describe/describe.h"
#include "describe/fixes.h"
#include "render/render.h"

struct warning_list {
    struct pl_json_writer out;
    uint32_t count;
    struct pl_diagnostic_watch also;
    const struct platen_page *page;
    struct pl_buf fix; // of the one that is being added
};

static void add_warning(struct warning_list *list, const struct platen_diagnostic *d)
{
    pl_fix_describe(list->page->document, list->page, d, &list->fix);
    pl_describe_diagnostic(&list->out, d, pl_buf_slice(&list->fix));
    list->count++;
    if (list->also.seen)
        list->also.seen(list->also.context, d);
}

uint32_t pl_describe_warnings(const struct platen_document *document, const struct platen_page *page,
                              struct pl_diagnostic_watch also, struct pl_buf *out)
{
    struct warning_list list = {.also = also, .page = page};
    struct platen_diagnostic d;
    pl_buf_init(&list.fix, SIZE_MAX / 2);
    pl_json_writer_init(&list.out, out);
    pl_json_array(&list.out);
    for (uint32_t i = 0; platen_diagnostic_at(document, i, &d); i++) {
        if (d.label == (int32_t)page->label)
            add_warning(&list, &d);
    }
    for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &d); i++)
        add_warning(&list, &d);
    pl_json_end(&list.out);
    pl_buf_take_over(out, &list.fix);
    return list.count;
}

static void put_picture(struct pl_slice png, struct pl_buf *out)
{
    pl_buf_append_cstr(out, ",\"mimeType\":\"image/png\",\"encoding\":\"base64\",\"data\":\"");
    uint8_t *at = pl_buf_reserve(out, pl_base64_encoded_size(png.len));
    if (at)
        out->len += pl_base64_encode(png, (char *)at);
    pl_buf_printf(out, "\",\"sizeBytes\":%zu", png.len);
}

void pl_describe_members(const struct platen_document *document, const struct platen_page *page,
                         const struct platen_describe_options *options, struct pl_slice png, struct pl_slice warnings,
                         struct pl_buf *out)
{
    struct platen_label label = {.copies = 1};
    platen_label_at(document, page->label, &label);
    pl_buf_printf(out, "\"copies\":%u", document->options.collapse_copies ? label.copies : 1);
    if (!options->no_png)
        put_picture(png, out);
    if (!options->no_elements) {
        struct pl_json_writer json;
        pl_buf_append_cstr(out, ",\"elements\":");
        pl_json_writer_init(&json, out);
        pl_describe_elements(&json, page);
        pl_buf_append_cstr(out, ",\"warnings\":");
        pl_buf_append_slice(out, warnings);
    }
}
