// Taking messages of a batch: rows and ends of submitters into the account, results into files.
#include "collect.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "cli/cli_io.h"
#include "failures.h"
#include "os/clock.h"
#include "pack.h"
#include "pieces.h"
#include "registry.h"
#include "result_files.h"
#include "work_job.h"

#define TOLD_MAX 20u
#define DATA_BYTES ((size_t)256 << 10) // that are written at a time
#define NO_SUBMITTER UINT64_C(0)       // no submitter has this number
#define SUBMITTER_SHIFT 48             // of a place in the output: above it is the number of the submitter

// Results that wait to be packed go into their file, many at a time. What a collector that was killed has left there is
// not in its journal.
static enum pl_errc write_data(struct collect *c, struct pl_error *err)
{
    uint64_t place = c->data_end - c->data.len;
    for (size_t at = 0; at < c->data.len;) {
        ssize_t n = pwrite(c->data_fd, c->data.data + at, c->data.len - at, (off_t)(place + at));
        if (n < 0 && errno != EINTR)
            return pl_fail(err, PL_E_BUG, "%s: %s", c->folder, strerror(errno));
        at += n > 0 ? (size_t)n : 0;
    }
    c->data_written = c->data_written || c->data.len > 0;
    pl_buf_clear(&c->data);
    if (c->packer)
        packer_go_on(c->packer);
    return PL_OK;
}

enum pl_errc collect_finish_group(struct collect *c, struct pl_error *err)
{
    if (c->group == 0)
        return PL_OK;
    PL_TRY(write_data(c, err));
    // Only what was written: the same disk may be the broker's.
    if ((c->data_written && fdatasync(c->data_fd) != 0) || (c->files_written && syncfs(c->folder_fd) != 0))
        return pl_fail(err, PL_E_BUG, "%s: %s", c->folder, strerror(errno));
    if (c->lines.len > 0 && !c->lines.failed)
        journal_add(&c->journal, "%.*s", (int)c->lines.len, (const char *)c->lines.data);
    if (c->lines.failed || !journal_sync(&c->journal))
        return pl_fail(err, PL_E_BUG, "%s: %s", c->journal.path, strerror(errno));
    pl_buf_clear(&c->lines);
    c->group = c->group_rows = 0;
    c->data_written = c->files_written = false;
    return c->client.broker ? broker_acknowledge(c->client.broker, c->last_tag, true, err) : PL_OK;
}

static void tell(struct collect *c, struct pl_slice id, struct pl_slice what)
{
    if (c->quiet || c->told++ >= TOLD_MAX)
        return;
    fputs(c->bar.any ? "\r\033[Kplaten collect: " : "platen collect: ", stderr);
    broker_print(stderr, id, PL_ID_MAX);
    fputs(": ", stderr);
    broker_print(stderr, what, 300);
    fputc('\n', stderr);
}

// A result of a row that this output does not know: it is no part of it, and is not lost.
static enum pl_errc put_aside(struct collect *c, const struct result_file *result, struct pl_error *err)
{
    char folder[4100];
    snprintf(folder, sizeof folder, "%s.foreign", c->output);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return pl_fail(err, PL_E_BUG, "%s: %s", folder, strerror(errno));
    c->foreign++;
    return result_files_write(folder, result, true, err) == PL_OK ? PL_OK : (err->code = PL_E_BUG);
}

// The result behind those that wait to be packed.
static enum pl_errc append(struct collect *c, struct pl_slice body, struct pl_error *err)
{
    pl_buf_append_slice(&c->data, body);
    c->data_end += body.len;
    if (c->data.failed)
        return pl_fail_memory(err);
    return c->data.len >= DATA_BYTES ? write_data(c, err) : PL_OK;
}

// Not as an error of the connection: what cannot be written now is not in the journal, and comes again.
static enum pl_errc write_files(struct collect *c, const struct group_row *row, struct pl_error *err)
{
    const struct result_file file = {
        .id = row->id, .body = row->body, .type = row->type, .ending = row->ending, .ok = row->ok};
    if (result_files_write(c->folder, &file, false, err) != PL_OK)
        return err->code = PL_E_BUG;
    c->files_written = true;
    return PL_OK;
}

