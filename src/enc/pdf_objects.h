// The objects of a PDF file: their numbers, where they stand, streams, and the table that tells readers.
#ifndef PL_ENC_PDF_OBJECTS_H
#define PL_ENC_PDF_OBJECTS_H

#include "base/arena.h"
#include "base/buf.h"

struct pl_pdf_objects {
    struct pl_arena *arena;
    struct pl_buf *out;
    size_t start;    // where the document begins in `out`
    size_t taken;    // bytes of it that are in `out` no more
    size_t *offsets; // of object i + 1
    uint32_t count, capacity;
    struct pl_buf text, packed; // of the stream that is being written, plain and compressed
    struct pl_deflater *deflater;
};

// Ends with pl_pdf_objects_fini, whatever happened.
enum pl_errc pl_pdf_objects_init(struct pl_pdf_objects *o, struct pl_arena *arena, struct pl_buf *out,
                                 struct pl_error *err) PL_MUST_USE;
void pl_pdf_objects_fini(struct pl_pdf_objects *o);
// Empties `out`; offsets go on.
void pl_pdf_objects_take(struct pl_pdf_objects *o);
// The next number. False: there is not enough memory.
bool pl_pdf_object_new(struct pl_pdf_objects *o, uint32_t *number);
void pl_pdf_object_begin(struct pl_pdf_objects *o, uint32_t number);
void pl_pdf_object_end(struct pl_pdf_objects *o);
// An object that is a stream: what o->text holds, which is empty afterwards. `members` are more of its dictionary.
enum pl_errc pl_pdf_object_stream(struct pl_pdf_objects *o, uint32_t number, const char *members,
                                  struct pl_error *err) PL_MUST_USE;
// The cross-reference table and the end of the file. `members` are more of the trailer's dictionary.
enum pl_errc pl_pdf_objects_finish(struct pl_pdf_objects *o, uint32_t catalogue, uint32_t information,
                                   const char *members, struct pl_error *err) PL_MUST_USE;

void pl_pdf_put_number(struct pl_buf *out, double value);
// Doubles the room of an array when it is full. False: there is not enough memory.
bool pl_pdf_grow(struct pl_arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size);

#endif
