// Deflate (RFC 1951) of the rows of a picture in one pass: tokens, blocks of them, and the checksum.
#include "enc/rows_deflate.h"

#include "base/machine.h"
#include "enc/deflate_block.h"
#include "enc/rows_scan.h"

#define WINDOW 32768u
#define MAX_MATCH PL_DEFLATE_MAX_MATCH
#define MIN_MATCH PL_DEFLATE_MIN_MATCH
#define CHECK_BYTES 262144u // after so many the job is asked whether the work may go on
#define ADLER 65521u

// How short is too short to be copied was tried on carrier labels: a byte of eight dots costs more than one of shades,
// most of which are white.
static const struct pl_scan_kind BITS = {
    .filter = true, .min_copy = MIN_MATCH, .max_copy = MAX_MATCH, .gap = 2, .short_run = 2, .sums = true};
static const struct pl_scan_kind GREY = {
    .filter = true, .min_copy = MIN_MATCH, .max_copy = MAX_MATCH, .gap = 5, .short_run = 3, .sums = true};

struct stream {
    struct pl_scan scan;
    struct pl_buf *out;
    struct pl_arena *scratch;
    struct pl_arena_mark mark;
    uint64_t adler_a, adler_b;
    struct pl_bit_writer writer;
    uint16_t *tokens;      // of this block
    uint32_t row_distance; // 0: further than deflate can look back
    bool failed;           // no memory for the output
};

static void write_block(struct stream *s, bool final)
{
    size_t count = (size_t)(s->scan.cursor.at - s->tokens);
    if (!pl_deflate_block(s->tokens, count, s->row_distance, final, &s->writer, s->out))
        s->failed = true;
    s->scan.cursor.at = s->tokens;
}

// After each row: its part in the checksum, and a block when there is enough for one.
static void end_row(struct stream *s)
{
    // The filter byte is 0 and adds nothing but its place.
    uint32_t row_bytes = s->scan.row_bytes;
    s->adler_b = (s->adler_b + ((uint64_t)row_bytes + 1) * s->adler_a + s->scan.sums.weighted) % ADLER;
    s->adler_a = (s->adler_a + s->scan.sums.plain) % ADLER;
    if (s->scan.cursor.at >= s->tokens + PL_SCAN_BLOCK)
        write_block(s, false);
}

static enum pl_errc begin(uint32_t row_bytes, struct pl_arena *scratch, struct pl_buf *out, struct stream **result,
                          struct pl_error *err)
{
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    uint32_t distance = row_bytes + 1;
    struct stream *s = PL_ARENA_ARRAY(scratch, struct stream, 1);
    // A row gives at most a token a byte, after those that close what was pending; blocks are cut between rows.
    uint16_t *tokens = PL_ARENA_ARRAY(scratch, uint16_t, (size_t)PL_SCAN_BLOCK + distance + 32);
    uint8_t *line = (uint8_t *)pl_arena_alloc(scratch, pl_scan_line_bytes(row_bytes), 8);
    if (!s || !tokens || !line)
        return pl_fail_memory(err);
    s->out = out;
    s->scratch = scratch;
    s->mark = mark;
    s->adler_a = 1;
    s->adler_b = 0;
    s->writer = (struct pl_bit_writer){0};
    s->tokens = tokens;
    s->row_distance = distance <= WINDOW ? distance : 0;
    s->failed = false;
    pl_scan_init(&s->scan, row_bytes, s->row_distance != 0, line, tokens);
    pl_buf_append(out, (const uint8_t[]){0x78, 0x01}, 2); // zlib: 32 KiB window, fastest
    *result = s;
    return PL_OK;
}

static enum pl_errc finish(struct stream *s, struct pl_error *err)
{
    pl_scan_flush(BITS, &s->scan.cursor, pl_scan_line_end(&s->scan));
    write_block(s, true);
    if (s->writer.count % 8 != 0)
        pl_buf_append_byte(s->out, (uint8_t)s->writer.bits);
    pl_buf_append_be32(s->out, (uint32_t)(s->adler_b << 16 | s->adler_a));
    struct pl_buf *out = s->out;
    pl_arena_release(s->scratch, s->mark);
    return pl_buf_check(out, err);
}

// After how many rows the job is asked.
static uint32_t rows_between_checks(const struct stream *s)
{
    return PL_MAX(CHECK_BYTES / (s->scan.row_bytes + 1), 1u);
}

PL_BY_MACHINE enum pl_errc pl_rows_deflate(const struct pl_bitmap *bits, const struct pl_job *job,
                                           struct pl_arena *scratch, struct pl_buf *out, struct pl_error *err)
{
    struct stream *s;
    PL_TRY(begin(bits->width / 8 + (bits->width % 8 != 0), scratch, out, &s, err));
    uint32_t between = rows_between_checks(s);
    for (uint32_t y = 0; y < bits->height && !s->failed; y++) {
        pl_scan_bits_row(&s->scan, BITS, bits, y);
        end_row(s);
        if (y % between == between - 1)
            PL_TRY(pl_job_check(job, err));
    }
    return finish(s, err);
}

PL_BY_MACHINE enum pl_errc pl_grey_rows_deflate(const struct pl_grey *grey, const struct pl_job *job,
                                                struct pl_arena *scratch, struct pl_buf *out, struct pl_error *err)
{
    struct stream *s;
    PL_TRY(begin(grey->width, scratch, out, &s, err));
    uint32_t between = rows_between_checks(s);
    for (uint32_t y = 0; y < grey->height && !s->failed; y++) {
        pl_scan_grey_row(&s->scan, GREY, grey, y);
        end_row(s);
        if (y % between == between - 1)
            PL_TRY(pl_job_check(job, err));
    }
    return finish(s, err);
}
