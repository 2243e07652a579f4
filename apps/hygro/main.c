// hygro: one program for the grain service and its command line.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "commands.h"
#include "commit.h"
#include "os/write.h"

static const struct subcommand subcommands[] = {
    {"calc", hygro_calc, "compute one value or a table"},
    {"air", hygro_tool, "humidity from dew point or wet bulb, altitude, heat of the fan"},
    {"keeping", hygro_tool, "mould band, highest safe moisture, allowable storage time"},
    {"verdict", hygro_tool, "may this grain be stored like this, and what does the air do to it"},
    {"shrink", hygro_tool, "shrink, water to remove, wet and dry basis"},
    {"hours", hygro_hours, "the hours of a season from a CSV of temperature and humidity"},
    {"serve", hygro_serve, "serve over HTTP, with a page for browsers"},
    {"mcp", hygro_mcp, "the calculator for assistants (Model Context Protocol), on standard input and output"},
    {"config", hygro_config, "which options 'serve' would have, and where they come from"},
    {"health", hygro_health, "ask the running service how it is"},
};

static void print_usage(FILE *out)
{
    fputs("usage: hygro COMMAND [options]\n\n", out);
    for (size_t i = 0; i < PL_COUNTOF(subcommands); i++)
        fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\n'hygro COMMAND --help' lists the options of a command; 'hygro --version' prints the version.\n", out);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); // writing to a closed pipe is an error like others, and is told
    signal(SIGXFSZ, SIG_IGN); // so is writing beyond the largest file that the system allows
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return pl_os_finish_output("hygro", 0);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("hygro %s%s%s%s\n", PROJECT_VERSION, VERSION_LINE_SUFFIX);
        return pl_os_finish_output("hygro", 0);
    }
    for (size_t i = 0; i < PL_COUNTOF(subcommands); i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return pl_os_finish_output("hygro", subcommands[i].run(argc - 1, argv + 1));
    }
    fprintf(stderr, "hygro: unknown command '%s'\n", argv[1]);
    print_usage(stderr);
    return 2;
}
