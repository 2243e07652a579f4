// Code pages by their names.
#include "base/ckd.h"
#include "lang/tspl/state.h"

// "437", "1252", "8859-1", "UTF-8"; national 7-bit sets have letters: "GER".
static const struct pl_charset PAGES[] = {
    {"437", 437, NULL, NULL, false},
    {"737", 737, NULL, NULL, false},
    {"850", 850, NULL, NULL, false},
    {"852", 852, NULL, NULL, false},
    {"855", 855, NULL, NULL, false},
    {"857", 857, NULL, NULL, false},
    {"858", 858, NULL, NULL, false},
    {"860", 860, NULL, NULL, false},
    {"861", 861, NULL, NULL, false},
    {"862", 862, NULL, NULL, false},
    {"863", 863, NULL, NULL, false},
    {"864", 864, NULL, NULL, false},
    {"865", 865, NULL, NULL, false},
    {"866", 866, NULL, NULL, false},
    {"869", 869, NULL, NULL, false},
    {"874", 874, NULL, NULL, false},
    {"1250", 1250, NULL, NULL, false},
    {"1251", 1251, NULL, NULL, false},
    {"1252", 1252, NULL, NULL, false},
    {"1253", 1253, NULL, NULL, false},
    {"1254", 1254, NULL, NULL, false},
    {"1255", 1255, NULL, NULL, false},
    {"1256", 1256, NULL, NULL, false},
    {"1257", 1257, NULL, NULL, false},
    {"1258", 1258, NULL, NULL, false},
    {"8859-1", 28591, NULL, NULL, false},
    {"8859-2", 28592, NULL, NULL, false},
    {"8859-3", 28593, NULL, NULL, false},
    {"8859-4", 28594, NULL, NULL, false},
    {"8859-5", 28595, NULL, NULL, false},
    {"8859-6", 28596, NULL, NULL, false},
    {"8859-7", 28597, NULL, NULL, false},
    {"8859-8", 28598, NULL, NULL, false},
    {"8859-9", 28599, NULL, NULL, false},
    {"8859-10", 28600, NULL, NULL, false},
    {"8859-15", 28605, NULL, NULL, false},
    {"UTF-8", 0, NULL, NULL, true},
    {"932", 0, NULL, &pl_cp932, false},
    {"936", 0, NULL, &pl_gb18030, false},
    {"949", 0, NULL, &pl_cp949, false},
    {"950", 0, NULL, &pl_big5, false},
    {"USA", 437, NULL, NULL, false},
    {"BRI", 437, pl_national_british, NULL, false},
    {"GER", 437, pl_national_german, NULL, false},
    {"FRE", 437, pl_national_french, NULL, false},
    {"DAN", 437, pl_national_danish, NULL, false},
    {"ITA", 437, pl_national_italian, NULL, false},
    {"SPA", 437, pl_national_spanish, NULL, false},
    {"SWE", 437, pl_national_swedish, NULL, false},
    {"SWI", 437, pl_national_swiss, NULL, false},
};

const struct pl_charset *tspl_codepage_find(struct pl_slice name)
{
    return pl_charset_find(PAGES, PL_COUNTOF(PAGES), name);
}
