// Build step: the tables of code pages (src/lang/code_pages.h) and of double-byte character sets
// (src/lang/double_byte.h), from the C library's iconv.
//
//   make_charsets OUTPUT.c
#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UTF32 "UTF-32LE"
#else
#define UTF32 "UTF-32BE"
#endif

#define NONE 0xFFFFu
#define EXTRA 0xD800u
#define MOST_EXTRA 0x800u
#define FOURS (126 * 10 * 126 * 10)

static const struct {
    const char *name, *symbol;
} SETS[] = {
    {"GB18030", "gb18030"}, {"CP932", "cp932"}, {"EUC-JP", "euc_jp"},         {"CP949", "cp949"},
    {"JOHAB", "johab"},     {"BIG5", "big5"},   {"BIG5-HKSCS", "big5_hkscs"},
};

// Code pages by the numbers that Windows has for them.
static const struct {
    uint32_t number;
    const char *name;
} PAGES[] = {
    {437, "CP437"},         {737, "CP737"},        {850, "CP850"},        {852, "CP852"},        {855, "CP855"},
    {857, "CP857"},         {858, "CP858"},        {860, "CP860"},        {861, "CP861"},        {862, "CP862"},
    {863, "CP863"},         {864, "CP864"},        {865, "CP865"},        {866, "CP866"},        {869, "CP869"},
    {874, "CP874"},         {1250, "CP1250"},      {1251, "CP1251"},      {1252, "CP1252"},      {1253, "CP1253"},
    {1254, "CP1254"},       {1255, "CP1255"},      {1256, "CP1256"},      {1257, "CP1257"},      {1258, "CP1258"},
    {28591, "ISO-8859-1"},  {28592, "ISO-8859-2"}, {28593, "ISO-8859-3"}, {28594, "ISO-8859-4"}, {28595, "ISO-8859-5"},
    {28596, "ISO-8859-6"},  {28597, "ISO-8859-7"}, {28598, "ISO-8859-8"}, {28599, "ISO-8859-9"}, {28600, "ISO-8859-10"},
    {28605, "ISO-8859-15"},
};

struct extra {
    uint32_t pairs[MOST_EXTRA][2];
    uint32_t count;
};

enum outcome { CHARACTER, INCOMPLETE, ILLEGAL };

// What a sequence means: one character or two, or that bytes are missing behind it.
static enum outcome ask(iconv_t converter, const uint8_t *bytes, size_t size, uint32_t out[2])
{
    char *from = (char *)(uintptr_t)bytes, *to = (char *)out;
    size_t left = size, room = 2 * sizeof(uint32_t);
    out[0] = out[1] = 0;
    iconv(converter, NULL, NULL, NULL, NULL);
    if (iconv(converter, &from, &left, &to, &room) == (size_t)-1)
        return errno == EINVAL && from == (const char *)bytes ? INCOMPLETE : ILLEGAL;
    // Some characters wait for what may follow them.
    if (iconv(converter, NULL, NULL, &to, &room) == (size_t)-1)
        return ILLEGAL;
    return room < 2 * sizeof(uint32_t) ? CHARACTER : ILLEGAL;
}

static bool keep(struct extra *extra, const uint32_t found[2], uint32_t *entry)
{
    if (found[1] == 0 && found[0] < NONE && (found[0] < EXTRA || found[0] >= EXTRA + MOST_EXTRA)) {
        *entry = found[0];
        return true;
    }
    if (extra->count == MOST_EXTRA)
        return false;
    memcpy(extra->pairs[extra->count], found, sizeof extra->pairs[0]);
    *entry = EXTRA + extra->count++;
    return true;
}

static void write_entries(FILE *out, const char *symbol, const char *what, const uint32_t *entries, size_t count)
{
    fprintf(out, "static const uint16_t %s_%s[] = {", symbol, what);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%u", i % 24 ? "," : i ? ",\n" : "\n", entries[i]);
    fputs("};\n", out);
}

// A square of 256 by 256 entries without the empty rows and columns at its sides. `even`: as many of both are left out,
// so that one range serves for both bytes. False: all entries are empty.
static bool write_square(FILE *out, const char *symbol, const char *what, uint32_t (*square)[256], bool even,
                         int bounds[4])
{
    static uint32_t entries[256 * 256];
    int lead_low = 256, lead_high = -1, trail_low = 256, trail_high = -1;
    for (int lead = 0; lead < 256; lead++)
        for (int trail = 0; trail < 256; trail++)
            if (square[lead][trail] != NONE) {
                lead_low = lead < lead_low ? lead : lead_low;
                lead_high = lead;
                trail_low = trail < trail_low ? trail : trail_low;
                trail_high = trail > trail_high ? trail : trail_high;
            }
    if (lead_high < 0)
        return false;
    if (even) {
        lead_low = trail_low = lead_low < trail_low ? lead_low : trail_low;
        lead_high = trail_high = lead_high > trail_high ? lead_high : trail_high;
    }
    size_t count = 0;
    for (int lead = lead_low; lead <= lead_high; lead++)
        for (int trail = trail_low; trail <= trail_high; trail++)
            entries[count++] = square[lead][trail];
    write_entries(out, symbol, what, entries, count);
    memcpy(bounds, (int[4]){lead_low, lead_high, trail_low, trail_high}, 4 * sizeof(int));
    return true;
}

