// Set, Get, Do: settings by name, as a line ("! U1 getvar "k"") or as JSON.
#ifndef PRINTER_SGD_H
#define PRINTER_SGD_H

#include "printer/face.h"

enum sgd_verb { SGD_NONE, SGD_GET, SGD_SET, SGD_DO };

struct sgd_line {
    enum sgd_verb verb;
    struct pl_slice name, value; // without quotes; parts of the line
};

// SGD_NONE: the line is none of the three.
void sgd_read(struct pl_slice line, struct sgd_line *out);

// What a setting asks of the printer.
enum sgd_action {
    SGD_NOTHING,
    SGD_CODE,  // label code to carry out
    SGD_PAUSE, // value "true" or "false"
    SGD_RESET, // the printer starts anew
    SGD_CONFIG // prints its configuration
};

// The settings that can be set. 0 as width or length: that of the media.
struct sgd_values {
    uint32_t width, length;
    int32_t darkness_tenths;
    uint8_t speed;
    char mode, tracking, media;
};

// The value of a setting, without quotes. False: there is none of that name.
bool sgd_get(const struct printer_face *face, struct pl_slice name, struct pl_buf *value);
// What setting it or doing it asks for. For SGD_CODE `code` is filled, and *values changed to what they are once it is
// carried out: whoever asks before gets these. *known tells whether there is such a name. A value that a setting cannot
// have changes nothing.
enum sgd_action sgd_act(struct pl_slice name, struct pl_slice value, bool *known, struct pl_buf *code,
                        struct sgd_values *values);
// Calls `each` for all names.
void sgd_names(void (*each)(void *user, const char *name), void *user);

#endif
