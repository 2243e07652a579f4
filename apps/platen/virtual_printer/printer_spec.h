// The printers that --printer describes.
#ifndef PLATEN_PRINTER_SPEC_H
#define PLATEN_PRINTER_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include <platen/platen.h>

#include "base/err.h"
#include "base/slice.h"
#include "printer/lines.h"

#define PRINTERS_MAX 32u
#define PRINTER_NAME_MAX 31u
#define PRINTER_ADDRESS_MAX 95u

struct printer_spec {
    char name[PRINTER_NAME_MAX + 1]; // letters, digits, '-' and '_'
    char listen[PRINTER_ADDRESS_MAX + 1];
    char json[PRINTER_ADDRESS_MAX + 1]; // where it takes only JSON; empty: nowhere
    char lpd[PRINTER_ADDRESS_MAX + 1];  // where it takes jobs of LPD; empty: nowhere
    double width_mm, height_mm;
    uint32_t dpmm;
    uint32_t model; // number of its printer model; 0: none in particular
    enum platen_language language;
    bool fits;      // the size is that of each label
    bool reference; // draws as the reference renderer does, not as a printer
    bool is_spare;  // not there until a client of the API makes it; nothing of it outlasts the service
};

// Descriptions are parted by ';'. Each is an address ("127.0.0.1:9100"), or "key=value,…" with the keys name, listen,
// size ("4x6in", "100x150mm", "auto"), dpmm, language, profile, model, json, lpd and spare. PL_E_INVALID with one
// sentence.
enum pl_errc printer_specs_read(const char *text, struct printer_spec *specs, uint32_t *count,
                                struct pl_error *err) PL_MUST_USE;

// Sets what the maker of a spare printer may choose: its name, size, density and language. NULL: done; otherwise what
// the value must be, or which keys there are.
const char *printer_spec_choose(struct printer_spec *spec, struct pl_slice key, struct pl_slice value);

const char *printer_language_name(const struct printer_spec *spec); // "epl"

#endif
