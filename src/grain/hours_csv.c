// A forgiving reader of CSV: any of four separators, quotes, CR, LF or both, a mark of UTF-8, lines before the header,
// and names of columns in three languages.
#include "grain/hours_csv.h"

#include <string.h>

#include "base/ckd.h"

#define HEADER_LINES 60 // a weather service writes some lines about the station first
#define COLUMNS_MAX 256
#define NAME_MAX_FOLDED 64

static bool next_line(struct pl_slice text, size_t *pos, struct pl_slice *line)
{
    if (*pos >= text.len)
        return false;
    size_t start = *pos, end = start;
    while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
        end++;
    *line = pl_slice_sub(text, start, end - start);
    bool both = end + 1 < text.len && text.ptr[end] == '\r' && text.ptr[end + 1] == '\n';
    *pos = PL_MIN(end + (both ? 2 : 1), text.len);
    return true;
}

// The cell that begins at *pos; *pos goes behind its separator, or behind the line. Quotes end with the line at the
// latest: a lost one must not swallow the file.
static struct pl_slice next_cell(struct pl_slice line, size_t *pos, uint8_t separator)
{
    size_t start = *pos;
    while (start < line.len && (line.ptr[start] == ' ' || (line.ptr[start] == '\t' && separator != '\t')))
        start++;
    size_t end;
    if (start < line.len && line.ptr[start] == '"') {
        end = ++start;
        while (end < line.len && !(line.ptr[end] == '"' && !(end + 1 < line.len && line.ptr[end + 1] == '"')))
            end += line.ptr[end] == '"' ? 2 : 1;
        end = PL_MIN(end, line.len);
        size_t behind = end;
        while (behind < line.len && line.ptr[behind] != separator)
            behind++;
        *pos = behind + 1;
    } else {
        end = start;
        while (end < line.len && line.ptr[end] != separator)
            end++;
        *pos = end + 1;
    }
    return pl_slice_trim(pl_slice_sub(line, start, end - start));
}

