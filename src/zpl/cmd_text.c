// Commands of text: fonts, blocks, character sets, and the characters that begin and part commands.
#include "zpl/charset.h"
#include "zpl/cmd_table.h"

static int letter_index(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= '0' && c <= '9' ? 26 + c - '0' : -1;
}

char zpl_font_letter(const struct zpl *z, uint8_t c)
{
    if (c >= 'a' && c <= 'z')
        c = (uint8_t)(c - 32);
    (void)z;
    return letter_index((char)c) >= 0 ? (char)c : '\0';
}

const struct pl_font_file *zpl_font_of_letter(const struct zpl *z, char letter)
{
    int i = letter_index(letter);
    return i < 0 ? NULL : z->printer.font_of[i];
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

static bool is_resident(char letter)
{
    return (letter >= 'A' && letter <= 'H') || (letter >= 'P' && letter <= 'V') || letter == '0';
}

// For a named font that is not there font 0 stands in: nearly all are outlines, and cells would be far too wide.
char zpl_font_stand_in(const struct zpl *z, char letter)
{
    int i = letter_index(letter);
    return i >= 0 && z->printer.missing_of[i] && !is_resident(letter) ? '0' : letter;
}

enum pl_errc zpl_cmd_font(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    char letter = zpl_font_letter(z, (uint8_t)a->font);
    if (a->font && !letter)
        pl_diag_add(z->diags, PL_DIAG_FONT_NOT_FOUND, a->source, 0,
                    "%s: fonts have the names A to Z and 0 to 9; the default font was used.", a->source.command);
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
        if (s.ptr[0] >= '0' && s.ptr[0] <= '9') {
            items[0] = pl_slice_make(NULL, 0);
            items[1] = a->item[0];
            items[2] = a->count > 1 ? a->item[1] : items[0];
            glued.item = items;
            glued.count = 3;
        } else {
            f->has_rotation = zpl_arg_rotation(z, a, 0, &f->rotation);
            // ^A0N48,40: the same behind the letter.
            if (f->has_rotation && s.len > 1 && s.ptr[1] >= '0' && s.ptr[1] <= '9' && !zpl_arg_given(a, 2)) {
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
    if (f->block.kind == PL_BLOCK_TB)
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
    if (!object) {
        zpl_report_missing(z, a, parameter, PL_DIAG_FONT_NOT_FOUND, "font", name, then);
        return PL_OK;
    }
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
        const char *then = z->printer.last_named_font ? "; the font named before is used" : "; font 0 stands in for it";
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
        char letter = zpl_font_letter(z, s.ptr[0]);
        pr->cf_letter = letter ? letter : 'A';
        if (!letter)
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 1,
                        "^CF: fonts have the names A to Z and 0 to 9; font A was used.");
    }
    int32_t h = 0, w = 0;
    bool has_h = zpl_arg_int(z, a, 1, &h), has_w = zpl_arg_int(z, a, 2, &w);
    // One alone: the other follows it. None: a bitmap font goes back to its own size, a scalable one keeps what it has.
    if (has_h || has_w) {
        pr->cf_height = h;
        pr->cf_width = w;
    } else if (is_resident(pr->cf_letter) && pr->cf_letter != '0') {
        pr->cf_height = pr->cf_width = 0;
    }
    pr->last_height = pr->cf_height;
    pr->last_width = pr->cf_width;
    return PL_OK;
}

enum pl_errc zpl_cmd_font_letter(struct zpl *z, const struct zpl_args *a)
{
    char letter = zpl_arg_given(a, 0) ? zpl_font_letter(z, pl_slice_trim(a->item[0]).ptr[0]) : '\0';
    if (!letter) {
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^CW: the font's letter is missing.");
        return PL_OK;
    }
    struct pl_object_name name;
    zpl_arg_object(z, a, 1, "UNKNOWN", "FNT", &name);
    int i = letter_index(letter);
    const char *then = is_resident(letter) ? "; the printer's own font is used" : "; font 0 stands in for it";
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
    if (!zpl_arg_object(z, a, 0, "UNKNOWN", "TTF", &name)) {
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^FL: the font to link is missing.");
        return PL_OK;
    }
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
    if (n == ZPL_MAX_LINK_RULES) {
        pl_diag_add(z->diags, PL_DIAG_LIMIT_REACHED, a->source, 0, "^FL: more than %d links; this one was left out.",
                    ZPL_MAX_LINK_RULES);
        return PL_OK;
    }
    list[n++] = link;
    pr->links = list;
    pr->link_count = n;
    return PL_OK;
}

enum pl_errc zpl_link_fonts(struct zpl *z, const struct pl_object_name *missing, struct pl_font_ref *font)
{
    const struct zpl_printer *pr = &z->printer;
    if (pr->link_count == 0)
        return PL_OK;
    // Resident fonts are objects of drive Z:.
    struct pl_object_name name = {
        .drive = 'Z', .name = {font->letter, '\0'}, .name_len = 1, .ext = "FNT", .ext_len = 3};
    if (font->file)
        pl_object_name_parse(font->file->name, "", "", &name);
    const struct pl_font_file *found[ZPL_MAX_LINKS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < pr->link_count; i++) {
        const struct zpl_link *link = &pr->links[i];
        if (!pl_object_name_matches(&link->base, &name) && !(missing && pl_object_name_matches(&link->base, missing)))
            continue;
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n; k++) {
            if (found[k]->id != link->file->id)
                found[kept++] = found[k];
        }
        n = kept;
        if (link->linked && n < ZPL_MAX_LINKS)
            found[n++] = link->file;
    }
    if (n == 0)
        return PL_OK;
    font->linked = pl_arena_copy(z->arena, found, n * sizeof(found[0]));
    if (!font->linked)
        return pl_fail_memory(z->err);
    font->linked_count = n;
    return PL_OK;
}

