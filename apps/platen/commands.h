// The subcommands of `platen`: each lives in a file of its own and returns the exit status.
#ifndef PLATEN_COMMANDS_H
#define PLATEN_COMMANDS_H

int command_render(int argc, char **argv);
int command_check(int argc, char **argv);
int command_fmt(int argc, char **argv);
int command_image(int argc, char **argv);
int command_font(int argc, char **argv);
int command_inspect(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_commands(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_printer(int argc, char **argv);
int command_of_broker(int argc, char **argv); // work, submit, collect, batch: starts platen-broker; argv[-1] is there
int command_lsp(int argc, char **argv);
int command_mcp(int argc, char **argv);
int command_config(int argc, char **argv);
int command_health(int argc, char **argv);

#endif
