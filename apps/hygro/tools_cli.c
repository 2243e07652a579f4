// `hygro air`, `keeping`, `shrink` and `hours`: the tools on the command line, by the same code as the service.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "commands.h"
#include "grain/hours.h"
#include "grain/tools.h"

#define FILE_MAX ((size_t)64 << 20)

struct arguments {
    struct grain_fields fields;
    const char *file; // of hours; NULL: none, "-": standard input
    bool json, csv, help;
};

static const char air_usage[] =
    "usage: hygro air --ta T (--ur H | --dew-point D | --wet-bulb W) [options]\n"
    "\n"
    "Humidity, dew point, wet bulb and water of the air, and of the same air behind a fan that heats it.\n"
    "\n"
    "  --ta T --ur H --dew-point D --wet-bulb W   temperatures in the unit, humidity in percent\n"
    "  --altitude M      metres above the sea (0)\n"
    "  --fan-heat D      degrees by which the fan heats the air\n"
    "  --grain G         also its equilibrium moisture; --set ID, --model NAME, --curve C as in 'hygro calc'\n"
    "  --over O          humidity and dew point below 0 °C refer to water (default, as weather services) or ice\n"
    "  --unit U          C (default) or F\n"
    "  --lang L          en (default), pt or es\n"
    "  --json            the same JSON as the service gives\n";
static const char keeping_usage[] =
    "usage: hygro keeping --grain G --grain-ta T --moisture M [options]\n"
    "\n"
    "Mould band, highest safe moisture and allowable storage time of grain. T is the temperature of the grain\n"
    "(--ta is the same).\n"
    "\n"
    "  --damage P        mechanical damage of corn in percent (30)\n"
    "  --set ID, --model NAME, --curve C, --unit C|F, --lang en|pt|es, --json\n";
static const char verdict_usage[] =
    "usage: hygro verdict --grain G --moisture M --grain-ta T [--ta T --ur H] [options]\n"
    "\n"
    "May this grain be stored like this? With the temperature and humidity of the air also what that air does to it.\n"
    "Without a moisture the verdict is on grain that rests in the air.\n"
    "\n"
    "  --fan-heat D      degrees by which the fan heats the air\n"
    "  --hold P          points of moisture that count as no change (0.3)\n"
    "  --set ID, --model NAME, --curve C, --unit C|F, --lang en|pt|es, --json\n";
static const char shrink_usage[] = "usage: hygro shrink --from M --to M [options]\n"
                                   "\n"
                                   "Shrink, water to remove for each tonne, and both bases.\n"
                                   "\n"
                                   "  --mass T          tonnes before drying (1)\n"
                                   "  --grain G         also in bushels of it\n"
                                   "  --basis B         of --from and --to: wet (default) or dry\n"
                                   "  --lang en|pt|es, --json\n";
static const char hours_usage[] =
    "usage: hygro hours FILE --grain G [options]\n"
    "\n"
    "FILE is a CSV with a header; '-' is standard input. Columns for temperature and humidity (or dew point) are\n"
    "found by their names in English, Portuguese, Spanish or German. Decimal points or commas, °C or °F.\n"
    "\n"
    "  --moisture M      of the grain: counts the hours that dry, hold and wet it\n"
    "  --grain-ta T      temperature of the grain: effects at that temperature, and hours with condensation\n"
    "  --fan-heat D      degrees by which the fan heats the air\n"
    "                    both in the unit of the file's temperatures (°C where that is kelvins), or in that of\n"
    "                    --unit, which then counts for the file, too\n"
    "  --hold P          points of moisture that count as no change (0.3)\n"
    "  --temperature-column NAME, --humidity-column NAME\n"
    "                    which columns to use, by name or number from 1; the second may be a dew point\n"
    "  --goal G          dry, cool, hold or rewet: run or stop for each hour\n"
    "  --airflow A       m³ of air a minute for each tonne: the layers of the bin at the end of the season\n"
    "                    (1 cfm/bu of corn is 1.11)\n"
    "  --target M        moisture that the top layer shall reach\n"
    "  --strict          refuse the whole file when a row is bad\n"
    "  --csv             every hour as CSV; in Portuguese and Spanish with decimal commas\n"
    "  --json            the same JSON as the service gives\n"
    "  --set ID, --model NAME, --curve C, --unit C|F, --lang en|pt|es\n";

