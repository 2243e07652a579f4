// Whether converted code is drawn as before: dot by dot, but for elements that were named, and barcodes by reading
// them.
#include <string.h>

#include "base/ckd.h"
#include "rewrite/convert.h"
#include "rewrite/verify.h"

struct pair {
    struct rw_conversion *c;
    struct platen_document *after;
    struct rw_findings findings;
    struct platen_error err;
};

// Where a box of the label is on its page.
static struct pl_box on_page(const struct pl_label *label, const struct pl_bitmap *page, struct pl_box b)
{
    int32_t w = (int32_t)page->width, h = (int32_t)page->height;
    if (label->mirrored != label->upside_down)
        b = (struct pl_box){w - b.x1, b.y0, w - b.x0, b.y1};
    if (label->upside_down)
        b = (struct pl_box){b.x0, h - b.y1, b.x1, h - b.y0};
    return b;
}

static uint64_t count_different(struct pair *p, uint32_t index, struct pl_bitmap *a, struct pl_bitmap *b)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < p->c->other_count; i++) {
        if (p->c->other[i].label != index)
            continue;
        struct pl_box box = on_page(&p->c->from->scene.labels[index], a, p->c->other[i].box);
        pl_bitmap_fill(a, box, PL_INK_WHITE);
        pl_bitmap_fill(b, box, PL_INK_WHITE);
    }
    for (size_t i = 0; i < (size_t)a->stride * a->height; i++)
        count += (uint64_t)__builtin_popcountll(a->words[i] ^ b->words[i]);
    return count;
}

static bool is_same_place(const struct platen_element *a, const struct platen_element *b)
{
    return a->type == PLATEN_BARCODE && b->type == PLATEN_BARCODE && a->bars_x == b->bars_x && a->bars_y == b->bars_y &&
           a->bars_width == b->bars_width && a->bars_height == b->bars_height;
}

// A barcode that could be read must still read, as the same data.
static void check_barcodes(struct pair *p, const struct platen_page *before, const struct platen_page *after)
{
    for (uint32_t i = 0; i < before->element_count; i++) {
        const struct platen_element *a = &before->elements[i], *b = NULL;
        for (uint32_t j = 0; j < after->element_count && !b; j++)
            b = is_same_place(a, &after->elements[j]) ? &after->elements[j] : NULL;
        if (!b || !rw_reads(a))
            continue;
        bool same = rw_reads(b) && a->decoded_size == b->decoded_size &&
                    memcmp(a->decoded_data, b->decoded_data, a->decoded_size) == 0;
        if (!same)
            RW_FINDING(&p->findings, PL_DIAG_REWRITE_UNREADABLE,
                       ((struct pl_source){.offset = a->offset, .length = a->length}),
                       "The barcode could be read before; now it %s.",
                       b->decoded == 1 ? "reads as other data" : "cannot be read");
    }
}

// The first dot of the label on a page that is wider, since another label of the job is.
static int32_t left_of(const struct platen_document *document, const struct pl_label *label, uint32_t width)
{
    uint32_t narrow = label->print_width && label->print_width < width ? width - label->print_width : 0;
    bool flipped = label->mirrored != label->upside_down;
    uint32_t left = document->scene.profile->draw.narrow_print_is_centred ? narrow / 2 : 0;
    return (int32_t)(flipped ? narrow - left : left);
}

