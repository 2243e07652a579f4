// platen-broker: the commands of Platen that speak with RabbitMQ. `platen work`, `platen submit`, `platen collect`
// and `platen batch` start it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "broker_commands.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } COMMANDS[] = {
        {"work", command_work}, {"submit", command_submit}, {"collect", command_collect}, {"batch", command_batch}};
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // so is writing beyond the largest file that the system allows
    for (size_t i = 0; argc > 1 && i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (strcmp(argv[1], COMMANDS[i].name) == 0) {
            char shown[32];
            snprintf(shown, sizeof shown, "platen %s", COMMANDS[i].name);
            argv[1] = shown;
            return COMMANDS[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "usage: platen-broker work|submit|collect|batch [options]; see 'platen work --help'\n");
    return 2;
}