static const char *const flags[GRAIN_TOOL_FIELDS] = {
    [GRAIN_T_GRAIN] = "--grain",
    [GRAIN_T_MODEL] = "--model",
    [GRAIN_T_SET] = "--set",
    [GRAIN_T_CURVE] = "--curve",
    [GRAIN_T_TA] = "--ta",
    [GRAIN_T_UR] = "--ur",
    [GRAIN_T_DEW_POINT] = "--dew-point",
    [GRAIN_T_WET_BULB] = "--wet-bulb",
    [GRAIN_T_ALTITUDE] = "--altitude",
    [GRAIN_T_FAN_HEAT] = "--fan-heat",
    [GRAIN_T_MOISTURE] = "--moisture",
    [GRAIN_T_DAMAGE] = "--damage",
    [GRAIN_T_FROM] = "--from",
    [GRAIN_T_TO] = "--to",
    [GRAIN_T_MASS] = "--mass",
    [GRAIN_T_BASIS] = "--basis",
    [GRAIN_T_GRAIN_TA] = "--grain-ta",
    [GRAIN_T_HOLD] = "--hold",
    [GRAIN_T_STRICT] = "--strict",
    [GRAIN_T_TEMPERATURE_COLUMN] = "--temperature-column",
    [GRAIN_T_HUMIDITY_COLUMN] = "--humidity-column",
    [GRAIN_T_OVER] = "--over",
    [GRAIN_T_GOAL] = "--goal",
    [GRAIN_T_AIRFLOW] = "--airflow",
    [GRAIN_T_TARGET] = "--target",
    [GRAIN_T_TA_UNIT] = "--unit",
    [GRAIN_T_LANG] = "--lang",
};

static bool parse_flag(const char *program, struct arguments *args, int argc, char **argv, int *at)
{
    const char *text = argv[*at];
    size_t len = strcspn(text, "=");
    for (int i = 0; i < GRAIN_TOOL_FIELDS; i++) {
        if (strlen(flags[i]) != len || strncmp(text, flags[i], len) != 0)
            continue;
        const char *value = text[len] == '=' ? text + len + 1 : *at + 1 < argc ? argv[++*at] : NULL;
        // Alone it is a switch, and what follows is another option or the file.
        bool word;
        if (i == GRAIN_T_STRICT && text[len] != '=' && (value == NULL || !pl_parse_bool(pl_slice_cstr(value), &word))) {
            *at -= value != NULL;
            value = "true";
        }
        if (value == NULL) {
            fprintf(stderr, "hygro %s: %s needs a value\n", program, text);
            return false;
        }
        size_t unknown = args->fields.unknown_count;
        grain_fields_put(&args->fields, pl_slice_cstr(grain_tool_field_names[i]), pl_slice_cstr(value));
        if (args->fields.unknown_count == unknown)
            return true;
        break;
    }
    fprintf(stderr, "hygro %s: unknown option %s (see hygro %s --help)\n", program, text, program);
    return false;
}

static bool parse(const char *program, struct arguments *args, uint32_t takes, bool takes_file, int argc, char **argv)
{
    *args = (struct arguments){.file = NULL};
    grain_fields_init(&args->fields, takes);
    args->fields.options = flags;
    for (int i = 1; i < argc; i++) {
        bool option = argv[i][0] == '-' && argv[i][1] != '\0';
        if (strcmp(argv[i], "--json") == 0)
            args->json = true;
        else if (strcmp(argv[i], "--csv") == 0 && takes_file)
            args->csv = true;
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            args->help = true;
        else if (!option && takes_file && args->file == NULL)
            args->file = argv[i];
        else if (!option) {
            fprintf(stderr, "hygro %s: too many arguments: %s\n", program, argv[i]);
            return false;
        } else if (!parse_flag(program, args, argc, argv, &i))
            return false;
    }
    return true;
}

static void print_row(struct pl_buf *out, const char *label, const struct pl_buf *value)
{
    pl_buf_printf(out, "%s: %.*s\n", label, (int)value->len, (const char *)value->data);
    pl_buf_inherit(out, value);
}

static int refuse(const char *program, const struct arguments *args, struct pl_buf *out)
{
    if (args->json) {
        grain_fields_write_error(out, &args->fields);
        pl_buf_append_byte(out, '\n');
        return 1;
    }
    // By the option that was typed: the names of the interface are for programs.
    struct grain_fields fields = args->fields;
    struct pl_buf text;
    fields.for_people = true;
    pl_buf_init(&text, 4096);
    grain_fields_say(&text, &fields);
    fprintf(stderr, "hygro %s: %s: %.*s\n", program, flags[fields.field], (int)text.len, (const char *)text.data);
    pl_buf_fini(&text);
    return 1;
}

static int print_all(const char *program, struct pl_buf *out, int status)
{
    bool written = out->len == 0 || fwrite(out->data, 1, out->len, stdout) == out->len;
    if (!written || fflush(stdout) != 0 || out->failed) {
        fprintf(stderr, "hygro %s: the answer could not be written\n", program);
        status = 1;
    }
    pl_buf_fini(out);
    return status;
}

// To standard error, with the status of an error, where it was not asked for.
static int print_usage(const char *usage, bool asked)
{
    fputs(usage, asked ? stdout : stderr);
    return asked ? 0 : 2;
}

