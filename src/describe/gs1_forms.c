// GS1 data from any form to all the others.
#include "describe/gs1_forms.h"

#include <string.h>

#include "base/ckd.h"
#include "base/json_writer.h"
#include "check/gs1.h"

#define GS '\x1d'
#define DOMAIN "https://id.gs1.org" // GS1's own resolver, where no other is named

static enum pl_gs1_form form_of(struct pl_slice text)
{
    if (text.len > 0 && text.ptr[0] == '(')
        return PL_GS1_BRACKETS;
    const struct pl_slice scheme = pl_slice_cstr("http");
    return pl_slice_eq_nocase(pl_slice_sub(text, 0, scheme.len), scheme) ? PL_GS1_LINK : PL_GS1_ELEMENTS;
}

static const char *form_name(enum pl_gs1_form form)
{
    return form == PL_GS1_BRACKETS ? "brackets" : form == PL_GS1_LINK ? "digital link" : "element string";
}

// Of Code 128 in ZPL: brackets are left out, and > begins an invocation.
static bool has_sign_of_code128(const struct pl_gs1_result *r)
{
    for (uint32_t i = 0; i < r->element_count; i++) {
        const struct pl_slice v = r->elements[i].value;
        if (v.len > 0 && (memchr(v.ptr, '(', v.len) || memchr(v.ptr, ')', v.len) || memchr(v.ptr, '>', v.len)))
            return true;
    }
    return false;
}

// The printer adds the first FNC1 alone: those behind values of free length are written.
static void put_brackets(const struct pl_gs1_result *r, const char *separator, struct pl_buf *out)
{
    for (uint32_t i = 0; i < r->element_count; i++) {
        const struct pl_gs1_element *e = &r->elements[i];
        pl_buf_printf(out, "(%s)", e->ai);
        pl_buf_append_slice(out, e->value);
        if (i + 1 < r->element_count && !(e->row->flags & PL_GS1_PREDEFINED))
            pl_buf_append_cstr(out, separator);
    }
}

// Elements one behind the other, with `separator` where one of free length ends and `escape` doubled (0: none).
static void put_elements(const struct pl_gs1_result *r, const char *separator, char escape, struct pl_buf *out)
{
    for (uint32_t i = 0; i < r->element_count; i++) {
        const struct pl_gs1_element *e = &r->elements[i];
        pl_buf_append_cstr(out, e->ai);
        for (size_t k = 0; k < e->value.len; k++) {
            if (escape && e->value.ptr[k] == (uint8_t)escape)
                pl_buf_append_byte(out, (uint8_t)escape);
            pl_buf_append_byte(out, e->value.ptr[k]);
        }
        if (i + 1 < r->element_count && !(e->row->flags & PL_GS1_PREDEFINED))
            pl_buf_append_cstr(out, separator);
    }
}

// ---- Digital Links

static void put_percent(struct pl_slice text, struct pl_buf *out)
{
    static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (size_t i = 0; i < text.len; i++) {
        if (memchr(PLAIN, text.ptr[i], sizeof PLAIN - 1))
            pl_buf_append_byte(out, text.ptr[i]);
        else
            pl_buf_printf(out, "%%%02X", text.ptr[i]);
    }
}

static void put_step(const struct pl_gs1_element *e, struct pl_buf *out)
{
    pl_buf_printf(out, "/%s/", e->ai);
    put_percent(e->value, out);
}

// Appends the link. False: no element is a primary key, or one may not be in a link.
static bool put_link(const struct pl_gs1_result *r, struct pl_buf *out)
{
    uint64_t used = 0;
    const struct pl_gs1_element *key = NULL;
    for (uint32_t i = 0; i < r->element_count && !key; i++) {
        if (r->elements[i].row->qualifiers) {
            key = &r->elements[i];
            used |= UINT64_C(1) << i;
        }
    }
    if (!key)
        return false;
    pl_buf_append_cstr(out, DOMAIN);
    put_step(key, out);
    // Qualifiers in their order; those behind '|' belong to other links, and take part only where none before does.
    for (const char *q = key->row->qualifiers; *q;) {
        size_t n = strcspn(q, ",|");
        for (uint32_t i = 0; i < r->element_count; i++) {
            if (!(used >> i & 1) && pl_gs1_matches(pl_slice_make(q, n), r->elements[i].ai)) {
                put_step(&r->elements[i], out);
                used |= UINT64_C(1) << i;
            }
        }
        if (q[n] == '|' && (used & (used - 1)))
            break;
        q += n + (q[n] != '\0');
    }
    char sign = '?';
    for (uint32_t i = 0; i < r->element_count; i++) {
        if (used >> i & 1)
            continue;
        if (!(r->elements[i].row->flags & PL_GS1_ATTRIBUTE))
            return false;
        pl_buf_printf(out, "%c%s=", sign, r->elements[i].ai);
        put_percent(r->elements[i].value, out);
        sign = '&';
    }
    return true;
}

