// The tools: each is one question to a renderer, or to the tables.
#include <stdio.h>
#include <string.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "base/hash.h"
#include "renderer/render_problem.h"
#include "tool_arguments.h"

#define SIZES (CONTROL(WIDTH_MM) | CONTROL(HEIGHT_MM) | CONTROL(DPMM) | CONTROL(SIZE))
#define LOOKS (CONTROL(PROFILE) | CONTROL(TIME) | CONTROL(LANGUAGE))
#define SHEETS                                                                                                         \
    (CONTROL(PAGE_SIZE) | CONTROL(PAGE_ORIENTATION) | CONTROL(PAGE_LAYOUT) | CONTROL(PAGE_MARGIN_MM) |                 \
     CONTROL(PAGE_GAP_MM) | CONTROL(LABEL_BORDER) | CONTROL(CUT_MARKS) | CONTROL(FIT) | CONTROL(PDFA))

#define EXPLAINED_LINES_MAX 300

// ---- asking a renderer

// A question with its answer.
struct asking {
    struct mcp_call *call;
    struct tool_values values;
    struct render_ask ask;
    struct pl_slice code;
    struct label_part part; // after ask_renderer; the caller frees it
};

static void begin(struct asking *a, enum render_kind kind)
{
    const struct mcp_host *host = a->call->host;
    render_ask_init(&a->ask, kind, atomic_fetch_add(host->requests, 1) + 1, pl_hash_fnv1a(host->client));
    label_part_init(&a->part);
}

static bool refuse_failure(struct asking *a, const struct platen_error *err)
{
    const struct mcp_host *host = a->call->host;
    struct problem problem;
    if (host->repeats && (err->status == RENDER_E_KILLED || err->status == RENDER_E_DIED))
        repeat_guard_note(host->repeats, host->client, a->code, pl_now_ns());
    if (err->status == PLATEN_E_NOT_FOUND)
        return mcp_refuse(a->call, "%s", err->message);
    api_problem_of(err, host->id, &problem);
    return mcp_refuse(a->call, "%s", problem.message);
}

static bool ask_renderer(struct asking *a)
{
    const struct mcp_host *host = a->call->host;
    struct summary summary = {0};
    struct platen_error err = {0};
    uint32_t wait = host->repeats ? repeat_guard_wait_s(host->repeats, host->client, a->code, pl_now_ns()) : 0;
    if (wait > 0)
        return mcp_refuse(a->call, "This label code ended its renderer. Change it, or try again in %u seconds.", wait);
    control_values_copy(&a->ask.controls, &a->values.controls);
    enum platen_status status = renderer_ask(host->link, &a->ask, a->code, a->call->job, &summary, &a->part, &err);
    summary_free(&summary);
    return status == PLATEN_OK || refuse_failure(a, &err);
}

// The label code of the arguments, and what is made of it.
static bool begin_conversion(struct asking *a, struct mcp_call *call, enum conversion conversion)
{
    *a = (struct asking){.call = call};
    begin(a, RENDER_CONVERSION);
    if (!tool_read(call, &a->values))
        return false;
    a->ask.conversion = a->values.conversion;
    a->ask.conversion.conversion = conversion;
    a->code = a->values.zpl;
    if (a->code.len == 0 && conversion != CONVERT_GS1)
        return mcp_refuse(call, "'zpl' is empty. It is label code such as ^XA^FO50,50^A0N,40,40^FDHello^FS^XZ.");
    return true;
}

static struct pl_slice file_of(const struct asking *a)
{
    return pl_slice_make(a->part.file.data, a->part.file.size);
}

static bool end(struct asking *a, bool ok)
{
    label_part_free(&a->part);
    return ok;
}

