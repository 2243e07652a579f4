// Following label code: stored formats and pictures.
#include "rewrite/flow.h"

#include <string.h>

#include "base/ckd.h"

#define DEPTH_MOST 16 // formats that recall formats

struct format {
    uint32_t from, end; // its commands
    bool followed;
};

struct follower {
    struct rw_document *doc;
    struct rw_flow *flow;
    struct pl_error *err;
};

static struct pl_object_name name_of(const struct rw_command *c, uint32_t item, const char *extension)
{
    struct pl_object_name name;
    (void)pl_object_name_parse(item < c->item_count ? c->items[item] : pl_slice_make("", 0), "UNKNOWN", extension,
                               &name);
    return name;
}

static enum pl_errc keep_name(struct follower *f, struct pl_object_name name, enum pl_object_kind kind,
                              const struct format *format)
{
    name.drive = name.drive ? name.drive : 'R';
    const struct pl_object object = {.name = name, .kind = kind, .data = format, .id = 1};
    enum pl_errc code = pl_store_put(&f->flow->objects, &object, f->err);
    return code == PL_E_LIMIT ? PL_OK : code; // the printer would have no room for it either
}

// What is stored under a name. The extension of ~DY is a letter.
static enum pl_errc keep_object(struct follower *f, const struct rw_command *c)
{
    static const struct {
        char letter, extension[4];
    } FILES[] = {{'B', "BMP"}, {'P', "PNG"}, {'X', "PCX"}, {'G', "GRF"}};
    if (rw_is(c, "~DG") || rw_is(c, "^IS"))
        return keep_name(f, name_of(c, 0, "GRF"), PL_OBJECT_BITMAP, NULL);
    if (rw_is(c, "^TO")) {
        struct pl_object_name from = name_of(c, 0, "GRF");
        const struct pl_object *object = pl_store_lookup(&f->flow->objects, &from);
        return object ? keep_name(f, name_of(c, 1, from.ext), object->kind, object->data) : PL_OK;
    }
    if (!rw_is(c, "~DY"))
        return PL_OK;
    const char *extension = "GRF";
    for (size_t i = 0; i < PL_COUNTOF(FILES); i++) {
        if (rw_has(c, 2) && (c->items[2].ptr[0] & 0xDF) == FILES[i].letter)
            extension = FILES[i].extension;
    }
    return keep_name(f, name_of(c, 0, extension), PL_OBJECT_FILE, NULL);
}

static enum pl_errc follow(struct follower *f, uint32_t from, uint32_t end, unsigned depth);

static enum pl_errc follow_recall(struct follower *f, const struct rw_command *c, unsigned depth)
{
    struct pl_object_name name = name_of(c, 0, "ZPL");
    const struct pl_object *object = pl_store_lookup(&f->flow->objects, &name);
    struct format *format = object && object->kind == PL_OBJECT_FORMAT ? (struct format *)object->data : NULL;
    if (!format || format->followed || depth >= DEPTH_MOST)
        return PL_OK;
    format->followed = true;
    return follow(f, format->from, format->end, depth + 1);
}

static enum pl_errc follow(struct follower *f, uint32_t from, uint32_t end, unsigned depth)
{
    struct rw_document *doc = f->doc;
    for (uint32_t i = from; i < end; i++) {
        const struct rw_command *c = &doc->commands[i];
        f->flow->order[f->flow->count++] = i;
        PL_TRY(keep_object(f, c));
        if (rw_is(c, "^XF"))
            PL_TRY(follow_recall(f, c, depth));
        if (!rw_is(c, "^DF") || depth > 0)
            continue;
        struct format *format = PL_ARENA_NEW(doc->arena, struct format);
        if (!format)
            return pl_fail_memory(f->err);
        *format = (struct format){.from = i + 1, .end = i + 1};
        while (format->end < end && !rw_is(&doc->commands[format->end], "^XZ"))
            format->end++;
        PL_TRY(keep_name(f, name_of(c, 0, "ZPL"), PL_OBJECT_FORMAT, format));
        i = format->end - 1;
    }
    return PL_OK;
}

// The numbers of a format are in the unit in which it is stored where nobody recalls it, whatever is said later.
static enum pl_errc find_units(const struct rw_document *doc, struct rw_flow *flow, struct pl_error *err)
{
    struct rw_unit unit = RW_UNIT_DOTS;
    flow->units = PL_ARENA_ARRAY(doc->arena, struct rw_unit, (size_t)doc->count + 1);
    if (!flow->units)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < flow->count; i++) {
        const uint32_t index = flow->order[i];
        if (i >= flow->reached && index > 0 && rw_is(&doc->commands[index - 1], "^DF"))
            unit = flow->units[index - 1];
        rw_unit_obey(&unit, &doc->commands[index]);
        flow->units[index] = unit;
    }
    return PL_OK;
}

enum pl_errc rw_flow_find(struct rw_document *doc, struct rw_flow *out, struct pl_error *err)
{
    struct follower f = {doc, out, err};
    *out = (struct rw_flow){.order = PL_ARENA_ARRAY(doc->arena, uint32_t, (size_t)doc->count + 1)};
    bool *seen = PL_ARENA_ARRAY(doc->arena, bool, (size_t)doc->count + 1);
    if (!out->order || !seen)
        return pl_fail_memory(err);
    memset(seen, 0, (size_t)doc->count + 1);
    pl_store_init(&out->objects, doc->arena, NULL, SIZE_MAX);
    PL_TRY(follow(&f, 0, doc->count, 0));
    out->reached = out->count;
    for (uint32_t i = 0; i < out->count; i++)
        seen[out->order[i]] = true;
    for (uint32_t i = 0; i < doc->count; i++) {
        if (seen[i])
            continue;
        out->order[out->count++] = i;
        PL_TRY(keep_object(&f, &doc->commands[i]));
    }
    return find_units(doc, out, err);
}

bool rw_recalls_unknown(const struct rw_flow *flow, const struct rw_command *c)
{
    static const char *const EXTENSIONS[] = {"GRF", "PNG", "BMP", "PCX"};
    bool is_format = rw_is(c, "^XF");
    if (!is_format && !rw_is(c, "^XG") && !rw_is(c, "^IM") && !rw_is(c, "^IL"))
        return false;
    struct pl_object_name name = name_of(c, 0, is_format ? "ZPL" : "GRF");
    bool found = pl_store_lookup(&flow->objects, &name);
    for (size_t i = 0; !found && !is_format && i < PL_COUNTOF(EXTENSIONS); i++) {
        memcpy(name.ext, EXTENSIONS[i], 4);
        name.ext_len = 3;
        found = pl_store_lookup(&flow->objects, &name);
    }
    return !found;
}
