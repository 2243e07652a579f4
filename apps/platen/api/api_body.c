// What a body is: by its content type, and where that says little, by how the body begins.
#include "api_body.h"

#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"

#define NOT_CODE "The label code is %s; here it must be the code itself, byte for byte."
#define FORM_TYPE "application/x-www-form-urlencoded"

// Types whose whole body is label code. curl --data sends the type of forms by default, and Labelary's users rely on
// it.
static const char *const CODE_TYPES[] = {
    "", "text/plain", "application/zpl", "application/x-zpl", "application/octet-stream", FORM_TYPE};

bool api_body_is_code(struct pl_slice type)
{
    for (size_t i = 0; i < PL_COUNTOF(CODE_TYPES); i++) {
        if (pl_slice_eq_cstr(type, CODE_TYPES[i]))
            return true;
    }
    return false;
}

struct pl_slice api_body_text(struct pl_slice body)
{
    return pl_slice_has_at(body, 0, "\xEF\xBB\xBF") ? pl_slice_sub(body, 3, body.len) : body;
}

static size_t name_length(struct pl_slice text)
{
    size_t n = 0;
    while (n < text.len && (pl_is_letter(text.ptr[n]) || pl_is_digit(text.ptr[n]) || text.ptr[n] == '_'))
        n++;
    return n;
}

// An object, a string or an array of these: no label code begins so. Objects also as other languages write them: with
// single quotes, or names without quotes. Not {}{"name":null}, by which printers are asked for their settings.
static bool is_json(struct pl_slice text)
{
    text = pl_slice_trim(api_body_text(text));
    if (text.len < 2)
        return false;
    struct pl_slice inside = pl_slice_trim(pl_slice_sub(text, 1, text.len));
    if (text.ptr[0] == '"')
        return text.ptr[text.len - 1] == '"';
    if (inside.len == 0 || (text.ptr[0] != '{' && text.ptr[0] != '['))
        return false;
    if (inside.len == 1 && inside.ptr[0] == (text.ptr[0] == '{' ? '}' : ']'))
        return true;
    if (text.ptr[0] == '[')
        return memchr("{[\"'", inside.ptr[0], 4) != NULL;
    size_t name = name_length(inside);
    struct pl_slice behind = pl_slice_trim(pl_slice_sub(inside, name, inside.len));
    return inside.ptr[0] == '"' || inside.ptr[0] == '\'' || (name > 0 && behind.len > 0 && behind.ptr[0] == ':');
}

// Fields with their names, one of them `zpl`.
static bool is_form(struct pl_slice text)
{
    static const struct pl_slice wanted = {(const uint8_t *)"zpl", 3};
    text = api_body_text(text);
    for (;;) {
        size_t name = name_length(text);
        if (name == 0 || name == text.len || text.ptr[name] != '=')
            return false;
        if (pl_slice_eq_nocase(pl_slice_sub(text, 0, name), wanted))
            return true;
        const uint8_t *next = memchr(text.ptr, '&', text.len);
        if (!next)
            return false;
        size_t at = (size_t)(next - text.ptr) + 1;
        text = pl_slice_sub(text, at, text.len - at);
    }
}

// Encoders leave '~' as it is. Code that uses control codes for its prefixes is not encoded either.
static bool is_encoded(struct pl_slice text)
{
    static const char prefixes[] = {'^', 0x02, 0x10, 0x1E};
    for (size_t i = 0; i < sizeof prefixes; i++) {
        if (memchr(text.ptr, prefixes[i], text.len))
            return false;
    }
    // Data of other languages may have an escape; only labels begin with ^XA.
    for (const uint8_t *at = text.ptr, *end = text.ptr + text.len; end - at >= 5; at++) {
        at = memchr(at, '%', (size_t)(end - at) - 4);
        if (!at)
            return false;
        if (pl_slice_eq_nocase(pl_slice_make(at, 5), pl_slice_cstr("%5EXA")))
            return true;
    }
    return false;
}

enum body_kind api_body_kind(struct pl_slice type, struct pl_slice body, bool *guessed)
{
    *guessed = false;
    if (pl_slice_eq_cstr(type, "multipart/form-data"))
        return BODY_PARTS;
    bool json = pl_slice_eq_cstr(type, "application/json"), form = pl_slice_eq_cstr(type, FORM_TYPE);
    if (!json && !api_body_is_code(type))
        return BODY_OTHER;
    if (pl_utf8_otherwise(body))
        return BODY_WIDE;
    if (json)
        return BODY_JSON;
    if (body.len == 0)
        return BODY_CODE;
    *guessed = true;
    if (is_json(body))
        return BODY_JSON;
    if (is_form(body)) {
        *guessed = !form;
        return BODY_FIELDS;
    }
    if (is_encoded(body))
        return BODY_ENCODED_CODE;
    *guessed = false;
    return BODY_CODE;
}

bool api_code_check(struct pl_slice code, struct problem *problem)
{
    bool guessed;
    switch (api_body_kind(pl_slice_cstr(""), code, &guessed)) {
    case BODY_JSON:
        return problem_set(problem, 400, "not_label_code", NOT_CODE, "JSON");
    case BODY_FIELDS:
        return problem_set(problem, 400, "not_label_code", NOT_CODE, "a form");
    case BODY_ENCODED_CODE:
        return problem_set(problem, 400, "not_label_code", NOT_CODE, "percent-encoded");
    case BODY_WIDE:
        return problem_set(problem, 400, "invalid_utf8", "The label code is %s; it must be UTF-8.",
                           pl_utf8_otherwise(code));
    default:
        return true;
    }
}
