// Writing the answer to a batch.
#include "answer/batch_answer.h"

#include <stdio.h>

#include "base/ckd.h"
#include "base/json_writer.h"
#include "batch/names.h"
#include "describe/describe.h"
#include "os/random.h"

#define ERRORS_MAX ((size_t)1 << 20) // of a ZIP: lines that are kept for its last file
#define SPARE_BUFFER ((size_t)1 << 20)
#define PDF_PAGE_BYTES ((size_t)630)

static const struct {
    const char *name, *mime;
} KINDS[BATCH_KINDS] = {
    [BATCH_NDJSON] = {"ndjson", "application/x-ndjson"},
    [BATCH_MULTIPART] = {"multipart", "multipart/mixed"},
    [BATCH_ZIP] = {"zip", "application/zip"},
    [BATCH_PDF] = {"pdf", "application/pdf"},
};

bool batch_kind_by_name(struct pl_slice name, enum batch_kind *out)
{
    for (int i = 0; i < BATCH_KINDS; i++) {
        if (pl_slice_eq_nocase(name, pl_slice_cstr(KINDS[i].name))) {
            *out = (enum batch_kind)i;
            return true;
        }
    }
    return false;
}

const char *batch_kind_mime(enum batch_kind kind)
{
    return KINDS[kind].mime;
}

// 128 random bits: they say nothing of the service, and nobody who writes a label can foresee them.
static bool make_boundary(char *out, size_t room)
{
    uint64_t chance[2];
    if (!pl_random(chance, sizeof chance))
        return false;
    snprintf(out, room, "platen-%016llx%016llx", (unsigned long long)chance[0], (unsigned long long)chance[1]);
    return true;
}

enum platen_status batch_answer_init(struct batch_answer *answer, enum batch_kind kind,
                                     const struct platen_pdf_layout *layout, struct platen_error *err)
{
    *answer = (struct batch_answer){.kind = kind};
    pl_buf_init(&answer->out, SIZE_MAX / 2);
    pl_buf_init(&answer->errors, ERRORS_MAX);
    pl_zip_writer_init(&answer->zip);
    if (kind == BATCH_MULTIPART && !make_boundary(answer->boundary, sizeof answer->boundary)) {
        err->status = PLATEN_E_IO;
        snprintf(err->message, sizeof err->message, "the system gives no random bytes");
        return PLATEN_E_IO;
    }
    if (kind != BATCH_PDF)
        return PLATEN_OK;
    enum platen_status status = platen_pdf_new("Labels", &answer->pdf_bytes, &answer->pdf, err);
    return status == PLATEN_OK && layout ? platen_pdf_set_layout(answer->pdf, layout, err) : status;
}

void batch_answer_free(struct batch_answer *answer)
{
    platen_pdf_free(answer->pdf);
    platen_buffer_free(&answer->pdf_bytes);
    pl_zip_writer_fini(&answer->zip);
    pl_buf_fini(&answer->errors);
    pl_buf_fini(&answer->out);
}

size_t batch_answer_held(const struct batch_answer *answer)
{
    // The PDF's writer does not report its memory. At its end all page objects are written at once, into buffers that
    // double and are copied: measured, 390 bytes a page where labels repeat and 630 where each is another.
    return answer->out.cap + answer->zip.directory.cap + answer->errors.cap + answer->pdf_bytes.capacity +
           (answer->pdf ? (size_t)answer->counts.pages * PDF_PAGE_BYTES : 0);
}

// ---- pieces

static void put_names(struct pl_json_writer *out, const char *key, const struct pl_slice *names, uint32_t count)
{
    if (count == 0)
        return;
    pl_json_kv_array(out, key);
    for (uint32_t i = 0; i < count; i++)
        pl_json_slice(out, names[i]);
    pl_json_end(out);
}

// "ID.png", of several labels "ID+02.png".
static void put_file_name(const struct batch_label *label, struct pl_buf *out)
{
    if (label->format == OUTPUT_JSON && label->count == 1 && pl_slice_eq_cstr(label->id, "summary"))
        pl_buf_append_cstr(out, "%73ummary"); // summary.json is the answer's own
    else
        pl_label_file_name(label->id, label->index, label->count, out);
    pl_buf_printf(out, ".%s", output_name(label->format));
}

static void put_quoted(struct pl_slice text, struct pl_buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        pl_buf_append_byte(out, c < 0x20 || c == 0x7F || c == '"' || c == '\\' ? '_' : c);
    }
}

static void begin_part(struct batch_answer *answer, const char *type)
{
    pl_buf_printf(&answer->out, "--%s\r\nContent-Type: %s\r\n", answer->boundary, type);
}

static void put_json_part(struct batch_answer *answer, struct pl_slice json)
{
    begin_part(answer, "application/json");
    pl_buf_printf(&answer->out, "Content-Length: %zu\r\n\r\n", json.len);
    pl_buf_append_slice(&answer->out, json);
    pl_buf_append_cstr(&answer->out, "\r\n");
}

