// What a body is: by its content type, and where that says little, by how the body begins.
#ifndef PLATEN_API_BODY_H
#define PLATEN_API_BODY_H

#include "base/slice.h"
#include "request/problem.h"

enum body_kind {
    BODY_CODE,         // label code as it is
    BODY_ENCODED_CODE, // label code, percent-encoded
    BODY_JSON,         // a JSON object
    BODY_FIELDS,       // a form as of application/x-www-form-urlencoded, with the label code in the field `zpl`
    BODY_PARTS,        // multipart/form-data
    BODY_WIDE,         // UTF-16 or UTF-32
    BODY_OTHER
};

// Does the content type, in lower case, mean label code as it is? A missing one does.
bool api_body_is_code(struct pl_slice type);
// `*guessed`: the content type says otherwise.
enum body_kind api_body_kind(struct pl_slice type, struct pl_slice body, bool *guessed);

// The body without the mark of UTF-8 at its start.
struct pl_slice api_body_text(struct pl_slice body);
// Is it label code, where nothing else is read: in a part, in JSON, for a printer? False: the problem (400) says what.
bool api_code_check(struct pl_slice code, struct problem *problem);

#endif
