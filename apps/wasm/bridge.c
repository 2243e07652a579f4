// libplaten for JavaScript: functions over numbers and addresses. packages/platen/src/instance.ts is the other side.
//
// A bridge is an engine with one worker, and what the last call made: a document, a page, bytes, an error. Calls that
// can fail return an enum platen_status. Memory that is handed over is made by bridge_reserve.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/commands_json.h"
#include "answer/models_json.h"
#include "base/ckd.h"
#include "describe/describe.h"
#include "describe/fixes.h"
#include "os/clock.h"
#include "request/controls.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define MOST_FONTS 63
#define CONTROLS_BYTES 65536 // for reading the controls of a call

enum limit {
    INPUT_BYTES,
    LABELS,
    DOTS_PER_LABEL,
    DECODED_GRAPHICS,
    STORED_BYTES,
    ARENA_BYTES,
    ELEMENTS_PER_LABEL,
    DIAGNOSTICS
};

struct bridge {
    struct platen_engine_options options;
    struct platen_font fonts[MOST_FONTS];
    uint32_t font_count;
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer bytes, part;
    struct platen_error err;
    struct control_values controls; // of the document
    bool sideways;                  // the document's pages are turned by 90 or 270 degrees
};

static bool font_at(void *context, uint32_t index, struct platen_font *out)
{
    const struct bridge *bridge = context;
    if (index >= bridge->font_count)
        return false;
    *out = bridge->fonts[index];
    return true;
}

static int fail(struct bridge *bridge, enum platen_status status, const char *message)
{
    bridge->err.status = status;
    snprintf(bridge->err.message, sizeof bridge->err.message, "%s", message);
    return (int)status;
}

void *EXPORT(bridge_reserve)(size_t size)
{
    return malloc(size ? size : 1);
}

void EXPORT(bridge_release)(void *memory)
{
    free(memory);
}

struct bridge *EXPORT(bridge_new)(void)
{
    struct bridge *bridge = calloc(1, sizeof *bridge);
    if (bridge)
        bridge->options =
            (struct platen_engine_options)PLATEN_ENGINE_OPTIONS(.font_at = font_at, .font_context = bridge);
    return bridge;
}

// Before bridge_start.
void EXPORT(bridge_limit)(struct bridge *bridge, enum limit limit, double value)
{
    struct platen_engine_options *o = &bridge->options;
    switch (limit) {
    case INPUT_BYTES:
        o->input_bytes = (size_t)value;
        break;
    case LABELS:
        o->labels = (uint32_t)value;
        break;
    case DOTS_PER_LABEL:
        o->dots_per_label = (uint64_t)value;
        break;
    case DECODED_GRAPHICS:
        o->decoded_graphics = (size_t)value;
        break;
    case STORED_BYTES:
        o->stored_bytes = (size_t)value;
        break;
    case ARENA_BYTES:
        o->arena_bytes = (size_t)value;
        break;
    case ELEMENTS_PER_LABEL:
        o->elements_per_label = (uint32_t)value;
        break;
    case DIAGNOSTICS:
        o->diagnostics = (uint32_t)value;
        break;
    }
}

// Before bridge_start, in the order of the search. Name and bytes become the bridge's, unless it fails.
int EXPORT(bridge_add_font)(struct bridge *bridge, const char *name, const void *data, size_t size)
{
    const struct platen_font font = {.name = name, .data = data, .size = size};
    enum platen_status status = platen_font_check(&font, &bridge->err);
    if (status == PLATEN_OK && bridge->font_count == MOST_FONTS)
        return fail(bridge, PLATEN_E_LIMIT, "there are more fonts than can be searched");
    if (status == PLATEN_OK)
        bridge->fonts[bridge->font_count++] = font;
    return (int)status;
}

int EXPORT(bridge_start)(struct bridge *bridge)
{
    enum platen_status status = platen_engine_new(&bridge->options, &bridge->engine, &bridge->err);
    return (int)(status ? status : platen_worker_new(bridge->engine, &bridge->worker, &bridge->err));
}

static void end_document(struct bridge *bridge)
{
    platen_document_free(bridge->document);
    bridge->document = NULL;
    bridge->page = NULL;
}

// All members of a request are controls.
static bool no_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                      struct problem *problem)
{
    (void)user, (void)name, (void)value, (void)problem;
    *taken = false;
    return true;
}

// The controls of a call, as the service's JSON has them. False: bridge->err says what is wrong.
static bool read_controls(struct bridge *bridge, struct pl_slice json)
{
    struct controls controls;
    struct problem problem;
    struct pl_arena arena;
    pl_arena_init(&arena, CONTROLS_BYTES);
    controls_init(&controls);
    bool ok = controls_from_object(&controls, json, &arena, no_member, NULL, &problem);
    if (ok)
        control_values_copy(&bridge->controls, &controls);
    else
        fail(bridge, PLATEN_E_INVALID, problem.message);
    pl_arena_fini(&arena);
    return ok;
}

