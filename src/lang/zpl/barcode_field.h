// What the data of a barcode field means: ZPL's escapes, headers and separators become the plain content of the scene.
#ifndef PL_ZPL_BARCODE_FIELD_H
#define PL_ZPL_BARCODE_FIELD_H

#include "base/arena.h"
#include "scene/barcode.h"

// A barcode command.
struct zpl_barcode {
    struct pl_barcode symbol; // all that does not depend on the data
    char mode;                // ^BC N U A D, ^BD 2 to 6, ^B4 0 to 5 and A, ^BZ 0 to 3; 0: not given
    uint8_t escape;           // ^BX; 0: not given
    bool eci;                 // ^BO: the data holds ECI escapes
    int32_t size;             // ^BO: error correction or size; -1: not given
};

// A command with nothing given.
void zpl_barcode_init(struct zpl_barcode *field, enum pl_symbology symbology);

// Writes data, content and what depends on them into `out`, which is field->symbol with the printer's settings. `data`
// must live as long as `out`. What is wrong with the data goes into the findings of `out`.
enum pl_errc zpl_barcode_read(const struct zpl_barcode *field, struct pl_slice data, struct pl_arena *arena,
                              struct pl_barcode *out, struct pl_error *err) PL_MUST_USE;

// ---- Between the files that read fields: barcode_read.c, barcode_code128.c, barcode_qr.c, barcode_matrix.c ----

#define ZPL_FINDINGS_MAX 4

struct zpl_reader {
    const struct zpl_barcode *field;
    struct pl_slice data;
    struct pl_arena *arena;
    struct pl_barcode *out;
    struct pl_error *err;
    struct pl_barcode_finding findings[ZPL_FINDINGS_MAX];
};

// The symbol is drawn all the same.
enum pl_errc zpl_reader_remark(struct zpl_reader *r, enum pl_diag_id id, const char *fmt, ...)
    PL_PRINTF(3, 4) PL_MUST_USE;
// There is no symbol.
enum pl_errc zpl_reader_refuse(struct zpl_reader *r, enum pl_bar_fault fault, const char *fmt, ...)
    PL_PRINTF(3, 4) PL_MUST_USE;
// There is none under ^CVY (`refusal`, which must live on); else the symbol is drawn with a remark.
enum pl_errc zpl_reader_fault(struct zpl_reader *r, enum pl_bar_fault fault, const char *refusal, const char *fmt, ...)
    PL_PRINTF(4, 5) PL_MUST_USE;

enum pl_errc zpl_read_code128(struct zpl_reader *r) PL_MUST_USE;
enum pl_errc zpl_read_qr(struct zpl_reader *r) PL_MUST_USE;
enum pl_errc zpl_read_datamatrix(struct zpl_reader *r) PL_MUST_USE;
enum pl_errc zpl_read_aztec(struct zpl_reader *r) PL_MUST_USE;
enum pl_errc zpl_read_maxicode(struct zpl_reader *r) PL_MUST_USE;
// \& becomes CR LF and \\ a backslash: ^B7, ^BF, and ^BX below quality 200.
enum pl_errc zpl_read_lines(struct zpl_reader *r) PL_MUST_USE;

#endif
