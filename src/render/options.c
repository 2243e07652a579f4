// Reading structures that start with their size.
#include "render/options.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"
#include "render/render.h"

// A member that is added at the end must change the size, so none may fall into padding.
#define ENDS_WITH(type, member)                                                                                        \
    _Static_assert(sizeof(struct type) == offsetof(struct type, member) + sizeof(((struct type *)0)->member), #type)
ENDS_WITH(platen_engine_options, reserved);
ENDS_WITH(platen_options, language);
ENDS_WITH(platen_encode_options, reserved);
ENDS_WITH(platen_describe_options, reserved);
ENDS_WITH(platen_rewrite_options, deadline_ns);
ENDS_WITH(platen_pdf_layout, reserved);
ENDS_WITH(platen_graphic_options, deadline_ns);
ENDS_WITH(platen_font_options, reserved);

#define LARGEST 4096 // no version will have so many options: a larger size was never set

enum platen_status pl_options_read(const void *from, void *to, size_t known, const char *name, struct platen_error *err)
{
    size_t size = known;
    memset(to, 0, known);
    if (from)
        memcpy(&size, from, sizeof size);
    if (size < sizeof size || size > LARGEST)
        return pl_public_fail(err, PLATEN_E_INVALID, "the size of struct %s is not set", name);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i] != 0)
            return pl_public_fail(err, PLATEN_E_INVALID, "struct %s has an option that libplaten %s does not know",
                                  name, platen_version());
    if (from)
        memcpy(to, from, PL_MIN(size, known));
    memcpy(to, &known, sizeof known);
    return PLATEN_OK;
}
