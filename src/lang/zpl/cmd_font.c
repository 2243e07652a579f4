// Commands that choose fonts: by letter or name, the default, letters for files, links to other fonts.
#include "lang/zpl/args.h"

// A font's letter in upper case; '\0' when it is none.
static char font_letter(uint8_t c)
{
    if (pl_is_lower(c))
        c = (uint8_t)(c - 32);
    return zpl_letter_index((char)c) >= 0 ? (char)c : '\0';
}

// Sizes of ^A and ^GS: both missing or 0 mean those of ^CF; one missing follows the other.
static void set_size(struct zpl *z, const struct zpl_args *a, unsigned first)
{
    struct zpl_field *f = &z->field;
    f->height = f->width = 0;
    zpl_arg_int(z, a, first, &f->height);
    zpl_arg_int(z, a, first + 1, &f->width);
    if (f->height == 0 && f->width == 0) {
        f->height = z->printer.cf_height;
        f->width = z->printer.cf_width;
    }
    z->printer.last_height = f->height;
    z->printer.last_width = f->width;
}

// Is there a font of this letter: one of the printer's own, or one that ^CW named?
static bool has_font(const struct zpl *z, char letter)
{
    int i = zpl_letter_index(letter);
    return zpl_is_resident(letter) || (i >= 0 && (z->printer.font_of[i] || z->printer.missing_of[i]));
}

enum pl_errc zpl_cmd_font(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    char letter = font_letter((uint8_t)a->font);
    if (a->font && !letter)
        pl_diag_add(z->diags, PL_DIAG_FONT_NOT_FOUND, a->source, 0,
                    "%s: fonts have the names A to Z and 0 to 9; the default font was used.", a->source.command);
    // Printer and reference draw a letter without a font in the font of ^CF.
    if (letter && !has_font(z, letter)) {
        pl_diag_add(z->diags, PL_DIAG_FONT_NOT_FOUND, a->source, 0, "%s: there is no font %c; font %c of ^CF was used.",
                    a->source.command, letter, z->printer.cf_letter);
        letter = '\0';
    }
    f->has_font = true;
    f->letter = letter ? letter : z->printer.cf_letter;
    f->file = zpl_font_of_letter(z, f->letter);
    f->letter = zpl_font_stand_in(z, f->letter);
    f->missing_font = NULL;
    // ^A048,40: without a letter for the turn, digits there are the height.
    struct zpl_args glued = *a;
    struct pl_slice items[3];
    f->has_rotation = false;
    if (zpl_arg_given(a, 0)) {
        struct pl_slice s = pl_slice_trim(a->item[0]);
        if (pl_is_digit(s.ptr[0])) {
            items[0] = pl_slice_make(NULL, 0);
            items[1] = a->item[0];
            items[2] = a->count > 1 ? a->item[1] : items[0];
            glued.item = items;
            glued.count = 3;
        } else {
            f->has_rotation = zpl_arg_rotation(z, a, 0, &f->rotation);
            // ^A0N48,40: the same behind the letter.
            if (f->has_rotation && s.len > 1 && pl_is_digit(s.ptr[1]) && !zpl_arg_given(a, 2)) {
                items[0] = a->item[0];
                items[1] = pl_slice_sub(s, 1, s.len);
                items[2] = a->count > 1 ? a->item[1] : pl_slice_make(NULL, 0);
                glued.item = items;
                glued.count = 3;
            }
        }
    }
    set_size(z, &glued, 1);
    f->symbols = false;
    // ^A after ^TB cancels the block (measured on a printer).
    if (f->block.kind == PL_BLOCK_BOX)
        f->block.kind = PL_BLOCK_NONE;
    if (!f->has_barcode)
        memcpy(f->command, a->source.command, sizeof(f->command));
    return PL_OK;
}

static enum pl_errc font_file(struct zpl *z, const struct zpl_args *a, unsigned parameter,
                              const struct pl_object_name *name, const char *then, const struct pl_font_file **out)
{
    *out = NULL;
    // .FNT and .TTF of one name are the same font to those who write labels.
    static const char *const EXTENSIONS[] = {"", "TTF", "FNT", "TTE", "OTF", "DAT"};
    const struct pl_object *object = NULL;
    struct pl_object_name tried = *name;
    for (size_t i = 0; !object && i < PL_COUNTOF(EXTENSIONS); i++) {
        if (i > 0) {
            tried.ext_len = (uint8_t)strlen(EXTENSIONS[i]);
            memcpy(tried.ext, EXTENSIONS[i], tried.ext_len + 1u);
        }
        object = pl_store_lookup(z->store, &tried);
        if (object && object->kind != PL_OBJECT_FONT)
            object = NULL;
    }
    if (!object)
        return PL_REPORTED(zpl_report_missing(z, a, parameter, PL_DIAG_FONT_NOT_FOUND, "font", name, then));
    struct pl_font_file *file = PL_ARENA_NEW(z->arena, struct pl_font_file);
    if (!file)
        return pl_fail_memory(z->err);
    char text[PL_OBJECT_NAME_TEXT_MAX];
    size_t len = pl_object_name_format(&object->name, text);
    char *copy = pl_arena_copy(z->arena, text, len + 1);
    if (!copy)
        return pl_fail_memory(z->err);
    file->kind = object->bitmap_font ? PL_FONT_FILE_BITMAP : PL_FONT_FILE_OUTLINE;
    file->id = object->id;
    file->name = pl_slice_make(copy, len);
    file->bytes = object->bytes;
    *out = file;
    return PL_OK;
}

