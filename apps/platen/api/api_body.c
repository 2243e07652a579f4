// What a body is: by its content type, and where that says little, by how the body begins.
#include "api_body.h"

#include <ctype.h>
#include <string.h>

#include "base/ckd.h"

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

static bool contains(struct pl_slice text, const char *part)
{
    return memmem(text.ptr, text.len, part, strlen(part)) != NULL;
}

static bool begins_with(struct pl_slice text, const char *start)
{
    return text.len >= strlen(start) && memcmp(text.ptr, start, strlen(start)) == 0;
}

// Label code is ASCII at its start, so a NUL beside its first character is the other half of that character.
static bool is_utf16(struct pl_slice body)
{
    if (begins_with(body, "\xFF\xFE") || begins_with(body, "\xFE\xFF"))
        return true;
    return body.len >= 4 && ((body.ptr[0] == 0) != (body.ptr[1] == 0)) && ((body.ptr[2] == 0) != (body.ptr[3] == 0)) &&
           (body.ptr[0] == 0) == (body.ptr[2] == 0);
}

// An object with a member "zpl": no label code begins so.
static bool is_json_request(struct pl_slice text)
{
    text = pl_slice_trim(begins_with(text, "\xEF\xBB\xBF") ? pl_slice_sub(text, 3, text.len) : text);
    if (text.len < 2 || text.ptr[0] != '{')
        return false;
    struct pl_slice inside = pl_slice_trim(pl_slice_sub(text, 1, text.len));
    return inside.len > 0 && inside.ptr[0] == '"' && contains(inside, "\"zpl\"");
}

static bool is_form(struct pl_slice text, bool form_type)
{
    if (begins_with(text, "zpl="))
        return true;
    if (!form_type || !contains(text, "&zpl="))
        return false;
    // Another field comes first.
    size_t name = 0;
    while (name < text.len && (isalnum(text.ptr[name]) || text.ptr[name] == '_'))
        name++;
    return name > 0 && name < text.len && text.ptr[name] == '=';
}

// Encoders leave '~' as it is. Code that uses control codes for its prefixes is not encoded either.
static bool is_encoded(struct pl_slice text)
{
    static const char prefixes[] = {'^', 0x02, 0x10, 0x1E};
    for (size_t i = 0; i < sizeof prefixes; i++) {
        if (memchr(text.ptr, prefixes[i], text.len))
            return false;
    }
    return contains(text, "%5E") || contains(text, "%5e");
}

enum body_kind api_body_kind(struct pl_slice type, struct pl_slice body, bool *guessed)
{
    *guessed = false;
    if (pl_slice_eq_cstr(type, "multipart/form-data"))
        return BODY_PARTS;
    bool json = pl_slice_eq_cstr(type, "application/json"), form = pl_slice_eq_cstr(type, FORM_TYPE);
    if (!json && !api_body_is_code(type))
        return BODY_OTHER;
    if (is_utf16(body))
        return BODY_UTF16;
    if (json)
        return BODY_JSON;
    if (body.len == 0)
        return BODY_CODE;
    *guessed = true;
    if (is_json_request(body))
        return BODY_JSON;
    if (is_form(body, form)) {
        *guessed = !form;
        return BODY_FIELDS;
    }
    if (is_encoded(body))
        return BODY_ENCODED_CODE;
    *guessed = false;
    return BODY_CODE;
}
