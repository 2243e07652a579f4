// The row of EPL2 in the table of languages: how it is recognised, and what its printer remembers.
#include "lang/epl/epl.h"

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/epl/state.h"

// ---- recognition

// Numbers between commas: "430", "270,24", "0,0", "10.5,20".
static bool is_numbers(struct pl_slice s, uint32_t least, uint32_t most)
{
    uint32_t numbers = 0;
    for (size_t at = 0; at < s.len; at++) {
        size_t digits = 0;
        at += s.ptr[at] == '-' || s.ptr[at] == '+';
        for (; at < s.len && (pl_is_digit(s.ptr[at]) || (s.ptr[at] == '.' && digits > 0)); at++)
            digits++; // programs write fractions, which are no numbers of EPL2
        if (digits == 0 || (at < s.len && s.ptr[at] != ','))
            return false;
        numbers++;
    }
    return numbers >= least && numbers <= most;
}

// Is the parameter one of these letters?
static bool is_one_of(const struct epl_token *t, uint32_t item, const char *letters)
{
    return t->data.ptr && item < t->item_count && t->item[item].len > 0 && strchr(letters, t->item[item].ptr[0]);
}

// Commands that draw, with parameters as only EPL2 has them.
static bool draws(const struct epl_token *t)
{
    const char *name = t->row->info.title;
    bool places = t->item_count >= 3 && is_numbers(t->item[0], 1, 1) && is_numbers(t->item[1], 1, 1);
    if (pl_slice_is_one_of(pl_slice_cstr(name), "LO|LE|LW|GW"))
        return is_numbers(t->args, 4, 4);
    if (strcmp(name, "A") == 0)
        return places && is_one_of(t, 6, "NRnr");
    if (strcmp(name, "B") == 0)
        return places && is_one_of(t, 7, "BNbn");
    return strcmp(name, "b") == 0 && places && is_one_of(t, 2, "ADMPQ");
}

// How much a line says: a drawing command with parameters as only EPL2 has them, a command that others could have too,
// or nothing.
static enum pl_lang_confidence line_says(const struct epl_token *t)
{
    if (!t->row)
        return PL_LANG_NONE;
    if (draws(t))
        return PL_LANG_CERTAIN;
    const char *name = t->row->info.title;
    bool single = name[1] == '\0';
    if (name[0] == '^')
        return t->args.len == 0 ? PL_LANG_LIKELY : PL_LANG_NONE;
    if (strcmp(name, "X") == 0 || strcmp(name, "LS") == 0)
        return is_numbers(t->args, 5, 5) ? PL_LANG_LIKELY : PL_LANG_NONE;
    if (strchr("ABbL", name[0]) && strcmp(name, "AUTOFR") != 0)
        return PL_LANG_NONE;
    if (strchr("FG", name[0]) && !single)
        return t->args.len > 1 && t->args.ptr[0] == '"' ? PL_LANG_LIKELY : PL_LANG_POSSIBLE;
    if (strcmp(name, "N") == 0)
        return t->args.len == 0 ? PL_LANG_POSSIBLE : PL_LANG_NONE;
    if (strchr("qRSDP", name[0]) && single) // Q has letters in its gap
        return is_numbers(t->args, 0, 3) ? PL_LANG_POSSIBLE : PL_LANG_NONE;
    return PL_LANG_POSSIBLE;
}

// Lines before the first that is certain must be commands too, but for a few: files begin with odd lines.
enum pl_lang_confidence pl_epl_detect(struct pl_slice input)
{
    enum { ODD_LINES = 2, SURE_LINES = 2 };
    struct epl_lexer lex;
    struct epl_token token;
    uint32_t odd = 0, possible = 0;
    enum pl_lang_confidence most = PL_LANG_NONE;
    epl_lexer_init(&lex, pl_slice_sub(input, 0, PL_LANG_LOOK));
    while (most < PL_LANG_CERTAIN && odd <= ODD_LINES && epl_lex_next(&lex, &token)) {
        enum pl_lang_confidence says = line_says(&token);
        odd += says == PL_LANG_NONE;
        possible += says == PL_LANG_POSSIBLE;
        most = PL_MAX(most, says);
    }
    if (odd > ODD_LINES)
        return PL_LANG_NONE;
    if (most >= PL_LANG_LIKELY)
        return most == PL_LANG_CERTAIN && odd > 0 ? PL_LANG_LIKELY : most;
    return possible >= SURE_LINES && odd == 0 ? PL_LANG_POSSIBLE : PL_LANG_NONE;
}

