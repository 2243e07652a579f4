// Numbering the documents of several runs.
#include "submit_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "base/fmt.h"
#include "base/hash.h"

#define RUN_BITS 32      // of a place: above them is the number of the run
#define LINE "\tinputs " // no id has a tab
#define COMMAND "\tcommand "

void submit_runs_add_input(struct submit_runs *runs, const char *name)
{
    runs->inputs = runs->inputs * 0x9E3779B97F4A7C15u + pl_hash_fnv1a(pl_slice_cstr(name));
}

bool submit_runs_read(struct submit_runs *runs, struct pl_slice line)
{
    char own[64];
    if (line.len == 0 || line.ptr[0] != '\t')
        return false;
    if (line.len < strlen(LINE) || memcmp(line.ptr, LINE, strlen(LINE)) != 0)
        return true; // not of its inputs
    snprintf(own, sizeof own, LINE "%016llx", (unsigned long long)runs->inputs);
    if (!runs->is_known && pl_slice_eq_cstr(line, own)) {
        runs->is_known = true;
        runs->own = runs->count;
    }
    runs->count++;
    return true;
}

void submit_runs_begin(struct submit_runs *runs, struct journal *journal)
{
    if (runs->is_known)
        return;
    runs->own = runs->count;
    journal_add(journal, LINE "%016llx\n", (unsigned long long)runs->inputs);
    if (runs->command)
        journal_add(journal, "%s\n", runs->command);
}

// --broker, however it is written: --br=URL, too.
static bool is_address(const char *argument)
{
    size_t len = strcspn(argument, "=");
    return len > 3 && len <= strlen("--broker") && strncmp(argument, "--broker", len) == 0;
}

static void put_text(struct pl_buf *out, const char *text)
{
    for (const char *c = text;; c++) {
        pl_buf_printf(out, "%02x", (unsigned)(unsigned char)*c);
        if (!*c)
            return;
    }
}

char *submit_command_write(int argc, char **argv)
{
    struct pl_buf out;
    char *here = getcwd(NULL, 0), *line = NULL;
    pl_buf_init(&out, (size_t)16 << 20);
    pl_buf_printf(&out, COMMAND);
    if (here)
        put_text(&out, here);
    for (int i = 1; i < argc; i++) {
        if (is_address(argv[i]))
            i += !strchr(argv[i], '='); // and its value
        else if (argv[i][0])
            put_text(&out, argv[i]);
    }
    put_text(&out, "");
    if (here && !out.failed)
        line = strndup((const char *)out.data, out.len);
    free(here);
    pl_buf_fini(&out);
    return line;
}

char *submit_command_read(struct pl_slice line)
{
    size_t begin = strlen(COMMAND), len = line.len > begin ? (line.len - begin) / 2 : 0;
    if (len < 2 || memcmp(line.ptr, COMMAND, begin) != 0)
        return NULL;
    char *out = malloc(len + 2);
    for (size_t i = 0; i < len && out; i++) {
        int high = pl_hex_value(line.ptr[begin + 2 * i]), low = pl_hex_value(line.ptr[begin + 2 * i + 1]);
        out[i] = (char)(high < 0 || low < 0 ? 0 : high * 16 + low);
    }
    if (out)
        memset(out + len, 0, 2);
    return out;
}

bool row_line_read(struct pl_slice line, uint64_t *hash, struct pl_slice *id)
{
    if (line.len < 18 || line.ptr[16] != '\t')
        return false;
    *id = pl_slice_sub(line, 17, line.len);
    return account_token_read(pl_slice_sub(line, 0, 16), hash);
}

uint64_t submit_runs_place(const struct submit_runs *runs, uint64_t number)
{
    return (runs->own << RUN_BITS) + number;
}
