// Lines of EPL2 and TSPL to jobs.
#include "printer/lines.h"

#include <string.h>

#include "base/ckd.h"
#include "printer/splitter_parts.h"

enum { ESC = 0x1B };

#define COUNT_MOST ((uint64_t)1 << 40)

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

// ---- which language

// Is it among words that are parted by blanks, in any case?
static bool is_among(const char *words, struct pl_slice word)
{
    for (size_t n; *words; words += n + (words[n] != '\0')) {
        n = strcspn(words, " ");
        if (pl_slice_eq_nocase(word, pl_slice_make(words, n)))
            return true;
    }
    return false;
}

static const char TSPL_ALONE[] = "CLS HOME FORMFEED EOP SELFTEST INITIALPRINTER CUT GAPDETECT BLINEDETECT AUTODETECT";
static const char TSPL_SETS[] = "SIZE GAP BLINE OFFSET SPEED DENSITY DIRECTION REFERENCE SHIFT COUNTRY CODEPAGE";
static const char TSPL_WORDS[] =
    "FEED BACKFEED BACKUP PRINT SOUND LIMITFEED DELAY BAR BARCODE BITMAP BOX CIRCLE ELLIPSE DIAGONAL ERASE DMATRIX "
    "MAXICODE PDF417 AZTEC MPDF417 PUTBMP PUTPCX QRCODE RSS REVERSE TEXT BLOCK DOWNLOAD KILL RUN CODABLOCK TLC39";

// The letters and digits that a line begins with, and what follows their blanks.
static struct pl_slice first_word(struct pl_slice line, struct pl_slice *rest)
{
    size_t n = 0;
    while (n < line.len && (is_letter(line.ptr[n]) || (n > 0 && is_digit(line.ptr[n]))))
        n++;
    *rest = pl_slice_trim(pl_slice_sub(line, n, line.len));
    return pl_slice_sub(line, 0, n);
}

static bool is_tspl(struct pl_slice line, bool whole)
{
    struct pl_slice rest, word = first_word(line, &rest);
    if (word.len == line.len && !whole)
        return false;
    if (is_among(TSPL_ALONE, word))
        return rest.len == 0 && whole;
    if (pl_slice_eq_nocase(word, pl_slice_cstr("SET")))
        return rest.len > 1 && is_letter(rest.ptr[0]);
    return rest.len > 0 && (is_digit(rest.ptr[0]) || rest.ptr[0] == '"' || rest.ptr[0] == '-' || rest.ptr[0] == '@') &&
           (is_among(TSPL_SETS, word) || is_among(TSPL_WORDS, word));
}

// Names of EPL2, and what must follow them: a digit, a quote, or nothing more on the line.
static bool is_epl(struct pl_slice line, bool whole)
{
    static const struct {
        const char *name;
        char next; // '0': a digit; '"': a quote; 0: the end of the line
    } NAMES[] = {{"A", '0'},  {"B", '0'},  {"b", '0'},  {"LO", '0'}, {"LW", '0'}, {"LE", '0'}, {"LS", '0'}, {"X", '0'},
                 {"GW", '0'}, {"GG", '0'}, {"q", '0'},  {"Q", '0'},  {"R", '0'},  {"S", '0'},  {"D", '0'},  {"I", '0'},
                 {"P", '0'},  {"PA", '0'}, {"GM", '"'}, {"GK", '"'}, {"FK", '"'}, {"FS", '"'}, {"FR", '"'}, {"ES", '"'},
                 {"N", 0},    {"ZT", 0},   {"ZB", 0},   {"UQ", 0},   {"UF", 0},   {"UG", 0},   {"UI", 0},   {"US", 0},
                 {"UN", 0},   {"JF", 0},   {"JB", 0},   {"OD", 0},   {"rN", 0},   {"rY", 0}};
    size_t letters = 0;
    while (letters < line.len && is_letter(line.ptr[letters]))
        letters++;
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++) {
        if (!pl_slice_eq_cstr(pl_slice_sub(line, 0, letters), NAMES[i].name))
            continue;
        uint8_t next = letters < line.len ? line.ptr[letters] : 0;
        return NAMES[i].next == '0' ? is_digit(next) && line.len > letters + 1 + !whole
               : NAMES[i].next      ? next == '"'
                                    : whole && letters == line.len;
    }
    return false;
}

