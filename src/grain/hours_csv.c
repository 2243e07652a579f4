// A forgiving reader of CSV: any of four separators, quotes, CR, LF or both, a mark of UTF-8, lines before the header,
// and names of columns in three languages.
#include "grain/hours_csv.h"

#include <string.h>

#include "base/ckd.h"
#include "grain/hours_columns.h"

#define HEADER_LINES 60 // a weather service writes some lines about the station first
#define COLUMNS_MAX 256

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

static void add_choice(struct grain_csv_choices *choices, int column, const struct grain_column *what, const char *name)
{
    if (choices->count == GRAIN_CSV_CHOICES_MAX)
        return;
    struct grain_csv_choice *choice = &choices->list[choices->count++];
    *choice = (struct grain_csv_choice){.column = column, .what = *what};
    memcpy(choice->name, name, strlen(name) + 1);
}

// The name of a column: the cell of the header and, where the header has two lines, that of the line above before it.
static void name_of(struct pl_slice above, struct pl_slice cell, char name[GRAIN_CSV_NAME_MAX + 1])
{
    size_t len = 0;
    for (size_t i = 0; i < above.len && len < GRAIN_CSV_NAME_MAX; i++)
        name[len++] = (char)above.ptr[i];
    if (len > 0 && cell.len > 0 && len < GRAIN_CSV_NAME_MAX)
        name[len++] = ' ';
    for (size_t i = 0; i < cell.len && len < GRAIN_CSV_NAME_MAX; i++)
        name[len++] = (char)cell.ptr[i];
    name[len] = '\0';
}

// Of two columns for one part of the time the surer name wins, and of equally sure ones the first.
static void take_time(struct grain_csv *csv, const struct grain_column *found, int best[GRAIN_COLUMNS], int at)
{
    csv->spanish = csv->spanish || found->spanish;
    if (found->sure <= best[found->kind])
        return;
    best[found->kind] = found->sure;
    csv->part[found->kind] = at;
}

// "hr" is the hour where the humidity has a name of its own, and the humidity in a Spanish file or beside an hour.
// In others nobody can tell, and the list of humidities holds it for the error alone.
static void settle_hr(struct grain_csv *csv, int hr, const char *name)
{
    if (hr < 0)
        return;
    bool humidity = csv->ur.count > 0 || csv->dew.count > 0;
    bool dated = csv->part[GRAIN_COLUMN_YEAR] >= 0 && csv->part[GRAIN_COLUMN_MONTH] >= 0;
    bool hour = csv->part[GRAIN_COLUMN_HOUR] >= 0;
    if (humidity || dated) {
        csv->part[GRAIN_COLUMN_HOUR] = hour ? csv->part[GRAIN_COLUMN_HOUR] : hr;
        return;
    }
    struct grain_column what = {.kind = GRAIN_COLUMN_UR, .sure = csv->spanish || hour ? 1 : 0};
    add_choice(&csv->ur, hr, &what, name);
}

// The number from 1 by which a request names a column; 0: it names it otherwise, or none.
static int asked_number(struct pl_slice asked)
{
    int number = 0;
    if (asked.len >= 4)
        return 0;
    for (size_t i = 0; i < asked.len; i++) {
        if (!pl_is_digit(asked.ptr[i]))
            return 0;
        number = number * 10 + (asked.ptr[i] - '0');
    }
    return number;
}

// Is it the column that a request names, by its name or by its number?
static bool is_asked(struct pl_slice asked, const char *name, int column)
{
    int number = asked_number(asked);
    return number > 0 ? column + 1 == number : asked.len > 0 && grain_column_same(asked, pl_slice_cstr(name));
}

// Leaves of the choices the one that was asked for; false: it is not among them.
static bool keep_asked(struct grain_csv_choices *choices, struct pl_slice asked)
{
    for (size_t i = 0; i < choices->count; i++) {
        if (!is_asked(asked, choices->list[i].name, choices->list[i].column))
            continue;
        choices->list[0] = choices->list[i];
        choices->list[0].what.sure = 3;
        choices->count = 1;
        return true;
    }
    return false;
}

