// The row of CPCL in the table of languages: how it is recognised, and what its printer remembers.
#include "lang/cpcl/cpcl.h"

#include "lang/cpcl/state.h"

// ---- recognition

// How much a line says that begins with an exclamation mark.
static enum pl_lang_confidence session_says(struct pl_slice line)
{
    struct pl_slice rest = pl_slice_sub(line, 1, line.len), numbers = rest, word = cpcl_next_word(&rest);
    // Settings by SGD come before labels of any language.
    if (pl_slice_eq_cstr(word, "U1") && pl_slice_is_sgd_verb(cpcl_next_word(&rest)))
        return PL_LANG_POSSIBLE;
    if (pl_slice_is_one_of(word, "U1|U|UTILITIES|DF|UF|DEFINE-FORMAT|USE-FORMAT|CISDFCRC16"))
        return PL_LANG_CERTAIN;
    double header[5];
    return cpcl_read_header(numbers, header) ? PL_LANG_CERTAIN : PL_LANG_NONE;
}

// The line behind blanks, control characters and what is no label code.
static struct pl_slice code_of(struct pl_slice line)
{
    size_t at = 0;
    for (size_t next = 0; at < line.len; at = next) {
        next = PL_MAX(pl_lang_skip(line, at), at + (line.ptr[at] <= ' '));
        if (next == at)
            break;
    }
    return pl_slice_sub(line, at, line.len);
}

// Lines before the first session are printed as they are: they say nothing. Settings by SGD alone may be of a printer
// of CPCL; with anything else behind them they are not what the input is about.
static enum pl_lang_confidence detect(struct pl_slice input)
{
    struct cpcl_lexer lex;
    struct pl_slice line;
    bool first = true, settings = false;
    cpcl_lexer_init(&lex, pl_slice_sub(input, 0, PL_LANG_LOOK));
    while (cpcl_lex_line(&lex, &line)) {
        line = code_of(line);
        if (line.len == 0)
            continue;
        enum pl_lang_confidence says = line.ptr[0] == '!' ? session_says(line) : PL_LANG_NONE;
        if (says == PL_LANG_CERTAIN)
            return first ? PL_LANG_CERTAIN : PL_LANG_LIKELY;
        settings = says == PL_LANG_POSSIBLE;
        first = first && settings;
    }
    return first && settings ? PL_LANG_POSSIBLE : PL_LANG_NONE;
}

// ---- memory: files live in the store

static void write_settings(const void *end, struct pl_buf *out)
{
    const struct cpcl *e = end;
    if (e->printer_width)
        pl_buf_printf(out, "! U1 PAGE-WIDTH %u\r\n", e->printer_width);
    if (e->magnify_x > 1 || e->magnify_y > 1)
        pl_buf_printf(out, "! U1 SETMAG %d %d\r\n", e->magnify_x, e->magnify_y);
}

// As a download with its size. Only a format with another name than NAME.FMT comes by DF, which ends it with PRINT.
static void write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out)
{
    (void)picture;
    const char *name = object->name.name, *ext = object->name.ext, *dot = ext[0] ? "." : "";
    if (!object->bytes.ptr)
        return;
    if (object->kind == PL_OBJECT_FORMAT && strcmp(ext, "FMT") != 0)
        pl_buf_printf(out, "! DF %s%s%s\r\n", name, dot, ext);
    else
        pl_buf_printf(out, "! CISDFCRC16\r\n0000\r\n%s%s%s\r\n%zX\r\n0000\r\n", name, dot, ext, object->bytes.len);
    pl_buf_append_slice(out, object->bytes);
    pl_buf_append_cstr(out, "\r\n");
}

static void settings(const void *end, struct pl_lang_settings *out)
{
    const struct cpcl *e = end;
    *out = (struct pl_lang_settings){
        .print_width = e->printer_width, .mode = 'T', .tracking = 'Y', .media = 'D', .darkness_tenths = 100};
}

// ---- words of parameters

static const char *about_param(const struct pl_lang_command *command, const struct pl_lang_param *param)
{
    // `max` tells options of two codes with the same letter apart; 0: it does not matter.
    static const struct {
        const char *name;
        int32_t max;
        const char *words;
    } WORDS[] = {{"ratio", 0, "0 to 4: 1.5 to 3.5 by halves; 20 to 30: tenths"},
                 {"edge", 0, "where the area ends that fields are justified in"},
                 {"M", 0, "model: 1, or 2 for all others"},
                 {"U", 0, "dots of a module"},
                 {"XD", 0, "dots of a module"},
                 {"H", 0, "dots of a module"},
                 {"YD", 0, "height of a row in dots"},
                 {"C", 0, "columns"},
                 {"R", 0, "rows"},
                 {"S", 8, "level of error correction"},
                 {"S", 200, "quality; 200 alone is drawn"},
                 {"EC", 0, "1 to 99: error correction in percent; 101 to 104, 201 to 232: layers; 300: a rune"},
                 {"module", 0, "1 to 10 dots"},
                 {"separator", 0, "1 or 2 modules"},
                 {"segments", 0, "2 to 22 in a row"},
                 {"form", 0, "1 to 12: RSS-14, truncated, stacked …"}};
    (void)command;
    for (size_t i = 0; i < PL_COUNTOF(WORDS); i++)
        if (strcmp(param->name, WORDS[i].name) == 0 && (WORDS[i].max == 0 || WORDS[i].max == param->max))
            return WORDS[i].words;
    return "";
}

const struct pl_lang pl_lang_cpcl = {
    .name = "cpcl",
    .title = "CPCL",
    .detect = detect,
    .interpret = pl_cpcl_interpret,
    .memory = {.gives_way = true, .write_settings = write_settings, .write_object = write_object, .settings = settings},
    .commands = {.at = pl_cpcl_command_at, .about_param = about_param},
    .outline = pl_cpcl_outline,
    .before_params = " ",
    .between_params = " ",
    .size_commands = "PAGE-WIDTH",
    .states_label = true,
    .label_begins = "!",
    .label_ends = "PRINT",
    .label_content = "a command that draws",
};