int hygro_tool(int argc, char **argv)
{
    static const struct {
        const char *id, *usage;
    } usages[] = {{"air", air_usage}, {"keeping", keeping_usage}, {"verdict", verdict_usage}, {"shrink", shrink_usage}};
    const char *program = argv[0];
    const struct grain_tool *tool = grain_tool_by_id(program);
    struct arguments args;
    struct pl_buf out;
    if (!parse(program, &args, tool->takes, false, argc, argv))
        return 2;
    for (size_t i = 0; i < PL_COUNTOF(usages) && (args.help || argc < 2); i++) {
        if (strcmp(usages[i].id, program) == 0)
            return print_usage(usages[i].usage, args.help);
    }
    pl_buf_init(&out, 1 << 16);
    if (!tool->run(&args.fields, args.json ? NULL : print_row, &out))
        return print_all(program, &out, refuse(program, &args, &out));
    if (args.json)
        pl_buf_append_byte(&out, '\n');
    return print_all(program, &out, 0);
}

// The whole file; false, and a message, when it cannot be read.
static bool read_file(const char *name, struct pl_buf *text)
{
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    if (in == NULL) {
        fprintf(stderr, "hygro hours: %s: %s\n", name, strerror(errno));
        return false;
    }
    char part[1 << 16];
    size_t got;
    while ((got = fread(part, 1, sizeof part, in)) > 0 && !text->failed)
        pl_buf_append(text, part, got);
    bool good = !ferror(in) && !text->failed;
    if (!good)
        fprintf(stderr, "hygro hours: %s: %s\n", name, text->failed ? "too large" : strerror(errno));
    if (in != stdin)
        fclose(in);
    return good;
}

static void print_error(struct pl_buf *out, const char *label, const struct pl_buf *text)
{
    (void)out;
    fprintf(stderr, "%s: %.*s\n", label, (int)text->len, (const char *)text->data);
}

static int write_hours(struct arguments *args, const struct grain_hours *hours, struct pl_buf *out)
{
    bool refused = grain_hours_refused(hours);
    if (!args->json)
        grain_hours_bad_rows(args->fields.lang, hours, print_error, NULL);
    if (refused && !args->json) {
        struct pl_buf text;
        pl_buf_init(&text, 512);
        grain_hours_say_refusal(&text, args->fields.lang, hours);
        print_error(NULL, "hygro hours", &text);
        pl_buf_fini(&text);
    }
    if (refused && args->json)
        grain_hours_write_refusal(out, &args->fields, hours);
    else if (args->json)
        grain_hours_write(out, &args->fields, hours, true);
    else if (!refused && args->csv)
        grain_hours_write_csv(out, &args->fields, hours, args->fields.lang != GRAIN_EN);
    else if (!refused) {
        grain_hours_rows(&args->fields, hours, print_row, out);
        grain_hours_plan_rows(args->fields.lang, hours, print_row, out);
    }
    if (args->json)
        pl_buf_append_byte(out, '\n');
    return refused ? 1 : 0;
}

// The columns or the unit of the file are not clear: the choices.
static int refuse_problem(const struct arguments *args, const struct grain_hours *hours, struct pl_buf *out)
{
    if (args->json) {
        grain_hours_write_problem(out, &args->fields, hours);
        pl_buf_append_byte(out, '\n');
        return 1;
    }
    struct pl_buf text;
    pl_buf_init(&text, 8192);
    grain_hours_say_problem(&text, &args->fields, hours);
    print_error(NULL, "hygro hours", &text);
    pl_buf_fini(&text);
    return 1;
}

// With --json as the service says it.
static int refuse_file(const struct arguments *args, enum pl_errc code, const struct pl_error *err, struct pl_buf *out)
{
    if (!args->json) {
        fprintf(stderr, "hygro hours: %s\n", err->message);
        return 1;
    }
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":");
    pl_buf_append_json_string(out, pl_slice_cstr(err->message));
    pl_buf_printf(out, ",\"code\":\"%s\"}\n",
                  code == PL_E_INVALID ? "bad_csv"
                  : code == PL_E_LIMIT ? "too_many_rows"
                                       : "internal");
    return 1;
}

int hygro_hours(int argc, char **argv)
{
    struct arguments args;
    if (!parse("hours", &args, GRAIN_HOURS_FIELDS, true, argc, argv))
        return 2;
    if (args.help || args.file == NULL || (args.csv && args.json))
        return print_usage(hours_usage, args.help);
    struct pl_buf text, out;
    struct grain_hours hours = {.list = NULL};
    struct pl_error err = {.code = PL_OK};
    pl_buf_init(&text, FILE_MAX);
    pl_buf_init(&out, FILE_MAX);
    int status = 1;
    if (read_file(args.file, &text)) {
        enum pl_errc code = grain_hours_answer(&args.fields, pl_buf_slice(&text), NULL, &hours, &err);
        if (code == PL_OK)
            status = write_hours(&args, &hours, &out);
        else if (args.fields.code != NULL)
            status = refuse("hours", &args, &out);
        else if (hours.problem != GRAIN_HOURS_NO_PROBLEM)
            status = refuse_problem(&args, &hours, &out);
        else
            status = refuse_file(&args, code, &err, &out);
    }
    grain_hours_free(&hours);
    pl_buf_fini(&text);
    return print_all("hours", &out, status);
}
