// The subcommands of `hygro`: each lives in a file of its own and returns the exit status.
#ifndef HYGRO_COMMANDS_H
#define HYGRO_COMMANDS_H

int hygro_calc(int argc, char **argv);
int hygro_serve(int argc, char **argv);
int hygro_tool(int argc, char **argv); // air, keeping, verdict, shrink
int hygro_hours(int argc, char **argv);
int hygro_mcp(int argc, char **argv);
int hygro_config(int argc, char **argv);
int hygro_health(int argc, char **argv);

#endif