// `part` is the label after.
static enum platen_status check_label(struct pair *p, uint32_t index, uint32_t part, const struct platen_page *before,
                                      const struct platen_page *after)
{
    struct pl_bitmap a = before->drawn.bits, b = after->drawn.bits;
    const struct pl_label *label = &p->c->from->scene.labels[index];
    check_barcodes(p, before, after);
    if (a.width != b.width || a.height != b.height) {
        RW_FINDING(&p->findings, PL_DIAG_REWRITE, label->source, "The label is %u x %u dots now; it was %u x %u.",
                   b.width, b.height, a.width, a.height);
        return PLATEN_OK;
    }
    int32_t move = left_of(p->c->from, label, a.width) - left_of(p->after, &p->after->scene.labels[part], b.width);
    struct pl_bitmap moved;
    struct pl_error inner = {0};
    if (move != 0) {
        if (pl_bitmap_new(p->c->scratch, b.width, b.height, &moved, &inner) != PL_OK)
            return pl_public_status(PL_E_MEMORY, &inner, &p->err);
        pl_bitmap_blit(&moved, &b, move, 0, PL_INK_BLACK);
        b = moved;
    }
    uint64_t dots = count_different(p, index, &a, &b);
    if (dots > 0)
        RW_FINDING(&p->findings, PL_DIAG_REWRITE, label->source, "%llu dots of the label differ.",
                   (unsigned long long)dots);
    return PLATEN_OK;
}

static uint32_t parts_of(const struct rw_conversion *c, uint32_t index)
{
    return c->parts ? c->parts[index] : 1;
}

// A label before, and from *at on those that it became.
static enum platen_status check_parts(struct pair *p, uint32_t index, uint32_t *at)
{
    struct platen_worker *worker = p->c->worker;
    const struct pl_label *label = &p->c->from->scene.labels[index];
    const struct platen_page *before, *after;
    uint32_t now = 0, end = *at + parts_of(p->c, index);
    enum platen_status status = platen_draw(worker, p->c->from, index, &before, &p->err);
    if (status == PLATEN_OK)
        status = platen_page_detach(worker, &before, &p->err);
    if (status != PLATEN_OK)
        return status;
    for (; *at < end && status == PLATEN_OK; ++*at) {
        struct pl_arena_mark mark = pl_arena_mark(p->c->scratch);
        status = platen_draw(worker, p->after, *at, &after, &p->err);
        if (status == PLATEN_OK)
            status = check_label(p, index, *at, before, after);
        pl_arena_release(p->c->scratch, mark);
        now += PL_MAX(p->after->scene.labels[*at].copies, 1u);
    }
    platen_page_free(before);
    if (status == PLATEN_OK && now != PL_MAX(label->copies, 1u))
        RW_FINDING(&p->findings, PL_DIAG_REWRITE, label->source, "The label is printed %u times now; it was %u.", now,
                   PL_MAX(label->copies, 1u));
    return status;
}

static enum platen_status check_labels(struct pair *p)
{
    uint32_t count = platen_label_count(p->c->from), now = platen_label_count(p->after), written = 0, at = 0;
    for (uint32_t i = 0; i < count; i++)
        written += parts_of(p->c, i);
    if (written != now)
        RW_FINDING(&p->findings, PL_DIAG_REWRITE, ((struct pl_source){0}),
                   "The code prints %u labels now; it should be %u. Those that are there were compared.", now, written);
    enum platen_status status = PLATEN_OK;
    for (uint32_t i = 0; i < count && at + parts_of(p->c, i) <= now && status == PLATEN_OK; i++)
        status = check_parts(p, i, &at);
    return status;
}

enum pl_errc rw_verify_conversion(struct rw_conversion *c, struct pl_error *err)
{
    const struct platen_options *as = &c->from->options;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = as->width_mm, .height_mm = as->height_mm, .dpmm = as->dpmm, .want_elements = true,
                       .verify = true, .rules = "none", .has_time = true, .time = as->time, .collapse_copies = true,
                       .language = c->options->to_language, .cancel = as->cancel, .deadline_ns = as->deadline_ns);
    struct pair p = {.c = c, .findings = {.diags = c->diags}};
    enum platen_status status = platen_parse(c->worker, c->out->data, c->out->len, &options, &p.after, &p.err);
    if (status == PLATEN_OK)
        status = check_labels(&p);
    platen_document_free(p.after);
    return rw_findings_end(&p.findings, status, &p.err, err);
}
