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

// Of two columns of one kind the surer name wins, and of equally sure ones the first.
static void take_column(struct grain_csv *csv, const struct grain_column *found, int best[GRAIN_COLUMNS],
                        struct pl_slice cell, int at)
{
    int *const places[GRAIN_COLUMNS] = {[GRAIN_COLUMN_TIME] = &csv->time,
                                        [GRAIN_COLUMN_HOUR] = &csv->hour,
                                        [GRAIN_COLUMN_TA] = &csv->ta,
                                        [GRAIN_COLUMN_UR] = &csv->ur,
                                        [GRAIN_COLUMN_DEW] = &csv->dew_point};
    if (found->sure <= best[found->kind])
        return;
    best[found->kind] = found->sure;
    *places[found->kind] = at;
    if (found->kind == GRAIN_COLUMN_TA) {
        csv->ta_name = cell;
        csv->ta_unit = found->unit;
    } else if (found->kind == GRAIN_COLUMN_UR) {
        csv->ur_name = cell;
    } else if (found->kind == GRAIN_COLUMN_DEW) {
        csv->dew_name = cell;
        csv->dew_unit = found->unit;
    }
}

// Is it a header with these separators? Fills the columns.
static bool take_header(struct grain_csv *csv, struct pl_slice line, uint8_t separator)
{
    int best[GRAIN_COLUMNS] = {0}, hr = -1, t = -1;
    csv->separator = separator;
    csv->time = csv->hour = csv->ta = csv->ur = csv->dew_point = -1;
    csv->columns = 0;
    size_t pos = 0;
    for (int i = 0; i < COLUMNS_MAX && pos <= line.len; i++) {
        struct pl_slice cell = next_cell(line, &pos, separator);
        // Separators at the end of the header name no columns.
        csv->columns = cell.len > 0 ? i + 1 : csv->columns;
        hr = pl_slice_eq_nocase(cell, pl_slice_cstr("hr")) && hr < 0 ? i : hr;
        t = pl_slice_eq_nocase(cell, pl_slice_cstr("t")) && t < 0 ? i : t;
        struct grain_column found = grain_column_of(cell);
        if (found.kind != GRAIN_COLUMN_OTHER)
            take_column(csv, &found, best, cell, i);
    }
    // "Hr" and "t" are humidity and temperature only where nothing else is; else they are hour and time.
    csv->hour = csv->hour < 0 && hr >= 0 && csv->ur != hr ? hr : csv->hour;
    csv->time = csv->time < 0 && t >= 0 && csv->ta != t ? t : csv->time;
    // "time" is an hour only beside a date.
    if (csv->time < 0) {
        csv->time = csv->hour;
        csv->hour = -1;
    }
    if (csv->ta_unit == GRAIN_UNIT_UNSAID)
        csv->ta_unit = csv->dew_unit;
    return csv->ta >= 0 && (csv->ur >= 0 || csv->dew_point >= 0);
}

// A header with any of the separators.
static bool take_line(struct grain_csv *csv, struct pl_slice line)
{
    static const uint8_t separators[] = {';', '\t', ',', '|'};
    for (size_t k = 0; k < PL_COUNTOF(separators); k++) {
        struct grain_csv taken = {.text = csv->text, .pos = csv->pos, .line = csv->line};
        if (line.len > 0 && memchr(line.ptr, separators[k], line.len) != NULL &&
            take_header(&taken, line, separators[k])) {
            *csv = taken;
            return true;
        }
    }
    return false;
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
    bool found = false;
    for (int i = 0; i < HEADER_LINES; i++) {
        size_t before = csv->pos;
        if (!next_line(text, &csv->pos, &line))
            break;
        csv->line++;
        bool header = take_line(csv, line);
        // A title may name both as well; the header is the last such line before the rows.
        if (found && !header && pl_slice_trim(line).len > 0) {
            csv->pos = before;
            csv->line--;
            break;
        }
        found = found || header;
    }
    return found ? GRAIN_CSV_FOUND : GRAIN_CSV_NO_HEADER;
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
