// Barcode commands: parameters as given into struct zpl_barcode, most by a table; defaults that depend on symbology or
// density are left to bar/.
#include <stddef.h>

#include "lang/zpl/args.h"
#include "lang/zpl/barcode_field.h"

// Starts a barcode of the field with "not given" everywhere. NULL: no memory.
static struct zpl_barcode *start(struct zpl *z, const struct zpl_args *a, enum pl_symbology symbology, bool text)
{
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    struct zpl_barcode *b = PL_ARENA_ARRAY(z->arena, struct zpl_barcode, 1);
    if (!b) {
        (void)pl_fail_memory(z->err);
        return NULL;
    }
    zpl_barcode_init(b, symbology);
    b->symbol.text = text;
    if (f->has_font && !f->symbols) {
        b->symbol.has_text_font = true;
        b->symbol.text_font.resident = (uint8_t)f->letter;
        b->symbol.text_font.file = f->file;
        b->symbol.text_font.height = f->height;
        b->symbol.text_font.width = f->width;
    }
    f->barcode = b;
    f->has_barcode = true;
    f->symbols = false;
    f->barcode_has_rotation = false;
    memcpy(f->command, a->source.command, sizeof(f->command));
    return b;
}

static void turn(struct zpl *z, const struct zpl_args *a, unsigned i)
{
    z->field.barcode_has_rotation = zpl_arg_rotation(z, a, i, &z->field.barcode_rotation);
}

// Height of a row or module: 0 is as good as missing.
static void row_height(struct zpl *z, const struct zpl_args *a, struct zpl_barcode *b)
{
    if (zpl_arg_int(z, a, 1, &b->symbol.height) && b->symbol.height == 0)
        b->symbol.height = -1;
}

// What is so until parameters say otherwise, and where the parameters behind the orientation go.
struct symbol {
    bool text, above, check;
    struct zpl_member members[5];
};

// clang-format off
#define AT(kind, member) {ZPL_##kind, offsetof(struct zpl_barcode, member)}
#define HEIGHT AT(NUMBER, symbol.height)
#define CHECK AT(FLAG, symbol.check)
#define LINE AT(FLAG, symbol.text), AT(FLAG, symbol.text_above)
// clang-format on

static const struct symbol SYMBOLS[PL_SYM_COUNT] = {
    [PL_SYM_AZTEC] = {.members = {AT(NUMBER, symbol.aztec.magnification), AT(FLAG, eci), AT(NUMBER, size),
                                  AT(FLAG, symbol.aztec.reader_init), AT(NUMBER, symbol.aztec.append_count)}},
    [PL_SYM_CODE11] = {.text = true, .members = {CHECK, HEIGHT, LINE}},
    [PL_SYM_INTERLEAVED_2OF5] = {.text = true, .members = {HEIGHT, LINE, CHECK}},
    [PL_SYM_CODE39] = {.text = true, .members = {CHECK, HEIGHT, LINE}},
    [PL_SYM_PLANET] = {.members = {HEIGHT, LINE}},
    [PL_SYM_PDF417] = {.members = {AT(NOT_ZERO, symbol.height), AT(NUMBER, symbol.pdf417.security),
                                   AT(NOT_ZERO, symbol.pdf417.columns), AT(NOT_ZERO, symbol.pdf417.rows),
                                   AT(FLAG, symbol.pdf417.truncated)}},
    [PL_SYM_EAN8] = {.text = true, .members = {HEIGHT, LINE}},
    [PL_SYM_UPCE] = {.text = true, .check = true, .members = {HEIGHT, LINE, CHECK}},
    [PL_SYM_CODE93] = {.text = true, .members = {HEIGHT, LINE, CHECK}},
    [PL_SYM_CODE128] = {.text = true, .members = {HEIGHT, LINE, CHECK, AT(LETTER, mode)}},
    [PL_SYM_EAN13] = {.text = true, .members = {HEIGHT, LINE}},
    [PL_SYM_MICROPDF417] = {.members = {AT(NOT_ZERO, symbol.height), AT(NUMBER, symbol.micropdf417.size_number)}},
    [PL_SYM_INDUSTRIAL_2OF5] = {.text = true, .members = {HEIGHT, LINE}},
    [PL_SYM_STANDARD_2OF5] = {.text = true, .members = {HEIGHT, LINE}},
    [PL_SYM_CODABAR] = {.text = true, .members = {CHECK, HEIGHT, LINE}},
    [PL_SYM_LOGMARS] = {.text = true, .members = {HEIGHT, AT(FLAG, symbol.text_above)}},
    [PL_SYM_PLESSEY] = {.text = true, .members = {CHECK, HEIGHT, LINE}},
    [PL_SYM_DATABAR] = {.members = {AT(NUMBER, symbol.databar.form), AT(NUMBER, symbol.databar.magnification),
                                    AT(NUMBER, symbol.databar.separator), HEIGHT,
                                    AT(NUMBER, symbol.databar.segments_per_row)}},
    [PL_SYM_UPC_EAN_EXTENSION] = {.text = true, .above = true, .members = {HEIGHT, LINE}},
    [PL_SYM_TLC39] = {.members = {AT(NUMBER, symbol.tlc39.narrow), AT(TENTHS, symbol.tlc39.ratio_tenths), HEIGHT,
                                  AT(NUMBER, symbol.tlc39.micro_module), AT(NUMBER, symbol.tlc39.micro_height)}},
    [PL_SYM_UPCA] = {.text = true, .check = true, .members = {HEIGHT, LINE, CHECK}},
    [PL_SYM_POSTAL] = {.members = {HEIGHT, LINE, AT(LETTER, mode)}},
};

