// Codes in two dimensions: QRCODE, DMATRIX, PDF417, MPDF417, AZTEC, MAXICODE, RSS, CODABLOCK, TLC39.
#include "base/fmt.h"
#include "lang/tspl/args.h"
#include "lang/tspl/barcode.h"
#include "lang/tspl/cmd_table.h"
#include "lang/tspl/label.h"

// The element and its data, which is the last argument. *out is NULL where the command is to be ignored.
static enum pl_errc start(struct tspl *t, const struct tspl_args *a, unsigned least, enum pl_symbology symbology,
                          struct pl_element **out)
{
    int32_t x, y;
    *out = NULL;
    if (!tspl_needs(t, a, least) || !tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    *out = tspl_new_barcode(t, a, x, y, symbology);
    return *out ? PL_OK : pl_fail_memory(t->err);
}

static bool set_data(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b)
{
    if (!tspl_text(t, a, a->st->count - 1, &b->data))
        return false;
    b->content = pl_content_of(b->data);
    return true;
}

// Bare bytes by count instead of a quoted text: they begin behind the comma of argument `i`.
static void set_counted(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t count, struct pl_barcode *b)
{
    struct tspl_lexer *lex = &t->lex;
    size_t from = (size_t)(a->st->item[i].ptr - lex->text.ptr) + a->st->item[i].len;
    while (from < lex->text.len && lex->text.ptr[from] != ',')
        from++;
    b->data = pl_slice_sub(lex->text, from + 1, (size_t)count);
    b->content = pl_content_of(b->data);
    if (b->data.len < (size_t)count)
        tspl_note(t, a, PL_DIAG_GRAPHIC_DATA, 0, "%s: %zu of %d bytes are missing at the end.", a->source.command,
                  (size_t)count - b->data.len, count);
    lex->pos = PL_MIN(from + 1 + b->data.len, lex->text.len);
}

static void unread(struct tspl *t, const struct tspl_args *a, unsigned i)
{
    tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, i + 1, "%s: parameter %u is not understood: %.*s.", a->source.command,
              i + 1, (int)PL_MIN(a->st->item[i].len, (size_t)40), (const char *)a->st->item[i].ptr);
}

// ---- QR Code

#define SEGMENTS 200

// Does the mode have all characters of the data?
static bool mode_holds(enum pl_qr_mode mode, struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        bool digit = pl_is_digit(c), sign = (c >= 'A' && c <= 'Z') || (c && strchr(" $%*+-./:", c));
        if ((mode == PL_QR_NUMERIC && !digit) || (mode == PL_QR_ALNUM && !digit && !sign))
            return false;
    }
    return mode != PL_QR_KANJI || data.len % 2 == 0;
}

// Manual mode: A…, N…, Bdddd…, K…, joined by !.
static enum pl_errc read_segments(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b)
{
    static const char LETTERS[] = "NABK"; // as enum pl_qr_mode
    struct pl_qr_segment *list = PL_ARENA_ARRAY(t->arena, struct pl_qr_segment, SEGMENTS);
    if (!list)
        return pl_fail_memory(t->err);
    uint32_t n = 0;
    size_t at = 0;
    while (at < b->data.len && n < SEGMENTS) {
        const char *letter = strchr(LETTERS, b->data.ptr[at]);
        struct pl_slice rest = pl_slice_sub(b->data, at + (letter != NULL), b->data.len);
        const uint8_t *mark = rest.len ? memchr(rest.ptr, '!', rest.len) : NULL;
        size_t used = mark ? (size_t)(mark - rest.ptr) : rest.len, head = 0;
        struct pl_qr_segment *s = &list[n];
        *s = (struct pl_qr_segment){.mode = letter ? (enum pl_qr_mode)(letter - LETTERS) : PL_QR_BYTE};
        uint64_t count;
        if (letter && *letter == 'B' && rest.len >= 4 && pl_parse_u64(pl_slice_sub(rest, 0, 4), &count)) {
            head = 4;
            used = 4 + (size_t)PL_MIN(count, rest.len - 4);
        }
        if (!letter)
            tspl_note(t, a, PL_DIAG_BARCODE_DATA, a->st->count,
                      "QRCODE: a segment of the manual mode begins with A, N, B or K; bytes were encoded.");
        s->data = pl_slice_sub(rest, head, used - head);
        s->declared = true;
        if (!mode_holds(s->mode, s->data)) {
            // Programs write A before any data, and printers print it.
            tspl_note(t, a, PL_DIAG_BARCODE_OPTION, a->st->count,
                      "QRCODE: the mode %c does not have all characters of its segment; bytes were encoded.",
                      LETTERS[s->mode]);
            s->mode = PL_QR_BYTE;
        }
        n += s->data.len > 0;
        at = (size_t)(rest.ptr - b->data.ptr) + used + 1;
    }
    b->qr.segments = list;
    b->qr.segment_count = n;
    return PL_OK;
}

