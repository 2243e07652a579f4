// Choices and hostile values for fuzz_calls.c.
#include "calls_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *input;
static size_t left;

void choose_from(const uint8_t *data, size_t size)
{
    input = data;
    left = size;
}

bool choices_left(void)
{
    return left > 0;
}

static uint8_t byte(void)
{
    if (left == 0)
        return 0;
    left--;
    return *input++;
}

unsigned pick(unsigned count)
{
    return byte() % count;
}

bool chance(unsigned one_in)
{
    return pick(one_in) == one_in - 1;
}

uint64_t number(void)
{
    static const uint64_t NUMBERS[] = {
        0,          1,           2,          3,    4,     7,     90,        99,         100,       101,
        180,        270,         255,        4096, 65535, 65536, INT32_MAX, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN,
        UINT64_MAX, 0x7FFFFFFEu, 0x80000000u};
    unsigned i = pick(40);
    return i < sizeof NUMBERS / sizeof *NUMBERS ? NUMBERS[i] : (uint64_t)byte() << 8 | byte();
}

double real(void)
{
    static const double NUMBERS[] = {0.0, -0.0,  1,    -1,       0.1,       0.5,   5e-324, 1e-9, 8,
                                     12,  24,    48,   48.1,     1e300,     1e308, 1e9,    25,   30,
                                     40,  101.6, 0.01, INFINITY, -INFINITY, NAN,   1000,   1e6};
    return NUMBERS[pick(sizeof NUMBERS / sizeof *NUMBERS)];
}

int small(int most)
{
    return chance(12) ? (int)(uint32_t)number() : (int)pick((unsigned)most + 1);
}

const char *word(void)
{
    static char endless[5000];
    memset(endless, 'x', sizeof endless - 1);
    const char *const WORDS[] = {"",          "none",          "default",  "gs1-retail",      "gs1-logistic-label",
                                 "PNG",       "jpg",           "R:A.GRF",  "E:ARI.TTF",       "nonsense",
                                 "zd621-203", "ZQ610Plus-203", "\xFF\xFE", "0030-0039,41-5A", "%s%n%d\n",
                                 "R:",        "*:*.*",         endless,    "SemiBold",        "Abc\xC3"};
    return WORDS[pick(sizeof WORDS / sizeof *WORDS)];
}

bool no_font(void *context, uint32_t index, struct platen_font *out)
{
    (void)context;
    (void)index;
    (void)out;
    return false;
}

// ---- memory

void *own_copy(const void *bytes, size_t size)
{
    void *copy = __real_malloc(size);
    if (!copy)
        abort();
    if (bytes && size)
        memcpy(copy, bytes, size);
    return copy;
}

void *sized(const void *options, size_t size)
{
    if (chance(6))
        return NULL;
    const size_t SIZES[] = {
        0, 1, 7, 8, 9, size - 1, size - 8, size + 1, size + 8, 4096, 4097, SIZE_MAX, pick((unsigned)size)};
    size_t said = chance(4) ? SIZES[pick(sizeof SIZES / sizeof *SIZES)] : size;
    size_t room = said < sizeof said || said > 4096 ? sizeof said : said; // no more of it may be read
    uint8_t *copy = own_copy(NULL, room);
    memset(copy, 0, room);
    memcpy(copy, options, room < size ? room : size);
    if (said > size && said == room && chance(2))
        copy[room - 1] = 1;
    memcpy(copy, &said, sizeof said);
    return copy;
}

void *result_of(size_t known, size_t *size)
{
    *size = chance(3) ? pick((unsigned)known + 20) : known;
    return chance(20) ? NULL : own_copy(NULL, *size);
}

