// A font file to label code: the whole of it, or only some characters, by HarfBuzz's subsetter. Collections and
// variable fonts become one font first, WOFF and WOFF2 are unpacked.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <hb-ot.h>
#include <hb-subset.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "font/face/fonts.h"
#include "render/options.h"
#include "render/render.h"

#define CODE_MOST ((size_t)128 << 20)
#define RANGE_MOST 0x110000u
#define AXES_MOST 64
#define NAME_BYTES 80
#define MISSING_MOST 20 // characters that are named

// OS/2, fsType
#define RESTRICTED 2u
#define RIGHTS 15u
#define NO_SUBSETS 0x100u

static bool has_head(struct pl_slice s, const char *head)
{
    return s.len > 12 && memcmp(s.ptr, head, 4) == 0;
}

static bool is_packed(struct pl_slice s)
{
    return has_head(s, "wOFF") || has_head(s, "wOF2");
}

static bool is_font(struct pl_slice s)
{
    return has_head(s, "\0\1\0\0") || has_head(s, "true") || has_head(s, "OTTO") || has_head(s, "ttcf");
}

// E:NAME.TTF: a drive, a name of up to 16 letters and digits, an extension.
static bool is_path(const char *path)
{
    size_t n = strlen(path), name = n > 2 ? strcspn(path + 2, ".") : 0;
    if (n < 7 || !strchr("REBA", path[0]) || path[1] != ':' || name < 1 || name > 16 || n != name + 6)
        return false;
    for (size_t i = 2; i < n; i++) {
        char c = path[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c == '.' && i == name + 2)))
            return false;
    }
    return true;
}

static bool is_extension(const char *path, const char *extension)
{
    return strcmp(strchr(path, '.') + 1, extension) == 0;
}

static bool add_chars(hb_set_t *set, const char *chars)
{
    struct pl_slice s = pl_slice_cstr(chars);
    for (size_t i = 0; i < s.len;) {
        uint32_t cp = pl_utf8_next(s, &i);
        if (cp == PL_UTF8_BAD)
            return false;
        hb_set_add(set, cp);
    }
    return true;
}

static bool take_hex(const char **p, uint32_t *out)
{
    size_t digits = 0;
    *out = 0;
    for (int v; (v = pl_hex_value((uint8_t) * *p)) >= 0 && digits < 7; ++*p, digits++)
        *out = *out << 4 | (uint32_t)v;
    return digits > 0 && *out < RANGE_MOST;
}

// 0030-0039,0041-005A,00E9
static bool add_ranges(hb_set_t *set, const char *p)
{
    while (*p) {
        uint32_t first, last;
        if (!take_hex(&p, &first))
            return false;
        last = first;
        if (*p == '-' && (p++, !take_hex(&p, &last)))
            return false;
        if (last < first)
            return false;
        hb_set_add_range(set, first, last);
        while (*p == ',' || *p == ' ')
            p++;
    }
    return true;
}

static unsigned embedding_rights(hb_face_t *face)
{
    hb_blob_t *table = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
    unsigned size;
    const char *data = hb_blob_get_data(table, &size);
    unsigned rights = size >= 10 ? (unsigned)(uint8_t)data[8] << 8 | (uint8_t)data[9] : 0;
    hb_blob_destroy(table);
    return rights;
}

// ---- instances of variable fonts

static void instance_name(hb_face_t *face, unsigned index, char name[NAME_BYTES])
{
    unsigned size = NAME_BYTES;
    name[0] = '\0';
    hb_ot_name_get_utf8(face, hb_ot_var_named_instance_get_subfamily_name_id(face, index), HB_LANGUAGE_INVALID, &size,
                        name);
}

