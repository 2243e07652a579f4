// Reading a configuration file: "name = value" a line, with the names of the options.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "http/options/options.h"

#define FILE_MAX ((size_t)1 << 20)

enum pl_errc http_options_file_read(const char *path, char **text, struct pl_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return pl_fail(err, PL_E_IO, "--config: cannot read '%s': %s", path, strerror(errno));
    *text = malloc(FILE_MAX + 1);
    size_t len = *text ? fread(*text, 1, FILE_MAX, file) : 0;
    bool whole = feof(file) != 0 && !ferror(file);
    fclose(file);
    if (!*text)
        return pl_fail_memory(err);
    if (!whole)
        return pl_fail(err, PL_E_IO, "--config: '%s' is unreadable or larger than 1 MiB", path);
    (*text)[len] = '\0';
    if (strlen(*text) != len)
        return pl_fail(err, PL_E_INVALID, "--config: '%s' is not text", path);
    return PL_OK;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static char *trim(char *from, char *end)
{
    while (from < end && is_blank(*from))
        from++;
    while (end > from && is_blank(end[-1]))
        end--;
    *end = '\0';
    return from;
}

// A # begins a comment at the start of a line and behind a blank: a value may hold one elsewhere.
static char *comment_of(char *from, char *end)
{
    for (char *at = from; at < end; at++) {
        if (*at == '#' && (at == from || is_blank(at[-1])))
            return at;
    }
    return end;
}

bool http_options_file_next(char **at, unsigned *line, char **name, char **value)
{
    while (**at) {
        char *from = *at, *end = from + strcspn(from, "\n");
        *at = *end ? end + 1 : end;
        ++*line;
        from = trim(from, comment_of(from, end));
        if (!*from)
            continue;
        char *equals = strchr(from, '=');
        *name = NULL;
        if (!equals || equals == from)
            return true;
        *value = trim(equals + 1, equals + 1 + strlen(equals + 1));
        *name = trim(from, equals);
        return true;
    }
    return false;
}
