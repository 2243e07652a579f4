// A barcode of the scene as the ZPL command and field data that make it. Options that ZPL lacks are left out: whether
// the dots are the same is tried afterwards.
#include <string.h>

#include "base/ckd.h"
#include "rewrite/convert.h"

#define DATA_MOST ((size_t)1 << 20)

static const char TURNS[] = "NRIB";

static char yes(bool value)
{
    return value ? 'Y' : 'N';
}

// A number that was not given stays empty.
static void put_number(struct pl_buf *out, int32_t value)
{
    if (value >= 0)
        pl_buf_printf(out, ",%d", value);
    else
        pl_buf_append_byte(out, ',');
}

// ---- commands

struct linear {
    enum pl_symbology symbology;
    char letter;
    bool check_first;
};

static const struct linear LINEAR[] = {
    {PL_SYM_CODE11, '1', true},         {PL_SYM_INTERLEAVED_2OF5, '2', false},
    {PL_SYM_CODE39, '3', true},         {PL_SYM_PLANET, '5', false},
    {PL_SYM_EAN8, '8', false},          {PL_SYM_UPCE, '9', false},
    {PL_SYM_CODE93, 'A', false},        {PL_SYM_CODE128, 'C', false},
    {PL_SYM_EAN13, 'E', false},         {PL_SYM_INDUSTRIAL_2OF5, 'I', false},
    {PL_SYM_STANDARD_2OF5, 'J', false}, {PL_SYM_CODABAR, 'K', true},
    {PL_SYM_PLESSEY, 'P', true},        {PL_SYM_UPC_EAN_EXTENSION, 'S', false},
    {PL_SYM_UPCA, 'U', false},
};

// Codabar: is the first character its start character, and the last one its stop?
static bool has_ends(const struct pl_barcode *b)
{
    struct pl_slice data = b->content.bytes;
    return b->symbology == PL_SYM_CODABAR && !b->codabar.start && data.len >= 2 && data.ptr[0] >= 'A' &&
           data.ptr[0] <= 'D' && data.ptr[data.len - 1] >= 'A' && data.ptr[data.len - 1] <= 'D';
}

static char codabar_letter(const struct pl_barcode *b, bool stop)
{
    char given = stop ? b->codabar.stop : b->codabar.start;
    if (has_ends(b))
        return (char)b->content.bytes.ptr[stop ? b->content.bytes.len - 1 : 0];
    return given ? given : 'A';
}

static void put_linear(struct pl_buf *out, const struct pl_element *e, const struct linear *l)
{
    const struct pl_barcode *b = &e->barcode;
    static const char *const RULES[] = {
        [PL_CODE128_AUTOMATIC] = ",A", [PL_CODE128_GS1] = ",D", [PL_CODE128_CASE] = ",U", [PL_CODE128_VALUES] = ",N"};
    pl_buf_printf(out, "^B%c%c", l->letter, TURNS[e->rotation]);
    if (l->check_first)
        pl_buf_printf(out, ",%c", yes(b->check));
    put_number(out, b->height);
    pl_buf_printf(out, ",%c,%c", yes(b->text), yes(b->text_above));
    bool has_check = l->symbology == PL_SYM_INTERLEAVED_2OF5 || l->symbology == PL_SYM_UPCE ||
                     l->symbology == PL_SYM_UPCA || l->symbology == PL_SYM_CODE93;
    if (has_check || l->symbology == PL_SYM_CODE128)
        pl_buf_printf(out, ",%c", yes(has_check && b->check));
    if (l->symbology == PL_SYM_CODE128)
        pl_buf_append_cstr(out, RULES[b->code128.rule]);
    if (l->symbology == PL_SYM_CODABAR)
        pl_buf_printf(out, ",%c,%c", codabar_letter(b, false), codabar_letter(b, true));
}

