// Codes of dots in two dimensions: DMATRIX, AZTEC, MAXICODE.
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/tspl/cmd_table.h"

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
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_DATAMATRIX, &e));
    if (!e || !tspl_set_data(t, a, &e->barcode))
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
            tspl_note_unread(t, a, i);
    }
    b->module = (uint32_t)b->height;
    if (escape > 0 && escape < 256)
        PL_TRY(unescape(t, (uint8_t)escape, b));
    return tspl_add_barcode(t, a, e);
}

// ---- Aztec, MaxiCode

enum pl_errc tspl_cmd_aztec(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_AZTEC, &e));
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
        tspl_set_counted(t, a, 9, count, b);
    else if (!tspl_set_data(t, a, b))
        return PL_OK;
    b->aztec.magnification = pl_clamp_i32(options[0], 1, 100);
    if (!pl_aztec_set_size(b, options[1]))
        tspl_note(t, a, PL_DIAG_BARCODE_OPTION, 5, "AZTEC has no size %d; it was chosen by the data.", options[1]);
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
            address->postcode[i] = (char)(pl_is_letter(post.ptr[i]) ? post.ptr[i] & 0xDF : post.ptr[i]);
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
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_MAXICODE, &e));
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
        tspl_set_counted(t, a, data, count, b);
    else if (!tspl_set_data(t, a, b))
        return PL_OK;
    return tspl_add_barcode(t, a, e);
}
