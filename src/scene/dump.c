// Text dump of a scene: one line per label and element, only what differs from the usual, stable across versions.
#include "base/buf.h"
#include "base/ckd.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "scene/scene.h"

static void dump_bytes(struct pl_buf *out, struct pl_slice s)
{
    pl_buf_append_byte(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        uint8_t c = s.ptr[i];
        if (c == '"' || c == '\\')
            pl_buf_printf(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7F)
            pl_buf_printf(out, "\\x%02X", c);
        else
            pl_buf_append_byte(out, c);
    }
    pl_buf_append_byte(out, '"');
}

static void dump_chars(struct pl_buf *out, const uint32_t *chars, uint32_t length)
{
    pl_buf_append_byte(out, '"');
    for (uint32_t i = 0; i < length; i++) {
        uint32_t c = chars[i];
        uint8_t bytes[4];
        if (c == '"' || c == '\\')
            pl_buf_printf(out, "\\%c", (int)c);
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0xFFFD)
            pl_buf_printf(out, "\\u%04X", c);
        else
            pl_buf_append(out, bytes, pl_utf8_put(c, bytes));
    }
    pl_buf_append_byte(out, '"');
}

static void number(struct pl_buf *out, const char *name, int32_t value, int32_t usual)
{
    if (value != usual)
        pl_buf_printf(out, " %s=%d", name, value);
}

static void flag(struct pl_buf *out, const char *name, bool value)
{
    if (value)
        pl_buf_printf(out, " %s", name);
}

static void letter(struct pl_buf *out, const char *name, char value)
{
    if (value)
        pl_buf_printf(out, " %s=%c", name, value);
}

static void dump_font(struct pl_buf *out, const struct pl_font_ref *font)
{
    pl_buf_printf(out, " font=%c", font->resident);
    if (font->file) {
        pl_buf_append_byte(out, '(');
        pl_buf_append_slice(out, font->file->name);
        pl_buf_printf(out, "%s %zu)", font->file->kind == PL_FONT_FILE_BITMAP ? " bitmap" : "", font->file->bytes.len);
    }
    pl_buf_printf(out, " size=%dx%d", font->height, font->width);
    for (uint32_t i = 0; i < font->linked_count; i++) {
        pl_buf_append_cstr(out, i ? "," : " linked=");
        pl_buf_append_slice(out, font->linked[i]->name);
    }
}

static void dump_text(struct pl_buf *out, const struct pl_text *t)
{
    dump_font(out, &t->font);
    const struct pl_block *b = &t->block;
    if (b->kind == PL_BLOCK_LINES)
        pl_buf_printf(out, " block=%d,%d,%d,%c,%d", b->width, b->max_lines, b->spacing, "LCRJ"[b->align], b -> indent);
    else if (b->kind == PL_BLOCK_BOX)
        pl_buf_printf(out, " textblock=%dx%d", b->width, b->height);
    flag(out, "drops-rest", b->drops_rest);
    if (t->direction != PL_DIR_HORIZONTAL)
        pl_buf_printf(out, " direction=%c", t->direction == PL_DIR_VERTICAL ? 'V' : 'R');
    number(out, "gap", t->gap, 0);
    flag(out, "default-glyph", t->default_glyph);
    flag(out, "no-bidi", t->no_bidi);
    flag(out, "no-shaping", t->no_shaping);
    flag(out, "plain-zeros", t->plain_zeros);
    flag(out, "shows-cents", t->shows_cents);
    flag(out, "underline", t->underline);
    number(out, "bold", t->bold, 0);
    number(out, "fit", t->fit_width, 0);
    for (uint32_t i = 0; i < t->choice_count; i++)
        dump_font(out, &t->choices[i]);
    pl_buf_append_byte(out, ' ');
    dump_chars(out, t->chars, t->length);
}

static bool is_mark(uint32_t code)
{
    return pl_mark_kind(code) != 0;
}

static void dump_segments(struct pl_buf *out, const struct pl_qr_segment *segments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pl_buf_printf(out, " segment:%c%s=", "NABK"[segments[i].mode], segments[i].automatic ? "*" : "");
        dump_bytes(out, segments[i].data);
    }
}

