// The splitter: one state for where a byte stands, so that input can be cut anywhere.
#include "printer/splitter.h"

#include <string.h>

#include "base/ckd.h"
#include "printer/lines_parts.h"
#include "printer/splitter_parts.h"

enum { STX = 0x02, ETX = 0x03, SI = 0x0F, DLE = 0x10, RS = 0x1E, US = 0x1F };

enum state {
    TEXT,       // up to the next prefix
    NAME_FIRST, // behind a prefix
    NAME_SECOND,
    QUERY_FIRST, // the two letters behind ~HQ
    QUERY_SECOND,
    CHARACTER,  // the new prefix of ^CC, ^CT or ^CD
    PARAMETERS, // of a command with a payload
    PEEK,       // the first bytes of a payload that may be counted
    COUNTED,
    SGD_LINE,
    JSON_TEXT,
};

#define ASIDE_BYTES ((size_t)64 << 10)
#define COUNT_MOST ((uint64_t)1 << 40)

void printer_splitter_init(struct printer_splitter *s, size_t most)
{
    *s = (struct printer_splitter){.most = most, .prefixes = PRINTER_PREFIXES, .lines.language = PLATEN_LANGUAGE_ZPL};
    pl_buf_init(&s->unit, most);
    pl_buf_init(&s->aside, ASIDE_BYTES);
    pl_buf_init(&s->other, SPLITTER_OTHER_BYTES);
    pl_buf_init(&s->again, SPLITTER_AGAIN_BYTES);
}

void printer_splitter_fini(struct printer_splitter *s)
{
    lines_sent(&s->lines);
    pl_buf_fini(&s->again);
    pl_buf_fini(&s->other);
    pl_buf_fini(&s->unit);
    pl_buf_fini(&s->aside);
}

static bool ends_text(const struct printer_splitter *s, uint8_t c)
{
    return c == s->prefixes.caret || c == s->prefixes.tilde || c == STX || c == ETX || c == SI || c == DLE || c == RS;
}

// A download over the limit ends where a format or another download begins.
static bool leave_oversized(struct printer_splitter *s)
{
    bool leaves = s->overflows && !s->in_format;
    if (leaves)
        splitter_clear(s);
    return leaves;
}

// A command that is obeyed at once is no part of the label.
static void emit_control(struct printer_splitter *s, const uint8_t *letters, size_t len, printer_unit_sink *sink,
                         void *user)
{
    s->unit.len = PL_MIN(s->unit.len, s->kept);
    s->has_command = s->has_command && s->unit.len > 0;
    struct pl_buf text;
    pl_buf_init(&text, 16);
    pl_buf_append(&text, letters, len);
    if (!text.failed)
        sink(user, PRINTER_UNIT_CONTROL, &text);
    s->starved = s->starved || text.failed;
    pl_buf_fini(&text);
}

static bool is_control(uint8_t first, uint8_t second)
{
    return pl_slice_is_one_of(pl_slice_make((const uint8_t[]){first, second}, 2),
                              "HS|HI|HM|HD|HU|HB|JA|JR|PP|PS|PR|WC|JC|JL|JP|PH|RO|JG");
}

static void begin_payload(struct printer_splitter *s, bool may_count)
{
    s->state = may_count ? PARAMETERS : TEXT;
    s->parameter = 0;
    s->kind = 'A';
    s->count = 0;
    s->counts = true;
}

// The name of a command is whole.
static void named(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    uint8_t letters[2] = {s->first, s->second};
    bool is_format = s->prefix == '^';
    bool begins = is_format ? s->first == 'X' && s->second == 'A' : s->first == 'D';
    s->state = TEXT;
    if (begins && leave_oversized(s)) {
        const uint8_t command[3] = {is_format ? s->prefixes.caret : s->prefixes.tilde, s->first, s->second};
        s->has_command = true;
        splitter_keep(s, command, sizeof command, sink, user);
    }
    if (s->first == 'C' && (s->second == 'C' || s->second == 'T' || s->second == 'D')) {
        s->state = CHARACTER;
    } else if (is_format && s->first == 'X' && s->second == 'A') {
        s->in_format = true;
    } else if (is_format && s->first == 'X' && s->second == 'Z') {
        splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
    } else if (is_format && s->first == 'G' && s->second == 'F') {
        begin_payload(s, true);
    } else if (!is_format && s->first == 'D' && s->second == 'Y') {
        begin_payload(s, true);
    } else if (!is_format && s->first == 'H' && s->second == 'Q') {
        s->state = QUERY_FIRST;
    } else if (!is_format && is_control(s->first, s->second)) {
        emit_control(s, letters, 2, sink, user);
    }
}

