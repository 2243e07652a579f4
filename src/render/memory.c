// What a document leaves in the printer: stored objects, settings, answers to the host.
#include <stdlib.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "render/options.h"
#include "render/render.h"

#define MEMORY_BYTES ((size_t)1 << 30) // of one part

// The document whose language writes what the printer remembers: one text is of one language. It is this document, or
// the last one before it of a language that goes first.
static const struct platen_document *memory_of(const struct platen_document *doc)
{
    const struct platen_document *last = doc;
    while (last && last->language->memory.gives_way)
        last = last->options.after;
    return last ? last : doc;
}

static bool is_preloaded(const struct platen_document *doc, const struct pl_object *object)
{
    const struct pl_store *bottom = &doc->store;
    while (bottom->base)
        bottom = bottom->base;
    return bottom != &doc->store && pl_store_lookup(bottom, &object->name) == object;
}

static const struct pl_object *next_object(const struct platen_document *doc, uint32_t *cursor)
{
    static const struct pl_object_name ALL = {.drive = '*', .name_len = 1, .ext_len = 1, .name = "*", .ext = "*"};
    return pl_store_next(&doc->store, &ALL, cursor);
}

static size_t bytes_of(const struct pl_object *o)
{
    const struct pl_bitmap *bits = o->kind == PL_OBJECT_BITMAP ? o->data : NULL;
    return bits ? ((size_t)bits->width + 7) / 8 * bits->height : o->bytes.len;
}

// What ^IS saved, as dots.
static enum pl_errc draw_picture(struct platen_worker *worker, const struct platen_document *doc,
                                 const struct pl_label *label, struct pl_drawn_page *out, struct pl_error *err)
{
    struct pl_diags diags;
    pl_worker_turn_to(worker, doc);
    pl_worker_drop_page(worker);
    pl_diags_init(&diags, &worker->page_arena, 1);
    struct pl_page_options options = {
        .width = doc->width, .height = doc->height, .dpmm = pl_whole_dpmm(doc->options.dpmm)};
    struct pl_page_tools tools = {.writer = worker->writer,
                                  .arena = &worker->page_arena,
                                  .scratch = &worker->scratch,
                                  .diags = &diags,
                                  .job = &doc->job};
    return pl_page_draw(&doc->scene, label, &options, &tools, out, err);
}

// Formats come last: one that ends in the middle of counted bytes cannot take others along.
static enum pl_errc write_objects(struct platen_worker *worker, const struct platen_document *doc,
                                  const struct pl_lang_memory *memory, bool fleeting, bool formats, struct pl_buf *out,
                                  struct pl_error *err)
{
    uint32_t cursor = 0;
    for (const struct pl_object *o; (o = next_object(doc, &cursor));) {
        struct pl_drawn_page page;
        const struct pl_bitmap *picture = NULL;
        if ((o->name.drive == 'R') != fleeting || (o->kind == PL_OBJECT_FORMAT) != formats || is_preloaded(doc, o))
            continue;
        if (o->kind == PL_OBJECT_PICTURE) {
            PL_TRY(draw_picture(worker, doc, o->data, &page, err));
            picture = &page.bits;
        }
        memory->write_object(o, picture, out);
    }
    return PL_OK;
}

static enum pl_errc write_part(struct platen_worker *worker, const struct platen_document *doc,
                               enum platen_memory_part part, struct pl_buf *out, struct pl_error *err)
{
    const struct platen_document *remembers = memory_of(doc);
    const struct pl_lang_memory *memory = &remembers->language->memory;
    if (part == PLATEN_MEMORY_SETTINGS) {
        memory->write_settings(remembers->end, out);
    } else {
        bool fleeting = part == PLATEN_MEMORY_FLEETING;
        PL_TRY(write_objects(worker, remembers, memory, fleeting, false, out, err));
        if (!fleeting && memory->write_saved)
            memory->write_saved(remembers->end, out);
        PL_TRY(write_objects(worker, remembers, memory, fleeting, true, out, err));
    }
    return pl_buf_check(out, err);
}

enum platen_status platen_memory(struct platen_worker *worker, const struct platen_document *document,
                                 enum platen_memory_part part, struct platen_buffer *out, struct platen_error *err)
{
    if (!worker || !document || !out)
        return pl_null_argument(err, __func__);
    if ((unsigned)part > PLATEN_MEMORY_SETTINGS)
        return pl_public_fail(err, PLATEN_E_INVALID, "'part' is none of enum platen_memory_part");
    struct pl_error inner = {0};
    struct pl_buf text;
    pl_buf_init(&text, MEMORY_BYTES);
    enum pl_errc code = write_part(worker, document, part, &text, &inner);
    platen_worker_trim(worker);
    if (code != PL_OK) {
        pl_buf_fini(&text);
        return pl_public_status(code, &inner, err);
    }
    free(out->data);
    *out = (struct platen_buffer){.data = text.data, .size = text.len, .capacity = text.cap};
    return PLATEN_OK;
}