static enum pl_errc read_automatic(struct tspl *t, struct pl_barcode *b)
{
    struct pl_qr_segment *one = PL_ARENA_NEW(t->arena, struct pl_qr_segment);
    if (!one)
        return pl_fail_memory(t->err);
    *one = (struct pl_qr_segment){.mode = PL_QR_BYTE, .automatic = true, .data = b->data};
    b->qr.segments = one;
    b->qr.segment_count = b->data.len > 0;
    return PL_OK;
}

// Options between rotation and data, in any order.
static void qr_option(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_element *e)
{
    struct pl_barcode *b = &e->barcode;
    int32_t value;
    if (tspl_option(a, i, 'M', &value))
        b->qr.model1 = value == 1;
    else if (tspl_option(a, i, 'S', &value))
        b->qr.mask = value >= 0 && value <= 7 ? value : -1;
    else if (tspl_option(a, i, 'J', &value) && value >= 1 && value <= 3)
        e->at.justify = value == 1 ? PL_JUSTIFY_LEFT : value == 2 ? PL_JUSTIFY_CENTER : PL_JUSTIFY_RIGHT;
    else if (tspl_option(a, i, 'J', &value) && value == 5)
        e->at.middle = true;
    else if (tspl_option(a, i, 'J', &value) || tspl_option(a, i, 'X', &value))
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "QRCODE: the option %.*s is not obeyed.",
                  (int)PL_MIN(a->st->item[i].len, (size_t)20), (const char *)a->st->item[i].ptr);
    else
        unread(t, a, i);
}

enum pl_errc tspl_cmd_qrcode(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 7, PL_SYM_QR, &e));
    if (!e || !set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    struct pl_slice level = tspl_word(a, 2);
    char letter = level.len == 1 ? (char)(level.ptr[0] & 0xDF) : 0;
    if (!letter || !strchr("LMQH", letter)) {
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 3, "QRCODE: the error correction is L, M, Q or H; L was used.");
        letter = 'L';
    }
    b->qr.error_level = letter;
    b->qr.magnification = 4;
    (void)tspl_int(t, a, 3, 1, 100, &b->qr.magnification);
    (void)tspl_rotation(t, a, 5, &e->rotation);
    for (unsigned i = 6; i + 1 < a->st->count; i++)
        qr_option(t, a, i, e);
    PL_TRY(tspl_is_word(a, 4, "M") ? read_segments(t, a, b) : read_automatic(t, b));
    return tspl_add_barcode(t, a, e);
}

// ---- Data Matrix

// The sequence behind the escape character. Returns the bytes used; 0: it is none.
static size_t read_escape(struct pl_slice s, uint8_t escape, uint32_t *code)
{
    if (s.len == 0)
        return 0;
    uint64_t number;
    uint8_t c = s.ptr[0];
    if (c == escape || c == '1' || (c >= '@' && c <= '_')) {
        *code = c == escape ? (uint32_t)escape : c == '1' ? (uint32_t)PL_MARK_FNC1 : c - (uint32_t)'@';
        return 1;
    }
    if (c == 'd' && s.len >= 4 && pl_parse_u64(pl_slice_sub(s, 1, 3), &number) && number <= 255) {
        *code = (uint32_t)number;
        return 4;
    }
    return 0;
}

