// The objects of fuzz_calls.c: ended in any order, and chosen to call with.
#include "calls_held.h"

#include <stdlib.h>
#include <string.h>

struct held held;
struct platen_engine *lasting;

static struct platen_error err;

struct platen_error *error_or_null(void)
{
    memset(&err, 0x5A, sizeof err);
    return chance(8) ? NULL : &err;
}

enum platen_status kept(enum platen_status status, const struct platen_error *at, const void *result)
{
    if (status == PLATEN_E_BUG || (status == PLATEN_OK) != (result != NULL))
        abort();
    if (at && status == PLATEN_OK && (unsigned char)at->message[0] != 0x5A)
        abort();
    if (at && status != PLATEN_OK &&
        (at->status != status || !memchr(at->message, 0, sizeof at->message) || !*at->message))
        abort();
    return status;
}

enum platen_status of_call;

// ---- ends

void end_comparison(void)
{
    platen_comparison_free(held.comparison);
    held.comparison = NULL;
}

void end_snapshot(unsigned i)
{
    if (held.comparison && (held.compared[0] == held.snapshots[i] || held.compared[1] == held.snapshots[i]))
        end_comparison();
    platen_snapshot_free(held.snapshots[i]);
    held.snapshots[i] = NULL;
}

// Pages that workers have of it may not be used any more.
static void forget_pages_of(const struct platen_document *document)
{
    for (unsigned i = 0; i < WORKERS; i++)
        if (held.workers[i].page_of == document)
            held.workers[i].page = NULL;
}

void end_document(struct platen_document **document)
{
    forget_pages_of(*document);
    platen_document_free(*document);
    *document = NULL;
}

void end_worker(struct held_worker *w)
{
    if (w->own)
        forget_pages_of(w->own);
    if (w->own && chance(2))
        platen_document_free(w->own);
    platen_worker_free(w->worker);
    *w = (struct held_worker){0};
}

void end_pdf(void)
{
    platen_pdf_free(held.pdf);
    held.pdf = NULL;
    platen_buffer_free(&held.pdf_out);
}

void end_all(void)
{
    for (unsigned left = 0xFFFF; left;) {
        unsigned k = pick(16);
        while (!(left >> k & 1))
            k = (k + 1) % 16;
        left &= ~(1u << k);
        if (k < DOCUMENTS)
            end_document(&held.documents[k]);
        else if (k < 7)
            end_worker(&held.workers[k - 4]);
        else if (k < 10)
            end_snapshot(k - 7);
        else if (k < 13)
            platen_page_free(held.pages[k - 10]);
        else if (k == 13)
            end_pdf();
        else
            platen_engine_free(held.engines[k - 14]);
    }
    platen_rewritten_free(held.rewritten);
    platen_graphic_free(held.graphic);
    platen_buffer_free(&held.part);
    platen_buffer_free(&held.out);
    for (unsigned i = 0; i < held.input_count; i++)
        free(held.inputs[i]);
    memset(&held, 0, sizeof held);
}

// ---- objects to call with

const struct platen_engine *any_engine(void)
{
    unsigned i = pick(8);
    return i < ENGINES ? held.engines[i] : i == 7 && chance(4) ? NULL : lasting;
}

struct held_worker *any_worker(void)
{
    struct held_worker *w = &held.workers[pick(WORKERS)];
    if (!w->worker && platen_worker_new(any_engine(), &w->worker, NULL) != PLATEN_OK)
        w->worker = NULL;
    return w;
}

const struct platen_document *any_document(void)
{
    unsigned i = pick(DOCUMENTS + WORKERS);
    for (unsigned k = 0; k < DOCUMENTS + WORKERS; k++, i = (i + 1) % (DOCUMENTS + WORKERS)) {
        const struct platen_document *d = i < DOCUMENTS ? held.documents[i] : held.workers[i - DOCUMENTS].own;
        if (d || chance(16))
            return d;
    }
    return NULL;
}

const struct platen_page *any_page(void)
{
    unsigned i = pick(PAGES + WORKERS);
    for (unsigned k = 0; k < PAGES + WORKERS; k++, i = (i + 1) % (PAGES + WORKERS)) {
        const struct platen_page *p = i < PAGES ? held.pages[i] : held.workers[i - PAGES].page;
        if (p || chance(16))
            return p;
    }
    return NULL;
}
