// The subcommands of platen-broker, which `platen` starts under its own names.
#ifndef BROKER_COMMANDS_H
#define BROKER_COMMANDS_H

int command_work(int argc, char **argv);
int command_submit(int argc, char **argv);
int command_collect(int argc, char **argv);
int command_batch(int argc, char **argv);

#endif
