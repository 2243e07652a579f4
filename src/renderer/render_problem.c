// Problems of rendering: status, code and sentence of a failure.
#include "renderer/render_problem.h"

#include <stdio.h>
#include <string.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "describe/describe.h"
#include "renderer/renderer_link.h"

// The library's messages go on after a colon; here they stand alone.
static void set_sentence(struct problem *out, int status, const char *code, const char *message)
{
    char first = (char)pl_upper((uint8_t)message[0]);
    const char *end = message[0] && message[strlen(message) - 1] == '?' ? "" : ".";
    problem_set(out, status, code, "%c%s%s", first, message[0] ? message + 1 : "", end);
}

void render_problem_of(const struct platen_error *err, struct problem *out)
{
    switch (err->status) {
    case PLATEN_E_INVALID:
        set_sentence(out, 400, "invalid_parameter", err->message);
        return;
    case PLATEN_E_NOT_FOUND: // the only thing that a request can lack
        set_sentence(out, 400, "missing_value", err->message);
        return;
    case PLATEN_E_LIMIT:
        set_sentence(out, 413, "limit_exceeded", err->message);
        return;
    case PLATEN_E_MEMORY:
        problem_set(out, 413, "limit_exceeded", "The labels need more memory than the limit allows.");
        return;
    case PLATEN_E_DEADLINE:
        problem_set(out, 503, "render_timeout", "Rendering took longer than the time limit.");
        return;
    case PLATEN_E_CANCELLED:
        problem_set(out, 503, "cancelled", "The render was cancelled.");
        return;
    default:
        problem_set(out, 500, "internal_error", "Something went wrong inside the service.");
    }
}

// A message of the library that names an option, with the name that the option has in a request.
static void use_request_names(const char *message, char *out, size_t size)
{
    static const char *const NAMES[][2] = {{"'width_mm'", "'widthMm'"},
                                           {"'height_mm'", "'heightMm'"},
                                           {"'min_module_mm'", "'minModuleMm'"},
                                           {"set 'to_language'", "set 'toLanguage=zpl'"}};
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++) {
        const char *at = strstr(message, NAMES[i][0]);
        if (at) {
            snprintf(out, size, "%.*s%s%s", (int)(at - message), message, NAMES[i][1], at + strlen(NAMES[i][0]));
            return;
        }
    }
    snprintf(out, size, "%s", message);
}

void api_problem_of(const struct platen_error *err, struct pl_slice id, struct problem *out)
{
    if (err->status == RENDER_E_KILLED) {
        problem_set(out, 503, "render_timeout", "Rendering took longer than the time limit.");
        return;
    }
    if (err->status == RENDER_E_DIED) {
        problem_set(out, 500, "render_failed",
                    "The renderer did not survive this label and was replaced. Request id: %.*s.",
                    (int)PL_MIN(id.len, (size_t)128), (const char *)id.ptr);
        return;
    }
    if (err->status == RENDER_E_NONE) {
        problem_set(out, 503, "overloaded", "There is no memory for this answer at the moment.");
        return;
    }
    if (err->status == PLATEN_E_INVALID) {
        struct platen_error named = *err;
        use_request_names(err->message, named.message, sizeof named.message);
        render_problem_of(&named, out);
        return;
    }
    render_problem_of(err, out);
    // Where many labels are too many for one request, there is another way.
    size_t used = strlen(out->message);
    if (err->status == PLATEN_E_LIMIT && strstr(err->message, " labels"))
        snprintf(out->message + used, sizeof out->message - used,
                 " POST /api/batch takes any number of documents with up to that many labels each.");
}

void api_no_page(uint64_t page, const struct summary *summary, struct problem *out)
{
    const struct findings *findings = &summary->findings;
    struct pl_slice word = language_word(summary->language);
    const int length = (int)word.len;
    const char *name = (const char *)word.ptr;
    uint32_t i = 0;
    while (i < findings->count && findings->items[i].severity == PLATEN_INFO)
        i++;
    if (summary->pages > 0) {
        problem_set(out, 400, "page_out_of_range", "'page' is %llu, but the %.*s has %u label%s: the last page is %u.",
                    (unsigned long long)page, length, name, summary->pages, summary->pages == 1 ? "" : "s",
                    summary->pages - 1);
    } else if (i < findings->count) { // it is often the reason
        problem_set(out, 400, "no_labels", "The %.*s prints no label. First finding, line %u: %s", length, name,
                    findings->items[i].line, findings->items[i].message);
    } else {
        char reason[sizeof out->message];
        pl_describe_no_label(summary->language, "", reason, sizeof reason);
        problem_set(out, 400, "no_labels", "%s", reason);
    }
}