static enum pl_errc unescape(struct tspl *t, uint8_t escape, struct pl_barcode *b)
{
    struct pl_slice data = b->data;
    if (data.len == 0 || !memchr(data.ptr, escape, data.len))
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(t->arena, uint32_t, data.len);
    if (!codes)
        return pl_fail_memory(t->err);
    size_t n = 0;
    for (size_t i = 0; i < data.len;) {
        size_t used = data.ptr[i] == escape ? read_escape(pl_slice_sub(data, i + 1, data.len), escape, &codes[n]) : 0;
        if (used == 0)
            codes[n] = data.ptr[i];
        n++;
        i += 1 + used;
    }
    b->content = (struct pl_content){.codes = codes, .count = n};
    return PL_OK;
}

enum pl_errc tspl_cmd_dmatrix(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 5, PL_SYM_DATAMATRIX, &e));
    if (!e || !set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    b->datamatrix.quality = 200;
    b->height = 4;
    int32_t escape = -1, value;
    unsigned sizes = 0;
    for (unsigned i = 4; i + 1 < a->st->count; i++) {
        int64_t number;
        if (tspl_option(a, i, 'C', &value))
            escape = value;
        else if (tspl_option(a, i, 'X', &value))
            b->height = pl_clamp_i32(value, 1, 100);
        else if (tspl_option(a, i, 'R', &value))
            e->rotation = (enum pl_rotation)(value % 90 == 0 ? (uint32_t)value / 90 % 4 : 0);
        else if (tspl_option(a, i, 'A', &value))
            b->datamatrix.rectangular = value == 1;
        else if (sizes < 2 && pl_parse_i64(a->st->item[i], &number))
            *(sizes++ ? &b->datamatrix.columns : &b->datamatrix.rows) = pl_clamp_i32(number, 0, 1000);
        else
            unread(t, a, i);
    }
    b->module = (uint32_t)b->height;
    if (escape > 0 && escape < 256)
        PL_TRY(unescape(t, (uint8_t)escape, b));
    return tspl_add_barcode(t, a, e);
}

// ---- PDF417

// Codewords of a PDF417, about.
static int32_t estimate_words(const struct pl_barcode *b)
{
    bool digits = true, text = true;
    for (size_t i = 0; i < b->data.len; i++) {
        digits = digits && pl_is_digit(b->data.ptr[i]);
        text = text && b->data.ptr[i] < 0x80;
    }
    int32_t length = pl_clamp_i32((int64_t)b->data.len, 1, 3000), security = PL_MAX(b->pdf417.security, 0);
    return (digits ? length * 10 / 29 : text ? length * 6 / 10 : length * 5 / 6) + 3 + (2 << PL_MIN(security, 8));
}

// The printer's own choice of module and columns is not documented: the largest symbol that fits the area, with a
// module of 6 to 2 dots. The codewords are estimated; rows take what they need.
static void fit_area(struct pl_barcode *b, int32_t width, int32_t height, bool module_given, bool row_given)
{
    enum { FRAME = 69, COLUMN = 17, MOST_COLUMNS = 30, MOST_ROWS = 90 }; // modules, columns of data, rows
    int32_t words = estimate_words(b);
    bool columns_given = b->pdf417.columns > 0;
    int32_t from = module_given ? (int32_t)b->module : 6, least = module_given ? from : 2;
    for (int32_t module = from; module >= least; module--) {
        int32_t row = row_given ? b->height : module * 4;
        int32_t columns =
            columns_given ? b->pdf417.columns : pl_clamp_i32((width / module - FRAME) / COLUMN, 1, MOST_COLUMNS);
        int32_t rows = PL_MAX((words + columns - 1) / columns, 3);
        b->module = (uint32_t)module;
        b->height = row;
        bool fits = (columns * COLUMN + FRAME) * module <= width && rows * row <= height && rows <= MOST_ROWS;
        if (!columns_given && b->pdf417.rows <= 0 && (fits || module == least))
            b->pdf417.columns =
                rows > MOST_ROWS ? pl_clamp_i32((words + MOST_ROWS - 1) / MOST_ROWS, 1, MOST_COLUMNS) : columns;
        if (fits)
            return;
    }
}

