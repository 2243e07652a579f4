// The table of rule sets. Sources of the figures stand beside them; what no public source was found for is 0, which is
// not checked. docs/checking.md has the same table with its sources.
#include "check/rule_sets.h"

#define COUNT(table) (uint32_t)(sizeof(table) / sizeof *(table))
#define SET(symbology) (UINT64_C(1) << PL_CHECK_##symbology)

_Static_assert(PL_CHECK_SYMBOLOGY_COUNT <= 64, "a set of symbologies is 64 bits");

#define SIZE(sym, low, high)                                                                                           \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_module_um = low, .max_module_um = high                                       \
    }
#define HIGH(sym, low, high, height)                                                                                   \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_module_um = low, .max_module_um = high, .min_height_um = height              \
    }
#define MODULES(sym, low, modules)                                                                                     \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_module_um = low, .max_module_um = 660, .min_height_modules = modules         \
    }

// What every label must keep. EAN and UPC are GS1's, whatever they are used for: bars of less than half of what GS1
// asks for at 80 % are no truncation that any guide allows. The other linear symbols: ISO/IEC 15417, 16388 and 16390
// ask for 5 mm or 15 % of the length; the smaller of the two figures is the rule. DataBar: as in table 1.
#define LOW(sym) HIGH(sym, 0, 0, 5000)
#define LOW_MODULES(sym, modules)                                                                                      \
    {                                                                                                                  \
        .symbology = PL_CHECK_##sym, .min_height_modules = modules                                                     \
    }
static const struct pl_size_rule by_symbology[] = {
    HIGH(EAN13, 249, 0, 9140),
    HIGH(EAN8, 249, 0, 7290),
    HIGH(UPCA, 249, 0, 9140),
    HIGH(UPCE, 249, 0, 9140),
    LOW(CODE128),
    LOW(GS1_128),
    LOW(CODE39),
    LOW(LOGMARS),
    LOW(CODE93),
    LOW(CODABAR),
    LOW(INTERLEAVED_2OF5),
    LOW(INDUSTRIAL_2OF5),
    LOW(STANDARD_2OF5),
    LOW(CODE11),
    LOW(MSI),
    LOW(PLESSEY),
    LOW(UPC_EAN_EXTENSION),
    {.symbology = PL_CHECK_INTELLIGENT_MAIL,
     .min_height_um = 3175,
     .unverified = "USPS-B-3200"}, // an eighth of an inch
    LOW_MODULES(DATABAR, 33),
    LOW_MODULES(DATABAR_TRUNCATED, 13),
    LOW_MODULES(DATABAR_LIMITED, 10),
    LOW_MODULES(DATABAR_STACKED, 13),
    LOW_MODULES(DATABAR_STACKED_OMNI, 69),
    LOW_MODULES(DATABAR_EXPANDED, 34),
};

// GS1 General Specifications, symbol specification table 1: X 0.264 to 0.660 mm, and 0.249 mm (75 %) where it is
// printed on demand by thermal printers, which those that speak a label language are. Heights are those of X = 0.264 mm
// (80 %): EAN-13 and UPC have 22.85 mm at 0.330 mm, EAN-8 18.23 mm. DataBar: 33 modules, Stacked Omnidirectional 69,
// Expanded 34.
static const struct pl_size_rule gs1_retail[] = {
    HIGH(EAN13, 249, 660, 18280),
    HIGH(EAN8, 249, 660, 14580),
    HIGH(UPCA, 249, 660, 18280),
    HIGH(UPCE, 249, 660, 18280),
    MODULES(DATABAR, 249, 33),
    MODULES(DATABAR_STACKED_OMNI, 249, 69),
    MODULES(DATABAR_EXPANDED, 249, 34),
    SIZE(GS1_DATAMATRIX, 375, 990),
    SIZE(DATAMATRIX, 375, 990),
    SIZE(GS1_QR, 375, 990),
    SIZE(QR, 375, 990),
};

// Tables 2 and 5, general distribution and logistic units: X 0.495 to 1.016 mm (GS1-128 on logistic units: 0.940), bars
// 31.75 mm high. 2D symbols have 1.5 times the X of linear ones.
static const struct pl_size_rule gs1_logistics[] = {
    HIGH(GS1_128, 495, 1016, 31750),   HIGH(INTERLEAVED_2OF5, 495, 1016, 31750),
    SIZE(GS1_DATAMATRIX, 743, 1524),   SIZE(GS1_QR, 743, 1524),
    MODULES(DATABAR, 495, 33),         MODULES(DATABAR_STACKED_OMNI, 495, 69),
    MODULES(DATABAR_LIMITED, 495, 10), MODULES(DATABAR_EXPANDED, 495, 34),
};

// Table 5 alone, and the symbologies that GS1's organisations name for the label: GS1-128, and 2D symbols beside it.
static const struct pl_size_rule gs1_logistic_label[] = {
    HIGH(GS1_128, 495, 940, 31750),
    SIZE(GS1_DATAMATRIX, 743, 1524),
    SIZE(GS1_QR, 743, 1524),
};