enum pl_errc zpl_cmd_charset(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_printer *pr = &z->printer;
    int32_t set = pr->charset.set;
    zpl_arg_int_strict(z, a, 0, &set);
    pr->charset.set = (uint8_t)set;
    pr->charset.remap = set <= 13 ? pr->remaps[set] : NULL;
    pr->charset.map = set == 14 ? pr->encoding_map : NULL;
    // Pairs "glyph, byte" follow, more than a list of parameters holds.
    size_t at = 0;
    while (at < a->raw.len && !(z->lex.classes[a->raw.ptr[at]] & ZPL_CLASS_SPLIT))
        at++;
    if (at >= a->raw.len)
        return PL_OK;
    if (set > 13) {
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 2,
                    "^CI: characters can be re-mapped in sets 0 to 13 only.");
        return PL_OK;
    }
    uint8_t *map = pl_arena_alloc(z->arena, 256, 1);
    if (!map)
        return pl_fail_memory(z->err);
    for (int i = 0; i < 256; i++)
        map[i] = pr->charset.remap ? pr->charset.remap[i] : (uint8_t)i;
    int32_t glyph = -1;
    size_t from = at + 1;
    for (size_t i = from; i <= a->raw.len; i++) {
        if (i < a->raw.len && !(z->lex.classes[a->raw.ptr[i]] & ZPL_CLASS_SPLIT))
            continue;
        int64_t v;
        bool clean;
        int32_t value = -1;
        if (zpl_parse_number(pl_slice_sub(a->raw, from, i - from), &v, &clean) && v >= 0 && v <= 2550000)
            value = (int32_t)(v / 10000);
        from = i + 1;
        if (glyph < 0) {
            glyph = value < 0 ? 0x100 : value;
        } else {
            if (glyph < 0x100 && value >= 0)
                map[value] = (uint8_t)glyph;
            glyph = -1;
        }
    }
    pr->remaps[set] = map;
    pr->charset.remap = map;
    return PL_OK;
}

enum pl_errc zpl_cmd_encoding_table(struct zpl *z, const struct zpl_args *a)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "", "DAT", &name);
    const struct pl_object *object = pl_store_lookup(z->store, &name);
    if (!object) {
        char text[PL_OBJECT_NAME_TEXT_MAX];
        pl_object_name_format(&name, text);
        pl_diag_add(z->diags, PL_DIAG_OBJECT_NOT_FOUND, a->source, 1, "^SE: there is no encoding table %s.", text);
        return PL_OK;
    }
    struct zpl_printer *pr = &z->printer;
    if (pr->encoding_id != object->id) {
        // Pairs of two bytes: the character in Unicode, then its code.
        uint16_t *map = pl_arena_zalloc(z->arena, 65536 * sizeof(*map), _Alignof(uint16_t));
        if (!map)
            return pl_fail_memory(z->err);
        const uint8_t *b = object->bytes.ptr;
        for (size_t i = 0; i + 3 < object->bytes.len; i += 4)
            map[b[i + 2] << 8 | b[i + 3]] = (uint16_t)(b[i] << 8 | b[i + 1]);
        pr->encoding_map = map;
        pr->encoding_id = object->id;
    }
    if (pr->charset.set == 14)
        pr->charset.map = pr->encoding_map;
    return PL_OK;
}

