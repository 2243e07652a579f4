// Sessions' ends, the page, units, justification, and what is set for the commands that follow.
#include "lang/cpcl/cmd_table.h"

enum pl_errc cpcl_cmd_ignore(struct cpcl *e, struct cpcl_args *a)
{
    (void)e, (void)a;
    return PL_OK;
}

enum pl_errc cpcl_cmd_unsupported(struct cpcl *e, struct cpcl_args *a)
{
    cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "%s", a->row->info.note);
    return PL_OK;
}

enum pl_errc cpcl_cmd_host(struct cpcl *e, struct cpcl_args *a)
{
    cpcl_note(e, a, PL_DIAG_HOST_COMMAND, "the printer answers its host, or changes a setting; it does nothing here.");
    return PL_OK;
}

enum pl_errc cpcl_cmd_print(struct cpcl *e, struct cpcl_args *a)
{
    e->upside_down = a->row->kind != 0;
    if (e->mode == CPCL_LABEL && e->drawn.count > 0) // an empty one feeds paper
        PL_TRY(cpcl_print(e, a->source));
    cpcl_leave(e);
    return PL_OK;
}

enum pl_errc cpcl_cmd_end(struct cpcl *e, struct cpcl_args *a)
{
    if (e->mode == CPCL_LABEL && e->drawn.count > 0)
        cpcl_note(e, a, PL_DIAG_DATA_DROPPED, "the label ends without being printed.");
    cpcl_leave(e);
    return PL_OK;
}

// FORM outside of a label ends the page.
enum pl_errc cpcl_cmd_form(struct cpcl *e, struct cpcl_args *a)
{
    return e->mode == CPCL_LABEL ? PL_OK : cpcl_page_end(e, a->source);
}

enum pl_errc cpcl_cmd_page_width(struct cpcl *e, struct cpcl_args *a)
{
    int32_t width;
    if (!cpcl_dots(e, a, &width))
        return PL_OK;
    if (width < 1)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_PARAMETER_RANGE, "a page has a width; the one before stays."));
    e->settings.page_width = (uint32_t)width;
    if (e->mode != CPCL_LABEL)
        e->printer_width = (uint32_t)width;
    return PL_OK;
}

enum pl_errc cpcl_cmd_page_height(struct cpcl *e, struct cpcl_args *a)
{
    int32_t height;
    if (cpcl_dots(e, a, &height) && height > 0 && e->mode == CPCL_LABEL)
        e->settings.page_height = (uint32_t)height;
    return PL_OK;
}

enum pl_errc cpcl_cmd_justify(struct cpcl *e, struct cpcl_args *a)
{
    int32_t edge = -1;
    if (cpcl_more(a))
        (void)cpcl_dots(e, a, &edge);
    e->settings.justify = (enum pl_justify)a->row->kind;
    e->settings.edge = edge;
    return PL_OK;
}

enum { UNIT_DOTS, UNIT_MILLIMETERS, UNIT_CENTIMETERS, UNIT_INCHES };

enum pl_errc cpcl_cmd_unit(struct cpcl *e, struct cpcl_args *a)
{
    double dpmm = e->options->dpmm;
    const double units[] = {1, dpmm, dpmm * 10, dpmm * 25.4};
    e->settings.unit = units[a->row->kind];
    if (e->header_fresh)
        cpcl_apply_header(e);
    e->header_fresh = false;
    return PL_OK;
}

enum { SET_SPACING, SET_BOLD, SET_PATTERN, SET_ANGLE };

// A length that has bounds in dots, whatever the unit is.
static int32_t within(struct cpcl *e, const struct cpcl_args *a, int32_t dots)
{
    const struct pl_lang_param *p = &a->row->info.params[0];
    int32_t used = pl_clamp_i32(dots, p->min, p->max);
    if (used != dots)
        cpcl_note(e, a, PL_DIAG_PARAMETER_RANGE, "%s is %d dots, but must be from %d to %d; %d was used.", p->name,
                  dots, p->min, p->max, used);
    return used;
}

enum pl_errc cpcl_cmd_setting(struct cpcl *e, struct cpcl_args *a)
{
    struct cpcl_settings *s = &e->settings;
    int32_t value;
    bool length = a->row->kind == SET_SPACING || a->row->kind == SET_BOLD;
    if (!(length ? cpcl_dots(e, a, &value) : cpcl_whole(e, a, &value)))
        return PL_OK;
    switch (a->row->kind) {
    case SET_SPACING:
        s->spacing = within(e, a, value);
        break;
    case SET_BOLD:
        s->bold = (uint8_t)within(e, a, value);
        break;
    case SET_PATTERN:
        s->pattern = value;
        break;
    default:
        s->angle = value % 360;
    }
    return PL_OK;
}

