// Codes in two dimensions: QR, PDF-417, MAXICODE, AZTEC, DATAMATRIX, and RSS. Their data follows in lines of its own.
#include <math.h>

#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/cpcl/cmd_table.h"

#define OPTIONS 4

uint32_t cpcl_first_option(const struct cpcl_row *row)
{
    uint32_t count = row->info.param_count, first = 0;
    if (!row->end)
        return count;
    while (first < count && strcmp(row->info.params[first].name, "y") != 0)
        first++;
    return first < count ? first + 1 : count;
}

// Options behind x and y: a word and a number each. They are the row's last parameters.
static void read_options(struct cpcl *e, struct cpcl_args *a, int32_t values[OPTIONS])
{
    uint32_t first = cpcl_first_option(a->row), count = PL_MIN(a->row->info.param_count - first, (uint32_t)OPTIONS);
    const struct pl_lang_param *options = a->row->info.params + first;
    while (cpcl_more(a)) {
        struct pl_slice word = cpcl_word(a);
        uint32_t i = 0;
        while (i < count && !pl_slice_eq_cstr(word, options[i].name))
            i++;
        double value;
        struct pl_slice number = cpcl_word(a);
        if (i == count || !cpcl_read_number(number, &value))
            cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "the option %.*s %.*s is not known; it was ignored.",
                      (int)PL_MIN(word.len, (size_t)16), (const char *)word.ptr, (int)PL_MIN(number.len, (size_t)16),
                      (const char *)number.ptr);
        else
            values[i] = (int32_t)fmax(options[i].min, fmin(options[i].max, value));
    }
}

static void default_options(const struct cpcl_row *row, int32_t values[OPTIONS])
{
    uint32_t first = cpcl_first_option(row);
    for (uint32_t i = 0; i < OPTIONS; i++) {
        uint64_t value = 0;
        if (first + i < row->info.param_count)
            (void)pl_parse_u64(pl_slice_cstr(row->info.params[first + i].fallback), &value);
        values[i] = (int32_t)value;
    }
}

// The symbol at x and y, with the data of the lines up to the row's end; *out is NULL where there is nothing to draw.
static enum pl_errc begin(struct cpcl *e, struct cpcl_args *a, enum pl_symbology symbology, int32_t options[OPTIONS],
                          struct pl_element **out)
{
    int32_t at[2];
    struct pl_slice data;
    *out = NULL;
    default_options(a->row, options);
    bool placed = cpcl_all_dots(e, a, 2, at);
    if (placed)
        read_options(e, a, options);
    PL_TRY(cpcl_block(e, a, a->row->end, &data));
    if (!placed)
        return PL_OK;
    if (data.len == 0)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_FIELD_EMPTY, "the data is empty; no barcode was drawn."));
    struct pl_element *code = cpcl_new_barcode(e, a, symbology);
    if (!code)
        return pl_fail_memory(e->err);
    cpcl_place(e, code, at[0], at[1], a->vertical ? PL_ROT_B : PL_ROT_N);
    code->barcode.data = data;
    code->barcode.content = pl_content_of(data);
    *out = code;
    return PL_OK;
}

// ---- QR

static void odd_segment(void *user, const void *command, char letter)
{
    cpcl_note(user, command, PL_DIAG_BARCODE_OPTION, "%s; bytes were encoded.",
              letter ? "the mode does not have all characters of its part" : "a part begins with N, A, B or K");
}

// Error correction, a mask or none, A or M for the way of the data, and a comma.
static bool read_qr(struct cpcl *e, const struct cpcl_args *a, struct pl_barcode *b)
{
    struct pl_slice data = b->data;
    bool level = data.len > 2 && strchr("HQML", data.ptr[0]) && data.ptr[0];
    size_t mask = level && data.ptr[1] >= '0' && data.ptr[1] <= '8' ? 1 : 0;
    char way = level && data.len > 2 + mask && data.ptr[2 + mask] == ',' ? (char)data.ptr[1 + mask] : 0;
    if (way != 'A' && way != 'M') {
        cpcl_note(e, a, PL_DIAG_BARCODE_DATA,
                  "the data begins with the error correction, A or M, and a comma; all of it was encoded.");
        b->qr.error_level = 'M';
        return pl_qr_whole(e->arena, data, b);
    }
    b->qr.error_level = (char)data.ptr[0];
    if (mask && data.ptr[1] <= '7')
        b->qr.mask = data.ptr[1] - '0';
    data = pl_slice_sub(data, 3 + mask, data.len);
    return way == 'M' ? pl_qr_segments(e->arena, data, ',', b, odd_segment, e, a) : pl_qr_whole(e->arena, data, b);
}

