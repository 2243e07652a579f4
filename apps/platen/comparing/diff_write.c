// The lines of `platen diff` about one label.
#include "diff_write.h"

#include "base/fmt.h"
#include "describe/describe.h"

#define AREAS_SHOWN 8u
#define DATA_SHOWN 60u // bytes

static void put_fixed(struct pl_buf *out, double value, unsigned decimals)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(out, text, pl_format_fixed(value, decimals, text));
}

static void put_data(struct pl_buf *out, const struct platen_element *e)
{
    size_t n = e->data_size;
    // Not in the middle of a character.
    if (n > DATA_SHOWN) {
        for (n = DATA_SHOWN; n > 0 && ((uint8_t)e->data[n] & 0xC0) == 0x80;)
            n--;
    }
    pl_buf_append_json_string(out, pl_slice_make(e->data, n));
    if (n < e->data_size)
        pl_buf_append_cstr(out, "...");
}

static void put_element(struct pl_buf *out, const struct platen_element *e)
{
    pl_buf_printf(out, "%s %s", e->symbology ? e->symbology : e->type_name, e->command);
    if (e->data_size > 0) {
        pl_buf_append_byte(out, ' ');
        put_data(out, e);
    }
    pl_buf_printf(out, " at %d,%d (%u x %u dots)", e->x, e->y, e->width, e->height);
}

static void put_move(struct pl_buf *out, const struct platen_element_change *c, double dpmm)
{
    pl_buf_printf(out, "moved by %d,%d dots (", c->dx, c->dy);
    put_fixed(out, c->dx / dpmm, 2);
    pl_buf_append_cstr(out, ", ");
    put_fixed(out, c->dy / dpmm, 2);
    pl_buf_append_cstr(out, " mm)");
}

static void put_difference(struct pl_buf *out, const struct platen_element_change *c, uint32_t bit, double dpmm)
{
    switch (bit) {
    case PLATEN_DIFFERS_TYPE:
        pl_buf_printf(out, "now %s %s", c->b->symbology ? c->b->symbology : c->b->type_name, c->b->command);
        break;
    case PLATEN_DIFFERS_DATA:
        pl_buf_append_cstr(out, "data now ");
        put_data(out, c->b);
        break;
    case PLATEN_DIFFERS_SIZE:
        pl_buf_printf(out, "size now %u x %u dots", c->b->width, c->b->height);
        break;
    case PLATEN_DIFFERS_PLACE:
        put_move(out, c, dpmm);
        break;
    default:
        pl_buf_append_cstr(out, "look (font, rotation, lines or image)");
    }
}

static void put_change(struct pl_buf *out, const struct platen_element_change *c, double dpmm)
{
    pl_buf_printf(out, "  %-8s ", c->change_name);
    put_element(out, c->a ? c->a : c->b);
    const char *before = ": ";
    for (uint32_t bit = PLATEN_DIFFERS_TYPE; bit <= PLATEN_DIFFERS_LOOK; bit <<= 1) {
        if (!(c->differs & bit))
            continue;
        pl_buf_append_cstr(out, before);
        put_difference(out, c, bit, dpmm);
        before = "; ";
    }
    pl_buf_append_byte(out, '\n');
}

static void put_areas(struct pl_buf *out, const struct platen_comparison *comparison)
{
    struct platen_area area;
    uint32_t count = platen_comparison_area_count(comparison), i = 0;
    for (; i < AREAS_SHOWN && platen_comparison_area_at(comparison, i, &area); i++)
        pl_buf_printf(out, "  differs  at %u,%u (%u x %u dots): %llu dots\n", area.x, area.y, area.width, area.height,
                      (unsigned long long)area.dots);
    if (count > i)
        pl_buf_printf(out, "  differs  at %u more place%s\n", count - i, count - i == 1 ? "" : "s");
}

void diff_write_label(struct pl_buf *out, const char *name, const struct compared_label *label)
{
    const struct platen_comparison *c = label->comparison;
    uint32_t changes = c ? platen_comparison_change_count(c) : 0;
    struct platen_ink ink = {0};
    if (c)
        platen_comparison_ink(c, &ink);
    uint64_t dots = ink.only_a + ink.only_b;
    if (label->same && changes == 0 && dots == 0 && label->copies_a == label->copies_b)
        return;
    pl_buf_printf(out, "%s: label %u: ", name, label->index);
    if (!c) {
        pl_buf_printf(out, "only in %s\n", label->copies_a ? "A" : "B");
        return;
    }
    pl_buf_append_cstr(out, label->same ? "same" : "different");
    if (ink.width_a != ink.width_b || ink.height_a != ink.height_b)
        pl_buf_printf(out, ", sizes %u x %u and %u x %u dots", ink.width_a, ink.height_a, ink.width_b, ink.height_b);
    if (dots > 0) {
        pl_buf_printf(out, ", %llu dots only in A, %llu only in B (", (unsigned long long)ink.only_a,
                      (unsigned long long)ink.only_b);
        put_fixed(out, ink.share * 100, 2);
        pl_buf_append_cstr(out, " % of the ink)");
    } else {
        pl_buf_append_cstr(out, ", no dot differs");
    }
    if (label->copies_a != label->copies_b)
        pl_buf_printf(out, ", %u and %u copies", label->copies_a, label->copies_b);
    pl_buf_append_byte(out, '\n');
    struct platen_element_change change;
    for (uint32_t i = 0; platen_comparison_change_at(c, i, &change); i++)
        put_change(out, &change, label->dpmm);
    put_areas(out, c);
}
