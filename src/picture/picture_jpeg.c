// JPEG by libjpeg. The only file that knows it.
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

#include "base/ckd.h"
#include "picture/decoders.h"

#define SCANS_MOST 200 // of a progressive file: each costs a pass over the whole picture

struct reader {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf out;
    const struct pl_job *job;
    struct pl_error stopped; // by the job
    bool too_many_scans;
    bool lacks_data;     // coded dots are missing
    bool lacks_end_mark; // the file ends before it says so
};

static void give_up(j_common_ptr info)
{
    struct reader *r = info->client_data;
    longjmp(r->out, 1);
}

static void be_quiet(j_common_ptr info, int level)
{
    struct reader *r = info->client_data;
    (void)level;
    r->lacks_data = r->lacks_data || info->err->msg_code == JWRN_HIT_MARKER;
    r->lacks_end_mark = r->lacks_end_mark || info->err->msg_code == JWRN_JPEG_EOF;
}

static void watch(j_common_ptr info)
{
    struct reader *r = info->client_data;
    r->too_many_scans = r->info.input_scan_number > SCANS_MOST;
    if (r->too_many_scans || pl_job_check(r->job, &r->stopped) != PL_OK)
        longjmp(r->out, 1);
}

// Half a picture is not printed. One that lacks nothing but its end mark is whole: of a progressive file every
// coefficient came to its last bit, of any other every component came. Arithmetic coding does not tell.
static bool is_whole(const struct reader *r)
{
    const struct jpeg_decompress_struct *info = &r->info;
    if (r->lacks_data || (r->lacks_end_mark && info->arith_code))
        return false;
    for (int i = 0; r->lacks_end_mark && i < info->num_components; i++) {
        if (!info->comp_info[i].quant_table)
            return false;
        for (int k = 0; info->progressive_mode && k < DCTSIZE2; k++) {
            if (info->coef_bits[i][k] != 0)
                return false;
        }
    }
    return true;
}

static void put_row(const struct reader *r, const uint8_t *row, uint8_t *to, uint32_t width)
{
    bool inverted = r->info.saw_Adobe_marker;
    for (uint32_t x = 0; x < width; x++) {
        if (r->info.output_components == 1) {
            to[x] = row[x];
            continue;
        }
        const uint8_t *p = row + (size_t)x * 4; // cyan, magenta, yellow, black; Adobe's programs store them inverted
        uint32_t ink[4];
        for (int i = 0; i < 4; i++)
            ink[i] = inverted ? p[i] : 255u - p[i];
        to[x] = (uint8_t)pl_img_luma(ink[0] * ink[3] / 255, ink[1] * ink[3] / 255, ink[2] * ink[3] / 255);
    }
}

static enum pl_errc decode(struct reader *r, struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                           struct pl_error *err)
{
    jpeg_mem_src(&r->info, file.ptr, (unsigned long)file.len);
    jpeg_read_header(&r->info, TRUE);
    PL_TRY(pl_img_shades_new(env, r->info.image_width, r->info.image_height, out, err));
    bool four = r->info.jpeg_color_space == JCS_CMYK || r->info.jpeg_color_space == JCS_YCCK;
    r->info.out_color_space = four ? JCS_CMYK : JCS_GRAYSCALE;
    r->info.dct_method = JDCT_ISLOW;
    // A progressive file is kept as coefficients until its last scan has come.
    size_t room = pl_arena_room(env->arena);
    r->info.mem->max_memory_to_use = (long)PL_MAX(PL_MIN(room, (size_t)LONG_MAX), (size_t)1);
    jpeg_start_decompress(&r->info);
    uint8_t *row = PL_ARENA_ARRAY(env->arena, uint8_t, (size_t)out->width * 4);
    if (!row)
        return pl_fail_memory(err);
    while (r->info.output_scanline < r->info.output_height) {
        uint8_t *to = out->bytes + (size_t)r->info.output_scanline * out->width;
        JSAMPROW rows[1] = {row};
        if (jpeg_read_scanlines(&r->info, rows, 1) != 1)
            break;
        put_row(r, row, to, out->width);
    }
    return PL_OK;
}

enum pl_errc pl_picture_jpeg(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out, const char **why,
                             struct pl_error *err)
{
    struct reader r = {.job = env->job};
    r.info.err = jpeg_std_error(&r.errors);
    r.errors.error_exit = give_up;
    r.errors.emit_message = be_quiet;
    r.info.client_data = &r;
    enum pl_errc volatile code = PL_OK;
    if (setjmp(r.out) == 0) {
        jpeg_create_decompress(&r.info);
        r.info.client_data = &r; // creating cleared it
        r.progress.progress_monitor = watch;
        r.info.progress = &r.progress;
        code = decode(&r, env, file, out, err);
        *why = code == PL_OK && !is_whole(&r) ? "it breaks off" : NULL;
    } else if (r.stopped.code != PL_OK) {
        *err = r.stopped;
        code = r.stopped.code;
    } else if (r.errors.msg_code == JERR_OUT_OF_MEMORY || r.errors.msg_code == JERR_NO_BACKING_STORE) {
        code = pl_img_fail_library(err, r.info.image_width, r.info.image_height);
    } else {
        *why = r.too_many_scans ? "it is a JPEG of too many scans" : "it is a damaged JPEG";
    }
    jpeg_destroy_decompress(&r.info);
    return code;
}
