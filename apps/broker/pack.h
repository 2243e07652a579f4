// The gathered results of a batch as one ZIP or PDF, in the order of the documents.
#ifndef BROKER_PACK_H
#define BROKER_PACK_H

#include <platen/platen.h>

#include "base/err.h"
#include "base/slice.h"
#include "cli/cli_io.h"

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

// The rows of a journal in the order of the output, each with its last result; zeroed at first.
struct pack_rows {
    struct pack_row *rows; // their texts lie in `text`
    size_t count;
    struct cli_input text;
};
enum pl_errc pack_rows_read(struct pack_rows *rows, const char *journal, struct pl_error *err) PL_MUST_USE;
void pack_rows_free(struct pack_rows *rows);

// Are these parts of a PDF, all of them? It is asked before a result is kept: one that is none would stop the packing.
struct result_file;
struct pack_checker { // zeroed at first; for all results of a collector
    struct platen_pdf *pdf;
    struct platen_buffer bytes;
};
enum pl_errc pack_check_parts(struct pack_checker *checker, const struct result_file *file, bool *ok,
                              struct pl_error *err) PL_MUST_USE;
void pack_checker_free(struct pack_checker *checker);

// The rows that follow each other from the first one on are packed while the others are waited for. What was packed in
// this way counts only if the journal says the same at the end; otherwise all is packed then.
struct packer;
// Packs results in `folder` into a file there. `layout` is of a PDF's pages; NULL: one label a page. It lives longer
// than the packer, as the folder's name does. `has_rows`: some came before this program began, so that all is packed at
// the end. NULL: no memory.
struct packer *packer_new(const char *folder, const char *output, const struct platen_pdf_layout *layout,
                          bool has_rows);
// A row has this result, in PACK_DATA or as a file.
void packer_note(struct packer *packer, const struct pack_row *row);
// Packs what is next, of all that was noted. What goes wrong shows at the end.
void packer_go_on(struct packer *packer);
// Packs the rest of what `journal` says, and puts the output in its place.
enum pl_errc packer_finish(struct packer *packer, const char *journal, struct pl_error *err) PL_MUST_USE;
void packer_free(struct packer *packer);
// All files of the folder, which are the collector's own, its journal last, and the folder.
void pack_remove_folder(const char *folder);

#endif