// The result's line of the journal (pack.h).
static void put_line(struct pl_buf *out, const struct pack_row *row)
{
    pl_buf_append_u64(out, row->sequence);
    pl_buf_append_cstr(out, row->ok ? "\tok\t" : "\terror\t");
    pl_buf_append_slice(out, row->type);
    if (row->has_place) {
        pl_buf_append_byte(out, ' ');
        pl_buf_append_u64(out, row->place);
        pl_buf_append_byte(out, ' ');
        pl_buf_append_u64(out, row->size);
    }
    pl_buf_append_byte(out, '\t');
    pl_buf_append_slice(out, row->ending);
    pl_buf_append_byte(out, '\t');
    pl_buf_append_slice(out, row->id);
    pl_buf_append_byte(out, '\n');
}

static enum pl_errc keep(struct collect *c, const struct group_row *row, struct pl_slice worker, struct pl_error *err)
{
    const bool waits = c->packs && row->ok, several = pl_slice_eq_cstr(row->type, "application/zip");
    const struct pack_row kept = {
        .sequence = row->sequence + ((uint64_t)account_index(&c->account, row->mark.submitter) << SUBMITTER_SHIFT),
        .place = waits ? c->data_end : 0,
        .size = waits ? row->body.len : 0,
        .ok = row->ok,
        .has_place = waits,
        .type = pl_slice_cstr(several ? "application/zip" : "application/octet-stream"),
        .ending = row->ending,
        .id = row->id};
    PL_TRY(waits ? append(c, row->body, err) : write_files(c, row, err));
    c->any_failed = c->any_failed || !row->ok;
    if (row->ok && c->any_failed) // it may be a row that was tried again
        result_files_remove_error(c->folder, row->id);
    collect_count_worker(c, worker);
    account_settle(&c->account, row->id, row->ok);
    c->packed = false;
    if (!row->ok)
        tell(c, row->id, row->body);
    put_line(&c->lines, &kept);
    if (c->packer)
        packer_note(c->packer, &kept);
    c->group_rows++;
    return PL_OK;
}

static enum pl_errc drop(struct collect *c, struct pl_slice id)
{
    c->strange++;
    tell(c, id, pl_slice_cstr("this is no result of a worker; it is dropped"));
    return PL_OK;
}

// Somebody else's, who knows what row there is, and has not seen its job. The real one is waited for.
static enum pl_errc refuse(struct collect *c, struct pl_slice id)
{
    c->forged++;
    tell(c, id, pl_slice_cstr("this result has no proof of its row; it is refused"));
    return PL_OK;
}

// The row has failed, and this is why.
static enum pl_errc keep_failure(struct collect *c, const struct account_mark *mark, struct pl_slice id,
                                 const struct problem *problem, struct pl_slice worker, struct pl_error *err)
{
    struct work_result result;
    if (account_judge(&c->account, mark, id, false) != ACCOUNT_KEEP)
        return PL_OK;
    work_result_init(&result);
    work_result_fail(&result, problem);
    const struct group_row row = {.mark = *mark,
                                  .id = id,
                                  .body = pl_buf_slice(&result.body),
                                  .type = pl_slice_cstr(result.type),
                                  .ending = pl_slice_cstr(result.ending)};
    enum pl_errc code = keep(c, &row, worker, err);
    work_result_free(&result);
    return code;
}

static enum pl_errc take_refusal(struct collect *c, const struct account_mark *mark, struct pl_slice id,
                                 struct pl_slice reason, struct pl_error *err)
{
    struct problem problem;
    problem_set(&problem, 400, "refused", "`platen submit` refused it: %.*s", (int)reason.len,
                (const char *)reason.ptr);
    return keep_failure(c, mark, id, &problem, pl_slice_cstr(""), err);
}

// Keeps it, unless it is something else than was asked for, of a worker that is damaged or false: no part of a PDF, or
// one where files are wanted. That must not stop the output of all others.
static enum pl_errc keep_fitting(struct collect *c, const struct group_row *row, const struct result_file *file,
                                 struct pl_slice worker, struct pl_error *err)
{
    struct problem problem;
    bool fits = !pl_slice_eq_cstr(row->ending, "part");
    if (row->ok && pack_is_pdf(c->output))
        PL_TRY(pack_check_parts(&c->checker, file, &fits, err));
    if (!row->ok || fits)
        return keep(c, row, worker, err);
    problem_set(&problem, 500, "unusable_result", "The worker's result is %s.",
                pack_is_pdf(c->output) ? "no part of a PDF" : "a part of a PDF");
    return keep_failure(c, &row->mark, row->id, &problem, worker, err);
}

