// Names of columns: words without case and accents, and lists of what stations and loggers call things.
#include "grain/hours_columns.h"

#include <string.h>

#include "base/ckd.h"

#define NAME_MAX_FOLDED 96

// A name as " temp out f " and as "tempoutf".
struct folded {
    char words[2 * NAME_MAX_FOLDED + 4];
    char joined[NAME_MAX_FOLDED + 1];
    size_t len; // of `joined`
};

// The letter or digit at *pos in small, 0 for what separates words; *pos goes behind it. Files come in UTF-8 and in
// Latin-1: an accent in either is its letter.
static char next_letter(struct pl_slice name, size_t *pos)
{
    static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuy**aaaaaaaceeeeiiiidnooooo*ouuuuy*y"; // U+00C0 on
    static const char sign_f[] = "\xE2\x84\x89", sign_c[] = "\xE2\x84\x83";                         // U+2109, U+2103
    uint8_t c = name.ptr[(*pos)++];
    bool more = *pos < name.len && name.ptr[*pos] >= 0x80 && name.ptr[*pos] < 0xC0;
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        return (char)c;
    if (c == 0xC3 && more)
        c = (uint8_t)(name.ptr[(*pos)++] + 0x40);
    else if (c == 0xC2 && more)
        c = name.ptr[(*pos)++];
    else if (c == 0xE2 && more && name.len - *pos >= 2) {
        const uint8_t *rest = name.ptr + *pos;
        *pos += 2;
        return memcmp(rest, sign_f + 1, 2) == 0 ? 'f' : memcmp(rest, sign_c + 1, 2) == 0 ? 'c' : '\0';
    }
    char letter = '\0';
    if (c >= 0xC0)
        letter = latin[c - 0xC0];
    return letter == '*' ? '\0' : letter;
}

static bool is_capital(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_small(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static void fold(struct pl_slice name, struct folded *out)
{
    size_t words = 0;
    out->len = 0;
    out->words[words++] = ' ';
    for (size_t pos = 0; pos < name.len && out->len < NAME_MAX_FOLDED;) {
        size_t at = pos;
        char letter = next_letter(name, &pos);
        // A new word begins at "F" of "TempF", and at a sign that is a unit.
        bool begins = at > 0 && ((is_small(name.ptr[at - 1]) && is_capital(name.ptr[at])) || name.ptr[at] == 0xE2);
        if ((letter == '\0' || begins) && out->words[words - 1] != ' ')
            out->words[words++] = ' ';
        if (letter == '\0')
            continue;
        out->words[words++] = letter;
        out->joined[out->len++] = letter;
    }
    if (out->words[words - 1] != ' ')
        out->words[words++] = ' ';
    out->words[words] = '\0';
    out->joined[out->len] = '\0';
}

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, list[i]) == 0)
            return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(name, list[i]) != NULL)
            return true;
    }
    return false;
}

static bool begins_with(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(name, list[i], strlen(list[i])) == 0)
            return true;
    }
    return false;
}

static bool ends_with(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(name), end = strlen(list[i]);
        if (len >= end && strcmp(name + len - end, list[i]) == 0)
            return true;
    }
    return false;
}

#define CALL(test, name, ...)                                                                                          \
    test(name, (const char *const[]){__VA_ARGS__}, PL_COUNTOF(((const char *const[]){__VA_ARGS__})))
#define ONE_OF(name, ...) CALL(is_one_of, name, __VA_ARGS__)
#define HAS(name, ...) CALL(has_one_of, name, __VA_ARGS__)
#define BEGINS(name, ...) CALL(begins_with, name, __VA_ARGS__)
#define ENDS(name, ...) CALL(ends_with, name, __VA_ARGS__)

// Highest and lowest of the hour are not its value; "xim" and "nim" are what broken bytes leave of máxima and mínima.
static bool is_extreme(const struct folded *name)
{
    return HAS(name->words, " max", " min ", " minim", " xim", " nim") || ENDS(name->joined, "max", "min");
}

// What is not of the air, or not measured.
static bool is_other(const struct folded *name)
{
    return is_extreme(name) || HAS(name->words, " bat ", " batt", " set ") ||
           HAS(name->joined, "soil", "solo", "suelo", "grain", "grao", "grano", "wet", "umido", "humedo", "specific",
               "absolut", "felt", "feels", "apparent", "sensacao", "sensacion", "senstermica", "humidex", "heatindex",
               "chill", "setpoint", "fault", "alarm", "alert", "status", "error", "battery", "bateria", "cpu");
}

