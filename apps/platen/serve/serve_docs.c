// Filling and publishing /openapi.json, /llms.txt and /llms-full.txt; the way to /docs/.
#include "serve_docs.h"

#include <string.h>

#include "answer/commands_json.h"
#include "answer/models_json.h"
#include "base/ckd.h"
#include "http/route/docs.h"
#include "request/conversion.h"

extern const struct http_embedded platen_docs[];

static void put_name(struct pl_buf *out, const struct conversion_fields *fields, size_t i)
{
    pl_buf_append_cstr(out, i > 0 ? "," : "");
    pl_buf_append_json_string(out, pl_slice_cstr(fields->rows[i].name));
    pl_buf_append_byte(out, ':');
}

// As members of an object: "dpmm":{...}.
static void put_properties(struct pl_buf *out, const struct conversion_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        put_name(out, fields, i);
        control_put_schema(&fields->rows[i], true, out);
    }
}

static void put_parameter(struct pl_buf *out, const struct control_row *row)
{
    pl_buf_append_cstr(out, "{\"in\":\"query\",\"name\":");
    pl_buf_append_json_string(out, pl_slice_cstr(row->name));
    pl_buf_append_cstr(out, ",\"required\":false,\"schema\":");
    control_put_schema(row, false, out);
    pl_buf_append_byte(out, '}');
}

// As query parameters that can be referred to, or in their place.
static void put_named_parameters(struct pl_buf *out, const struct conversion_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        put_name(out, fields, i);
        put_parameter(out, &fields->rows[i]);
    }
}

static void put_parameters(struct pl_buf *out, const struct conversion_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        pl_buf_append_cstr(out, i > 0 ? "," : "");
        put_parameter(out, &fields->rows[i]);
    }
}

#define CONTROLS ((const struct conversion_fields){control_row((enum control)0), CONTROL_COUNT})
#define WRITES(name, put, fields)                                                                                      \
    static void write_##name(struct pl_buf *out, void *user)                                                           \
    {                                                                                                                  \
        (void)user;                                                                                                    \
        put(out, &(fields));                                                                                           \
    }
// {{control_properties}} and so on: the members of RenderRequest beside zpl, options of conversions and of comparing.
WRITES(properties, put_properties, CONTROLS)
WRITES(parameters, put_named_parameters, CONTROLS)
WRITES(code_parameters, put_parameters, CODE_FIELDS)
WRITES(code_properties, put_properties, CODE_FIELDS)
WRITES(graphic_parameters, put_parameters, GRAPHIC_FIELDS)
WRITES(font_parameters, put_parameters, FONT_FIELDS)
WRITES(font_properties, put_properties, FONT_FIELDS)
WRITES(compare_properties, put_properties, COMPARE_FIELDS)

static void references_from(struct pl_buf *out, int first)
{
    for (int i = first; i < CONTROL_COUNT; i++)
        pl_buf_printf(out, "%s{\"$ref\":\"#/components/parameters/%s\"}", i > first ? "," : "",
                      control_row((enum control)i)->name);
}

// {{control_references}}: references to those parameters.
static void write_references(struct pl_buf *out, void *user)
{
    (void)user;
    references_from(out, 0);
}

// {{control_references_of_path}}: the same where the path names the format, which wins.
static void write_references_of_path(struct pl_buf *out, void *user)
{
    (void)user;
    _Static_assert(CONTROL_FORMAT == 0, "the format is the first control");
    references_from(out, CONTROL_FORMAT + 1);
}

// {{control_table}}: a Markdown table.
static void write_table(struct pl_buf *out, void *user)
{
    (void)user;
    pl_buf_append_cstr(out, "| name | aliases | default | allowed | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        char room[CONTROL_ALLOWED_MAX];
        pl_buf_printf(out, "| `%s` | ", row->name);
        for (const char *alias = row->aliases ? row->aliases : ""; *alias;) {
            size_t n = strcspn(alias, " ");
            pl_buf_printf(out, "%s`%.*s`", alias == row->aliases ? "" : ", ", (int)n, alias);
            alias += n + (alias[n] == ' ');
        }
        pl_buf_append_cstr(out, " | ");
        control_put_default(row, out);
        pl_buf_printf(out, " | %s | ", control_allowed(row, room));
        control_put_description(row, out);
        pl_buf_append_cstr(out, " |\n");
    }
}

