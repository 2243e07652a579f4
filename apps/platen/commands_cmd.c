// `platen commands`: the tables of commands and diagnostics, as text, JSON or the pages of docs/.
#include <platen/platen.h>
#include <stdio.h>
#include <string.h>

#include "answer/commands_json.h"
#include "answer/languages.h"
#include "base/buf.h"
#include "base/ckd.h"
#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "commands.h"

static const char USAGE[] =
    "usage: platen commands [NAME...] [options]\n"
    "\n"
    "Lists the commands of ZPL II or another language, or those named (^FO, ~DG, BC), with what is done with them and\n"
    "their parameters.\n"
    "\n"
    "  --language L          those of another language\n"
    "  --json                as JSON, for completion and help in editors\n"
    "  --support S           only full, partial or none\n"
    "  --markdown            as docs/commands.md\n"
    "  --diagnostics         the kinds of diagnostics instead, as docs/diagnostics.md (with --json: as JSON)\n";

static void text_parameter(struct pl_buf *out, const struct platen_command_parameter *p)
{
    pl_buf_append_cstr(out, p->name);
    if (p->values[0]) {
        pl_buf_append_cstr(out, ": ");
        commands_list_values(out, p->values);
    } else if (p->has_range) {
        pl_buf_printf(out, ": %s %d to %d", p->type, p->min, p->max);
    } else {
        pl_buf_printf(out, ": %s", p->type);
    }
    if (p->fallback[0])
        pl_buf_printf(out, " (%s)", p->fallback);
}

static void text_command(struct pl_buf *out, enum platen_language language, uint32_t index,
                         const struct platen_command *c, bool details)
{
    pl_buf_printf(out, "%-4s %-10s %s\n", c->name, c->support_name, c->summary);
    if (!details)
        return;
    if (c->note[0])
        pl_buf_printf(out, "                %s\n", c->note);
    struct platen_command_parameter p;
    for (uint32_t i = 0; platen_command_parameter_at(language, index, i, &p); i++) {
        pl_buf_printf(out, "  %2u  ", i + 1);
        text_parameter(out, &p);
        pl_buf_append_byte(out, '\n');
    }
}

// In a cell of a table a bar would end it.
static void markdown_cell(struct pl_buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            pl_buf_append_cstr(out, "\\|");
        else
            pl_buf_append_byte(out, (uint8_t)*text);
    }
}

static void markdown_command(struct pl_buf *out, enum platen_language language, uint32_t index,
                             const struct platen_command *c)
{
    pl_buf_append_cstr(out, "| `");
    markdown_cell(out, c->name);
    pl_buf_printf(out, "` | %s | ", c->support_name);
    markdown_cell(out, c->summary);
    if (c->note[0]) {
        pl_buf_append_cstr(out, ". ");
        markdown_cell(out, c->note);
    }
    pl_buf_append_cstr(out, " | ");
    struct platen_command_parameter p;
    struct pl_buf cell;
    pl_buf_init(&cell, 4096);
    for (uint32_t i = 0; platen_command_parameter_at(language, index, i, &p); i++) {
        if (i)
            pl_buf_append_cstr(&cell, "; ");
        text_parameter(&cell, &p);
    }
    pl_buf_append_byte(&cell, '\0');
    markdown_cell(out, cell.failed ? "" : (const char *)cell.data);
    pl_buf_fini(&cell);
    pl_buf_append_cstr(out, " |\n");
}

static void markdown_head(struct pl_buf *out, enum platen_language language)
{
    uint32_t counts[3] = {0, 0, 0};
    struct platen_command c;
    for (uint32_t i = 0; platen_command_at(language, i, &c); i++)
        counts[c.support]++;
    const char *name = "", *title = "";
    platen_language_names(language, &name, &title);
    pl_buf_printf(
        out,
        "# %s commands\n\n"
        "<!-- Made by `platen commands --markdown`; a test compares it with the program. Do not edit. -->\n\n"
        "%u commands: %u carried out in full, %u in part, %u without effect on the picture. A command that is not in\n"
        "this list is reported as unknown.\n\n"
        "- **full**: the command does on the picture what it does on a label.\n"
        "- **partial**: the text says what is missing.\n"
        "- **no effect**: the command is read with its parameters, and nothing on the picture depends on it.\n\n"
        "Parameters are in their order, with their range and, in parentheses, the default.%s\n\n"
        "| command | support | what it does | parameters |\n|---|---|---|---|\n",
        title, counts[0] + counts[1] + counts[2], counts[0], counts[1], counts[2],
        language == PLATEN_LANGUAGE_ZPL ? " Lengths in dots follow `^MU`." : "");
}

