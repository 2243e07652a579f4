// What jobs of EPL2 and TSPL leave for later ones.
#ifndef PRINTER_HELD_H
#define PRINTER_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

// In the order of enum platen_language.
enum printer_language { PRINTER_AUTO, PRINTER_ZPL, PRINTER_EPL, PRINTER_TSPL };

#define PRINTER_HELD 2
#define PRINTER_SETTINGS_BYTES ((size_t)4 << 10)
#define PRINTER_DEFINITIONS_BYTES ((size_t)64 << 10)

// What holds for later jobs of a language.
struct printer_held {
    struct pl_buf settings;    // lines, the last of each command
    struct pl_buf definitions; // forms, graphics and programs
    uint64_t version;          // of the printer's
    bool changed;              // since it was the printer's
};

static inline struct printer_held *printer_held_of(struct printer_held *held, uint8_t language)
{
    return &held[language == PRINTER_TSPL];
}

// All languages at once.
void printer_held_init(struct printer_held *held);
void printer_held_fini(struct printer_held *held);
void printer_held_forget(struct printer_held *of_printer);
// What the printer holds now; without memory for it nothing.
void printer_held_take(struct printer_held *held, const struct printer_held *of_printer);
// What was changed becomes the printer's.
void printer_held_give(struct printer_held *held, struct printer_held *of_printer);
static inline bool printer_held_is_changed(const struct printer_held *held)
{
    return held[0].changed || held[1].changed;
}
size_t printer_held_bytes(const struct printer_held *held);

#endif