enum printer_language printer_line_language(struct pl_slice line, bool whole)
{
    line = pl_slice_trim(line);
    return line.len == 0          ? PRINTER_AUTO
           : is_epl(line, whole)  ? PRINTER_EPL
           : is_tspl(line, whole) ? PRINTER_TSPL
                                  : PRINTER_AUTO;
}

// ---- what stays

static struct pl_slice head_of(const struct printer_lines *l)
{
    return pl_slice_trim(pl_slice_make(l->head, l->head_len));
}

// The command that a line of settings is: two of one command replace each other.
static struct pl_slice setting_name(struct pl_slice line, enum printer_language language)
{
    struct pl_slice rest, word = first_word(line, &rest);
    if (language == PRINTER_EPL) {
        bool sets = line.len > 1 && strchr("qQRSDI", line.ptr[0]) && is_digit(line.ptr[1]);
        bool edge = pl_slice_eq_cstr(line, "ZT") || pl_slice_eq_cstr(line, "ZB");
        return pl_slice_sub(line, 0, sets || edge);
    }
    if (is_among(TSPL_SETS, word))
        return word;
    // SET PEEL, SET CUTTER …; a counter goes on counting, and is no setting.
    struct pl_slice after, what = first_word(rest, &after);
    bool sets = pl_slice_eq_nocase(word, pl_slice_cstr("SET")) && !pl_slice_eq_nocase(what, pl_slice_cstr("COUNTER"));
    return sets && what.len > 0 ? pl_slice_make(word.ptr, (size_t)(what.ptr + what.len - word.ptr))
                                : (struct pl_slice){0};
}

static void keep_setting(struct printer_lines *l, struct pl_slice line, struct pl_slice name)
{
    struct printer_held *held = printer_held_of(l->held, l->language);
    struct pl_buf *all = &held->settings;
    held->changed = true;
    for (size_t at = 0; at < all->len;) {
        const uint8_t *end = memchr(all->data + at, '\n', all->len - at);
        size_t next = end ? (size_t)(end - all->data) + 1 : all->len;
        struct pl_slice old = pl_slice_trim(pl_slice_make(all->data + at, next - at));
        if (!pl_slice_eq_nocase(setting_name(old, l->language), name) ||
            (l->language == PRINTER_EPL && old.ptr[0] != line.ptr[0])) { // q and Q are two
            at = next;
            continue;
        }
        memmove(all->data + at, all->data + next, all->len - next);
        all->len -= next - at;
    }
    if (all->len + line.len + 2 > PRINTER_SETTINGS_BYTES)
        return;
    pl_buf_append_slice(all, line);
    pl_buf_append_cstr(all, "\r\n");
}

// A form, graphic or program is whole: it stays, and is no part of the job.
static void end_block(struct printer_splitter *s)
{
    struct printer_lines *l = &s->lines;
    l->in_block = l->block_is_counted = false;
    if (s->overflows || l->block > s->unit.len)
        return;
    struct pl_slice block = pl_slice_make(s->unit.data + l->block, s->unit.len - l->block);
    struct printer_held *held = printer_held_of(l->held, l->language);
    struct pl_buf *all = &held->definitions;
    bool known = all->len >= block.len && block.len > 0 && memmem(all->data, all->len, block.ptr, block.len);
    if (!known && all->len + block.len > PRINTER_DEFINITIONS_BYTES)
        return; // it is in this job alone
    if (!known) {
        pl_buf_append_slice(all, block);
        held->changed = true;
    }
    if (!all->failed && !l->draws)
        s->unit.len = l->block;
}

// ---- units

void lines_clear(struct printer_lines *l)
{
    l->head_len = l->commas = 0;
    l->line = l->block = 0;
    l->quoted = l->draws = l->in_block = l->block_is_counted = l->waits = false;
}

