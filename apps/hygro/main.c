// hygro: one program for the grain service and its command line.
#include <stddef.h>

#include "commands.h"
#include "program.h"

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
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    static const struct program HYGRO = {"hygro", PROJECT_VERSION, subcommands, "", false};
    return program_main(&HYGRO, argc, argv);
}