// Small letters and digits alone. Files come in UTF-8 and in Latin-1: an accent in either is its letter or is left out.
static size_t fold(struct pl_slice name, char out[NAME_MAX_FOLDED + 1])
{
    static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuy**aaaaaaaceeeeiiiidnooooo*ouuuuy*y"; // U+00C0 on
    size_t len = 0;
    for (size_t i = 0; i < name.len && len < NAME_MAX_FOLDED; i++) {
        uint8_t c = name.ptr[i];
        char letter = 0;
        if (c >= 'A' && c <= 'Z')
            letter = (char)(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            letter = (char)c;
        else if (c == 0xC3 && i + 1 < name.len && name.ptr[i + 1] >= 0x80 && name.ptr[i + 1] < 0xC0)
            letter = latin[name.ptr[++i] - 0x80];
        else if (c == 0xC2 && i + 1 < name.len && name.ptr[i + 1] >= 0x80 && name.ptr[i + 1] < 0xC0)
            i++; // a degree sign in UTF-8
        else if (c >= 0xC0)
            letter = latin[c - 0xC0];
        if (letter != 0 && letter != '*')
            out[len++] = letter;
    }
    out[len] = '\0';
    return len;
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

#define ONE_OF(name, ...)                                                                                              \
    is_one_of(name, (const char *const[]){__VA_ARGS__}, PL_COUNTOF(((const char *const[]){__VA_ARGS__})))
#define HAS(name, ...)                                                                                                 \
    has_one_of(name, (const char *const[]){__VA_ARGS__}, PL_COUNTOF(((const char *const[]){__VA_ARGS__})))
#define BEGINS(name, ...)                                                                                              \
    begins_with(name, (const char *const[]){__VA_ARGS__}, PL_COUNTOF(((const char *const[]){__VA_ARGS__})))

enum column { COLUMN_OTHER, COLUMN_TIME, COLUMN_HOUR, COLUMN_TA, COLUMN_UR, COLUMN_DEW };

static enum column column_of(const char *name)
{
    // Highest and lowest of the hour are not its value; "xim" and "nim" are what is left of máxima and mínima.
    bool extreme = HAS(name, "max", "min", "xim", "nim");
    if (extreme)
        return COLUMN_OTHER;
    if (HAS(name, "orvalho", "dewpoint", "rocio", "dewpt") || ONE_OF(name, "dew", "dewc", "dewf", "td", "tdew", "dp"))
        return COLUMN_DEW;
    if (HAS(name, "soil", "solo", "suelo", "grain", "grao", "grano", "wet", "umido", "humedo", "specific", "absolut",
            "felt", "apparent", "sensacao", "sensacion", "senstermica"))
        return COLUMN_OTHER;
    if (ONE_OF(name, "ur", "rh", "hr", "ur1", "rh1", "urinst", "hrel") ||
        BEGINS(name, "umidade", "humidity", "humedad", "umid", "relhum", "relativehumidity", "rh", "uramb", "urmed",
               "rhpercent", "urar", "hum") ||
        HAS(name, "umidaderel", "relativehum", "humedadrel", "relhumidity"))
        return COLUMN_UR;
    if (ONE_OF(name, "t", "ta", "tac", "taf", "tc", "tf", "tar", "tbs", "tmed", "tair", "tdry", "t2m", "degc",
               "degf") ||
        BEGINS(name, "temp", "airtemp", "drybulb", "bulboseco", "tinst", "tdb"))
        return COLUMN_TA;
    if (ONE_OF(name, "hora", "hour", "horautc", "hourutc", "time", "horalocal", "horario"))
        return COLUMN_HOUR;
    if (BEGINS(name, "date", "data", "fecha", "timestamp", "datetime", "time", "dia", "day", "valid", "momento", "dt"))
        return COLUMN_TIME;
    return COLUMN_OTHER;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// "temp_f", "Temperature (°F)", "Temp Out (F)", "temperature_2m [degF]": a word of its own that ends the name, or that
// is behind a degree sign or a bracket.
static bool has_fahrenheit_word(struct pl_slice name)
{
    static const char sign[] = "\xE2\x84\x89"; // U+2109
    if (name.len > 0 && memmem(name.ptr, name.len, sign, strlen(sign)) != NULL)
        return true;
    bool last = false;
    for (size_t pos = 0; pos < name.len;) {
        size_t start = pos;
        while (pos < name.len && is_letter(name.ptr[pos]))
            pos++;
        if (pos == start) {
            pos++;
            last = last && name.ptr[start] < 0x80 && !(name.ptr[start] >= '0' && name.ptr[start] <= '9');
            continue;
        }
        struct pl_slice word = pl_slice_sub(name, start, pos - start);
        uint8_t before = start > 0 ? name.ptr[start - 1] : ' ';
        // The last byte of ° or º, in UTF-8 as in Latin-1.
        bool marked = before == 0xB0 || before == 0xBA || before == '(' || before == '[';
        last = pl_slice_eq_nocase(word, pl_slice_cstr("F"));
        if ((last && marked) || pl_slice_eq_nocase(word, pl_slice_cstr("degF")))
            return true;
    }
    return last;
}

// Without anything between: "tempf", "outTempF", "temperature_2mF".
static bool says_fahrenheit(struct pl_slice cell, const char *name, size_t len)
{
    static const char *const ends[] = {"tempf", "temperaturef", "temperaturaf", "degf", "bulbf",
                                       "airf",  "arf",          "airef",        "2mf"};
    if (has_fahrenheit_word(cell))
        return true;
    for (size_t i = 0; i < PL_COUNTOF(ends); i++) {
        size_t end = strlen(ends[i]);
        if (len >= end && strcmp(name + len - end, ends[i]) == 0)
            return true;
    }
    return strstr(name, "fahrenheit") != NULL || ONE_OF(name, "tf", "taf");
}

// Is it a header with these separators? Fills the columns.
static bool take_header(struct grain_csv *csv, struct pl_slice line, uint8_t separator)
{
    csv->separator = separator;
    csv->time = csv->hour = csv->ta = csv->ur = csv->dew_point = -1;
    size_t pos = 0;
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, separator);
        csv->columns = i + 1;
        char name[NAME_MAX_FOLDED + 1];
        size_t len = fold(cell, name);
        switch (column_of(name)) {
        case COLUMN_TIME:
            csv->time = csv->time < 0 ? i : csv->time;
            break;
        case COLUMN_HOUR:
            csv->hour = csv->hour < 0 ? i : csv->hour;
            break;
        case COLUMN_TA:
            if (csv->ta < 0) {
                csv->ta = i;
                csv->ta_name = cell;
                csv->fahrenheit = says_fahrenheit(cell, name, len);
            }
            break;
        case COLUMN_UR:
            if (csv->ur < 0) {
                csv->ur = i;
                csv->ur_name = cell;
            }
            break;
        case COLUMN_DEW:
            csv->dew_point = csv->dew_point < 0 ? i : csv->dew_point;
            if (csv->ur < 0 && csv->dew_point == i)
                csv->ur_name = cell;
            break;
        case COLUMN_OTHER:
            break;
        }
    }
    // "time" is an hour only beside a date.
    if (csv->time < 0) {
        csv->time = csv->hour;
        csv->hour = -1;
    }
    return csv->ta >= 0 && (csv->ur >= 0 || csv->dew_point >= 0);
}

enum grain_csv_found grain_csv_open(struct grain_csv *csv, struct pl_slice text)
{
    *csv = (struct grain_csv){.text = text};
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0)
        csv->pos = 3;
    bool marked = text.len >= 2 && (memcmp(text.ptr, "\xFF\xFE", 2) == 0 || memcmp(text.ptr, "\xFE\xFF", 2) == 0);
    if (marked || (text.len > 0 && memchr(text.ptr, 0, PL_MIN(text.len, (size_t)200)) != NULL))
        return GRAIN_CSV_UTF16;
    struct pl_slice line;
    for (int i = 0; i < HEADER_LINES && next_line(text, &csv->pos, &line); i++) {
        csv->line++;
        static const uint8_t separators[] = {';', '\t', ',', '|'};
        for (size_t k = 0; k < PL_COUNTOF(separators); k++) {
            if (line.len > 0 && memchr(line.ptr, separators[k], line.len) != NULL &&
                take_header(csv, line, separators[k]))
                return GRAIN_CSV_FOUND;
        }
    }
    return GRAIN_CSV_NO_HEADER;
}

bool grain_csv_next(struct grain_csv *csv, struct grain_csv_row *row)
{
    struct pl_slice line;
    do {
        if (!next_line(csv->text, &csv->pos, &line))
            return false;
        csv->line++;
    } while (pl_slice_trim(line).len == 0);
    *row = (struct grain_csv_row){.line = csv->line};
    size_t pos = 0;
    int last = PL_MAX(PL_MAX(PL_MAX(csv->time, csv->hour), PL_MAX(csv->ta, csv->ur)), csv->dew_point);
    bool count = csv->separator == ',' && csv->columns < COLUMNS_MAX;
    for (int i = 0; (i <= last || (count && i < COLUMNS_MAX)) && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, csv->separator);
        if (i >= csv->columns)
            row->too_many = row->too_many || (count && cell.len > 0);
        else if (i == csv->time)
            row->time = cell;
        else if (i == csv->hour)
            row->hour = cell;
        else if (i == csv->ta)
            row->ta = cell;
        else if (i == csv->ur)
            row->ur = cell;
        else if (i == csv->dew_point)
            row->dew_point = cell;
    }
    return true;
}