// Columns and rows that the symbol has: ZPL knows no area that it has to fit into.
static void put_pdf417(struct pl_buf *out, const struct pl_element *e, const struct pl_drawn *drawn)
{
    const struct pl_barcode *b = &e->barcode;
    int32_t module = (int32_t)PL_MAX(drawn->module, 1u), columns = b->pdf417.columns, rows = b->pdf417.rows;
    bool sideways = !pl_is_upright(e->rotation);
    int32_t width = sideways ? drawn->bars.y1 - drawn->bars.y0 : drawn->bars.x1 - drawn->bars.x0;
    int32_t height = sideways ? drawn->bars.x1 - drawn->bars.x0 : drawn->bars.y1 - drawn->bars.y0;
    int32_t around = b->pdf417.truncated ? 35 : 69; // modules of start, stop and row indicators
    int32_t row = b->height > 0 ? b->height : b->pdf417.fit.least_module > 0 ? 4 * module : -1;
    if (b->pdf417.fit.least_module > 0 || columns <= 0) {
        columns = (width / module - around) / 17;
        rows = row > 0 ? height / row : -1;
    }
    pl_buf_printf(out, "^B7%c", TURNS[e->rotation]);
    put_number(out, row);
    put_number(out, b->pdf417.security);
    put_number(out, columns);
    put_number(out, rows);
    pl_buf_printf(out, ",%c", yes(b->pdf417.truncated));
}

static void put_aztec(struct pl_buf *out, const struct pl_element *e)
{
    const struct pl_barcode *b = &e->barcode;
    uint32_t size = b->aztec.rune          ? 300
                    : b->aztec.layers == 0 ? b->aztec.percent
                    : b->aztec.compact     ? 100 + b->aztec.layers
                                           : 200 + b->aztec.layers;
    pl_buf_printf(out, "^BO%c", TURNS[e->rotation]);
    put_number(out, b->aztec.magnification);
    pl_buf_printf(out, ",N,%u,%c", size, yes(b->aztec.reader_init));
}

static void put_databar(struct pl_buf *out, const struct pl_element *e)
{
    const struct pl_barcode *b = &e->barcode;
    pl_buf_printf(out, "^BR%c", TURNS[e->rotation]);
    put_number(out, b->databar.form);
    put_number(out, b->databar.magnification);
    put_number(out, b->databar.separator);
    put_number(out, b->height);
    put_number(out, b->databar.segments_per_row);
}

// The escape character of Data Matrix; ^FH has another one.
#define ESCAPE '|'

static void put_datamatrix(struct pl_buf *out, const struct pl_element *e)
{
    const struct pl_barcode *b = &e->barcode;
    pl_buf_printf(out, "^BX%c", TURNS[e->rotation]);
    put_number(out, b->height);
    put_number(out, b->datamatrix.quality < 0 ? 200 : b->datamatrix.quality);
    put_number(out, b->datamatrix.columns);
    put_number(out, b->datamatrix.rows);
    put_number(out, b->datamatrix.format);
    pl_buf_printf(out, ",%c,%c", ESCAPE, b->datamatrix.rectangular ? '2' : '1');
}

// Symbols with a command of their own form.
static bool put_other(struct pl_buf *out, const struct pl_element *e, const struct pl_drawn *drawn)
{
    const struct pl_barcode *b = &e->barcode;
    char turn = TURNS[e->rotation];
    switch (b->symbology) {
    case PL_SYM_PDF417:
        put_pdf417(out, e, drawn);
        return true;
    case PL_SYM_AZTEC:
        put_aztec(out, e);
        return true;
    case PL_SYM_DATABAR:
        put_databar(out, e);
        return true;
    case PL_SYM_DATAMATRIX:
        put_datamatrix(out, e);
        return true;
    case PL_SYM_QR:
        pl_buf_printf(out, "^BQN,%c", b->qr.model1 ? '1' : '2');
        put_number(out, b->qr.magnification);
        return true;
    case PL_SYM_MAXICODE:
        pl_buf_printf(out, "^BD%d", b->maxicode.mode);
        put_number(out, b->maxicode.append_index);
        put_number(out, b->maxicode.append_count);
        return true;
    case PL_SYM_MICROPDF417:
        pl_buf_printf(out, "^BF%c", turn);
        put_number(out, b->height);
        put_number(out, b->micropdf417.size_number);
        return true;
    case PL_SYM_MSI:
        pl_buf_printf(out, "^BM%c,%c", turn, "BACD"[b->msi.checks]);
        put_number(out, b->height);
        pl_buf_printf(out, ",%c,%c,%c", yes(b->text), yes(b->text_above), yes(b->msi.check_in_text));
        return true;
    case PL_SYM_POSTAL:
        pl_buf_printf(out, "^BZ%c", turn);
        put_number(out, b->height);
        pl_buf_printf(out, ",%c,%c,%c", yes(b->text), yes(b->text_above), "013"[b->postal.kind]);
        return true;
    case PL_SYM_CODABLOCK:
        pl_buf_printf(out, "^BB%c", turn);
        put_number(out, b->height);
        pl_buf_printf(out, ",%c", yes(b->codablock.checks));
        put_number(out, b->codablock.columns);
        put_number(out, b->codablock.rows);
        pl_buf_printf(out, ",%c", b->codablock.variant ? b->codablock.variant : 'F');
        return true;
    case PL_SYM_TLC39:
        pl_buf_printf(out, "^BT%c", turn);
        put_number(out, b->tlc39.narrow);
        if (b->tlc39.ratio_tenths > 0)
            pl_buf_printf(out, ",%d.%d", b->tlc39.ratio_tenths / 10, b->tlc39.ratio_tenths % 10);
        else
            pl_buf_append_byte(out, ',');
        put_number(out, b->height);
        put_number(out, b->tlc39.micro_module);
        put_number(out, b->tlc39.micro_height);
        return true;
    default:
        return false;
    }
}

