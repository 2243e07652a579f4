// `platen work`, `platen submit`, `platen collect` and `platen batch`: another program, which alone knows the broker.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

// Beside this program, or where packages put what users do not start themselves.
static const char *const PLACES[] = {"platen-broker", "../libexec/platen/platen-broker", "../lib/platen/platen-broker"};

static int start(int argc, char **argv, const char *command)
{
    char self[PATH_MAX], path[PATH_MAX + 64];
    (void)argc;
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    char name[] = "platen-broker";
    argv[-1] = name; // main's own argv[0]
    argv[0] = (char *)(size_t)command;
    for (size_t i = 0; slash && i < sizeof PLACES / sizeof PLACES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", self, PLACES[i]);
        execv(path, argv - 1);
        if (errno != ENOENT)
            break;
    }
    fprintf(stderr,
            "platen %s: the program platen-broker is not installed beside this one (%s); Debian: the package "
            "platen-broker\n",
            command, strerror(errno));
    return 1;
}

int command_work(int argc, char **argv)
{
    return start(argc, argv, "work");
}

int command_submit(int argc, char **argv)
{
    return start(argc, argv, "submit");
}

int command_collect(int argc, char **argv)
{
    return start(argc, argv, "collect");
}

int command_batch(int argc, char **argv)
{
    return start(argc, argv, "batch");
}
