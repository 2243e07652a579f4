// Documents for the command line, one after the other: label files, and rows of NDJSON, CSV and ZIP files.
#ifndef PLATEN_ROW_SOURCE_H
#define PLATEN_ROW_SOURCE_H

#include "base/csv.h"
#include "batch/reader.h"
#include "cli/path_list.h"
#include "cli/template.h"
#include "request/controls.h"

enum row_kind { ROW_FILE, ROW_LINES, ROW_CSV, ROW_ZIP };

struct row_document {
    struct pl_buf id, zpl;
    struct pl_buf unknown;    // texts of controls.unknown
    struct controls controls; // its other texts are empty
    uint64_t spent_ns;        // of its time, on filling in
    struct template_notes notes;
    bool failed; // `problem` says why
    struct problem problem;
};

struct row_source {
    const struct path_list *inputs;
    enum row_kind standard;    // what standard input is
    struct template *template; // NULL: rows bring their label code
    struct controls controls;  // where a document says nothing
    size_t limit;              // bytes of a document
    // The input at hand.
    size_t next;
    int fd; // -1: none
    enum row_kind kind;
    const char *path;
    struct pl_buf window;
    size_t begin; // of what was not used
    bool ended;
    uint64_t bytes, size; // read of it, and in all; 0: not known
    uint64_t row;
    struct pl_lines lines;
    struct pl_zip_reader zip;
    struct pl_csv csv;
    struct pl_arena column_arena;
    struct pl_slice *columns;
    uint32_t column_count;
    bool later;  // the last document was not there yet, and should not be waited for
    bool broken; // a line was printed
};

// By the ending of a name: .ndjson, .jsonl, .csv, .zip.
enum row_kind row_kind_of(const char *path);
#define ROW_KIND_LIST "ndjson, csv or zip"
bool row_kind_by_name(const char *name, enum row_kind *out);

void row_source_init(struct row_source *source, const struct path_list *inputs, const struct controls *controls,
                     size_t limit);
void row_source_free(struct row_source *source);
// False: there are no more, or source->broken; or source->later, which only happens without `waits`.
bool row_source_next(struct row_source *source, struct row_document *document, bool waits);
double row_source_part(const struct row_source *source); // that was read, of 1; below 0: not known

void row_document_init(struct row_document *document);
void row_document_free(struct row_document *document);

#endif