// `zpl` must stay until bridge_end. `milliseconds`: until it must be done; 0: no limit.
int EXPORT(bridge_parse)(struct bridge *bridge, const void *zpl, size_t size, const char *controls,
                         size_t controls_size, double milliseconds)
{
    end_document(bridge);
    if (!read_controls(bridge, pl_slice_make(controls, controls_size)))
        return (int)bridge->err.status;
    struct platen_options o = controls_options(&bridge->controls);
    o.has_time = control_values_have(&bridge->controls, CONTROL_TIME);
    o.time = bridge->controls.time;
    if (milliseconds > 0)
        o.deadline_ns = pl_now_ns() + (uint64_t)(milliseconds * 1e6);
    bridge->sideways = o.rotation % 180 != 0;
    return (int)platen_parse(bridge->worker, zpl, size, &o, &bridge->document, &bridge->err);
}

// Ends the document, and gives back what only a large page needed.
void EXPORT(bridge_end)(struct bridge *bridge)
{
    end_document(bridge);
    platen_worker_trim(bridge->worker);
}

uint32_t EXPORT(bridge_label_count)(const struct bridge *bridge)
{
    return platen_label_count(bridge->document);
}

uint32_t EXPORT(bridge_page_count)(const struct bridge *bridge)
{
    return platen_page_count(bridge->document);
}

int32_t EXPORT(bridge_label_of_page)(const struct bridge *bridge, uint32_t page)
{
    uint32_t label;
    return platen_label_of_page(bridge->document, page, &label) ? (int32_t)label : -1;
}

uint32_t EXPORT(bridge_copies)(const struct bridge *bridge, uint32_t label)
{
    struct platen_label found = {0};
    platen_label_at(bridge->document, label, &found);
    return found.copies;
}

// Of the document's pages, before rotation.
double EXPORT(bridge_width_mm)(const struct bridge *bridge)
{
    double width = 0;
    platen_document_size(bridge->document, &width, NULL, NULL, NULL);
    return width;
}

double EXPORT(bridge_height_mm)(const struct bridge *bridge)
{
    double height = 0;
    platen_document_size(bridge->document, NULL, &height, NULL, NULL);
    return height;
}

int EXPORT(bridge_draw)(struct bridge *bridge, uint32_t label)
{
    bridge->page = NULL;
    platen_worker_forget_searched(bridge->worker); // what bridge_searched_at tells is of this page
    return (int)platen_draw(bridge->worker, bridge->document, label, &bridge->page, &bridge->err);
}

// Of the document's pages in dots, after rotation.
uint32_t EXPORT(bridge_width)(const struct bridge *bridge)
{
    uint32_t width, height;
    platen_document_size(bridge->document, NULL, NULL, &width, &height);
    return bridge->sideways ? height : width;
}

uint32_t EXPORT(bridge_height)(const struct bridge *bridge)
{
    uint32_t width, height;
    platen_document_size(bridge->document, NULL, NULL, &width, &height);
    return bridge->sideways ? width : height;
}

int EXPORT(bridge_encode)(struct bridge *bridge, enum platen_format format)
{
    const struct platen_encode_options options = controls_encoding(&bridge->controls);
    return (int)platen_encode(bridge->worker, bridge->page, format, &options, &bridge->bytes, &bridge->err);
}

// Eight dots as bytes, for every byte of a row; made at the first use.
static uint64_t grey_of_bits[256];

static void make_grey_of_bits(void)
{
    if (grey_of_bits[0] != 0)
        return;
    for (uint32_t bits = 0; bits < 256; bits++)
        for (uint32_t i = 0; i < 8; i++)
            grey_of_bits[bits] |= (uint64_t)(bits & (0x80u >> i) ? 0 : 0xFF) << (i * 8);
}

// Most of a label is white.
static void grey_row(const uint64_t *words, uint32_t width, uint8_t *out)
{
    for (uint32_t x = 0; x < width; x += 64, out += 64) {
        uint64_t word = words[x / 64];
        uint32_t count = PL_MIN(width - x, 64u);
        if (!word) {
            memset(out, 0xFF, count);
            continue;
        }
        uint32_t i = 0;
        for (; i + 8 <= count; i += 8, word <<= 8)
            memcpy(out + i, &grey_of_bits[word >> 56], 8);
        if (i < count)
            memcpy(out + i, &grey_of_bits[word >> 56], count - i);
    }
}

// The dots of the page that was drawn last, a byte for each: 0 is black, 255 white.
int EXPORT(bridge_grey)(struct bridge *bridge)
{
    struct platen_bitmap bitmap;
    platen_page_bitmap(bridge->page, &bitmap);
    uint64_t size = (uint64_t)bitmap.width * bitmap.height;
    platen_buffer_free(&bridge->bytes);
    uint8_t *out = size <= SIZE_MAX && !(bitmap.grey && !bitmap.bytes) ? malloc((size_t)size) : NULL;
    if (!out)
        return fail(bridge, PLATEN_E_MEMORY, "not enough memory");
    bridge->bytes = (struct platen_buffer){out, (size_t)size, (size_t)size};
    if (bitmap.grey) {
        memcpy(out, bitmap.bytes, (size_t)size);
        return PLATEN_OK;
    }
    make_grey_of_bits();
    for (uint32_t y = 0; y < bitmap.height; y++, out += bitmap.width)
        grey_row(bitmap.words + (size_t)y * bitmap.words_per_row, bitmap.width, out);
    return PLATEN_OK;
}

