// Printer models: what a label must keep to so that the printer prints all of it.
#ifndef PL_PROFILE_MODELS_H
#define PL_PROFILE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

struct pl_model {
    const char *name;  // as options name it: "zd621-203"
    const char *title; // as the maker writes it
    uint8_t dpmm;      // dots per millimetre of its head
    uint16_t head;     // dots in a row of its head: what is right of them is not printed
    uint16_t longest;  // millimetres of the longest label; 0: not known
    bool measured;     // `head` was measured; otherwise it is the nominal print width times the density
    bool rfid;         // there are units with an RFID encoder; otherwise its commands do nothing
    bool transfer;     // there are units that print with a ribbon
};

// The first one is "none": no printer in particular.
const struct pl_model *pl_models(uint32_t *count);
// NULL: there is none of this name.
const struct pl_model *pl_model_find(const char *name);

#endif
