// `platen submit`: the documents of a batch become jobs. Each is confirmed by the broker and then noted in a journal.
#include "submit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/hmac.h"
#include "broker_commands.h"
#include "collect.h"
#include "os/random.h"
#include "pack.h"

#define ROW_MAX ((size_t)64 << 20) // a larger one is not even read

static const char USAGE[] =
    "usage: platen submit FILE|DIR|ROWS... --batch NAME [options]\n"
    "\n"
    "Sends labels to RabbitMQ as jobs for `platen work`. Inputs as of `platen render`: label "
    "files, folders, *.ndjson,\n"
    "*.csv with --template, *.zip. A submitter that was killed continues where it stopped: what is "
    "confirmed is in a journal.\n"
    "\n"
    "  -o, --output OUT      wait for the results, too: as `platen collect -o OUT --delete`, FILE.pdf with --for-pdf;\n"
    "                        the batch is named like OUT where --batch does not name it\n" CLIENT_HELP
    "  --journal FILE        which jobs were sent (NAME.submitted)\n"
    "  --join                add to a batch that another submitter has begun\n"
    "  --missing-from OUT    send again what `platen collect -o OUT` has no good result of: missing and failed rows\n"
    "  --again               send all rows again, also those that have a result\n"
    "  --group N             rows in one message, 1 to 500 (50, later up to 250); 1 where a label takes a second\n"
    "  --job-key-file FILE   a key that the workers have, too, who refuse jobs without it\n"
    "  --template FILE       label code with {{name}} for each row\n"
    "  --rows KIND           what standard input holds: ndjson, csv or zip\n"
    "  --for-pdf             for `platen collect -o FILE.pdf`\n"
    "  -q, --quiet           say nothing but errors\n"
    "  -f, --format FORMAT   png (default), jpeg, webp or pdf\n" CLI_SIZES_HELP CLI_DRAWING_HELP CLI_CHECKING_HELP "\n"
    "Exit status: 0 all were sent, 1 some were not, 2 wrong usage.\n";

// ---- journals

static struct pl_slice take_last_word(struct pl_slice *text)
{
    const uint8_t *blank = text->len > 0 ? memrchr(text->ptr, ' ', text->len) : NULL;
    size_t begin = blank ? (size_t)(blank + 1 - text->ptr) : 0;
    struct pl_slice word = pl_slice_sub(*text, begin, text->len);
    *text = pl_slice_sub(*text, 0, blank ? begin - 1 : 0);
    return word;
}

static void read_title(void *user, struct pl_slice title)
{
    struct submit *s = user;
    uint64_t token;
    // "... TIME TOKEN SECRET", as open_journals writes it; there was no secret before 1.2.0.
    struct pl_slice last = take_last_word(&title);
    s->secret[0] = '\0';
    if (account_secret_read(last, s->secret))
        last = take_last_word(&title);
    if (!account_token_read(last, &token))
        return;
    s->token = token;
    (void)pl_parse_i64(take_last_word(&title), &s->time);
}

static void read_done(void *user, struct pl_slice line)
{
    struct submit *s = user;
    uint64_t hash;
    struct pl_slice id;
    s->begun = true;
    s->marked = s->marked || pl_slice_eq_cstr(line, SUBMIT_MARKED);
    s->making = !s->marked && (s->making || pl_slice_eq_cstr(line, SUBMIT_MAKING));
    s->closed = s->closed || pl_slice_eq_cstr(line, SUBMIT_CLOSED);
    if (submit_runs_read(&s->runs, line) || !row_line_read(line, &hash, &id))
        return;
    s->closed = false;
    (void)pl_id_set_add(&s->known, id);
    (void)pl_id_set_add(&s->sent, line);
    if (!s->missing && !s->again) // what was sent counts only where nobody knows the results
        (void)pl_id_set_add(&s->done, id);
}

// A line of a collector.
static void read_result(void *user, struct pl_slice line)
{
    struct submit *s = user;
    struct pack_row row;
    if (pack_row_read(line, &row) && row.ok)
        (void)pl_id_set_add(&s->done, row.id);
}

// The collector of `--missing-from` may be at work: its journal is only read.
static enum pl_errc read_results(struct submit *s, struct pl_error *err)
{
    char kind[160], *path = NULL;
    if (asprintf(&path, is_folder(s->missing) ? "%s/" PACK_JOURNAL : "%s.parts/" PACK_JOURNAL, s->missing) < 0)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    snprintf(kind, sizeof kind, COLLECT_KIND "%s", s->client.batch);
    enum pl_errc code = journal_read(path, kind, &(struct journal_reader){.line = read_result, .user = s}, err);
    free(path);
    return code;
}