// PL_E_INVALID: there is no such instance; the message names those that there are.
static enum pl_errc pin_instance(hb_face_t *face, const char *instance, hb_subset_input_t *input, struct pl_error *err)
{
    unsigned count = hb_ot_var_get_named_instance_count(face), index = 0, axis_count = AXES_MOST;
    char name[NAME_BYTES], all[160] = "";
    for (; index < count; index++) {
        instance_name(face, index, name);
        if (pl_slice_eq_nocase(pl_slice_cstr(name), pl_slice_cstr(instance)))
            break;
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", name);
    }
    if (count == 0)
        return pl_fail(err, PL_E_INVALID, "the font has no instances: it is not variable");
    if (index == count)
        return pl_fail(err, PL_E_INVALID, "the font has no instance '%.40s'; it has %s", instance, all);
    hb_ot_var_axis_info_t axes[AXES_MOST];
    float places[AXES_MOST];
    unsigned place_count = AXES_MOST;
    hb_ot_var_get_axis_infos(face, 0, &axis_count, axes);
    hb_ot_var_named_instance_get_design_coords(face, index, &place_count, places);
    for (unsigned i = 0; i < PL_MIN(axis_count, place_count); i++) {
        if (!hb_subset_input_pin_axis_location(input, face, axes[i].tag, places[i]))
            return pl_fail_memory(err);
    }
    return PL_OK;
}

// ---- parts

