// A forgiving reader of CSV: any of four separators, quotes, CR, LF or both, a mark of UTF-8, lines before the header,
// and names of columns in three languages. base/csv.h reads RFC 4180 and is too strict here: a lost quote would swallow
// the file, and the lines before the header have other columns.
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

// The name of a column: the cell of the header and, where the header has two lines, that of the line above before it,
// or behind it if that is a unit.
static void name_of(struct pl_slice above, struct pl_slice cell, char name[GRAIN_CSV_NAME_MAX + 1])
{
    size_t len = 0;
    if (grain_unit_alone(above) != GRAIN_UNIT_UNSAID) {
        struct pl_slice unit = above;
        above = cell;
        cell = unit;
    }
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
    csv->fixed_clock = csv->fixed_clock || found->fixed_clock;
    if (found->sure <= best[found->kind])
        return;
    best[found->kind] = found->sure;
    csv->part[found->kind] = at;
}

// "hr" is the hour where the humidity has a name of its own, and the humidity in a Spanish file or beside an hour. A
// dew point serves as the humidity, but not in a Spanish file. In others nobody can tell, and the list of humidities
// holds it for the error alone.
static void settle_hr(struct grain_csv *csv, int hr, const char *name)
{
    if (hr < 0)
        return;
    bool humidity = csv->ur.count > 0 || (csv->dew.count > 0 && !csv->spanish);
    bool dated = csv->part[GRAIN_COLUMN_YEAR] >= 0 && csv->part[GRAIN_COLUMN_MONTH] >= 0;
    bool hour = csv->part[GRAIN_COLUMN_HOUR] >= 0;
    if (humidity || dated) {
        csv->part[GRAIN_COLUMN_HOUR] = hour ? csv->part[GRAIN_COLUMN_HOUR] : hr;
        return;
    }
    struct grain_column what = {.kind = GRAIN_COLUMN_UR, .sure = csv->spanish || hour ? 1 : 0};
    add_choice(&csv->ur, hr, &what, name);
}

// What the column holds, by its name or because the request says so.
static struct grain_column column_of(const char *name, int column, const struct grain_csv_asked *asked)
{
    struct grain_column found = grain_column_of(pl_slice_cstr(name));
    if (grain_csv_is_asked(asked->ta, name, column))
        return grain_column_as(pl_slice_cstr(name), GRAIN_COLUMN_TA);
    if (grain_csv_is_asked(asked->ur, name, column) && found.kind != GRAIN_COLUMN_DEW)
        return grain_column_as(pl_slice_cstr(name), GRAIN_COLUMN_UR);
    return found;
}

// The cell of the line above. An empty one belongs to the group on its left ("Outside,,Inside," above
// "Temp,RH,Temp,RH"), but not above a time, which is of no group. A unit is of its own column alone.
static struct pl_slice next_upper(struct pl_slice above, size_t *pos, uint8_t separator, struct pl_slice cell,
                                  struct pl_slice *group)
{
    struct pl_slice upper = pl_slice_make("", 0);
    if (above.len > 0 && *pos <= above.len)
        upper = next_cell(above, pos, separator);
    if (upper.len > 0) {
        bool unit = grain_unit_alone(upper) != GRAIN_UNIT_UNSAID || grain_percent_alone(upper);
        *group = unit ? pl_slice_make("", 0) : upper;
        return upper;
    }
    enum grain_column_kind kind = grain_column_of(cell).kind;
    bool time = kind >= GRAIN_COLUMN_TIME && kind < GRAIN_COLUMN_HR;
    return cell.len == 0 || time ? upper : *group;
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
    struct pl_slice group = pl_slice_make("", 0);
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, separator);
        struct pl_slice upper = next_upper(above, &above_pos, separator, cell, &group);
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

// A number, a date or a time: digits, and no letters.
static bool is_value(struct pl_slice cell)
{
    bool digits = false;
    for (size_t i = 0; i < cell.len; i++) {
        digits = digits || pl_is_digit(cell.ptr[i]);
        if (pl_lower(cell.ptr[i]) >= 'a')
            return false;
    }
    return digits;
}

// What the cells of a line are.
struct cells {
    size_t values, named;
    bool first_named; // the first one has a text
    bool spans;       // empty ones between two with a text: groups of columns
};

static struct cells look_at(struct pl_slice line, uint8_t separator)
{
    struct cells cells = {0};
    bool gap = false;
    size_t pos = 0;
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, separator);
        bool named = cell.len > 0;
        cells.first_named = i == 0 ? named : cells.first_named;
        cells.spans = cells.spans || (named && gap);
        gap = !named && cells.named > 0;
        cells.named += named;
        cells.values += is_value(cell);
    }
    return cells;
}

// Do two columns have the same name? Then the line above may say what they differ in.
static bool has_twins(const struct grain_csv_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++) {
        if (grain_csv_is_twin(choices, i))
            return true;
    }
    return false;
}