// ---- QR, PDF-417, AZTEC, DATAMATRIX

enum pl_errc cpcl_cmd_matrix(struct cpcl *e, struct cpcl_args *a)
{
    int32_t o[OPTIONS];
    struct pl_element *code;
    enum pl_symbology symbology = (enum pl_symbology)a->row->kind;
    PL_TRY(begin(e, a, symbology, o, &code));
    if (!code)
        return PL_OK;
    struct pl_barcode *b = &code->barcode;
    switch (symbology) {
    case PL_SYM_QR:
        b->qr.model1 = o[0] == 1;
        b->qr.magnification = o[1];
        if (!read_qr(e, a, b))
            return pl_fail_memory(e->err);
        cpcl_page_drawn(e, code->at.y + 21 * o[1]);
        break;
    case PL_SYM_PDF417:
        b->module = (uint32_t)o[0];
        b->height = o[1];
        b->pdf417.columns = o[2];
        b->pdf417.security = o[3];
        break;
    case PL_SYM_AZTEC:
        b->aztec.magnification = o[0];
        (void)pl_aztec_set_size(b, o[1]);
        break;
    default: // Data Matrix
        b->height = o[0];
        b->module = (uint32_t)o[0];
        b->datamatrix.quality = 200;
        if (o[1] != 200)
            cpcl_note(e, a, PL_DIAG_BARCODE_OPTION, "the quality %d is not drawn; 200 was used.", o[1]);
        b->datamatrix.columns = o[2] > 0 ? o[2] : -1;
        b->datamatrix.rows = o[3] > 0 ? o[3] : -1;
        break;
    }
    return cpcl_add(e, code);
}

// ---- MAXICODE

// Lines of a tag and its value. Those of UPS's message stand in the order in which the message has them.
enum tag { TAG_POST, TAG_CC, TAG_SC, TAG_MSG, TAG_FIRST_FIELD };
static const char *const TAGS[] = {"POST",   "CC", "SC",    "MSG", "TN",     "SCAC", "SHIPPER", "PICKDAY",
                                   "SHIPID", "NX", "WEIGH", "VAL", "STADDR", "CITY", "ST"};

static void read_tags(struct cpcl *e, const struct cpcl_args *a, struct pl_slice data,
                      struct pl_slice values[PL_COUNTOF(TAGS)])
{
    struct cpcl_lexer lines = cpcl_lexer_of(data);
    struct pl_slice line;
    while (cpcl_lex_line(&lines, &line)) {
        struct pl_slice word = cpcl_next_word(&line);
        bool found = word.len == 0;
        for (size_t i = 0; i < PL_COUNTOF(TAGS) && !found; i++)
            if ((found = pl_slice_eq_cstr(word, TAGS[i])))
                values[i] = pl_slice_trim(line);
        if (!found)
            cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "MAXICODE: the tag %.*s is not known; its line was left out.",
                      (int)PL_MIN(word.len, (size_t)16), (const char *)word.ptr);
    }
}

// Three digits, zeros before them.
static bool three_digits(struct pl_slice in, char out[4])
{
    uint64_t number;
    if (!pl_parse_u64(in, &number))
        return false;
    number %= 1000;
    for (int i = 3; i > 0; i--, number /= 10)
        out[i - 1] = (char)('0' + number % 10);
    out[3] = '\0';
    return true;
}

static bool read_address(const struct pl_slice values[], struct pl_maxicode_address *out, int32_t *mode)
{
    struct pl_slice post = values[TAG_POST], country = values[TAG_CC], service = values[TAG_SC];
    bool numeric = true;
    size_t n = 0;
    for (size_t i = 0; i < post.len; i++)
        numeric = numeric && (pl_is_digit(post.ptr[i]) || post.ptr[i] == '-');
    *mode = numeric ? 2 : 3;
    size_t most = numeric ? 9 : 6;
    for (size_t i = 0; i < post.len && n < most; i++)
        if (post.ptr[i] != '-' && post.ptr[i] != ' ')
            out->postcode[n++] = (char)(post.ptr[i] >= 'a' && post.ptr[i] <= 'z' ? post.ptr[i] - 32 : post.ptr[i]);
    for (; numeric && n > 0 && n < most; n++)
        out->postcode[n] = '0';
    return n > 0 && three_digits(country.len ? country : pl_slice_cstr("840"), out->country) &&
           three_digits(service.len ? service : pl_slice_cstr("1"), out->service);
}

