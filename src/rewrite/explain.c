// Each command of ZPL in words: what it does, and what its parameters are, for people and for programs that write
// labels.
#include "base/fmt.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "lang/zpl/args.h"
#include "rewrite/passes.h"

#define DATA_SHOWN 120
#define COMMANDS_A_CHECK 256u // of the job

struct explain {
    double dpmm;
    bool in_dots;
    struct pl_buf *out;
    struct pl_json_writer json;
    bool is_json;
};

static const struct pl_lang_param *param_of(const struct rw_command *c, uint32_t item)
{
    return c->row && item < c->row->info.param_count && c->row->info.params[item].name ? &c->row->info.params[item]
                                                                                       : NULL;
}

// A length in dots as millimetres. False: it is none.
static bool mm_of(const struct explain *e, const struct rw_command *c, uint32_t item, double *mm)
{
    const struct pl_lang_param *p = param_of(c, item);
    int64_t value;
    bool clean;
    if (!p || p->type != PL_LANG_DOTS || !e->in_dots || !zpl_parse_number(c->items[item], &value, &clean))
        return false;
    *mm = (double)value / 10000 / e->dpmm;
    return true;
}

void rw_put_shown(struct pl_buf *out, struct pl_slice s)
{
    size_t n = s.len < DATA_SHOWN ? s.len : DATA_SHOWN;
    while (n < s.len && n > 0 && (s.ptr[n] & 0xC0) == 0x80)
        n--;
    for (size_t i = 0; i < n;) {
        size_t from = i;
        uint32_t cp = pl_utf8_next(s, &i);
        if (cp == '\r' && i < s.len && s.ptr[i] == '\n')
            continue; // one line end
        if (cp == '\n' || cp == '\r')
            pl_buf_append_cstr(out, " / ");
        else if (cp == PL_UTF8_BAD || cp < 0x20 || i > n)
            pl_buf_append_byte(out, '?');
        else
            pl_buf_append(out, s.ptr + from, i - from);
        if (i > n)
            break;
    }
    if (n < s.len)
        pl_buf_append_cstr(out, "...");
}

static void put_name(struct pl_buf *out, const struct rw_command *c)
{
    pl_buf_append_byte(out, (uint8_t)c->prefix);
    pl_buf_append_byte(out, c->first > 0x20 && c->first < 0x7F ? c->first : '?');
    if (c->second)
        pl_buf_append_byte(out, c->second > 0x20 && c->second < 0x7F ? c->second : '?');
}

static void text_items(struct explain *e, const struct rw_command *c)
{
    bool first = true;
    for (uint32_t i = 0; i < c->item_count; i++) {
        const struct pl_lang_param *p = param_of(c, i);
        if (!rw_has(c, i))
            continue;
        pl_buf_append_cstr(e->out, first ? ": " : ", ");
        first = false;
        if (p) {
            pl_buf_append_cstr(e->out, p->name);
            pl_buf_append_byte(e->out, ' ');
        }
        rw_put_shown(e->out, c->items[i]);
        double mm;
        if (mm_of(e, c, i, &mm) && mm != 0) {
            pl_buf_append_cstr(e->out, " dots (");
            pl_buf_append_fixed(e->out, mm, 2);
            pl_buf_append_cstr(e->out, " mm)");
        }
    }
    if (c->has_data && c->kind == ZPL_LEX_DATA) {
        pl_buf_append_cstr(e->out, ": \"");
        rw_put_shown(e->out, c->data);
        pl_buf_append_byte(e->out, '"');
    } else if (c->has_data) {
        pl_buf_printf(e->out, ", %zu bytes of data", c->data.len);
    }
}

static void explain_text(struct explain *e, const struct rw_command *c)
{
    struct pl_buf *out = e->out;
    put_name(out, c);
    for (size_t i = c->second ? 3 : 2; i < 5; i++)
        pl_buf_append_byte(out, ' ');
    pl_buf_append_cstr(out, c->row ? c->row->info.summary : "Not a ZPL II command; it is skipped");
    if (rw_is_font(c) && c->second)
        pl_buf_printf(out, ": font %c", c->second > 0x20 && c->second < 0x7F ? c->second : '?');
    if (c->row && !c->no_parameters)
        text_items(e, c);
    pl_buf_append_byte(out, '\n');
}

static void json_items(struct explain *e, const struct rw_command *c)
{
    struct pl_json_writer *json = &e->json;
    pl_json_kv_array(json, "parameters");
    for (uint32_t i = 0; i < c->item_count && !c->no_parameters && c->row; i++) {
        const struct pl_lang_param *p = param_of(c, i);
        if (!rw_has(c, i))
            continue;
        pl_json_object(json);
        pl_json_kv_cstr(json, "name", p ? p->name : "");
        pl_json_kv_slice(json, "value", c->items[i]);
        double mm;
        if (mm_of(e, c, i, &mm)) {
            pl_json_key(json, "mm");
            pl_json_fixed(json, mm, 3);
        }
        pl_json_end(json);
    }
    pl_json_end(json);
}

static void explain_json(struct explain *e, const struct rw_command *c)
{
    struct pl_json_writer *json = &e->json;
    char name[4] = {c->prefix, (char)c->first, (char)c->second, '\0'};
    pl_json_object(json);
    pl_json_kv_cstr(json, "command", name);
    pl_json_kv_u64(json, "offset", c->start);
    pl_json_kv_u64(json, "length", c->end - c->start);
    pl_json_kv_bool(json, "known", c->row != NULL);
    pl_json_kv_cstr(json, "summary", c->row ? c->row->info.summary : "Not a ZPL II command; it is skipped");
    json_items(e, c);
    if (c->has_data && c->kind == ZPL_LEX_DATA)
        pl_json_kv_slice(json, "data", c->data);
    else if (c->has_data)
        pl_json_kv_u64(json, "dataBytes", c->data.len);
    pl_json_end(json);
}

enum pl_errc rw_explain(const struct rw_document *doc, double dpmm, bool json, struct pl_buf *out, struct pl_error *err)
{
    struct explain e = {.dpmm = dpmm, .in_dots = true, .out = out, .is_json = json};
    pl_json_writer_init(&e.json, out);
    if (json)
        pl_json_array(&e.json);
    for (uint32_t i = 0; i < doc->count && !out->failed; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (i % COMMANDS_A_CHECK == 0)
            PL_TRY(pl_job_check(doc->job, err));
        if (rw_is(c, "^MU") && rw_has(c, 0))
            e.in_dots = (c->items[0].ptr[0] & 0xDF) == 'D';
        if (json)
            explain_json(&e, c);
        else
            explain_text(&e, c);
    }
    if (json)
        pl_json_end(&e.json);
    return pl_buf_check(out, err);
}