// Marks and codes above 255 as {kind number}.
static void dump_codes(struct pl_buf *out, const struct pl_content *c)
{
    static const char *const KINDS[] = {"", "fnc1", "eci", "append", "reader", "shift"};
    pl_buf_append_cstr(out, " content=");
    for (size_t i = 0; i < c->count;) {
        uint8_t run[64];
        size_t n = 0;
        while (i < c->count && n < sizeof run && !is_mark(c->codes[i]))
            run[n++] = (uint8_t)c->codes[i++];
        if (n)
            dump_bytes(out, pl_slice_make(run, n));
        if (i < c->count && is_mark(c->codes[i])) {
            uint32_t code = c->codes[i++], kind = code >> 24;
            pl_buf_printf(out, "{%s %u}", kind < PL_COUNTOF(KINDS) ? KINDS[kind] : "?", pl_mark_number(code));
        }
    }
}

// What the symbol holds, where that is not just the data.
static void dump_content(struct pl_buf *out, const struct pl_barcode *b)
{
    const struct pl_content *c = &b->content;
    if (c->codes && b->symbology == PL_SYM_CODE128 && b->code128.rule == PL_CODE128_VALUES) {
        for (size_t i = 0; i < c->count; i++)
            pl_buf_printf(out, "%s%u", i ? "," : " values=", c->codes[i]);
    } else if (c->codes) {
        dump_codes(out, c);
    } else if (c->bytes.ptr != b->data.ptr || c->bytes.len != b->data.len) {
        pl_buf_append_cstr(out, " content=");
        dump_bytes(out, c->bytes);
    }
    if (b->symbology == PL_SYM_QR)
        dump_segments(out, b->qr.segments, b->qr.segment_count);
    if (b->symbology == PL_SYM_MAXICODE && b->maxicode.address)
        pl_buf_printf(out, " address=%s,%s,%s", b->maxicode.address->postcode, b->maxicode.address->country,
                      b->maxicode.address->service);
    struct pl_slice second = b->symbology == PL_SYM_DATABAR ? b->databar.composite
                             : b->symbology == PL_SYM_TLC39 ? b->tlc39.second
                                                            : (struct pl_slice){0};
    if (second.len) {
        pl_buf_append_cstr(out, " second=");
        dump_bytes(out, second);
    }
    if (b->caption.ptr) {
        pl_buf_append_cstr(out, " caption=");
        dump_bytes(out, b->caption);
    }
    flag(out, "findings", b->finding_count > 0);
}

static void dump_append(struct pl_buf *out, int32_t index, int32_t count)
{
    number(out, "append-index", index, -1);
    number(out, "append-count", count, -1);
}

static void dump_columns_and_rows(struct pl_buf *out, int32_t columns, int32_t rows)
{
    number(out, "columns", columns, -1);
    number(out, "rows", rows, -1);
}