enum pl_errc zpl_cmd_barcode(struct zpl *z, const struct zpl_args *a)
{
    const struct symbol *s = &SYMBOLS[a->row->kind];
    struct zpl_barcode *b = start(z, a, (enum pl_symbology)a->row->kind, s->text);
    if (!b)
        return PL_E_MEMORY;
    b->symbol.text_above = s->above;
    b->symbol.check = s->check;
    turn(z, a, 0);
    zpl_args_into(z, a, 1, s->members, PL_COUNTOF(s->members), b);
    return PL_OK;
}

enum pl_errc zpl_cmd_aztec(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(zpl_cmd_barcode(z, a));
    if (zpl_arg_given(a, 6))
        z->field.barcode->symbol.aztec.append_id = pl_slice_sub(pl_slice_trim(a->item[6]), 0, 24);
    return PL_OK;
}

enum pl_errc zpl_cmd_code49(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_CODE49, false);
    if (!b)
        return PL_E_MEMORY;
    turn(z, a, 0);
    zpl_arg_int(z, a, 1, &b->symbol.height);
    char line = 'N';
    zpl_arg_choice(z, a, 2, &line);
    b->symbol.text = line != 'N';
    b->symbol.text_above = line == 'A';
    zpl_arg_choice(z, a, 3, &b->mode);
    return PL_OK;
}

enum pl_errc zpl_cmd_codablock(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_CODABLOCK, false);
    if (!b)
        return PL_E_MEMORY;
    // Its default is N, not ^FW.
    turn(z, a, 0);
    if (!z->field.barcode_has_rotation) {
        z->field.barcode_has_rotation = true;
        z->field.barcode_rotation = PL_ROT_N;
    }
    b->symbol.codablock.checks = true;
    zpl_arg_int(z, a, 1, &b->symbol.height);
    zpl_arg_flag(z, a, 2, &b->symbol.codablock.checks);
    zpl_arg_int(z, a, 3, &b->symbol.codablock.columns);
    zpl_arg_int(z, a, 4, &b->symbol.codablock.rows);
    zpl_arg_choice(z, a, 5, &b->symbol.codablock.variant);
    return PL_OK;
}

enum pl_errc zpl_cmd_maxicode(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_MAXICODE, false);
    if (!b)
        return PL_E_MEMORY;
    z->field.barcode_has_rotation = true;
    z->field.barcode_rotation = PL_ROT_N;
    zpl_arg_choice(z, a, 0, &b->mode);
    zpl_arg_int(z, a, 1, &b->symbol.maxicode.append_index);
    zpl_arg_int(z, a, 2, &b->symbol.maxicode.append_count);
    return PL_OK;
}

