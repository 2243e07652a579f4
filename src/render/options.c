// Reading structures that start with their size.
#include "render/options.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"
#include "render/render.h"

// A member that is added at the end must change the size, so none may fall into padding. WebAssembly, with pointers of
// four bytes, has other padding, and no programs that were built with another version of the library.
#define ENDS_WITH(type, member)                                                                                        \
    _Static_assert(sizeof(void *) == 4 ||                                                                              \
                       sizeof(struct type) == offsetof(struct type, member) + sizeof(((struct type *)0)->member),      \
                   #type)
ENDS_WITH(platen_engine_options, reserved);
ENDS_WITH(platen_options, printer_model);
ENDS_WITH(platen_encode_options, max_width);
ENDS_WITH(platen_describe_options, reserved);
ENDS_WITH(platen_compare_options, deadline_ns);
ENDS_WITH(platen_rewrite_options, reserved2);
ENDS_WITH(platen_pdf_layout, reserved);
ENDS_WITH(platen_graphic_options, deadline_ns);
ENDS_WITH(platen_font_options, notes);

// Results: a member that is added at the end must change the size here, too.
ENDS_WITH(platen_error, message);
ENDS_WITH(platen_limits, diagnostics);
ENDS_WITH(platen_label, length);
ENDS_WITH(platen_diagnostic, missing_mm);
ENDS_WITH(platen_bitmap, bytes);
ENDS_WITH(platen_element, reserved);
ENDS_WITH(platen_place_source, moved_y);
ENDS_WITH(platen_reply, size);
ENDS_WITH(platen_ink, share);
ENDS_WITH(platen_area, dots);
ENDS_WITH(platen_element_change, dy);
ENDS_WITH(platen_printer_model, reserved2);
ENDS_WITH(platen_stored, reserved);
ENDS_WITH(platen_settings, reserved);
ENDS_WITH(platen_graphic_info, reserved);
ENDS_WITH(platen_command, reserved);
ENDS_WITH(platen_command_parameter, about);

// Members that are for later versions: a program that sets one means something that this version does not know.
#define RESERVED_AS(type, member)                                                                                      \
    {                                                                                                                  \
#type, offsetof(struct type, member), sizeof(((struct type *)0)->member)                                       \
    }
#define RESERVED(type) RESERVED_AS(type, reserved)
static const struct {
    const char *name;
    size_t offset, size;
} RESERVED_MEMBERS[] = {
    RESERVED(platen_engine_options),  RESERVED(platen_options),         RESERVED(platen_describe_options),
    RESERVED(platen_compare_options), RESERVED(platen_rewrite_options), RESERVED(platen_pdf_layout),
    RESERVED(platen_graphic_options), RESERVED(platen_font_options),    RESERVED_AS(platen_rewrite_options, reserved2)};

static bool is_reserved_set(const unsigned char *options, const char *name)
{
    bool set = false;
    for (size_t i = 0; i < PL_COUNTOF(RESERVED_MEMBERS); i++)
        for (size_t k = 0; k < RESERVED_MEMBERS[i].size && strcmp(RESERVED_MEMBERS[i].name, name) == 0; k++)
            set = set || options[RESERVED_MEMBERS[i].offset + k] != 0;
    return set;
}

#define LARGEST 4096 // no version will have so many options: a larger size was never set

enum platen_status pl_options_read(const void *from, void *to, size_t known, const char *name, struct platen_error *err)
{
    size_t size = known;
    memset(to, 0, known);
    if (from)
        memcpy(&size, from, sizeof size);
    // Structures of all versions are whole words long: another size would cut a pointer in two.
    if (size < sizeof size || size % sizeof size != 0 || size > LARGEST)
        return pl_public_fail(err, PLATEN_E_INVALID, "the size of struct %s is not set", name);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i] != 0)
            return pl_public_fail(err, PLATEN_E_INVALID, "struct %s has an option that libplaten %s does not know",
                                  name, platen_version());
    if (from)
        memcpy(to, from, PL_MIN(size, known));
    if (is_reserved_set(to, name))
        return pl_public_fail(err, PLATEN_E_INVALID, "a reserved member of struct %s is not 0", name);
    memcpy(to, &known, sizeof known);
    return PLATEN_OK;
}

bool pl_give(void *out, size_t size, const void *result, size_t known)
{
    memcpy(out, result, PL_MIN(size, known));
    if (size > known)
        memset((unsigned char *)out + known, 0, size - known);
    return true;
}
