// Choosing the subcommand of a program.
#include "program.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commit.h"
#include "os/write.h"

static void print_usage(const struct program *p, FILE *out)
{
    fprintf(out, "usage: %s COMMAND [options]\n\ncommands:\n", p->name);
    for (const struct subcommand *c = p->commands; c->name; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->summary);
    fprintf(out, "\n`%s COMMAND --help` lists the options of a command; `%s --version` says which this is.\n", p->name,
            p->name);
}

int program_main(const struct program *p, int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); // writing to a closed pipe is an error like others, and is told
    signal(SIGXFSZ, SIG_IGN); // so is writing beyond the largest file that the system allows
    if (argc < 2) {
        print_usage(p, stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(p, stdout);
        return pl_os_finish_output(p->name, 0);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("%s %s%s%s%s\n", p->name, p->version, VERSION_LINE_SUFFIX);
        return pl_os_finish_output(p->name, 0);
    }
    for (const struct subcommand *c = p->commands; c->name; c++) {
        char name[32];
        if (strcmp(argv[1], c->name) != 0)
            continue;
        if (p->full_names) {
            snprintf(name, sizeof name, "%s %s", p->name, c->name);
            argv[1] = name;
        }
        return pl_os_finish_output(p->name, c->run(argc - 1, argv + 1));
    }
    fprintf(stderr, "%s: there is no command '%s'%s; `%s --help` lists them\n", p->name, argv[1], p->build, p->name);
    return 2;
}
