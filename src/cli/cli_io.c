// Reading and writing whole files.
#include "cli/cli_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "cli/whole_file.h"
#include "os/write.h"

static bool complain(const struct message_sink *sink, const char *path, const char *what)
{
    message_print(sink, "platen: %s: %s\n", path, what);
    return false;
}

// One byte more than `limit` is enough to know that there are more.
static bool make_room(struct cli_input *out, size_t limit, size_t *capacity)
{
    if (out->data && out->size < *capacity)
        return true;
    if (out->data)
        *capacity = *capacity > limit / 2 ? limit + 1 : *capacity * 2;
    *capacity = PL_MIN(*capacity, limit + 1);
    uint8_t *more = realloc(out->data, *capacity);
    if (more)
        out->data = more;
    return more != NULL;
}

static bool read_all(int fd, const char *name, size_t limit, struct cli_input *out, const struct message_sink *sink)
{
    struct stat st;
    size_t capacity = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size + 1 : 65536;
    for (;;) {
        if (out->size > limit) {
            char text[96];
            snprintf(text, sizeof text, "The input is larger than the limit of %zu bytes. [limit_exceeded]", limit);
            return complain(sink, name, text);
        }
        if (!make_room(out, limit, &capacity))
            return complain(sink, name, "not enough memory");
        ssize_t got = read(fd, out->data + out->size, capacity - out->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return complain(sink, name, strerror(errno));
        if (got == 0)
            return true;
        out->size += (size_t)got;
    }
}

bool cli_read_from(int fd, const char *path, size_t limit, struct cli_input *out, const struct message_sink *sink)
{
    *out = (struct cli_input){0};
    bool ok = read_all(fd, strcmp(path, "-") == 0 ? "standard input" : path, limit, out, sink);
    if (!ok)
        cli_input_free(out);
    return ok;
}

bool cli_read(const char *path, size_t limit, struct cli_input *out, const struct message_sink *sink)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        *out = (struct cli_input){0};
        return complain(sink, path, strerror(errno));
    }
    bool ok = cli_read_from(fd, path, limit, out, sink);
    if (!standard)
        close(fd);
    return ok;
}

void cli_input_free(struct cli_input *input)
{
    free(input->data);
    *input = (struct cli_input){0};
}

bool cli_is_stream(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

bool cli_write(const char *path, const void *data, size_t size, const struct message_sink *sink)
{
    struct whole_file file;
    bool ok = whole_file_open(&file, path);
    int failure = ok ? 0 : errno;
    if (ok) {
        ok = pl_os_write(file.fd, data, size);
        failure = ok ? 0 : errno;
        if (!whole_file_close(&file, ok) && ok)
            failure = errno;
    }
    return !failure || complain(sink, strcmp(path, "-") == 0 ? "standard output" : path, strerror(failure));
}