// The options that are letters and a number, and change nothing else. Returns the further arguments that belong to it.
static unsigned pdf417_option(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_barcode *b)
{
    int32_t value;
    if (tspl_option(a, i, 'R', &value))
        b->pdf417.rows = pl_clamp_i32(value, 3, 90);
    else if (tspl_option(a, i, 'C', &value))
        b->pdf417.columns = pl_clamp_i32(value, 1, 30);
    else if (tspl_option(a, i, 'T', &value))
        b->pdf417.truncated = value == 1;
    else if (tspl_option(a, i, 'U', &value)) {
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "PDF417: the text line of option U is not drawn.");
        return 2;
    } else if (tspl_option(a, i, 'M', &value) && value != 0)
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "PDF417: the symbol is not centred in its area.");
    else if (!tspl_option(a, i, 'P', &value) && !tspl_option(a, i, 'M', &value)) // compression is automatic
        unread(t, a, i);
    return 0;
}

enum pl_errc tspl_cmd_pdf417(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    int32_t width = 0, height = 0, value;
    PL_TRY(start(t, a, 6, PL_SYM_PDF417, &e));
    if (!e || !tspl_int(t, a, 2, 1, TSPL_FAR, &width) || !tspl_int(t, a, 3, 1, TSPL_FAR, &height))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    // This command alone counts its rotation counter-clockwise.
    if (tspl_rotation(t, a, 4, &e->rotation))
        e->rotation = (enum pl_rotation)((4 - (int)e->rotation) % 4);
    bool counted = false, module_given = false, row_given = false;
    unsigned i = 5;
    for (; i + 1 < a->st->count && !counted; i++) {
        if (tspl_option(a, i, 'E', &value))
            b->pdf417.security = pl_clamp_i32(value, 0, 8);
        else if ((module_given |= tspl_option(a, i, 'W', &value)) && tspl_option(a, i, 'W', &value))
            b->module = (uint32_t)pl_clamp_i32(value, 1, 100);
        else if ((row_given |= tspl_option(a, i, 'H', &value)) && tspl_option(a, i, 'H', &value))
            b->height = pl_clamp_i32(value, 1, 9999);
        else if ((counted = tspl_option(a, i, 'L', &value)))
            set_counted(t, a, i, PL_MAX(value, 0), b);
        else
            i += pdf417_option(t, a, i, b);
    }
    if (!counted && !set_data(t, a, b))
        return PL_OK;
    fit_area(b, width, height, module_given, row_given);
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_mpdf417(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 4, PL_SYM_MICROPDF417, &e));
    if (!e || !set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    int32_t value;
    (void)tspl_rotation(t, a, 2, &e->rotation);
    b->height = 10;
    b->micropdf417.columns = 0;
    for (unsigned i = 3; i + 1 < a->st->count; i++) {
        if (tspl_option(a, i, 'W', &value))
            b->module = (uint32_t)pl_clamp_i32(value, 1, 100);
        else if (tspl_option(a, i, 'H', &value))
            b->height = pl_clamp_i32(value, 1, 9999);
        else if (tspl_option(a, i, 'C', &value))
            b->micropdf417.columns = pl_clamp_i32(value, 0, 4);
        else
            unread(t, a, i);
    }
    return tspl_add_barcode(t, a, e);
}

// ---- Aztec, MaxiCode

static void set_aztec_size(struct tspl *t, const struct tspl_args *a, int32_t size, struct pl_barcode *b)
{
    if (size >= 1 && size <= 99)
        b->aztec.percent = (uint32_t)size;
    else if (size >= 101 && size <= 104) {
        b->aztec.layers = (uint32_t)size - 100;
        b->aztec.compact = true;
    } else if (size >= 201 && size <= 232)
        b->aztec.layers = (uint32_t)size - 200;
    else if (size == 300)
        b->aztec.rune = true;
    else if (size != 0)
        tspl_note(t, a, PL_DIAG_BARCODE_OPTION, 5, "AZTEC has no size %d; it was chosen by the data.", size);
}

