// Rule sets by use: sizes that symbols must have, symbologies that may be used, rules for the data.
#ifndef PL_CHECK_RULE_SETS_H
#define PL_CHECK_RULE_SETS_H

#include <stdbool.h>

#include "check/rules.h"

// Sizes of a symbology. 0: not checked. Quiet zones are not among them: all guides that could be found ask for those of
// the symbologies, which layout gives (src/bar/layout/layout.c).
struct pl_size_rule {
    enum pl_check_symbology symbology;
    uint32_t min_module_um, max_module_um;
    uint32_t min_height_um;     // of the bars
    uint8_t min_height_modules; // the larger of the two counts
    const char *unverified;     // the specification of the height that could not be seen; NULL: it is a public figure
};

enum pl_gs1_demand {
    PL_GS1_NOT_CHECKED,
    PL_GS1_WHERE_MARKED, // symbols with FNC1 in first position, DataBar and Digital Links are checked
    PL_GS1_REQUIRED      // and Code 128, Data Matrix and QR Code must be GS1 symbols
};

struct pl_rule_set {
    const char *name;
    const char *summary;
    const struct pl_size_rule *sizes;
    uint32_t size_count;
    uint64_t symbologies; // bit per pl_check_symbology that may be used; 0: all
    uint32_t rules;       // enum pl_rule
    enum pl_gs1_demand gs1;
    bool logistic_label; // the label as a whole is a GS1 logistic label
    uint32_t apart_mm;   // from the middle of an EAN or UPC to the farthest corner of the 2D symbol of the same item
};

// NULL: there is no such set.
const struct pl_rule_set *pl_rule_set_find(const char *name);
const struct pl_rule_set *pl_rule_sets(uint32_t *count);
// Those of the set, or where it has none those that every label must keep. NULL: there are none for it.
const struct pl_size_rule *pl_rule_set_size(const struct pl_rule_set *set, enum pl_check_symbology symbology);
bool pl_rule_set_allows(const struct pl_rule_set *set, enum pl_check_symbology symbology);
// The least height of the bars, with modules of this width.
uint32_t pl_size_rule_height_um(const struct pl_size_rule *rule, uint32_t module_um);

#endif