// All glyphs and features, under the same numbers.
static void keep_all(hb_face_t *face, hb_subset_input_t *input)
{
    hb_set_t *features = hb_subset_input_set(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
    hb_face_collect_unicodes(face, hb_subset_input_unicode_set(input));
    hb_set_add_range(hb_subset_input_glyph_set(input), 0, hb_face_get_glyph_count(face) - 1);
    hb_set_clear(features);
    hb_set_invert(features);
    hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_RETAIN_GIDS | HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
}

static void note_missing(hb_face_t *face, const char *chars, struct pl_buf *notes)
{
    hb_set_t *wanted = hb_set_create(), *there = hb_set_create();
    hb_codepoint_t c = HB_SET_VALUE_INVALID;
    unsigned count = 0;
    add_chars(wanted, chars);
    hb_face_collect_unicodes(face, there);
    hb_set_subtract(wanted, there);
    while (hb_set_next(wanted, &c)) {
        uint8_t text[4];
        if (c < 0x20)
            continue;
        if (count < MISSING_MOST) {
            pl_buf_append_cstr(notes, count ? ", " : "the font lacks ");
            pl_buf_append(notes, text, pl_utf8_put(c, text));
            pl_buf_printf(notes, " (U+%04X)", c);
        }
        count++;
    }
    if (count > MISSING_MOST)
        pl_buf_printf(notes, " and %u more", count - MISSING_MOST);
    if (count > 0)
        pl_buf_append_byte(notes, '\n');
    hb_set_destroy(wanted);
    hb_set_destroy(there);
}

static enum pl_errc choose_part(hb_face_t *face, const struct platen_font_options *o, hb_subset_input_t *input,
                                struct pl_error *err)
{
    bool some = (o->chars && *o->chars) || (o->unicodes && *o->unicodes);
    hb_set_t *set = hb_subset_input_unicode_set(input);
    if (some && embedding_rights(face) & NO_SUBSETS)
        return pl_fail(err, PL_E_INVALID, "the font does not allow parts of it to be used; send it whole");
    if ((o->chars && !add_chars(set, o->chars)) || (o->unicodes && !add_ranges(set, o->unicodes)))
        return pl_fail(err, PL_E_INVALID,
                       "the characters must be UTF-8, and ranges of them such as 0030-0039,0041-005A");
    if (!some)
        keep_all(face, input);
    return o->instance ? pin_instance(face, o->instance, input, err) : PL_OK;
}

// Tables of a collection's font as a file of its own.
static hb_face_t *alone(hb_face_t *face)
{
    hb_face_t *made = hb_face_builder_create();
    hb_tag_t tags[64];
    unsigned count = PL_COUNTOF(tags);
    for (unsigned at = 0; hb_face_get_table_tags(face, at, &count, tags) > at && count > 0; at += count) {
        for (unsigned i = 0; i < count; i++) {
            hb_blob_t *table = hb_face_reference_table(face, tags[i]);
            hb_face_builder_add_table(made, tags[i], table);
            hb_blob_destroy(table);
        }
        if (count < PL_COUNTOF(tags))
            break;
    }
    return made;
}

static enum pl_errc make(hb_face_t *face, const struct platen_font_options *o, hb_face_t **made, struct pl_buf *notes,
                         struct pl_error *err)
{
    bool is_part = (o->chars && *o->chars) || (o->unicodes && *o->unicodes) || o->instance;
    if (hb_face_get_glyph_count(face) == 0)
        return pl_fail(err, PL_E_INVALID, "the font cannot be read: it has no glyphs");
    if ((embedding_rights(face) & RIGHTS) == RESTRICTED)
        pl_buf_append_cstr(notes,
                           "the font's embedding right is \"restricted\": its owner must allow that it is stored "
                           "in printers\n");
    if (!is_part) {
        *made = alone(face);
        return PL_OK;
    }
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    if (!input)
        return pl_fail_memory(err);
    enum pl_errc code = choose_part(face, o, input, err);
    if (code == PL_OK && o->chars)
        note_missing(face, o->chars, notes);
    if (code == PL_OK) {
        *made = hb_subset_or_fail(face, input);
        if (!*made)
            code = pl_fail(err, PL_E_INVALID, "the font cannot be read: no part of it could be made");
    }
    if (errno != ENOMEM)
        hb_subset_input_destroy(input);
    return code;
}

static enum pl_errc subset(struct pl_slice file, const struct platen_font_options *o, hb_blob_t **out,
                           struct pl_buf *notes, struct pl_error *err)
{
    int errno_before = errno;
    errno = 0;
    hb_blob_t *blob = hb_blob_create((const char *)file.ptr, (unsigned)file.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
    unsigned faces = hb_face_count(blob);
    hb_face_t *face = hb_face_create(blob, o->face), *made = NULL;
    enum pl_errc code =
        o->face >= PL_MAX(faces, 1u)
            ? pl_fail(err, PL_E_INVALID, "there is no font %u in the file; it has %u, numbered from 0", o->face, faces)
            : make(face, o, &made, notes, err);
    *out = made && errno != ENOMEM ? hb_face_reference_blob(made) : NULL;
    bool lacks_memory = errno == ENOMEM;
    errno = errno_before;
    // HarfBuzz reports an allocation that failed as a bad font, or as a font with fewer characters, and crashes when it
    // destroys such a face. Its memory is lost then.
    if (lacks_memory) {
        hb_blob_destroy(*out);
        *out = NULL;
        return pl_fail_memory(err);
    }
    hb_face_destroy(made);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return code;
}

// WOFF and WOFF2 say in bytes 16 to 19 how large the font is.
static enum pl_errc unpack(struct pl_slice file, size_t most, struct pl_buf *out, struct pl_error *err)
{
    if (file.len < 20)
        return pl_fail(err, PL_E_INVALID, "the font cannot be read: it breaks off");
    const uint8_t *p = file.ptr + 16;
    size_t size = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
    if (size > most)
        return pl_fail(err, PL_E_LIMIT, "a font of %zu bytes is over the limit of %zu", size, most);
    return pl_fonts_unpack(file, out, err);
}

static void write_code(struct pl_slice font, const struct platen_font_options *o, struct pl_buf *out)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    if (!o->bare)
        pl_buf_append_cstr(out, "^XA");
    if (o->as_file) // ~DYE:NAME,A,T,: hex digits, TrueType; TTE is its extension for other scripts
        pl_buf_printf(out, "~DY%.*s,A,%c,%zu,,", (int)strcspn(o->path, "."), o->path,
                      is_extension(o->path, "TTE") ? 'E' : 'T', font.len);
    else
        pl_buf_printf(out, "~DU%s,%zu,", o->path, font.len);
    uint8_t *to = pl_buf_reserve(out, font.len * 2);
    for (size_t i = 0; to && i < font.len; i++) {
        to[i * 2] = (uint8_t)DIGITS[font.ptr[i] >> 4];
        to[i * 2 + 1] = (uint8_t)DIGITS[font.ptr[i] & 15];
    }
    out->len += to ? font.len * 2 : 0;
    if (o->letter)
        pl_buf_printf(out, "^CW%c,%s", o->letter, o->path);
    if (!o->bare)
        pl_buf_append_cstr(out, "^XZ");
}

static enum platen_status check_options(struct platen_font_options *o, struct platen_error *err)
{
    o->path = o->path && *o->path ? o->path : "R:FONT.TTF";
    o->instance = o->instance && *o->instance ? o->instance : NULL;
    if (!is_path(o->path))
        return pl_public_fail(err, PLATEN_E_INVALID,
                              "'path' must be a drive (R, E, B or A), a name of up to 16 capitals and digits, and an "
                              "extension: E:NAME.TTF");
    if (o->as_file && !is_extension(o->path, "TTF") && !is_extension(o->path, "TTE"))
        return pl_public_fail(err, PLATEN_E_INVALID, "~DY stores fonts with the extension TTF or TTE; 'path' is %s",
                              o->path);
    if (o->letter && !((o->letter >= 'A' && o->letter <= 'Z') || (o->letter >= '0' && o->letter <= '9')))
        return pl_public_fail(err, PLATEN_E_INVALID, "the font's letter must be A to Z or 0 to 9");
    return PLATEN_OK;
}

// The font to store: the file itself, or in *part.
static enum pl_errc choose_font(struct pl_slice *font, const struct platen_font_options *o, hb_blob_t **part,
                                struct pl_buf *notes, struct pl_error *err)
{
    bool is_part = (o->chars && *o->chars) || (o->unicodes && *o->unicodes) || o->instance || o->face > 0;
    PL_TRY(subset(*font, o, part, notes, err));
    unsigned length;
    const char *data = hb_blob_get_data(*part, &length);
    if (is_part || has_head(*font, "ttcf"))
        *font = pl_slice_make(data, length);
    return pl_buf_check(notes, err);
}

enum platen_status platen_font_code(const struct platen_engine *engine, const void *file, size_t size,
                                    const struct platen_font_options *options, struct platen_buffer *out,
                                    struct platen_error *err)
{
    if (!engine || !out || (!file && size > 0))
        return pl_null_argument(err, __func__);
    struct platen_font_options o;
    struct pl_slice font = pl_slice_make(file, size);
    struct pl_error inner = {0};
    struct pl_buf unpacked, notes;
    hb_blob_t *part = NULL;
    const size_t most = engine->limits.stored_bytes;
    enum pl_errc code = PL_OK;
    out->size = 0;
    enum platen_status status = pl_options_read(options, &o, sizeof o, "platen_font_options", err);
    if (status == PLATEN_OK)
        status = check_options(&o, err);
    if (status != PLATEN_OK)
        return status;
    if (!is_font(font) && !is_packed(font))
        return pl_public_fail(err, PLATEN_E_INVALID, "the font cannot be read: it is no TrueType or OpenType file");
    if (size > most)
        return pl_public_fail(err, PLATEN_E_LIMIT, "a font of %zu bytes is over the limit of %zu", size, most);
    pl_buf_init(&unpacked, most);
    pl_buf_init(&notes, CODE_MOST);
    if (is_packed(font)) {
        code = unpack(font, most, &unpacked, &inner);
        font = pl_buf_slice(&unpacked);
    }
    if (code == PL_OK)
        code = choose_font(&font, &o, &part, &notes, &inner);
    if (code == PL_OK) {
        struct pl_buf text = {.data = out->data, .cap = out->capacity, .max = CODE_MOST};
        write_code(font, &o, &text);
        code = pl_buf_check(&text, &inner);
        *out = (struct platen_buffer){text.data, code == PL_OK ? text.len : 0, text.cap};
    }
    hb_blob_destroy(part);
    pl_buf_fini(&unpacked);
    if (o.notes) {
        platen_buffer_free(o.notes);
        *o.notes = (struct platen_buffer){notes.data, notes.len, notes.cap};
    } else {
        pl_buf_fini(&notes);
    }
    return pl_public_status(code, &inner, err);
}