// The letter of a parameter, or a digit of the count. Which parameters they are is the command's own.
static void parameter_byte(struct printer_splitter *s, uint8_t c)
{
    uint8_t kind_at = s->prefix == '^' ? 0 : 1, count_at = s->prefix == '^' ? 1 : 3;
    if (s->parameter == kind_at && !pl_is_gap(c))
        s->kind = pl_upper(c);
    if (s->parameter == count_at && s->counts) {
        if (pl_is_digit(c))
            s->count = PL_MIN(s->count * 10 + (uint64_t)(c - '0'), COUNT_MOST);
        else if (s->count > 0 || c == '-')
            s->counts = false; // a fraction, or rubbish behind the number
    }
}

static void parameters_end(struct printer_splitter *s)
{
    bool binary = s->kind == 'B' || (s->prefix == '^' && s->kind == 'C');
    s->state = binary && s->count > 0 ? PEEK : TEXT;
    s->peeked = 0;
    s->wrapped = true;
    s->left = s->count;
}

static const char WRAPS[2][6] = {":B64:", ":Z64:"};

// Counted bytes, unless they are the text of base64.
static void peek(struct printer_splitter *s, uint8_t c)
{
    if (s->peeked == 0 && (c == ' ' || c == '\r' || c == '\n')) {
        // Bytes of ^GF are counted from behind them; those of ~DY may begin so.
        if (s->prefix == '~' && --s->left == 0)
            s->state = TEXT;
        return;
    }
    s->wrapped = s->wrapped && (WRAPS[0][s->peeked] == (char)pl_upper(c) || WRAPS[1][s->peeked] == (char)pl_upper(c));
    s->peeked++;
    s->left--;
    if (s->left == 0)
        s->state = TEXT;
    else if (!s->wrapped)
        s->state = COUNTED;
    else if (s->peeked == 5)
        s->state = TEXT;
}

// ---- SGD and JSON

static bool begins_sgd(struct pl_slice line)
{
    return line.len >= 4 && line.ptr[1] == ' ' && pl_upper(line.ptr[2]) == 'U' && pl_is_digit(line.ptr[3]);
}

// Can `c` continue the partial "! U1" that is set aside?
static bool continues_sgd(const struct printer_splitter *s, uint8_t c)
{
    return s->aside.len == 1 ? c == ' ' : s->aside.len == 2 ? pl_upper(c) == 'U' : pl_is_digit(c);
}

// Is the next byte the first of a line, or of all?
static bool begins_line(const struct printer_splitter *s)
{
    return !s->has_command ||
           (s->unit.len > 0 && (s->unit.data[s->unit.len - 1] == '\n' || s->unit.data[s->unit.len - 1] == '\r'));
}

static void emit_aside(struct printer_splitter *s, enum printer_unit unit, bool good, printer_unit_sink *sink,
                       void *user)
{
    s->state = TEXT;
    s->starved = s->starved || s->aside.short_of_memory;
    if (good && !s->aside.failed && s->aside.len > 0) {
        s->json_cut = false;
        sink(user, unit, &s->aside);
    }
    if (!s->aside.data)
        pl_buf_init(&s->aside, ASIDE_BYTES);
    pl_buf_clear(&s->aside);
    s->aside.failed = s->aside.short_of_memory = false;
}

// A brace before a format need not be JSON: drivers write ${^XA...^XZ}$, people write notes.
static bool continues_json(const struct printer_splitter *s, uint8_t c)
{
    return s->in_string ? c >= ' ' : c != 0 && strchr(" \t\r\n{}[]:,\"0123456789+-.eEtrufalsn", c) != NULL;
}

static void json_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    pl_buf_append_byte(&s->aside, c);
    if (s->in_string) {
        s->in_string = s->escaped || c != '"';
        s->escaped = !s->escaped && c == '\\';
    } else if (c == '"') {
        s->in_string = true;
    } else if (c == '{' || c == '[') {
        s->depth++;
    } else if ((c == '}' || c == ']') && --s->depth == 0) {
        emit_aside(s, PRINTER_UNIT_JSON, true, sink, user);
    }
    if (s->aside.failed) {
        emit_aside(s, PRINTER_UNIT_JSON, false, sink, user);
        s->json_cut = true;
    }
}

// ---- bytes

// A byte that ends text.
static void prefix_byte(struct printer_splitter *s, uint8_t c)
{
    s->kept = s->unit.len;
    s->prefix = c == s->prefixes.caret || c == RS ? '^' : '~';
    s->state = NAME_FIRST;
    s->has_command = true;
}

