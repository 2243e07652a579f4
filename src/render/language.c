// What the interpreter knows, as the public header shows it: commands, diagnostics, the scene as text.
#include <stdlib.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "render/render.h"
#include "zpl/cmd_words.h"
#include "zpl/zpl.h"

uint32_t platen_command_count(void)
{
    return pl_zpl_command_count();
}

bool platen_command_at(uint32_t index, struct platen_command *out)
{
    static const char *const SUPPORT[] = {"full", "partial", "no effect"};
    const struct pl_zpl_command *c = pl_zpl_command_at(index);
    if (!c)
        return false;
    out->name = c->title;
    out->support = (enum platen_support)c->support;
    out->support_name = SUPPORT[c->support];
    out->summary = c->summary;
    out->note = c->note;
    out->parameter_count = c->params[0].name ? c->param_count : 0;
    return true;
}

bool platen_command_parameter_at(uint32_t command, uint32_t index, struct platen_command_parameter *out)
{
    static const char *const TYPES[] = {"dots", "number", "choice", "character", "text", "object", "data"};
    const struct pl_zpl_command *c = pl_zpl_command_at(command);
    if (!c || index >= c->param_count || !c->params[index].name)
        return false;
    const struct pl_zpl_param *p = &c->params[index];
    out->name = p->name;
    out->type = TYPES[p->type];
    out->has_range = p->type == PL_ZPL_DOTS || p->type == PL_ZPL_NUMBER;
    out->min = p->min;
    out->max = p->max;
    out->values = p->values;
    out->fallback = p->fallback;
    out->about = pl_zpl_param_words(c, p);
    return true;
}

const char *platen_command_value_about(uint32_t command, uint32_t index, char value, size_t *length)
{
    const struct pl_zpl_command *c = pl_zpl_command_at(command);
    *length = 0;
    if (!c || index >= c->param_count || !c->params[index].name)
        return "";
    return pl_zpl_value_words(c, &c->params[index], value, length);
}

uint32_t platen_diagnostic_kind_count(void)
{
    return PL_DIAG_COUNT;
}

bool platen_diagnostic_kind_at(uint32_t index, const char **code, enum platen_severity *severity, const char **summary)
{
    if (index >= PL_DIAG_COUNT)
        return false;
    const struct pl_diag_info *info = pl_diag_info((enum pl_diag_id)index);
    *code = info->code;
    *severity = (enum platen_severity)info->severity;
    *summary = info->summary;
    return true;
}

const char *platen_severity_name(enum platen_severity severity)
{
    return severity == PLATEN_ERROR ? "error" : severity == PLATEN_WARNING ? "warning" : "info";
}

enum platen_status platen_dump_scene(const struct platen_document *document, struct platen_buffer *out,
                                     struct platen_error *err)
{
    struct pl_buf text;
    pl_buf_init(&text, (size_t)256 << 20);
    pl_scene_dump(&document->scene, &text);
    struct pl_error inner = {0};
    enum pl_errc code = pl_buf_check(&text, &inner);
    out->size = 0;
    if (code == PL_OK && text.len + 1 > out->capacity) {
        uint8_t *grown = realloc(out->data, text.len + 1);
        if (grown) {
            out->data = grown;
            out->capacity = text.len + 1;
        } else {
            code = pl_fail_memory(&inner);
        }
    }
    if (code == PL_OK) {
        if (text.len)
            memcpy(out->data, text.data, text.len);
        out->data[text.len] = '\0';
        out->size = text.len;
    }
    pl_buf_fini(&text);
    return pl_public_status(code, &inner, err);
}

bool platen_rule_set_at(uint32_t index, const char **name, const char **summary)
{
    uint32_t count;
    const struct pl_rule_set *sets = pl_rule_sets(&count);
    if (index >= count)
        return false;
    *name = sets[index].name;
    *summary = sets[index].summary;
    return true;
}