static uint32_t write_fours(FILE *out, const char *symbol, iconv_t converter)
{
    uint32_t count = 0, from = 0, first = 0, length = 0;
    for (uint32_t n = 0; n <= FOURS; n++) {
        uint8_t bytes[4] = {(uint8_t)(0x81 + n / 12600), (uint8_t)(0x30 + n / 1260 % 10),
                            (uint8_t)(0x81 + n / 10 % 126), (uint8_t)(0x30 + n % 10)};
        uint32_t found[2];
        bool is = n < FOURS && ask(converter, bytes, 4, found) == CHARACTER;
        if (is && length > 0 && found[0] == first + length) {
            length++;
            continue;
        }
        if (length > 0) {
            if (count++ == 0)
                fprintf(out, "static const struct pl_four_run %s_fours[] = {\n", symbol);
            fprintf(out, "{%u,%u,%u},\n", from, length, first);
        }
        from = n;
        first = is ? found[0] : 0;
        length = is ? 1 : 0;
    }
    if (count > 0)
        fputs("};\n", out);
    return count;
}

static bool write_set(FILE *out, const char *name, const char *symbol)
{
    static struct extra extra;
    static uint32_t singles[256], pairs[256][256], triples[256][256];
    iconv_t converter = iconv_open(UTF32, name);
    if (converter == (iconv_t)-1) {
        fprintf(stderr, "make_charsets: warning: this system's iconv does not know %s; its text will be boxes\n", name);
        fprintf(out, "const struct pl_double_byte pl_%s = {0};\n", symbol);
        return true;
    }
    int triple_lead = 0, bounds[4] = {0}, triple_bounds[4] = {0};
    bool fours = false, kept = true;
    extra.count = 0;
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 256; k++)
            pairs[i][k] = triples[i][k] = NONE;
    for (int a = 0; a < 256; a++) {
        uint8_t bytes[3] = {(uint8_t)a};
        uint32_t found[2];
        enum outcome one = ask(converter, bytes, 1, found);
        singles[a] = NONE;
        if (one == CHARACTER)
            kept = kept && keep(&extra, found, &singles[a]);
        for (int b = 0; one == INCOMPLETE && b < 256; b++) {
            bytes[1] = (uint8_t)b;
            enum outcome two = ask(converter, bytes, 2, found);
            if (two == CHARACTER)
                kept = kept && keep(&extra, found, &pairs[a][b]);
            if (two == INCOMPLETE && b >= 0x30 && b <= 0x39) {
                fours = true;
                continue;
            }
            for (int c = 0; two == INCOMPLETE && c < 256; c++) {
                bytes[2] = (uint8_t)c;
                if (ask(converter, bytes, 3, found) != CHARACTER)
                    continue;
                kept = kept && (triple_lead == 0 || triple_lead == a) && keep(&extra, found, &triples[b][c]);
                triple_lead = a;
            }
        }
    }
    write_entries(out, symbol, "singles", singles, 256);
    bool has_pairs = write_square(out, symbol, "pairs", pairs, false, bounds);
    bool has_triples = write_square(out, symbol, "triples", triples, true, triple_bounds);
    kept = kept && has_pairs;
    if (extra.count > 0) {
        fprintf(out, "static const uint32_t %s_extra[][2] = {\n", symbol);
        for (uint32_t i = 0; i < extra.count; i++)
            fprintf(out, "{%u,%u},\n", extra.pairs[i][0], extra.pairs[i][1]);
        fputs("};\n", out);
    }
    uint32_t four_count = fours ? write_fours(out, symbol, converter) : 0;
    fprintf(out,
            "const struct pl_double_byte pl_%s = {.singles = %s_singles, .pairs = %s_pairs, .lead_low = %d, "
            ".lead_high = %d, .trail_low = %d, .trail_high = %d",
            symbol, symbol, symbol, bounds[0], bounds[1], bounds[2], bounds[3]);
    if (has_triples)
        fprintf(out, ", .triple_lead = %d, .triples = %s_triples, .triple_low = %d, .triple_high = %d", triple_lead,
                symbol, triple_bounds[2], triple_bounds[3]);
    if (extra.count > 0)
        fprintf(out, ", .extra = %s_extra", symbol);
    if (four_count > 0)
        fprintf(out, ", .four_runs = %s_fours, .four_run_count = %u", symbol, four_count);
    fputs("};\n\n", out);
    iconv_close(converter);
    if (!kept)
        fprintf(stderr, "make_charsets: %s has a form that the tables cannot hold\n", name);
    return kept;
}

static bool write_pages(FILE *out)
{
    const size_t count = sizeof PAGES / sizeof PAGES[0];
    for (size_t page = 0; page < count; page++) {
        iconv_t converter = iconv_open(UTF32, PAGES[page].name);
        if (converter == (iconv_t)-1) {
            fprintf(stderr, "make_charsets: this system's iconv does not know %s\n", PAGES[page].name);
            return false;
        }
        fprintf(out, "const uint16_t pl_cp%u[128] = {", PAGES[page].number);
        for (uint32_t i = 0; i < 128; i++) {
            uint8_t byte = (uint8_t)(0x80 + i);
            uint32_t found[2];
            fprintf(out, "%u,", ask(converter, &byte, 1, found) == CHARACTER ? found[0] : 0);
        }
        fputs("};\n", out);
        iconv_close(converter);
    }
    fputs("const struct pl_code_page pl_code_pages[] = {\n", out);
    for (size_t page = 0; page < count; page++)
        fprintf(out, "{%u, pl_cp%u},\n", PAGES[page].number, PAGES[page].number);
    fputs("{0, 0}};\n\n", out);
    return true;
}

int main(int argc, char **argv)
{
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fputs("usage: make_charsets OUTPUT.c\n", stderr);
        return 2;
    }
    fputs("// Made by tools/charsets.\n#include \"lang/code_pages.h\"\n\n", out);
    bool good = write_pages(out);
    for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++)
        good = write_set(out, SETS[i].name, SETS[i].symbol) && good;
    return fclose(out) == 0 && good ? 0 : 1;
}