// What the column holds, by its name or because the request says so.
static struct grain_column column_of(const char *name, int column, const struct grain_csv_asked *asked)
{
    struct grain_column found = grain_column_of(pl_slice_cstr(name));
    if (is_asked(asked->ta, name, column))
        found.kind = GRAIN_COLUMN_TA;
    else if (is_asked(asked->ur, name, column) && found.kind != GRAIN_COLUMN_DEW)
        found.kind = GRAIN_COLUMN_UR;
    return found;
}

// Is it a header with these separators? Fills the columns. `above` is the line before it, if that is part of it.
static bool take_header(struct grain_csv *csv, struct pl_slice line, struct pl_slice above, uint8_t separator,
                        const struct grain_csv_asked *asked)
{
    int best[GRAIN_COLUMNS] = {0}, hr = -1;
    char name[GRAIN_CSV_NAME_MAX + 1], hr_name[GRAIN_CSV_NAME_MAX + 1] = "";
    csv->separator = separator;
    for (size_t i = 0; i < GRAIN_COLUMNS; i++)
        csv->part[i] = -1;
    size_t pos = 0, above_pos = 0;
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, separator), upper = pl_slice_make("", 0);
        if (above.len > 0 && above_pos <= above.len)
            upper = next_cell(above, &above_pos, separator);
        // Separators at the end of the header name no columns.
        csv->columns = cell.len > 0 ? i + 1 : csv->columns;
        name_of(upper, cell, name);
        struct grain_column found = column_of(name, i, asked);
        if (found.kind == GRAIN_COLUMN_TA)
            add_choice(&csv->ta, i, &found, name);
        else if (found.kind == GRAIN_COLUMN_UR)
            add_choice(&csv->ur, i, &found, name);
        else if (found.kind == GRAIN_COLUMN_DEW)
            add_choice(&csv->dew, i, &found, name);
        else if (found.kind == GRAIN_COLUMN_HR && hr < 0) {
            hr = i;
            memcpy(hr_name, name, sizeof name);
        } else if (found.kind != GRAIN_COLUMN_OTHER)
            take_time(csv, &found, best, i);
    }
    settle_hr(csv, hr, hr_name);
    return csv->ta.count > 0 && (csv->ur.count > 0 || csv->dew.count > 0);
}

// "t" is the temperature only where nothing else is; else it is the time.
static void settle_t(struct grain_csv *csv)
{
    for (size_t i = 0; i < csv->ta.count && csv->ta.count > 1; i++) {
        if (strcmp(csv->ta.list[i].name, "t") != 0)
            continue;
        if (csv->part[GRAIN_COLUMN_TIME] < 0)
            csv->part[GRAIN_COLUMN_TIME] = csv->ta.list[i].column;
        csv->ta.list[i] = csv->ta.list[--csv->ta.count];
    }
}

// The hour of the day is the whole time where there is no date beside it.
static void settle_time(struct grain_csv *csv)
{
    int *part = csv->part;
    bool dated = part[GRAIN_COLUMN_TIME] >= 0 || part[GRAIN_COLUMN_YEAR] >= 0 || part[GRAIN_COLUMN_DAY] >= 0;
    if (!dated) {
        part[GRAIN_COLUMN_TIME] = part[GRAIN_COLUMN_HOUR];
        part[GRAIN_COLUMN_HOUR] = -1;
    }
    // A day alone is a date in one column.
    if (part[GRAIN_COLUMN_TIME] < 0 && part[GRAIN_COLUMN_YEAR] < 0) {
        part[GRAIN_COLUMN_TIME] = part[GRAIN_COLUMN_DAY];
        part[GRAIN_COLUMN_DAY] = -1;
    }
}