// Workers who have the key would refuse what was begun without it.
static enum pl_errc check_key(const struct submit *s, struct pl_error *err)
{
    char secret[ACCOUNT_SECRET_SIZE];
    if (!s->key.text[0])
        return PL_OK;
    job_key_secret(&s->key, s->token, secret);
    if (pl_secret_eq(pl_slice_cstr(secret), pl_slice_cstr(s->secret)))
        return PL_OK;
    return pl_fail(err, PL_E_INVALID, "--job-key-file: %s was begun without this key: name another batch",
                   s->journal_path);
}

static bool open_journals(struct submit *s)
{
    struct pl_error err = {0};
    char title[256], kind[160];
    const struct journal_reader reader = {read_title, read_done, s};
    if (!s->journal_path) {
        if (asprintf(&s->made_path, "%s.submitted", s->client.batch) < 0)
            return false;
        s->journal_path = s->made_path;
    }
    const struct platen_options *render = &s->options.render;
    s->time = render->has_time ? render->time : (int64_t)time(NULL);
    uint64_t secret[2];
    if (!pl_random(&s->token, sizeof s->token) || !pl_random(secret, sizeof secret) ||
        !pl_random(&s->attempt, sizeof s->attempt))
        return false;
    snprintf(kind, sizeof kind, SUBMIT_JOURNAL "%s", s->client.batch);
    snprintf(s->secret, sizeof s->secret, "%016llx%016llx", (unsigned long long)secret[0],
             (unsigned long long)secret[1]);
    if (s->key.text[0])
        job_key_secret(&s->key, s->token, s->secret);
    snprintf(title, sizeof title, "%s %lld %016llx %s", kind, (long long)s->time, (unsigned long long)s->token,
             s->secret);
    enum pl_errc code = journal_open(&s->journal, s->journal_path, kind, title, &reader, &err);
    pl_hmac_prepare(&s->key_of_rows, pl_slice_cstr(s->secret));
    if (code == PL_OK)
        code = check_key(s, &err);
    if (code == PL_OK && s->missing)
        code = read_results(s, &err);
    if (code != PL_OK)
        fprintf(stderr, "platen submit: %s\n", err.message);
    return code == PL_OK;
}

// ---- arguments

// `-o`: what it says of the batch. False: its name cannot be that of a batch.
static bool name_by_output(struct submit *s)
{
    const char *slash = strrchr(s->output, '/');
    if (!s->client.batch)
        s->client.batch = slash ? slash + 1 : s->output;
    s->for_pdf = s->for_pdf || pack_is_pdf(s->output);
    return broker_batch_usable(pl_slice_cstr(s->client.batch));
}

static bool read_key(void *command, const char *value, struct pl_buf *why)
{
    struct submit *s = command;
    struct pl_error err = {0};
    if (job_key_load(&s->key, value, &err) == PL_OK)
        return true;
    pl_buf_append_cstr(why, err.message);
    return false;
}

static bool read_rows(void *command, const char *value)
{
    struct submit *s = command;
    return row_kind_by_name(value, &s->rows);
}

static enum cli_result refuse_objects(void *command, int option, const char *value)
{
    (void)command, (void)value;
    if (option != OPT_OBJECTS)
        return CLI_NOT_MINE;
    fprintf(stderr, "platen submit: --objects is for `platen work`: a job takes no objects with it\n");
    return CLI_BAD;
}

_Static_assert(offsetof(struct submit, client) == 0, "rows of the client");
static const struct cli_row ROWS[] = {
    CLI_ROW_GROUPS(GROUP_LABELS),
    CLI_ROW_LIMITS,
    CLIENT_ROWS,
    {"journal", '\0', CLI_TO_TEXT(struct submit, journal_path)},
    {"join", '\0', CLI_TO_FLAG(struct submit, joins)},
    {"missing-from", '\0', CLI_TO_TEXT(struct submit, missing)},
    {"again", '\0', CLI_TO_FLAG(struct submit, again)},
    {"group", '\0', CLI_TO_COUNT(struct submit, group, 1, GROUP_ROWS_MOST, "must be a number from 1 to 500")},
    {"job-key-file", '\0', CLI_JUDGE(read_key)},
    {"template", '\0', CLI_TO_TEXT(struct submit, template_path)},
    {"rows", '\0', CLI_READ(read_rows, "must be " ROW_KIND_LIST)},
    {"for-pdf", '\0', CLI_TO_FLAG(struct submit, for_pdf)},
    {"output", 'o', CLI_TO_TEXT(struct submit, output)},
    {"quiet", 'q', CLI_TO_FLAG(struct submit, quiet)},
};
static const struct cli_command COMMAND = {"submit", USAGE, CLI_ROWS(ROWS), .letters = "f:", .other = refuse_objects};