static void *some_of(const char *const *texts, unsigned count, size_t *size)
{
    char *made = own_copy(NULL, 0);
    *size = 0;
    for (unsigned parts = 1 + pick(3); parts > 0; parts--) {
        const char *text = texts[pick(count)];
        size_t length = strlen(text);
        made = __real_realloc(made, *size + length + 1);
        if (!made)
            abort();
        memcpy(made + *size, text, length);
        *size += length;
    }
    for (unsigned changes = chance(2) ? pick(4) : 0; changes > 0 && *size > 0; changes--) {
        size_t at = ((size_t)byte() << 8 | byte()) % *size;
        made[at] = (char)byte();
    }
    if (chance(5))
        *size = ((size_t)byte() << 8 | byte()) % (*size + 1);
    void *exact = own_copy(made, *size);
    free(made);
    return exact;
}

void *label_code(size_t *size)
{
    static const char *const CODES[] = {
        "^XA^FO10,10^A0N,30^FDHello^FS^XZ",
        "^XA^FO10,10^BY2^BCN,40^FD>;12345678^FS^FO9,80^BQN,2,3^FDQA,hello^FS^XZ",
        "^XA^CI28^FO9,9^A0N,40^FD\xD9\x85\xD8\xB1\xD8\xAD \xE0\xA4\xA8\xE0\xA4\xAE \xE4\xBD\xA0^FS^PQ3^XZ",
        "~DGR:A.GRF,8,1,FF818181818181FF^XA^FO9,9^XGR:A.GRF,2,2^FS^ISR:B.GRF,N^XZ",
        "^XA^DFR:F.ZPL^FO9,9^A0N,30^FN1^FS^XZ^XA^XFR:F.ZPL^FN1^FDx^FS^XZ",
        "^XA^HWR:*.*^FS^HH^HVR:A.GRF^XZ~HS~HI",
        "^XA^MUM^FO2.5,3.5^GB10,5,1^FS^FO1,1^GC9,2^FS^FO3,3^GD9,9,1,B,L^FS^MUD^POI^LH5,5^JUS^PW200^LL150^XZ",
        "^XA^FO9,9^GFA,16,16,2,:Z64:eJz7/x8DAAD/+wP9:5b2b^FS^FO1,1^GFA,8,8,1,FF00FF00^FS^XZ",
        "^XA^FO9,9^FB150,3,0,C^A0N,20^FDlong text in {{name}} {{other}}\\&next^FS^FO0,0^BXN,4,200^FDabc^FS^XZ",
        "N\nq400\nQ200,24\nA50,50,0,4,1,1,N,\"Hello\"\nB9,90,0,1,2,2,50,B,\"123\"\nP1\n",
        "SIZE 40 mm,30 mm\nCLS\nTEXT 10,10,\"3\",0,1,1,\"Hello\"\nBARCODE 9,60,\"128\",40,1,0,2,2,\"12\"\nPRINT 2\n",
        "! 0 200 200 210 1\nTEXT 4 0 30 40 Hello\nBARCODE 128 1 1 50 150 10 HORIZ.\nFORM\nPRINT\n",
        "^XA^FX comment^FS^SN1,1,Y^FO9,9^BEN,50^FD123^FS^QQ^FO5,5^FR^A@N,20,20,E:ARI.TTF^FDx^FS^PQ2,0,1,Y^XZ",
        "^XA^PW99999^LL99999^FO9,9^GB9999,9999,9999^FS^FT9,9^A0R,99999^FDx^FS^XZ",
        "^CC!!XA!FO9,9!FDx!FS!XZ",
        "^XA",
        ""};
    if (chance(30)) {
        *size = pick(2) ? 5 : 0;
        return NULL;
    }
    return some_of(CODES, sizeof CODES / sizeof *CODES, size);
}

void *picture_file(size_t *size)
{
    static const char *const FILES[] = {"P1 8 2 1010101001010101",
                                        "P2 2 2 255 0 99 200 255",
                                        "P1\n# c\n9 1\n111000111",
                                        "GIF89a\x05",
                                        "\x89PNG\r\n\x1A\n",
                                        "RIFF\x10",
                                        "BMxx",
                                        "\x0A\x05\x01",
                                        "P4 8 1 x",
                                        "P5 1 1 255 x"};
    return some_of(FILES, sizeof FILES / sizeof *FILES, size);
}
