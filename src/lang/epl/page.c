// N, q, Q, R, I, S, D, TD, TT: the buffer, the label and the printer's settings; U…: what the printer answers.
#include <stdio.h>

#include "base/ckd.h"
#include "lang/code_pages.h"
#include "lang/epl/state.h"

void epl_defaults(struct epl_settings *settings)
{
    *settings = (struct epl_settings){.code_page = 437, .speed = 2, .density = 10, .date = "mn-dd-y4", .time = "h:m:s"};
}

enum pl_errc epl_cmd_clear(struct epl *e, const struct epl_args *a)
{
    if (e->buffer.drawn.count > 0 && !e->buffer.printed)
        pl_diag_add(e->diags, PL_DIAG_DATA_DROPPED, a->source, 0,
                    "N: what was drawn before was cleared without being printed: P is missing.");
    epl_buffer_clear(e);
    return PL_OK;
}

enum pl_errc epl_cmd_size(struct epl *e, const struct epl_args *a)
{
    (void)epl_number(e, a, 0, (int32_t *)((char *)&e->settings + a->row->kind));
    return PL_OK;
}

// It sets the width back to that of the head.
enum pl_errc epl_cmd_reference(struct epl *e, const struct epl_args *a)
{
    int32_t at[2];
    if (!epl_numbers(e, a, 2, at))
        return PL_OK;
    e->settings.ref_x = at[0];
    e->settings.ref_y = at[1];
    e->settings.width = 0;
    return PL_OK;
}

// By their numbers, and by the letters from A on.
static const uint16_t PAGES[] = {437, 850, 852, 860, 863, 865, 857, 861, 862, 855, 866, 737, 851, 869};
static const uint16_t WINDOWS[] = {1252, 1250, 1251, 1253, 1254, 1255};

// The code page stays where I7 is in force.
void epl_write_charset(const struct epl_settings *s, struct pl_buf *out)
{
    for (size_t i = 0; i < PL_COUNTOF(PAGES); i++)
        if (PAGES[i] == s->code_page)
            pl_buf_printf(out, "I8,%zu\n", i);
    for (size_t i = 0; i < PL_COUNTOF(WINDOWS); i++)
        if (WINDOWS[i] == s->code_page)
            pl_buf_printf(out, "I8,%c\n", (char)('A' + i));
    if (s->seven_bits)
        pl_buf_printf(out, "I7,%u\n", s->country);
}

enum pl_errc epl_cmd_charset(struct epl *e, const struct epl_args *a)
{
    struct epl_settings *s = &e->settings;
    int32_t bits = 8;
    int64_t number = -1;
    epl_number(e, a, 0, &bits);
    struct pl_slice page = epl_given(a, 1) ? a->token->item[1] : pl_slice_cstr("0");
    uint8_t letter = page.len == 1 ? (uint8_t)(page.ptr[0] & 0xDF) : 0;
    bool seven = bits == 7, known = epl_read_number(page, &number) && number >= 0;
    uint32_t found = 0;
    if (seven)
        known = known && number <= 8;
    else if (known && number < (int64_t)PL_COUNTOF(PAGES))
        found = PAGES[number];
    else if (letter >= 'A' && letter <= 'F')
        found = WINDOWS[letter - 'A'];
    if (seven ? !known : found == 0 || !pl_code_page(found))
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, 2,
                                       "I: the character set %.*s is not known; the one before stays.",
                                       (int)PL_MIN(page.len, (size_t)8), (const char *)page.ptr));
    s->seven_bits = seven;
    s->country = seven ? (uint8_t)number : 0;
    if (!seven)
        s->code_page = found;
    return PL_OK;
}

enum pl_errc epl_cmd_level(struct epl *e, const struct epl_args *a)
{
    int32_t level;
    if (epl_number(e, a, 0, &level))
        *((uint8_t *)&e->settings + a->row->kind) = (uint8_t)level;
    return PL_OK;
}

// The layout is all that is behind the name.
enum pl_errc epl_cmd_layout(struct epl *e, const struct epl_args *a)
{
    char *out = (char *)&e->settings + a->row->kind;
    size_t length = PL_MIN(a->token->args.len, (size_t)EPL_FORMAT_MAX);
    if (length > 0) {
        memcpy(out, a->token->args.ptr, length);
        out[length] = '\0';
    }
    return PL_OK;
}

enum pl_errc epl_cmd_reset(struct epl *e, const struct epl_args *a)
{
    (void)a;
    epl_buffer_clear(e);
    epl_defaults(&e->settings);
    return PL_OK;
}

enum pl_errc epl_cmd_ignore(struct epl *e, const struct epl_args *a)
{
    (void)e, (void)a;
    return PL_OK;
}

enum pl_errc epl_cmd_host(struct epl *e, const struct epl_args *a)
{
    pl_diag_add(e->diags, PL_DIAG_HOST_COMMAND, a->source, 0, "%s: %s", a->source.command, a->row->info.note);
    return PL_OK;
}

static enum pl_errc reply(struct epl *e, const char *text)
{
    struct pl_slice answer = text ? pl_slice_cstr(text) : (struct pl_slice){0};
    return pl_lang_answer(&e->answers, e->arena, PL_LANG_REPLY_TEXT, answer, e->err);
}

// UQ: what is set, a line each, as these printers have it.
enum pl_errc epl_cmd_configuration(struct epl *e, const struct epl_args *a)
{
    const struct epl_settings *s = &e->settings;
    PL_TRY(epl_cmd_host(e, a));
    return reply(e, pl_arena_printf(e->arena, "PLATEN EPL2\r\nPage Mode\r\nI8,%u  S%u  D%u  R%d,%d\r\nq%u Q%u\r\n",
                                    s->code_page, s->speed, s->density, s->ref_x, s->ref_y, s->width, s->length));
}

// UF and UG: the names of forms and graphics, their number first.
enum pl_errc epl_cmd_list(struct epl *e, const struct epl_args *a)
{
    const char *ext = epl_extensions[a->row->kind];
    PL_TRY(epl_cmd_host(e, a));
    struct pl_object_name all = {.drive = 'R', .name_len = 1, .name = "*", .ext_len = (uint8_t)strlen(ext)};
    memcpy(all.ext, ext, all.ext_len);
    const char *text = "";
    uint32_t cursor = 0, count = 0;
    for (const struct pl_object *o; text && count < 512 && (o = pl_store_next(e->store, &all, &cursor)); count++)
        text = pl_arena_printf(e->arena, "%s%s\r\n", text, o->name.name);
    return reply(e, text ? pl_arena_printf(e->arena, "%03u\r\n%s", count, text) : NULL);
}
