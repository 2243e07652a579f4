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
static void warn_of_variables(const char *who)
{
    static const struct http_option BROKER[] = {{.name = "broker"}};
    static const char *const OTHERS[] = {"", NULL};
    const struct http_option_set set = {.rows = BROKER, .count = 1};
    http_options_warn(&set, 1, "PLATEN", OTHERS, who);
}

int command_of_broker(int argc, char **argv)
{
    char self[PATH_MAX], path[PATH_MAX + 64];
    const char *shown = argv[0]; // "platen work"
    (void)argc;
    warn_of_variables(shown);
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    char name[] = "platen-broker";
    argv[-1] = name; // main's own argv[0]
    argv[0] += strlen("platen ");
    for (size_t i = 0; slash && i < sizeof PLACES / sizeof PLACES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", self, PLACES[i]);
        execv(path, argv - 1);
        if (errno != ENOENT)
            break;
    }
    fprintf(stderr,
            "%s: the program platen-broker is not installed beside this one (%s); Debian: the package "
            "platen-broker\n",
            shown, strerror(errno));
    return 1;
}
