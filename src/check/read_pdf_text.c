// From codewords of PDF417 and MicroPDF417 to bytes: text, byte and numeric compaction.
#include "check/readers.h"

struct words {
    const uint16_t *words;
    uint32_t at, end;
    struct pl_read_text *out;
    bool bad;
};

enum { UPPER, LOWER, MIXED, PUNCTUATION };

// One value of a table, or where it leads: the table behind it in *next, with *shift for one value only.
static void read_value(struct words *w, int table, uint32_t v, int *next, bool *shift)
{
    static const char mixed[] = "0123456789&\r\t,:#-.$/+%*=^", punctuation[] = ";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'";
    *next = table;
    *shift = false;
    if (table == PUNCTUATION) {
        if (v < 29)
            pl_read_put(w->out, (uint8_t)punctuation[v]);
        else
            *next = UPPER;
    } else if (v == 26) {
        pl_read_put(w->out, ' ');
    } else if (v == 29) {
        *next = PUNCTUATION;
        *shift = true;
    } else if (table == MIXED) {
        if (v < 25)
            pl_read_put(w->out, (uint8_t)mixed[v]);
        else
            *next = v == 25 ? PUNCTUATION : v == 27 ? LOWER : UPPER;
    } else if (v < 26) {
        pl_read_put(w->out, (table == UPPER ? 'A' : 'a') + v);
    } else if (v == 28) {
        *next = MIXED;
    } else { // 27
        *next = table == UPPER ? LOWER : UPPER;
        *shift = table == LOWER;
    }
}

static void read_text(struct words *w)
{
    int table = UPPER, back = UPPER;
    bool shifted = false;
    while (w->at < w->end && (w->words[w->at] < 900 || w->words[w->at] == 913)) {
        uint32_t word = w->words[w->at++];
        if (word == 913) { // one byte; the table stays
            pl_read_put(w->out, w->at < w->end ? w->words[w->at++] : 0u);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            int next;
            bool shift;
            read_value(w, table, i ? word % 30 : word / 30, &next, &shift);
            if (shifted) {
                // A shift is over after one value; 29 in shifted punctuation is padding.
                table = back;
                shifted = false;
                continue;
            }
            if (shift)
                back = table;
            shifted = shift;
            table = next;
        }
    }
}

static void read_bytes(struct words *w, bool by_six)
{
    uint32_t count = 0;
    while (w->at + count < w->end && w->words[w->at + count] < 900)
        count++;
    uint32_t groups = count / 5;
    if (!by_six && count % 5 == 0 && groups > 0)
        groups--; // the last five stand for a byte each
    for (uint32_t g = 0; g < groups; g++) {
        uint64_t value = 0;
        for (int i = 0; i < 5; i++)
            value = value * 900 + w->words[w->at++];
        for (int i = 5; i >= 0; i--)
            pl_read_put(w->out, value >> (8 * i) & 255);
    }
    for (uint32_t i = groups * 5; i < count; i++) {
        w->bad = w->bad || w->words[w->at] > 255;
        pl_read_put(w->out, w->words[w->at++]);
    }
}

// Up to 15 words are a number of up to 44 digits with a 1 before it.
static void read_group(struct words *w)
{
    uint32_t count = 0;
    uint8_t digits[48] = {0}; // the lowest first
    while (w->at + count < w->end && w->words[w->at + count] < 900 && count < 15)
        count++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t carry = w->words[w->at++];
        for (size_t k = 0; k < sizeof digits; k++) {
            carry += digits[k] * 900u;
            digits[k] = (uint8_t)(carry % 10);
            carry /= 10;
        }
    }
    size_t top = sizeof digits;
    while (top > 0 && digits[top - 1] == 0)
        top--;
    if (top == 0 || digits[top - 1] != 1) {
        w->bad = true;
        return;
    }
    while (--top > 0)
        pl_read_put(w->out, '0' + (uint32_t)digits[top - 1]);
}

static void read_numeric(struct words *w)
{
    while (w->at < w->end && w->words[w->at] < 900 && !w->bad)
        read_group(w);
}

bool pl_read_pdf_words(const uint16_t *words, uint32_t count, bool micro, struct pl_read_text *out)
{
    struct words w = {.words = words, .end = count, .out = out};
    if (!micro)
        read_text(&w);
    while (w.at < w.end && !w.bad) {
        switch (w.words[w.at++]) {
        case 900:
            read_text(&w);
            break;
        case 901:
            read_bytes(&w, false);
            break;
        case 924:
            read_bytes(&w, true);
            break;
        case 902:
            read_numeric(&w);
            break;
        case 913: // outside of text it stands before the first byte of a symbol
            pl_read_put(out, w.at < w.end ? w.words[w.at++] : 0u);
            read_text(&w);
            break;
        case 918: // linked to another symbol
            break;
        case 928: // the place in a series of symbols; data does not follow
            w.at = w.end;
            break;
        default:
            w.bad = true;
        }
    }
    return !w.bad;
}
