// Reading the render controls.
#include "controls.h"

#include <platen/platen.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/date.h"
#include "base/fmt.h"
#include "base/json_reader.h"
#include "sheet_controls.h"

void controls_init(struct controls *controls)
{
    *controls = (struct controls){.format = OUTPUT_PNG,
                                  .width_mm = 101.6,
                                  .height_mm = 152.4,
                                  .dpmm = 8,
                                  .jpeg_quality = 90,
                                  .layout = PLATEN_PDF_LAYOUT()};
}

static bool find_control(struct pl_slice name, enum control *control)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        bool hit = pl_slice_eq_cstr(name, control_info((enum control)i)->name);
        for (int k = 0; k < 3 && !hit && control_info((enum control)i)->aliases[k]; k++)
            hit = pl_slice_eq_cstr(name, control_info((enum control)i)->aliases[k]);
        if (hit) {
            *control = (enum control)i;
            return true;
        }
    }
    return false;
}

static bool refuse(struct problem *problem, enum control control, struct pl_slice name, struct control_value value)
{
    const struct control_info *info = control_info(control);
    struct pl_slice got = value.text;
    // A string where a number or a boolean should be looks right otherwise.
    bool is_string =
        value.json && value.type == PL_JSON_STRING &&
        (info->type == CONTROL_IS_NUMBER || info->type == CONTROL_IS_INTEGER || info->type == CONTROL_IS_BOOLEAN);
    // What came is shown short and without bytes that could break a log or a terminal.
    char shown[40];
    size_t n = 0;
    for (size_t i = 0; i < got.len && n < sizeof shown - 4; i++)
        shown[n++] = got.ptr[i] >= 0x20 && got.ptr[i] < 0x7F ? (char)got.ptr[i] : '?';
    if (n < got.len)
        n += (size_t)snprintf(shown + n, sizeof shown - n, "...");
    shown[n] = '\0';
    const char *quote = value.json && value.type != PL_JSON_STRING ? "" : "\"";
    return problem_set(problem, 400, control == CONTROL_FORMAT ? "unknown_format" : "invalid_parameter",
                       "'%.*s' must be %s; it is %s%s%s%s.", (int)PL_MIN(name.len, (size_t)32), (const char *)name.ptr,
                       info->allowed, is_string ? "the string " : "", quote, shown, quote);
}

static bool two_digits(struct pl_slice s, size_t at, int *out)
{
    if (at + 2 > s.len || s.ptr[at] < '0' || s.ptr[at] > '9' || s.ptr[at + 1] < '0' || s.ptr[at + 1] > '9')
        return false;
    *out = (s.ptr[at] - '0') * 10 + (s.ptr[at + 1] - '0');
    return true;
}

bool controls_parse_time(struct pl_slice s, int64_t *out)
{
    if (pl_parse_i64(s, out))
        return *out >= -62135596800 && *out <= 253402300799;
    if (s.len > 0 && (s.ptr[s.len - 1] == 'Z' || s.ptr[s.len - 1] == 'z'))
        s.len--;
    int century, years, month, day, hour = 0, minute = 0, second = 0;
    if (s.len < 10 || s.ptr[4] != '-' || s.ptr[7] != '-' || !two_digits(s, 0, &century) || !two_digits(s, 2, &years) ||
        !two_digits(s, 5, &month) || !two_digits(s, 8, &day))
        return false;
    if (s.len > 10) {
        if ((s.len != 16 && s.len != 19) || (s.ptr[10] != 'T' && s.ptr[10] != 't' && s.ptr[10] != ' ') ||
            s.ptr[13] != ':' || !two_digits(s, 11, &hour) || !two_digits(s, 14, &minute))
            return false;
        if (s.len == 19 && (s.ptr[16] != ':' || !two_digits(s, 17, &second)))
            return false;
    }
    if (month < 1 || month > 12)
        return false;
    *out = pl_date_to_seconds(century * 100 + years, month, day, hour, minute, second);
    // What is out of range was carried over; such a time is refused instead.
    struct pl_date date;
    pl_date_from_seconds(*out, &date);
    return date.month == month && date.day == day && date.hour == hour && date.minute == minute &&
           date.second == second;
}

