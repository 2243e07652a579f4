// Names of columns: words without case and accents, and lists of what stations, services and loggers call things.
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
    static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuy*saaaaaaaceeeeiiiidnooooo*ouuuuy*y"; // U+00C0 on
    static const char sign_f[] = "\xE2\x84\x89", sign_c[] = "\xE2\x84\x83";                         // U+2109, U+2103
    uint8_t c = name.ptr[(*pos)++];
    bool more = *pos < name.len && name.ptr[*pos] >= 0x80 && name.ptr[*pos] < 0xC0;
    if (pl_is_upper(c))
        return (char)(c - 'A' + 'a');
    if (pl_is_lower(c) || pl_is_digit(c))
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

static void fold(struct pl_slice name, struct folded *out)
{
    size_t words = 0;
    out->len = 0;
    out->words[words++] = ' ';
    for (size_t pos = 0; pos < name.len && out->len < NAME_MAX_FOLDED;) {
        size_t at = pos;
        char letter = next_letter(name, &pos);
        // A new word begins at "F" of "TempF", and at a sign that is a unit.
        bool begins = at > 0 && ((pl_is_lower(name.ptr[at - 1]) && pl_is_upper(name.ptr[at])) || name.ptr[at] == 0xE2);
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

// Does a name have one of the words, between which stands "|": anywhere, at its beginning, or at its end?
enum place { ANYWHERE, BEGINNING, END };
static bool has_one_of(const char *name, enum place place, const char *words)
{
    const struct pl_slice all = pl_slice_cstr(name);
    for (struct pl_slice rest = pl_slice_cstr(words); rest.len > 0;) {
        const struct pl_slice word = pl_slice_until(&rest, '|');
        const size_t at = place == END && word.len < all.len ? all.len - word.len : 0;
        if (place == ANYWHERE ? memmem(name, all.len, word.ptr, word.len) != NULL
                              : pl_slice_eq(pl_slice_sub(all, at, word.len), word))
            return true;
    }
    return false;
}

#define ONE_OF(name, words) pl_slice_is_one_of(pl_slice_cstr(name), words)
#define HAS(name, words) has_one_of(name, ANYWHERE, words)
#define BEGINS(name, words) has_one_of(name, BEGINNING, words)
#define ENDS(name, words) has_one_of(name, END, words)

// Highest and lowest of the hour are not its value; "xim" and "nim" are what broken bytes leave of máxima and mínima.
static bool is_extreme(const struct folded *name)
{
    return HAS(name->words, " max| min | minim| xim| nim| hi | high | low | lo | daily| monthly| normal| sunrise|"
                            " sunset| hochst| tiefst") ||
           ENDS(name->joined, "max|min");
}

// Of the product, not of the air: in the languages of the files.
static bool is_of_product(const struct folded *name)
{
    return HAS(name->words, " product | produto | producto | produkt | massa | masa | mass | kernel| seed| semente|"
                            " semilla| korn| cereal| cereais | crop | corn | maize | popcorn | milho | maiz | mais |"
                            " soy| soja| wheat | trigo | weizen| rice | paddy | arroz | reis | barley | cevada |"
                            " cebada | gerste| sorghum | sorgo | oat | oats | aveia | avena | hafer| canola |"
                            " rapeseed | colza | raps | sunflower| girassol | girasol | sonnenblume| peanut|"
                            " amendoim | mani | cacahuete| bean | beans | feijao | frijol| lentil| lentej| flax|"
                            " linhaca | linaza | lino | buckwheat | trigo mourisco | coffee | cafe | rye | roggen|"
                            " centeio | centeno ");
}

// A humidity that is no relative one: by its name, or by a unit that is no percent.
static bool is_absolute(const struct folded *name)
{
    return HAS(name->joined, "ratio|deficit|mixing|razaodemistura") ||
           HAS(name->words, " g kg | kg kg | g m3 | g m | hpa | kpa | mbar | mmhg ");
}

// What is not of the air, or not measured.
static bool is_other(const struct folded *name)
{
    return is_extreme(name) || is_of_product(name) || is_absolute(name) ||
           HAS(name->words, " bat | batt| flag | qc | qn | quality | source ") || BEGINS(name->words, " set ") ||
           ENDS(name->words, " set ") ||
           HAS(name->joined, "soil|solo|suelo|grain|grao|grano|wet|umido|humedo|specific|absolut|felt|feels|"
                             "apparent|sensacao|sensacion|senstermica|humidex|heatindex|chill|setpoint|fault|alarm|"
                             "alert|status|error|battery|bateria|cpu|leaf|water|windrun|thsw|thw|boden|wasser|"
                             "gefuhlt|feuchtkugel|getreide|surtemp|skintemp");
}

static int sure_of_humidity(const struct folded *name)
{
    // "RH2" says it as clearly as "RH1" and "RH".
    bool numbered = BEGINS(name->joined, "ur|rh") && name->joined[2 + strspn(name->joined + 2, "0123456789")] == '\0';
    if (numbered || ONE_OF(name->joined, "relh|hrel|urinst|rh2m|rftu|rf10|rhum|umdins") ||
        HAS(name->joined, "umidaderel|relativehum|humedadrel|relhum|humrel|relativefeuchte|relfeuchte|relluftfeuch|"
                          "relativeluftfeuch") ||
        BEGINS(name->words, " rh | ur "))
        return 3;
    // Feuchte alone may be that of the soil, a leaf or the grain: the name begins with it, or says of what it is.
    if (BEGINS(name->joined, "umidade|humidity|humedad|uramb|urmed|urar|rhpercent|feuchte") ||
        HAS(name->joined, "luftfeuch|aussenfeuch|ausenfeuch|innenfeuch"))
        return 2;
    return BEGINS(name->joined, "umid|hum|rh") ||
                   HAS(name->words, " humidity | rh | hum | umi | ur | umidade | humedad ")
               ? 1
               : 0;
}

static int sure_of_temperature(const struct folded *name)
{
    // Tempo is time in Portuguese.
    if (BEGINS(name->words, " tempo | tempos "))
        return 0;
    if (BEGINS(name->joined, "temperatur|airtemp|airtc|airtf|drybulb|bulboseco|lufttemperatur") ||
        BEGINS(name->words, " temp | air t ") || ONE_OF(name->joined, "temp|tempc|tempf|t2m|t2mc|tttu|tt10|temins"))
        return 3;
    if (BEGINS(name->joined, "temp|tinst|tair|tdb|tmpf|tmpc") || HAS(name->joined, "temp") ||
        ONE_OF(name->joined, "tmp|thravg"))
        return 2;
    return ONE_OF(name->joined, "t|ta|tac|taf|tc|tf|tar|tbs|tmed|tdry|t2mf|tdegc|tdegf|degc|degf") ? 1 : 0;
}

static bool is_dew_point(const struct folded *name)
{
    return HAS(name->joined, "orvalho|dewpoint|rocio|dewpt|taupunkt|rosee") || BEGINS(name->words, " dew ") ||
           BEGINS(name->joined, "tdew") ||
           ONE_OF(name->joined, "dewc|dewf|td|tdew|dp|dwpf|dwpc|dwpt|t2mdew|tpr|td10|ptoins");
}

// The last word that is a unit: "temp_f", "Temp, °F (LGR S/N: 1)", "AirTemp_degF_Avg". A letter before the name of the
// temperature is no unit: "Sensor F temperature".
static enum grain_column_unit unit_of(const struct folded *name)
{
    enum grain_column_unit unit = GRAIN_UNIT_UNSAID;
    for (const char *at = name->words; at[0] == ' ' && at[1] != '\0'; at = strchr(at + 1, ' ')) {
        bool first = at == name->words;
        bool named = !first && !HAS(at, " temp| dew| tmp");
        if (BEGINS(at, " degf | fahrenheit | degreesf ") || (named && BEGINS(at, " f ")))
            unit = GRAIN_UNIT_FAHRENHEIT;
        else if (BEGINS(at, " degc | celsius | degreesc ") || (named && BEGINS(at, " c ")))
            unit = GRAIN_UNIT_CELSIUS;
        else if (BEGINS(at, " degk | kelvin ") || (named && BEGINS(at, " k ")))
            unit = GRAIN_UNIT_KELVIN;
    }
    if (unit != GRAIN_UNIT_UNSAID)
        return unit;
    // Without anything between but the number of a sensor: "TempF", "Temp2F".
    char bare[NAME_MAX_FOLDED + 1];
    size_t last = name->len > 0 ? name->len - 1 : 0, len = last;
    while (len > 0 && pl_is_digit((uint8_t)name->joined[len - 1]))
        len--;
    memcpy(bare, name->joined, len);
    memcpy(bare + len, name->joined + last, name->len - last + 1);
    if (ENDS(bare, "tempf|temperaturef|temperaturaf|degf|bulbf|airf|airef|tmpf|pointf|dewf|dwpf|tempinf") ||
        ENDS(name->joined, "2mf") || ONE_OF(bare, "tf|taf|arf") || BEGINS(name->joined, "airtf") ||
        HAS(name->joined, "fahrenheit"))
        return GRAIN_UNIT_FAHRENHEIT;
    // Services whose files are always in °C: NASA POWER, DWD, AEMET, INMET, the global hourly file of NOAA, its climate
    // reference network, Meteostat.
    return ENDS(bare, "tempc|temperaturec|temperaturac|degc|pointc|dewc|dwpc|tmpc|tempinc") ||
                   BEGINS(name->joined, "airtc") ||
                   ONE_OF(name->joined, "t2m|t2mdew|tttu|tt10|td10|temins|ptoins|tmp|dwpt|thravg")
               ? GRAIN_UNIT_CELSIUS
               : GRAIN_UNIT_UNSAID;
}

enum grain_column_unit grain_unit_alone(struct pl_slice cell)
{
    struct folded name;
    fold(cell, &name);
    const char *unit = name.joined;
    static const char *const degrees[] = {"degrees", "degree", "deg", "graus", "grados", "grad", "o"};
    for (size_t i = 0; i < PL_COUNTOF(degrees); i++) {
        size_t len = strlen(degrees[i]);
        if (strncmp(unit, degrees[i], len) == 0) {
            unit += len;
            break;
        }
    }
    return ONE_OF(unit, "f|fahrenheit")           ? GRAIN_UNIT_FAHRENHEIT
           : ONE_OF(unit, "c|celsius|centigrade") ? GRAIN_UNIT_CELSIUS
           : ONE_OF(unit, "k|kelvin|kelvins")     ? GRAIN_UNIT_KELVIN
                                                  : GRAIN_UNIT_UNSAID;
}

bool grain_percent_alone(struct pl_slice cell)
{
    struct folded name;
    fold(cell, &name);
    if (cell.len > 0 && memchr(cell.ptr, '%', cell.len) != NULL)
        return ONE_OF(name.joined, "|rh|ur|hr|rel|rf");
    return ONE_OF(name.joined, "percent|pct|prozent|porcentaje|porcentagem|porciento|porcento");
}

static enum grain_place place_of(const struct folded *name)
{
    if (HAS(name->words, " out | outdoor| outside | ambient | ambiente | exterior | external | externa | externo |"
                         " ext | afuera | aussen| ausen"))
        return GRAIN_PLACE_OUTSIDE;
    // "in" in the middle of a name is mostly a preposition: "Temperature in F".
    if (HAS(name->words, " indoor| inside | interior | interna | interno | innen") ||
        ONE_OF(name->joined, "tempin|tempinf|tempinc|humidityin") || BEGINS(name->words, " in ") ||
        ENDS(name->words, " in "))
        return GRAIN_PLACE_INSIDE;
    if (HAS(name->words, " plenum | duct | duto | ducto | exhaust "))
        return GRAIN_PLACE_PLENUM;
    return HAS(name->words, " bin | silo | headspace | probe | cable | cabo ") ? GRAIN_PLACE_BIN : GRAIN_PLACE_UNSAID;
}

// Does the word name the measure or its unit? A number may be glued to it: "temp2", "rh2".
static bool is_measure_word(const char *at, size_t size)
{
    char word[2 * NAME_MAX_FOLDED + 4];
    while (size > 1 && pl_is_digit((uint8_t)at[size]))
        size--;
    memcpy(word, at, size + 1);
    memcpy(word + size + 1, " ", 2);
    return BEGINS(word, " temp| humi| hum | umi | umidade | humedad | luftfeuch| feuchte| rel | relativ| rh | ur |"
                        " air | ar | aire | do | del | de | dry | bulb| bulbo | seco | c | f | k | kelvin | deg|"
                        " percent | t | ta | tmp");
}

// The words that name neither the measure nor its unit, and the numbers of those that do.
static void find_key(const struct folded *name, char key[GRAIN_COLUMN_KEY_MAX])
{
    size_t len = 0;
    for (const char *at = name->words; at[0] == ' ' && at[1] != '\0'; at = strchr(at + 1, ' ')) {
        size_t size = (size_t)(strchr(at + 1, ' ') - at - 1);
        bool measure = is_measure_word(at, size);
        for (size_t i = 1; i <= size && len + 1 < GRAIN_COLUMN_KEY_MAX; i++) {
            if (!measure || pl_is_digit((uint8_t)at[i]))
                key[len++] = at[i];
        }
    }
    key[len] = '\0';
}

static struct grain_column measure(const struct folded *name, enum grain_column_kind kind, int sure)
{
    struct grain_column column = {.kind = kind, .sure = sure, .place = place_of(name)};
    if (kind != GRAIN_COLUMN_UR)
        column.unit = unit_of(name);
    // Local Climatological Data of NOAA: °F in the first version, °C in the second, said in neither.
    column.asks_unit = column.unit == GRAIN_UNIT_UNSAID && BEGINS(name->joined, "hourlydry|hourlydew");
    find_key(name, column.key);
    return column;
}

// Parts of a time; OTHER: none.
static struct grain_column time_part(const struct folded *name)
{
    const char *joined = name->joined;
    enum grain_column_kind kind = GRAIN_COLUMN_OTHER;
    int sure = 1;
    bool spanish = BEGINS(joined, "fecha") || ONE_OF(joined, "fint");
    if (BEGINS(joined, "timestamp|datetime|date|fecha|momento|messdatum|datum|zeitstempel|zeitpunkt|dtmedicao|epoch|"
                       "unix") ||
        ONE_OF(joined, "fint|valid|observationtime|formatteddatetime|lastchanged") || BEGINS(name->words, " data ")) {
        kind = GRAIN_COLUMN_TIME;
        sure = 2;
    } else if (ONE_OF(joined, "year|yyyy|yr|ano|anio")) {
        kind = GRAIN_COLUMN_YEAR;
    } else if (ONE_OF(joined, "month|mo|mon|mes|mm")) {
        kind = GRAIN_COLUMN_MONTH;
    } else if (ONE_OF(joined, "day|dy|dia|dd")) {
        kind = GRAIN_COLUMN_DAY;
    } else if (ONE_OF(joined, "minute|min|minuto")) {
        kind = GRAIN_COLUMN_MINUTE;
    } else if (ONE_OF(joined, "hr")) {
        kind = GRAIN_COLUMN_HR;
    } else if (ONE_OF(joined, "hora|hour|horautc|hourutc|horalocal|horario|hh|hrmedicao|stunde|uhrzeit|zeit") ||
               BEGINS(name->words, " hour | time | hora | tempo ")) {
        kind = GRAIN_COLUMN_HOUR;
    } else if (BEGINS(joined, "data|time|dia|day|valid|dt")) {
        kind = GRAIN_COLUMN_TIME;
    }
    // A clock of one distance from UTC, which no daylight saving changes.
    bool fixed =
        HAS(name->words, " utc | gmt | utc| z | est | cst | mst | pst | lst | akst | hst ") || ENDS(joined, "utc|gmt");
    return (struct grain_column){.kind = kind, .sure = sure, .spanish = spanish, .fixed_clock = fixed};
}

struct grain_column grain_column_of(struct pl_slice text)
{
    struct folded name;
    fold(text, &name);
    struct grain_column time = time_part(&name);
    if (time.kind == GRAIN_COLUMN_TIME && time.sure > 1)
        return time;
    if (time.kind == GRAIN_COLUMN_MINUTE)
        return time;
    if (is_extreme(&name))
        return (struct grain_column){.kind = GRAIN_COLUMN_OTHER};
    if (is_dew_point(&name) && !HAS(name.words, " flag | qc | source "))
        return measure(&name, GRAIN_COLUMN_DEW, 1);
    if (is_other(&name))
        return (struct grain_column){.kind = GRAIN_COLUMN_OTHER};
    // "HR (%)" is no hour.
    if (time.kind == GRAIN_COLUMN_HR && memchr(text.ptr, '%', text.len) != NULL)
        return measure(&name, GRAIN_COLUMN_UR, 3);
    int humidity = time.kind == GRAIN_COLUMN_HR ? 0 : sure_of_humidity(&name), temperature = sure_of_temperature(&name);
    if (humidity > 0)
        return measure(&name, GRAIN_COLUMN_UR, humidity);
    if (temperature > 0)
        return measure(&name, GRAIN_COLUMN_TA, temperature);
    return time;
}

struct grain_column grain_column_as(struct pl_slice text, enum grain_column_kind kind)
{
    struct folded name;
    fold(text, &name);
    return measure(&name, kind, 3);
}

bool grain_column_same(struct pl_slice a, struct pl_slice b)
{
    struct folded first, second;
    fold(a, &first);
    fold(b, &second);
    return first.len > 0 && strcmp(first.joined, second.joined) == 0;
}