// STX, ETX and SI stand for ^XA, ^XZ and ^FS.
static void control_code(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    s->state = TEXT;
    if (c == STX)
        leave_oversized(s);
    s->has_command = true;
    splitter_keep(s, &c, 1, sink, user);
    if (c == STX)
        s->in_format = true;
    else if (c == ETX)
        splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
}

static void take(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user);

// A line that may be one of SGD.
static void sgd_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    bool is_line = begins_sgd(pl_buf_slice(&s->aside));
    bool is_data = s->has_command && s->aside.len < 4 && !continues_sgd(s, c);
    if (is_data || (ends_text(s, c) && !is_line)) {
        s->state = TEXT;
        if (s->has_command)
            splitter_keep(s, s->aside.data, s->aside.len, sink, user);
        else
            splitter_other_bytes(s, pl_buf_slice(&s->aside), sink, user);
        emit_aside(s, PRINTER_UNIT_SGD, false, sink, user);
        take(s, c, sink, user); // once: it does not begin a line
    } else if (c == '\r' || c == '\n') {
        if (!is_line) {
            splitter_other_bytes(s, pl_buf_slice(&s->aside), sink, user);
            splitter_other_byte(s, c, sink, user);
        }
        emit_aside(s, PRINTER_UNIT_SGD, is_line, sink, user);
    } else {
        pl_buf_append_byte(&s->aside, c);
        if (s->has_command && begins_sgd(pl_buf_slice(&s->aside)))
            splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
    }
}

static void json_or_other(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    if (continues_json(s, c)) {
        json_byte(s, c, sink, user);
        return;
    }
    splitter_other_bytes(s, pl_buf_slice(&s->aside), sink, user);
    emit_aside(s, PRINTER_UNIT_JSON, false, sink, user);
    take(s, c, sink, user); // once: it is no brace
}

// The result of reading a byte.
enum taken { TO_KEEP, TO_KEEP_WITH_NAME, TAKEN };

// A byte of plain text, or of the name of a command.
static enum taken text_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    if (!s->in_format && !s->has_command && ends_text(s, c))
        splitter_end_other(s, sink, user);
    if (c == STX || c == ETX || c == SI) {
        control_code(s, c, sink, user);
        return TAKEN;
    }
    if (ends_text(s, c)) {
        prefix_byte(s, c);
        return TO_KEEP;
    }
    if (s->state == NAME_FIRST) {
        s->first = pl_upper(c);
        s->state = NAME_SECOND;
        return TO_KEEP;
    }
    if (s->state == NAME_SECOND) {
        s->second = pl_upper(c);
        return TO_KEEP_WITH_NAME;
    }
    if (!s->in_format && (c == '!' || c == '{') && begins_line(s)) {
        // Two things outside of formats begin a line of their own. '!' may also be data of a download.
        s->state = c == '!' ? SGD_LINE : JSON_TEXT;
        s->depth = 0;
        s->in_string = s->escaped = false;
        if (c == '{') {
            splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
            json_byte(s, c, sink, user);
        } else {
            pl_buf_append_byte(&s->aside, c);
        }
        return TAKEN;
    }
    if (!s->in_format && !s->has_command) {
        splitter_other_byte(s, c, sink, user); // it means nothing in ZPL
        return TAKEN;
    }
    return TO_KEEP;
}

// One of the two letters behind ~HQ.
static enum taken query_byte(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    if (s->state == QUERY_FIRST) {
        s->first = pl_upper(c);
        s->state = QUERY_SECOND;
        return TO_KEEP;
    }
    uint8_t letters[4] = {'H', 'Q', s->first, pl_upper(c)};
    s->state = TEXT;
    emit_control(s, letters, 4, sink, user);
    return TAKEN;
}

// The character that ^CC, ^CT or ^CD names.
static void character_byte(struct printer_splitter *s, uint8_t c)
{
    uint8_t *which = s->second == 'C' ? &s->prefixes.caret : s->second == 'T' ? &s->prefixes.tilde : &s->prefixes.comma;
    *which = c;
    s->state = TEXT;
}

static void parameters_byte(struct printer_splitter *s, uint8_t c)
{
    if (c != s->prefixes.comma && c != US)
        parameter_byte(s, c);
    else if (++s->parameter == (s->prefix == '^' ? 4 : 5))
        parameters_end(s);
}