// ----

// A member whose value is what `head` and the buffer hold; the buffer is empty afterwards.
static void put_member(struct pl_json_writer *json, const char *name, struct pl_buf *text)
{
    pl_json_kv_slice(json, name, pl_buf_slice(text));
    pl_buf_clear(text);
}

static void put_zpl(const struct pl_gs1_result *r, bool has_link, struct pl_slice link, struct pl_json_writer *json,
                    struct pl_buf *text)
{
    pl_json_kv_object(json, "zpl");
    if (!has_sign_of_code128(r)) {
        pl_buf_append_cstr(text, "^BCN,100,Y,N,N,D^FD");
        put_brackets(r, ">8", text);
        pl_buf_append_cstr(text, "^FS");
        put_member(json, "code128", text);
    }
    pl_buf_append_cstr(text, "^BXN,6,200,,,,_^FD_1");
    put_elements(r, "_1", '_', text);
    pl_buf_append_cstr(text, "^FS");
    put_member(json, "dataMatrix", text);
    if (has_link) {
        pl_buf_append_cstr(text, "^BQN,2,5^FDMA,");
        pl_buf_append_slice(text, link);
        pl_buf_append_cstr(text, "^FS");
        put_member(json, "qrCode", text);
    }
    pl_json_end(json);
}

static void put_forms(const struct pl_gs1_result *r, struct pl_json_writer *json)
{
    struct pl_buf text, link;
    pl_buf_init(&text, (size_t)1 << 20);
    pl_buf_init(&link, (size_t)1 << 20);
    put_brackets(r, "", &text);
    put_member(json, "brackets", &text);
    put_elements(r, "\x1d", 0, &text);
    put_member(json, "elementString", &text);
    bool has_link = put_link(r, &link);
    if (has_link)
        pl_json_kv_slice(json, "digitalLink", pl_buf_slice(&link));
    put_zpl(r, has_link, pl_buf_slice(&link), json, &text);
    pl_buf_inherit(json->buf, &text);
    pl_buf_inherit(json->buf, &link);
    pl_buf_fini(&text);
    pl_buf_fini(&link);
}

enum pl_errc pl_describe_gs1(struct pl_slice text, struct pl_arena *arena, struct pl_buf *out, struct pl_error *err)
{
    struct pl_gs1_result *r = PL_ARENA_ARRAY(arena, struct pl_gs1_result, 1);
    struct pl_json_writer json;
    if (!r)
        return pl_fail_memory(err);
    memset(r, 0, sizeof *r);
    enum pl_gs1_form form = form_of(text);
    PL_TRY(pl_gs1_check(text, form, arena, r, err));
    PL_TRY(pl_gs1_check_partners(r, NULL, 0, arena, err));
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_cstr(&json, "readAs", form_name(form));
    pl_json_kv_bool(&json, "valid", r->finding_count == 0 && r->element_count > 0);
    pl_json_kv_array(&json, "elements");
    for (uint32_t i = 0; i < r->element_count; i++) {
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "ai", r->elements[i].ai);
        pl_json_kv_cstr(&json, "title", r->elements[i].row->title);
        pl_json_kv_slice(&json, "data", r->elements[i].value);
        pl_json_end(&json);
    }
    pl_json_end(&json);
    pl_json_kv_array(&json, "findings");
    for (uint32_t i = 0; i < r->finding_count; i++) {
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "ai", r->findings[i].ai);
        pl_json_kv_u64(&json, "offset", r->findings[i].offset);
        pl_json_kv_cstr(&json, "message", r->findings[i].message);
        pl_json_end(&json);
    }
    pl_json_end(&json);
    // Forms of data that is wrong would be wrong, too.
    if (r->finding_count == 0 && r->element_count > 0)
        put_forms(r, &json);
    pl_json_end(&json);
    return PL_OK;
}