// Options of the symbology alone.
static void dump_options(struct pl_buf *out, const struct pl_barcode *b)
{
    switch (b->symbology) {
    case PL_SYM_AZTEC:
        number(out, "magnification", b->aztec.magnification, -1);
        number(out, "append-count", b->aztec.append_count, -1);
        if (b->aztec.append_id.len > 0) {
            pl_buf_append_cstr(out, " append-id=");
            dump_bytes(out, b->aztec.append_id);
        }
        number(out, "percent", (int32_t)b->aztec.percent, 0);
        number(out, "layers", (int32_t)b->aztec.layers, 0);
        flag(out, "compact", b->aztec.compact);
        flag(out, "rune", b->aztec.rune);
        flag(out, "reader-init", b->aztec.reader_init);
        break;
    case PL_SYM_CODABLOCK:
        letter(out, "variant", b->codablock.variant);
        flag(out, "block-checks", b->codablock.checks);
        dump_columns_and_rows(out, b->codablock.columns, b->codablock.rows);
        break;
    case PL_SYM_CODABAR:
        letter(out, "start", b->codabar.start);
        letter(out, "stop", b->codabar.stop);
        break;
    case PL_SYM_CODE49:
        number(out, "start-mode", b->code49.start_mode, -1);
        break;
    case PL_SYM_CODE128:
        number(out, "code128-rule", (int32_t)b->code128.rule, PL_CODE128_AUTOMATIC);
        break;
    case PL_SYM_DATABAR:
        number(out, "databar-form", b->databar.form, -1);
        number(out, "separator", b->databar.separator, -1);
        number(out, "segments-per-row", b->databar.segments_per_row, -1);
        number(out, "magnification", b->databar.magnification, -1);
        break;
    case PL_SYM_DATAMATRIX:
        dump_columns_and_rows(out, b->datamatrix.columns, b->datamatrix.rows);
        number(out, "quality", b->datamatrix.quality, -1);
        number(out, "format", b->datamatrix.format, -1);
        flag(out, "rectangular", b->datamatrix.rectangular);
        break;
    case PL_SYM_MAXICODE:
        number(out, "message-mode", b->maxicode.mode, -1);
        dump_append(out, b->maxicode.append_index, b->maxicode.append_count);
        break;
    case PL_SYM_MICROPDF417:
        number(out, "size-number", b->micropdf417.size_number, -1);
        number(out, "columns", b->micropdf417.columns, -1);
        break;
    case PL_SYM_MSI:
        flag(out, "check-in-text", b->msi.check_in_text);
        number(out, "msi-checks", (int32_t)b->msi.checks, PL_MSI_MOD10);
        break;
    case PL_SYM_PDF417:
        number(out, "security", b->pdf417.security, -1);
        dump_columns_and_rows(out, b->pdf417.columns, b->pdf417.rows);
        flag(out, "truncated", b->pdf417.truncated);
        if (b->pdf417.fit.least_module)
            pl_buf_printf(out, " fit=%dx%d,%dx%d,%d", b->pdf417.fit.width, b->pdf417.fit.height, b->pdf417.fit.columns,
                          b->pdf417.fit.rows, b->pdf417.fit.least_module);
        break;
    case PL_SYM_POSTAL:
        number(out, "postal-kind", (int32_t)b->postal.kind, PL_POSTAL_POSTNET);
        break;
    case PL_SYM_QR:
        number(out, "magnification", b->qr.magnification, -1);
        letter(out, "error-level", b->qr.error_level);
        flag(out, "model1", b->qr.model1);
        number(out, "mask", b->qr.mask, -1);
        flag(out, "mode-declared", b->qr.mode_declared);
        dump_append(out, b->qr.append_index, b->qr.append_count);
        number(out, "append-parity", b->qr.append_parity, 0);
        break;
    case PL_SYM_TLC39:
        number(out, "narrow", b->tlc39.narrow, -1);
        number(out, "narrow-ratio-tenths", b->tlc39.ratio_tenths, -1);
        number(out, "micro-module", b->tlc39.micro_module, -1);
        number(out, "micro-height", b->tlc39.micro_height, -1);
        break;
    default:
        break;
    }
}

static void dump_barcode(struct pl_buf *out, const struct pl_barcode *b)
{
    pl_buf_printf(out, " %s module=%u ratio=%u.%u default-height=%u", pl_symbology_name(b->symbology), b->module,
                  b->ratio_tenths / 10, b->ratio_tenths % 10, b->default_height);
    number(out, "wide", (int32_t)b->wide, 0);
    number(out, "height", b->height, -1);
    flag(out, "text", b->text);
    flag(out, "above", b->text_above);
    number(out, "text-place", (int32_t)b->text_place, PL_CAPTION_CENTRED);
    number(out, "text-gap", b->text_gap, 0);
    flag(out, "plain-caption", b->plain_caption);
    flag(out, "check", b->check);
    dump_options(out, b);
    if (b->has_text_font) {
        pl_buf_append_cstr(out, " line:");
        dump_font(out, &b->text_font);
    }
    flag(out, "validate", b->validate);
    for (uint32_t i = 0; i < b->position_count; i++)
        pl_buf_printf(out, "%s%d,%d", i ? ";" : " origins=", b->positions[i][0], b->positions[i][1]);
    dump_content(out, b);
    pl_buf_append_byte(out, ' ');
    dump_bytes(out, b->data);
}

static void dump_shape(struct pl_buf *out, const struct pl_shape *s)
{
    pl_buf_printf(out, " %dx%d thickness=%d", s->width, s->height, s->thickness);
    flag(out, "white", s->white);
    number(out, "rounding", s->rounding, 0);
    number(out, "radius", s->radius, 0);
    flag(out, "leans-left", s->leans_left);
    flag(out, "stroke", s->stroke);
    flag(out, "circle", s->circle);
}

