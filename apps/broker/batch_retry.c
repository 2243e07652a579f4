// `platen batch failed` and `platen batch retry`: they read what collector and submitter have left on this machine.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "batch.h"
#include "broker_commands.h"
#include "cli/path_list.h"
#include "collect.h"
#include "failures.h"
#include "submit_runs.h"

#define PATH_ROOM 4200u
#define ARGS_MOST 1000

// The output of the batch's collector, or what the command line says. Empty: it is not known, and a line was printed.
static void find_output(struct batch *b, char out[PATH_ROOM])
{
    const struct registry_record *collector = NULL;
    out[0] = '\0';
    if (!b->output && batch_look(b))
        collector = batch_collector(b, b->client.batch);
    if (b->output || collector)
        snprintf(out, PATH_ROOM, "%s", b->output ? b->output : collector->output);
    size_t len = strlen(out);
    while (len > 1 && out[len - 1] == '/')
        out[--len] = '\0';
    if (len == 0)
        (void)batch_fail("no collector of this batch is known: -o names its output");
}

int batch_failed(struct batch *b)
{
    char output[PATH_ROOM], folder[PATH_ROOM + 8], path[PATH_ROOM + 32], kind[160];
    struct pl_error err = {0};
    uint64_t count = 0;
    find_output(b, output);
    if (!output[0])
        return 1;
    const bool in_folder = is_folder(output);
    snprintf(folder, sizeof folder, "%s%s", output, in_folder ? "" : ".parts");
    snprintf(path, sizeof path, "%s/" PACK_JOURNAL, folder);
    snprintf(kind, sizeof kind, COLLECT_KIND "%s", b->client.batch);
    if (access(path, R_OK) != 0) {
        // What a collector has packed without a failure leaves no journal.
        if (!in_folder && access(output, F_OK) == 0)
            return 0;
        fprintf(stderr, "platen batch: %s: %s; -o names the collector's output on this machine\n", path,
                strerror(errno));
        return 1;
    }
    struct collect *c = calloc(1, sizeof *c);
    if (!c)
        return batch_fail("not enough memory");
    enum pl_errc code = journal_read(path, kind, &(struct journal_reader){.line = collect_read_line, .user = c}, &err);
    if (code == PL_OK && c->no_memory)
        code = pl_fail_memory(&err);
    if (code == PL_OK)
        code = failures_print(&c->account, path, kind, folder, stdout, &count, &err);
    account_free(&c->account);
    free(c);
    return code != PL_OK ? batch_fail(err.message) : count > 0;
}

// ---- retry

struct commands {
    struct batch *batch;
    char *args[ARGS_MOST + 32];
    char journal[PATH_ROOM], output[PATH_ROOM];
    uint32_t count;
    int status;
};

static bool make_absolute(char path[PATH_ROOM])
{
    char whole[PATH_ROOM], here[PATH_ROOM];
    if (path[0] == '/' || !getcwd(here, sizeof here))
        return path[0] == '/';
    int len = snprintf(whole, sizeof whole, "%s/%s", here, path);
    if (len < 0 || (size_t)len >= sizeof whole)
        return false;
    memcpy(path, whole, (size_t)len + 1);
    return true;
}

// Runs the command once more.
static void run_again(void *user, struct pl_slice line)
{
    struct commands *c = user;
    char *text = submit_command_read(line), *at = text, name[] = "platen submit";
    if (!text)
        return;
    c->count++;
    size_t len = strlen(text); // the folder; empty texts end the list
    if (chdir(text) != 0) {
        fprintf(stderr, "platen batch: %s: %s\n", text, strerror(errno));
        c->status = 1;
        free(text);
        return;
    }
    int count = 0;
    c->args[count++] = name;
    bool from_input = false;
    for (at += len + 1; *at && count < ARGS_MOST; at += strlen(at) + 1) {
        from_input = from_input || strcmp(at, "-") == 0;
        c->args[count++] = at;
    }
    if (*at) {
        c->status =
            batch_fail("the command has too many arguments to be run again: run it yourself with --missing-from");
        free(text);
        return;
    }
    if (from_input) {
        c->status = batch_fail("rows of standard input are not there any more: use `platen submit - --missing-from`");
        free(text);
        return;
    }
    const char *const MORE[][2] = {{"--journal", c->journal},
                                   {c->batch->all ? "-o" : "--missing-from", c->output[0] ? c->output : NULL}};
    for (size_t i = 0; i < PL_COUNTOF(MORE); i++) {
        for (int k = 0; k < 2 && MORE[i][1]; k++)
            c->args[count++] = (char *)(uintptr_t)MORE[i][k];
    }
    char again[] = "--again";
    if (c->batch->all)
        c->args[count++] = again;
    count = client_pass_on(&c->batch->client, c->args, count);
    optind = 0; // getopt begins anew
    c->status |= command_submit(count, c->args);
    free(text);
}

int batch_retry(struct batch *b)
{
    struct commands *c = calloc(1, sizeof *c);
    struct pl_error err = {0};
    char kind[160];
    if (!c)
        return batch_fail("not enough memory");
    c->batch = b;
    if (b->all)
        snprintf(c->output, sizeof c->output, "%s", b->output ? b->output : "");
    else
        find_output(b, c->output);
    broker_close(&b->client.broker);
    // Without --wait the submitter waits as its command said.
    snprintf(c->journal, sizeof c->journal, b->journal ? "%s" : "%s.submitted",
             b->journal ? b->journal : b->client.batch);
    snprintf(kind, sizeof kind, SUBMIT_JOURNAL "%s", b->client.batch);
    int status = 1;
    if (!b->all && !c->output[0])
        goto end;
    if (!make_absolute(c->journal) || (c->output[0] && !make_absolute(c->output))) {
        (void)batch_fail("a path is too long");
    } else if (journal_read(c->journal, kind, &(struct journal_reader){.line = run_again, .user = c}, &err) != PL_OK) {
        (void)batch_fail(err.message);
    } else if (c->count == 0) {
        fprintf(stderr,
                "platen batch: %s does not say how the batch was submitted: run it where `platen submit` was run, or "
                "use `platen submit ... --missing-from OUT`\n",
                c->journal);
    } else {
        status = c->status;
    }
end:
    free(c);
    return status;
}