static void take(struct printer_splitter *s, uint8_t c, printer_unit_sink *sink, void *user)
{
    enum taken taken = TO_KEEP;
    // A prefix ends a question and parameters.
    if ((s->state == QUERY_FIRST || s->state == QUERY_SECOND || s->state == PARAMETERS) && ends_text(s, c))
        s->state = TEXT;
    switch ((enum state)s->state) {
    case TEXT:
    case NAME_FIRST:
    case NAME_SECOND:
        taken = text_byte(s, c, sink, user);
        break;
    case QUERY_FIRST:
    case QUERY_SECOND:
        taken = query_byte(s, c, sink, user);
        break;
    case CHARACTER:
        character_byte(s, c);
        break;
    case PARAMETERS:
        parameters_byte(s, c);
        break;
    case PEEK:
        peek(s, c);
        break;
    case COUNTED:
        s->state = --s->left == 0 ? TEXT : COUNTED;
        break;
    case SGD_LINE:
        sgd_byte(s, c, sink, user);
        return;
    case JSON_TEXT:
        json_or_other(s, c, sink, user);
        return;
    }
    if (taken == TAKEN)
        return;
    splitter_keep(s, &c, 1, sink, user);
    // A download outside of formats is whole with its last counted byte.
    bool counted_end = s->state == TEXT && s->left == 0 && s->count > 0 && !s->in_format;
    if (taken == TO_KEEP_WITH_NAME)
        named(s, sink, user);
    else if (counted_end)
        splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
    if (s->state == TEXT)
        s->count = 0;
}

// How many bytes from here on are plain text or counted: they can be kept at once.
static size_t plain_run(const struct printer_splitter *s, struct pl_slice rest)
{
    if (s->state == COUNTED)
        return (size_t)PL_MIN((uint64_t)rest.len, s->left - 1);
    if (s->state != TEXT || !(s->in_format || s->has_command))
        return 0;
    size_t n = 0;
    while (n < rest.len && !ends_text(s, rest.ptr[n]) && (s->in_format || (rest.ptr[n] != '!' && rest.ptr[n] != '{')))
        n++;
    return n;
}

size_t printer_splitter_feed(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user)
{
    size_t i = 0;
    s->pauses = false;
    if (s->lines.language != PLATEN_LANGUAGE_ZPL)
        return splitter_feed_lines(s, bytes, sink, user);
    while (i < bytes.len && !s->pauses) {
        size_t run = plain_run(s, pl_slice_sub(bytes, i, bytes.len - i));
        if (run > 0) {
            splitter_keep(s, bytes.ptr + i, run, sink, user);
            if (s->state == COUNTED)
                s->left -= run;
            i += run;
            continue;
        }
        take(s, bytes.ptr[i++], sink, user);
    }
    return i;
}

static bool has_content(const struct printer_splitter *s)
{
    return s->has_command && s->unit.len > 0;
}

void printer_splitter_end(struct printer_splitter *s, printer_unit_sink *sink, void *user)
{
    if (s->lines.language != PLATEN_LANGUAGE_ZPL) {
        splitter_end_lines(s, sink, user);
        return;
    }
    splitter_end_other(s, sink, user);
    bool is_line = s->state == SGD_LINE && begins_sgd(pl_buf_slice(&s->aside));
    if (s->state == SGD_LINE && !is_line && s->has_command)
        splitter_keep(s, s->aside.data, s->aside.len, sink, user);
    if (is_line)
        emit_aside(s, PRINTER_UNIT_SGD, true, sink, user);
    else if (s->in_format)
        splitter_emit(s, PRINTER_UNIT_UNFINISHED, sink, user);
    else if (has_content(s))
        splitter_emit(s, PRINTER_UNIT_CODE, sink, user);
    splitter_clear(s);
    emit_aside(s, PRINTER_UNIT_JSON, false, sink, user);
    s->in_format = s->json_cut = false;
    s->count = s->left = 0;
}

void printer_splitter_cancel(struct printer_splitter *s)
{
    splitter_clear(s);
    s->in_format = false;
    if (s->lines.language != PLATEN_LANGUAGE_ZPL) {
        splitter_cancel_lines(s);
        return;
    }
    if (s->state == COUNTED || s->state == PEEK)
        s->overflows = true; // of a unit that is gone
}

bool printer_splitter_is_idle(const struct printer_splitter *s)
{
    if (s->lines.language != PLATEN_LANGUAGE_ZPL)
        return splitter_lines_are_idle(s);
    return s->state == TEXT && !s->in_format && s->unit.len == 0 && !s->overflows && !s->json_cut;
}
