// Downloads: graphics, fonts and files sent to the printer's memory.
#include "lang/zpl/args.h"
#include "lang/zpl/gfdata.h"
#include "lang/zpl/payload.h"
#include "store/font_file.h"

// Puts an object into the store; a refusal is a diagnostic.
static enum pl_errc put(struct zpl *z, const struct zpl_args *a, struct pl_object *object)
{
    if (!object->name.drive)
        object->name.drive = 'R';
    struct pl_error why;
    enum pl_errc code = pl_store_put(z->store, object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(z->err);
    if (code != PL_OK)
        pl_diag_add(z->diags, PL_DIAG_STORE_FULL, a->source, 0, "%s: %s was not stored: %s.", a->source.command,
                    object->name.name, why.message);
    return PL_OK;
}

static void set_extension(struct pl_object_name *name, const char *ext)
{
    name->ext_len = (uint8_t)strlen(ext);
    memcpy(name->ext, ext, name->ext_len + 1u);
}

// Rows of dots, coded or raw.
static enum pl_errc put_graphic(struct zpl *z, const struct zpl_payload *p, bool raw, int32_t total, int32_t per_row,
                                struct pl_object *object)
{
    struct zpl_gf gf = {&z->img, z->diags, p->args.source};
    const struct pl_bitmap *bits;
    PL_TRY(zpl_gf_bitmap(&gf, p->data, raw, (uint64_t)total, (uint64_t)per_row, &bits, z->err));
    if (!bits)
        return PL_OK;
    set_extension(&object->name, "GRF");
    object->kind = PL_OBJECT_BITMAP;
    object->data = bits;
    object->cost = (size_t)bits->stride * bits->height * 8;
    return put(z, &p->args, object);
}

// The bytes of a file, however they are coded.
static enum pl_errc file_bytes(struct zpl *z, const struct zpl_payload *p, int32_t size, struct pl_slice *out)
{
    struct zpl_gf gf = {&z->img, z->diags, p->args.source};
    return zpl_gf_file(&gf, p->data, (uint64_t)size, z->options->limits.stored_bytes, out, z->err);
}

enum pl_errc zpl_cmd_download_graphic(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 3, &p);
    zpl_payload_take(&z->lex, &p, SIZE_MAX);
    struct zpl_args *a = &p.args;
    struct pl_object object = {0};
    zpl_arg_object(z, a, 0, "UNKNOWN", "GRF", &object.name);
    int32_t total = 0, per_row = 0;
    zpl_arg_int(z, a, 1, &total);
    zpl_arg_int(z, a, 2, &per_row);
    return put_graphic(z, &p, false, total, per_row, &object);
}

// A TrueType file; others (ZTools wrappings, Intellifont) cannot be drawn.
static enum pl_errc put_font(struct zpl *z, const struct zpl_args *a, struct pl_object *object, struct pl_slice bytes)
{
    if (!pl_is_font_file(bytes))
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_OBJECT_INVALID, a->source, 0,
                                       "%s: the data is not a TrueType or OpenType font; it was not stored.",
                                       a->source.command));
    object->kind = PL_OBJECT_FONT;
    object->bytes = bytes;
    object->cost = bytes.len;
    return put(z, a, object);
}

enum pl_errc zpl_cmd_download_truetype(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 2, &p);
    zpl_payload_take(&z->lex, &p, SIZE_MAX);
    struct zpl_args *a = &p.args;
    struct pl_object object = {0};
    zpl_arg_object(z, a, 0, "UNKNOWN", "FNT", &object.name);
    int32_t size = 0;
    zpl_arg_int(z, a, 1, &size);
    struct pl_slice bytes;
    PL_TRY(file_bytes(z, &p, size, &bytes));
    return put_font(z, a, &object, bytes);
}

