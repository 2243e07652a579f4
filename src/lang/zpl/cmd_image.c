// Stored pictures: recalling, loading and saving them.
#include "lang/zpl/args.h"
#include "lang/zpl/imagefile.h"

// Decodes a stored file when it is first recalled; a logo on many labels costs once.
static enum pl_errc decode_once(struct zpl *z, const struct zpl_args *a, const struct pl_object *object,
                                const struct pl_bitmap **out)
{
    bool fresh;
    struct zpl_gf gf = {&z->img, z->diags, a->source};
    struct pl_img_kept *kept = pl_img_keep(&z->img, object->id, &fresh);
    if (!kept)
        return pl_fail_memory(z->err);
    if (fresh)
        PL_TRY(zpl_image_decode(&gf, object->bytes, &kept->bits, z->err));
    *out = kept->bits;
    return PL_OK;
}

// Finds an image by name and makes it ready to draw; false in *found: there is none (reported).
static enum pl_errc find_image(struct zpl *z, const struct zpl_args *a, const struct pl_object_name *name,
                               struct pl_image *out, bool *found)
{
    *found = false;
    char text[PL_OBJECT_NAME_TEXT_MAX];
    const struct pl_object *object = pl_store_lookup(z->store, name);
    // LOGO.GRF may have come as LOGO.PNG.
    static const char *const EXTENSIONS[] = {"GRF", "PNG", "BMP", "PCX"};
    struct pl_object_name tried = *name;
    for (size_t i = 0; !object && i < PL_COUNTOF(EXTENSIONS); i++) {
        memcpy(tried.ext, EXTENSIONS[i], 4);
        tried.ext_len = 3;
        object = pl_store_lookup(z->store, &tried);
    }
    if (!object)
        return PL_REPORTED(zpl_report_missing(z, a, 1, PL_DIAG_OBJECT_NOT_FOUND, "picture", name, ""));
    size_t len = pl_object_name_format(&object->name, text);
    char *copy = pl_arena_copy(z->arena, text, len + 1);
    if (!copy)
        return pl_fail_memory(z->err);
    *out = (struct pl_image){.mx = 1, .my = 1, .name = pl_slice_make(copy, len)};
    if (object->kind == PL_OBJECT_BITMAP)
        out->bits = object->data;
    else if (object->kind == PL_OBJECT_PICTURE)
        out->picture = object->data;
    else if (object->kind == PL_OBJECT_FILE)
        PL_TRY(decode_once(z, a, object, &out->bits));
    *found = out->bits || out->picture;
    if (!*found && object->kind != PL_OBJECT_FILE)
        pl_diag_add(z->diags, PL_DIAG_OBJECT_INVALID, a->source, 1, "%s: %s is not a picture that can be drawn.",
                    a->source.command, text);
    return PL_OK;
}

static enum pl_errc place_image(struct zpl *z, const struct zpl_args *a, const struct pl_image *image)
{
    PL_TRY(zpl_graphic_begin(z, a, ZPL_IMAGE, PL_ELEMENT_IMAGE));
    z->field.image = *image;
    return PL_OK;
}

// The image that the first parameter names.
static enum pl_errc named_image(struct zpl *z, const struct zpl_args *a, struct pl_image *image, bool *found)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "UNKNOWN", "GRF", &name);
    return find_image(z, a, &name, image, found);
}

enum pl_errc zpl_cmd_recall_graphic(struct zpl *z, const struct zpl_args *a)
{
    struct pl_image image;
    bool found;
    PL_TRY(named_image(z, a, &image, &found));
    if (!found)
        return PL_OK;
    // Out of range means 1, not the nearest.
    int32_t mx = 1, my = 1;
    zpl_arg_int_strict(z, a, 1, &mx);
    zpl_arg_int_strict(z, a, 2, &my);
    image.mx = (uint32_t)mx;
    image.my = (uint32_t)my;
    return place_image(z, a, &image);
}

enum pl_errc zpl_cmd_image_move(struct zpl *z, const struct zpl_args *a)
{
    struct pl_image image;
    bool found;
    PL_TRY(named_image(z, a, &image, &found));
    return found ? place_image(z, a, &image) : PL_OK;
}

// ^IL: at the label's corner, whatever ^FO and ^LH say.
enum pl_errc zpl_cmd_image_load(struct zpl *z, const struct zpl_args *a)
{
    struct pl_image image;
    bool found;
    PL_TRY(named_image(z, a, &image, &found));
    if (!found)
        return PL_OK;
    struct pl_element *e = pl_element_new(&z->labels, PL_ELEMENT_IMAGE, a->source, 0, 0);
    if (!e)
        return pl_fail_memory(z->err);
    e->image = image;
    return zpl_add_element(z, e, NULL);
}

enum pl_errc zpl_cmd_image_save(struct zpl *z, const struct zpl_args *a)
{
    if (!z->label.open)
        return PL_OK;
    PL_TRY(zpl_field_flush(z, a->source.offset));
    struct zpl_picture *p = PL_ARENA_NEW(z->arena, struct zpl_picture);
    if (!p)
        return pl_fail_memory(z->err);
    zpl_arg_object(z, a, 0, "UNKNOWN", "GRF", &p->name);
    if (!p->name.drive)
        p->name.drive = 'R';
    bool print = true;
    zpl_arg_flag(z, a, 1, &print);
    if (!print)
        z->label.suppressed = true;
    p->element_count = z->label.drawn.count;
    p->source = a->source;
    *z->label.pictures_tail = p;
    z->label.pictures_tail = &p->next;
    return PL_OK;
}