// Do both write the same? Without memory for the comparison they count as different. `write` may be NULL.
static bool same_text(void (*write)(const void *end, struct pl_buf *out), const void *a, const void *b)
{
    struct pl_buf one, other;
    pl_buf_init(&one, MEMORY_BYTES);
    pl_buf_init(&other, MEMORY_BYTES);
    if (write) {
        write(a, &one);
        write(b, &other);
    }
    bool same = !one.failed && !other.failed && pl_slice_eq(pl_buf_slice(&one), pl_buf_slice(&other));
    pl_buf_fini(&one);
    pl_buf_fini(&other);
    return same;
}

unsigned platen_memory_changed(const struct platen_document *document)
{
    if (!document)
        return 0;
    const struct platen_document *before = document->options.after;
    if (!before)
        return PLATEN_CHANGED_OBJECTS | PLATEN_CHANGED_SETTINGS;
    document = memory_of(document);
    before = memory_of(before);
    if (document == before)
        return 0;
    if (document->language != before->language)
        return PLATEN_CHANGED_OBJECTS | PLATEN_CHANGED_SETTINGS;
    const struct pl_lang_memory *memory = &document->language->memory;
    bool objects = document->store.count > 0 || !same_text(memory->write_saved, document->end, before->end);
    bool settings = !same_text(memory->write_settings, document->end, before->end);
    return (objects ? PLATEN_CHANGED_OBJECTS : 0u) | (settings ? PLATEN_CHANGED_SETTINGS : 0u);
}

// The index-th object: the next one from the place that is known of an index up to it.
static const struct pl_object *object_at(const struct platen_document *doc, uint32_t index)
{
    uint64_t place = doc->stored_place ? atomic_load_explicit(doc->stored_place, memory_order_relaxed) : 0;
    uint32_t at = (uint32_t)(place >> 32), cursor = (uint32_t)place;
    if (at > index)
        at = cursor = 0;
    const struct pl_object *o = next_object(doc, &cursor);
    for (; o && at < index; at++)
        o = next_object(doc, &cursor);
    if (o && doc->stored_place)
        atomic_store_explicit(doc->stored_place, (uint64_t)(index + 1) << 32 | cursor, memory_order_relaxed);
    return o;
}

bool(platen_stored_at)(const struct platen_document *document, uint32_t index, struct platen_stored *out, size_t size)
{
    if (!document || !out)
        return false;
    static const char *const KINDS[] = {[PL_OBJECT_BITMAP] = "graphic",
                                        [PL_OBJECT_PICTURE] = "graphic",
                                        [PL_OBJECT_FORMAT] = "format",
                                        [PL_OBJECT_FONT] = "font",
                                        [PL_OBJECT_FILE] = "file"};
    _Static_assert(sizeof out->name >= PL_OBJECT_NAME_TEXT_MAX, "names fit");
    const struct pl_object *o = object_at(document, index);
    if (!o)
        return false;
    struct platen_stored result = {
        .kind = KINDS[o->kind], .bytes = bytes_of(o), .preloaded = is_preloaded(document, o)};
    pl_object_name_format(&o->name, result.name);
    return pl_give(out, size, &result, sizeof result);
}

void(platen_document_settings)(const struct platen_document *document, struct platen_settings *out, size_t size)
{
    if (!document || !out)
        return;
    struct pl_lang_settings s;
    document->language->memory.settings(document->end, &s);
    struct platen_settings result = {.print_width = s.print_width,
                                     .label_length = s.label_length,
                                     .darkness_tenths = s.darkness_tenths,
                                     .tear_off = s.tear_off,
                                     .mode = s.mode,
                                     .tracking = s.tracking,
                                     .media = s.media,
                                     .speed = s.speed,
                                     .slew = s.slew,
                                     .backfeed = s.backfeed,
                                     .prefixes = {s.prefixes[0], s.prefixes[1], s.prefixes[2]}};
    pl_give(out, size, &result, sizeof result);
}

_Static_assert((int)PLATEN_REPLY_TEXT == PL_LANG_REPLY_TEXT &&
                   (int)PLATEN_REPLY_CONFIGURATION == PL_LANG_REPLY_CONFIGURATION &&
                   (int)PLATEN_REPLY_XML == PL_LANG_REPLY_XML,
               "kinds of answers differ");

bool(platen_reply_at)(const struct platen_document *document, uint32_t index, struct platen_reply *out, size_t size)
{
    if (!document || !out)
        return false;
    const struct pl_lang_memory *memory = &document->language->memory;
    const struct pl_lang_answer *answer = memory->answers ? memory->answers(document->end)->first : NULL;
    while (answer && index-- > 0)
        answer = answer->next;
    if (!answer)
        return false;
    struct platen_reply result = {(enum platen_reply_kind)answer->kind, (const char *)answer->text.ptr,
                                  answer->text.len};
    return pl_give(out, size, &result, sizeof result);
}
