// hygro: one program for the grain service and its command line.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "commands.h"

static const struct subcommand subcommands[] = {
    {"calc", hygro_calc, "compute one value or a table"},
    {"serve", hygro_serve, "serve over HTTP, with a page for browsers"},
};

static void print_usage(FILE *out)
{
    fputs("usage: hygro COMMAND [options]\n\n", out);
    for (size_t i = 0; i < PL_COUNTOF(subcommands); i++)
        fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\n'hygro COMMAND --help' tells the options of a command.\n", out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < PL_COUNTOF(subcommands); i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "hygro: unknown command '%s'\n", argv[1]);
    print_usage(stderr);
    return 2;
}