// {{output_table}}: formats and their types.
static void write_outputs(struct pl_buf *out, void *user)
{
    (void)user;
    static const char *const bodies[OUTPUT_COUNT] = {
        "one label, 1-bit grey (8-bit with quality=grayscale), density set",
        "one label, greyscale, density set",
        "one label, lossless",
        "every label, one page each; text and barcode data can be searched and copied",
        "metadata, every label as a base64 PNG, its elements with placement checks, diagnostics",
        "metadata and every label as a base64 PNG",
    };
    pl_buf_append_cstr(out, "| format | Content-Type | body |\n|---|---|---|\n");
    for (int i = 0; i < OUTPUT_COUNT; i++)
        pl_buf_printf(out, "| `%s` | %s | %s |\n", output_name((enum output)i), output_mime((enum output)i), bodies[i]);
}

// {{writing_zpl}}: docs/writing-zpl.md.
static void write_guide(struct pl_buf *out, void *user)
{
    (void)user;
    pl_buf_append_slice(out, http_embedded_find(platen_docs, "writing-zpl.md"));
}

// Frees the table.
static enum pl_errc publish_table(struct http_server *server, struct pl_buf *table, const char *path,
                                  const char *summary, struct pl_error *err)
{
    enum pl_errc code = pl_buf_check(table, err);
    if (code == PL_OK)
        code = http_publish(server, path, "application/json", pl_buf_slice(table), summary, err);
    pl_buf_fini(table);
    return code;
}

static enum pl_errc publish_models(struct http_server *server, struct pl_error *err)
{
    struct pl_buf table;
    pl_buf_init(&table, 1 << 20);
    models_json_all(&table);
    return publish_table(server, &table, "/api/printer-models", "The printer models that printerModel can name.", err);
}

static enum pl_errc publish_commands(struct http_server *server, struct pl_error *err)
{
    static const struct {
        enum platen_language language;
        const char *path, *summary;
    } TABLES[] = {
        {PLATEN_LANGUAGE_ZPL, "/api/commands",
         "Every ZPL II command with its parameters and how far it is carried out."},
        {PLATEN_LANGUAGE_EPL, "/api/commands/epl", "The same for EPL2."},
        {PLATEN_LANGUAGE_TSPL, "/api/commands/tspl", "The same for TSPL."},
        {PLATEN_LANGUAGE_CPCL, "/api/commands/cpcl", "The same for CPCL."},
    };
    for (size_t i = 0; i < PL_COUNTOF(TABLES); i++) {
        if (platen_command_count(TABLES[i].language) == 0)
            continue;
        struct pl_buf table;
        pl_buf_init(&table, 4 << 20);
        commands_json_all(&table, TABLES[i].language);
        PL_TRY(publish_table(server, &table, TABLES[i].path, TABLES[i].summary, err));
    }
    return PL_OK;
}

int serve_docs_to_folder(struct http_request *req, struct http_response *res)
{
    (void)req;
    // Relative, so that it also holds under a sub-path behind a proxy.
    http_set_header_cstr(res, "Location", "docs/");
    http_body_borrow(res, pl_slice_make("", 0));
    return 308;
}

enum pl_errc serve_docs_publish(struct http_server *server, struct service *service, struct pl_error *err)
{
    static const struct http_doc_var variables[] = {
        {"control_properties", write_properties},
        {"control_parameters", write_parameters},
        {"control_references", write_references},
        {"control_references_of_path", write_references_of_path},
        {"code_parameters", write_code_parameters},
        {"code_properties", write_code_properties},
        {"graphic_parameters", write_graphic_parameters},
        {"font_parameters", write_font_parameters},
        {"font_properties", write_font_properties},
        {"compare_properties", write_compare_properties},
        {"control_table", write_table},
        {"output_table", write_outputs},
        {"writing_zpl", write_guide},
    };
    static const struct {
        const char *path, *type, *file, *summary;
    } documents[] = {
        {"/openapi.json", "application/json", "openapi.json", "This interface as an OpenAPI 3.1 document."},
        {"/llms.txt", "text/plain; charset=utf-8", "llms.txt", "What the service does, in short, for language models."},
        {"/llms-full.txt", "text/plain; charset=utf-8", "llms-full.txt", "The same in full, with examples."},
    };
    for (size_t i = 0; i < PL_COUNTOF(documents); i++)
        PL_TRY(http_docs_publish(server, documents[i].path, documents[i].type,
                                 http_embedded_find(platen_docs, documents[i].file), variables, PL_COUNTOF(variables),
                                 service, documents[i].summary, err));
    PL_TRY(publish_commands(server, err));
    return publish_models(server, err);
}