static bool parse_number(struct control_value v, double *out)
{
    if (v.json && v.type != PL_JSON_NUMBER)
        return false;
    return pl_parse_double(v.text, out);
}

static bool parse_whole(struct control_value v, uint64_t max, uint64_t *out)
{
    double number;
    if (!parse_number(v, &number) || number < 0 || number > (double)max || number != floor(number))
        return false;
    *out = (uint64_t)number;
    return true;
}

static bool parse_flag(struct control_value v, bool *out)
{
    if (!v.json)
        return pl_parse_bool(v.text, out);
    *out = v.type == PL_JSON_TRUE;
    return v.type == PL_JSON_TRUE || v.type == PL_JSON_FALSE;
}

static bool parse_word(struct control_value v, const char *no, const char *yes, bool *out)
{
    if (v.json && v.type != PL_JSON_STRING)
        return false;
    *out = pl_slice_eq_nocase(v.text, pl_slice_cstr(yes));
    return *out || pl_slice_eq_nocase(v.text, pl_slice_cstr(no));
}

// "8" or "8dpmm", which JSON may send as a string.
static bool parse_density(struct control_value v, double *out)
{
    static const char suffix[] = "dpmm";
    size_t n = sizeof suffix - 1;
    if (v.type == PL_JSON_STRING && v.text.len > n &&
        pl_slice_eq_nocase(pl_slice_sub(v.text, v.text.len - n, n), pl_slice_cstr(suffix))) {
        v.text.len -= n;
        v.json = false;
    }
    return parse_number(v, out) && *out >= 1 && *out <= 48;
}

// Far beyond any label limit, and exact as a double: such a page is out of range, not a bad number.
#define PAGE_MAX (UINT64_C(1) << 53)

bool controls_parse_rules(struct pl_slice text, uint32_t *index)
{
    const char *name, *summary;
    for (*index = 0; platen_rule_set_at(*index, &name, &summary); ++*index)
        if (pl_slice_eq_nocase(text, pl_slice_cstr(name)))
            return true;
    return false;
}

// The controls of a PDF's pages.
static bool parse_sheet(struct controls *c, enum control control, struct control_value v)
{
    struct platen_pdf_layout *l = &c->layout;
    bool is_text = !v.json || v.type == PL_JSON_STRING, is_number = !v.json || v.type == PL_JSON_NUMBER;
    switch (control) {
    case CONTROL_PAGE_SIZE:
        return is_text && sheet_page_size(v.text, l);
    case CONTROL_PAGE_ORIENTATION:
        return parse_word(v, "portrait", "landscape", &c->landscape);
    case CONTROL_PAGE_LAYOUT:
        return is_text && sheet_grid(v.text, l);
    case CONTROL_PAGE_ALIGN:
        return is_text && sheet_across(v.text, &l->across);
    case CONTROL_PAGE_VERTICAL_ALIGN:
        return is_text && sheet_down(v.text, &l->down);
    case CONTROL_PAGE_MARGIN_MM:
        return is_number && sheet_length(v.text, &l->margin_mm);
    case CONTROL_PAGE_GAP_MM:
        return (is_text || is_number) && sheet_gap(v.text, l);
    case CONTROL_PAGE_ORDER:
        return parse_word(v, "rows", "columns", &l->by_columns);
    case CONTROL_PAGE_START:
        return is_number && sheet_start(v.text, &l->first);
    case CONTROL_LABEL_BORDER:
        return is_text && sheet_border(v.text, &l->border);
    case CONTROL_CUT_MARKS:
        return parse_flag(v, &l->cut_marks);
    case CONTROL_FIT:
        return parse_word(v, "none", "shrink", &l->shrink);
    case CONTROL_PDFA:
        return parse_flag(v, &l->archive);
    default:
        return false;
    }
}