static bool places_differ(const struct grain_column *a, const struct grain_column *b)
{
    return a->place != GRAIN_PLACE_UNSAID && b->place != GRAIN_PLACE_UNSAID && a->place != b->place;
}

// How many places the columns of a measure say.
static size_t places_of(const struct grain_csv_choices *choices)
{
    unsigned said = 0;
    for (size_t i = 0; i < choices->count; i++) {
        if (choices->list[i].what.place != GRAIN_PLACE_UNSAID)
            said |= 1u << choices->list[i].what.place;
    }
    return (size_t)__builtin_popcount(said);
}

// How well a temperature and a humidity belong together; 0: not at all.
static int score(const struct grain_csv_choices *tas, const struct grain_csv_choices *urs,
                 const struct grain_column *ta, const struct grain_column *ur)
{
    if (places_differ(ta, ur) || ta->sure == 0 || ur->sure == 0)
        return 0;
    bool same = ta->place == ur->place;
    // A sensor without a place beside one with a place: only where no other could be meant.
    if (!same && places_of(ta->place == GRAIN_PLACE_UNSAID ? urs : tas) > 1)
        return 0;
    int points = 10 + ta->sure + ur->sure + (same ? 3 : 0) + (strcmp(ta->key, ur->key) == 0 ? 2 : 0);
    // A fan takes the air outside; what a station measures in the house is not that.
    return ta->place == GRAIN_PLACE_INSIDE || ur->place == GRAIN_PLACE_INSIDE ? points - 8 : points;
}

// The one pair that belongs together best. Two that are equally good, or a second place beside the outside one that is
// no house, are for the user to decide.
static bool choose_pair(struct grain_csv *csv, const struct grain_csv_choices *tas, const struct grain_csv_choices *urs)
{
    int best = 0;
    size_t ties = 0, t = 0, u = 0, rivals = 0;
    for (size_t i = 0; i < tas->count; i++) {
        for (size_t k = 0; k < urs->count; k++) {
            int points = score(tas, urs, &tas->list[i].what, &urs->list[k].what);
            ties = points > best ? 1 : ties + (points == best && best > 0);
            if (points > best) {
                best = points;
                t = i;
                u = k;
            }
            enum grain_place place = tas->list[i].what.place;
            rivals += points > 0 && place == urs->list[k].what.place && place > GRAIN_PLACE_INSIDE;
        }
    }
    if (best == 0 || ties > 1 || (rivals > 0 && tas->list[t].what.place <= GRAIN_PLACE_INSIDE))
        return false;
    csv->taken_ta = tas->list[t];
    csv->taken_ur = urs->list[u];
    return true;
}

// Which columns are meant: those that were asked for, and for the rest the best pair.
static enum grain_csv_found choose_columns(struct grain_csv *csv, const struct grain_csv_asked *asked)
{
    bool ta_asked = asked->ta.len > 0, ur_asked = asked->ur.len > 0;
    if (ta_asked && !keep_asked(&csv->ta, asked->ta))
        return GRAIN_CSV_NO_COLUMN;
    if (ur_asked && !keep_asked(&csv->ur, asked->ur)) {
        if (!keep_asked(&csv->dew, asked->ur))
            return GRAIN_CSV_NO_COLUMN;
        csv->ur.count = 0;
    }
    csv->by_dew_point = csv->ur.count == 0;
    struct grain_csv_choices *urs = csv->by_dew_point ? &csv->dew : &csv->ur;
    // Both named: whatever they say about their places.
    if (ta_asked && ur_asked)
        csv->ta.list[0].what.place = urs->list[0].what.place = GRAIN_PLACE_UNSAID;
    if (!choose_pair(csv, &csv->ta, urs))
        return GRAIN_CSV_AMBIGUOUS;
    csv->part[GRAIN_COLUMN_TA] = csv->taken_ta.column;
    csv->part[csv->by_dew_point ? GRAIN_COLUMN_DEW : GRAIN_COLUMN_UR] = csv->taken_ur.column;
    return GRAIN_CSV_FOUND;
}

