// Rules for the data of carriers and keys: structure and check digits. Pure. Each rule knows data of its kind by its
// form, and says what is wrong with it and where.
#ifndef PL_CHECK_RULES_H
#define PL_CHECK_RULES_H

#include "base/slice.h"
#include "check/symbology.h"

enum pl_rule {
    PL_RULE_UPS_TRACKING = 1 << 0, // 1Z and 16 characters
    PL_RULE_UPS_MAXICODE = 1 << 1, // [)> RS 01 GS 96 ...
    PL_RULE_USPS_IMPB = 1 << 2,    // 420 and ZIP, 91 to 95 and digits
    PL_RULE_USPS_IMB = 1 << 3,     // 20, 25, 29 or 31 digits
    PL_RULE_S10 = 1 << 4,          // AA123456785BB
    PL_RULE_FEDEX = 1 << 5,        // 12 digits, 34 digits, 96 and 20 digits
    PL_RULE_KEY = 1 << 6,          // GTIN of EAN and UPC, ITF-14
    PL_RULE_DHL = 1 << 7,          // Leitcode, Identcode, waybill of ten digits, licence plate
    PL_RULE_AMAZON = 1 << 8,       // FNSKU, number of a box in a shipment
    PL_RULE_NUMBER = 1 << 9        // PZN, HIBC, IMEI
};

enum pl_rule_match {
    PL_RULE_OTHER, // data of another kind
    PL_RULE_HOLDS,
    PL_RULE_BROKEN
};

struct pl_rule_result {
    enum pl_rule_match match;
    enum pl_rule rule;
    uint32_t offset;  // of the wrong byte
    bool unread;      // the source of the rule could not be read: never more than a warning
    bool unsure;      // it may be a number of another kind, whose check digit is right
    const char *word; // a text of the label with this word proves what the number is; NULL: none is needed
    bool by_word;     // without it nothing is said; otherwise it is no more than a warning
    char message[120];
};

// The first rule of the set that knows the data. `data`: as pl_read_result has it, or as it was encoded.
struct pl_rule_result pl_rules_check(uint32_t rules, enum pl_check_symbology symbology, struct pl_slice data);

// The check digit by itself, of digits and letters without it.
char pl_rule_ups_check(struct pl_slice fifteen);

#endif