const char *controls_of_pdf(const struct controls *c)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (control_is_of_pdf((enum control)i) && controls_has(c, (enum control)i))
            return control_info((enum control)i)->name;
    }
    return NULL;
}

bool controls_layout(const struct controls *c, struct platen_pdf_layout *out)
{
    bool any = controls_of_pdf(c) != NULL;
    *out = c->layout;
    if (controls_has(c, CONTROL_PAGE_ORIENTATION))
        sheet_turn(out, c->landscape);
    return any;
}

static bool parse_control(struct controls *c, enum control control, struct control_value v)
{
    uint64_t whole;
    switch (control) {
    case CONTROL_FORMAT:
        return (!v.json || v.type == PL_JSON_STRING) && output_by_name(v.text, &c->format);
    case CONTROL_WIDTH_MM:
        return parse_number(v, &c->width_mm) && c->width_mm > 0;
    case CONTROL_HEIGHT_MM:
        return parse_number(v, &c->height_mm) && c->height_mm > 0;
    case CONTROL_DPMM:
        return parse_density(v, &c->dpmm);
    case CONTROL_PAGE:
        return parse_whole(v, PAGE_MAX, &c->page);
    case CONTROL_DOWNLOAD:
        return parse_flag(v, &c->download);
    case CONTROL_FILENAME:
        c->filename = v.text;
        return !v.json || v.type == PL_JSON_STRING;
    case CONTROL_ROTATION:
        if (!parse_whole(v, 270, &whole) || whole % 90 != 0)
            return false;
        c->rotation = (uint32_t)whole;
        return true;
    case CONTROL_QUALITY:
        return parse_word(v, "bitonal", "grayscale", &c->grayscale);
    case CONTROL_PROFILE:
        return parse_word(v, "reference", "printer", &c->printer);
    case CONTROL_JPEG_QUALITY:
        if (!parse_whole(v, 100, &whole) || whole < 1)
            return false;
        c->jpeg_quality = (uint32_t)whole;
        return true;
    case CONTROL_COPIES:
        return parse_word(v, "expand", "collapse", &c->collapse);
    case CONTROL_STRICT:
        return parse_flag(v, &c->strict);
    case CONTROL_TIME:
        return (!v.json || v.type == PL_JSON_STRING || v.type == PL_JSON_NUMBER) &&
               controls_parse_time(v.text, &c->time);
    case CONTROL_MIN_MODULE_MM:
        return parse_number(v, &c->min_module_mm) && c->min_module_mm > 0;
    case CONTROL_VERIFY:
        return parse_flag(v, &c->verify);
    case CONTROL_RULES:
        return (!v.json || v.type == PL_JSON_STRING) && controls_parse_rules(v.text, &c->rules);
    case CONTROL_SIZE:
        c->fit_size = (!v.json || v.type == PL_JSON_STRING) && pl_slice_eq_nocase(v.text, pl_slice_cstr("auto"));
        return c->fit_size;
    default:
        return parse_sheet(c, control, v);
    }
}

