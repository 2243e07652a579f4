// Encoding a page: the table of formats.
#include <stdlib.h>

#include "base/lengths.h"
#include "render/options.h"
#include "render/render.h"

#define DEFAULT_JPEG_QUALITY 90u

struct pl_canvas pl_page_canvas(const struct platen_page *page)
{
    const struct pl_drawn_page *p = &page->drawn;
    return (struct pl_canvas){.bits = p->is_grey ? NULL : &p->bits,
                              .grey = p->is_grey ? &p->grey : NULL,
                              .density = pl_density_per_metre(page->dpmm),
                              .job = &page->job};
}

// One page to be encoded: its dots, or a smaller picture of them.
struct encoding {
    struct platen_worker *worker;
    const struct platen_page *page;
    struct pl_canvas canvas;
    const struct platen_encode_options *options;
};

typedef enum pl_errc encode_fn(const struct encoding *e, struct pl_buf *out, struct pl_error *err);

static enum pl_errc encode_png(const struct encoding *e, struct pl_buf *out, struct pl_error *err)
{
    return pl_png_encode(&e->canvas, &e->worker->scratch, out, err);
}

static enum pl_errc encode_jpeg(const struct encoding *e, struct pl_buf *out, struct pl_error *err)
{
    unsigned quality = e->options->jpeg_quality ? e->options->jpeg_quality : DEFAULT_JPEG_QUALITY;
    if (quality > 100)
        return pl_fail(err, PL_E_INVALID, "the JPEG quality must be from 1 to 100");
    return pl_jpeg_encode(&e->canvas, quality, &e->worker->scratch, out, err);
}

static enum pl_errc encode_webp(const struct encoding *e, struct pl_buf *out, struct pl_error *err)
{
    return pl_webp_encode(&e->canvas, &e->worker->scratch, out, err);
}

static enum pl_errc encode_pdf(const struct encoding *e, struct pl_buf *out, struct pl_error *err)
{
    return pl_encode_pdf(e->worker, e->page, e->options, out, err);
}

// Makes the canvas a smaller one, in the worker's scratch memory, where the page is wider than the options allow.
static enum pl_errc shrink(struct encoding *e, struct pl_grey *room, struct pl_error *err)
{
    uint32_t width = e->canvas.bits ? e->canvas.bits->width : e->canvas.grey->width;
    if (e->options->max_width == 0 || width <= e->options->max_width)
        return PL_OK;
    PL_TRY(pl_canvas_shrink(&e->canvas, e->options->max_width, &e->worker->scratch, room, err));
    e->canvas.density = (uint32_t)((uint64_t)e->canvas.density * e->options->max_width / width);
    e->canvas.bits = NULL;
    e->canvas.grey = room;
    return PL_OK;
}

static const struct {
    const char *name, *alias, *mime;
    encode_fn *encode;
} FORMATS[] = {
    [PLATEN_PNG] = {"png", "png", "image/png", encode_png},
    [PLATEN_JPEG] = {"jpeg", "jpg", "image/jpeg", encode_jpeg},
    [PLATEN_WEBP] = {"webp", "webp", "image/webp", encode_webp},
    [PLATEN_PDF] = {"pdf", "pdf", "application/pdf", encode_pdf},
};
#define FORMAT_COUNT (sizeof FORMATS / sizeof FORMATS[0])

bool platen_format_by_name(const char *name, enum platen_format *out)
{
    if (!name || !out)
        return false;
    struct pl_slice wanted = pl_slice_cstr(name);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (pl_slice_eq_nocase(wanted, pl_slice_cstr(FORMATS[i].name)) ||
            pl_slice_eq_nocase(wanted, pl_slice_cstr(FORMATS[i].alias))) {
            *out = (enum platen_format)i;
            return true;
        }
    }
    return false;
}

const char *platen_format_name(enum platen_format format)
{
    return (size_t)format < FORMAT_COUNT ? FORMATS[format].name : "";
}

const char *platen_format_mime(enum platen_format format)
{
    return (size_t)format < FORMAT_COUNT ? FORMATS[format].mime : "";
}

void platen_buffer_free(struct platen_buffer *buffer)
{
    if (!buffer)
        return;
    free(buffer->data);
    *buffer = (struct platen_buffer){0};
}

static enum pl_errc encode(struct platen_worker *worker, const struct platen_page *page, enum platen_format format,
                           const struct platen_encode_options *options, struct pl_buf *out, struct pl_error *err)
{
    struct pl_arena_mark mark = pl_arena_mark(&worker->scratch);
    struct encoding e = {.worker = worker, .page = page, .canvas = pl_page_canvas(page), .options = options};
    struct pl_grey smaller;
    pl_buf_clear(out);
    enum pl_errc code = shrink(&e, &smaller, err);
    if (code == PL_OK)
        code = FORMATS[format].encode(&e, out, err);
    pl_arena_release(&worker->scratch, mark);
    return code;
}

enum platen_status platen_encode(struct platen_worker *worker, const struct platen_page *page,
                                 enum platen_format format, const struct platen_encode_options *options,
                                 struct platen_buffer *out, struct platen_error *err)
{
    if (!worker || !page || !out)
        return pl_null_argument(err, __func__);
    if (!page->document)
        return pl_page_gone(err);
    out->size = 0;
    if ((size_t)format >= FORMAT_COUNT)
        return pl_public_fail(err, PLATEN_E_NOT_FOUND, "there is no such format");
    struct platen_encode_options known;
    enum platen_status status = pl_options_read(options, &known, sizeof known, "platen_encode_options", err);
    if (status != PLATEN_OK)
        return status;
    struct pl_error inner = {0};
    struct pl_buf buf = {.data = out->data, .cap = out->capacity, .max = SIZE_MAX / 2};
    pl_memory_watch_begin(worker);
    enum pl_errc code = encode(worker, page, format, &known, &buf, &inner);
    if (pl_memory_watch_retry(worker, code))
        code = encode(worker, page, format, &known, &buf, &inner);
    code = pl_memory_watch_end(worker, code, &inner);
    // The buffer may have moved even if the encoder failed.
    out->data = buf.data;
    out->capacity = buf.cap;
    out->size = code == PL_OK ? buf.len : 0;
    return pl_public_status(code, &inner, err);
}