// Codabar's start and stop characters have older names.
static char start_stop(char letter)
{
    static const char older[] = "TN*E";
    const char *at = letter ? strchr(older, letter) : NULL;
    return at ? (char)('A' + (at - older)) : letter;
}

enum pl_errc zpl_cmd_codabar(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(zpl_cmd_barcode(z, a));
    struct pl_barcode *symbol = &z->field.barcode->symbol;
    zpl_arg_choice(z, a, 5, &symbol->codabar.start);
    zpl_arg_choice(z, a, 6, &symbol->codabar.stop);
    symbol->codabar.start = start_stop(symbol->codabar.start);
    symbol->codabar.stop = start_stop(symbol->codabar.stop);
    return PL_OK;
}

enum pl_errc zpl_cmd_msi(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_MSI, true);
    if (!b)
        return PL_E_MEMORY;
    turn(z, a, 0);
    char checks = 'B';
    zpl_arg_choice(z, a, 1, &checks);
    b->symbol.msi.checks = checks == 'A'   ? PL_MSI_NONE
                           : checks == 'C' ? PL_MSI_MOD10_TWICE
                           : checks == 'D' ? PL_MSI_MOD11_MOD10
                                           : PL_MSI_MOD10;
    zpl_arg_int(z, a, 2, &b->symbol.height);
    zpl_arg_flag(z, a, 3, &b->symbol.text);
    zpl_arg_flag(z, a, 4, &b->symbol.text_above);
    zpl_arg_flag(z, a, 5, &b->symbol.msi.check_in_text);
    return PL_OK;
}

enum pl_errc zpl_cmd_qr(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_QR, false);
    if (!b)
        return PL_E_MEMORY;
    // QR codes are never turned, by ^FW neither.
    z->field.barcode_has_rotation = true;
    z->field.barcode_rotation = PL_ROT_N;
    char model = '2', level;
    zpl_arg_choice(z, a, 1, &model);
    b->symbol.qr.model1 = model == '1';
    // The printer keeps the magnification as the module width of later barcodes.
    if (zpl_arg_int(z, a, 2, &b->symbol.qr.magnification))
        z->printer.by_module = (uint32_t)b->symbol.qr.magnification;
    // Level and mask are checked and not used: the level comes with the data, and the best mask is taken.
    zpl_arg_choice(z, a, 3, &level);
    int32_t mask;
    zpl_arg_int(z, a, 4, &mask);
    return PL_OK;
}

static bool is_ecc(int32_t quality)
{
    return quality == 0 || quality == 50 || quality == 80 || quality == 100 || quality == 140 || quality == 200;
}

enum pl_errc zpl_cmd_datamatrix(struct zpl *z, const struct zpl_args *a)
{
    struct zpl_barcode *b = start(z, a, PL_SYM_DATAMATRIX, false);
    if (!b)
        return PL_E_MEMORY;
    turn(z, a, 0);
    row_height(z, a, b);
    int32_t *quality = &b->symbol.datamatrix.quality;
    if (zpl_arg_int(z, a, 2, quality) && !is_ecc(*quality)) {
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, 3,
                    "^BX: quality %d is not 0, 50, 80, 100, 140 or 200; the default was used.", *quality);
        *quality = -1;
    }
    // A size beyond the largest is automatic, by the manual.
    int32_t *columns = &b->symbol.datamatrix.columns, *rows = &b->symbol.datamatrix.rows;
    if (zpl_arg_int_strict(z, a, 3, columns) && *columns == 0)
        *columns = -1;
    if (zpl_arg_int_strict(z, a, 4, rows) && *rows == 0)
        *rows = -1;
    zpl_arg_int(z, a, 5, &b->symbol.datamatrix.format);
    if (zpl_arg_given(a, 6))
        b->escape = pl_slice_trim(a->item[6]).ptr[0];
    char aspect;
    if (zpl_arg_choice(z, a, 7, &aspect))
        b->symbol.datamatrix.rectangular = aspect == '2';
    return PL_OK;
}
