// What the interpreters know, as the public header shows it: languages, commands, diagnostics, the scene as text.
#include <stdlib.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "render/options.h"
#include "render/render.h"

const struct pl_lang *pl_language(enum platen_language language)
{
    return pl_lang_at((uint32_t)language - 1);
}

bool platen_language_names(enum platen_language language, const char **name, const char **title)
{
    if (!name || !title)
        return false;
    const struct pl_lang *l = pl_language(language);
    if (l) {
        *name = l->name;
        *title = l->title;
    }
    return l != NULL;
}

enum platen_language platen_document_language(const struct platen_document *document)
{
    if (!document)
        return PLATEN_LANGUAGE_DETECT;
    uint32_t index = 0;
    while (pl_lang_at(index) != document->language)
        index++;
    return (enum platen_language)(index + 1);
}

static const struct pl_lang_command *find_command(enum platen_language language, uint32_t index)
{
    const struct pl_lang *l = pl_language(language);
    return l ? l->commands.at(index) : NULL;
}

static const struct pl_lang_param *find_parameter(const struct pl_lang_command *command, uint32_t index)
{
    return command && index < command->param_count && command->params[index].name ? &command->params[index] : NULL;
}

uint32_t platen_command_count(enum platen_language language)
{
    uint32_t count = 0;
    while (find_command(language, count))
        count++;
    return count;
}

bool(platen_command_at)(enum platen_language language, uint32_t index, struct platen_command *out, size_t size)
{
    if (!out)
        return false;
    static const char *const SUPPORT[] = {"full", "partial", "no effect"};
    const struct pl_lang_command *c = find_command(language, index);
    if (!c)
        return false;
    struct platen_command result = {.name = c->title,
                                    .support = (enum platen_support)c->support,
                                    .support_name = SUPPORT[c->support],
                                    .summary = c->summary,
                                    .note = c->note,
                                    .parameter_count = find_parameter(c, 0) ? c->param_count : 0};
    return pl_give(out, size, &result, sizeof result);
}

bool(platen_command_parameter_at)(enum platen_language language, uint32_t command, uint32_t index,
                                  struct platen_command_parameter *out, size_t size)
{
    if (!out)
        return false;
    static const char *const TYPES[] = {"dots", "number", "choice", "character", "text", "object", "data"};
    const struct pl_lang_command *c = find_command(language, command);
    const struct pl_lang_param *p = find_parameter(c, index);
    if (!p)
        return false;
    struct platen_command_parameter result =
        (struct platen_command_parameter){.name = p->name,
                                          .type = TYPES[p->type],
                                          .has_range = p->type == PL_LANG_DOTS || p->type == PL_LANG_NUMBER,
                                          .min = p->min,
                                          .max = p->max,
                                          .values = p->values,
                                          .fallback = p->fallback,
                                          .about = pl_lang_about_param(pl_language(language), c, p)};
    return pl_give(out, size, &result, sizeof result);
}

const char *platen_command_value_about(enum platen_language language, uint32_t command, uint32_t index, char value,
                                       size_t *length)
{
    const struct pl_lang_command *c = find_command(language, command);
    const struct pl_lang_param *p = find_parameter(c, index);
    if (!length)
        return "";
    *length = 0;
    return p ? pl_lang_about_value(pl_language(language), c, p, value, length) : "";
}

uint32_t platen_diagnostic_kind_count(void)
{
    return PL_DIAG_COUNT;
}

bool platen_diagnostic_kind_at(uint32_t index, const char **code, enum platen_severity *severity, const char **summary)
{
    if (index >= PL_DIAG_COUNT || !code || !severity || !summary)
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
    if (!document || !out)
        return pl_null_argument(err, __func__);
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
    if (!name || !summary)
        return false;
    uint32_t count;
    const struct pl_rule_set *sets = pl_rule_sets(&count);
    if (index >= count)
        return false;
    *name = sets[index].name;
    *summary = sets[index].summary;
    return true;
}

bool(platen_printer_model_at)(uint32_t index, struct platen_printer_model *out, size_t size)
{
    uint32_t count;
    const struct pl_model *models = pl_models(&count);
    if (!out || index >= count)
        return false;
    const struct pl_model *m = &models[index];
    struct platen_printer_model result = {.name = m->name,
                                          .title = m->title,
                                          .dpmm = m->dpmm,
                                          .head = m->head,
                                          .head_is_measured = m->measured,
                                          .has_rfid = m->rfid,
                                          .has_ribbon = m->transfer,
                                          .longest_mm = m->longest};
    return pl_give(out, size, &result, sizeof result);
}
