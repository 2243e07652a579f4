// The gathered results of a batch as one ZIP or PDF, in the order of the documents.
#ifndef BROKER_PACK_H
#define BROKER_PACK_H

#include <platen/platen.h>

#include "base/err.h"
#include "base/slice.h"

#define PACK_JOURNAL ".platen-collect" // a file of a collector's folder: what it has taken
#define PACK_DATA ".platen-data"       // a file of the folder: results, one behind the other

// What an output is by its name: a PDF, or one of both, whose results wait in the folder OUT.parts.
bool pack_is_pdf(const char *output);
bool pack_is_file(const char *output);
// Is it there already, of a collector that has ended? It is not replaced.
bool pack_is_taken(const char *output);

// A line of a collector's journal: sequence, ok or error, type, ending, id. Behind the type are place and size of the
// result in PACK_DATA; without them it is a file of its own, as earlier versions wrote it.
struct pack_row {
    uint64_t sequence;
    uint64_t place, size;
    bool ok, has_place;
    struct pl_slice type, ending, id;
};

bool pack_row_read(struct pl_slice line, struct pack_row *out); // false: it is another line

// Are these parts of a PDF, all of them? It is asked before a result is kept: one that is none would stop the packing.
struct result_file;
struct pack_checker { // zeroed at first; for all results of a collector
    struct platen_pdf *pdf;
    struct platen_buffer bytes;
};
enum pl_errc pack_check_parts(struct pack_checker *checker, const struct result_file *file, bool *ok,
                              struct pl_error *err) PL_MUST_USE;
void pack_checker_free(struct pack_checker *checker);

// Packs `folder`, whose journal is `journal`. `layout` is of a PDF's pages; NULL: one label a page.
enum pl_errc pack(const char *folder, const char *journal, const char *output, const struct platen_pdf_layout *layout,
                  struct pl_error *err) PL_MUST_USE;
// All files of the folder, which are the collector's own, its journal last, and the folder.
void pack_remove_folder(const char *folder);

#endif
