// Commands that the printer answers: lists of objects, objects, a field's data. Where there is no host to answer
// (platen_options.after is not given) they are only reported.
#include <stdio.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/hash.h"
#include "lang/zpl/args.h"
#include "lang/zpl/memory.h"

#define REPLY_BYTES ((size_t)64 << 20) // of one answer

static bool has_host(const struct zpl *z)
{
    return z->options->after != NULL;
}

static enum pl_errc add_reply(struct zpl *z, enum pl_lang_reply kind, struct pl_slice text)
{
    text.ptr = pl_arena_copy(z->arena, text.ptr, text.len);
    return pl_lang_answer(&z->answers, z->arena, kind, text, z->err);
}

// Adds what was written, and frees it.
static enum pl_errc add_written(struct zpl *z, struct pl_buf *out)
{
    enum pl_errc code = out->failed ? pl_fail(z->err, out->short_of_memory ? PL_E_MEMORY : PL_E_LIMIT,
                                              "an answer to the host is over the limit of %zu bytes", REPLY_BYTES)
                                    : add_reply(z, PL_LANG_REPLY_TEXT, pl_buf_slice(out));
    pl_buf_fini(out);
    return code;
}

static size_t size_of(const struct pl_object *o)
{
    if (o->kind != PL_OBJECT_BITMAP)
        return o->kind == PL_OBJECT_PICTURE ? o->cost : o->bytes.len;
    const struct pl_bitmap *bits = o->data;
    return ((size_t)bits->width + 7) / 8 * bits->height;
}

static const char *drive_title(char drive)
{
    return drive == 'E' ? "ONBOARD FLASH" : drive == 'B' ? "MEMORY CARD" : drive == 'Z' ? "ROM" : "RAM";
}

// The objects of one drive that a pattern means, and what is free there.
enum pl_errc zpl_cmd_host_directory(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    struct pl_object_name pattern;
    zpl_arg_object(z, a, 0, "*", "*", &pattern);
    if (!pattern.drive)
        pattern.drive = 'R';
    struct pl_buf out;
    char text[PL_OBJECT_NAME_TEXT_MAX];
    pl_buf_init(&out, REPLY_BYTES);
    pl_object_name_format(&pattern, text);
    pl_buf_printf(&out, "\x02\r\n- DIR %s\r\n", text);
    uint32_t cursor = 0;
    size_t used = 0;
    for (const struct pl_object *o; (o = pl_store_next(z->store, &pattern, &cursor));) {
        pl_object_name_format(&o->name, text);
        pl_buf_printf(&out, "* %-16s %7zu\r\n", text, size_of(o));
    }
    for (const struct pl_store *s = z->store; s; s = s->base)
        used += s->used;
    size_t quota = z->options->limits.stored_bytes;
    pl_buf_printf(&out, "\r\n-  %zu bytes free %c: %s\r\n\x03", quota > used ? quota - used : 0, pattern.drive,
                  drive_title(pattern.drive));
    return add_written(z, &out);
}

// The object that the first parameter names, of one kind; NULL: it is not there, and that was reported.
static const struct pl_object *named(struct zpl *z, const struct zpl_args *a, const char *ext)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "UNKNOWN", ext, &name);
    const struct pl_object *object = pl_store_lookup(z->store, &name);
    if (!object) {
        char text[PL_OBJECT_NAME_TEXT_MAX];
        pl_object_name_format(&name, text);
        pl_diag_add(z->diags, PL_DIAG_OBJECT_NOT_FOUND, a->source, 1, "%s: there is no %s.", a->source.command, text);
    }
    return object;
}

enum pl_errc zpl_cmd_host_format(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    const struct pl_object *o = named(z, a, "ZPL");
    if (!o || o->kind != PL_OBJECT_FORMAT)
        return PL_OK;
    struct pl_buf out;
    pl_buf_init(&out, REPLY_BYTES);
    pl_buf_printf(&out, "^XA^DF%s,", o->name.name);
    pl_buf_append_slice(&out, o->bytes);
    pl_buf_append_cstr(&out, "^XZ");
    return add_written(z, &out);
}

static const struct pl_bitmap *bitmap_of(const struct pl_object *o)
{
    return o && o->kind == PL_OBJECT_BITMAP ? o->data : NULL;
}

enum pl_errc zpl_cmd_host_graphic(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    const struct pl_object *o = named(z, a, "GRF");
    const struct pl_bitmap *bits = bitmap_of(o);
    if (!bits)
        return PL_OK;
    static const char DIGITS[] = "0123456789ABCDEF";
    struct pl_buf out;
    char text[PL_OBJECT_NAME_TEXT_MAX];
    size_t per_row = ((size_t)bits->width + 7) / 8;
    pl_buf_init(&out, REPLY_BYTES);
    pl_object_name_format(&o->name, text);
    pl_buf_printf(&out, "~DG%s,%05zu,%03zu,\r\n", text, per_row * bits->height, per_row);
    for (uint32_t y = 0; y < bits->height; y++) {
        const uint64_t *row = pl_bitmap_row(bits, y);
        for (size_t i = 0; i < per_row; i++) {
            uint8_t byte = (uint8_t)(row[i / 8] >> (56 - i % 8 * 8));
            pl_buf_append_byte(&out, (uint8_t)DIGITS[byte >> 4]);
            pl_buf_append_byte(&out, (uint8_t)DIGITS[byte & 15]);
        }
        pl_buf_append_cstr(&out, "\r\n");
    }
    return add_written(z, &out);
}

