// Rules that a project writes for its own labels: sections [rule.NAME] of its settings.
#ifndef PLATEN_CHECK_OWN_RULES_H
#define PLATEN_CHECK_OWN_RULES_H

#include <platen/platen.h>

#include "base/arena.h"
#include "base/buf.h"
#include "check_toml.h"

#define CHECK_OWN_RULES_MAX 64u

// A rule is about the first field of a label that `field`, `symbology` and `data` describe.
struct check_own_rule {
    const char *name;
    const char *files;             // pattern of the path; NULL: all
    const char *symbology, *data;  // patterns; NULL: any
    const char *equals;            // name of the rule whose field has the same data; NULL
    const char *window;            // as it was written; NULL: anywhere
    double x0, y0, x1, y1;         // of the window, in mm
    double min_module, max_module; // mm; 0: any
    double min_height;             // of the bars, mm
    bool text;                     // a text field, not a barcode
    bool optional;                 // the label may be without it
    enum platen_severity severity;
    uint32_t given; // bit per key
};

struct check_own_rules {
    struct check_own_rule items[CHECK_OWN_RULES_MAX];
    uint32_t count;
};

// A section begins; one of its values is the reader's. False, with a sentence in `why`.
bool check_own_rules_begin(struct check_own_rules *rules, const char *name, struct pl_arena *memory,
                           struct pl_buf *why);
bool check_own_rules_set(struct check_own_rules *rules, const struct toml_reader *reader, enum toml_event event,
                         struct pl_arena *memory, struct pl_buf *why);
bool check_read_severity(const char *text, enum platen_severity *out, struct pl_buf *why);
// After the last section: does every `equals` name a rule?
bool check_own_rules_end(const struct check_own_rules *rules, struct pl_buf *why);

struct check_drawn {
    const struct platen_page *page;
    const struct platen_label *label;
    uint32_t index; // of the label
    double dpmm;
};

// What a rule says about a drawn label, without its line.
typedef void check_own_broken(void *user, struct platen_diagnostic *d, const struct platen_label *label);
void check_own_rules_apply(const struct check_own_rules *rules, const char *path, const struct check_drawn *drawn,
                           check_own_broken *broken, void *user);

#endif
