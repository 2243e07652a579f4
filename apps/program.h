// A program with subcommands.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>

// 0 done, 1 something failed, 2 usage.
struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
};

struct program {
    const char *name, *version;
    const struct subcommand *commands; // the last one has no name
    const char *build;                 // of a special build, for messages: " in the WebAssembly build"
    bool full_names; // argv[0] of a subcommand is "platen render", for getopt's messages; else "render"
};

// main() of such a program: runs the subcommand that argv[1] names, or answers --help and --version.
int program_main(const struct program *program, int argc, char **argv);

#endif
