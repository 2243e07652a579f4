// Fills requests from JSON: known fields are kept, other values are checked and skipped.
#include "grain/reader.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/hash.h"

// Names of one item whose uniqueness is checked; more fields than this are refused.
#define NAMES_MAX 32
// An escaped character takes up to twelve bytes for four.
#define ESCAPED_MAX (GRAIN_TEXT_MAX * 6)

static bool bad_json(const struct grain_reader *r, struct pl_error *err)
{
    pl_fail(err, PL_E_INVALID, "The body is not valid JSON: %s.", r->json.err.message);
    return false;
}

static bool bad_item(const struct grain_reader *r, struct pl_error *err, const char *what)
{
    pl_fail(err, PL_E_INVALID, "The body is not acceptable: %s at byte %zu.", what, r->json.pos);
    return false;
}

// The text of the key or string that was just read.
static void take_text(const struct grain_reader *r, struct grain_value *value)
{
    if (!r->json.escaped) {
        grain_value_set_text(value, r->json.token);
        return;
    }
    uint8_t text[ESCAPED_MAX];
    if (r->json.token.len > sizeof text) {
        grain_value_set_text(value, pl_slice_make("", 0));
        value->cut = true;
        return;
    }
    size_t len = pl_json_unescape(r->json.token, text);
    grain_value_set_text(value, pl_slice_make(text, len));
}

static bool take_value(struct grain_reader *r, enum pl_json_event event, struct grain_value *value,
                       struct pl_error *err)
{
    switch (event) {
    case PL_JSON_STRING:
        take_text(r, value);
        return true;
    case PL_JSON_NUMBER:
        value->kind = GRAIN_NUMBER;
        // Too large: no value that a field could take.
        if (!grain_parse_decimal(r->json.token, &value->number))
            value->number = NAN;
        return true;
    case PL_JSON_TRUE:
    case PL_JSON_FALSE:
        value->kind = GRAIN_BOOL;
        return true;
    case PL_JSON_NULL:
        value->kind = GRAIN_ABSENT;
        return true;
    case PL_JSON_ARRAY:
    case PL_JSON_OBJECT:
        value->kind = event == PL_JSON_ARRAY ? GRAIN_ARRAY : GRAIN_OBJECT;
        return pl_json_skip(&r->json) ? true : bad_json(r, err);
    default:
        return bad_json(r, err);
    }
}

// The names that an item had so far, by their hashes.
struct names {
    uint64_t hash[NAMES_MAX];
    size_t count;
};

static bool add_name(const struct grain_reader *r, struct names *names, const struct grain_value *name,
                     struct pl_error *err)
{
    if (name->cut)
        return bad_item(r, err, "a name that is too long");
    uint64_t hash = pl_hash_fnv1a(pl_slice_make(name->text, name->len));
    for (size_t i = 0; i < names->count; i++) {
        if (names->hash[i] == hash)
            return bad_item(r, err, "a name that its object already has");
    }
    if (names->count == NAMES_MAX)
        return bad_item(r, err, "too many fields in one calculation");
    names->hash[names->count++] = hash;
    return true;
}

// The fields of the object that has just begun.
static bool take_object(struct grain_reader *r, struct grain_request *request, struct pl_error *err)
{
    struct names names = {.count = 0};
    for (;;) {
        enum pl_json_event event = pl_json_next(&r->json);
        if (event == PL_JSON_OBJECT_END)
            return true;
        if (event != PL_JSON_KEY)
            return bad_json(r, err);
        struct grain_value name, ignored;
        take_text(r, &name);
        if (!add_name(r, &names, &name, err))
            return false;
        enum grain_field field;
        struct grain_value *value = &ignored;
        if (grain_field_by_name(pl_slice_make(name.text, name.len), &field)) {
            value = &request->field[field];
            request->repeated[field] = value->kind != GRAIN_ABSENT; // in another case: the same name is no JSON
        } else {
            grain_request_put_unknown(request, pl_slice_make(name.text, name.len));
        }
        if (!take_value(r, pl_json_next(&r->json), value, err))
            return false;
    }
}

static enum grain_read take_item(struct grain_reader *r, enum pl_json_event event, struct grain_request *request,
                                 struct pl_error *err)
{
    grain_request_init(request);
    r->items++;
    if (event == PL_JSON_OBJECT)
        return take_object(r, request, err) ? GRAIN_READ_ITEM : GRAIN_READ_BAD;
    struct grain_value other;
    if (!take_value(r, event, &other, err))
        return GRAIN_READ_BAD;
    request->item = other.kind;
    return GRAIN_READ_ITEM;
}

void grain_reader_init(struct grain_reader *reader, struct pl_slice text)
{
    *reader = (struct grain_reader){.items = 0};
    // Some programs write a mark of UTF-8 in front of their JSON.
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0)
        text = pl_slice_sub(text, 3, text.len);
    pl_json_reader_init(&reader->json, text);
    size_t space = 0;
    while (space < text.len && memchr(" \t\r\n", text.ptr[space], 4) != NULL)
        space++;
    reader->batch = space < text.len && text.ptr[space] == '[';
    if (reader->batch)
        (void)pl_json_next(&reader->json); // the array begins
}

enum grain_read grain_reader_next(struct grain_reader *r, struct grain_request *request, struct pl_error *err)
{
    enum pl_json_event event = pl_json_next(&r->json);
    if (event == PL_JSON_ARRAY_END)
        event = pl_json_next(&r->json);
    if (event == PL_JSON_END)
        return GRAIN_READ_END;
    if (event == PL_JSON_BAD) {
        bad_json(r, err);
        return GRAIN_READ_BAD;
    }
    if (r->items == GRAIN_BATCH_MAX) {
        pl_fail(err, PL_E_LIMIT, "A batch may have at most %d calculations.", GRAIN_BATCH_MAX);
        return GRAIN_READ_BAD;
    }
    return take_item(r, event, request, err);
}
