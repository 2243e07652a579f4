// What a body is: by its content type, and where that says little, by how the body begins.
#ifndef PLATEN_API_BODY_H
#define PLATEN_API_BODY_H

#include "base/slice.h"

enum body_kind {
    BODY_CODE,         // label code as it is
    BODY_ENCODED_CODE, // label code, percent-encoded
    BODY_JSON,         // a JSON object
    BODY_FIELDS,       // a form as of application/x-www-form-urlencoded, with the label code in the field `zpl`
    BODY_PARTS,        // multipart/form-data
    BODY_UTF16,
    BODY_OTHER
};

// Does the content type, in lower case, mean label code as it is? A missing one does.
bool api_body_is_code(struct pl_slice type);
// `*guessed`: the content type says otherwise.
enum body_kind api_body_kind(struct pl_slice type, struct pl_slice body, bool *guessed);

#endif
