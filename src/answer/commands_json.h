// The command table as JSON.
#ifndef PLATEN_COMMANDS_JSON_H
#define PLATEN_COMMANDS_JSON_H

#include <platen/platen.h>

#include "base/buf.h"

void commands_json_text(struct pl_buf *out, const char *name, const char *value); // "name":"value"
void commands_list_values(struct pl_buf *out, const char *values);
void commands_json_one(struct pl_buf *out, enum platen_language language, uint32_t index,
                       const struct platen_command *command);
void commands_json_all(struct pl_buf *out, enum platen_language language);

#endif
