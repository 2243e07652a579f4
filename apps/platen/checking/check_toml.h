// A small, strict reader of the part of TOML that settings need: sections, and keys with a string, a number, a boolean
// or an array of strings.
#ifndef PLATEN_CHECK_TOML_H
#define PLATEN_CHECK_TOML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum toml_event {
    TOML_SECTION, // `key` is its name
    TOML_STRING,
    TOML_NUMBER,
    TOML_BOOLEAN, // `text` is "true" or "false"
    TOML_ARRAY,   // an array begins; its strings follow as TOML_ITEM
    TOML_ITEM,
    TOML_END, // of the text
    TOML_BAD  // `mistake` is a sentence without a full stop
};

#define TOML_KEY_MAX 64
#define TOML_TEXT_MAX 1024

struct toml_reader {
    struct pl_slice input;
    size_t at, line_start;
    bool in_array;
    uint32_t line, column; // from 1: of the event; the column in bytes
    const char *mistake;
    char key[TOML_KEY_MAX];
    char text[TOML_TEXT_MAX]; // of a value, as it is meant: escapes are resolved
    uint32_t now;             // the line at `at`
};

void toml_init(struct toml_reader *reader, struct pl_slice input);
// The next event. After TOML_END and TOML_BAD there is no other.
enum toml_event toml_next(struct toml_reader *reader);

#endif