static void diagnostics(struct pl_buf *out, bool json)
{
    const char *code, *summary;
    enum platen_severity severity;
    if (!json)
        pl_buf_append_cstr(
            out,
            "# Diagnostics\n\n"
            "<!-- Made by `platen commands --diagnostics`; a test compares it with the program. Do not edit. -->\n\n"
            "Bad label code never stops rendering: problems are reported, and the rest is drawn. Each report has "
            "the code\n"
            "below, which stays the same in later versions, the place in the input (byte offset, length, line, "
            "column),\n"
            "the command, the number of the parameter where one is meant, the label, and a sentence. An error means "
            "that the\n"
            "label is probably useless. The severity is the usual one; [findings.md](findings.md) says where it "
            "depends "
            "on the\n"
            "case. [checking.md](checking.md) describes the checks of barcodes, [ci.md](ci.md) the three codes that "
            "only\n"
            "`platen check` has: `file_unreadable`, `not_checked` and `ignore_invalid`.\n\n"
            "| code | usual severity | meaning |\n|---|---|---|\n");
    else
        pl_buf_append_cstr(out, "[");
    for (uint32_t i = 0; platen_diagnostic_kind_at(i, &code, &severity, &summary); i++) {
        if (json) {
            pl_buf_append_cstr(out, i ? ",\n{" : "\n{");
            commands_json_text(out, "code", code);
            pl_buf_append_cstr(out, ",");
            commands_json_text(out, "severity", platen_severity_name(severity));
            pl_buf_append_cstr(out, ",");
            commands_json_text(out, "summary", summary);
            pl_buf_append_cstr(out, "}");
        } else {
            pl_buf_printf(out, "| `%s` | %s | %s |\n", code, platen_severity_name(severity), summary);
        }
    }
    if (json)
        pl_buf_append_cstr(out, "\n]\n");
}

// Is the command one of those named, with or without its prefix, in any case?
static bool is_named(const struct platen_command *c, int count, char **names)
{
    for (int i = 0; i < count; i++) {
        bool font = strcmp(c->name, "^A") == 0 && strncasecmp(names[i], "^A", 2) == 0 && strlen(names[i]) <= 3;
        if (strcasecmp(c->name, names[i]) == 0 || strcasecmp(c->name + 1, names[i]) == 0 || font)
            return true;
    }
    return count == 0;
}

enum form { TEXT, JSON, MARKDOWN };

static uint32_t list(struct pl_buf *out, enum platen_language language, enum form form, const char *support,
                     int name_count, char **names)
{
    if (form == MARKDOWN)
        markdown_head(out, language);
    if (form == JSON)
        pl_buf_append_cstr(out, "[");
    struct platen_command c;
    uint32_t shown = 0;
    for (uint32_t i = 0; platen_command_at(language, i, &c); i++) {
        const char *word = c.support == PLATEN_SUPPORT_NO_EFFECT ? "none" : c.support_name;
        if (!is_named(&c, name_count, names) || (support && strcmp(support, word) != 0))
            continue;
        if (form == JSON) {
            pl_buf_append_cstr(out, shown ? ",\n" : "\n");
            commands_json_one(out, language, i, &c);
        } else if (form == MARKDOWN) {
            markdown_command(out, language, i, &c);
        } else {
            text_command(out, language, i, &c, name_count > 0);
        }
        shown++;
    }
    if (form == JSON)
        pl_buf_append_cstr(out, "\n]\n");
    return shown;
}

// None of the words is a command of the language: which languages have one of them?
static void tell_missing(enum platen_language language, int count, char **names)
{
    const char *name, *title = "";
    (void)platen_language_names(language, &name, &title);
    fprintf(stderr, "platen commands: %s has no command", title);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s '%s'", i ? " or" : "", names[i]);
    bool any = false;
    for (int i = PLATEN_LANGUAGE_ZPL; count > 0 && platen_language_names((enum platen_language)i, &name, &title); i++) {
        enum platen_language other = (enum platen_language)i;
        struct platen_command c;
        bool has = false;
        for (uint32_t k = 0; other != language && !has && platen_command_at(other, k, &c); k++)
            has = is_named(&c, count, names);
        if (has)
            fprintf(stderr, "%s --language %s", any ? "," : "; try", name);
        any = any || has;
    }
    char names_of[LANGUAGES_TEXT_MAX];
    if (!any)
        fprintf(stderr, "; --language %s chooses another table", language_list(names_of, false));
    fputc('\n', stderr);
}

struct arguments {
    enum form form;
    const char *language, *support;
    bool diagnostics;
};

int command_commands(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        {"json", '\0', CLI_TO_CHOICE(struct arguments, enum form, form, JSON)},
        {"support", '\0', CLI_TO_TEXT(struct arguments, support)},
        {"markdown", '\0', CLI_TO_CHOICE(struct arguments, enum form, form, MARKDOWN)},
        {"diagnostics", '\0', CLI_TO_FLAG(struct arguments, diagnostics)},
        {"language", '\0', CLI_TO_TEXT(struct arguments, language)},
    };
    static const struct cli_command COMMAND = {"commands", USAGE, CLI_ROWS(ROWS), .shows_usage = true};
    struct arguments a = {.form = TEXT};
    enum platen_language language = PLATEN_LANGUAGE_ZPL;
    int status = cli_arguments(&COMMAND, argc, argv, &a, NULL);
    if (status)
        return status - 1;
    const char *support = a.support;
    if (a.language && !language_by_name(pl_slice_cstr(a.language), &language)) {
        char known[LANGUAGES_TEXT_MAX];
        fprintf(stderr, "platen commands: --language '%s' is not %s\n", a.language, language_list(known, false));
        return 2;
    }
    if (support && strcmp(support, "full") != 0 && strcmp(support, "partial") != 0 && strcmp(support, "none") != 0)
        return cli_usage_error(&COMMAND, "--support is full, partial or none") - 1;
    struct pl_buf out;
    pl_buf_init(&out, 16u << 20);
    if (a.diagnostics) {
        diagnostics(&out, a.form == JSON);
    } else if (list(&out, language, a.form, support, argc - optind, argv + optind) == 0) {
        tell_missing(language, argc - optind, argv + optind);
        status = 1;
    }
    if (status == 0 && (out.failed || !cli_write("-", out.data, out.len, NULL)))
        status = 1;
    pl_buf_fini(&out);
    return status;
}
