// The table of rule sets. Sources of the figures stand beside them; what no public source was found for is 0, which is
// not checked. docs/checking.md has the same table with its sources.
#include "check/rule_sets.h"

#define COUNT(table) (uint32_t)(sizeof(table) / sizeof *(table))
#define SET(symbology) (UINT64_C(1) << PL_CHECK_##symbology)

_Static_assert(PL_CHECK_SYMBOLOGY_COUNT <= 64, "a set of symbologies is 64 bits");

// Quiet zones of the symbologies' own standards; no module is too small for a printer that can print it.
static const struct pl_size_rule by_symbology[] = {
    {.symbology = PL_CHECK_EAN13, .quiet_left = 11, .quiet_right = 7},
    {.symbology = PL_CHECK_EAN8, .quiet_left = 7, .quiet_right = 7},
    {.symbology = PL_CHECK_UPCA, .quiet_left = 9, .quiet_right = 9},
    {.symbology = PL_CHECK_UPCE, .quiet_left = 9, .quiet_right = 7},
    {.symbology = PL_CHECK_CODE128, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_GS1_128, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_CODE39, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_CODE93, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_CODABAR, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_INTERLEAVED_2OF5, .quiet_left = 10, .quiet_right = 10},
    {.symbology = PL_CHECK_PDF417, .quiet_left = 2, .quiet_right = 2, .quiet_vertical = 2},
    {.symbology = PL_CHECK_MICROPDF417, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
    {.symbology = PL_CHECK_QR, .quiet_left = 4, .quiet_right = 4, .quiet_vertical = 4},
    {.symbology = PL_CHECK_GS1_QR, .quiet_left = 4, .quiet_right = 4, .quiet_vertical = 4},
    {.symbology = PL_CHECK_DATAMATRIX, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
    {.symbology = PL_CHECK_GS1_DATAMATRIX, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
    {.symbology = PL_CHECK_MAXICODE, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
};

// GS1 General Specifications, symbol specification table 1: X 0.264 to 0.660 mm; heights are those of X = 0.264 mm
// (80 %): EAN-13 and UPC 22.85 mm at 0.330 mm, EAN-8 18.23 mm. DataBar: 33 modules, Stacked Omnidirectional 69,
// Expanded 34, Expanded Stacked 71 by row pairs.
#define RETAIL(sym, left, right, height)                                                                               \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_module_um = 264, .max_module_um = 660, .min_height_um = height,              \
        .quiet_left = left, .quiet_right = right                                                                       \
    }
#define DATABAR(sym, low, modules)                                                                                     \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_module_um = low, .max_module_um = 660, .min_height_modules = modules         \
    }
static const struct pl_size_rule gs1_retail[] = {
    RETAIL(EAN13, 11, 7, 18280),
    RETAIL(EAN8, 7, 7, 14580),
    RETAIL(UPCA, 9, 9, 18280),
    RETAIL(UPCE, 9, 7, 18280),
    DATABAR(DATABAR, 264, 33),
    DATABAR(DATABAR_STACKED_OMNI, 264, 69),
    DATABAR(DATABAR_EXPANDED, 264, 34),
    {.symbology = PL_CHECK_GS1_DATAMATRIX,
     .min_module_um = 375,
     .max_module_um = 990,
     .quiet_left = 1,
     .quiet_right = 1,
     .quiet_vertical = 1},
    {.symbology = PL_CHECK_GS1_QR,
     .min_module_um = 375,
     .max_module_um = 990,
     .quiet_left = 4,
     .quiet_right = 4,
     .quiet_vertical = 4},
    {.symbology = PL_CHECK_QR,
     .min_module_um = 375,
     .max_module_um = 990,
     .quiet_left = 4,
     .quiet_right = 4,
     .quiet_vertical = 4},
};

// Table 2 and 5, logistic units: X 0.495 to 1.016 mm (GS1-128: 0.940), bars 31.75 mm high.
static const struct pl_size_rule gs1_logistics[] = {
    {.symbology = PL_CHECK_GS1_128,
     .min_module_um = 495,
     .max_module_um = 1016,
     .min_height_um = 31750,
     .quiet_left = 10,
     .quiet_right = 10},
    {.symbology = PL_CHECK_INTERLEAVED_2OF5,
     .min_module_um = 495,
     .max_module_um = 1016,
     .min_height_um = 31750,
     .quiet_left = 10,
     .quiet_right = 10},
    {.symbology = PL_CHECK_GS1_DATAMATRIX,
     .min_module_um = 743,
     .max_module_um = 1500,
     .quiet_left = 1,
     .quiet_right = 1,
     .quiet_vertical = 1},
    {.symbology = PL_CHECK_GS1_QR,
     .min_module_um = 743,
     .max_module_um = 1500,
     .quiet_left = 4,
     .quiet_right = 4,
     .quiet_vertical = 4},
    DATABAR(DATABAR, 495, 33),
    DATABAR(DATABAR_STACKED_OMNI, 495, 69),
    DATABAR(DATABAR_LIMITED, 495, 10),
    DATABAR(DATABAR_EXPANDED, 495, 34),
};

// Regulated healthcare, not for general retail: Data Matrix X 0.255 to 0.990 mm, QR 0.396 to 0.990 mm, GS1-128 0.250 mm
// at least; EAN and UPC as in retail.
static const struct pl_size_rule healthcare[] = {
    {.symbology = PL_CHECK_GS1_DATAMATRIX,
     .min_module_um = 255,
     .max_module_um = 990,
     .quiet_left = 1,
     .quiet_right = 1,
     .quiet_vertical = 1},
    {.symbology = PL_CHECK_GS1_QR,
     .min_module_um = 396,
     .max_module_um = 990,
     .quiet_left = 4,
     .quiet_right = 4,
     .quiet_vertical = 4},
    {.symbology = PL_CHECK_GS1_128, .min_module_um = 250, .max_module_um = 1016, .quiet_left = 10, .quiet_right = 10},
    RETAIL(EAN13, 11, 7, 0),
    RETAIL(EAN8, 7, 7, 0),
    RETAIL(UPCA, 9, 9, 0),
    RETAIL(UPCE, 9, 7, 0),
};

// DMM 204.2 (package and extra service barcodes): narrow bars 0.013 to 0.021 inch, bars 3/4 inch high. POSTNET and
// Intelligent Mail, DMM 204.1: 1/8 inch of paper at the sides.
static const struct pl_size_rule usps[] = {
    {.symbology = PL_CHECK_GS1_128,
     .min_module_um = 330,
     .max_module_um = 533,
     .min_height_um = 19050,
     .quiet_left = 10,
     .quiet_right = 10},
    {.symbology = PL_CHECK_INTELLIGENT_MAIL, .quiet_um = 3175},
    {.symbology = PL_CHECK_POSTNET, .quiet_um = 3175},
    {.symbology = PL_CHECK_PLANET, .quiet_um = 3175},
};

#define LINEAR_SHIPPING (SET(CODE128) | SET(GS1_128))
#define ALL_GS1                                                                                                        \
    (SET(EAN13) | SET(EAN8) | SET(UPCA) | SET(UPCE) | SET(UPC_EAN_EXTENSION) | SET(GS1_128) | SET(INTERLEAVED_2OF5) |  \
     SET(GS1_DATAMATRIX) | SET(GS1_QR) | SET(DATABAR) | SET(DATABAR_EXPANDED) | SET(DATABAR_LIMITED) |                 \
     SET(DATABAR_STACKED) | SET(DATABAR_STACKED_OMNI) | SET(DATABAR_TRUNCATED))

static const struct pl_rule_set sets[] = {
    {.name = "none", .summary = "No rules: only whether symbols can be read."},
    {.name = "default",
     .summary = "Quiet zones of the symbologies, GS1 syntax where a symbol says that it is GS1, check digits of keys.",
     .sizes = by_symbology,
     .size_count = COUNT(by_symbology),
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_WHERE_MARKED},
    {.name = "gs1-retail",
     .summary = "Items at the point of sale: EAN, UPC, DataBar, and 2D symbols beside them.",
     .sizes = gs1_retail,
     .size_count = COUNT(gs1_retail),
     // A QR Code with a Digital Link is a plain QR Code.
     .symbologies = (ALL_GS1 & ~(SET(GS1_128) | SET(INTERLEAVED_2OF5))) | SET(QR) | SET(DATAMATRIX),
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED},
    {.name = "gs1-logistics",
     .summary = "Logistic units and trade items in distribution: GS1-128, ITF-14, 2D beside them.",
     .sizes = gs1_logistics,
     .size_count = COUNT(gs1_logistics),
     .symbologies = ALL_GS1,
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED},
    {.name = "healthcare",
     .summary = "Medicines and medical devices: GS1 DataMatrix first, GS1-128, EAN.",
     .sizes = healthcare,
     .size_count = COUNT(healthcare),
     .symbologies = ALL_GS1,
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED},
    {.name = "ups",
     .summary = "UPS: 1Z tracking number in Code 128, postal code, MaxiCode.",
     .sizes = by_symbology,
     .size_count = COUNT(by_symbology),
     .symbologies = LINEAR_SHIPPING | SET(MAXICODE) | SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(PDF417) | SET(QR),
     .rules = PL_RULE_UPS_TRACKING | PL_RULE_UPS_MAXICODE | PL_RULE_USPS_IMPB,
     .gs1 = PL_GS1_NOT_CHECKED},
    {.name = "usps",
     .summary = "USPS: Intelligent Mail package barcode (GS1-128), Intelligent Mail, S10.",
     .sizes = usps,
     .size_count = COUNT(usps),
     .symbologies = LINEAR_SHIPPING | SET(INTELLIGENT_MAIL) | SET(POSTNET) | SET(PLANET) | SET(DATAMATRIX) |
                    SET(GS1_DATAMATRIX) | SET(PDF417) | SET(QR) | SET(CODE39),
     .rules = PL_RULE_USPS_IMPB | PL_RULE_USPS_IMB | PL_RULE_S10,
     .gs1 = PL_GS1_NOT_CHECKED},
    {.name = "fedex",
     .summary = "FedEx: tracking number in Code 128, shipment data in PDF417.",
     .sizes = by_symbology,
     .size_count = COUNT(by_symbology),
     .symbologies = LINEAR_SHIPPING | SET(PDF417) | SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(QR) | SET(AZTEC),
     .rules = PL_RULE_FEDEX | PL_RULE_USPS_IMPB,
     .gs1 = PL_GS1_NOT_CHECKED},
    {.name = "dhl",
     .summary = "DHL: licence plate and routing code in Code 128 or GS1-128.",
     .sizes = by_symbology,
     .size_count = COUNT(by_symbology),
     .symbologies = LINEAR_SHIPPING | SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(QR) | SET(PDF417) | SET(AZTEC) |
                    SET(INTERLEAVED_2OF5),
     .rules = PL_RULE_S10,
     .gs1 = PL_GS1_NOT_CHECKED},
};

const struct pl_rule_set *pl_rule_sets(uint32_t *count)
{
    *count = COUNT(sets);
    return sets;
}

const struct pl_rule_set *pl_rule_set_find(const char *name)
{
    for (uint32_t i = 0; i < COUNT(sets); i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

const struct pl_size_rule *pl_rule_set_size(const struct pl_rule_set *set, enum pl_check_symbology symbology)
{
    for (uint32_t i = 0; i < set->size_count; i++)
        if (set->sizes[i].symbology == symbology)
            return &set->sizes[i];
    return NULL;
}

bool pl_rule_set_allows(const struct pl_rule_set *set, enum pl_check_symbology symbology)
{
    return set->symbologies == 0 || (set->symbologies >> symbology & 1);
}

uint32_t pl_size_rule_height_um(const struct pl_size_rule *rule, uint32_t module_um)
{
    uint64_t by_modules = (uint64_t)rule->min_height_modules * module_um;
    return by_modules > rule->min_height_um ? (by_modules < UINT32_MAX ? (uint32_t)by_modules : UINT32_MAX)
                                            : rule->min_height_um;
}