enum pl_errc zpl_cmd_font_by_name(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    f->has_font = true;
    f->has_rotation = zpl_arg_rotation(z, a, 0, &f->rotation);
    set_size(z, a, 1);
    struct pl_object_name name;
    if (zpl_arg_object(z, a, 3, "UNKNOWN", "FNT", &name)) {
        const struct pl_font_file *file;
        const char *then = z->printer.last_named_font ? "; the font named before is used" : "; font 0 is used instead";
        PL_TRY(font_file(z, a, 4, &name, then, &file));
        if (file)
            z->printer.last_named_font = file;
        z->printer.named_missing = !file;
        f->missing_font = NULL;
        if (!file && !(f->missing_font = pl_arena_copy(z->arena, &name, sizeof(name))))
            return pl_fail_memory(z->err);
    }
    f->letter = z->printer.cf_letter;
    f->file = z->printer.last_named_font;
    if (!f->file)
        f->file = zpl_font_of_letter(z, f->letter);
    if (!f->file && z->printer.named_missing)
        f->letter = '0';
    f->symbols = false;
    if (!f->has_barcode)
        memcpy(f->command, a->source.command, sizeof(f->command));
    return PL_OK;
}

enum pl_errc zpl_cmd_default_font(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_printer *pr = &z->printer;
    if (zpl_arg_given(a, 0)) {
        struct pl_slice s = pl_slice_trim(a->item[0]);
        char letter = font_letter(s.ptr[0]);
        bool there = letter && has_font(z, letter);
        pr->cf_letter = there ? letter : 'A';
        if (!letter)
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 1,
                        "^CF: fonts have the names A to Z and 0 to 9; font A was used.");
        else if (!there)
            pl_diag_add(z->diags, PL_DIAG_FONT_NOT_FOUND, a->source, 1, "^CF: there is no font %c; font A was used.",
                        letter);
    }
    int32_t h = 0, w = 0;
    bool has_h = zpl_arg_int(z, a, 1, &h), has_w = zpl_arg_int(z, a, 2, &w);
    // One alone: the other follows it. None: a bitmap font goes back to its own size, a scalable one keeps what it has.
    if (has_h || has_w) {
        pr->cf_height = h;
        pr->cf_width = w;
    } else if (zpl_is_resident(pr->cf_letter) && pr->cf_letter != '0') {
        pr->cf_height = pr->cf_width = 0;
    }
    pr->last_height = pr->cf_height;
    pr->last_width = pr->cf_width;
    return PL_OK;
}

enum pl_errc zpl_cmd_font_letter(struct zpl *z, const struct zpl_args *a)
{
    char letter = zpl_arg_given(a, 0) ? font_letter(pl_slice_trim(a->item[0]).ptr[0]) : '\0';
    if (!letter)
        return PL_REPORTED(
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^CW: the font's letter is missing."));
    struct pl_object_name name;
    zpl_arg_object(z, a, 1, "UNKNOWN", "FNT", &name);
    int i = zpl_letter_index(letter);
    const char *then = zpl_is_resident(letter) ? "; the printer's own font is used" : "; font 0 is used instead";
    PL_TRY(font_file(z, a, 2, &name, then, &z->printer.font_of[i]));
    z->printer.missing_of[i] = !z->printer.font_of[i];
    return PL_OK;
}

// ^FL extension,base,link: the font to look in for characters that the base fonts lack.
enum pl_errc zpl_cmd_font_link(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_printer *pr = &z->printer;
    struct pl_object_name name;
    struct zpl_link link = {.linked = true};
    if (!zpl_arg_object(z, a, 0, "UNKNOWN", "TTF", &name))
        return PL_REPORTED(
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^FL: the font to link is missing."));
    // Without a base every font is meant.
    zpl_arg_object(z, a, 1, "*", "*", &link.base);
    char c = '1';
    zpl_arg_choice(z, a, 2, &c);
    link.linked = c == '1';
    PL_TRY(font_file(z, a, 1, &name, "", &link.file));
    if (!link.file)
        return PL_OK;
    // A new list each time, for fields that wait for ^XZ. What says the same of the same fonts goes.
    struct zpl_link *list = PL_ARENA_ARRAY(z->arena, struct zpl_link, (size_t)pr->link_count + 1);
    if (!list)
        return pl_fail_memory(z->err);
    uint32_t n = 0;
    for (uint32_t i = 0; i < pr->link_count; i++) {
        const struct zpl_link *old = &pr->links[i];
        if (old->file->id != link.file->id || memcmp(&old->base, &link.base, sizeof(link.base)) != 0)
            list[n++] = *old;
    }
    if (n == ZPL_MAX_LINK_RULES)
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_LIMIT_REACHED, a->source, 0,
                                       "^FL: more than %d links; this one was left out.", ZPL_MAX_LINK_RULES));
    list[n++] = link;
    pr->links = list;
    pr->link_count = n;
    return PL_OK;
}
