// `hygro calc`: one calculation or a table on the command line, by the same code and with the same numbers as the
// service.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "commands.h"
#include "grain/calc.h"
#include "grain/catalog.h"
#include "grain/fields.h"
#include "grain/published.h"

static const char usage[] =
    "usage: hygro calc GRAIN TEMPERATURE HUMIDITY [options]     equilibrium moisture of the grain\n"
    "       hygro calc GRAIN TEMPERATURE --moisture M [options] relative humidity in equilibrium with it\n"
    "       hygro calc GRAIN --table [options]                  temperature by humidity\n"
    "\n"
    "GRAIN is an id or a name in English, Portuguese or Spanish: corn, \"ear corn\", milho, maíz, ...\n"
    "Numbers may have a decimal point or a decimal comma.\n"
    "\n"
    "  --moisture M      moisture in percent instead of HUMIDITY\n"
    "  --model NAME      modified-henderson, modified-chung-pfost, modified-halsey or modified-oswin\n"
    "  --set ID          one set of constants by its id, as 'hygro calc --list' shows them\n"
    "  --curve C         mean (default), drying or wetting, where the culture has constants for it\n"
    "  --basis B         wet (default) or dry\n"
    "  --unit U          C (default) or F for TEMPERATURE\n"
    "  --lang L          en (default), pt or es\n"
    "  --json            the same JSON as the service gives\n"
    "  --csv             with --table: CSV, in Portuguese and Spanish with decimal commas\n"
    "  --table           the table instead of one value\n"
    "  --list            the cultures and their sets of constants\n"
    "  --scores          how near each set comes to measured grain, and the rule for the defaults, as Markdown\n"
    "  --points          every figure that they are compared with, as CSV\n"
    "  --help            this text\n";

struct arguments {
    struct grain_request request;
    const char *positional[3];
    size_t positional_count;
    bool json, csv, table, list, scores, points, help;
};

// An option with a value and the field it fills.
static const struct {
    const char *flag, *field;
} valued[] = {{"--moisture", "moisture"}, {"--model", "model"}, {"--set", "set"},  {"--curve", "curve"},
              {"--basis", "basis"},       {"--unit", "taUnit"}, {"--lang", "lang"}};

static bool *switch_of(struct arguments *args, const char *text)
{
    const struct {
        const char *flag;
        bool *value;
    } switches[] = {{"--json", &args->json}, {"--csv", &args->csv},       {"--table", &args->table},
                    {"--list", &args->list}, {"--scores", &args->scores}, {"--points", &args->points},
                    {"--help", &args->help}, {"-h", &args->help}};
    for (size_t i = 0; i < PL_COUNTOF(switches); i++) {
        if (strcmp(text, switches[i].flag) == 0)
            return switches[i].value;
    }
    return NULL;
}

static bool parse_option(struct arguments *args, int argc, char **argv, int *at)
{
    const char *text = argv[*at];
    bool *flag = switch_of(args, text);
    if (flag != NULL) {
        *flag = true;
        return true;
    }
    size_t name_len = strcspn(text, "=");
    for (size_t i = 0; i < PL_COUNTOF(valued); i++) {
        if (strlen(valued[i].flag) != name_len || strncmp(text, valued[i].flag, name_len) != 0)
            continue;
        const char *value = text[name_len] == '=' ? text + name_len + 1 : NULL;
        if (value == NULL && *at + 1 < argc)
            value = argv[++*at];
        if (value == NULL) {
            fprintf(stderr, "hygro calc: %s needs a value\n", text);
            return false;
        }
        grain_request_put(&args->request, pl_slice_cstr(valued[i].field), pl_slice_cstr(value));
        return true;
    }
    fprintf(stderr, "hygro calc: unknown option %s (see hygro calc --help)\n", text);
    return false;
}

static bool parse(struct arguments *args, int argc, char **argv)
{
    grain_request_init(&args->request);
    bool options = true; // until "--"
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            continue;
        }
        // "-5" is a temperature, "-x" is not.
        bool negative_number =
            argv[i][0] == '-' && ((argv[i][1] >= '0' && argv[i][1] <= '9') || argv[i][1] == '.' || argv[i][1] == ',');
        if (options && argv[i][0] == '-' && !negative_number) {
            if (!parse_option(args, argc, argv, &i))
                return false;
        } else if (args->positional_count == PL_COUNTOF(args->positional)) {
            fprintf(stderr, "hygro calc: too many arguments: %s\n", argv[i]);
            return false;
        } else {
            args->positional[args->positional_count++] = argv[i];
        }
    }
    static const char *const fields[] = {"grain", "ta", "ur"};
    for (size_t i = 0; i < args->positional_count; i++)
        grain_request_put(&args->request, pl_slice_cstr(fields[i]), pl_slice_cstr(args->positional[i]));
    return true;
}

