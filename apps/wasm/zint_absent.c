// Stands for the encoders of libzint that src/bar/encode/bar_zint.h does not name: libzint has a table of all of them,
// and they would be a tenth of the module.

// Numbers of zint.h, which only src/bar/encode/bar_zint.c includes.
#define INVALID_DATA 6
#define INVALID_OPTION 8

// Every function of that table has arguments of these kinds.
#define ABSENT(name)                                                                                                   \
    int name(void *symbol, void *data, int count);                                                                     \
    int name(void *symbol, void *data, int count)                                                                      \
    {                                                                                                                  \
        (void)symbol, (void)data, (void)count;                                                                         \
        return INVALID_OPTION;                                                                                         \
    }

ABSENT(aztec)
ABSENT(azrune)
ABSENT(bc412)
ABSENT(codablockf)
ABSENT(code16k)
ABSENT(code49)
ABSENT(codeone)
ABSENT(datamatrix)
ABSENT(dotcode)
ABSENT(gridmatrix)
ABSENT(hanxin)
ABSENT(mailmark)
ABSENT(microqr)
ABSENT(qrcode)
ABSENT(rmqr)
ABSENT(ultra)
ABSENT(upnqr)

// Conversions of text, which libzint is never asked for: it gets bytes.
int is_eci_convertible_segs(const void *segments, int count, int *convertible);
int get_eci_length_segs(const void *segments, int count);
int utf8_to_eci(int eci, const void *source, void *out, int *length);

int is_eci_convertible_segs(const void *segments, int count, int *convertible)
{
    (void)segments, (void)count, (void)convertible;
    return 0;
}

int get_eci_length_segs(const void *segments, int count)
{
    (void)segments, (void)count;
    return 0;
}

int utf8_to_eci(int eci, const void *source, void *out, int *length)
{
    (void)eci, (void)source, (void)out, (void)length;
    return INVALID_DATA;
}

ABSENT(get_best_eci_segs)