// A line of a note: mark, tab, id, and what may be behind another tab.
struct listed {
    struct pl_slice row; // mark, tab and id
    struct account_mark mark;
    struct pl_slice id, more;
    bool has_more;
};

// Takes the next row; what is none is left out. False: there is none.
static bool next_listed(struct pl_slice *body, struct listed *out)
{
    for (const uint8_t *end; body->len > 0 && (end = memchr(body->ptr, '\n', body->len));) {
        struct pl_slice line = pl_slice_sub(*body, 0, (size_t)(end - body->ptr));
        struct pl_slice id = pl_slice_sub(line, ACCOUNT_MARK_SIZE, line.len);
        const uint8_t *tab = id.len > 0 ? memchr(id.ptr, '\t', id.len) : NULL;
        if (tab)
            id.len = (size_t)(tab - id.ptr);
        *body = pl_slice_sub(*body, line.len + 1, body->len);
        *out = (struct listed){.row = pl_slice_sub(line, 0, ACCOUNT_MARK_SIZE + id.len),
                               .id = id,
                               .more = pl_slice_sub(line, ACCOUNT_MARK_SIZE + id.len + 1, line.len),
                               .has_more = tab != NULL};
        if (account_mark_read(pl_slice_sub(line, 0, ACCOUNT_MARK_SIZE - 1), &out->mark) && pl_id_usable(id) &&
            line.ptr[ACCOUNT_MARK_SIZE - 1] == '\t')
            return true;
    }
    return false;
}

static void note_row(struct collect *c, const char *begin, const struct listed *row)
{
    pl_buf_append_cstr(&c->lines, begin);
    pl_buf_append_slice(&c->lines, row->row);
    pl_buf_append_byte(&c->lines, '\n');
}

// Rows that their submitter lists; none where it enters the batch. Behind one that it refused is the reason.
static enum pl_errc take_rows(struct collect *c, struct pl_slice body, uint64_t submitter, struct pl_error *err)
{
    if (!account_open(&c->account, submitter))
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    if (body.len == 0)
        pl_buf_printf(&c->lines, COLLECT_OPEN "%016llx\t-\n", (unsigned long long)submitter);
    for (struct listed row; next_listed(&body, &row);) {
        if (row.mark.submitter != submitter)
            continue;
        if (!account_list(&c->account, &row.mark, row.id))
            return pl_fail(err, PL_E_MEMORY, "not enough memory");
        note_row(c, ROW_OF_JOURNAL, &row);
        if (row.has_more && row.mark.hash == ACCOUNT_REFUSED)
            PL_TRY(take_refusal(c, &row.mark, row.id, row.more, err));
    }
    return PL_OK;
}

// Rows that are known and that others send again. Behind each is its proof.
static enum pl_errc take_rows_again(struct collect *c, struct pl_slice body, struct pl_error *err)
{
    for (struct listed row; next_listed(&body, &row);) {
        if (!account_token_read(row.more, &row.mark.proof) || !account_is_proven(&c->account, &row.mark, row.id)) {
            PL_TRY(refuse(c, row.id));
            continue;
        }
        if (!account_list_again(&c->account, &row.mark, row.id))
            return pl_fail(err, PL_E_MEMORY, "not enough memory");
        note_row(c, COLLECT_AGAIN, &row);
    }
    return PL_OK;
}

// Who cancels a batch knows one of its submitters.
static void take_cancel(struct collect *c, struct pl_slice body)
{
    uint64_t submitter;
    for (; body.len >= 17 && !c->account.cancelled; body = pl_slice_sub(body, 17, body.len))
        c->account.cancelled = account_token_read(pl_slice_sub(body, 0, 16), &submitter) &&
                               account_index(&c->account, submitter) != SIZE_MAX;
    if (c->account.cancelled)
        pl_buf_printf(&c->lines, COLLECT_CANCELLED "\n");
    else
        c->strange++;
}