static void put_file(struct batch_answer *answer, struct pl_slice name, struct pl_slice data)
{
    pl_zip_begin(&answer->zip, name, data, &answer->out);
    pl_buf_append_slice(&answer->out, data);
}

static enum platen_status check(const struct batch_answer *answer, struct platen_error *err)
{
    if (!answer->out.failed && !answer->zip.directory.failed)
        return PLATEN_OK;
    *err = (struct platen_error){.status = PLATEN_E_MEMORY};
    snprintf(err->message, sizeof err->message, "not enough memory for the answer");
    return err->status;
}

// ---- labels

static void put_label_json(const struct batch_label *label, struct pl_buf *out)
{
    struct pl_json_writer json;
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_slice(&json, "id", label->id);
    pl_json_kv_bool(&json, "ok", true);
    pl_json_kv_u64(&json, "index", label->index);
    pl_json_kv_u64(&json, "count", label->count);
    pl_json_kv_u64(&json, "copies", label->copies);
    put_names(&json, "unknown", label->unknown, label->unknown_count);
    put_names(&json, "overridden", label->overridden, label->overridden_count);
    if (label->format == OUTPUT_JSON) {
        pl_json_key(&json, "label");
        pl_json_raw(&json, pl_slice_make("", 0));
        pl_description_page(label->index, true, out);
        pl_buf_append_slice(out, label->members);
        pl_buf_append_byte(out, '}');
    } else {
        pl_json_kv_cstr(&json, "mimeType", output_mime(label->format));
        pl_json_kv_cstr(&json, "encoding", "base64");
        pl_json_kv_u64(&json, "sizeBytes", label->file.len);
        pl_json_key(&json, "data");
        pl_json_base64(&json, label->file);
        if (label->warnings.len > 2) {
            pl_json_key(&json, "warnings");
            pl_json_raw(&json, label->warnings);
        }
    }
    pl_json_end(&json);
}

static void put_label_part(struct batch_answer *answer, const struct batch_label *label)
{
    struct pl_buf *out = &answer->out;
    begin_part(answer, output_mime(label->format));
    pl_buf_append_cstr(out, "Content-Disposition: attachment; filename=\"");
    struct pl_buf name;
    pl_buf_init(&name, 1024);
    put_file_name(label, &name);
    put_quoted(pl_buf_slice(&name), out);
    pl_buf_fini(&name);
    pl_buf_append_cstr(out, "\"\r\nX-Document-Id: ");
    put_quoted(label->id, out);
    pl_buf_printf(out,
                  "\r\nX-Label-Index: %u\r\nX-Label-Count: %u\r\nX-Label-Copies: %u\r\nContent-Length: %zu\r\n\r\n",
                  label->index, label->count, label->copies, label->file.len);
    pl_buf_append_slice(out, label->file);
    pl_buf_append_cstr(out, "\r\n");
}

// Moves the bytes that the PDF's writer has made to `out`.
static void take_pdf(struct batch_answer *answer)
{
    pl_buf_append(&answer->out, answer->pdf_bytes.data, answer->pdf_bytes.size);
    platen_pdf_take(answer->pdf);
    if (answer->pdf_bytes.capacity > SPARE_BUFFER)
        platen_buffer_free(&answer->pdf_bytes);
}

static enum platen_status put_pdf_label(struct batch_answer *answer, const struct batch_label *label,
                                        struct platen_error *err)
{
    enum platen_status status = platen_pdf_add(answer->pdf, label->part, label->pages, err);
    if (status == PLATEN_OK)
        take_pdf(answer);
    return status;
}

enum platen_status batch_put_label(struct batch_answer *answer, const struct batch_label *label,
                                   struct platen_error *err)
{
    size_t before = answer->out.len;
    struct pl_buf text;
    if (answer->kind != BATCH_PDF && label->format == OUTPUT_JSON && answer->kind != BATCH_NDJSON) {
        // A description is a file like a picture.
        pl_buf_init(&text, SIZE_MAX / 2);
        put_label_json(label, &text);
        struct batch_label whole = *label;
        whole.file = pl_buf_slice(&text);
        if (answer->kind == BATCH_MULTIPART) {
            put_label_part(answer, &whole);
        } else {
            struct pl_buf name;
            pl_buf_init(&name, 1024);
            put_file_name(label, &name);
            put_file(answer, pl_buf_slice(&name), whole.file);
            pl_buf_fini(&name);
        }
        pl_buf_take_over(&answer->out, &text);
    } else if (answer->kind == BATCH_PDF) {
        enum platen_status status = put_pdf_label(answer, label, err);
        if (status != PLATEN_OK)
            return status;
    } else if (answer->kind == BATCH_NDJSON) {
        put_label_json(label, &answer->out);
        pl_buf_append_byte(&answer->out, '\n');
    } else if (answer->kind == BATCH_MULTIPART) {
        put_label_part(answer, label);
    } else {
        pl_buf_init(&text, 1024);
        put_file_name(label, &text);
        put_file(answer, pl_buf_slice(&text), label->file);
        pl_buf_fini(&text);
    }
    answer->counts.labels++;
    answer->counts.pages += label->copies;
    answer->counts.bytes += answer->out.len - before;
    return check(answer, err);
}