// ~DB: kept as text; the font module reads the characters from it.
enum pl_errc zpl_cmd_download_bitmap_font(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 1, &p);
    zpl_payload_take(&z->lex, &p, SIZE_MAX);
    struct zpl_args *a = &p.args;
    struct pl_object object = {.kind = PL_OBJECT_FONT, .bitmap_font = true};
    zpl_arg_object(z, a, 0, "UNKNOWN", "FNT", &object.name);
    set_extension(&object.name, "FNT");
    object.bytes = p.data;
    object.cost = p.data.len;
    return put(z, a, &object);
}

enum pl_errc zpl_cmd_download_encoding(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 2, &p);
    zpl_payload_take(&z->lex, &p, SIZE_MAX);
    struct zpl_args *a = &p.args;
    struct pl_object object = {.kind = PL_OBJECT_FILE};
    zpl_arg_object(z, a, 0, "UNKNOWN", "DAT", &object.name);
    set_extension(&object.name, "DAT");
    int32_t size = 0;
    zpl_arg_int(z, a, 1, &size);
    PL_TRY(file_bytes(z, &p, size, &object.bytes));
    object.cost = object.bytes.len;
    return put(z, a, &object);
}

// Fonts that nobody outside Zebra can read: the payload is stepped over.
enum pl_errc zpl_cmd_download_unusable(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 2, &p);
    zpl_payload_take(&z->lex, &p, SIZE_MAX);
    pl_diag_add(z->diags, PL_DIAG_UNSUPPORTED, p.args.source, 0, "%s: fonts of this kind cannot be drawn.",
                p.args.source.command);
    return PL_OK;
}

// Extensions of ~DY by their letter; anything else is a graphic.
static const char *extension_of(struct pl_slice s)
{
    s = pl_slice_trim(s);
    uint8_t c = s.len > 0 ? (uint8_t)(s.ptr[0] & 0xDF) : 'G';
    if (s.len >= 3)
        return c == 'N' ? "NRD" : c == 'P' && (s.ptr[1] & 0xDF) == 'A' ? "PAC" : c == 'P' ? "PNG" : "GRF";
    switch (c) {
    case 'B':
        return "BMP";
    case 'E':
        return "TTE";
    case 'P':
        return "PNG";
    case 'T':
        return "TTF";
    case 'X':
        return "PCX";
    case 'C':
        return "WML";
    case 'F':
        return "HTM";
    case 'H':
        return "GET";
    default:
        return "GRF";
    }
}

enum pl_errc zpl_cmd_download_object(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 5, &p);
    struct zpl_args *a = &p.args;
    char kind = 'A';
    bool has_kind = zpl_arg_choice(z, a, 1, &kind);
    int32_t total = 0, per_row = 0;
    zpl_arg_int(z, a, 3, &total);
    zpl_arg_int(z, a, 4, &per_row);
    bool raw = kind == 'B' && !zpl_payload_is_wrapped(&z->lex, &p);
    zpl_payload_take(&z->lex, &p, raw && total > 0 ? (size_t)total : SIZE_MAX);
    if (!has_kind || (kind == 'C' && !zpl_gf_is_wrapped(p.data)))
        return PL_REPORTED(
            pl_diag_add(z->diags, has_kind ? PL_DIAG_UNSUPPORTED : PL_DIAG_PARAMETER_MISSING, a->source, 2,
                        has_kind ? "~DY: data of kind C is not documented and cannot be stored."
                                 : "~DY: the kind of data (A, B, C or P) is missing; nothing was stored."));
    struct pl_object object = {.kind = PL_OBJECT_FILE};
    const char *ext = extension_of(a->count > 2 ? a->item[2] : pl_slice_make(NULL, 0));
    zpl_arg_object(z, a, 0, "UNKNOWN", ext, &object.name);
    if (strcmp(ext, "GRF") == 0 && per_row > 0)
        return put_graphic(z, &p, raw, total, per_row, &object);
    object.bytes = p.data;
    if (!raw)
        PL_TRY(file_bytes(z, &p, total, &object.bytes));
    if (ext[0] == 'T' || pl_is_font_file(object.bytes))
        return put_font(z, a, &object, object.bytes);
    object.cost = object.bytes.len;
    return put(z, a, &object);
}
