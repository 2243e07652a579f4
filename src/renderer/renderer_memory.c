// A printer's memory in a renderer.
#include "renderer/renderer_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"

static void free_text(struct platen_buffer *text)
{
    if (text->data)
        memset(text->data, 0, text->size);
    platen_buffer_free(text);
}

// The documents of all parts from `first` on, the last one first: each stands on the one before it.
static void forget_parts(struct renderer_memory *memory, int first)
{
    for (int i = RENDER_MEMORY_PARTS - 1; i >= first; i--) {
        platen_document_free(memory->parts[i]);
        memory->parts[i] = NULL;
    }
}

void renderer_memory_drop(struct renderer_memory *memory)
{
    forget_parts(memory, 0);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        free_text(&memory->texts[i]);
        free_text(&memory->next[i]);
    }
    memory->number = memory->next_number = 0;
}

// Documents of all parts from `first` on. The size of a label is not theirs: what ^IS draws is saved as dots before.
static enum platen_status understand(struct renderer_memory *memory, struct platen_worker *worker, int first,
                                     struct platen_error *err)
{
    enum platen_status status = PLATEN_OK;
    forget_parts(memory, first);
    for (int i = first; i < RENDER_MEMORY_PARTS && status == PLATEN_OK; i++) {
        const struct platen_options options = PLATEN_OPTIONS(.profile = PLATEN_PRINTER, .language = memory->language,
                                                             .after = i > 0 ? memory->parts[i - 1] : NULL);
        struct platen_document *document;
        status = platen_parse(worker, memory->texts[i].data, memory->texts[i].size, &options, &document, err);
        if (status != PLATEN_OK)
            break;
        status = platen_document_detach(&document, NULL, err);
        if (status == PLATEN_OK)
            memory->parts[i] = document;
        else
            platen_document_free(document);
    }
    return status;
}

static bool copy_text(struct platen_buffer *to, const uint8_t *from, size_t size)
{
    to->data = malloc(size > 0 ? size : 1);
    if (!to->data)
        return false;
    if (size > 0)
        memcpy(to->data, from, size);
    to->size = to->capacity = size;
    return true;
}

enum platen_status renderer_memory_take(struct renderer_memory *memory, struct platen_worker *worker,
                                        const struct render_ask *ask, const uint8_t *texts,
                                        const struct platen_document **after, struct platen_error *err)
{
    *after = NULL;
    const struct render_printer_job *job = &ask->job;
    if (ask->kind != RENDER_PRINTER_JOB)
        return PLATEN_OK;
    enum platen_status status = PLATEN_OK;
    if (job->brings_memory) {
        renderer_memory_drop(memory);
        memory->language = ask->controls.language;
        for (int i = 0; i < RENDER_MEMORY_PARTS && status == PLATEN_OK; i++) {
            if (!copy_text(&memory->texts[i], texts, (size_t)job->memory_sizes[i]))
                status = PLATEN_E_MEMORY;
            texts += job->memory_sizes[i];
        }
        if (status == PLATEN_OK)
            status = understand(memory, worker, 0, err);
        if (status != PLATEN_OK) {
            renderer_memory_drop(memory);
            return status;
        }
        memory->number = job->memory;
    }
    memory->kept = job->keeps_memory;
    memory->next_number = 0;
    // A part that was not understood left the others without the last one.
    *after = memory->number == job->memory ? memory->parts[RENDER_MEMORY_PARTS - 1] : NULL;
    return *after ? PLATEN_OK : PLATEN_E_BUG;
}

enum platen_language renderer_recognise(struct platen_worker *worker, const struct render_ask *ask,
                                        struct pl_slice code)
{
    enum { LOOK = 4096 }; // as far as languages look
    enum platen_language own = ask->controls.language, found = own;
    const struct platen_options options = PLATEN_OPTIONS(.deadline_ns = ask->deadline_ns);
    struct platen_document *document;
    struct platen_error err;
    uint64_t plain = ask->job.plain;
    code = pl_slice_trim(pl_slice_sub(code, 0, plain > 0 && plain < LOOK ? (size_t)plain : LOOK));
    if (platen_parse(worker, code.ptr, code.len, &options, &document, &err) == PLATEN_OK) {
        found = platen_document_language(document);
        platen_document_free(document);
    }
    // ZPL is also what nothing is recognised as: it begins with a command.
    bool is_zpl = code.len > 2 && (code.ptr[0] == '^' || code.ptr[0] == '~') && pl_is_letter(code.ptr[1]) &&
                  (pl_is_letter(code.ptr[2]) || pl_is_digit(code.ptr[2]) || code.ptr[2] == '@');
    return found == PLATEN_LANGUAGE_ZPL && !is_zpl ? own : found;
}