static enum platen_status add_to_pdf(struct bridge *bridge, struct platen_pdf *pdf, uint32_t label)
{
    struct platen_label found = {.copies = 1};
    platen_label_at(bridge->document, label, &found);
    enum platen_status status = platen_draw(bridge->worker, bridge->document, label, &bridge->page, &bridge->err);
    if (status == PLATEN_OK)
        status = platen_pdf_part(bridge->worker, bridge->page, &bridge->part, &bridge->err);
    return status ? status : platen_pdf_add(pdf, &bridge->part, found.copies, &bridge->err);
}

// All labels in one document.
int EXPORT(bridge_pdf)(struct bridge *bridge)
{
    struct platen_pdf *pdf;
    enum platen_status status = platen_pdf_new("Labels", &bridge->bytes, &pdf, &bridge->err);
    if (status != PLATEN_OK)
        return (int)status;
    for (uint32_t i = 0; status == PLATEN_OK && i < platen_label_count(bridge->document); i++)
        status = add_to_pdf(bridge, pdf, i);
    if (status == PLATEN_OK)
        status = platen_pdf_finish(pdf, &bridge->err);
    platen_pdf_free(pdf);
    platen_buffer_free(&bridge->part);
    return (int)status;
}

int EXPORT(bridge_describe)(struct bridge *bridge, bool no_png, bool no_elements)
{
    const struct platen_describe_options options =
        PLATEN_DESCRIBE_OPTIONS(.no_png = no_png, .no_elements = no_elements);
    bridge->page = NULL;
    return (int)platen_describe(bridge->worker, bridge->document, &options, &bridge->bytes, &bridge->err);
}

// What `text` has become the bytes of the last call, and `text` is empty.
static int give(struct bridge *bridge, struct pl_buf *text)
{
    platen_buffer_free(&bridge->bytes);
    bool failed = text->failed;
    if (!failed)
        bridge->bytes = (struct platen_buffer){text->data, text->len, text->cap};
    else
        pl_buf_fini(text);
    return failed ? fail(bridge, PLATEN_E_MEMORY, "not enough memory") : PLATEN_OK;
}

// What is to say of the page that was drawn last, as a JSON array.
int EXPORT(bridge_page_warnings)(struct bridge *bridge)
{
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_describe_warnings(bridge->document, bridge->page, (struct pl_diagnostic_watch){0}, &text);
    return give(bridge, &text);
}

// What parsing found that belongs to no label, as a JSON array.
int EXPORT(bridge_document_warnings)(struct bridge *bridge)
{
    struct platen_diagnostic d;
    struct pl_json_writer json;
    struct pl_buf text, fix;
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_buf_init(&fix, SIZE_MAX / 2);
    pl_json_writer_init(&json, &text);
    pl_json_array(&json);
    for (uint32_t i = 0; platen_diagnostic_at(bridge->document, i, &d); i++) {
        if (d.label >= 0)
            continue;
        pl_fix_describe(bridge->document, NULL, &d, &fix);
        pl_describe_diagnostic(&json, &d, pl_buf_slice(&fix));
    }
    pl_json_end(&json);
    pl_buf_take_over(&text, &fix);
    return give(bridge, &text);
}

// The command table, as the service gives it.
int EXPORT(bridge_commands)(struct bridge *bridge)
{
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    commands_json_all(&text, PLATEN_LANGUAGE_ZPL);
    return give(bridge, &text);
}

// The printer models, as the service gives them.
int EXPORT(bridge_printer_models)(struct bridge *bridge)
{
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    models_json_all(&text);
    return give(bridge, &text);
}

// A character of the page that was drawn, or of all pages after bridge_pdf or bridge_describe, that the labels' own
// fonts lack; 0: there are no more.
uint32_t EXPORT(bridge_searched_at)(const struct bridge *bridge, uint32_t index)
{
    uint32_t character = 0;
    return platen_worker_searched_at(bridge->worker, index, &character) ? character : 0;
}

const uint8_t *EXPORT(bridge_bytes)(const struct bridge *bridge)
{
    return bridge->bytes.data;
}

size_t EXPORT(bridge_byte_count)(const struct bridge *bridge)
{
    return bridge->bytes.size;
}

// Gives back the memory of a large answer.
void EXPORT(bridge_forget_bytes)(struct bridge *bridge)
{
    platen_buffer_free(&bridge->bytes);
}

const char *EXPORT(bridge_message)(const struct bridge *bridge)
{
    return bridge->err.message;
}

const char *EXPORT(bridge_status_name)(enum platen_status status)
{
    return platen_status_name(status);
}

const char *EXPORT(bridge_version)(void)
{
    return platen_version();
}
