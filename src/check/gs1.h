// GS1 data: application identifiers, the rules of their data, and the three ways to write them down. Pure: no state, no
// clock, no file. Sources: GS1 General Specifications (identifiers, check digits), GS1 Barcode Syntax Dictionary (rules
// of the parts), GS1 Digital Link URI syntax.
#ifndef PL_CHECK_GS1_H
#define PL_CHECK_GS1_H

#include "base/arena.h"
#include "base/slice.h"

// Checks of a part of the data: id, and the name that the GS1 Syntax Dictionary has for it.
#define PL_GS1_LINTS(X)                                                                                                \
    X(CSUM, "csum")                                                                                                    \
    X(CSUM_ALPHA, "csumalpha")                                                                                         \
    X(PREFIX1, "gcppos1")                                                                                              \
    X(PREFIX2, "gcppos2")                                                                                              \
    X(YYMMD0, "yymmd0")                                                                                                \
    X(YYMMDD, "yymmdd")                                                                                                \
    X(YYYYMMDD, "yyyymmdd")                                                                                            \
    X(HHMI, "hhmi")                                                                                                    \
    X(HH, "hh")                                                                                                        \
    X(MI, "mi")                                                                                                        \
    X(SS, "ss")                                                                                                        \
    X(COUNTRY, "iso3166")                                                                                              \
    X(COUNTRY_999, "iso3166999")                                                                                       \
    X(COUNTRY_ALPHA2, "iso3166alpha2")                                                                                 \
    X(CURRENCY, "iso4217")                                                                                             \
    X(SEX, "iso5218")                                                                                                  \
    X(IBAN, "iban")                                                                                                    \
    X(PERCENT, "pcenc")                                                                                                \
    X(LATITUDE, "latitude")                                                                                            \
    X(LONGITUDE, "longitude")                                                                                          \
    X(YES_NO, "yesno")                                                                                                 \
    X(HYPHEN, "hyphen")                                                                                                \
    X(IMPORTER, "importeridx")                                                                                         \
    X(PACKAGE, "packagetype")                                                                                          \
    X(MEDIA, "mediatype")                                                                                              \
    X(N_OF_M, "posinseqslash")                                                                                         \
    X(PIECE, "pieceoftotal")                                                                                           \
    X(ZERO, "zero")                                                                                                    \
    X(NONZERO, "nonzero")                                                                                              \
    X(NO_ZERO_PREFIX, "nozeroprefix")                                                                                  \
    X(HAS_NON_DIGIT, "hasnondigit")                                                                                    \
    X(WINDING, "winding")                                                                                              \
    X(COUPON, "couponcode")                                                                                            \
    X(COUPON_OFFER, "couponposoffer")

enum pl_gs1_lint {
    PL_GS1_NO_LINT,
#define PL_GS1_LINT_ENUM(id, name) PL_GS1_##id,
    PL_GS1_LINTS(PL_GS1_LINT_ENUM)
#undef PL_GS1_LINT_ENUM
        PL_GS1_LINT_COUNT
};

#define PL_GS1_PARTS 5
#define PL_GS1_PART_LINTS 3

// A part of an identifier's data. Only the last part has a length that varies.
struct pl_gs1_part {
    char set; // N digits, X the 82 characters of GS1, Y its 39, Z base64url
    uint8_t min, max;
    uint8_t lints[PL_GS1_PART_LINTS]; // enum pl_gs1_lint; 0 ends the list
    bool optional;
};

enum pl_gs1_flag {
    PL_GS1_PREDEFINED = 1, // needs no separator behind it
    PL_GS1_ATTRIBUTE = 2   // may stand in the query of a Digital Link
};

// An identifier, or a run of them that differ in their last digit.
struct pl_gs1_identifier {
    char first[5], last[5];
    const char *title; // GS1's data title
    uint8_t flags;
    struct pl_gs1_part parts[PL_GS1_PARTS];
    const char *needs;      // "01+21,35nn": one of the groups must be there; NULL: none
    const char *excludes;   // "01,394n": none of these may be there; NULL: none
    const char *qualifiers; // Digital Link: "22,10,21|235" in this order behind it; NULL: it is no primary key
};

const struct pl_gs1_identifier *pl_gs1_identifiers(size_t *count);
// The identifier that is exactly these digits, or NULL.
const struct pl_gs1_identifier *pl_gs1_find(struct pl_slice digits);
// The identifier that `digits` begins with, and how many digits it has; NULL where none does.
const struct pl_gs1_identifier *pl_gs1_find_prefix(struct pl_slice digits, size_t *length);
// Does `pattern` ("01", "35nn", "394n") name the identifier `ai`?
bool pl_gs1_matches(struct pl_slice pattern, const char *ai);

