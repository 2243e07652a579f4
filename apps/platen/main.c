// platen: one program for the label service and its command line.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <platen/platen.h>

#include "commands.h"
#include "program.h"

static const struct subcommand SUBCOMMANDS[] = {
    {"render", command_render, "label code to pictures: one file or many"},
    {"check", command_check, "what is wrong with labels, for people and for pipelines"},
    {"fmt", command_fmt, "rewrite label code: layout, density, rotation, values"},
#ifndef __wasm__ // what needs processes, sockets and libraries that drawing does not
    {"image", command_image, "pictures to label code"},
    {"font", command_font, "fonts to label code"},
#endif
    {"inspect", command_inspect, "what is in a label file, and its problems"},
    {"diff", command_diff, "whether two versions of labels are the same picture"},
    {"commands", command_commands, "the commands of each language and what is done with them"},
#ifndef __wasm__
    {"bench", command_bench, "how long a file takes to render, and where"},
    {"serve", command_serve, "serve over HTTP, with a page for browsers"},
    {"printer", command_printer, "a virtual Zebra printer: the same as serve, with a printer on port 9100"},
    {"lsp", command_lsp, "a language server for editors, on standard input and output"},
    {"mcp", command_mcp, "tools for assistants (Model Context Protocol), on standard input and output"},
#ifdef PLATEN_HAS_BROKER // platen-broker is built
    {"work", command_of_broker, "render jobs from RabbitMQ"},
    {"submit", command_of_broker, "send a batch of labels to RabbitMQ"},
    {"collect", command_of_broker, "gather the results of a batch from RabbitMQ"},
    {"batch", command_of_broker, "what became of batches on RabbitMQ; retry, cancel and delete them"},
#endif
    {"config", command_config, "which options 'serve' would have, and where they come from"},
    {"health", command_health, "ask the running service how it is"},
#endif
    {NULL, NULL, NULL},
};

#ifdef __wasm__
#define THIS_BUILD " in the WebAssembly build"
#else
#define THIS_BUILD ""
#endif

// Started without one of its standard files, the program would give that number to the next file that it opens, and
// write messages into it. What takes its place cannot be used: reading and writing fail as before.
static void keep_standard_numbers(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); // gets the lowest number, which is fd
    }
}

int main(int argc, char **argv)
{
    keep_standard_numbers();
    const struct program platen = {"platen", platen_version(), SUBCOMMANDS, THIS_BUILD, true};
    return program_main(&platen, argc, argv);
}