// ---- memory: forms, graphics and fonts live in the store

// R comes before q, which it would set back.
static void write_settings(const void *end, struct pl_buf *out)
{
    const struct epl_settings *s = &((const struct epl *)end)->settings;
    pl_buf_printf(out, "R%d,%d\n", s->ref_x, s->ref_y);
    if (s->width)
        pl_buf_printf(out, "q%u\n", s->width);
    if (s->length)
        pl_buf_printf(out, "Q%u\n", s->length);
    epl_write_charset(s, out);
    pl_buf_printf(out, "S%u\nD%u\nTD%s\nTT%s\n", s->speed, s->density, s->date, s->time);
}

// As the command that stores it. Objects of other languages are left out.
static void write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out)
{
    (void)picture;
    if (strcmp(object->name.ext, "EPL") == 0 && object->kind == PL_OBJECT_FILE) {
        pl_buf_printf(out, "FS\"%s\"\n", object->name.name);
        pl_buf_append_slice(out, object->bytes);
        pl_buf_append_cstr(out, "FE\n");
    } else if (strcmp(object->name.ext, "PCX") == 0 && object->kind == PL_OBJECT_BITMAP && object->bytes.ptr) {
        pl_buf_printf(out, "GM\"%s\"%zu\n", object->name.name, object->bytes.len);
        pl_buf_append_slice(out, object->bytes);
        pl_buf_append_byte(out, '\n');
    } else if (strcmp(object->name.ext, "ESF") == 0 && object->kind == PL_OBJECT_FONT) {
        pl_buf_printf(out, "ES\"%s\"", object->name.name);
        pl_buf_append_slice(out, object->bytes);
        pl_buf_append_byte(out, '\n');
    }
}

static void settings(const void *end, struct pl_lang_settings *out)
{
    const struct epl *e = end;
    *out = (struct pl_lang_settings){.print_width = e->settings.width,
                                     .label_length = e->settings.length,
                                     .darkness_tenths = e->settings.density * 10,
                                     .mode = 'T',
                                     .tracking = 'Y',
                                     .media = 'D',
                                     .speed = e->settings.speed};
}

static const struct pl_lang_answers *answers(const void *end)
{
    return &((const struct epl *)end)->answers;
}

// ---- words of parameters

static const char *about_param(const struct pl_lang_command *command, const struct pl_lang_param *param)
{
    (void)command;
    if (strcmp(param->name, "x") == 0 || strcmp(param->name, "y") == 0)
        return "from the reference point";
    return strcmp(param->name, "rotation") == 0 ? "in quarter turns, clockwise, about the upper left corner" : "";
}

static const char *about_value(const struct pl_lang_command *command, const struct pl_lang_param *param, char value,
                               size_t *length)
{
    static const struct {
        const char *param;
        char value;
        const char *words;
    } WORDS[] = {{"reverse", 'N', "black on white"},
                 {"reverse", 'R', "white on black"},
                 {"text", 'B', "below the bars"},
                 {"text", 'N', "no text"},
                 {"justification", 'L', "left"},
                 {"justification", 'R', "right"},
                 {"justification", 'C', "centered"},
                 {"justification", 'N', "not padded"},
                 {"edge", 'T', "the top"},
                 {"edge", 'B', "the bottom"},
                 {"on", 'Y', "yes"},
                 {"on", 'N', "no"}};
    (void)command;
    for (size_t i = 0; i < PL_COUNTOF(WORDS); i++)
        if (WORDS[i].value == value && strcmp(WORDS[i].param, param->name) == 0) {
            *length = strlen(WORDS[i].words);
            return WORDS[i].words;
        }
    *length = 0;
    return "";
}

const struct pl_lang pl_lang_epl = {
    .name = "epl",
    .title = "EPL2",
    .detect = pl_epl_detect,
    .interpret = pl_epl_interpret,
    .outline = pl_epl_outline,
    .before_params = "",
    .between_params = ",",
    .memory = {.gives_way = true,
               .write_settings = write_settings,
               .write_object = write_object,
               .settings = settings,
               .answers = answers},
    .commands = {.at = pl_epl_command_at, .about_param = about_param, .about_value = about_value},
    .size_commands = "q and Q",
    .states_label = true,
    .label_begins = "N",
    .label_ends = "P",
    .label_content = "a command that draws",
};
