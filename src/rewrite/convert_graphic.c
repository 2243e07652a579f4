// Labels as one graphic each, for languages in which Platen writes no texts: the dots of the drawn label, its size and
// how often it is printed.
#include "base/ckd.h"
#include "rewrite/convert.h"

struct picture {
    struct pl_graphic_rows rows;
    uint32_t width, height, copies; // of the label, in dots
};

// Rows with 0 for ink.
static void put_inverted(struct pl_buf *out, const struct pl_graphic_rows *rows)
{
    for (size_t i = 0; i < pl_graphic_size(rows); i++)
        pl_buf_append_byte(out, (uint8_t)~rows->bytes[i]);
}

static void write_epl(struct pl_buf *out, const struct picture *p)
{
    pl_buf_printf(out, "\nN\nq%u\nQ%u,24\nGW0,0,%u,%u,", p->width, p->height, p->rows.row_bytes, p->rows.height);
    put_inverted(out, &p->rows);
    pl_buf_printf(out, "\nP%u\n", p->copies);
}

static void write_tspl(struct pl_buf *out, const struct picture *p)
{
    pl_buf_printf(out, "SIZE %u dot,%u dot\r\nCLS\r\nBITMAP 0,0,%u,%u,0,", p->width, p->height, p->rows.row_bytes,
                  p->rows.height);
    put_inverted(out, &p->rows);
    pl_buf_printf(out, "\r\nPRINT 1,%u\r\n", p->copies);
}

static void write_cpcl(struct pl_buf *out, const struct picture *p)
{
    pl_buf_printf(out, "! 0 200 200 %u %u\r\nPAGE-WIDTH %u\r\nCG %u %u 0 0 ", p->height, p->copies, p->width,
                  p->rows.row_bytes, p->rows.height);
    pl_buf_append(out, p->rows.bytes, pl_graphic_size(&p->rows));
    pl_buf_append_cstr(out, "\r\nPRINT\r\n");
}

static const struct {
    void (*write)(struct pl_buf *, const struct picture *);
    const char *title;
    uint32_t copies; // the most that a label can ask for
    uint32_t rows;   // the most that a graphic can have
} WRITERS[] = {
    [PLATEN_LANGUAGE_EPL] = {write_epl, "EPL2", 65535, 65535},
    [PLATEN_LANGUAGE_TSPL] = {write_tspl, "TSPL", 999999999, 1 << 20},
    [PLATEN_LANGUAGE_CPCL] = {write_cpcl, "CPCL", 1024, 65535},
};

enum pl_errc rw_convert_to_graphics(struct rw_conversion *c, enum platen_language to, struct pl_error *err)
{
    const struct platen_document *from = c->from;
    if (to >= PL_COUNTOF(WRITERS) || !WRITERS[to].write)
        return pl_fail(err, PL_E_INVALID, "label code of this language cannot be written yet");
    c->parts = PL_ARENA_ARRAY(c->arena, uint32_t, PL_MAX(platen_label_count(from), 1u));
    if (!c->parts)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < platen_label_count(from); i++) {
        const struct platen_page *page;
        struct platen_error outer = {0};
        enum platen_status status = platen_draw(c->worker, from, i, &page, &outer);
        if (status != PLATEN_OK)
            return rw_fail_as(err, status, &outer);
        struct pl_arena_mark mark = pl_arena_mark(c->scratch);
        struct picture p = {.width = page->drawn.bits.width, .height = page->drawn.bits.height};
        if (p.height > WRITERS[to].rows)
            return pl_fail(err, PL_E_LIMIT, "label %u is %u dots high; a graphic of %s has %u rows at most", i + 1,
                           p.height, WRITERS[to].title, WRITERS[to].rows);
        PL_TRY(rw_pack(c->scratch, &page->drawn.bits, &p.rows, err));
        c->parts[i] = 0;
        for (uint32_t left = PL_MAX(from->scene.labels[i].copies, 1u); left > 0; left -= p.copies) {
            p.copies = PL_MIN(left, WRITERS[to].copies);
            WRITERS[to].write(c->out, &p);
            c->parts[i]++;
            PL_TRY(pl_job_check(c->job, err));
            PL_TRY(pl_buf_check(c->out, err));
        }
        pl_arena_release(c->scratch, mark);
    }
    return PL_OK;
}
