// Unicode Standard Annex 9: rules W1 to W7, N1, N2, I1, I2 and L1. Embedding controls are taken as boundary neutrals,
// as labels do not carry them, and brackets follow N1 and N2 like other neutrals.
#include "font/bidi.h"

#include <stddef.h>

#include "base/ckd.h"
#include "font/font_hb.h"

enum class { L, R, AL, EN, ES, ET, AN, CS, NSM, BN, WS, ON };

static bool in(uint32_t c, uint32_t low, uint32_t high)
{
    return c >= low && c <= high;
}

bool pl_bidi_is_right_to_left(uint32_t c)
{
    if (c < 0x590)
        return false;
    return c <= 0x8FF || c == 0x200F || in(c, 0xFB1D, 0xFDFF) || in(c, 0xFE70, 0xFEFE) || in(c, 0x10800, 0x10FFF) ||
           in(c, 0x1E800, 0x1EFFF);
}

static enum class class_of(uint32_t c) {
    if (in(c, '0', '9') || c == 0xB2 || c == 0xB3 || c == 0xB9 || in(c, 0x6F0, 0x6F9) ||
        in(c, 0x2070, 0x2079)) return EN;
    if (c == '+' || c == '-' || c == 0x2212) return ES;
    if (in(c, '#', '%') || in(c, 0xA2, 0xA5) || c == 0xB0 || c == 0xB1 || c == 0x66A || in(c, 0x2030, 0x2034) ||
        in(c, 0x20A0, 0x20CF)) return ET;
    if (c == ',' || c == '.' || c == '/' || c == ':' || c == 0xA0 || c == 0x60C || c == 0x202F) return CS;
    if (in(c, 0x660, 0x669) || c == 0x66B || c == 0x66C || in(c, 0x600, 0x605) || c == 0x6DD) return AN;
    if (c == ' ' || c == '\t' || in(c, 0x2000, 0x200A) || c == 0x3000) return WS;
    if (in(c, 0x200B, 0x200D) || in(c, 0x202A, 0x202E) || in(c, 0x2060, 0x206F) || c == 0xFEFF || c == 0xAD ||
        c < 0x20) return BN;
    if (c == 0x200E) return L;
    if (c == 0x200F) return R;
    if (c >= 0x300 && pl_hb_is_mark(c) && !in(c, 0x903, 0x1CFF)) return NSM;
    if (pl_bidi_is_right_to_left(c)) return in(c, 0x600, 0x7BF) || in(c, 0x860, 0x8FF) || in(c, 0xFB50, 0xFDFF) ||
            in(c, 0xFE70, 0xFEFE) || in(c, 0x1EC70, 0x1EEFF)
        ? AL
        : R;
    if (c < 0x41 || in(c, 0x5B, 0x60) || in(c, 0x7B, 0x7E) || in(c, 0xA1, 0xBF) || c == 0xD7 || c == 0xF7 ||
        in(c, 0x2010, 0x2029) || in(c, 0x2035, 0x205E) || in(c, 0x2190, 0x2BFF) || in(c, 0x3001, 0x3004) ||
        in(c, 0x3008, 0x3020)) return c == 0xAA ||
            c == 0xB5 || c == 0xBA
        ? L
        : ON;
    return L;
}

bool pl_bidi_base_is_right_to_left(const uint32_t *chars, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        enum class c = class_of(chars[i]);
        if (c == L)
            return false;
        if (c == R || c == AL)
            return true;
    }
    return false;
}

static void resolve_weak(uint8_t *classes, uint32_t length, enum class start)
{
    enum class previous = start, strong = start;
    for (uint32_t i = 0; i < length; i++) { // W1 to W3
        if (classes[i] == BN)
            continue;
        if (classes[i] == NSM)
            classes[i] = (uint8_t)previous;
        if (classes[i] == EN && strong == AL)
            classes[i] = AN;
        if (classes[i] == L || classes[i] == R || classes[i] == AL)
            strong = classes[i];
        previous = classes[i];
    }
    for (uint32_t i = 0; i < length; i++)
        if (classes[i] == AL)
            classes[i] = R;
    for (uint32_t i = 1; i + 1 < length; i++) { // W4
        if (classes[i] == ES && classes[i - 1] == EN && classes[i + 1] == EN)
            classes[i] = EN;
        else if (classes[i] == CS && classes[i - 1] == classes[i + 1] && (classes[i - 1] == EN || classes[i - 1] == AN))
            classes[i] = classes[i - 1];
    }
    for (uint32_t i = 0; i < length;) { // W5
        if (classes[i] != ET) {
            i++;
            continue;
        }
        uint32_t end = i;
        while (end < length && (classes[end] == ET || classes[end] == BN))
            end++;
        bool number = (i > 0 && classes[i - 1] == EN) || (end < length && classes[end] == EN);
        for (; i < end; i++)
            if (number)
                classes[i] = EN;
    }
    strong = start;
    for (uint32_t i = 0; i < length; i++) { // W6, W7
        if (classes[i] == ES || classes[i] == ET || classes[i] == CS || classes[i] == BN)
            classes[i] = ON;
        if (classes[i] == L || classes[i] == R)
            strong = classes[i];
        else if (classes[i] == EN && strong == L)
            classes[i] = L;
    }
}

void pl_bidi_levels(const uint32_t *chars, uint32_t length, bool right_to_left, uint8_t *levels, uint8_t *classes)
{
    const uint8_t base = right_to_left ? 1 : 0;
    const enum class start = right_to_left ? R : L;
    for (uint32_t i = 0; i < length; i++)
        classes[i] = (uint8_t)class_of(chars[i]);
    resolve_weak(classes, length, start);
    for (uint32_t i = 0; i < length;) { // N1, N2
        if (classes[i] != WS && classes[i] != ON) {
            i++;
            continue;
        }
        uint32_t end = i;
        while (end < length && (classes[end] == WS || classes[end] == ON))
            end++;
        enum class before = i == 0 ? start : classes[i - 1] == L ? L : R;
        enum class after = end == length ? start : classes[end] == L ? L : R;
        for (; i < end; i++)
            classes[i] = (uint8_t)(before == after ? before : start);
    }
    for (uint32_t i = 0; i < length; i++) { // I1, I2
        if (base == 0)
            levels[i] = classes[i] == R ? 1 : classes[i] == L ? 0 : 2;
        else
            levels[i] = classes[i] == R ? 1 : 2;
    }
    for (uint32_t i = length; i-- > 0 && class_of(chars[i]) == WS;) // L1
        levels[i] = base;
}
