// Text and JSON of `platen diff`: what pairs say becomes output and pictures here.
#include "diff_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fmt.h"
#include "cli/cli_limits.h"
#include "describe/describe.h"

#define AREAS_SHOWN 8u
#define DATA_SHOWN 60u // bytes

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
    pl_buf_append_fixed(out, c->dx / dpmm, 2);
    pl_buf_append_cstr(out, ", ");
    pl_buf_append_fixed(out, c->dy / dpmm, 2);
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
        pl_buf_append_fixed(out, ink.share * 100, 2);
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

// ---- pairs in their order

// What a pair says: a part, behind it the path of a picture, and the bytes.
struct part {
    enum diff_kind kind;
    enum diff_end end;      // of DIFF_ENDS
    size_t path_size, size; // of a path with its NUL
};

bool diff_say(const struct message_sink *sink, enum diff_kind kind, const char *path, const void *data, size_t size)
{
    const struct part part = {.kind = kind, .path_size = path ? strlen(path) + 1 : 0, .size = size};
    struct pl_buf all;
    pl_buf_init(&all, sizeof part + part.path_size + size);
    pl_buf_append(&all, &part, sizeof part);
    pl_buf_append(&all, path, part.path_size);
    pl_buf_append(&all, data, size);
    bool ok = !all.failed;
    if (ok)
        message_say(sink, all.data, all.len);
    pl_buf_fini(&all);
    return ok;
}

void diff_say_end(const struct message_sink *sink, enum diff_end end)
{
    const struct part part = {.kind = DIFF_ENDS, .end = end};
    message_say(sink, &part, sizeof part);
}

void diff_output_open(struct diff_output *o, size_t most)
{
    pl_buf_init(&o->out, most);
    pl_json_writer_init(&o->json, &o->out);
    if (o->as_json) {
        pl_json_object(&o->json);
        pl_json_kv_array(&o->json, "files");
    }
}

static void put_path(struct pl_json_writer *json, const char *key, const char *path)
{
    pl_json_key(json, key);
    if (path)
        pl_json_cstr(json, path);
    else
        pl_json_null(json);
}

static void begin_pair(struct diff_output *o)
{
    const struct diff_pair *pair = &o->pairs->items[o->at];
    o->begun = true;
    o->picture_failed = false;
    if (!o->as_json) {
        if (!o->quiet && (!pair->paths[0] || !pair->paths[1]))
            pl_buf_printf(&o->out, "%s: only in %s\n", pair->name, pair->paths[0] ? "A" : "B");
        return;
    }
    pl_json_object(&o->json);
    put_path(&o->json, "a", pair->paths[0]);
    put_path(&o->json, "b", pair->paths[1]);
    pl_json_kv_array(&o->json, "labels");
}

static bool write_out(struct diff_output *o)
{
    bool ok = cli_output_fits("standard output", &o->out) &&
              (o->out.len == 0 || cli_write("-", o->out.data, o->out.len, NULL));
    pl_buf_clear(&o->out);
    return ok;
}

static void end_pair(struct diff_output *o, enum diff_end end)
{
    end = o->picture_failed ? DIFF_UNREADABLE : end;
    o->count[end]++;
    o->at++;
    o->begun = false;
    if (o->as_json) {
        pl_json_end(&o->json);
        pl_json_kv_bool(&o->json, "readable", end != DIFF_UNREADABLE);
        pl_json_kv_bool(&o->json, "same", end == DIFF_SAME);
        pl_json_end(&o->json);
    }
    // Text is written as it comes, JSON as a whole.
    if (o->as_json ? !cli_output_fits("standard output", &o->out) : !write_out(o))
        atomic_store(&o->broken, true);
}

// Makes the folders of a path.
static bool make_folders(const char *path)
{
    char *folder = strdup(path);
    bool ok = folder != NULL;
    if (!ok)
        fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
    for (char *at = folder; ok && (at = strchr(at + 1, '/')) != NULL; *at = '/') {
        *at = '\0';
        ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
        if (!ok)
            fprintf(stderr, "platen: %s: %s\n", folder, strerror(errno));
    }
    free(folder);
    return ok;
}

static void take_part(struct diff_output *o, const struct part *part, const char *path)
{
    const char *data = path + part->path_size;
    if (!o->begun)
        begin_pair(o);
    switch (part->kind) {
    case DIFF_MESSAGE:
        message_say(NULL, data, part->size);
        break;
    case DIFF_PICTURE:
        if ((o->pairs->folders && !make_folders(path)) || !cli_write(path, data, part->size, NULL))
            o->picture_failed = true;
        break;
    case DIFF_LABEL:
        if (o->as_json)
            pl_json_raw(&o->json, pl_slice_make(data, part->size));
        else
            pl_buf_append(&o->out, data, part->size);
        break;
    case DIFF_ENDS:
        end_pair(o, part->end);
    }
}

void diff_output_take(void *user, const char *text, size_t len)
{
    struct diff_output *o = user;
    struct part part;
    for (size_t at = 0; at < len && !atomic_load(&o->broken); at += part.path_size + part.size) {
        memcpy(&part, text + at, sizeof part);
        at += sizeof part;
        take_part(o, &part, text + at);
    }
}

static void put_summary(struct diff_output *o)
{
    if (o->pairs->folders)
        pl_buf_printf(&o->out, "%zu compared: %zu same, %zu different, %zu unreadable\n", o->pairs->count,
                      o->count[DIFF_SAME], o->count[DIFF_DIFFERENT], o->count[DIFF_UNREADABLE]);
    else if (o->count[DIFF_UNREADABLE] == 0)
        pl_buf_append_cstr(&o->out, o->count[DIFF_DIFFERENT] ? "different\n" : "same\n");
}

bool diff_output_close(struct diff_output *o)
{
    bool whole = o->at == o->pairs->count;
    if (!whole && !atomic_load(&o->broken))
        fputs("platen: not enough memory\n", stderr);
    if (o->as_json) {
        pl_json_end(&o->json);
        pl_json_kv_u64(&o->json, "sameFiles", o->count[DIFF_SAME]);
        pl_json_kv_u64(&o->json, "differentFiles", o->count[DIFF_DIFFERENT]);
        pl_json_kv_u64(&o->json, "unreadableFiles", o->count[DIFF_UNREADABLE]);
        pl_json_kv_bool(&o->json, "same", o->count[DIFF_SAME] == o->pairs->count);
        pl_json_end(&o->json);
        pl_buf_append_byte(&o->out, '\n');
    } else if (!o->quiet) {
        put_summary(o);
    }
    bool ok = whole && !atomic_load(&o->broken) && write_out(o);
    pl_buf_fini(&o->out);
    return ok;
}