// With what holds from before. Where that makes it too large, the job alone is sent.
static void emit(struct printer_splitter *s, enum printer_unit unit, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    const struct printer_held *held = printer_held_of(l->held, l->language);
    struct pl_buf whole;
    pl_buf_init(&whole, s->most);
    pl_buf_append_slice(&whole, pl_buf_slice(&held->settings));
    pl_buf_append_slice(&whole, pl_buf_slice(&held->definitions));
    pl_buf_append_slice(&whole, pl_buf_slice(&s->unit));
    if (!whole.failed && !s->overflows) {
        pl_buf_fini(&s->unit);
        s->unit = whole;
    } else {
        pl_buf_fini(&whole);
    }
    splitter_emit(s, unit, sink, user);
    lines_clear(l);
    l->language = l->asked;
}

void lines_ask(struct printer_splitter *s, enum printer_language language, struct pl_slice text,
               printer_unit_sink *sink, void *user)
{
    struct pl_buf question;
    uint8_t before = s->lines.language;
    pl_buf_init(&question, PRINTER_SETTINGS_BYTES + PRINTER_DEFINITIONS_BYTES + PRINTER_HEAD + 2);
    const struct printer_held *held = printer_held_of(s->lines.held, (uint8_t)language);
    pl_buf_append_slice(&question, pl_buf_slice(&held->settings));
    pl_buf_append_slice(&question, pl_buf_slice(&held->definitions));
    pl_buf_append_slice(&question, text);
    pl_buf_append_cstr(&question, "\r\n");
    s->starved = s->starved || question.failed;
    s->lines.language = (uint8_t)language; // of this unit
    if (!question.failed)
        sink(user, PRINTER_UNIT_CODE, &question);
    s->lines.language = before;
    pl_buf_fini(&question);
}

// ---- lines

// The index-th whole number behind the name of a command.
static uint64_t number_at(struct pl_slice line, size_t name, uint32_t index)
{
    uint64_t value = 0;
    uint32_t item = 0;
    for (size_t i = name; i < line.len && item <= index; i++) {
        if (line.ptr[i] == ',')
            item++;
        else if (item == index && is_digit(line.ptr[i]))
            value = PL_MIN(value * 10 + (uint64_t)(line.ptr[i] - '0'), COUNT_MOST);
    }
    return value;
}

static bool begins(struct pl_slice line, const char *name)
{
    size_t n = strlen(name);
    return line.len > n && pl_slice_eq_nocase(pl_slice_sub(line, 0, n), pl_slice_make(name, n));
}

static uint64_t product(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? 0 : a > COUNT_MOST / b ? COUNT_MOST : a * b;
}

static void end_line(struct printer_splitter *s, printer_unit_sink *sink, void *user);

static void begin_counted(struct printer_splitter *s, uint64_t count, bool stays)
{
    struct printer_lines *l = &s->lines;
    l->left = count;
    l->draws = l->draws || !stays;
    if (stays && !l->in_block) {
        l->in_block = l->block_is_counted = true;
        l->block = l->line;
    }
    l->head_len = l->commas = 0;
    l->quoted = false;
}

// Behind a comma, or the end of a line, counted bytes may follow.
static bool counts(struct printer_splitter *s, bool line_ends)
{
    struct printer_lines *l = &s->lines;
    struct pl_slice line = head_of(l);
    if (l->head_len == PRINTER_HEAD)
        return false;
    if (l->language == PRINTER_EPL) {
        bool graphic = begins(line, "GW") && line.ptr[0] == 'G' && l->commas == (line_ends ? 3 : 4);
        bool stored = begins(line, "GM\"") && line_ends;
        if (graphic)
            begin_counted(s, product(number_at(line, 2, 2), number_at(line, 2, 3)), false);
        const uint8_t *quote = stored ? memrchr(line.ptr, '"', line.len) : NULL;
        if (quote)
            begin_counted(s, number_at(line, (size_t)(quote - line.ptr) + 1, 0), true);
        return graphic || quote;
    }
    if (begins(line, "BITMAP") && l->commas == 5) {
        begin_counted(s, product(number_at(line, 6, 2), number_at(line, 6, 3)), false);
        return true;
    }
    const uint8_t *quote = begins(line, "DOWNLOAD") && !line_ends ? memrchr(line.ptr, '"', line.len) : NULL;
    size_t behind = quote ? (size_t)(quote - line.ptr) + 1 : 0;
    // "NAME",bytes, : the second comma behind the name
    if (!quote || line.len < behind + 3 || line.ptr[behind] != ',' || line.ptr[line.len - 1] != ',')
        return false;
    begin_counted(s, number_at(line, behind, 1), true);
    return true;
}