// Where a control's value lies in struct controls.
static const struct {
    size_t offset, size;
} FIELDS[CONTROL_COUNT] = {
#define FIELD(member)                                                                                                  \
    {                                                                                                                  \
        offsetof(struct controls, member), sizeof((struct controls *)NULL)->member                                     \
    }
    [CONTROL_FORMAT] = FIELD(format),
    [CONTROL_WIDTH_MM] = FIELD(width_mm),
    [CONTROL_HEIGHT_MM] = FIELD(height_mm),
    [CONTROL_DPMM] = FIELD(dpmm),
    [CONTROL_PAGE] = FIELD(page),
    [CONTROL_DOWNLOAD] = FIELD(download),
    [CONTROL_FILENAME] = FIELD(filename),
    [CONTROL_ROTATION] = FIELD(rotation),
    [CONTROL_PROFILE] = FIELD(printer),
    [CONTROL_QUALITY] = FIELD(grayscale),
    [CONTROL_JPEG_QUALITY] = FIELD(jpeg_quality),
    [CONTROL_COPIES] = FIELD(collapse),
    [CONTROL_STRICT] = FIELD(strict),
    [CONTROL_TIME] = FIELD(time),
    [CONTROL_MIN_MODULE_MM] = FIELD(min_module_mm),
    [CONTROL_VERIFY] = FIELD(verify),
    [CONTROL_RULES] = FIELD(rules),
    [CONTROL_SIZE] = FIELD(fit_size),
    [CONTROL_PAGE_SIZE] = {offsetof(struct controls, layout.page_width_mm), 2 * sizeof(double)},
    [CONTROL_PAGE_ORIENTATION] = FIELD(landscape),
    [CONTROL_PAGE_LAYOUT] = {offsetof(struct controls, layout.columns), 2 * sizeof(uint32_t)},
    [CONTROL_PAGE_ALIGN] = FIELD(layout.across),
    [CONTROL_PAGE_VERTICAL_ALIGN] = FIELD(layout.down),
    [CONTROL_PAGE_MARGIN_MM] = FIELD(layout.margin_mm),
    [CONTROL_PAGE_GAP_MM] = {offsetof(struct controls, layout.gap_x_mm), 2 * sizeof(double)},
    [CONTROL_PAGE_ORDER] = FIELD(layout.by_columns),
    [CONTROL_PAGE_START] = FIELD(layout.first),
    [CONTROL_LABEL_BORDER] = FIELD(layout.border),
    [CONTROL_CUT_MARKS] = FIELD(layout.cut_marks),
    [CONTROL_FIT] = FIELD(layout.shrink),
    [CONTROL_PDFA] = FIELD(layout.archive),
#undef FIELD
};

// Have two settings of the same control the same value?
static bool same_value(const struct controls *a, const struct controls *b, enum control control)
{
    if (control == CONTROL_FILENAME)
        return pl_slice_eq(a->filename, b->filename);
    size_t offset = FIELDS[control].offset;
    return memcmp((const char *)a + offset, (const char *)b + offset, FIELDS[control].size) == 0;
}

static void note_unknown(struct controls *c, struct pl_slice name)
{
    if (c->unknown_count < PL_COUNTOF(c->unknown))
        c->unknown[c->unknown_count++] = name;
}

void controls_note_useless(struct controls *c, const char *name)
{
    if (c->useless_count < PL_COUNTOF(c->useless))
        c->useless[c->useless_count++] = name;
}

bool controls_set(struct controls *c, struct pl_slice name, struct control_value v, struct problem *problem)
{
    enum control control;
    if (!find_control(name, &control)) {
        note_unknown(c, name);
        return true;
    }
    if (v.json && v.type == PL_JSON_NULL)
        return true; // as if it were not there
    struct controls before = *c;
    if (!parse_control(c, control, v))
        return refuse(problem, control, name, v);
    if (controls_has(&before, control) && !same_value(&before, c, control)) {
        return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice with different values.",
                           control_info(control)->name);
    }
    c->given |= UINT64_C(1) << control;
    return true;
}

bool controls_from_query(struct controls *controls, const struct http_request *req, struct problem *problem)
{
    for (size_t i = 0; i < req->query_count; i++) {
        struct control_value v = {.text = req->query[i].value, .type = PL_JSON_STRING};
        if (!controls_set(controls, req->query[i].name, v, problem))
            return false;
    }
    return true;
}

bool controls_from_part(struct controls *controls, const struct http_part *part, struct problem *problem)
{
    return controls_set(controls, part->name, (struct control_value){.text = part->data, .type = PL_JSON_STRING},
                        problem);
}

void controls_merge(struct controls *into, const struct controls *from)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (controls_has(from, (enum control)i))
            memcpy((char *)into + FIELDS[i].offset, (const char *)from + FIELDS[i].offset, FIELDS[i].size);
    }
    into->given |= from->given;
    for (uint32_t i = 0; i < from->unknown_count; i++)
        note_unknown(into, from->unknown[i]);
}
