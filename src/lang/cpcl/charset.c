// Character sets of COUNTRY and ENCODING by their names.
#include "base/ckd.h"
#include "lang/cpcl/state.h"

static const struct pl_charset SETS[] = {
    {"USA", 850, NULL, NULL, false},
    {"GERMANY", 850, pl_national_german, NULL, false},
    {"FRANCE", 850, pl_national_french, NULL, false},
    {"SWEDEN", 850, pl_national_swedish, NULL, false},
    {"SPAIN", 850, pl_national_spanish, NULL, false},
    {"NORWAY", 850, pl_national_danish, NULL, false},
    {"ITALY", 850, pl_national_italian, NULL, false},
    {"UK", 850, pl_national_british, NULL, false},
    {"CP850", 850, NULL, NULL, false},
    {"CP437", 437, NULL, NULL, false},
    {"CP852", 852, NULL, NULL, false},
    {"CP866", 866, NULL, NULL, false},
    {"CP1250", 1250, NULL, NULL, false},
    {"CP1251", 1251, NULL, NULL, false},
    {"CP1252", 1252, NULL, NULL, false},
    {"CP1253", 1253, NULL, NULL, false},
    {"CP1254", 1254, NULL, NULL, false},
    {"CP1255", 1255, NULL, NULL, false},
    {"LATIN9", 28605, NULL, NULL, false},
    {"CP874", 874, NULL, NULL, false},
    {"THAI", 874, NULL, NULL, false},
    {"CHINA", 0, NULL, &pl_gb18030, false},
    {"GB18030", 0, NULL, &pl_gb18030, false},
    {"GBK", 0, NULL, &pl_gb18030, false},
    {"BIG5", 0, NULL, &pl_big5, false},
    {"KOREA", 0, NULL, &pl_cp949, false},
    {"JAPAN-S", 0, NULL, &pl_cp932, false},
    {"UTF-8", 0, NULL, NULL, true},
    {"ASCII", 850, NULL, NULL, false},
};

const struct pl_charset *cpcl_charset_find(struct pl_slice name)
{
    return pl_charset_find(SETS, PL_COUNTOF(SETS), name);
}