// Notes the submitter's secret. *is_it: it is the one that is known under this number.
static enum pl_errc meet_submitter(struct collect *c, const struct broker_message *m, uint64_t submitter, bool *is_it,
                                   struct pl_error *err)
{
    struct pl_slice text;
    char secret[ACCOUNT_SECRET_SIZE] = "";
    *is_it = !broker_header_of(m, HEADER_SECRET, &text) || account_secret_read(text, secret);
    if (!*is_it)
        return PL_OK;
    bool is_new = account_index(&c->account, submitter) == SIZE_MAX;
    *is_it = account_share(&c->account, submitter, secret);
    if (!*is_it && is_new)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    if (is_new && secret[0])
        pl_buf_printf(&c->lines, COLLECT_SECRET "%016llx\t%s\n", (unsigned long long)submitter, secret);
    return PL_OK;
}

// A fence says that its collector has taken the whole account, and expires soon: nothing will come here.
static enum pl_errc take_fence(struct collect *c, const struct broker_message *m, struct pl_error *err)
{
    struct pl_slice host, output;
    if (c->fence[0] && pl_slice_eq_cstr(m->id, c->fence)) {
        c->fence_came = true;
        return PL_OK;
    }
    if (c->account.submitter_count > 0 || !broker_header_of(m, HEADER_HOST, &host) ||
        !broker_header_of(m, HEADER_OUTPUT, &output))
        return PL_OK;
    fputs("platen collect: ", stderr);
    broker_print(stderr, host, 80);
    fputs(" collects the batch into ", stderr);
    broker_print(stderr, output, 1000);
    fputc('\n', stderr);
    return pl_fail(err, PL_E_INVALID, "another collector has all rows of batch %s: none is left for this one",
                   c->client.batch);
}

// What submitters tell, `platen batch`, and the collector itself.
static enum pl_errc take_note(struct collect *c, const struct broker_message *m, struct pl_slice kind,
                              struct pl_error *err)
{
    struct pl_slice text = pl_slice_cstr("");
    uint64_t submitter = NO_SUBMITTER, total = 0;
    if (pl_slice_eq_cstr(kind, KIND_FENCE))
        return take_fence(c, m, err);
    if (pl_slice_eq_cstr(kind, KIND_AGAIN))
        return take_rows_again(c, m->body, err);
    if (pl_slice_eq_cstr(kind, KIND_CANCELLED)) {
        take_cancel(c, m->body);
        return PL_OK;
    }
    bool parts = broker_header_of(m, HEADER_PARTS, &text) && pl_slice_eq_cstr(text, "true");
    if (parts != pack_is_pdf(c->output))
        return pl_fail(err, PL_E_INVALID,
                       parts ? "the batch was sent for a PDF: -o must be a FILE.pdf"
                             : "a PDF is made of a batch that `platen submit --for-pdf` has sent; this one was sent "
                               "without it: -o must be a folder or a FILE.zip");
    if (!broker_header_of(m, HEADER_SUBMITTER, &text) || !account_token_read(text, &submitter) ||
        submitter == NO_SUBMITTER)
        return drop(c, m->id);
    bool known = true;
    PL_TRY(meet_submitter(c, m, submitter, &known, err));
    if (!known)
        return drop(c, m->id);
    if (pl_slice_eq_cstr(kind, KIND_ROWS))
        return take_rows(c, m->body, submitter, err);
    if (!pl_slice_eq_cstr(kind, KIND_CLOSED) || !broker_header_of(m, HEADER_COUNT, &text) ||
        !pl_parse_u64(text, &total))
        return drop(c, m->id);
    if (!account_close(&c->account, submitter, total))
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    pl_buf_printf(&c->lines, COLLECT_CLOSED "%016llx\t%llu\n", (unsigned long long)submitter,
                  (unsigned long long)total);
    return PL_OK;
}

// Keeps what is the result of a row.
static enum pl_errc take_row(struct collect *c, const struct group_row *row, struct pl_slice worker,
                             struct pl_error *err)
{
    const struct result_file file = {
        .id = row->id, .body = row->body, .type = row->type, .ending = row->ending, .ok = row->ok};
    if (!result_usable(&file))
        return drop(c, row->id);
    if (!account_is_proven(&c->account, &row->mark, row->id))
        return refuse(c, row->id);
    switch (account_judge(&c->account, &row->mark, row->id, row->ok)) {
    case ACCOUNT_KEEP:
        return keep_fitting(c, row, &file, worker, err);
    case ACCOUNT_FOREIGN:
        return put_aside(c, &file, err);
    case ACCOUNT_KNOWN:
        c->duplicates++;
        break;
    }
    return PL_OK;
}