enum pl_errc zpl_cmd_field_block(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct pl_block *b = &z->field.block;
    *b = (struct pl_block){.kind = PL_BLOCK_FB, .max_lines = 1};
    zpl_arg_int(z, a, 0, &b->width);
    zpl_arg_int(z, a, 1, &b->max_lines);
    zpl_arg_int(z, a, 2, &b->spacing);
    char c = 'L';
    zpl_arg_choice(z, a, 3, &c);
    b->align = c == 'C' ? PL_ALIGN_CENTER : c == 'R' ? PL_ALIGN_RIGHT : c == 'J' ? PL_ALIGN_JUSTIFY : PL_ALIGN_LEFT;
    zpl_arg_int(z, a, 4, &b->indent);
    b->indent = PL_MAX(b->indent, 0);
    // ^FB after ^GS is ordinary text of the same size (measured on a printer).
    if (z->field.symbols) {
        z->field.symbols = false;
        z->field.letter = z->printer.cf_letter;
        z->field.file = zpl_font_of_letter(z, z->field.letter);
    }
    return PL_OK;
}

enum pl_errc zpl_cmd_text_block(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct pl_block *b = &z->field.block;
    *b = (struct pl_block){.kind = PL_BLOCK_TB, .width = 1, .height = 1};
    z->field.block_has_rotation = zpl_arg_rotation(z, a, 0, &z->field.block_rotation);
    zpl_arg_int(z, a, 1, &b->width);
    zpl_arg_int(z, a, 2, &b->height);
    return PL_OK;
}

enum pl_errc zpl_cmd_graphic_symbol(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    f->has_rotation = zpl_arg_rotation(z, a, 0, &f->rotation);
    f->height = f->width = 0;
    zpl_arg_int(z, a, 1, &f->height);
    zpl_arg_int(z, a, 2, &f->width);
    // Without a size of its own the symbol takes the size that was last used, by ^A or ^CF.
    if (f->height == 0 && f->width == 0) {
        f->height = z->printer.last_height;
        f->width = z->printer.last_width;
    }
    f->has_font = true;
    f->file = NULL;
    f->letter = '$';
    f->symbols = true;
    f->has_barcode = false;
    memcpy(f->command, a->source.command, sizeof(f->command));
    return PL_OK;
}

enum pl_errc zpl_cmd_advanced_text(struct zpl *z, const struct zpl_args *a)
{
    zpl_arg_flag(z, a, 0, &z->printer.default_glyph);
    zpl_arg_flag(z, a, 1, &z->printer.bidi);
    zpl_arg_flag(z, a, 2, &z->printer.shaping);
    zpl_arg_flag(z, a, 3, &z->printer.opentype);
    return PL_OK;
}

// A character may take over a role unless it is invisible or has one of the other two.
static uint8_t new_role(struct zpl *z, const struct zpl_args *a, uint8_t other, uint8_t another)
{
    uint8_t c = a->raw.len > 0 ? a->raw.ptr[0] : 0;
    if (c > ' ' && c < 0x7F && c != other && c != another)
        return c;
    pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 1,
                "%s: this character cannot be used here; nothing was changed.", a->source.command);
    // The byte belongs to what follows.
    z->lex.pos -= a->raw.len;
    return 0;
}

enum pl_errc zpl_cmd_change_caret(struct zpl *z, const struct zpl_args *a)
{
    zpl_lexer_prefixes(&z->lex, new_role(z, a, z->lex.tilde, z->lex.comma), 0, 0);
    return PL_OK;
}

enum pl_errc zpl_cmd_change_tilde(struct zpl *z, const struct zpl_args *a)
{
    zpl_lexer_prefixes(&z->lex, 0, new_role(z, a, z->lex.caret, z->lex.comma), 0);
    return PL_OK;
}

enum pl_errc zpl_cmd_change_comma(struct zpl *z, const struct zpl_args *a)
{
    zpl_lexer_prefixes(&z->lex, 0, 0, new_role(z, a, z->lex.caret, z->lex.tilde));
    return PL_OK;
}
