// What makes a PDF one for archives (PDF/A-2b): metadata as XMP, and what its greys mean.
#ifndef PL_ENC_PDF_ARCHIVE_H
#define PL_ENC_PDF_ARCHIVE_H

#include "enc/pdf_objects.h"

// Writes both objects, and the members of the catalogue that name them to `catalogue`.
enum pl_errc pl_pdf_archive(struct pl_pdf_objects *objects, const char *title, struct pl_buf *catalogue,
                            struct pl_error *err) PL_MUST_USE;

#endif