static bool prints(struct pl_slice line, enum printer_language language)
{
    struct pl_slice rest, word = first_word(line, &rest);
    if (language == PRINTER_TSPL)
        return pl_slice_eq_nocase(word, pl_slice_cstr("PRINT"));
    size_t digit = line.len > 1 && line.ptr[0] == 'P' ? 1 + (line.ptr[1] == 'A') : 0;
    return digit > 0 && (line.len == digit || is_digit(line.ptr[digit]));
}

// A line that is neither a setting nor prints.
static void other_line(struct printer_splitter *s, struct pl_slice line)
{
    struct printer_lines *l = &s->lines;
    bool epl = l->language == PRINTER_EPL;
    bool opens = epl ? begins(line, "FS\"") : begins(line, "DOWNLOAD");
    bool closes = epl ? pl_slice_eq_cstr(line, "FE") : pl_slice_eq_nocase(line, pl_slice_cstr("EOP"));
    bool removes = epl ? begins(line, "FK\"") || begins(line, "GK\"") : begins(line, "KILL");
    if (l->in_block) {
        if (closes)
            end_block(s);
    } else if (removes) {
        l->block = l->line;
        end_block(s);
    } else if (opens) {
        l->in_block = true;
        l->block = l->line;
    } else if (!(epl ? pl_slice_eq_cstr(line, "N") : pl_slice_eq_nocase(line, pl_slice_cstr("CLS")))) {
        l->draws = true;
    }
}

static void end_line(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    uint8_t copy[PRINTER_HEAD];
    struct pl_slice line = head_of(l);
    bool cut = l->head_len == PRINTER_HEAD;
    memcpy(copy, line.ptr, line.len);
    line.ptr = copy;
    l->head_len = l->commas = 0;
    l->quoted = false;
    if (line.len == 0)
        return;
    struct pl_slice name = l->in_block || cut ? (struct pl_slice){0} : setting_name(line, l->language);
    bool asks = l->language == PRINTER_EPL && !l->in_block && line.len == 2 && line.ptr[0] == 'U';
    if (!l->in_block && prints(line, l->language)) {
        if (l->draws)
            emit(s, PRINTER_UNIT_CODE, sink, user);
        else
            l->language = l->asked; // there is nothing to print: what was printed before is not kept
        return;
    }
    if ((asks || (name.len > 0 && !l->draws)) && !s->overflows)
        s->unit.len = PL_MIN(s->unit.len, l->line);
    if (asks)
        lines_ask(s, l->language, line, sink, user);
    else if (name.len > 0)
        keep_setting(l, line, name);
    else
        other_line(s, line);
}

// ESC ! c and ~!c of TSPL need no line; ^XA begins a format. *done: the byte was one of those.
static bool take_odd_start(struct printer_splitter *s, uint8_t c, bool *done, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    static const char FORMAT[] = "^XA";
    bool asks = l->language == PRINTER_TSPL &&
                (l->head_len == 0 ? c == ESC || c == '~' : l->head[0] == ESC || l->head[0] == '~');
    bool format = l->asked == PRINTER_AUTO && (l->head_len == 0 ? c == '^' : l->head[0] == '^');
    *done = false;
    if (l->head_len > 2 || (l->head_len > 0 && !l->waits) || (!asks && !format) ||
        (asks && l->head_len == 1 && c != '!') || (format && (c & 0xDF) != (FORMAT[l->head_len] & 0xDF)))
        return true;
    *done = l->waits = true;
    l->head[l->head_len++] = c;
    if (l->head_len < 3)
        return true;
    if (format)
        return false;
    struct pl_slice text = pl_slice_make(l->head, 3);
    uint8_t copy[3];
    memcpy(copy, text.ptr, 3);
    l->head_len = 0;
    l->waits = false;
    lines_ask(s, PRINTER_TSPL, pl_slice_make(copy, 3), sink, user);
    return true;
}