// ---- what is not a label

static void put_problem_json(struct pl_slice id, const struct problem *problem, struct pl_buf *out)
{
    struct pl_json_writer json;
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_slice(&json, "id", id);
    pl_json_kv_bool(&json, "ok", false);
    pl_json_kv_i64(&json, "status", problem->status);
    pl_json_kv_cstr(&json, "code", problem->code);
    pl_json_kv_cstr(&json, "error", problem->message);
    pl_json_end(&json);
    pl_buf_append_byte(out, '\n');
}

// Written whole, or not at all.
static void keep_error(struct batch_answer *answer, struct pl_slice line)
{
    if (line.len > ERRORS_MAX - answer->errors.len)
        answer->errors_hidden++;
    else
        pl_buf_append_slice(&answer->errors, line);
}

// A line, or a part of its own.
static void put_json(struct batch_answer *answer, struct pl_slice line)
{
    if (answer->kind == BATCH_NDJSON)
        pl_buf_append_slice(&answer->out, line);
    else if (answer->kind == BATCH_MULTIPART)
        put_json_part(answer, line);
}

void batch_put_problem(struct batch_answer *answer, struct pl_slice id, const struct problem *problem)
{
    struct pl_buf line;
    pl_buf_init(&line, 65536);
    put_problem_json(id, problem, &line);
    answer->counts.failed++;
    if (answer->kind == BATCH_ZIP)
        keep_error(answer, pl_buf_slice(&line));
    else
        put_json(answer, pl_buf_slice(&line));
    pl_buf_take_over(&answer->out, &line);
}

static void put_counts(struct batch_answer *answer, const char *name, uint64_t now_ns, const struct pl_slice *unknown,
                       uint32_t unknown_count, struct pl_buf *out)
{
    const struct batch_counts *c = &answer->counts;
    struct pl_json_writer json;
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_object(&json, name);
    pl_json_kv_u64(&json, "documents", c->documents);
    pl_json_kv_u64(&json, "failed", c->failed);
    pl_json_kv_u64(&json, "labels", c->labels);
    pl_json_kv_u64(&json, "pages", c->pages);
    pl_json_kv_u64(&json, "bytes", c->bytes);
    pl_json_key(&json, "seconds");
    pl_json_fixed(&json, (double)(now_ns - c->began_ns) / 1e9, 3);
    if (answer->errors_hidden > 0)
        pl_json_kv_u64(&json, "errorsNotListed", answer->errors_hidden);
    put_names(&json, "unknown", unknown, unknown_count);
    pl_json_ends(&json, 2);
    pl_buf_append_byte(out, '\n');
}

void batch_put_progress(struct batch_answer *answer, uint64_t now_ns)
{
    struct pl_buf line;
    pl_buf_init(&line, 4096);
    put_counts(answer, "progress", now_ns, NULL, 0, &line);
    put_json(answer, pl_buf_slice(&line));
    pl_buf_fini(&line);
}

enum platen_status batch_put_summary(struct batch_answer *answer, uint64_t now_ns, const struct pl_slice *unknown,
                                     uint32_t unknown_count, struct platen_error *err)
{
    struct pl_buf line;
    if (answer->kind == BATCH_PDF) {
        if (answer->counts.labels == 0) {
            *err = (struct platen_error){.status = PLATEN_E_INVALID, .message = "there is no label for the PDF"};
            return err->status;
        }
        enum platen_status status = platen_pdf_finish(answer->pdf, err);
        if (status == PLATEN_OK)
            take_pdf(answer);
        return status == PLATEN_OK ? check(answer, err) : status;
    }
    pl_buf_init(&line, 65536);
    put_counts(answer, "summary", now_ns, unknown, unknown_count, &line);
    put_json(answer, pl_buf_slice(&line));
    if (answer->kind == BATCH_MULTIPART)
        pl_buf_printf(&answer->out, "--%s--\r\n", answer->boundary);
    if (answer->kind == BATCH_ZIP) {
        if (answer->errors.len > 0)
            put_file(answer, pl_slice_cstr("errors.ndjson"), pl_buf_slice(&answer->errors));
        put_file(answer, pl_slice_cstr("summary.json"), pl_buf_slice(&line));
        pl_zip_end(&answer->zip, &answer->out);
    }
    pl_buf_take_over(&answer->out, &line);
    return check(answer, err);
}
