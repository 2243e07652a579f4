// Content-Disposition after RFC 6266: a plain ASCII name, and the full one in UTF-8 where they differ.
#include "api_call.h"

#include "base/ckd.h"
#include "base/utf8.h"

#define NAME_BYTES 120

static const char *default_name(enum output format)
{
    switch (format) {
    case OUTPUT_PNG:
        return "label.png";
    case OUTPUT_JPEG:
        return "label.jpg";
    case OUTPUT_WEBP:
        return "label.webp";
    case OUTPUT_PDF:
        return "labels.pdf";
    case OUTPUT_JSON:
        return "labels.json";
    case OUTPUT_BASE64:
        return "labels.base64.json";
    case OUTPUT_COUNT:
        break;
    }
    return "label";
}

static const char *extension_of(enum output format)
{
    static const char *const extensions[OUTPUT_COUNT] = {".png", ".jpg", ".webp", ".pdf", ".json", ".json"};
    return extensions[format];
}

// Only the last part of a path, nothing that a file system or a header could stumble over, no leading dots or blanks.
static struct pl_slice clean_name(struct pl_slice wanted, enum output format, struct pl_buf *out)
{
    size_t start = 0;
    for (size_t i = 0; i < wanted.len; i++) {
        if (wanted.ptr[i] == '/' || wanted.ptr[i] == '\\')
            start = i + 1;
    }
    struct pl_slice name = pl_slice_sub(wanted, start, wanted.len);
    for (size_t i = 0; i < name.len && out->len < NAME_BYTES;) {
        uint32_t cp = pl_utf8_next(name, &i);
        bool bad = cp == PL_UTF8_BAD || cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
                   (cp < 0x80 && strchr("\"*:<>?|", (int)cp)) || (cp >= 0x200B && cp <= 0x200F) ||
                   (cp >= 0x202A && cp <= 0x202E);
        if (bad || ((cp == '.' || cp == ' ') && out->len == 0))
            continue;
        uint8_t bytes[4];
        pl_buf_append(out, bytes, pl_utf8_put(cp, bytes));
    }
    while (out->len > 0 && (out->data[out->len - 1] == ' ' || out->data[out->len - 1] == '.'))
        out->len--;
    // What follows the last dot is an extension unless it has a blank in it.
    bool has_extension = false;
    for (size_t i = 0; i < out->len; i++)
        has_extension = out->data[i] == '.' || (has_extension && out->data[i] != ' ');
    if (out->len == 0)
        pl_buf_append_cstr(out, default_name(format));
    else if (!has_extension)
        pl_buf_append_cstr(out, extension_of(format));
    return pl_buf_slice(out);
}

void disposition_set(struct render_call *call)
{
    const struct controls *c = &call->controls;
    struct pl_buf name, value;
    pl_buf_init(&name, 256);
    pl_buf_init(&value, 1024);
    struct pl_slice full = controls_has(c, CONTROL_FILENAME) ? clean_name(c->filename, c->format, &name)
                                                             : pl_slice_cstr(default_name(c->format));
    bool ascii = true;
    pl_buf_append_cstr(&value, c->download ? "attachment; filename=\"" : "inline; filename=\"");
    for (size_t i = 0; i < full.len; i++) {
        ascii = ascii && full.ptr[i] < 0x80;
        if (full.ptr[i] < 0x80)
            pl_buf_append_byte(&value, full.ptr[i]);
        else if (full.ptr[i] >= 0xC0)
            pl_buf_append_byte(&value, '_');
    }
    pl_buf_append_byte(&value, '"');
    if (!ascii) {
        static const char hex[] = "0123456789ABCDEF";
        pl_buf_append_cstr(&value, "; filename*=UTF-8''");
        for (size_t i = 0; i < full.len; i++) {
            uint8_t b = full.ptr[i];
            if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '.' || b == '-' ||
                b == '_') {
                pl_buf_append_byte(&value, b);
            } else {
                char escaped[3] = {'%', hex[b >> 4], hex[b & 15]};
                pl_buf_append(&value, escaped, 3);
            }
        }
    }
    if (name.failed)
        value.failed = true;
    http_set_header_buf(call->res, "Content-Disposition", &value);
    pl_buf_fini(&name);
    pl_buf_fini(&value);
}