// Whoever gives both sides in inches sees nothing but fields outside the label.
static void note_inches(struct asking *a)
{
    enum { INCHES_MOST = 12 };
    static const char OUTSIDE[] = "\"outside_label\"";
    const struct controls *c = &a->values.controls;
    const struct pl_slice told = pl_buf_slice(&a->part.members);
    char note[160];
    if (!controls_has(c, CONTROL_WIDTH_MM) || !controls_has(c, CONTROL_HEIGHT_MM) || c->width_mm > INCHES_MOST ||
        c->height_mm > INCHES_MOST || !memmem(told.ptr, told.len, OUTSIDE, sizeof OUTSIDE - 1))
        return;
    snprintf(note, sizeof note, "widthMm and heightMm are millimetres: %g x %g inches are %g x %g.", c->width_mm,
             c->height_mm, c->width_mm * 25.4, c->height_mm * 25.4);
    mcp_put_text(a->call, pl_slice_cstr(note));
}

// ---- tools

static bool render_label(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_PICTURE))
        return end(&a, false);
    a.ask.conversion.page = (uint32_t)PL_MIN(a.values.controls.page, (uint64_t)UINT32_MAX - 1);
    a.values.controls.format = OUTPUT_PNG;
    if (!ask_renderer(&a))
        return end(&a, false);
    mcp_put_image(call, "image/png", file_of(&a));
    mcp_put_text(call, pl_buf_slice(&a.part.members));
    note_inches(&a);
    return end(&a, true);
}

static bool check_label(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_CHECK))
        return end(&a, false);
    a.values.controls.format = OUTPUT_JSON;
    a.values.controls.verify = true;
    if (!ask_renderer(&a))
        return end(&a, false);
    if (a.ask.conversion.fix && a.part.members.len > 0) {
        // A member more.
        a.part.members.len--;
        pl_buf_append_cstr(&a.part.members, ",\"fixedZpl\":");
        pl_buf_append_json_string(&a.part.members, file_of(&a));
        pl_buf_append_byte(&a.part.members, '}');
        pl_buf_inherit(call->content, &a.part.members);
    }
    mcp_put_text(call, pl_buf_slice(&a.part.members));
    note_inches(&a);
    return end(&a, true);
}

static bool read_barcodes(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_BARCODES))
        return end(&a, false);
    a.values.controls.format = OUTPUT_JSON;
    a.values.controls.verify = true;
    if (!ask_renderer(&a))
        return end(&a, false);
    mcp_put_text(call, pl_buf_slice(&a.part.members));
    return end(&a, true);
}

// The lines of an explanation that an assistant reads, and how many more there are.
static void put_lines(struct mcp_call *call, struct pl_slice text)
{
    size_t lines = 0, shown = text.len;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n' && ++lines == EXPLAINED_LINES_MAX)
            shown = i + 1;
    mcp_put_text(call, pl_slice_sub(text, 0, shown));
    if (lines > EXPLAINED_LINES_MAX) {
        char more[100];
        snprintf(more, sizeof more, "%zu more commands are left out: explain a part of the code.",
                 lines - EXPLAINED_LINES_MAX);
        mcp_put_text(call, pl_slice_cstr(more));
    }
}

static bool explain_label(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_EXPLAIN))
        return end(&a, false);
    a.ask.conversion.action = ACTION_EXPLAIN;
    a.ask.conversion.table = PLATEN_TABLE_TEXT;
    if (!ask_renderer(&a))
        return end(&a, false);
    if (a.part.file.size == 0)
        return end(&a, mcp_refuse(call, "There is no command in it. ZPL II begins with ^XA."));
    put_lines(call, file_of(&a));
    return end(&a, true);
}

static bool convert_to_pdf(struct asking *a)
{
    a->ask.conversion.conversion = CONVERT_DOCUMENT;
    a->values.controls.format = OUTPUT_PDF;
    if (!ask_renderer(a))
        return false;
    mcp_put_file(a->call, "platen://labels.pdf", "application/pdf", file_of(a));
    mcp_put_text(a->call, pl_buf_slice(&a->part.members));
    return true;
}