// What is wrong. How grave that is, and under which code a user sees it, is decided by who asked.
enum pl_gs1_code {
    PL_GS1_E_UNKNOWN_IDENTIFIER,
    PL_GS1_E_TOO_SHORT,
    PL_GS1_E_TOO_LONG,
    PL_GS1_E_CHARACTER,
    PL_GS1_E_CHECK_DIGIT,
    PL_GS1_E_DATE,
    PL_GS1_E_VALUE,
    PL_GS1_E_SEPARATOR,
    PL_GS1_E_REPEATED,
    PL_GS1_E_PARTNER_MISSING,
    PL_GS1_E_PARTNER_EXCLUDED,
    PL_GS1_E_LINK,
    PL_GS1_E_LINK_SHORT, // a GTIN of fewer than 14 digits
    PL_GS1_E_LINK_WORD,  // a word for an identifier
    PL_GS1_E_LINK_PLACE, // in the query in place of the path
    PL_GS1_E_SYNTAX
};

struct pl_gs1_finding {
    enum pl_gs1_code code;
    uint32_t offset;     // of the wrong byte in the input; the input's length where something is missing at its end
    char ai[5];          // the identifier it is about; empty where none is
    const char *message; // one sentence; lives in the arena
};

struct pl_gs1_element {
    const struct pl_gs1_identifier *row;
    char ai[5];
    uint32_t ai_offset;      // of the identifier's first digit in the input
    uint32_t offset, length; // of the data in the input, as written there
    struct pl_slice value;   // the data: in the input, or decoded in the arena (Digital Link)
    bool percent;            // `offset` and `length` count percent codes
};

#define PL_GS1_MAX_ELEMENTS 64
#define PL_GS1_MAX_FINDINGS 32

struct pl_gs1_result {
    struct pl_gs1_element elements[PL_GS1_MAX_ELEMENTS];
    uint32_t element_count;
    struct pl_gs1_finding findings[PL_GS1_MAX_FINDINGS];
    uint32_t finding_count;
    uint32_t dropped; // findings and elements that found no room
};

enum pl_gs1_form {
    PL_GS1_ELEMENTS, // "0112345678901231" with GS (0x1D) for FNC1; a GS at the start is FNC1 in first position
    PL_GS1_BRACKETS, // "(01)12345678901231(10)ABC"; GS or >8 before a bracket is allowed
    PL_GS1_LINK      // "https://example.com/01/..."
};

// Reads the data and checks every element by itself. Only memory can fail: bad data is a finding.
enum pl_errc pl_gs1_check(struct pl_slice data, enum pl_gs1_form form, struct pl_arena *arena,
                          struct pl_gs1_result *out, struct pl_error *err) PL_MUST_USE;
// Adds findings about partners: elements of `out` that need or exclude others. `others`: what the label's other symbols
// hold, since GS1 asks for the partners on the item, not in the symbol; may be NULL.
enum pl_errc pl_gs1_check_partners(struct pl_gs1_result *out, const struct pl_gs1_result *const *others, size_t count,
                                   struct pl_arena *arena, struct pl_error *err) PL_MUST_USE;
// Is the text a GS1 Digital Link: http or https, and in the path a primary key with data of its form and length?
// Numbers are in the paths of other addresses, too.
bool pl_gs1_is_link(struct pl_slice text);
// Is it an address of GS1's own resolver, which has nothing but Digital Links, with a path?
bool pl_gs1_is_at_resolver(struct pl_slice text);
// The elements of a compressed Digital Link, with GS between them; empty where it is none.
enum pl_errc pl_gs1_decompress(struct pl_slice link, struct pl_arena *arena, struct pl_slice *out,
                               struct pl_error *err) PL_MUST_USE;

// Do both elements say the same? Day 00 of a date is the last day of its month.
bool pl_gs1_is_same(const struct pl_gs1_element *a, const struct pl_gs1_element *b);

// The modulo 10 check digit of GS1 keys over digits only: weights 3, 1, 3, ... from the right.
char pl_gs1_check_digit(struct pl_slice digits);
// The pair of check characters of a GMN or MUDI; false: a character that GS1 does not have, or too long.
bool pl_gs1_check_pair(struct pl_slice text, char out[2]);

#endif
