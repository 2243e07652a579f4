// What the files behind the public header share.
#ifndef PL_RENDER_RENDER_H
#define PL_RENDER_RENDER_H

#include <stdatomic.h>

#include "base/limits.h"
#include "check/rule_sets.h"
#include "draw/page.h"
#include "enc/enc.h"
#include "lang/lang.h"
#include "platen/platen.h"
#include "store/store.h"

// Has memory run out inside of another library? FreeType and HarfBuzz may continue without a glyph or a table, and
// report nothing; but malloc sets errno to ENOMEM whoever called it. It also does so when its heap could not grow and
// it found memory elsewhere. So:
//
//   pl_memory_watch_begin(worker);                     // errno = 0
//   code = work();
//   if (pl_memory_watch_retry(worker, code))           // it succeeded, but malloc has complained; or there was no
//                                                      // room beside faces that were open before:
//       code = work();                                 // once more, with faces and glyphs loaded anew
//   code = pl_memory_watch_end(worker, code, err);     // PL_E_MEMORY if malloc has complained again;
//                                                      // the caller's errno is back
//
// What else the worker's own budget refused is certain, and needs no second try.
void pl_memory_watch_begin(struct platen_worker *worker);
bool pl_memory_watch_retry(struct platen_worker *worker, enum pl_errc code);
enum pl_errc pl_memory_watch_end(struct platen_worker *worker, enum pl_errc code, struct pl_error *err) PL_MUST_USE;

// An engine, a detached document and a detached page live until nobody holds them any more: the caller, workers and
// documents of an engine, documents after a document, pages of a document. `self` is for holders of a const pointer.
struct platen_engine {
    atomic_uint holders;
    struct platen_engine *self;
    struct pl_limits limits;
    size_t glyph_cache_bytes;
    struct pl_fonts *fonts;
    struct pl_arena objects_arena;
    struct pl_store objects; // preloaded, read-only
    uint32_t object_count;
};

struct platen_document {
    struct platen_worker *worker; // the one that parsed it; NULL: it is detached
    atomic_uint holders;          // of a detached one, as are the next two
    struct platen_document *self;
    const struct platen_engine *engine;
    uint64_t number;     // unique in the process; addresses are used again
    struct pl_arena own; // its memory when it is detached; otherwise that is the worker's document_arena
    size_t bytes;        // what its memory came to
    struct pl_slice input;
    struct platen_options options; // without `rules` and `printer_model`, which are the caller's
    const struct pl_rule_set *rules;
    const struct pl_model *model; // NULL: no printer in particular
    bool checks_rules;            // they are not "none"
    uint32_t width, height;       // of a page, before rotation
    struct pl_job job;
    struct pl_store store;
    // Where the last question for a stored object ended, its index above its place: the next one goes on there, so that
    // asking for all takes one way through them. NULL: there was no memory for it. Any thread may ask.
    atomic_uint_fast64_t *stored_place;
    const struct pl_lang *language;
    bool code_is_made; // it is not the caller's: values were filled in
    bool size_guessed; // no ^PW or no ^LL said it: the content did
    const void *end;   // the printer as the document left it: the language's own
    struct pl_scene scene;
    struct pl_diags diags;
    uint32_t *first_page; // of each label; one more at the end with the number of all pages
};

struct platen_page {
    struct platen_page *self;
    const struct platen_document *document; // its own; held by a detached page
    uint64_t document_number;               // of it: a worker has its documents at one address
    struct pl_arena own;                    // memory of a detached page
    bool is_detached;
    struct pl_drawn_page drawn;
    uint32_t label;    // of its document
    uint32_t dot_size; // of its label, as are the next two
    bool mirrored, upside_down;
    double min_module_mm; // of its options
    double dpmm;
    double width_mm, height_mm; // after rotation
    struct pl_job job;          // of its document
    struct pl_diags diags;
    struct platen_element *elements;
    uint32_t element_count;
    bool has_elements;      // they were asked for; there may be none
    struct pl_arena *arena; // of the page
    uint8_t *shades;        // of a grey page, a byte for each dot: made when asked for
};

struct platen_worker {
    const struct platen_engine *engine;
    struct pl_writer *writer;
    struct pl_budget budget; // what the three arenas and the fonts may hold together
    struct pl_arena document_arena, page_arena, scratch;
    struct platen_document document;
    bool has_document;
    uint64_t fonts_of; // number of the document whose downloaded fonts are open; 0: none
    uint64_t lines_of; // of which document `lines` is
    struct pl_line_mark lines;
    struct platen_page page;
    struct pl_job job; // of calls that have neither options nor a document
    int errno_before;  // of the caller: pl_memory_watch_begin
    bool faces_before; // there were some open then
    size_t font_bytes; // of the budget, that fonts take when no face is open
};

void pl_engine_hold(const struct platen_engine *engine);
void pl_engine_drop(const struct platen_engine *engine);
// Of a detached document; NULL: nothing.
void pl_document_hold(const struct platen_document *document);
void pl_document_drop(const struct platen_document *document);

// Before a worker draws of a document, its own or another's: closes the fonts that came with the one before.
void pl_worker_turn_to(struct platen_worker *worker, const struct platen_document *document);
// Closes the fonts that came with a document, whose bytes end with it.
void pl_worker_close_fonts(struct platen_worker *worker);
// platen_worker_trim, but for the fonts: between two labels of a document.
void pl_worker_drop_page(struct platen_worker *worker);

// The row of a language; NULL: there is none (PLATEN_LANGUAGE_DETECT, or out of range).
const struct pl_lang *pl_language(enum platen_language language);

// Results and errors of the inside as the outside knows them.
enum platen_status pl_public_status(enum pl_errc code, const struct pl_error *from, struct platen_error *to);
// Fills `err` and returns `status`.
enum platen_status pl_public_fail(struct platen_error *err, enum platen_status status, const char *fmt, ...)
    PL_PRINTF(3, 4);
// The same for a pointer that must not be NULL; `function` is the public one.
enum platen_status pl_null_argument(struct platen_error *err, const char *function);
// For a worker's page that has no document any more.
enum platen_status pl_page_gone(struct platen_error *err);
// A finding as the outside knows it; false: there is none of this index.
bool pl_public_diagnostic_at(const struct pl_diags *diags, uint32_t index, struct platen_diagnostic *out, size_t size);
// What of a kept arena stays with a worker between two jobs.
#define PL_WORKER_KEEP ((size_t)16 << 20)
// A worker with a smaller limit of memory keeps nothing between two documents.
#define PL_WORKER_COLD_BELOW ((size_t)16 << 20)

enum pl_errc pl_page_elements(struct platen_page *page, struct pl_arena *arena, struct pl_error *err) PL_MUST_USE;
// Gives a document whose labels are read the size that they were meant for. Draws: the worker's page is gone.
enum pl_errc pl_fit_size(struct platen_document *doc, bool fits_width, bool fits_height,
                         struct pl_error *err) PL_MUST_USE;
// The same by what the labels state, no larger than the limit; a side that none states keeps its default.
void pl_take_stated_size(struct platen_document *doc, bool fits_width, bool fits_height);
// Reports content that takes only a corner of the page, which has elements. A label that was made for this size is
// taken at its word.
void pl_note_corner(struct platen_page *page, const struct platen_document *doc, const struct pl_label *label);
// A document of one page; `out` is empty.
enum pl_errc pl_encode_pdf(struct platen_worker *worker, const struct platen_page *page,
                           const struct platen_encode_options *options, struct pl_buf *out,
                           struct pl_error *err) PL_MUST_USE;
struct pl_canvas pl_page_canvas(const struct platen_page *page);

#endif
