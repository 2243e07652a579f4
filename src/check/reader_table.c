// Which reader a symbology has, or why it has none.
#include "check/read_zxing.h"
#include "check/readers.h"

static const struct pl_reader readers[PL_CHECK_SYMBOLOGY_COUNT] = {
    [PL_CHECK_AZTEC] = {.formats = PL_ZXING_AZTEC, .area = pl_read_aztec},
    [PL_CHECK_CODABAR] = {.formats = PL_ZXING_CODABAR},
    [PL_CHECK_CODABLOCK_A] = {.area = pl_read_codablock_a},
    [PL_CHECK_CODABLOCK_E] = {.area = pl_read_codablock_f},
    [PL_CHECK_CODABLOCK_F] = {.area = pl_read_codablock_f},
    [PL_CHECK_CODE11] = {.line = pl_read_code11},
    [PL_CHECK_CODE128] = {.formats = PL_ZXING_CODE128},
    [PL_CHECK_CODE39] = {.formats = PL_ZXING_CODE39},
    [PL_CHECK_CODE49] = {.area = pl_read_code49},
    [PL_CHECK_CODE93] = {.formats = PL_ZXING_CODE93},
    [PL_CHECK_DATABAR] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_EXPANDED] = {.formats = PL_ZXING_DATABAR_EXPANDED},
    [PL_CHECK_DATABAR_LIMITED] = {.line = pl_read_databar_limited},
    [PL_CHECK_DATABAR_STACKED] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_STACKED_OMNI] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_TRUNCATED] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATAMATRIX] = {.formats = PL_ZXING_DATAMATRIX},
    [PL_CHECK_DATAMATRIX_LEGACY] = {.reason = "There is no reader for Data Matrix before ECC 200."},
    [PL_CHECK_EAN13] = {.formats = PL_ZXING_EAN13},
    [PL_CHECK_EAN8] = {.formats = PL_ZXING_EAN8},
    [PL_CHECK_GS1_128] = {.formats = PL_ZXING_CODE128},
    [PL_CHECK_GS1_DATAMATRIX] = {.formats = PL_ZXING_DATAMATRIX},
    [PL_CHECK_GS1_QR] = {.formats = PL_ZXING_QR},
    [PL_CHECK_INDUSTRIAL_2OF5] = {.line = pl_read_industrial_2of5},
    [PL_CHECK_INTELLIGENT_MAIL] = {.area = pl_read_intelligent_mail},
    [PL_CHECK_INTERLEAVED_2OF5] = {.formats = PL_ZXING_ITF},
    [PL_CHECK_LOGMARS] = {.formats = PL_ZXING_CODE39},
    [PL_CHECK_MAXICODE] = {.formats = PL_ZXING_MAXICODE},
    [PL_CHECK_MICROPDF417] = {.area = pl_read_micropdf417},
    [PL_CHECK_MSI] = {.line = pl_read_msi},
    [PL_CHECK_PDF417] = {.formats = PL_ZXING_PDF417, .area = pl_read_pdf417},
    [PL_CHECK_PLANET] = {.area = pl_read_planet},
    [PL_CHECK_PLESSEY] = {.line = pl_read_plessey},
    [PL_CHECK_POSTNET] = {.area = pl_read_postnet},
    [PL_CHECK_QR] = {.formats = PL_ZXING_QR},
    [PL_CHECK_STANDARD_2OF5] = {.line = pl_read_standard_2of5},
    [PL_CHECK_TLC39] = {.area = pl_read_tlc39},
    [PL_CHECK_UPCA] = {.formats = PL_ZXING_UPCA},
    [PL_CHECK_UPCE] = {.formats = PL_ZXING_UPCE},
    [PL_CHECK_UPC_EAN_EXTENSION] = {.line = pl_read_extension},
};

const struct pl_reader *pl_reader_of(enum pl_check_symbology symbology)
{
    return &readers[symbology];
}

bool pl_read_has_reader(enum pl_check_symbology symbology, const char **reason)
{
    *reason = NULL;
    if ((unsigned)symbology >= PL_CHECK_SYMBOLOGY_COUNT)
        *reason = "There is no reader for this symbology.";
    else if (readers[symbology].formats && !readers[symbology].area && !pl_zxing_present())
        *reason = "This build of Platen has no reader for this symbology.";
    else
        *reason = readers[symbology].reason;
    return *reason == NULL;
}
