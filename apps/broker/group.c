// Writing and reading groups of rows.
#include "group.h"

#include <string.h>

#include "base/fmt.h"

#define LINE_MOST 256u // bytes of a row's line
#define NO_WORD "-"    // of what a job does not have

enum { AT_MARK = ACCOUNT_MARK_SIZE - 1 };

static struct pl_slice word_or_none(struct pl_slice word)
{
    return word.len > 0 ? word : pl_slice_cstr(NO_WORD);
}

void group_put(struct pl_buf *out, const struct group_row *row)
{
    char mark[ACCOUNT_PROVEN_SIZE];
    account_proven_write(&row->mark, mark);
    pl_buf_append(out, mark, AT_MARK);
    pl_buf_append_byte(out, ' ');
    pl_buf_append_u64(out, row->sequence);
    pl_buf_append_cstr(out, row->ok ? " ok " : " error ");
    pl_buf_append_slice(out, word_or_none(row->type));
    pl_buf_append_byte(out, ' ');
    pl_buf_append_slice(out, word_or_none(row->ending));
    pl_buf_append_byte(out, ' ');
    pl_buf_append_u64(out, row->id.len);
    pl_buf_append_byte(out, ' ');
    pl_buf_append_u64(out, row->body.len);
    if (row->mark.proof != 0) // with the blank before it
        pl_buf_append_cstr(out, mark + AT_MARK);
    pl_buf_append_byte(out, '\n');
    pl_buf_append_slice(out, row->id);
    pl_buf_append_slice(out, row->body);
}

// A type or an ending. False: it has other characters than those have.
static bool take_name(struct pl_slice *line, struct pl_slice *out)
{
    *out = pl_slice_until(line, ' ');
    for (size_t i = 0; i < out->len; i++) {
        if (out->ptr[i] <= ' ' || out->ptr[i] >= 0x7F)
            return false;
    }
    if (pl_slice_eq_cstr(*out, NO_WORD))
        *out = pl_slice_make("", 0);
    return true;
}

// Takes `len` bytes. False: there are not so many.
static bool take_bytes(struct pl_slice *rest, uint64_t len, struct pl_slice *out)
{
    if (len > rest->len)
        return false;
    *out = pl_slice_sub(*rest, 0, (size_t)len);
    *rest = pl_slice_sub(*rest, (size_t)len, rest->len);
    return true;
}

bool group_next(struct pl_slice *rest, struct group_row *out)
{
    const uint8_t *end = rest->len > 0 ? memchr(rest->ptr, '\n', rest->len < LINE_MOST ? rest->len : LINE_MOST) : NULL;
    if (!end || end - rest->ptr <= AT_MARK || rest->ptr[AT_MARK] != ' ')
        return false;
    struct pl_slice line = pl_slice_sub(*rest, 0, (size_t)(end - rest->ptr)), after = *rest;
    uint64_t id_len, body_len;
    *out = (struct group_row){0};
    after = pl_slice_sub(after, line.len + 1, after.len);
    bool ok = account_mark_read(pl_slice_sub(line, 0, AT_MARK), &out->mark);
    line = pl_slice_sub(line, AT_MARK + 1, line.len);
    ok = ok && pl_parse_u64(pl_slice_until(&line, ' '), &out->sequence);
    out->ok = pl_slice_eq_cstr(pl_slice_until(&line, ' '), "ok");
    ok = ok && take_name(&line, &out->type) && take_name(&line, &out->ending);
    ok = ok && pl_parse_u64(pl_slice_until(&line, ' '), &id_len) &&
         pl_parse_u64(pl_slice_until(&line, ' '), &body_len) &&
         (line.len == 0 || account_token_read(line, &out->mark.proof)) && take_bytes(&after, id_len, &out->id) &&
         take_bytes(&after, body_len, &out->body) && pl_id_usable(out->id);
    if (ok)
        *rest = after;
    return ok;
}

bool group_usable(struct pl_slice body, uint32_t *count)
{
    struct group_row row;
    *count = 0;
    while (body.len > 0 && *count <= GROUP_ROWS_MOST) {
        if (!group_next(&body, &row))
            return false;
        *count += 1;
    }
    return *count > 0 && *count <= GROUP_ROWS_MOST;
}