// 0: go on; otherwise the exit status plus one.
static int read_arguments(struct submit *s, int argc, char **argv)
{
    client_arguments(argc, argv);
    s->runs.command = submit_command_write(argc, argv);
    int status = cli_arguments(&COMMAND, argc, argv, s, &s->options);
    if (status)
        return status;
    enum output output = s->options.controls.format;
    if (s->output && !name_by_output(s))
        return cli_usage_error(&COMMAND, "-o: its name cannot be that of a batch: add --batch NAME");
    if (!s->client.batch)
        return cli_usage_error(&COMMAND, "--batch names the batch");
    if (output == OUTPUT_JSON || output == OUTPUT_BASE64)
        return cli_usage_error(&COMMAND, "--format: must be png, jpeg, webp or pdf");
    if (optind == argc)
        return cli_usage_error(&COMMAND, "name files, folders or rows");
    if (!client_check(&s->client))
        return CLI_WRONG_USAGE;
    if (s->output && pack_is_taken(s->output)) {
        fprintf(stderr, "platen submit: -o: %s is there already: remove it, or name another file\n", s->output);
        return CLI_WRONG_USAGE;
    }
    for (int i = optind; i < argc; i++) {
        submit_runs_add_input(&s->runs, argv[i]);
        if (!path_list_add_input(&s->inputs, argv[i]))
            return 2;
    }
    return 0;
}

static int submit_all(struct submit *s)
{
    struct controls controls = controls_without_pdf(&s->options.controls);
    row_source_init(&s->source, &s->inputs, &controls, ROW_MAX);
    s->source.standard = s->rows ? s->rows : ROW_LINES;
    if (s->template_path) {
        if (!template_load(&s->template, s->template_path, SUBMIT_JOB_MAX, &s->options.limits))
            return 1;
        s->source.template = &s->template;
    }
    if (!open_journals(s))
        return 1;
    for (uint32_t i = 0; i < SUBMIT_WINDOW; i++)
        row_document_init(&s->window[i].document);
    progress_begin_lines(&s->bar, !s->quiet);
    bool ok = submit_run(s);
    progress_end(&s->bar, (size_t)(s->confirmed + s->skipped), (size_t)s->refused);
    if (!s->quiet)
        fprintf(stderr, "%llu sent, %llu were sent before, %llu refused; batch %s has %llu jobs\n",
                (unsigned long long)s->confirmed, (unsigned long long)s->skipped, (unsigned long long)s->refused,
                s->client.batch, (unsigned long long)s->known.count);
    for (uint32_t i = 0; i < SUBMIT_WINDOW; i++)
        row_document_free(&s->window[i].document);
    broker_close(&s->client.broker);
    return ok && s->refused == 0 ? 0 : 1;
}

// The results, by `platen collect` with the same options of the broker. All are there and good: the journal has done
// its work, and the name of the batch is free.
static int collect_output(struct submit *s)
{
    char name[] = "platen collect", quiet[] = "-q", delete[] = "--delete", out[] = "-o";
    char *args[8 + CLIENT_ARGUMENTS] = {name, delete, out, (char *)(uintptr_t)s->output};
    int count = client_pass_on(&s->client, args, 4);
    if (s->quiet)
        args[count++] = quiet;
    args[count] = NULL;
    optind = 0; // getopt begins anew
    int status = command_collect(count, args);
    if (status == 0)
        (void)unlink(s->journal_path);
    return status;
}

int command_submit(int argc, char **argv)
{
    struct submit *s = calloc(1, sizeof *s);
    if (!s) {
        fprintf(stderr, "platen submit: not enough memory\n");
        return 1;
    }
    s->options = cli_options_init();
    s->reconnect_at = SUBMIT_RECONNECT;
    client_init(&s->client, "submit");
    s->client.declares = true;
    pl_buf_init(&s->refusals, SIZE_MAX / 2);
    int status = read_arguments(s, argc, argv);
    bool starts = status == 0;
    status = starts ? submit_all(s) : status - 1;
    journal_close(&s->journal);
    // Rows that were refused are told; the others are sent.
    if (starts && s->output && s->left)
        status |= collect_output(s);
    row_source_free(&s->source);
    template_free(&s->template);
    path_list_free(&s->inputs);
    pl_id_set_free(&s->done);
    pl_id_set_free(&s->seen);
    pl_id_set_free(&s->known);
    pl_id_set_free(&s->sent);
    pl_buf_fini(&s->refusals);
    free(s->made_path);
    free(s->runs.command);
    free(s);
    return status;
}
