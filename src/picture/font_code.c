// A font file to label code: the whole of it, or only some characters, by HarfBuzz's subsetter.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <hb-subset.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "render/options.h"
#include "render/render.h"

#define CODE_MOST ((size_t)128 << 20)
#define RANGE_MOST 0x110000u

static bool is_font(struct pl_slice s)
{
    static const char HEADS[][5] = {{0, 1, 0, 0}, "true", "OTTO"};
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++) {
        if (s.len > 12 && memcmp(s.ptr, HEADS[i], 4) == 0)
            return true;
    }
    return false;
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

// Bit 8 of fsType in OS/2: the whole font or nothing.
static bool forbids_subsets(hb_face_t *face)
{
    hb_blob_t *table = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
    unsigned size;
    const char *data = hb_blob_get_data(table, &size);
    bool forbids = size >= 10 && (data[8] & 1);
    hb_blob_destroy(table);
    return forbids;
}

static enum pl_errc subset(struct pl_slice file, const struct platen_font_options *o, hb_blob_t **out,
                           struct pl_error *err)
{
    int errno_before = errno;
    errno = 0;
    hb_blob_t *blob = hb_blob_create((const char *)file.ptr, (unsigned)file.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, 0), *made = NULL;
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    enum pl_errc code = PL_OK;
    if (!input) {
        code = pl_fail_memory(err);
    } else if (hb_face_get_glyph_count(face) == 0) {
        code = pl_fail(err, PL_E_INVALID, "the font cannot be read: it has no glyphs");
    } else if (forbids_subsets(face)) {
        code = pl_fail(err, PL_E_INVALID, "the font does not allow parts of it to be used; send it whole");
    } else {
        hb_set_t *set = hb_subset_input_unicode_set(input);
        if ((o->chars && !add_chars(set, o->chars)) || (o->unicodes && !add_ranges(set, o->unicodes)))
            code = pl_fail(err, PL_E_INVALID,
                           "the characters must be UTF-8, and ranges of them such as 0030-0039,0041-005A");
        else
            made = hb_subset_or_fail(face, input);
        if (code == PL_OK && !made)
            code = pl_fail(err, PL_E_INVALID, "the font cannot be read: no part of it could be made");
    }
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
    hb_subset_input_destroy(input);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return code;
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

enum platen_status platen_font_code(const struct platen_engine *engine, const void *file, size_t size,
                                    const struct platen_font_options *options, struct platen_buffer *out,
                                    struct platen_error *err)
{
    if (!engine || !out || (!file && size > 0))
        return pl_null_argument(err, __func__);
    struct platen_font_options o;
    struct pl_slice font = pl_slice_make(file, size);
    struct pl_error inner = {0};
    hb_blob_t *part = NULL;
    out->size = 0;
    enum platen_status status = pl_options_read(options, &o, sizeof o, "platen_font_options", err);
    if (status != PLATEN_OK)
        return status;
    o.path = o.path && *o.path ? o.path : "R:FONT.TTF";
    if (!is_path(o.path))
        return pl_public_fail(err, PLATEN_E_INVALID,
                              "'path' must be a drive (R, E, B or A), a name of up to 16 capitals and digits, and an "
                              "extension: E:NAME.TTF");
    if (o.as_file && !is_extension(o.path, "TTF") && !is_extension(o.path, "TTE"))
        return pl_public_fail(err, PLATEN_E_INVALID, "~DY stores fonts with the extension TTF or TTE; 'path' is %s",
                              o.path);
    if (o.letter && !((o.letter >= 'A' && o.letter <= 'Z') || (o.letter >= '0' && o.letter <= '9')))
        return pl_public_fail(err, PLATEN_E_INVALID, "the font's letter must be A to Z or 0 to 9");
    if (!is_font(font))
        return pl_public_fail(err, PLATEN_E_INVALID, "the font cannot be read: it is no TrueType or OpenType file");
    if (size > engine->limits.stored_bytes)
        return pl_public_fail(err, PLATEN_E_LIMIT, "a font of %zu bytes is over the limit of %zu", size,
                              engine->limits.stored_bytes);
    if ((o.chars && *o.chars) || (o.unicodes && *o.unicodes)) {
        enum pl_errc code = subset(font, &o, &part, &inner);
        if (code != PL_OK)
            return pl_public_status(code, &inner, err);
        unsigned length;
        const char *data = hb_blob_get_data(part, &length);
        font = pl_slice_make(data, length);
    }
    struct pl_buf text = {.data = out->data, .cap = out->capacity, .max = CODE_MOST};
    write_code(font, &o, &text);
    hb_blob_destroy(part);
    enum pl_errc code = pl_buf_check(&text, &inner);
    *out = (struct platen_buffer){text.data, code == PL_OK ? text.len : 0, text.cap};
    return pl_public_status(code, &inner, err);
}
