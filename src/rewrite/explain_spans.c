// Each command of EPL2, TSPL and CPCL in words, by the outline of its language: that says which parameter a value is.
#include "base/fmt.h"
#include "base/json_writer.h"
#include "rewrite/passes.h"

#define COMMANDS_A_CHECK 256u // of the job
#define UNKNOWN_SHOWN 16u

struct explain {
    struct pl_slice input;
    double dpmm;
    struct pl_buf *out;
    struct pl_json_writer json;
    bool is_json;
    const struct pl_job *job;
    uint32_t count;
    struct pl_error *err;
    enum pl_errc code;
};

struct item {
    const struct pl_lang_param *param; // NULL: it has no name
    struct pl_slice value;
    double mm;
    bool has_mm;
};

static struct pl_slice text_of(const struct explain *e, struct pl_lang_part part)
{
    return pl_slice_sub(e->input, part.offset, part.length);
}

// False: there is no value, or it is the name of the option whose value follows.
static bool read_item(const struct explain *e, const struct pl_lang_span *span, uint32_t i, struct item *out)
{
    const struct pl_lang_command *about = span->command;
    uint32_t param = span->params[i] ? span->params[i] - 1u : i;
    int64_t dots;
    *out = (struct item){.value = text_of(e, span->items[i])};
    if (param < about->param_count && about->params[param].name)
        out->param = &about->params[param];
    out->has_mm = out->param && out->param->type == PL_LANG_DOTS && span->in_dots && pl_parse_i64(out->value, &dots);
    out->mm = out->has_mm ? (double)dots / e->dpmm : 0;
    return out->value.len > 0 && !(out->param && pl_slice_eq_cstr(out->value, out->param->name));
}

// The first word of what is no command.
static struct pl_slice first_word(const struct explain *e, const struct pl_lang_span *span)
{
    struct pl_slice text = pl_slice_sub(e->input, span->start, span->end - span->start);
    size_t n = 0;
    while (n < text.len && n < UNKNOWN_SHOWN && text.ptr[n] > ' ' && text.ptr[n] < 0x7F)
        n++;
    return pl_slice_sub(text, 0, n);
}

static const char *summary_of(const struct pl_lang_span *span)
{
    if (span->command)
        return span->command->summary;
    return span->otherwise ? span->otherwise : "Not a command";
}

static void put_items(struct explain *e, const struct pl_lang_span *span)
{
    const struct pl_lang_param *last = NULL;
    struct item item;
    bool first = true;
    for (uint32_t i = 0; i < span->item_count; i++) {
        if (!read_item(e, span, i, &item))
            continue;
        bool goes_on = item.param && item.param == last; // one of several options
        pl_buf_append_cstr(e->out, first ? ": " : goes_on ? " " : ", ");
        first = false;
        if (item.param && !goes_on)
            pl_buf_printf(e->out, "%s ", item.param->name);
        last = item.param;
        rw_put_shown(e->out, item.value);
        if (item.has_mm && item.mm != 0) {
            pl_buf_append_cstr(e->out, " dots (");
            pl_buf_append_fixed(e->out, item.mm, 2);
            pl_buf_append_cstr(e->out, " mm)");
        }
    }
    if (span->data.length > 0) {
        pl_buf_append_cstr(e->out, first ? ": " : ", ");
        rw_put_shown(e->out, text_of(e, span->data));
    }
}

static void explain_text(struct explain *e, const struct pl_lang_span *span, struct pl_slice name)
{
    pl_buf_append_slice(e->out, name);
    for (size_t i = name.len; i < 4; i++)
        pl_buf_append_byte(e->out, ' ');
    const char *words = summary_of(span);
    size_t length = strlen(words);
    pl_buf_append_byte(e->out, ' ');
    pl_buf_append(e->out, words, length - (length > 0 && words[length - 1] == '.'));
    if (span->command)
        put_items(e, span);
    pl_buf_append_byte(e->out, '\n');
}

static void explain_json(struct explain *e, const struct pl_lang_span *span, struct pl_slice name)
{
    struct pl_json_writer *json = &e->json;
    struct item item;
    pl_json_object(json);
    pl_json_kv_slice(json, "command", name);
    pl_json_kv_u64(json, "offset", span->start);
    pl_json_kv_u64(json, "length", span->end - span->start);
    pl_json_kv_bool(json, "known", span->command != NULL);
    pl_json_kv_cstr(json, "summary", summary_of(span));
    pl_json_kv_array(json, "parameters");
    for (uint32_t i = 0; span->command && i < span->item_count; i++) {
        if (!read_item(e, span, i, &item))
            continue;
        pl_json_object(json);
        pl_json_kv_cstr(json, "name", item.param ? item.param->name : "");
        pl_json_kv_slice(json, "value", item.value);
        if (item.has_mm) {
            pl_json_key(json, "mm");
            pl_json_fixed(json, item.mm, 3);
        }
        pl_json_end(json);
    }
    pl_json_end(json);
    if (span->data.length > 0)
        pl_json_kv_slice(json, "data", text_of(e, span->data));
    pl_json_end(json);
}

static bool visit(void *user, const struct pl_lang_span *span)
{
    struct explain *e = user;
    if (e->count++ % COMMANDS_A_CHECK == 0)
        e->code = pl_job_check(e->job, e->err);
    if (e->code != PL_OK || e->out->failed)
        return false;
    struct pl_slice name = span->command ? pl_slice_cstr(span->name) : first_word(e, span);
    if (e->is_json)
        explain_json(e, span, name);
    else
        explain_text(e, span, name);
    return true;
}

enum pl_errc rw_explain_spans(const struct pl_lang *language, struct pl_slice input, const struct pl_job *job,
                              double dpmm, bool json, struct pl_buf *out, struct pl_error *err)
{
    struct explain e = {.input = input, .dpmm = dpmm, .out = out, .is_json = json, .job = job, .err = err};
    pl_json_writer_init(&e.json, out);
    if (json)
        pl_json_array(&e.json);
    language->outline(input, visit, &e);
    if (json)
        pl_json_end(&e.json);
    PL_TRY(e.code);
    return pl_buf_check(out, err);
}