bool lines_take(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    bool done;
    if (l->left > 0) {
        splitter_keep(s, &c, 1, sink, user);
        if (--l->left == 0 && l->block_is_counted)
            end_block(s);
        return true;
    }
    if (!take_odd_start(s, c, &done, sink, user)) {
        if (l->draws)
            emit(s, PRINTER_UNIT_UNFINISHED, sink, user);
        return false;
    }
    if (done)
        return true;
    if (l->waits) { // it is a line after all
        l->line = s->unit.len;
        splitter_keep(s, l->head, l->head_len, sink, user);
        l->waits = false;
    }
    if (l->head_len == 0) {
        if (is_blank(c)) {
            if (s->unit.len > 0)
                splitter_keep(s, &c, 1, sink, user);
            return true;
        }
        l->line = s->unit.len;
    }
    if (l->head_len < PRINTER_HEAD)
        l->head[l->head_len++] = c;
    l->quoted = l->quoted != (c == '"');
    l->commas += c == ',' && !l->quoted;
    splitter_keep(s, &c, 1, sink, user);
    bool ends = c == '\n' || c == '\r';
    if ((ends || c == ',') && counts(s, ends)) {
        if (l->left == 0 && l->block_is_counted)
            end_block(s);
        return true;
    }
    if (ends)
        end_line(s, sink, user);
    return true;
}

static void replay(struct printer_splitter *s, enum printer_language language, printer_unit_sink *sink, void *user)
{
    uint8_t copy[PRINTER_HEAD];
    struct printer_lines *l = &s->lines;
    uint32_t n = l->head_len;
    memcpy(copy, l->head, n);
    lines_clear(l);
    l->language = (uint8_t)language;
    for (uint32_t i = 0; i < n; i++)
        (void)lines_take(s, copy[i], sink, user);
}

bool lines_detect(struct printer_splitter *s, uint8_t c, bool is_prefix, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    bool ends = c == '\n' || c == '\r', asks = l->head_len > 0 && l->head[0] == ESC;
    if (l->asked != PRINTER_AUTO || (l->head_len == 0 && (is_blank(c) || is_prefix)))
        return false;
    if (is_prefix && !asks && printer_line_language(pl_slice_make(l->head, l->head_len), false) == PRINTER_AUTO) {
        l->head_len = 0;
        return false;
    }
    if (l->head_len < PRINTER_HEAD)
        l->head[l->head_len++] = c;
    if (asks && l->head_len == 3 && l->head[1] == '!') {
        uint8_t copy[3];
        memcpy(copy, l->head, 3);
        l->head_len = 0;
        lines_ask(s, PRINTER_TSPL, pl_slice_make(copy, 3), sink, user);
        return true;
    }
    if (!ends && c != ',' && c != '"')
        return true;
    enum printer_language language = printer_line_language(pl_slice_make(l->head, l->head_len), ends);
    if (language != PRINTER_AUTO)
        replay(s, language, sink, user);
    else if (ends)
        l->head_len = 0;
    return true;
}

void lines_end(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    struct printer_lines *l = &s->lines;
    if (!lines_reads(s) && l->head_len > 0) {
        enum printer_language language = printer_line_language(pl_slice_make(l->head, l->head_len), true);
        if (language != PRINTER_AUTO)
            replay(s, language, sink, user);
    }
    if (lines_reads(s) && l->left == 0 && l->head_len > 0)
        end_line(s, sink, user);
    if (lines_reads(s) && (l->draws || l->left > 0))
        emit(s, PRINTER_UNIT_UNFINISHED, sink, user);
    lines_clear(l);
    l->left = 0;
    l->language = l->asked;
}
