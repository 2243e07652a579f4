// Files of the command line: whole inputs in, whole outputs or none out.
#ifndef PLATEN_CLI_IO_H
#define PLATEN_CLI_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/message.h"

struct cli_input {
    uint8_t *data;
    size_t size;
};

// Reads a file, or standard input for "-", up to `limit` bytes. On failure prints one line by `sink` and returns
// false.
bool cli_read(const char *path, size_t limit, struct cli_input *out, const struct message_sink *sink);
// The same from a descriptor, which stays open.
bool cli_read_from(int fd, const char *path, size_t limit, struct cli_input *out, const struct message_sink *sink);
void cli_input_free(struct cli_input *input);
// Writes a file as a whole: a reader sees the old content or the new one, and a full disk leaves no torn file. "-" is
// standard output. On failure prints one line by `sink` and returns false.
bool cli_write(const char *path, const void *data, size_t size, const struct message_sink *sink);

// Where inputs come from and outputs go to, for a process that cannot open files itself. As cli_read and cli_write.
struct cli_files {
    bool (*read)(void *user, const char *path, size_t limit, struct cli_input *out, const struct message_sink *sink);
    bool (*write)(void *user, const char *path, const void *data, size_t size, const struct message_sink *sink);
    void *user;
};

// Is this output written as it is (standard output, a device, a pipe)? Only plain files can be put in place as a whole.
bool cli_is_stream(const char *path);

#endif