static void put_replies(const struct platen_document *job, struct pl_buf *out)
{
    struct platen_reply reply;
    for (uint32_t i = 0; platen_reply_at(job, i, &reply); i++) {
        const struct render_reply head = {reply.kind, (uint32_t)reply.size};
        pl_buf_append(out, &head, sizeof head);
        pl_buf_append(out, reply.data, reply.size);
    }
}

static void put_stored(const struct platen_document *job, struct pl_buf *out)
{
    struct pl_json_writer json;
    struct platen_stored stored;
    pl_json_writer_init(&json, out);
    pl_json_array(&json);
    for (uint32_t i = 0; platen_stored_at(job, i, &stored); i++) {
        pl_json_object(&json);
        pl_json_kv_slice(&json, "name", pl_slice_cstr(stored.name));
        pl_json_kv_slice(&json, "kind", pl_slice_cstr(stored.kind));
        pl_json_kv_i64(&json, "bytes", (int64_t)stored.bytes);
        pl_json_key(&json, "preloaded");
        pl_json_bool(&json, stored.preloaded);
        pl_json_end(&json);
    }
    pl_json_end(&json);
}

enum platen_status renderer_memory_note(struct renderer_memory *memory, struct platen_worker *worker,
                                        const struct render_ask *ask, const struct platen_document *job,
                                        struct render_answer *answer, struct pl_buf *replies, struct pl_buf *stored)
{
    enum platen_status status = PLATEN_OK;
    unsigned changed = platen_memory_changed(job);
    for (int i = 0; i < RENDER_MEMORY_PARTS && status == PLATEN_OK; i++) {
        unsigned which = i == PLATEN_MEMORY_SETTINGS ? PLATEN_CHANGED_SETTINGS : PLATEN_CHANGED_OBJECTS;
        if (changed & which)
            status = platen_memory(worker, job, (enum platen_memory_part)i, &memory->next[i], &answer->err);
    }
    if (status != PLATEN_OK)
        return status;
    put_replies(job, replies);
    if ((changed & PLATEN_CHANGED_OBJECTS) || ask->job.brings_memory) // the front may not know it yet
        put_stored(job, stored);
    platen_document_settings(job, &answer->settings);
    if (!ask->job.keeps_memory)
        return PLATEN_OK;
    answer->changed = (uint8_t)changed;
    memory->next_changed = changed;
    memory->next_number = changed ? ask->job.memory_after : 0;
    return PLATEN_OK;
}

void renderer_memory_settle(struct renderer_memory *memory, struct platen_worker *worker)
{
    if (memory->number == 0)
        return;
    if (!memory->kept) {
        renderer_memory_drop(memory);
        return;
    }
    if (memory->next_number == 0)
        return;
    int first = memory->next_changed & PLATEN_CHANGED_OBJECTS ? 0 : PLATEN_MEMORY_SETTINGS;
    forget_parts(memory, first);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        unsigned which = i == PLATEN_MEMORY_SETTINGS ? PLATEN_CHANGED_SETTINGS : PLATEN_CHANGED_OBJECTS;
        if (!(memory->next_changed & which))
            continue;
        free_text(&memory->texts[i]);
        memory->texts[i] = memory->next[i];
        memory->next[i] = (struct platen_buffer){0};
    }
    uint64_t number = memory->next_number;
    memory->next_number = 0;
    struct platen_error err;
    // Where that fails the front sends it again; the texts are still part of the answer.
    memory->number = understand(memory, worker, first, &err) == PLATEN_OK ? number : 0;
}
