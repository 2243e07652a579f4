// `platen work`, `platen submit`, `platen collect` and `platen batch`: another program, which alone knows the broker.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "http/options/options.h"

// Beside this program, or where packages put what users do not start themselves.
static const char *const PLACES[] = {"platen-broker", "../libexec/platen/platen-broker", "../lib/platen/platen-broker"};

// A misspelt PLATEN_BROKER would send a batch to the default address in silence. All other variables are somebody
// else's: the program that is started names those of PLATEN_WORK.
static void warn_of_variables(const char *command)
{
    static const struct http_option BROKER[] = {{.name = "broker"}};
    static const char *const OTHERS[] = {"", NULL};
    const struct http_option_set set = {.rows = BROKER, .count = 1};
    char who[32];
    snprintf(who, sizeof who, "platen %s", command);
    http_options_warn(&set, 1, "PLATEN", OTHERS, who);
}

static int start(int argc, char **argv, const char *command)
{
    char self[PATH_MAX], path[PATH_MAX + 64];
    (void)argc;
    warn_of_variables(command);
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