static struct pl_slice worker_of(const struct broker_message *m)
{
    struct pl_slice name = pl_slice_cstr("");
    (void)broker_header_of(m, HEADER_WORKER, &name);
    return name;
}

static enum pl_errc take_result(struct collect *c, const struct broker_message *m, struct pl_slice body,
                                struct pl_error *err)
{
    struct pl_slice text;
    struct group_row row = {.id = m->id, .body = body, .type = m->type, .ending = pl_slice_cstr("bin")};
    if (!broker_header_of(m, HEADER_ROW, &text) || !account_proven_read(text, &row.mark))
        return drop(c, m->id);
    if (broker_header_of(m, HEADER_SEQUENCE, &text) && !pl_parse_u64(text, &row.sequence))
        row.sequence = 0;
    (void)broker_header_of(m, HEADER_ENDING, &row.ending);
    row.ok = broker_header_of(m, HEADER_OK, &text) && pl_slice_eq_cstr(text, "true");
    return take_row(c, &row, worker_of(m), err);
}

static enum pl_errc take_group(struct collect *c, const struct broker_message *m, struct pl_error *err)
{
    struct pl_slice rest = m->body, worker = worker_of(m);
    struct group_row row;
    uint32_t count;
    if (!group_usable(rest, &count))
        return drop(c, m->id);
    while (rest.len > 0 && group_next(&rest, &row))
        PL_TRY(take_row(c, &row, worker, err));
    return PL_OK;
}

static enum pl_errc take_piece(struct collect *c, const struct broker_message *m, struct pl_slice text,
                               struct pl_error *err)
{
    struct piece piece;
    struct cli_input file;
    struct account_mark mark;
    struct pl_slice row;
    char path[4200];
    bool whole = false;
    if (!piece_read(text, &piece) || !broker_header_of(m, HEADER_ROW, &row) || !account_proven_read(row, &mark))
        return drop(c, m->id);
    // What nobody can prove, or nobody here waits for, takes no room on the disk: most of it might never come.
    if (account_index(&c->account, mark.submitter) == SIZE_MAX)
        return drop(c, m->id);
    if (!account_is_proven(&c->account, &mark, m->id))
        return refuse(c, m->id);
    c->files_written = true;
    enum pl_errc code = piece_write(c->folder, &piece, m->body, path, sizeof path, &whole, err);
    if (code == PL_E_INVALID)
        return drop(c, m->id);
    if (code != PL_OK || !whole)
        return code;
    if (!cli_read(path, (size_t)piece.total + 1, &file, NULL))
        return pl_fail(err, PL_E_BUG, "%s cannot be read", path);
    code = file.size == piece.total ? take_result(c, m, pl_slice_make(file.data, file.size), err) : drop(c, m->id);
    cli_input_free(&file);
    // Pieces that are acknowledged do not come again: the file goes when its result is in the journal.
    if (code == PL_OK)
        code = collect_finish_group(c, err);
    if (code == PL_OK)
        (void)unlink(path);
    return code;
}

enum pl_errc collect_take(struct collect *c, const struct broker_message *m, struct pl_error *err)
{
    struct pl_slice text;
    if (c->group == 0)
        c->group_began_ns = pl_now_ns();
    c->group++;
    c->last_tag = m->tag;
    bool is_note = broker_header_of(m, HEADER_KIND, &text);
    if (!is_note || !pl_slice_eq_cstr(text, KIND_FENCE)) { // collectors that wait send those
        client_progress(&c->client);
        c->written = false;
    }
    if (is_note) // what goes over the exchange is of workers, who tell nothing
        return m->is_direct ? take_note(c, m, text, err) : drop(c, m->id);
    if (broker_header_of(m, HEADER_PIECE, &text))
        return take_piece(c, m, text, err);
    if (pl_slice_eq_cstr(m->type, GROUP_TYPE))
        return take_group(c, m, err);
    return take_result(c, m, m->body, err);
}
