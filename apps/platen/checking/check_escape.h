// Texts of findings and names of files in the languages of the outputs of `platen check`.
#ifndef PLATEN_CHECK_ESCAPE_H
#define PLATEN_CHECK_ESCAPE_H

#include "base/buf.h"

// Valid UTF-8 without control characters: what cannot be shown is U+FFFD.
void check_put_plain(struct pl_buf *out, const char *text);
// The same for XML and HTML, as content or as an attribute in double quotes.
void check_put_xml(struct pl_buf *out, const char *text);
// As a workflow command of GitHub Actions wants it: the message, or a property.
void check_put_github(struct pl_buf *out, const char *text, bool property);
// A path as a URI reference, relative unless the path is absolute.
void check_put_uri(struct pl_buf *out, const char *path);
// With at most `decimals` decimals, and no zeros at the end.
void check_put_number(struct pl_buf *out, double value, unsigned decimals);

#endif