static bool convert_label(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_CODE))
        return end(&a, false);
    bool is_pdf = a.values.to == TO_PDF;
    const char *sheet = is_pdf ? NULL : controls_of_pdf(&a.values.controls);
    if (sheet)
        return end(&a, mcp_refuse(call, "'%s' is for \"to\":\"pdf\" only.", sheet));
    if (is_pdf && a.values.given & (ARG(TARGET_DPMM) | ARG(GRAPHICS) | ARG(TO_LANGUAGE)))
        return end(&a,
                   mcp_refuse(call, "'targetDpmm', 'graphics' and 'toLanguage' are for label code, not for a PDF."));
    if (is_pdf)
        return end(&a, convert_to_pdf(&a));
    a.ask.conversion.action = a.values.to == TO_MINIFIED ? ACTION_MINIFY
                              : a.values.to == TO_FIELDS ? ACTION_EXTRACT
                                                         : ACTION_FORMAT;
    a.ask.conversion.conversion = a.values.to == TO_FIELDS ? CONVERT_EXTRACT : CONVERT_CODE;
    a.ask.conversion.table = PLATEN_TABLE_JSON;
    if (!ask_renderer(&a))
        return end(&a, false);
    if (a.ask.conversion.to_language > PLATEN_LANGUAGE_ZPL && a.values.to != TO_FIELDS) // a graphic is bytes, not text
        mcp_put_file(call, "platen://labels", "application/octet-stream", file_of(&a));
    else
        mcp_put_text(call, file_of(&a));
    if (a.part.warning_count > 0)
        mcp_put_text(call, pl_buf_slice(&a.part.warnings));
    return end(&a, true);
}

static bool compare_labels(struct mcp_call *call)
{
    struct asking a = {.call = call};
    begin(&a, RENDER_COMPARISON);
    if (!tool_read(call, &a.values))
        return end(&a, false);
    const struct tool_values *v = &a.values;
    uint8_t *both = PL_ARENA_ARRAY(call->arena, uint8_t, v->a.len + v->b.len + 1);
    if (!both)
        return end(&a, mcp_refuse(call, "The label codes are too large."));
    if (v->a.len > 0)
        memcpy(both, v->a.ptr, v->a.len);
    if (v->b.len > 0)
        memcpy(both + v->a.len, v->b.ptr, v->b.len);
    a.code = pl_slice_make(both, v->a.len + v->b.len);
    a.values.controls.format = OUTPUT_JSON;
    a.ask.first_size = v->a.len;
    a.ask.conversion = v->conversion;
    a.ask.conversion.brief = true;
    if (!ask_renderer(&a))
        return end(&a, false);
    struct pl_buf text; // members without braces
    pl_buf_init(&text, MCP_ANSWER_MAX);
    pl_buf_append_byte(&text, '{');
    pl_buf_append_slice(&text, pl_buf_slice(&a.part.members));
    pl_buf_append_byte(&text, '}');
    mcp_put_text(call, pl_buf_slice(&text));
    pl_buf_take_over(call->content, &text);
    return end(&a, true);
}

static bool encode_barcode_data(struct mcp_call *call)
{
    struct asking a;
    if (!begin_conversion(&a, call, CONVERT_GS1))
        return end(&a, false);
    a.code = a.values.data;
    if (a.code.len == 0)
        return end(&a, mcp_refuse(call, "'data' is empty. It is GS1 data such as (01)09506000134352(10)A1."));
    if (!ask_renderer(&a))
        return end(&a, false);
    mcp_put_text(call, pl_buf_slice(&a.part.members));
    return end(&a, true);
}

static bool look_up_command(struct mcp_call *call)
{
    struct tool_values v;
    struct pl_buf out;
    const char *code, *title;
    char known[LANGUAGES_TEXT_MAX];
    if (!tool_read(call, &v))
        return false;
    struct pl_slice name = pl_slice_trim(v.name), words = pl_slice_trim(v.search);
    if (name.len == 0 && words.len == 0)
        return mcp_refuse(call, "Give 'name', such as ^FO, or 'search', such as barcode.");
    enum platen_language language = v.controls.language;
    if (language == PLATEN_LANGUAGE_DETECT)
        language = PLATEN_LANGUAGE_ZPL;
    pl_buf_init(&out, MCP_ANSWER_MAX);
    uint32_t count = name.len > 0 ? reference_find(language, name, &out) : reference_search(language, words, &out);
    if (count > 0)
        mcp_put_text(call, pl_buf_slice(&out));
    pl_buf_take_over(call->content, &out);
    struct pl_slice asked = name.len > 0 ? name : words;
    platen_language_names(language, &code, &title);
    return count > 0 ||
           mcp_refuse(call,
                      "%s has no command for '%.*s'. Search by a word of what it does: 'search'. 'language' "
                      "chooses another one: %s.",
                      title, (int)PL_MIN(asked.len, (size_t)60), (const char *)asked.ptr, language_list(known, false));
}