enum pl_errc tspl_cmd_aztec(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 4, PL_SYM_AZTEC, &e));
    if (!e)
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    (void)tspl_rotation(t, a, 2, &e->rotation);
    int32_t options[6] = {6, 0, 0, 0, 6, 0}; // module, size, escapes, menu, symbols, reversed
    unsigned last = a->st->count - 1, n = 0;
    while (n < 6 && 3 + n < last && !tspl_is_data(a, 3 + n)) {
        (void)tspl_int(t, a, 3 + n, 0, 1000, &options[n]);
        n++;
    }
    int32_t count;
    if (n == 6 && last > 9 && !tspl_is_data(a, 9) && tspl_int(t, a, 9, 0, 65535, &count))
        set_counted(t, a, 9, count, b);
    else if (!set_data(t, a, b))
        return PL_OK;
    b->aztec.magnification = pl_clamp_i32(options[0], 1, 100);
    set_aztec_size(t, a, options[1], b);
    b->aztec.reader_init = options[3] == 1;
    if (options[5] == 1)
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 9, "AZTEC: the symbol is not reversed; it is drawn black on white.");
    return tspl_add_barcode(t, a, e);
}

static bool copy_digits(struct pl_slice from, char *to, size_t length)
{
    uint64_t number;
    if (from.len == 0 || from.len > length || !pl_parse_u64(from, &number))
        return false;
    for (size_t i = length; i > 0; i--, number /= 10)
        to[i - 1] = (char)('0' + number % 10);
    to[length] = '\0';
    return true;
}

// Modes 2 and 3: class of service, country and postcode.
static enum pl_errc read_address(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b, unsigned *used,
                                 bool *whole)
{
    struct pl_maxicode_address *address = PL_ARENA_NEW(t->arena, struct pl_maxicode_address);
    if (!address)
        return pl_fail_memory(t->err);
    bool usa = b->maxicode.mode == 2 && tspl_is_word(a, 4, "840");
    struct pl_slice post = tspl_word(a, 5), plus4 = usa ? tspl_word(a, 6) : (struct pl_slice){0};
    *used = usa ? 7 : 6;
    *whole = a->st->count > *used && copy_digits(tspl_word(a, 3), address->service, 3) &&
             copy_digits(tspl_word(a, 4), address->country, 3);
    if (usa && *whole) {
        *whole = copy_digits(post, address->postcode, 5) && copy_digits(plus4, address->postcode + 5, 4);
    } else {
        size_t most = b->maxicode.mode == 2 ? 9 : 6;
        for (size_t i = 0; i < post.len && i < most; i++)
            address->postcode[i] = (char)(tspl_is_letter(post.ptr[i]) ? post.ptr[i] & 0xDF : post.ptr[i]);
        *whole = *whole && post.len > 0 && (b->maxicode.mode == 3 || copy_digits(post, address->postcode, 9));
    }
    b->maxicode.address = address;
    if (!*whole)
        tspl_note(t, a, PL_DIAG_BARCODE_UNENCODABLE, 4,
                  "MAXICODE: modes 2 and 3 need class, country and postcode; nothing was drawn.");
    return PL_OK;
}

enum pl_errc tspl_cmd_maxicode(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    int32_t mode = 4, count;
    PL_TRY(start(t, a, 4, PL_SYM_MAXICODE, &e));
    if (!e)
        return PL_OK;
    (void)tspl_int(t, a, 2, 2, 6, &mode);
    struct pl_barcode *b = &e->barcode;
    b->maxicode.mode = mode;
    unsigned data = 3;
    bool whole = true;
    if (mode <= 3)
        PL_TRY(read_address(t, a, b, &data, &whole));
    if (!whole)
        return PL_OK;
    if (data + 1 < a->st->count && !tspl_is_data(a, data) && tspl_int(t, a, data, 0, 65535, &count))
        set_counted(t, a, data, count, b);
    else if (!set_data(t, a, b))
        return PL_OK;
    return tspl_add_barcode(t, a, e);
}

// ---- GS1 DataBar, CODABLOCK, TLC39