// It outlasts the label.
enum pl_errc cpcl_cmd_setmag(struct cpcl *e, struct cpcl_args *a)
{
    int32_t across, down;
    if (!cpcl_whole(e, a, &across) || !cpcl_whole(e, a, &down))
        return PL_OK;
    e->magnify_x = e->settings.magnify_x = e->page_settings.magnify_x = PL_MAX(across, 1);
    e->magnify_y = e->settings.magnify_y = e->page_settings.magnify_y = PL_MAX(down, 1);
    return PL_OK;
}

// UNDERLINE, and INVERSE-TEXT.
enum pl_errc cpcl_cmd_underline(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_slice word = cpcl_word(a);
    bool on = pl_slice_eq_cstr(word, "ON") || pl_slice_eq_cstr(word, "1");
    if (!on && !pl_slice_eq_cstr(word, "OFF") && !pl_slice_eq_cstr(word, "0"))
        cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "it is ON or OFF; OFF was used.");
    *(a->row->kind ? &e->settings.inverse : &e->settings.underline) = on;
    return PL_OK;
}

enum pl_errc cpcl_cmd_country(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_slice name = cpcl_word(a);
    const struct pl_charset *set = cpcl_charset_find(name);
    if (set)
        e->settings.charset = set;
    else
        cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "the character set %.*s is not known; the one before stays.",
                  (int)PL_MIN(name.len, (size_t)24), (const char *)name.ptr);
    return PL_OK;
}

// The digits of the text or barcode before it count, copy by copy.
enum pl_errc cpcl_cmd_count(struct cpcl *e, struct cpcl_args *a)
{
    int32_t step;
    if (!cpcl_whole(e, a, &step))
        return PL_OK;
    if (!e->last.row || !e->last_data.ptr || e->last_count == 0)
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "no text or linear barcode is before it; it was ignored."));
    struct cpcl_counted *c = PL_ARENA_NEW(e->arena, struct cpcl_counted);
    if (!c)
        return pl_fail_memory(e->err);
    *c = (struct cpcl_counted){.args = e->last,
                               .settings = e->last_settings,
                               .data = e->last_data,
                               .first = e->last_first,
                               .count = e->last_count,
                               .step = step};
    const struct pl_text *text = &e->drawn.items[e->last_first]->text;
    if (e->drawn.items[e->last_first]->kind == PL_ELEMENT_TEXT && text->choice_count > 0) {
        c->group.count = text->choice_count;
        memcpy(c->group.font, text->choices, text->choice_count * sizeof *text->choices);
    }
    *e->counted_tail = c;
    e->counted_tail = &c->next;
    e->last.row = NULL;
    return PL_OK;
}

// ---- line print mode

enum pl_errc cpcl_cmd_setlp(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_font_ref font;
    int32_t height, across = e->settings.magnify_x, down = e->settings.magnify_y;
    bool found;
    e->settings.magnify_x = e->settings.magnify_y = 1; // lines are enlarged when they are printed
    enum pl_errc code = cpcl_font(e, a, &font, &found);
    e->settings.magnify_x = across;
    e->settings.magnify_y = down;
    PL_TRY(code);
    if (!found || !cpcl_dots(e, a, &height))
        return PL_OK;
    e->page.font = font;
    e->page.line = pl_clamp_i32(height, 1, 32000);
    return PL_OK;
}

enum { CURSOR_X, CURSOR_Y, CURSOR_XY, CURSOR_RX, CURSOR_RY, CURSOR_MARGIN, CURSOR_LINE };

static int32_t bounded(int64_t value)
{
    return pl_clamp_i32(value, 0, CPCL_FAR);
}

enum pl_errc cpcl_cmd_cursor(struct cpcl *e, struct cpcl_args *a)
{
    int32_t value, other = 0, kind = a->row->kind;
    if (!cpcl_dots(e, a, &value) || (kind == CURSOR_XY && !cpcl_dots(e, a, &other)))
        return PL_OK;
    if (kind == CURSOR_X || kind == CURSOR_XY || kind == CURSOR_RX)
        e->page.x = bounded(kind == CURSOR_RX ? (int64_t)e->page.x + value : value);
    if (kind == CURSOR_Y || kind == CURSOR_RY)
        e->page.y = bounded(kind == CURSOR_RY ? (int64_t)e->page.y + value : value);
    if (kind == CURSOR_XY)
        e->page.y = bounded(other);
    if (kind == CURSOR_MARGIN)
        e->page.x = e->page.left = bounded(value);
    if (kind == CURSOR_LINE)
        e->page.line = PL_MAX(bounded(value), 1);
    e->page.goes_on = false;
    if (e->mode == CPCL_UTILITIES) {
        e->settings.origin_x = e->page.x;
        e->settings.origin_y = e->page.y;
    }
    return PL_OK;
}