static void list_cultures(struct pl_buf *out)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        pl_buf_printf(out, "%s (%s, %s, %s)\n", culture->id, culture->name.in[GRAIN_EN], culture->name.in[GRAIN_PT],
                      culture->name.in[GRAIN_ES]);
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            pl_buf_printf(out, "  %c %-24s %-22s traced %-2s agrees %-8s %s\n", k == 0 ? '*' : ' ', set->id,
                          grain_equation_info(set->equation)->id, grain_confidence_id(set->confidence),
                          grain_agreement_id(grain_agreement(culture, set)), set->variant.in[GRAIN_EN]);
        }
    }
}

static void print_warnings(const struct grain_request *request, const struct grain_result *result)
{
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    for (unsigned bit = 1; bit <= GRAIN_W_LAST; bit <<= 1) {
        if ((result->warnings & bit) == 0)
            continue;
        pl_buf_append_cstr(&text, result->lang == GRAIN_EN ? "warning: " : "aviso: ");
        grain_say_warning(&text, request, result, (enum grain_warning)bit);
        pl_buf_append_byte(&text, '\n');
    }
    if (text.len > 0)
        fwrite(text.data, 1, text.len, stderr);
    pl_buf_fini(&text);
}

// What the trustworthy sets say; the highest humidity is named as the cautious one.
static void say_spread(struct pl_buf *out, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    if (result->spread.sets < 2) {
        grain_say(out, lang, "no other trustworthy set of constants to compare with\n",
                  "não há outro conjunto de constantes confiável para comparar\n",
                  "no hay otro conjunto de constantes confiable para comparar\n");
        return;
    }
    if (grain_spread_is_narrow(&result->spread)) {
        grain_say_agreement(out, result);
        pl_buf_append_cstr(out, "\n");
        return;
    }
    grain_say(out, lang, "expect ", "espere de ", "espere de ");
    grain_say_fixed(out, lang, result->spread.low);
    grain_say(out, lang, " to ", " a ", " a ");
    grain_say_fixed(out, lang, result->spread.high);
    pl_buf_append_cstr(out, " %");
    if (result->inverse)
        grain_say(out, lang, "; the highest is the cautious one", "; o maior é o mais prudente",
                  "; el mayor es el más prudente");
    pl_buf_append_cstr(out, "\n");
}

static void say_result(struct pl_buf *out, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    grain_say_fixed(out, lang, result->inverse ? result->ur : result->moisture);
    pl_buf_printf(out, " %s\n",
                  result->inverse ? grain_words(lang, "% RH", "% UR", "% HR") : grain_unit(lang, result->dry));
    grain_say_name(out, lang, result->culture, result->set);
    pl_buf_append_cstr(out, ", ");
    grain_say_number(out, lang, result->ta);
    pl_buf_printf(out, " %s, ", result->fahrenheit ? "°F" : "°C");
    grain_say_number(out, lang, result->inverse ? result->moisture : result->ur);
    if (result->inverse && result->dry)
        grain_say(out, lang, " % moisture, dry basis; ", " % de teor de água, base seca; ",
                  " % de humedad del grano, base seca; ");
    else if (result->inverse)
        grain_say(out, lang, " % moisture; ", " % de teor de água; ", " % de humedad del grano; ");
    else
        grain_say(out, lang, " % humidity; ", " % de umidade relativa; ", " % de humedad relativa; ");
    pl_buf_printf(out, "%s, %s, %s %s\n", grain_equation_info(result->set->equation)->name.in[lang],
                  result->set->standard,
                  grain_words(lang, "constants traced", "constantes rastreadas", "constantes rastreadas"),
                  grain_confidence_id(result->set->confidence));
    pl_buf_printf(out, "%s: %s\n", grain_words(lang, "published tables", "tabelas publicadas", "tablas publicadas"),
                  grain_agreement_text(grain_agreement(result->culture, result->set))->in[lang]);
    say_spread(out, result);
}