static int32_t databar_form(struct pl_slice name)
{
    static const char *const NAMES[] = {"RSS14", "RSS14T", "RSS14S", "RSS14SO", "RSSLIM",    "RSSEXP",
                                        "UPCA",  "UPCE",   "EAN13",  "EAN8",    "UCC128CCA", "UCC128CCC"};
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(NAMES[i])))
            return (int32_t)i + PL_DATABAR_OMNI;
    return 0;
}

enum pl_errc tspl_cmd_rss(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    struct pl_slice name = {0};
    PL_TRY(start(t, a, 7, PL_SYM_DATABAR, &e));
    if (!e || !tspl_text(t, a, 2, &name) || !set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    b->databar.form = databar_form(name);
    if (b->databar.form == 0) {
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 3, "RSS: there is no symbol %.*s; nothing was drawn.",
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
        return PL_OK;
    }
    b->databar.magnification = 2;
    b->databar.separator = 1;
    (void)tspl_rotation(t, a, 3, &e->rotation);
    (void)tspl_int(t, a, 4, 1, 10, &b->databar.magnification);
    (void)tspl_int(t, a, 5, 1, 2, &b->databar.separator);
    bool expanded = b->databar.form == PL_DATABAR_EXPANDED;
    b->databar.segments_per_row = 22;
    b->height = 25;
    if (a->st->count > 7 && expanded)
        (void)tspl_int(t, a, 6, 2, 22, &b->databar.segments_per_row);
    else if (a->st->count > 7)
        (void)tspl_int(t, a, 6, 1, 500, &b->height);
    b->module = (uint32_t)b->databar.magnification;
    const uint8_t *bar = b->data.len ? memchr(b->data.ptr, '|', b->data.len) : NULL;
    size_t length = bar ? (size_t)(bar - b->data.ptr) : b->data.len;
    b->content.bytes = pl_slice_sub(b->data, 0, length);
    b->databar.composite = pl_slice_sub(b->data, length + 1, b->data.len);
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_codablock(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 4, PL_SYM_CODABLOCK, &e));
    if (!e || !set_data(t, a, &e->barcode))
        return PL_OK;
    int32_t row = 8, module = 2;
    (void)tspl_rotation(t, a, 2, &e->rotation);
    if (a->st->count > 4)
        (void)tspl_int(t, a, 3, 1, 1000, &row);
    if (a->st->count > 5)
        (void)tspl_int(t, a, 4, 1, 100, &module);
    e->barcode.module = (uint32_t)module;
    e->barcode.height = row * module; // rows are counted in modules
    e->barcode.codablock.variant = 'F';
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_tlc39(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(start(t, a, 4, PL_SYM_TLC39, &e));
    if (!e || !set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    int32_t sizes[5] = {40, 2, 4, 2, 4}; // height, narrow, wide, module and row height of the part above
    (void)tspl_rotation(t, a, 2, &e->rotation);
    for (unsigned i = 0; i < 5 && 4 + i < a->st->count; i++)
        (void)tspl_int(t, a, 3 + i, 1, 1000, &sizes[i]);
    b->height = sizes[0];
    b->module = (uint32_t)sizes[1];
    b->tlc39.narrow = sizes[1];
    b->tlc39.ratio_tenths = pl_clamp_i32((sizes[2] * 10 + sizes[1] - 1) / sizes[1], 20, 30);
    b->tlc39.micro_module = sizes[3];
    b->tlc39.micro_height = sizes[4];
    const uint8_t *comma = b->data.len ? memchr(b->data.ptr, ',', b->data.len) : NULL;
    size_t length = comma ? (size_t)(comma - b->data.ptr) : b->data.len;
    b->content.bytes = pl_slice_sub(b->data, 0, length);
    struct pl_slice rest = pl_slice_sub(b->data, length + 1, b->data.len);
    uint8_t *second = rest.len ? pl_arena_copy(t->arena, rest.ptr, rest.len) : NULL;
    if (rest.len && !second)
        return pl_fail_memory(t->err);
    for (size_t i = 0; i < rest.len; i++)
        second[i] = second[i] == ',' ? '*' : second[i];
    b->tlc39.second = pl_slice_make(second, rest.len);
    return tspl_add_barcode(t, a, e);
}
