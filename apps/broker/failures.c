// Writing the rows that have no good result.
#include "failures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json_reader.h"
#include "cli/cli_io.h"
#include "journal.h"

#define ERROR_MAX ((size_t)1 << 20)
#define REASON_MAX 1000u

struct failures {
    const struct account *account;
    const char *folder;
    FILE *out;
    struct pl_id_set written;
    uint64_t count;
};

bool failures_row_read(struct pl_slice line, const char *kind, struct account_mark *mark, struct pl_slice *id)
{
    size_t begin = strlen(kind), end = begin + ACCOUNT_MARK_SIZE - 1;
    if (line.len < end + 2 || memcmp(line.ptr, kind, begin) != 0 || line.ptr[end] != '\t')
        return false;
    *id = pl_slice_sub(line, end + 1, line.len);
    return account_mark_read(pl_slice_sub(line, begin, end - begin), mark);
}

static void put_field(FILE *out, struct pl_slice text)
{
    fputc('"', out);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            fputc('"', out);
        fputc(text.ptr[i] >= 0x20 ? text.ptr[i] : ' ', out);
    }
    fputc('"', out);
}

static void put_row(struct failures *f, struct pl_slice id, const char *state, struct pl_slice code,
                    struct pl_slice reason)
{
    if (f->count++ == 0)
        fputs("id,state,code,reason\n", f->out);
    put_field(f->out, id);
    fprintf(f->out, ",%s,", state);
    put_field(f->out, code);
    fputc(',', f->out);
    put_field(f->out, reason);
    fputc('\n', f->out);
}

// "code" and "error" of a worker's problem; what is no such JSON is the reason as it is.
struct problem_text {
    struct pl_slice code, reason;
    uint8_t rooms[2][REASON_MAX];
};

static void read_problem(struct pl_slice text, struct problem_text *out)
{
    struct pl_json_reader json;
    struct pl_slice *value = NULL;
    out->reason = pl_slice_sub(text, 0, REASON_MAX);
    pl_json_reader_init(&json, text);
    for (enum pl_json_event event; (event = pl_json_next(&json)) != PL_JSON_END && event != PL_JSON_BAD;) {
        bool fits = json.token.len <= REASON_MAX;
        if (event == PL_JSON_STRING && value && json.escaped && fits) {
            uint8_t *room = out->rooms[value == &out->reason];
            *value = pl_slice_make(room, pl_json_unescape(json.token, room));
        } else if (event == PL_JSON_STRING && value) {
            *value = pl_slice_sub(json.token, 0, REASON_MAX);
        }
        bool is_key = event == PL_JSON_KEY;
        value = is_key && pl_slice_eq_cstr(json.token, "code")    ? &out->code
                : is_key && pl_slice_eq_cstr(json.token, "error") ? &out->reason
                                                                  : NULL;
    }
}

static void put_failed(struct failures *f, struct pl_slice id)
{
    struct pl_buf path;
    struct cli_input file = {0};
    struct problem_text problem = {.code = pl_slice_cstr(""), .reason = pl_slice_cstr("its reason cannot be read")};
    pl_buf_init(&path, 8192);
    pl_buf_printf(&path, "%s/", f->folder);
    pl_file_name(id, &path);
    pl_buf_append(&path, ".error.json", sizeof ".error.json");
    if (!path.failed && cli_read((const char *)path.data, ERROR_MAX, &file, NULL))
        read_problem(pl_slice_make(file.data, file.size), &problem);
    put_row(f, id, "failed", problem.code, problem.reason);
    cli_input_free(&file);
    pl_buf_fini(&path);
}

static void read_line(void *user, struct pl_slice line)
{
    struct failures *f = user;
    struct account_mark mark;
    struct pl_slice id;
    if (!failures_row_read(line, ROW_OF_JOURNAL, &mark, &id))
        return;
    enum account_state state = account_state_of(f->account, &mark, id);
    // Once, however often it was listed: without its attempt.
    mark.attempt = 0;
    char text[ACCOUNT_MARK_SIZE + PL_ID_MAX + 1];
    account_mark_write(&mark, text);
    if (state == ACCOUNT_GOOD)
        return;
    struct pl_slice key = id;
    if (state == ACCOUNT_CLASH) {
        snprintf(text + ACCOUNT_MARK_SIZE - 1, sizeof text - ACCOUNT_MARK_SIZE, "%.*s", (int)id.len,
                 (const char *)id.ptr);
        key = pl_slice_cstr(text);
    }
    if (pl_id_set_add(&f->written, key) == PL_ID_KNOWN)
        return;
    if (state == ACCOUNT_FAILED)
        put_failed(f, id);
    else if (state == ACCOUNT_CLASH)
        put_row(f, id, "failed", pl_slice_cstr("id_taken"),
                pl_slice_cstr("Another submitter of the batch has sent another row with this id."));
    else if (f->account->cancelled)
        put_row(f, id, "cancelled", pl_slice_cstr("cancelled"), pl_slice_cstr("The batch was cancelled."));
    else
        put_row(f, id, "missing", pl_slice_cstr("no_result"), pl_slice_cstr("No result has come."));
}

enum pl_errc failures_print(const struct account *account, const char *journal, const char *kind, const char *folder,
                            FILE *out, uint64_t *count, struct pl_error *err)
{
    struct failures f = {.account = account, .folder = folder, .out = out};
    enum pl_errc code = journal_read(journal, kind, &(struct journal_reader){.line = read_line, .user = &f}, err);
    pl_id_set_free(&f.written);
    *count = f.count;
    return code;
}

enum pl_errc failures_write(const struct account *account, const char *journal, const char *kind, const char *folder,
                            const char *path, uint64_t *count, struct pl_error *err)
{
    *count = 0;
    if (account->pending + account->failed + account->clashes == 0) {
        if (unlink(path) != 0 && errno != ENOENT)
            return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
        return PL_OK;
    }
    FILE *out = fopen(path, "we");
    if (!out)
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    enum pl_errc code = failures_print(account, journal, kind, folder, out, count, err);
    bool whole = !ferror(out) && fflush(out) == 0 && fdatasync(fileno(out)) == 0;
    if (fclose(out) != 0 || !whole)
        code = code == PL_OK ? pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno)) : code;
    return code;
}
