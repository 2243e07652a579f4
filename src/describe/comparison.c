// The JSON description of two pages compared.
#include "base/ckd.h"
#include "describe/describe.h"

static void put_page(struct pl_json_writer *out, const char *key, uint32_t width, uint32_t height, uint64_t dots)
{
    pl_json_kv_object(out, key);
    pl_json_kv_u64(out, "widthPx", width);
    pl_json_kv_u64(out, "heightPx", height);
    pl_json_kv_u64(out, "inkDots", dots);
    pl_json_end(out);
}

static void put_areas(struct pl_json_writer *out, const struct platen_comparison *comparison)
{
    struct platen_area area;
    pl_json_kv_u64(out, "areaCount", platen_comparison_area_count(comparison));
    pl_json_kv_array(out, "areas");
    for (uint32_t i = 0; platen_comparison_area_at(comparison, i, &area); i++) {
        pl_json_object(out);
        pl_describe_box(out, area.x, area.y, area.width, area.height);
        pl_json_kv_u64(out, "dots", area.dots);
        pl_json_end(out);
    }
    pl_json_end(out);
}

static void put_element(struct pl_json_writer *out, const char *key, const struct platen_element *e, uint32_t index)
{
    pl_json_key(out, key);
    if (!e) {
        pl_json_null(out);
        return;
    }
    pl_json_object(out);
    pl_json_kv_u64(out, "index", index);
    pl_json_kv_cstr(out, "type", e->type_name);
    pl_json_kv_cstr(out, "command", e->command);
    if (e->symbology)
        pl_json_kv_cstr(out, "symbology", e->symbology);
    pl_describe_box(out, e->x, e->y, e->width, e->height);
    pl_json_kv_u64(out, "rotation", e->rotation);
    pl_json_kv_slice(out, "data", pl_slice_make(e->data, e->data_size));
    pl_json_kv_u64(out, "offset", e->offset);
    pl_json_kv_u64(out, "length", e->length);
    pl_json_end(out);
}

// Of one PLATEN_DIFFERS_….
static const char *name_of(uint32_t bit)
{
    switch (bit) {
    case PLATEN_DIFFERS_TYPE:
        return "type";
    case PLATEN_DIFFERS_DATA:
        return "data";
    case PLATEN_DIFFERS_SIZE:
        return "size";
    case PLATEN_DIFFERS_PLACE:
        return "place";
    default:
        return "look";
    }
}

static void put_change(struct pl_json_writer *out, const struct platen_element_change *change, double dpmm)
{
    pl_json_object(out);
    pl_json_kv_cstr(out, "change", change->change_name);
    pl_json_kv_array(out, "differs");
    for (uint32_t bit = PLATEN_DIFFERS_TYPE; bit <= PLATEN_DIFFERS_LOOK; bit <<= 1) {
        if (change->differs & bit)
            pl_json_cstr(out, name_of(bit));
    }
    pl_json_end(out);
    pl_json_kv_i64(out, "dx", change->dx);
    pl_json_kv_i64(out, "dy", change->dy);
    pl_json_key(out, "dxMm");
    pl_json_fixed(out, change->dx / dpmm, 2);
    pl_json_key(out, "dyMm");
    pl_json_fixed(out, change->dy / dpmm, 2);
    put_element(out, "a", change->a, change->index_a);
    put_element(out, "b", change->b, change->index_b);
    pl_json_end(out);
}

void pl_describe_comparison(struct pl_json_writer *out, const struct platen_comparison *comparison, double dpmm,
                            uint32_t *room)
{
    struct platen_ink ink;
    platen_comparison_ink(comparison, &ink);
    put_page(out, "a", ink.width_a, ink.height_a, ink.a);
    put_page(out, "b", ink.width_b, ink.height_b, ink.b);
    pl_json_kv_u64(out, "onlyA", ink.only_a);
    pl_json_kv_u64(out, "onlyB", ink.only_b);
    pl_json_kv_double(out, "share", ink.share);
    put_areas(out, comparison);
    pl_json_key(out, "changes");
    if (!platen_comparison_has_elements(comparison)) {
        pl_json_null(out);
        return;
    }
    struct platen_element_change change;
    const uint32_t count = platen_comparison_change_count(comparison), told = room ? PL_MIN(count, *room) : count;
    pl_json_array(out);
    for (uint32_t i = 0; i < told && platen_comparison_change_at(comparison, i, &change); i++)
        put_change(out, &change, dpmm);
    pl_json_end(out);
    if (room)
        *room -= told;
    if (told < count)
        pl_json_kv_u64(out, "changesLeftOut", count - told);
}
