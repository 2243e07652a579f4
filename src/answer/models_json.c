// The printer models as JSON: for GET /api/printer-models and the page that draws by itself.
#include "answer/models_json.h"

#include <platen/platen.h>

#include "base/json_writer.h"

void models_json_all(struct pl_buf *out)
{
    struct platen_printer_model m;
    struct pl_json_writer json;
    pl_json_writer_init(&json, out);
    pl_json_array(&json);
    // From 1 on: the first is no printer in particular.
    for (uint32_t i = 1; platen_printer_model_at(i, &m); i++) {
        pl_json_object(&json);
        pl_json_kv_cstr(&json, "name", m.name);
        pl_json_kv_cstr(&json, "title", m.title);
        pl_json_kv_u64(&json, "dpmm", m.dpmm);
        pl_json_kv_u64(&json, "headDots", m.head);
        pl_json_kv_bool(&json, "headMeasured", m.head_is_measured);
        if (m.longest_mm > 0)
            pl_json_kv_u64(&json, "longestMm", m.longest_mm);
        pl_json_kv_bool(&json, "rfid", m.has_rfid);
        pl_json_kv_bool(&json, "ribbon", m.has_ribbon);
        pl_json_end(&json);
    }
    pl_json_end(&json);
    pl_buf_append_cstr(out, "\n");
}