// ---- data

// Code 128 by the values of its characters: a start character, then characters of the subset, changes between >.
static void put_value(struct pl_buf *out, char set, uint32_t value)
{
    static const char SPECIAL[] = "2345678"; // values 96 to 102
    if ((set == 'C' && value < 100) || (set == 'A' && value < 96))
        pl_buf_printf(out, "%02u", value);
    else if (value >= 96)
        pl_buf_printf(out, ">%c", SPECIAL[value - 96]);
    else if (value == 30 || value == 62 || value >= 94)
        pl_buf_printf(out, ">%c", value == 30 ? '0' : value == 62 ? '<' : value == 94 ? '=' : '1');
    else
        pl_buf_append_byte(out, (uint8_t)(value + 32));
}

static bool put_values(struct pl_buf *out, const struct pl_content *content)
{
    static const char STARTS[] = "9:;";
    size_t n = pl_content_length(content);
    if (n == 0 || pl_content_at(content, 0) < 103 || pl_content_at(content, 0) > 105)
        return false;
    char set = (char)('A' + pl_content_at(content, 0) - 103);
    pl_buf_printf(out, ">%c", STARTS[set - 'A']);
    for (size_t i = 1; i < n; i++) {
        uint32_t value = pl_content_at(content, i);
        if (value > 102)
            return false;
        put_value(out, set, value);
        // 98 is a shift for one character, and CODE B in B is FNC4: those are left to the trial.
        if (value == 99)
            set = 'C'; // where it is not two digits of C
        else if (value == 100 || value == 101)
            set = value == 100 ? 'B' : 'A';
    }
    return true;
}

// What one mark is in the data of a symbology; false: it has no such thing.
static bool put_mark(struct pl_buf *out, const struct pl_barcode *b, uint32_t code)
{
    uint32_t kind = pl_mark_kind(code), number = pl_mark_number(code);
    if (b->symbology == PL_SYM_CODE128 && code == PL_MARK_FNC1)
        return pl_buf_append_cstr(out, ">8"), b->code128.rule == PL_CODE128_GS1;
    if (b->symbology == PL_SYM_CODE93 && kind == PL_MARK_SHIFT && number < 4)
        return pl_buf_append_byte(out, (uint8_t) "&'()"[number]), true;
    if (b->symbology == PL_SYM_CODABLOCK && kind == PL_MARK_FNC1 && number < 4)
        return pl_buf_append_byte(out, (uint8_t)(0x80 + number)), true;
    if (b->symbology == PL_SYM_DATAMATRIX && code == PL_MARK_FNC1)
        return pl_buf_printf(out, "%c1", ESCAPE), true;
    if (b->symbology == PL_SYM_DATAMATRIX && kind == PL_MARK_ECI && number < 1000)
        return pl_buf_printf(out, "%c5%03u", ESCAPE, number), true;
    return false;
}

static bool put_content(struct pl_buf *out, const struct pl_barcode *b)
{
    bool lines = b->symbology == PL_SYM_PDF417 || b->symbology == PL_SYM_MICROPDF417;
    for (size_t i = 0; i < pl_content_length(&b->content); i++) {
        uint32_t code = pl_content_at(&b->content, i);
        if (code > 255) {
            if (!put_mark(out, b, code))
                return false;
            continue;
        }
        if ((lines && code == '\\') || (b->symbology == PL_SYM_DATAMATRIX && code == ESCAPE))
            pl_buf_append_byte(out, (uint8_t)code);
        if (b->symbology == PL_SYM_DATABAR && code == 0x1D)
            pl_buf_append_cstr(out, ">8");
        else
            pl_buf_append_byte(out, (uint8_t)code);
    }
    return true;
}