static int sure_of_humidity(const struct folded *name)
{
    if (ONE_OF(name->joined, "ur", "rh", "ur1", "rh1", "relh", "hrel", "urinst") ||
        HAS(name->joined, "umidaderel", "relativehum", "humedadrel", "relhum") || BEGINS(name->words, " rh ", " ur "))
        return 3;
    if (BEGINS(name->joined, "umidade", "humidity", "humedad", "uramb", "urmed", "urar", "rhpercent"))
        return 2;
    return ONE_OF(name->joined, "hr") || BEGINS(name->joined, "umid", "hum", "rh") ||
                   HAS(name->words, " humidity ", " rh ", " hum ")
               ? 1
               : 0;
}

static int sure_of_temperature(const struct folded *name)
{
    // Tempo is time in Portuguese.
    if (BEGINS(name->words, " tempo ", " tempos "))
        return 0;
    if (BEGINS(name->joined, "temperatur", "airtemp", "drybulb", "bulboseco") || BEGINS(name->words, " temp ") ||
        ONE_OF(name->joined, "temp", "tempc", "tempf"))
        return 3;
    if (BEGINS(name->joined, "temp", "tinst", "tdb", "tmpf", "tmpc") || HAS(name->joined, "temp"))
        return 2;
    return ONE_OF(name->joined, "t", "ta", "tac", "taf", "tc", "tf", "tar", "tbs", "tmed", "tair", "tdry", "t2m",
                  "t2mf", "degc", "degf")
               ? 1
               : 0;
}

// The last word that is a unit: "temp_f", "Temp, °F (LGR S/N: 1)", "AirTemp_degF_Avg". A letter before the name of the
// temperature is no unit: "Sensor F temperature".
static enum grain_column_unit unit_of(const struct folded *name)
{
    enum grain_column_unit unit = GRAIN_UNIT_UNSAID;
    for (const char *at = name->words; at[0] == ' ' && at[1] != '\0'; at = strchr(at + 1, ' ')) {
        bool first = at == name->words;
        bool named = !first && !HAS(at, " temp", " dew", " tmp");
        if (BEGINS(at, " degf ", " fahrenheit ", " degreesf ") || (named && BEGINS(at, " f ")))
            unit = GRAIN_UNIT_FAHRENHEIT;
        else if (BEGINS(at, " degc ", " celsius ", " degreesc ") || (named && BEGINS(at, " c ")))
            unit = GRAIN_UNIT_CELSIUS;
    }
    if (unit != GRAIN_UNIT_UNSAID)
        return unit;
    // Without anything between.
    if (ENDS(name->joined, "tempf", "temperaturef", "temperaturaf", "degf", "bulbf", "airf", "airef", "2mf", "tmpf",
             "pointf", "dewf", "dwpf") ||
        ONE_OF(name->joined, "tf", "taf", "arf") || HAS(name->joined, "fahrenheit"))
        return GRAIN_UNIT_FAHRENHEIT;
    return ENDS(name->joined, "tempc", "temperaturec", "temperaturac", "degc", "pointc", "dewc", "dwpc", "tmpc")
               ? GRAIN_UNIT_CELSIUS
               : GRAIN_UNIT_UNSAID;
}

struct grain_column grain_column_of(struct pl_slice text)
{
    struct folded name;
    fold(text, &name);
    if (BEGINS(name.joined, "timestamp", "datetime", "date", "fecha", "momento") || BEGINS(name.words, " data "))
        return (struct grain_column){.kind = GRAIN_COLUMN_TIME, .sure = 2};
    if (is_extreme(&name))
        return (struct grain_column){.kind = GRAIN_COLUMN_OTHER};
    if (HAS(name.joined, "orvalho", "dewpoint", "rocio", "dewpt") || BEGINS(name.words, " dew ") ||
        ONE_OF(name.joined, "dewc", "dewf", "td", "tdew", "dp", "dwpf", "dwpc"))
        return (struct grain_column){.kind = GRAIN_COLUMN_DEW, .sure = 1, .unit = unit_of(&name)};
    if (is_other(&name))
        return (struct grain_column){.kind = GRAIN_COLUMN_OTHER};
    int humidity = sure_of_humidity(&name), temperature = sure_of_temperature(&name);
    if (humidity > 0)
        return (struct grain_column){.kind = GRAIN_COLUMN_UR, .sure = humidity};
    if (temperature > 0)
        return (struct grain_column){.kind = GRAIN_COLUMN_TA, .sure = temperature, .unit = unit_of(&name)};
    if (ONE_OF(name.joined, "hora", "hour", "horautc", "hourutc", "time", "horalocal", "horario") ||
        BEGINS(name.words, " tempo "))
        return (struct grain_column){.kind = GRAIN_COLUMN_HOUR, .sure = 1};
    if (BEGINS(name.joined, "data", "time", "dia", "day", "valid", "dt"))
        return (struct grain_column){.kind = GRAIN_COLUMN_TIME, .sure = 1};
    return (struct grain_column){.kind = GRAIN_COLUMN_OTHER};
}
