// What needs no connection: headers of messages, names of batches, files of secrets, the time between two tries.
#include "broker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "os/clock.h"

#define PAUSE_MS 200u
#define PAUSE_MOST_MS 15000u

uint32_t broker_pause_ms(uint32_t tries)
{
    uint32_t pause = PAUSE_MS << PL_MIN(tries, 8u);
    pause = PL_MIN(pause, PAUSE_MOST_MS);
    return pause / 2 + (uint32_t)(pl_now_ns() / 1000 % (pause / 2 + 1));
}

const char *broker_turn(uint32_t turn)
{
    static const char *const NAMES[BROKER_TURNS] = {NULL, "2", "3"};
    return NAMES[turn];
}

bool broker_batch_usable(struct pl_slice batch)
{
    for (size_t i = 0; i < batch.len; i++) {
        uint8_t c = batch.ptr[i];
        if (!pl_is_letter(c) && !pl_is_digit(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return batch.len > 0 && batch.len <= BROKER_BATCH_MAX && batch.ptr[0] != '.';
}

bool broker_header_of(const struct broker_message *message, const char *name, struct pl_slice *value)
{
    for (uint32_t i = 0; i < message->header_count; i++) {
        if (pl_slice_eq_cstr(message->headers[i].name, name)) {
            *value = message->headers[i].value;
            return true;
        }
    }
    return false;
}

void broker_add_header(struct broker_message *message, const char *name, struct pl_slice value)
{
    if (message->header_count < BROKER_HEADERS_MAX)
        message->headers[message->header_count++] = (struct broker_header){pl_slice_cstr(name), value};
}

void broker_print(FILE *out, struct pl_slice text, size_t most)
{
    for (size_t i = 0; i < text.len && i < most; i++)
        fputc(text.ptr[i] >= 0x20 && text.ptr[i] != 0x7F ? text.ptr[i] : ' ', out);
}

struct pl_slice broker_copy_text(uint8_t **at, struct pl_slice from)
{
    uint8_t *to = *at;
    if (from.len > 0)
        memcpy(to, from.ptr, from.len);
    *at += from.len;
    return pl_slice_make(to, from.len);
}

bool broker_copy(struct broker_message *message)
{
    size_t bytes = message->id.len + message->type.len + message->body.len + 1;
    for (uint32_t i = 0; i < message->header_count; i++)
        bytes += message->headers[i].name.len + message->headers[i].value.len;
    uint8_t *at = malloc(bytes);
    if (!at)
        return false;
    message->memory = at;
    message->id = broker_copy_text(&at, message->id);
    message->type = broker_copy_text(&at, message->type);
    message->body = broker_copy_text(&at, message->body);
    for (uint32_t i = 0; i < message->header_count; i++) {
        message->headers[i].name = broker_copy_text(&at, message->headers[i].name);
        message->headers[i].value = broker_copy_text(&at, message->headers[i].value);
    }
    return true;
}

bool broker_drop_body(struct broker_message *message)
{
    void *whole = message->memory;
    struct pl_slice body = message->body;
    message->body = pl_slice_cstr("");
    if (!broker_copy(message)) {
        message->body = body;
        return false;
    }
    free(whole);
    return true;
}

size_t broker_message_limit(const struct pl_error *err)
{
    static const char BEFORE[] = "max size "; // "message size 9 is larger than configured max size 8"
    const char *number = strstr(err->message, BEFORE);
    uint64_t limit = 0;
    if (!number)
        return 0;
    number += strlen(BEFORE);
    return pl_parse_u64(pl_slice_make(number, strspn(number, "0123456789")), &limit) ? (size_t)limit : 0;
}

enum pl_errc broker_read_secret(const char *path, char *out, size_t size, struct pl_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? 1 : -1;
    size_t len = 0, line = 0; // what was read, and its part before a line end or NUL
    out[0] = '\0';
    while (n > 0 && line == len && len < size - 1) { // a pipe gives one part after the other
        n = read(fd, out + len, size - 1 - len);
        len += n > 0 ? (size_t)n : 0;
        out[len] = '\0';
        line = strcspn(out, "\r\n");
        n = n < 0 && errno == EINTR ? 1 : n;
    }
    int failure = n < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    bool has_nul = line < len && out[line] == '\0', is_long = line == size - 1;
    out[failure || has_nul || is_long ? 0 : line] = '\0';
    if (failure)
        return pl_fail(err, PL_E_INVALID, "%s: %s", path, strerror(failure));
    if (has_nul)
        return pl_fail(err, PL_E_INVALID, "%s: its first line has a NUL byte", path);
    return is_long ? pl_fail(err, PL_E_INVALID, "%s: its first line has more than %zu bytes", path, size - 2) : PL_OK;
}