static bool put_qr(struct pl_buf *out, const struct pl_barcode *b)
{
    char level = b->qr.error_level ? b->qr.error_level : 'M';
    if (b->qr.append_count > 0)
        return false;
    if (b->qr.segment_count == 1 && b->qr.segments[0].mode != PL_QR_KANJI) {
        pl_buf_printf(out, "%cA,", level);
        pl_buf_append_slice(out, b->qr.segments[0].data);
        return true;
    }
    // Several segments without a row of symbols: the data as a whole, which the printer divides itself.
    pl_buf_printf(out, "%cA,", level);
    for (uint32_t i = 0; i < b->qr.segment_count; i++) {
        if (b->qr.segments[i].mode == PL_QR_KANJI)
            return false;
        pl_buf_append_slice(out, b->qr.segments[i].data);
    }
    return true;
}

static bool put_maxicode(struct pl_buf *out, const struct pl_barcode *b)
{
    const struct pl_maxicode_address *a = b->maxicode.address;
    if ((b->maxicode.mode == 2 || b->maxicode.mode == 3) != (a != NULL))
        return false;
    if (a && b->maxicode.mode == 2) {
        pl_buf_printf(out, "%.3s%.3s%.9s", a->service, a->country, a->postcode);
        for (size_t n = strnlen(a->postcode, sizeof a->postcode); n < 9; n++)
            pl_buf_append_byte(out, '0');
    } else if (a) {
        pl_buf_printf(out, "%.3s%.3s%-6.6s", a->service, a->country, a->postcode);
    }
    return put_content(out, b);
}

static bool put_field_data(struct pl_buf *out, const struct pl_barcode *b)
{
    switch (b->symbology) {
    case PL_SYM_QR:
        return put_qr(out, b);
    case PL_SYM_MAXICODE:
        return put_maxicode(out, b);
    case PL_SYM_CODE128:
        return b->code128.rule == PL_CODE128_VALUES ? put_values(out, &b->content) : put_content(out, b);
    case PL_SYM_DATABAR:
        if (!put_content(out, b))
            return false;
        if (b->databar.composite.len) {
            pl_buf_append_byte(out, '|');
            pl_buf_append_slice(out, b->databar.composite);
        }
        return true;
    case PL_SYM_TLC39:
        if (!put_content(out, b))
            return false;
        if (b->tlc39.second.len) {
            pl_buf_append_byte(out, ',');
            pl_buf_append_slice(out, b->tlc39.second);
        }
        return true;
    case PL_SYM_CODABAR:
        if (!has_ends(b))
            return put_content(out, b);
        pl_buf_append(out, b->content.bytes.ptr + 1, b->content.bytes.len - 2);
        return true;
    default:
        return put_content(out, b);
    }
}

bool rw_barcode_code(struct pl_buf *out, const struct pl_element *element, const struct pl_drawn *drawn)
{
    const struct pl_barcode *b = &element->barcode;
    const struct linear *l = NULL;
    struct pl_buf data;
    uint32_t module = PL_MAX(drawn->module, 1u);
    int32_t ratio = pl_clamp_i32(b->wide ? (b->wide * INT64_C(10) + module / 2) / module : b->ratio_tenths, 20, 30);
    for (size_t i = 0; i < PL_COUNTOF(LINEAR); i++)
        l = LINEAR[i].symbology == b->symbology ? &LINEAR[i] : l;
    // The height is always written: what was in force before would move a QR code.
    pl_buf_printf(out, "^BY%u,%d.%d,%u", module, ratio / 10, ratio % 10, PL_MAX(b->default_height, 1u));
    if (l)
        put_linear(out, element, l);
    else if (!put_other(out, element, drawn))
        return false;
    pl_buf_init(&data, DATA_MOST);
    bool said = put_field_data(&data, b);
    rw_put_data(out, pl_buf_slice(&data));
    pl_buf_take_over(out, &data);
    return said && !out->failed;
}