static void put_base64(struct pl_buf *out, struct pl_slice bytes)
{
    size_t len = pl_base64_encoded_size(bytes.len);
    char *room = (char *)pl_buf_reserve(out, len);
    if (!room)
        return;
    pl_base64_encode(bytes, room);
    out->len += len;
}

// An object as the download that would bring it back, in base64.
static void put_object(struct pl_buf *out, const struct pl_object *o)
{
    struct pl_buf rows;
    const struct pl_bitmap *bits = bitmap_of(o);
    struct pl_slice bytes = o->bytes;
    size_t per_row = bits ? ((size_t)bits->width + 7) / 8 : 0;
    pl_buf_init(&rows, REPLY_BYTES);
    if (bits) {
        zpl_put_bitmap_rows(&rows, bits);
        bytes = pl_buf_slice(&rows);
    }
    pl_buf_inherit(out, &rows);
    char letter = bits ? 'G' : o->kind == PL_OBJECT_FONT ? 'T' : o->name.ext[0] == 'P' ? 'P' : 'B';
    pl_buf_printf(out, "~DY%c:%s,%c,%c,%zu,%zu,:B64:", o->name.drive, o->name.name, bits ? 'A' : 'B', letter, bytes.len,
                  per_row);
    size_t from = out->len;
    put_base64(out, bytes);
    pl_buf_printf(out, ":%04X", pl_crc16_xmodem(0, pl_slice_sub(pl_buf_slice(out), from, out->len - from)));
    pl_buf_fini(&rows);
}

enum pl_errc zpl_cmd_host_object(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    const struct pl_object *o = named(z, a, "GRF");
    if (!o || o->kind == PL_OBJECT_PICTURE)
        return PL_OK;
    struct pl_buf out;
    pl_buf_init(&out, REPLY_BYTES);
    put_object(&out, o);
    pl_buf_append_cstr(&out, "\r\n");
    return add_written(z, &out);
}

enum pl_errc zpl_cmd_host_configuration(struct zpl *z, const struct zpl_args *a)
{
    return has_host(z) ? add_reply(z, PL_LANG_REPLY_CONFIGURATION, pl_slice_cstr("H")) : zpl_cmd_host(z, a);
}

// ^HV: a field's data with text around it. Its last three parameters are free text.
enum pl_errc zpl_cmd_host_field(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    int32_t number = 0, most = 64;
    zpl_arg_int(z, a, 0, &number);
    zpl_arg_int(z, a, 1, &most);
    const struct zpl_number *found = z->label.open ? zpl_number_find(z, number) : NULL;
    struct pl_slice data = found && found->last ? found->last->data : pl_slice_make("", 0);
    struct pl_buf out;
    pl_buf_init(&out, REPLY_BYTES);
    if (a->count > 2)
        pl_buf_append_slice(&out, a->item[2]);
    pl_buf_append_slice(&out, pl_slice_sub(data, 0, PL_MIN(data.len, (size_t)most)));
    if (a->count > 3)
        pl_buf_append_slice(&out, a->item[3]);
    return add_written(z, &out);
}

static void put_xml_head(struct pl_buf *out)
{
    pl_buf_append_cstr(out, "<?xml version='1.0'?>\r\n<ZEBRA-ELTRON-PERSONALITY>\r\n");
}

// ^HZL and ^HZO: the directory or an object. The rest is what the printer says of itself.
enum pl_errc zpl_cmd_host_xml(struct zpl *z, const struct zpl_args *a)
{
    if (!has_host(z))
        return zpl_cmd_host(z, a);
    char part = 'A';
    zpl_arg_choice(z, a, 0, &part);
    if (part != 'L' && part != 'O')
        return add_reply(z, PL_LANG_REPLY_XML, pl_slice_make(&part, 1));
    struct pl_object_name pattern;
    if (!zpl_arg_object(z, a, 1, "*", "*", &pattern))
        pl_object_name_parse(pl_slice_cstr("*.*"), "*", "*", &pattern);
    struct pl_buf out;
    pl_buf_init(&out, REPLY_BYTES);
    put_xml_head(&out);
    pl_buf_append_cstr(&out, part == 'L' ? "<OBJECT-LIST>\r\n" : "<STORED-OBJECTS>\r\n");
    uint32_t cursor = 0;
    for (const struct pl_object *o; (o = pl_store_next(z->store, &pattern, &cursor));) {
        char text[PL_OBJECT_NAME_TEXT_MAX];
        pl_object_name_format(&o->name, text);
        pl_buf_printf(&out, "<OBJECT MEMORY-LOCATION='%c' TYPE='%s' SIZE='%zu'>%s", o->name.drive, o->name.ext,
                      size_of(o), text);
        if (part == 'O' && o->kind != PL_OBJECT_PICTURE && o->kind != PL_OBJECT_FORMAT) {
            pl_buf_append_cstr(&out, "\r\n<DATA>");
            put_object(&out, o);
            pl_buf_append_cstr(&out, "</DATA>");
        }
        pl_buf_append_cstr(&out, "</OBJECT>\r\n");
    }
    pl_buf_append_cstr(&out, part == 'L' ? "</OBJECT-LIST>\r\n" : "</STORED-OBJECTS>\r\n");
    pl_buf_append_cstr(&out, "</ZEBRA-ELTRON-PERSONALITY>\r\n");
    return add_written(z, &out);
}

enum pl_errc zpl_cmd_host(struct zpl *z, const struct zpl_args *a)
{
    pl_diag_add(z->diags, PL_DIAG_HOST_COMMAND, a->source, 0, "%s: %s", a->source.command, a->row->info.note);
    return PL_OK;
}
