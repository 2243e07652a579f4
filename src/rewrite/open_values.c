// Where label code leaves values open: {{name}} in data and parameters, ^FN.
#include <string.h>

#include "rewrite/fill.h"

size_t rw_placeholder(struct pl_slice s, size_t at, struct pl_slice *name)
{
    if (s.len - at < 5 || s.ptr[at] != '{' || s.ptr[at + 1] != '{')
        return 0;
    for (size_t end = at + 2; end + 1 < s.len && end - at < 100; end++) {
        if (s.ptr[end] == '}' && s.ptr[end + 1] == '}') {
            *name = pl_slice_trim(pl_slice_sub(s, at + 2, end - at - 2));
            return name->len ? end + 2 - at : 0;
        }
    }
    return 0;
}

bool rw_has_placeholder(struct pl_slice data)
{
    struct pl_slice name;
    for (size_t i = 0; i < data.len; i++) {
        if (rw_placeholder(data, i, &name))
            return true;
    }
    return false;
}

bool rw_number_value(const struct rw_row *row, const struct rw_command *c, struct pl_slice *name,
                     struct pl_slice *value)
{
    struct pl_slice item = c->item_count ? c->items[0] : pl_slice_make("", 0);
    const uint8_t *quote = item.len ? memchr(item.ptr, '"', item.len) : NULL;
    struct pl_slice digits = pl_slice_trim(quote ? pl_slice_make(item.ptr, (size_t)(quote - item.ptr)) : item);
    *name = digits;
    if (quote) {
        struct pl_slice prompt = pl_slice_sub(item, (size_t)(quote - item.ptr) + 1, item.len);
        const uint8_t *end = memchr(prompt.ptr, '"', prompt.len);
        prompt.len = end ? (size_t)(end - prompt.ptr) : prompt.len;
        *name = prompt;
        if (rw_row_value(row, prompt, value))
            return true;
    }
    if (rw_row_value(row, digits, value))
        return true;
    while (digits.len > 1 && digits.ptr[0] == '0') // ^FN07 is ^FN7
        digits = pl_slice_sub(digits, 1, digits.len);
    return rw_row_value(row, digits, value);
}

bool rw_has_open_items(const struct rw_command *c)
{
    for (uint32_t i = 0; i < c->item_count; i++) {
        if (rw_has_placeholder(c->items[i]))
            return true;
    }
    return false;
}

bool rw_takes_value(const struct rw_command *c)
{
    return rw_is(c, "^FN") || rw_has_placeholder(c->data) || rw_has_open_items(c);
}

bool rw_lacks_values(const struct rw_document *doc)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^FN") || rw_is(c, "^DF") || rw_has_placeholder(c->data))
            return true;
    }
    return false;
}
