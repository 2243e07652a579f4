// The objects of a PDF file: their numbers, where they stand, streams, and the table that tells readers.
#include "enc/pdf_objects.h"

#include <stddef.h>
#include <string.h>

#include "base/deflate.h"
#include "base/fmt.h"

#define STREAM_BYTES ((size_t)256 << 20)
#define LARGEST_OFFSET 9999999999u // ten digits

enum pl_errc pl_pdf_objects_init(struct pl_pdf_objects *o, struct pl_arena *arena, struct pl_buf *out,
                                 struct pl_error *err)
{
    *o = (struct pl_pdf_objects){.arena = arena, .out = out, .start = out->len, .deflater = pl_deflater_new()};
    pl_buf_init(&o->text, STREAM_BYTES);
    pl_buf_init(&o->packed, STREAM_BYTES);
    return o->deflater ? PL_OK : pl_fail_memory(err);
}

void pl_pdf_objects_fini(struct pl_pdf_objects *o)
{
    pl_buf_fini(&o->text);
    pl_buf_fini(&o->packed);
    pl_deflater_free(o->deflater);
    o->deflater = NULL;
}

void pl_pdf_objects_take(struct pl_pdf_objects *o)
{
    o->taken += o->out->len - o->start;
    o->start = o->out->len = 0;
}

// Where the next byte stands in the document.
static size_t position(const struct pl_pdf_objects *o)
{
    return o->taken + o->out->len - o->start;
}

bool pl_pdf_grow(struct pl_arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity ? *capacity * 2 : 32;
    void *bigger = pl_arena_array(arena, wanted, size, _Alignof(max_align_t));
    if (!bigger)
        return false;
    if (count > 0)
        memcpy(bigger, *items, count * size);
    *items = bigger;
    *capacity = wanted;
    return true;
}

bool pl_pdf_object_new(struct pl_pdf_objects *o, uint32_t *number)
{
    if (!pl_pdf_grow(o->arena, (void **)&o->offsets, o->count, &o->capacity, sizeof o->offsets[0]))
        return false;
    o->offsets[o->count++] = 0;
    *number = o->count;
    return true;
}

void pl_pdf_object_begin(struct pl_pdf_objects *o, uint32_t number)
{
    o->offsets[number - 1] = position(o);
    pl_buf_append_u64(o->out, number);
    pl_buf_append_cstr(o->out, " 0 obj\n");
}

void pl_pdf_object_end(struct pl_pdf_objects *o)
{
    pl_buf_append_cstr(o->out, "\nendobj\n");
}

void pl_pdf_put_number(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t n = pl_format_fixed(value, 4, text);
    while (n > 1 && text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    pl_buf_append(out, text, n);
}

enum pl_errc pl_pdf_object_stream(struct pl_pdf_objects *o, uint32_t number, const char *members, struct pl_error *err)
{
    pl_buf_clear(&o->packed);
    pl_deflate_text(o->deflater, pl_buf_slice(&o->text), &o->packed);
    PL_TRY(pl_buf_check(&o->text, err));
    PL_TRY(pl_buf_check(&o->packed, err));
    pl_pdf_object_begin(o, number);
    pl_buf_printf(o->out, "<<%s/Filter/FlateDecode/Length %zu>>\nstream\n", members, o->packed.len);
    pl_buf_append_slice(o->out, pl_buf_slice(&o->packed));
    pl_buf_append_cstr(o->out, "\nendstream");
    pl_pdf_object_end(o);
    pl_buf_clear(&o->text);
    return pl_buf_check(o->out, err);
}

enum pl_errc pl_pdf_objects_finish(struct pl_pdf_objects *o, uint32_t catalogue, uint32_t information,
                                   const char *members, struct pl_error *err)
{
    size_t table = position(o);
    if (table > LARGEST_OFFSET)
        return pl_fail(err, PL_E_LIMIT, "a PDF of %zu bytes is larger than its table can tell", table);
    // Each entry is exactly 20 bytes.
    pl_buf_printf(o->out, "xref\n0 %u\n0000000000 65535 f \n", o->count + 1);
    for (uint32_t i = 0; i < o->count; i++)
        pl_buf_printf(o->out, "%010zu 00000 n \n", o->offsets[i]);
    pl_buf_printf(o->out, "trailer\n<</Size %u/Root %u 0 R/Info %u 0 R%s>>\nstartxref\n%zu\n%%%%EOF\n", o->count + 1,
                  catalogue, information, members, table);
    return pl_buf_check(o->out, err);
}
