// JPEG, greyscale, by libjpeg-turbo. The only file that knows it.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

#include "enc/enc.h"

// libjpeg reports errors by a call that must not return.
struct trap {
    struct jpeg_error_mgr base;
    jmp_buf out;
    char message[JMSG_LENGTH_MAX];
};

static void leave(j_common_ptr info)
{
    struct trap *trap = (struct trap *)info->err;
    info->err->format_message(info, trap->message);
    longjmp(trap->out, 1);
}

static void keep_quiet(j_common_ptr info)
{
    (void)info;
}

// Hands libjpeg's output to a pl_buf in pieces.
struct sink {
    struct jpeg_destination_mgr base;
    struct pl_buf *out;
    JOCTET piece[4096];
};

static void sink_start(j_compress_ptr info)
{
    struct sink *sink = (struct sink *)info->dest;
    sink->base.next_output_byte = sink->piece;
    sink->base.free_in_buffer = sizeof sink->piece;
}

static boolean sink_flush(j_compress_ptr info)
{
    struct sink *sink = (struct sink *)info->dest;
    pl_buf_append(sink->out, sink->piece, sizeof sink->piece);
    sink_start(info);
    return TRUE;
}

static void sink_end(j_compress_ptr info)
{
    struct sink *sink = (struct sink *)info->dest;
    pl_buf_append(sink->out, sink->piece, sizeof sink->piece - sink->base.free_in_buffer);
}

// Eight dots to eight bytes by multiplication: copies of the byte, one bit kept in each, spread to 0 or 255. The
// leftmost dot is in the least significant byte.
static uint64_t expand8(uint8_t dots)
{
    uint64_t bits = dots * UINT64_C(0x0101010101010101) & UINT64_C(0x0102040810204080);
    // A byte that kept its bit gets its top bit set, then that bit fills the byte.
    uint64_t top = (bits + UINT64_C(0x7F7F7F7F7F7F7F7F)) & UINT64_C(0x8080808080808080);
    return ~((top >> 7) * 0xFF);
}

// `row` has room for whole words of 64 dots.
static void expand_row(const struct pl_bitmap *bits, uint32_t y, uint8_t *row)
{
    const uint64_t *words = pl_bitmap_row(bits, y);
    for (uint32_t i = 0; i < bits->stride; i++) {
        if (words[i] == 0) {
            memset(row + (size_t)i * 64, 255, 64);
            continue;
        }
        for (unsigned k = 0; k < 8; k++) {
            uint64_t eight = expand8((uint8_t)(words[i] >> (56 - 8 * k)));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            eight = __builtin_bswap64(eight);
#endif
            memcpy(row + (size_t)i * 64 + k * 8, &eight, 8);
        }
    }
}

enum pl_errc pl_jpeg_encode(const struct pl_page *page, unsigned quality, struct pl_arena *scratch, struct pl_buf *out,
                            struct pl_error *err)
{
    uint32_t width = page->bits ? page->bits->width : page->grey->width;
    uint32_t height = page->bits ? page->bits->height : page->grey->height;
    if (width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION)
        return pl_fail(err, PL_E_INVALID, "JPEG pictures have at most %ld dots a side; this label has %u x %u",
                       (long)JPEG_MAX_DIMENSION, width, height);
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    struct sink *sink = PL_ARENA_NEW(scratch, struct sink);
    uint8_t *row = PL_ARENA_ARRAY(scratch, uint8_t, (size_t)width + 64);
    struct trap *trap = PL_ARENA_NEW(scratch, struct trap);
    struct jpeg_compress_struct *info = PL_ARENA_NEW(scratch, struct jpeg_compress_struct);
    if (!sink || !row || !trap || !info)
        return pl_fail_memory(err);
    info->err = jpeg_std_error(&trap->base);
    trap->base.error_exit = leave;
    trap->base.output_message = keep_quiet;
    if (setjmp(trap->out)) {
        enum pl_errc code = trap->base.msg_code == JERR_OUT_OF_MEMORY ? PL_E_MEMORY : PL_E_BUG;
        code = pl_fail(err, code, "JPEG: %s", trap->message);
        jpeg_destroy_compress(info);
        pl_arena_release(scratch, mark);
        return code;
    }
    jpeg_create_compress(info);
    sink->base.init_destination = sink_start;
    sink->base.empty_output_buffer = sink_flush;
    sink->base.term_destination = sink_end;
    sink->out = out;
    info->dest = &sink->base;
    info->image_width = width;
    info->image_height = height;
    info->input_components = 1;
    info->in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, (int)quality, TRUE);
    info->dct_method = JDCT_ISLOW;
    info->density_unit = 1; // dots per inch
    info->X_density = info->Y_density = (UINT16)(((uint64_t)page->density * 254 + 5000) / 10000);
    jpeg_start_compress(info, TRUE);
    while (info->next_scanline < height && !out->failed) {
        uint32_t y = info->next_scanline;
        JSAMPROW line = row;
        if (page->bits)
            expand_row(page->bits, y, row);
        else
            line = page->grey->dots + (size_t)y * page->grey->width;
        jpeg_write_scanlines(info, &line, 1);
    }
    if (out->failed)
        jpeg_abort_compress(info);
    else
        jpeg_finish_compress(info);
    jpeg_destroy_compress(info);
    pl_arena_release(scratch, mark);
    return pl_buf_check(out, err);
}