// The message as it is, or of the fields of UPS.
static enum pl_errc read_message(struct cpcl *e, const struct pl_slice values[], struct pl_slice *out)
{
    static const char HEAD[] = "[)>\x1E"
                               "01\x1D"
                               "96";
    size_t length = sizeof HEAD + 2, n = sizeof HEAD - 1;
    bool fields = false;
    for (size_t i = TAG_FIRST_FIELD; i < PL_COUNTOF(TAGS); i++) {
        length += values[i].len + 1;
        fields = fields || values[i].len > 0;
    }
    *out = values[TAG_MSG];
    if (!fields)
        return PL_OK;
    uint8_t *text = pl_arena_alloc(e->arena, length, 1);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, HEAD, n);
    for (size_t i = TAG_FIRST_FIELD; i < PL_COUNTOF(TAGS); i++) {
        if (i > TAG_FIRST_FIELD)
            text[n++] = 0x1D;
        if (values[i].len)
            memcpy(text + n, values[i].ptr, values[i].len);
        n += values[i].len;
    }
    text[n++] = 0x1E;
    text[n++] = 0x04;
    *out = pl_slice_make(text, n);
    return PL_OK;
}

enum pl_errc cpcl_cmd_maxicode(struct cpcl *e, struct cpcl_args *a)
{
    int32_t options[OPTIONS];
    struct pl_element *code;
    struct pl_slice values[PL_COUNTOF(TAGS)] = {0}, message;
    PL_TRY(begin(e, a, PL_SYM_MAXICODE, options, &code));
    if (!code)
        return PL_OK;
    struct pl_barcode *b = &code->barcode;
    read_tags(e, a, b->data, values);
    struct pl_maxicode_address *address = PL_ARENA_NEW(e->arena, struct pl_maxicode_address);
    if (!address)
        return pl_fail_memory(e->err);
    if (!read_address(values, address, &b->maxicode.mode))
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_BARCODE_UNENCODABLE,
                                     "MAXICODE needs a line POST with the postcode; nothing was drawn."));
    PL_TRY(read_message(e, values, &message));
    b->maxicode.address = address;
    b->content = pl_content_of(message);
    return cpcl_add(e, code);
}

// ---- RSS: x y module height separator segments form data|composite

enum pl_errc cpcl_cmd_databar(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[2], numbers[5];
    if (!cpcl_all_dots(e, a, 2, at))
        return PL_OK;
    for (int i = 0; i < 5; i++)
        if (!cpcl_whole(e, a, &numbers[i]))
            return PL_OK;
    struct pl_slice data = pl_slice_trim(cpcl_data(e, a));
    if (data.len == 0 || numbers[4] < PL_DATABAR_OMNI || numbers[4] > PL_DATABAR_GS1_128_C)
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "RSS has a form from 1 to 12, and data; nothing was drawn."));
    struct pl_element *code = cpcl_new_barcode(e, a, PL_SYM_DATABAR);
    if (!code)
        return pl_fail_memory(e->err);
    cpcl_place(e, code, at[0], at[1], a->vertical ? PL_ROT_B : PL_ROT_N);
    struct pl_barcode *b = &code->barcode;
    b->data = data;
    b->databar.form = numbers[4];
    b->databar.magnification = pl_clamp_i32(numbers[0], 1, 10);
    b->module = (uint32_t)b->databar.magnification;
    b->height = pl_clamp_i32(numbers[1], 1, 32000);
    b->databar.separator = pl_clamp_i32(numbers[2], 1, 2);
    b->databar.segments_per_row = pl_clamp_i32(numbers[3], 2, 22);
    b->databar.composite = data;
    b->content = pl_content_of(pl_slice_until(&b->databar.composite, '|'));
    return cpcl_add(e, code);
}
