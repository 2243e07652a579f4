// Character sets of ^CI: one-byte sets by table, national replacements, re-mapping.
#include "lang/zpl/charset.h"

#include <string.h>

#include "base/ckd.h"
#include "lang/code_pages.h"
#include "lang/zpl/charset_tables.h"

// The printer's own place for the euro sign in code page 850 (measured); ^CI0,21,36 prints it for a dollar sign.
#define EURO_BYTE 21
#define EURO 0x20AC

static const struct zpl_charset_info INFOS[37] = {
    [0] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [1] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [2] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [3] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [4] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [5] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [6] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [7] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [8] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [9] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [10] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [11] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [12] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [13] = {ZPL_CHARSET_BYTES, pl_cp850, NULL},
    [14] = {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030},
    [15] = {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_cp932},
    [16] = {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_euc_jp},
    [17] = {ZPL_CHARSET_UTF16BE, NULL, NULL},
    [24] = {ZPL_CHARSET_BYTES, pl_cp1252, NULL},
    [26] = {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030},
    [27] = {ZPL_CHARSET_BYTES, pl_cp1252, NULL},
    [28] = {ZPL_CHARSET_UTF8, NULL, NULL},
    [29] = {ZPL_CHARSET_UTF16BE, NULL, NULL},
    [30] = {ZPL_CHARSET_UTF16LE, NULL, NULL},
    [31] = {ZPL_CHARSET_BYTES, pl_cp1250, NULL},
    [33] = {ZPL_CHARSET_BYTES, pl_cp1251, NULL},
    [34] = {ZPL_CHARSET_BYTES, pl_cp1253, NULL},
    [35] = {ZPL_CHARSET_BYTES, pl_cp1254, NULL},
    [36] = {ZPL_CHARSET_BYTES, pl_cp1255, NULL},
};

// Tables that Asian printers and font packs come with, under the names that ^SE gives them.
static const struct {
    const char *name;
    struct zpl_charset_info info;
} RESIDENT[] = {
    {"UHANGUL", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_cp949}},
    {"KSC5601", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_cp949}},
    {"JOHAB", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_johab}},
    {"BIG5", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_big5}},
    {"BIG5HK", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_big5_hkscs}},
    {"GB", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030}},
    {"GB2312", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030}},
    {"GBK", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030}},
    {"GB18030", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_gb18030}},
    {"JIS", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_cp932}},
    {"SJIS", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_cp932}},
    {"EUCJP", {ZPL_CHARSET_DOUBLE_BYTE, NULL, &pl_euc_jp}},
    {"UNICODE", {ZPL_CHARSET_UTF16BE, NULL, NULL}},
};

const struct zpl_charset_info *zpl_charset_resident(const char *name)
{
    for (size_t i = 0; i < PL_COUNTOF(RESIDENT); i++) {
        if (strcmp(name, RESIDENT[i].name) == 0)
            return &RESIDENT[i].info;
    }
    return NULL;
}

// The sets whose characters the table of ^SE decides. EUC (^CI16) is Japanese unless the table is of another country.
static bool takes_table(const struct zpl_charset *charset)
{
    if (charset->set == 16 && charset->table && charset->table->double_byte)
        return charset->table->double_byte != &pl_cp932;
    return charset->set == 14 || charset->set == 24 || charset->set == 26;
}

const struct zpl_charset_info *zpl_charset_info(const struct zpl_charset *charset)
{
    static const struct zpl_charset_info MAPPED = {ZPL_CHARSET_DOUBLE_BYTE, NULL, NULL};
    if (charset->map)
        return &MAPPED;
    if (charset->table && takes_table(charset))
        return charset->table;
    const struct zpl_charset_info *info = charset->set < PL_COUNTOF(INFOS) ? &INFOS[charset->set] : &INFOS[13];
    // Reserved numbers act as the plain code page.
    return info->kind == ZPL_CHARSET_BYTES && !info->high ? &INFOS[13] : info;
}

uint32_t zpl_charset_byte(const struct zpl_charset *charset, uint8_t byte)
{
    const struct zpl_charset_info *info = zpl_charset_info(charset);
    if (charset->remap && charset->set <= 13)
        byte = charset->remap[byte];
    if (charset->set <= 12) {
        for (int i = 0; i < REPLACED; i++) {
            if (REPLACED_BYTES[i] == byte && REPLACEMENTS[charset->set][i])
                return REPLACEMENTS[charset->set][i];
        }
    }
    if (byte == EURO_BYTE && charset->set <= 13)
        return EURO;
    if (byte < 0x80)
        return byte;
    uint16_t c = info->high ? info->high[byte - 0x80] : 0;
    return c ? c : 0xFFFD;
}

void zpl_charset_table(const struct zpl_charset *charset, uint32_t out[256])
{
    const struct zpl_charset_info *info = zpl_charset_info(charset);
    for (uint32_t i = 0; i < 0x80; i++)
        out[i] = i;
    for (uint32_t i = 0; i < 0x80; i++)
        out[0x80 + i] = info->high[i] ? info->high[i] : 0xFFFD;
    if (charset->set <= 13)
        out[EURO_BYTE] = EURO;
    if (charset->set <= 12) {
        for (int i = 0; i < REPLACED; i++) {
            if (REPLACEMENTS[charset->set][i])
                out[REPLACED_BYTES[i]] = REPLACEMENTS[charset->set][i];
        }
    }
    if (charset->remap && charset->set <= 13) {
        uint32_t plain[256];
        memcpy(plain, out, sizeof(plain));
        for (int i = 0; i < 256; i++)
            out[i] = plain[charset->remap[i]];
    }
}