#define TAKES(args, needs, of_controls)                                                                                \
    &(const struct tool_takes)                                                                                         \
    {                                                                                                                  \
        .arguments = (args), .required = (needs), .controls = (of_controls)                                            \
    }

const struct mcp_tool label_tools[] = {
    {"render_label", "Render a label",
     "Draws one label of ZPL code and returns the picture, its size, and the problems that were found. Sizes are "
     "millimetres, positions in the code are dots: at 8 dots per millimetre (203 dpi) 1 mm is 8 dots.",
     tool_put_schema, render_label,
     TAKES(ARG(ZPL) | ARG(MAX_WIDTH), ARG(ZPL),
           SIZES | LOOKS | CONTROL(PAGE) | CONTROL(ROTATION) | CONTROL(QUALITY) | CONTROL(PRINTER_MODEL))},
    {"check_label", "Check a label",
     "Finds what is wrong with ZPL code: syntax, fields outside the label, barcodes that cannot be read, quiet zones, "
     "check digits, GS1 data. Each finding has its place in the code and, where there is one, a fix: edits by byte "
     "offset. Apply them, or ask for fixedZpl by 'fix', and check again.",
     tool_put_schema, check_label,
     TAKES(ARG(ZPL) | ARG(FIX), ARG(ZPL),
           SIZES | LOOKS | CONTROL(RULES) | CONTROL(MIN_MODULE_MM) | CONTROL(PRINTER_MODEL))},
    {"explain_label", "Explain a label", "Says in words what each command of label code does: ZPL, EPL2, TSPL or CPCL.",
     tool_put_schema, explain_label, TAKES(ARG(ZPL), ARG(ZPL), CONTROL(DPMM))},
    {"convert_label", "Convert a label",
     "Rewrites ZPL code: another density, rotation, layout, shorter; converts EPL2, TSPL and CPCL to ZPL and back; or "
     "makes "
     "a "
     "PDF or a table of its fields. Notes follow the code where something could not be kept exactly.",
     tool_put_schema, convert_label,
     TAKES(ARG(ZPL) | ARG(TO) | ARG(TARGET_DPMM) | ARG(GRAPHICS) | ARG(TO_LANGUAGE), ARG(ZPL),
           SIZES | CONTROL(LANGUAGE) | CONTROL(ROTATION) | SHEETS)},
    {"compare_labels", "Compare two labels",
     "Tells whether two versions of ZPL code print the same picture, and which elements were added, removed, moved or "
     "changed.",
     tool_put_schema, compare_labels,
     TAKES(ARG(A) | ARG(B) | ARG(TOLERANCE_DOTS) | ARG(TOLERANCE_PERCENT) | ARG(ELEMENTS), ARG(A) | ARG(B),
           SIZES | LOOKS)},
    {"look_up_command", "Look up a ZPL command",
     "The reference of ZPL II commands, and of the other languages: parameters with ranges, defaults and meanings.",
     tool_put_schema, look_up_command, TAKES(ARG(NAME) | ARG(SEARCH), 0, CONTROL(LANGUAGE))},
    {"read_barcodes", "Read the barcodes of a label",
     "Draws ZPL code and reads its barcodes back from the dots: what a scanner would get, and whether that is what the "
     "field says.",
     tool_put_schema, read_barcodes, TAKES(ARG(ZPL), ARG(ZPL), SIZES | LOOKS)},
    {"encode_barcode_data", "Encode GS1 data",
     "Checks GS1 data and writes it as an element string, with brackets, as a Digital Link, and as ZPL fields for "
     "GS1-128, GS1 DataMatrix and QR Code.",
     tool_put_schema, encode_barcode_data, TAKES(ARG(DATA), ARG(DATA), 0)},
};
const size_t label_tool_count = PL_COUNTOF(label_tools);
