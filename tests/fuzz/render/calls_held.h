// What fuzz_calls.c holds between two calls, and how it ends; what every call must keep.
#ifndef PL_FUZZ_CALLS_HELD_H
#define PL_FUZZ_CALLS_HELD_H

#include "calls_choice.h"
#include "platen/platen.h"

enum { ENGINES = 2, WORKERS = 3, DOCUMENTS = 4, PAGES = 3, SNAPSHOTS = 3, CALLS = 64 };

struct held_worker {
    struct platen_worker *worker;
    struct platen_document *own; // its document; NULL: none
    const struct platen_page *page;
    const struct platen_document *page_of;
};

struct held {
    struct platen_engine *engines[ENGINES];
    struct held_worker workers[WORKERS];
    struct platen_document *documents[DOCUMENTS]; // detached
    const struct platen_page *pages[PAGES];       // detached
    struct platen_snapshot *snapshots[SNAPSHOTS];
    struct platen_comparison *comparison;
    const struct platen_snapshot *compared[2];
    struct platen_pdf *pdf;
    struct platen_buffer pdf_out, part, out;
    struct platen_rewritten *rewritten;
    struct platen_graphic *graphic;
    struct platen_cancel cancel;
    void *inputs[CALLS]; // label code that documents may point to
    unsigned input_count;
};
extern struct held held;
extern struct platen_engine *lasting; // with fonts of the system; making one takes long

// Where a call puts its error; NULL now and then.
struct platen_error *error_or_null(void);
// `at` is what error_or_null gave; `result` what the call should have made (any pointer, if it makes none).
enum platen_status kept(enum platen_status status, const struct platen_error *at, const void *result);
#define DONE(status) ((status) == PLATEN_OK ? "" : NULL)
// For a call that makes something.
extern enum platen_status of_call;
#define MADE(call, at, result) (of_call = (call), kept(of_call, at, result))

void end_comparison(void);
void end_snapshot(unsigned i);
void end_document(struct platen_document **document);
void end_worker(struct held_worker *w);
void end_pdf(void);
void end_all(void); // in an order that the input chooses

const struct platen_engine *any_engine(void);
struct held_worker *any_worker(void);
const struct platen_document *any_document(void);
const struct platen_page *any_page(void);

// Calls that convert (calls_convert.c).
void call_compare(void);
void call_pdf(void);
void call_rewrite(void);
void call_graphic(void);

#endif