static void say_table(struct pl_buf *out, const struct grain_result *chosen)
{
    enum grain_lang lang = chosen->lang;
    const char *unit = chosen->dry ? grain_words(lang, "moisture in % dry basis; columns: relative humidity in %",
                                                 "teor de água do grão em % base seca; colunas: umidade relativa em %",
                                                 "humedad del grano en % base seca; columnas: humedad relativa en %")
                                   : grain_words(lang, "moisture in % wet basis; columns: relative humidity in %",
                                                 "teor de água do grão em % base úmida; colunas: umidade relativa em %",
                                                 "humedad del grano en % base húmeda; columnas: humedad relativa en %");
    grain_say_name(out, lang, chosen->culture, chosen->set);
    pl_buf_printf(out, ", %s, %s: %s\n", grain_equation_info(chosen->set->equation)->name.in[lang],
                  chosen->set->standard, unit);
    pl_buf_append_cstr(out, chosen->fahrenheit ? "°F\\%" : "°C\\%");
    for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++)
        pl_buf_printf(out, "%6d", (int)grain_table_ur(column));
    pl_buf_append_byte(out, '\n');
    for (size_t row = 0; row < grain_table_rows(chosen->fahrenheit); row++) {
        pl_buf_printf(out, "%4d", (int)grain_table_ta(row, chosen->fahrenheit));
        for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++) {
            struct pl_buf cell;
            pl_buf_init(&cell, 64);
            double value = grain_table_cell(chosen, row, column);
            if (isnan(value))
                pl_buf_append_byte(&cell, '-');
            else
                grain_say_fixed(&cell, lang, value);
            pl_buf_printf(out, "%6.*s", (int)cell.len, (const char *)cell.data);
            pl_buf_fini(&cell);
        }
        pl_buf_append_byte(out, '\n');
    }
}

static void answer(const struct arguments *args, struct grain_result *result, struct pl_buf *out)
{
    if (args->table) {
        grain_choose(&args->request, result);
        if (result->error != GRAIN_OK && args->json)
            grain_write_answer(out, &args->request, result);
        else if (result->error == GRAIN_OK && args->json)
            grain_write_table_json(out, &args->request, result);
        else if (result->error == GRAIN_OK && args->csv)
            grain_write_table_csv(out, result, result->lang != GRAIN_EN);
        else if (result->error == GRAIN_OK)
            say_table(out, result);
    } else {
        grain_calculate(&args->request, result);
        if (args->json)
            grain_write_answer(out, &args->request, result);
        else if (result->error == GRAIN_OK)
            say_result(out, result);
    }
    if (args->json)
        pl_buf_append_byte(out, '\n');
}

static int run(const struct arguments *args, struct pl_buf *out)
{
    if (args->scores) {
        grain_write_scores(out);
        return 0;
    }
    if (args->points) {
        grain_write_points(out);
        return 0;
    }
    if (args->list) {
        if (args->json) {
            grain_write_catalog(out);
            pl_buf_append_byte(out, '\n');
        } else {
            list_cultures(out);
        }
        return 0;
    }
    struct grain_result result;
    answer(args, &result, out);
    if (result.error == GRAIN_OK) {
        if (!args->json)
            print_warnings(&args->request, &result);
        return 0;
    }
    if (!args->json) {
        struct pl_buf text;
        pl_buf_init(&text, 4096);
        grain_say_error(&text, &args->request, &result);
        fprintf(stderr, "hygro calc: %.*s\n", (int)text.len, (const char *)text.data);
        pl_buf_fini(&text);
    }
    return 1;
}

int hygro_calc(int argc, char **argv)
{
    struct arguments args = {.positional_count = 0};
    if (!parse(&args, argc, argv))
        return 2;
    if (args.help) {
        fputs(usage, stdout);
        return 0;
    }
    const char *misuse =
        args.csv && !args.table ? "--csv goes with --table"
        : args.csv && args.json ? "either --csv or --json"
        : args.table && (args.positional_count > 1 || args.request.field[GRAIN_F_MOISTURE].kind != GRAIN_ABSENT)
            ? "--table goes with a grain alone"
            : NULL;
    if (misuse != NULL) {
        fprintf(stderr, "hygro calc: %s\n", misuse);
        return 2;
    }
    if (args.positional_count == 0 && !args.list && !args.scores && !args.points) {
        fputs(usage, stderr);
        return 2;
    }
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    int status = run(&args, &out);
    bool written = out.len == 0 || fwrite(out.data, 1, out.len, stdout) == out.len;
    if (!written || fflush(stdout) != 0 || out.failed) {
        fputs("hygro calc: the answer could not be written\n", stderr);
        status = 1;
    }
    pl_buf_fini(&out);
    return status;
}