// Table 6, regulated healthcare, not for general retail.
static const struct pl_size_rule healthcare[] = {
    SIZE(GS1_DATAMATRIX, 254, 990),
    SIZE(GS1_QR, 396, 990),
    SIZE(GS1_128, 170, 495),
    SIZE(INTERLEAVED_2OF5, 170, 660),
    SIZE(DATABAR, 170, 660),
    SIZE(DATABAR_EXPANDED, 170, 660),
    SIZE(DATABAR_LIMITED, 170, 660),
    SIZE(DATABAR_STACKED, 170, 660),
    SIZE(DATABAR_STACKED_OMNI, 170, 660),
    SIZE(DATABAR_TRUNCATED, 170, 660),
    SIZE(EAN13, 249, 660),
    SIZE(EAN8, 249, 660),
    SIZE(UPCA, 249, 660),
    SIZE(UPCE, 249, 660),
};

// DMM 204.2 (package and extra service barcodes): narrow bars 0.013 to 0.021 inch, bars 3/4 inch high.
static const struct pl_size_rule usps[] = {HIGH(GS1_128, 330, 533, 19050)};

// A quarter of an inch, as sellers quote Amazon.
static const struct pl_size_rule amazon[] = {HIGH(CODE128, 0, 0, 6350)};

#define LINEAR_SHIPPING (SET(CODE128) | SET(GS1_128))
#define ALL_GS1                                                                                                        \
    (SET(EAN13) | SET(EAN8) | SET(UPCA) | SET(UPCE) | SET(UPC_EAN_EXTENSION) | SET(GS1_128) | SET(INTERLEAVED_2OF5) |  \
     SET(GS1_DATAMATRIX) | SET(GS1_QR) | SET(DATABAR) | SET(DATABAR_EXPANDED) | SET(DATABAR_LIMITED) |                 \
     SET(DATABAR_STACKED) | SET(DATABAR_STACKED_OMNI) | SET(DATABAR_TRUNCATED))

static const struct pl_rule_set sets[] = {
    {.name = "none", .summary = "No rules: only whether symbols can be read."},
    {.name = "default",
     .summary = "Quiet zones of the symbologies, GS1 syntax where a symbol says that it is GS1, check digits of keys.",
     .rules = PL_RULE_KEY | PL_RULE_NUMBER,
     .gs1 = PL_GS1_WHERE_MARKED},
    {.name = "gs1-retail",
     .summary = "Items at the point of sale: EAN, UPC, DataBar, and 2D symbols beside them.",
     .sizes = gs1_retail,
     .size_count = COUNT(gs1_retail),
     // A QR Code with a Digital Link is a plain QR Code. The small kinds of DataBar cannot be scanned in any direction.
     .symbologies = (ALL_GS1 & ~(SET(GS1_128) | SET(INTERLEAVED_2OF5) | SET(DATABAR_LIMITED) | SET(DATABAR_STACKED) |
                                 SET(DATABAR_TRUNCATED))) |
                    SET(QR) | SET(DATAMATRIX),
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED,
     // GS1 UK's page about the place of QR codes on retail packaging: all of the symbol and its quiet zones.
     .apart_mm = 50},
    {.name = "gs1-logistics",
     .summary = "Logistic units and trade items in distribution: GS1-128, ITF-14, 2D beside them.",
     .sizes = gs1_logistics,
     .size_count = COUNT(gs1_logistics),
     .symbologies = ALL_GS1,
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED},
    {.name = "gs1-logistic-label",
     .summary = "The GS1 logistic label: SSCC in a GS1-128 below all others, text for each barcode.",
     .sizes = gs1_logistic_label,
     .size_count = COUNT(gs1_logistic_label),
     .symbologies = SET(GS1_128) | SET(GS1_DATAMATRIX) | SET(GS1_QR),
     .rules = PL_RULE_KEY,
     .gs1 = PL_GS1_REQUIRED,
     .logistic_label = true},
    {.name = "healthcare",
     .summary = "Medicines and medical devices: GS1 DataMatrix first, GS1-128, EAN.",
     .sizes = healthcare,
     .size_count = COUNT(healthcare),
     .symbologies = ALL_GS1,
     .rules = PL_RULE_KEY | PL_RULE_NUMBER,
     .gs1 = PL_GS1_REQUIRED},
    {.name = "ups",
     .summary = "UPS: 1Z tracking number in Code 128, postal code, MaxiCode.",
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
     .symbologies = LINEAR_SHIPPING | SET(PDF417) | SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(QR) | SET(AZTEC),
     .rules = PL_RULE_FEDEX | PL_RULE_USPS_IMPB,
     .gs1 = PL_GS1_NOT_CHECKED},
    {.name = "dhl",
     .summary = "DHL: licence plate and routing code in Code 128 or GS1-128.",
     .symbologies = LINEAR_SHIPPING | SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(QR) | SET(PDF417) | SET(AZTEC) |
                    SET(INTERLEAVED_2OF5),
     .rules = PL_RULE_S10 | PL_RULE_DHL,
     .gs1 = PL_GS1_NOT_CHECKED},
    {.name = "amazon",
     .summary = "Amazon FBA: FNSKU of items and numbers of boxes in Code 128, EAN and UPC of makers, SSCC of pallets.",
     .sizes = amazon,
     .size_count = COUNT(amazon),
     .symbologies = LINEAR_SHIPPING | SET(EAN13) | SET(EAN8) | SET(UPCA) | SET(UPCE) | SET(INTERLEAVED_2OF5) |
                    SET(DATAMATRIX) | SET(GS1_DATAMATRIX) | SET(QR) | SET(PDF417),
     .rules = PL_RULE_AMAZON | PL_RULE_KEY,
     .gs1 = PL_GS1_WHERE_MARKED},
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
    for (uint32_t i = 0; i < COUNT(by_symbology); i++)
        if (by_symbology[i].symbology == symbology)
            return &by_symbology[i];
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
