// Commands of text: character sets, blocks, symbols, and the characters that begin and part commands.
#include "lang/zpl/args.h"

// What ^SE chose counts for the sets whose characters a table decides.
static void use_encoding(struct zpl_printer *pr)
{
    struct zpl_charset *c = &pr->charset;
    c->map = c->set == 14 || c->set == 24 || c->set == 26 ? pr->encoding_map : NULL;
    c->table = pr->encoding_table;
}

static bool splits_parameters(const struct zpl *z, uint8_t c)
{
    return (z->lex.classes[c] & ZPL_CLASS_SPLIT) != 0;
}

// Pairs "glyph, byte" from there on, more than a list of parameters holds. A pair with a bad number is left out.
static void read_remaps(const struct zpl *z, const struct zpl_args *a, size_t from, uint8_t map[256])
{
    int32_t glyph = -1;
    for (size_t i = from; i <= a->raw.len; i++) {
        if (i < a->raw.len && !splits_parameters(z, a->raw.ptr[i]))
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
}

enum pl_errc zpl_cmd_charset(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_printer *pr = &z->printer;
    int32_t set = pr->charset.set;
    zpl_arg_int_strict(z, a, 0, &set);
    pr->charset.set = (uint8_t)set;
    pr->charset.remap = set <= 13 ? pr->remaps[set] : NULL;
    use_encoding(pr);
    size_t at = 0;
    while (at < a->raw.len && !splits_parameters(z, a->raw.ptr[at]))
        at++;
    if (at >= a->raw.len)
        return PL_OK;
    if (set > 13)
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 2,
                                       "^CI: characters can be re-mapped in sets 0 to 13 only."));
    uint8_t *map = pl_arena_alloc(z->arena, 256, 1);
    if (!map)
        return pl_fail_memory(z->err);
    for (int i = 0; i < 256; i++)
        map[i] = pr->charset.remap ? pr->charset.remap[i] : (uint8_t)i;
    read_remaps(z, a, at + 1, map);
    pr->remaps[set] = map;
    pr->charset.remap = map;
    return PL_OK;
}

enum pl_errc zpl_cmd_encoding_table(struct zpl *z, const struct zpl_args *a)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "", "DAT", &name);
    struct zpl_printer *pr = &z->printer;
    const struct pl_object *object = pl_store_lookup(z->store, &name);
    if (!object) {
        const struct zpl_charset_info *table = zpl_charset_resident(name.name);
        if (table) {
            pr->encoding_name = name;
            pr->encoding_table = table;
            pr->encoding_map = NULL;
            pr->encoding_id = 0;
            use_encoding(pr);
            return PL_OK;
        }
        char text[PL_OBJECT_NAME_TEXT_MAX];
        pl_object_name_format(&name, text);
        pl_diag_add(z->diags, PL_DIAG_OBJECT_NOT_FOUND, a->source, 1, "^SE: there is no encoding table %s.", text);
        return PL_OK;
    }
    pr->encoding_name = object->name;
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
    pr->encoding_table = NULL;
    use_encoding(pr);
    return PL_OK;
}

enum pl_errc zpl_cmd_field_block(struct zpl *z, const struct zpl_args *a)
{
    zpl_field_touch(z, a);
    struct pl_block *b = &z->field.block;
    *b = (struct pl_block){.kind = PL_BLOCK_LINES, .max_lines = 1};
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
    *b = (struct pl_block){.kind = PL_BLOCK_BOX, .width = 1, .height = 1};
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

// A character may take over a role unless it is invisible or has one of the other two.
enum pl_errc zpl_cmd_change_role(struct zpl *z, const struct zpl_args *a)
{
    if (!zpl_lexer_take_role(&z->lex, (uint8_t)a->row->kind, a->raw))
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 1,
                    "%s: this character cannot be used here; nothing was changed.", a->source.command);
    return PL_OK;
}
