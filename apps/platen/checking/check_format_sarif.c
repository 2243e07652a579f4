// SARIF 2.1.0, for code scanning: one run, with a rule for each code.
#include <string.h>

#include "base/json_writer.h"
#include "check_escape.h"
#include "check_format.h"

static const char *const LEVELS[] = {"note", "warning", "error"};

void check_sarif_open(const char *docs_url, struct pl_buf *out)
{
    struct pl_json_writer json;
    struct check_code code;
    struct pl_buf uri;
    pl_buf_append_cstr(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
                            "\"runs\":[{\"columnKind\":\"utf16CodeUnits\",\"tool\":{\"driver\":{\"name\":\"platen\",");
    pl_buf_append_cstr(out, "\"version\":");
    pl_buf_append_json_string(out, pl_slice_cstr(platen_version()));
    pl_buf_append_cstr(out, ",\"rules\":");
    pl_buf_init(&uri, 4096);
    pl_json_writer_init(&json, out);
    pl_json_array(&json);
    for (uint32_t i = 0; check_code_at(i, &code); i++) {
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "id", code.code);
        pl_json_key(&json, "shortDescription");
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "text", code.summary);
        pl_json_end(&json);
        pl_buf_clear(&uri);
        pl_buf_printf(&uri, "%s/findings.html#%s", docs_url ? docs_url : "", code.code);
        if (docs_url)
            pl_json_kv_slice(&json, "helpUri", pl_buf_slice(&uri));
        pl_json_key(&json, "defaultConfiguration");
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "level", LEVELS[code.severity]);
        pl_json_end(&json);
        pl_json_end(&json);
    }
    pl_json_end(&json);
    pl_buf_fini(&uri);
    pl_buf_append_cstr(out, "}},\"results\":[\n");
}

static void put_location(struct pl_json_writer *json, const char *path, const struct check_finding *f)
{
    struct pl_buf uri;
    pl_buf_init(&uri, (size_t)64 << 10);
    check_put_uri(&uri, strcmp(path, "-") == 0 ? "stdin" : path);
    pl_json_key(json, "locations");
    pl_json_array(json);
    pl_json_object(json);
    pl_json_key(json, "physicalLocation");
    pl_json_object(json);
    pl_json_key(json, "artifactLocation");
    pl_json_object(json);
    pl_json_kv_slice(json, "uri", pl_buf_slice(&uri));
    pl_json_end(json);
    if (f->d.line > 0) {
        pl_json_key(json, "region");
        pl_json_object(json);
        pl_json_kv_u64(json, "startLine", f->d.line);
        pl_json_kv_u64(json, "startColumn", f->column_utf16);
        pl_json_kv_u64(json, "byteOffset", f->d.offset);
        pl_json_kv_u64(json, "byteLength", f->d.length);
        pl_json_end(json);
    }
    pl_json_end(json);
    pl_json_end(json);
    pl_json_end(json);
    pl_buf_fini(&uri);
}

void check_sarif_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    struct pl_buf text;
    pl_buf_init(&text, (size_t)64 << 10);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct check_finding *f = &all->items[i];
        struct pl_json_writer json;
        uint32_t rule;
        if (i > 0)
            pl_buf_append_cstr(out, ",\n");
        pl_buf_clear(&text);
        check_put_plain(&text, f->d.message);
        if (check_has_place(all, f)) {
            pl_buf_append_cstr(&text, " (");
            check_put_place(&text, all, f);
            pl_buf_append_byte(&text, ')');
        }
        pl_json_writer_init(&json, out);
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "ruleId", f->d.code);
        if (check_code_find(pl_slice_cstr(f->d.code), &rule))
            pl_json_kv_u64(&json, "ruleIndex", rule);
        pl_json_kv_cstr(&json, "level", LEVELS[f->d.severity]);
        pl_json_key(&json, "message");
        pl_json_object(&json);
        pl_json_kv_slice(&json, "text", pl_buf_slice(&text));
        pl_json_end(&json);
        put_location(&json, path, f);
        pl_json_end(&json);
    }
    pl_buf_fini(&text);
}

void check_sarif_close(const struct check_totals *totals, struct pl_buf *out)
{
    pl_buf_printf(out, "\n],\"invocations\":[{\"executionSuccessful\":true,\"exitCode\":%d}]}]}\n",
                  totals->failed ? 1 : 0);
}