// Is the line above a part of the header? WeatherLink writes "Temp" above "Out": the columns of date and time have
// nothing above them. Groups of columns have their name above the first of them.
static bool is_upper_header(struct pl_slice above, struct pl_slice line, uint8_t separator, bool needed)
{
    struct cells upper = look_at(above, separator), lower = look_at(line, separator);
    if (above.len == 0 || memchr(above.ptr, separator, above.len) == NULL || upper.named == 0 || upper.values > 0 ||
        lower.values > 0)
        return false;
    return !upper.first_named || (needed && upper.spans);
}

// A header with any of the separators.
static bool take_line(struct grain_csv *csv, struct pl_slice line, struct pl_slice above,
                      const struct grain_csv_asked *asked)
{
    static const uint8_t separators[] = {';', '\t', ',', '|'};
    for (size_t k = 0; k < PL_COUNTOF(separators); k++) {
        if (line.len == 0 || memchr(line.ptr, separators[k], line.len) == NULL)
            continue;
        const struct grain_csv start = {.text = csv->text, .pos = csv->pos, .line = csv->line};
        struct grain_csv alone = start, both = start;
        bool header = take_header(&alone, line, pl_slice_make("", 0), separators[k], asked);
        bool needed = !header || has_twins(&alone.ta) || has_twins(&alone.ur) || has_twins(&alone.dew);
        bool upper = is_upper_header(above, line, separators[k], needed) &&
                     take_header(&both, line, above, separators[k], asked);
        if (upper || header) {
            *csv = upper ? both : alone;
            return true;
        }
    }
    return false;
}

// What the cell below the name says about the unit. Where it says another one than the name, nobody can tell.
static bool take_unit(struct grain_csv_choices *choices, int column, struct pl_slice cell)
{
    enum grain_column_unit unit = grain_unit_alone(cell);
    for (size_t i = 0; i < choices->count && unit != GRAIN_UNIT_UNSAID; i++) {
        struct grain_column *what = &choices->list[i].what;
        if (choices->list[i].column != column)
            continue;
        what->asks_unit = what->unit != GRAIN_UNIT_UNSAID && what->unit != unit;
        what->unit = what->asks_unit ? GRAIN_UNIT_UNSAID : unit;
        return true;
    }
    return false;
}

static bool has_column(const struct grain_csv_choices *choices, int column)
{
    for (size_t i = 0; i < choices->count; i++) {
        if (choices->list[i].column == column)
            return true;
    }
    return false;
}

// Is it a column of the time?
static bool is_time_column(const struct grain_csv *csv, int column)
{
    for (int kind = GRAIN_COLUMN_TIME; kind < GRAIN_COLUMN_HR; kind++) {
        if (csv->part[kind] == column)
            return true;
    }
    return false;
}

// Is it a line of units below the header: "°F" below the temperature, or "%" below the humidity, and no values? Then
// the units count. A value may be one as well ("1", "0-100"): beside a unit of temperature, where no time is.
static bool take_units(struct grain_csv *csv, struct pl_slice line)
{
    struct grain_csv with = *csv;
    size_t pos = 0;
    bool values = look_at(line, csv->separator).values > 0, degrees = false, percent = false, timed = false;
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, csv->separator);
        bool unit = take_unit(&with.ta, i, cell) || take_unit(&with.dew, i, cell);
        degrees = degrees || unit;
        percent = percent || (has_column(&csv->ur, i) && grain_percent_alone(cell));
        timed = timed || (is_time_column(csv, i) && is_value(cell));
    }
    if (values ? timed || !degrees : !degrees && !percent)
        return false;
    *csv = with;
    return true;
}

// Loggers write one more line below the units, of words alone: "Avg", "Smp".
static void skip_words(struct grain_csv *csv)
{
    struct pl_slice line;
    size_t pos = csv->pos;
    if (!next_line(csv->text, &pos, &line))
        return;
    for (size_t i = 0; i < line.len; i++) {
        if (pl_is_digit(line.ptr[i]))
            return;
    }
    csv->pos = pos;
    csv->line++;
}

// Where both columns are asked for by number, every line has them: behind the first only names make another header.
static bool is_row(const struct grain_csv *csv, struct pl_slice line, struct pl_slice above,
                   const struct grain_csv_asked *asked)
{
    struct grain_csv named = *csv;
    const struct grain_csv_asked none = {pl_slice_make("", 0), pl_slice_make("", 0)};
    return grain_csv_asked_number(asked->ta) > 0 && grain_csv_asked_number(asked->ur) > 0 &&
           !take_line(&named, line, above, &none);
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
        if (found && take_units(csv, line)) {
            skip_words(csv);
            break;
        }
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
    return grain_csv_choose(csv, asked);
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