// Is the line above a part of the header? WeatherLink writes "Temp" above "Out": the columns of date and time have
// nothing above them.
static bool is_upper_header(struct pl_slice above, uint8_t separator)
{
    size_t pos = 0;
    if (above.len == 0 || memchr(above.ptr, separator, above.len) == NULL || next_cell(above, &pos, separator).len > 0)
        return false;
    for (size_t i = 0; i < above.len; i++) {
        if (pl_is_digit(above.ptr[i]))
            return false;
    }
    return pl_slice_trim(above).len > 0;
}

// A header with any of the separators.
static bool take_line(struct grain_csv *csv, struct pl_slice line, struct pl_slice above,
                      const struct grain_csv_asked *asked)
{
    static const uint8_t separators[] = {';', '\t', ',', '|'};
    for (size_t k = 0; k < PL_COUNTOF(separators); k++) {
        struct grain_csv taken = {.text = csv->text, .pos = csv->pos, .line = csv->line};
        struct pl_slice upper = is_upper_header(above, separators[k]) ? above : pl_slice_make("", 0);
        if (line.len > 0 && memchr(line.ptr, separators[k], line.len) != NULL &&
            take_header(&taken, line, upper, separators[k], asked)) {
            *csv = taken;
            return true;
        }
    }
    return false;
}

// Where both columns are asked for by number, every line has them: behind the first only names make another header.
static bool is_row(const struct grain_csv *csv, struct pl_slice line, struct pl_slice above,
                   const struct grain_csv_asked *asked)
{
    struct grain_csv named = *csv;
    const struct grain_csv_asked none = {pl_slice_make("", 0), pl_slice_make("", 0)};
    return asked_number(asked->ta) > 0 && asked_number(asked->ur) > 0 && !take_line(&named, line, above, &none);
}

enum grain_csv_found grain_csv_open(struct grain_csv *csv, struct pl_slice text, const struct grain_csv_asked *asked)
{
    *csv = (struct grain_csv){.text = text};
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0)
        csv->pos = 3;
    bool marked = text.len >= 2 && (memcmp(text.ptr, "\xFF\xFE", 2) == 0 || memcmp(text.ptr, "\xFE\xFF", 2) == 0);
    if (marked || (text.len > 0 && memchr(text.ptr, 0, PL_MIN(text.len, (size_t)200)) != NULL))
        return GRAIN_CSV_UTF16;
    struct pl_slice line, above = pl_slice_make("", 0);
    bool found = false;
    for (int i = 0; i < HEADER_LINES; i++) {
        size_t before = csv->pos;
        if (!next_line(text, &csv->pos, &line))
            break;
        csv->line++;
        bool header = !(found && is_row(csv, line, above, asked)) && take_line(csv, line, above, asked);
        // A title may name both as well; the header is the last such line before the rows.
        if (found && !header && pl_slice_trim(line).len > 0) {
            csv->pos = before;
            csv->line--;
            break;
        }
        found = found || header;
        above = line;
    }
    if (!found)
        return GRAIN_CSV_NO_HEADER;
    settle_t(csv);
    settle_time(csv);
    return choose_columns(csv, asked);
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
    int last = 0;
    for (size_t k = 0; k < GRAIN_COLUMNS; k++)
        last = PL_MAX(last, csv->part[k]);
    bool count = csv->separator == ',' && csv->columns < COLUMNS_MAX;
    for (int i = 0; (i <= last || (count && i < COLUMNS_MAX)) && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, csv->separator);
        if (i >= csv->columns)
            row->too_many = row->too_many || (count && cell.len > 0);
        for (size_t k = 0; k < GRAIN_COLUMNS; k++) {
            if (csv->part[k] == i)
                row->part[k] = cell;
        }
    }
    return true;
}
