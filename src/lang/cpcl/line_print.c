// Line print mode: lines outside of sessions, one below another on a page that is as long as they are.
#include "lang/cpcl/cmd_table.h"

enum pl_errc cpcl_page_end(struct cpcl *e, struct pl_source source)
{
    if (e->page.begun && e->drawn.count > 0) {
        e->settings.page_height = (uint32_t)PL_MAX(e->page.y + (e->page.goes_on ? e->page.line : 0), 1);
        struct pl_source end = source;
        end.length = 0;
        PL_TRY(cpcl_print(e, end));
    }
    cpcl_label_clear(e);
    e->page.x = e->page.left;
    e->page.y = 0;
    e->page.begun = e->page.goes_on = false;
    return PL_OK;
}

// Text at the cursor, which goes on behind it.
static enum pl_errc put_text(struct cpcl *e, struct pl_slice text, size_t at)
{
    static const struct cpcl_row TEXT = {.info = {.title = "TEXT"}};
    struct cpcl_args a = {.row = &TEXT, .source = cpcl_source(&e->lex, at, at + text.len, "TEXT")};
    if (text.len == 0)
        return PL_OK;
    cpcl_page_begin(e, a.source.offset);
    struct pl_element *element = pl_element_new(&e->labels, PL_ELEMENT_TEXT, a.source, 0, 0);
    if (!element)
        return pl_fail_memory(e->err);
    element->text.font = e->page.font;
    element->text.font.width *= e->settings.magnify_x;
    element->text.font.height *= e->settings.magnify_y;
    cpcl_place(e, element, e->page.x, e->page.y, PL_ROT_N);
    if (e->page.goes_on) {
        element->at.x_goes_on = true;
        element->at.justify = PL_JUSTIFY_LEFT;
    }
    PL_TRY(cpcl_chars(e, &a, text, &element->text));
    e->page.goes_on = true;
    return element->text.length > 0 ? cpcl_add(e, element) : PL_OK;
}

static enum pl_errc end_line(struct cpcl *e)
{
    if (e->page.begun)
        e->page.y = PL_MIN(e->page.y + e->page.line * e->settings.magnify_y, CPCL_FAR);
    e->page.x = e->page.left;
    e->page.goes_on = false;
    return PL_OK;
}

// A line, or what is before "! U1" in it.
enum pl_errc cpcl_page_line(struct cpcl *e)
{
    enum { FORM_FEED = 12 };
    struct cpcl_lexer *lex = &e->lex;
    size_t start = lex->pos, end = cpcl_lex_line_end(lex), at = start;
    while (at < end && lex->text.ptr[at] != FORM_FEED &&
           !(at + 3 < end && memcmp(lex->text.ptr + at, "! U1", 4) == 0) && pl_lang_skip(lex->text, at) == at)
        at++;
    struct pl_slice text = pl_slice_sub(lex->text, start, at - start);
    if (at < end || pl_slice_trim(text).len > 0) // a blank line makes no label
        PL_TRY(put_text(e, text, start));
    lex->pos = at;
    if (at < end && lex->text.ptr[at] == FORM_FEED) {
        lex->pos++;
        return cpcl_page_end(e, cpcl_source(lex, at, at + 1, "FORM"));
    }
    if (at < end)
        return PL_OK; // a command or a question of the host is next
    cpcl_lex_skip_line_end(lex);
    return end_line(e);
}

// One command in passing. What is behind its arguments on the line is text.
enum pl_errc cpcl_page_command(struct cpcl *e, size_t start)
{
    struct cpcl_lexer *lex = &e->lex;
    if (e->mode == CPCL_LABEL) // inside of a session it is a command as any other
        return cpcl_command(e, start);
    size_t end = cpcl_lex_line_end(lex);
    struct pl_slice rest = pl_slice_sub(lex->text, lex->pos, end - lex->pos), ahead = rest;
    const struct cpcl_row *row = cpcl_row_lookup(cpcl_next_word(&ahead));
    if (row && row->flags & CPCL_SETS) {
        for (uint32_t i = 0; i < row->info.param_count; i++)
            (void)cpcl_next_word(&ahead);
        size_t behind = (size_t)(ahead.ptr - lex->text.ptr);
        struct cpcl_lexer whole = *lex;
        lex->text.len = PL_MIN(behind, lex->text.len); // the command ends here
        lex->line_from = SIZE_MAX;
        enum pl_errc code = cpcl_command(e, start);
        *lex = whole;
        lex->pos = behind;
        e->page_settings = e->settings;
        PL_TRY(code);
        if (behind < end) {
            lex->pos += cpcl_is_blank(lex->text.ptr[behind]);
            return PL_OK;
        }
        cpcl_lex_skip_line_end(lex);
        return PL_OK;
    }
    e->settings.origin_x = e->page.x;
    e->settings.origin_y = e->page.y;
    PL_TRY(cpcl_command(e, start));
    e->settings.origin_x = e->settings.origin_y = 0;
    e->page_settings = e->settings;
    return PL_OK;
}