// A bitmap by its size and a hash of its dots; small ones in full.
static void dump_bitmap(struct pl_buf *out, const struct pl_bitmap *bm)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < (size_t)bm->stride * bm->height; i++)
        hash = pl_hash_mix(hash ^ bm->words[i], i + 1);
    pl_buf_printf(out, " %ux%u bits=%016llx", bm->width, bm->height, (unsigned long long)hash);
    if (bm->width > 32 || bm->height > 16)
        return;
    for (uint32_t y = 0; y < bm->height; y++)
        pl_buf_printf(out, "%s%0*llx", y ? "/" : " rows=", (int)((bm->width + 3) / 4),
                      (unsigned long long)(*pl_bitmap_row(bm, y) >> (64 - (bm->width + 3) / 4 * 4)));
}

static void dump_image(struct pl_buf *out, const struct pl_scene *scene, const struct pl_image *image)
{
    if (image->name.len > 0) {
        pl_buf_append_byte(out, ' ');
        pl_buf_append_slice(out, image->name);
    }
    if (image->mx != 1 || image->my != 1)
        pl_buf_printf(out, " magnified=%ux%u", image->mx, image->my);
    if (image->bits)
        dump_bitmap(out, image->bits);
    for (uint32_t i = 0; image->picture && i < scene->picture_count; i++) {
        if (scene->pictures[i] == image->picture)
            pl_buf_printf(out, " picture=%u", i);
    }
}

static void dump_element(struct pl_buf *out, const struct pl_scene *scene, const struct pl_element *e)
{
    static const char *const KINDS[] = {"text", "barcode", "box", "ellipse", "diagonal", "image"};
    pl_buf_printf(out, "  %s", KINDS[e->kind]);
    pl_buf_printf(out, " %s@%u+%u", e->source.command, e->source.offset, e->source.length);
    if (e->data_length)
        pl_buf_printf(out, " data@%u+%u", e->data_offset, e->data_length);
    pl_buf_append_cstr(out, e->at.typeset ? " FT " : " FO ");
    if (e->at.x_goes_on)
        pl_buf_append_byte(out, '>');
    pl_buf_printf(out, "%d,", e->at.x);
    if (e->at.y_goes_on)
        pl_buf_append_byte(out, '>');
    pl_buf_printf(out, "%d", e->at.y);
    static const char *const JUSTIFY[] = {"", " right", " auto", " center"};
    pl_buf_append_cstr(out, JUSTIFY[e->at.justify]);
    flag(out, "pivot", e->at.pivot);
    flag(out, "middle", e->at.middle);
    if (e->kind == PL_ELEMENT_TEXT || e->kind == PL_ELEMENT_BARCODE)
        pl_buf_printf(out, " %c", "NRIB"[e->rotation]);
    flag(out, "reverse", e->reverse);
    flag(out, "replaces", e->replaces);
    flag(out, "variable", e->variable);
    switch (e->kind) {
    case PL_ELEMENT_TEXT:
        dump_text(out, &e->text);
        break;
    case PL_ELEMENT_BARCODE:
        dump_barcode(out, &e->barcode);
        break;
    case PL_ELEMENT_BOX:
    case PL_ELEMENT_ELLIPSE:
    case PL_ELEMENT_DIAGONAL:
        dump_shape(out, &e->shape);
        break;
    case PL_ELEMENT_IMAGE:
        dump_image(out, scene, &e->image);
        break;
    }
    pl_buf_append_byte(out, '\n');
}

static void dump_label(struct pl_buf *out, const struct pl_scene *scene, const char *what, uint32_t number_of,
                       const struct pl_label *l)
{
    pl_buf_printf(out, "%s %u index=%u copies=%u", what, number_of, l->index, l->copies);
    flag(out, "upside-down", l->upside_down);
    flag(out, "mirrored", l->mirrored);
    number(out, "print-width", (int32_t)l->print_width, 0);
    number(out, "dot-size", (int32_t)l->dot_size, 1);
    pl_buf_printf(out, " @%u+%u elements=%u\n", l->source.offset, l->source.length, l->element_count);
    for (uint32_t i = 0; i < l->element_count; i++)
        dump_element(out, scene, l->elements[i]);
}

void pl_scene_dump(const struct pl_scene *scene, struct pl_buf *out)
{
    for (uint32_t i = 0; i < scene->picture_count; i++)
        dump_label(out, scene, "picture", i, scene->pictures[i]);
    for (uint32_t i = 0; i < scene->label_count; i++)
        dump_label(out, scene, "label", i, &scene->labels[i]);
}
