// Code pages by their names.
#include "base/ckd.h"
#include "lang/tspl/codepage_tables.h"
#include "lang/tspl/state.h"

// "437", "1252", "8859-1", "UTF-8"; national 7-bit sets have letters: "GER".
static const struct pl_charset PAGES[] = {
    {"437", 437, NULL, NULL, NULL, false},
    {"737", 737, NULL, NULL, NULL, false},
    {"850", 850, NULL, NULL, NULL, false},
    {"852", 852, NULL, NULL, NULL, false},
    {"855", 855, NULL, NULL, NULL, false},
    {"857", 857, NULL, NULL, NULL, false},
    {"858", 0, PAGE_858, NULL, NULL, false},
    {"860", 860, NULL, NULL, NULL, false},
    {"861", 861, NULL, NULL, NULL, false},
    {"862", 862, NULL, NULL, NULL, false},
    {"863", 863, NULL, NULL, NULL, false},
    {"864", 0, PAGE_864, NULL, NULL, false},
    {"865", 865, NULL, NULL, NULL, false},
    {"866", 866, NULL, NULL, NULL, false},
    {"869", 869, NULL, NULL, NULL, false},
    {"874", 874, NULL, NULL, NULL, false},
    {"1250", 1250, NULL, NULL, NULL, false},
    {"1251", 1251, NULL, NULL, NULL, false},
    {"1252", 1252, NULL, NULL, NULL, false},
    {"1253", 1253, NULL, NULL, NULL, false},
    {"1254", 1254, NULL, NULL, NULL, false},
    {"1255", 1255, NULL, NULL, NULL, false},
    {"1256", 0, PAGE_1256, NULL, NULL, false},
    {"1257", 0, PAGE_1257, NULL, NULL, false},
    {"1258", 0, PAGE_1258, NULL, NULL, false},
    {"8859-1", 0, PAGE_8859_1, NULL, NULL, false},
    {"8859-2", 0, PAGE_8859_2, NULL, NULL, false},
    {"8859-3", 0, PAGE_8859_3, NULL, NULL, false},
    {"8859-4", 0, PAGE_8859_4, NULL, NULL, false},
    {"8859-5", 0, PAGE_8859_5, NULL, NULL, false},
    {"8859-6", 0, PAGE_8859_6, NULL, NULL, false},
    {"8859-7", 0, PAGE_8859_7, NULL, NULL, false},
    {"8859-8", 0, PAGE_8859_8, NULL, NULL, false},
    {"8859-9", 0, PAGE_8859_9, NULL, NULL, false},
    {"8859-10", 0, PAGE_8859_10, NULL, NULL, false},
    {"8859-15", 28605, NULL, NULL, NULL, false},
    {"UTF-8", 0, NULL, NULL, NULL, true},
    {"932", 0, NULL, NULL, &pl_cp932, false},
    {"936", 0, NULL, NULL, &pl_gb18030, false},
    {"949", 0, NULL, NULL, &pl_cp949, false},
    {"950", 0, NULL, NULL, &pl_big5, false},
    {"USA", 437, NULL, NULL, NULL, false},
    {"BRI", 437, NULL, pl_national_british, NULL, false},
    {"GER", 437, NULL, pl_national_german, NULL, false},
    {"FRE", 437, NULL, pl_national_french, NULL, false},
    {"DAN", 437, NULL, pl_national_danish, NULL, false},
    {"ITA", 437, NULL, pl_national_italian, NULL, false},
    {"SPA", 437, NULL, pl_national_spanish, NULL, false},
    {"SWE", 437, NULL, pl_national_swedish, NULL, false},
    {"SWI", 437, NULL, pl_national_swiss, NULL, false},
};

const struct pl_charset *tspl_codepage_find(struct pl_slice name)
{
    return pl_charset_find(PAGES, PL_COUNTOF(PAGES), name);
}
