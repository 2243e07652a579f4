// Groups of rows in a lane: drawn one after the other, each with a result of its own. A row whose renderer ends, or
// that has no time, becomes a job of its own, and so do the rows behind one that takes long.
//
// Each step is stored before the next begins: the results of some rows, then a row in trouble, then each row that goes
// alone. The message is acknowledged behind the last. What is interrupted is done again from the last step, and the
// collector recognises what it has.

#include "base/ckd.h"
#include "work_lane.h"

#define GROUP_NS 1000000000u            // of drawing: then other workers may have the rest
#define GROUP_RESULTS ((size_t)1 << 20) // bytes of results, more or less: then they are sent

static void observe(struct lane *lane, uint64_t began)
{
    http_histogram_observe(lane->work->job_time, pl_now_ns() - began);
}

// Renders a row; what ends its renderer once may be the fault of others.
static void draw_row(struct lane *lane, const struct work_request *request, struct pl_slice zpl,
                     struct work_result *one)
{
    struct work *work = lane->work;
    for (int tries = 0; tries < 2; tries++) {
        uint64_t began = pl_now_ns();
        work_result_init(one);
        work_render(&lane->link, request, zpl, atomic_fetch_add(&work->jobs, 1) + 1, work->job_ms, one);
        observe(lane, began);
        if (!one->died || tries > 0)
            return;
        work_result_free(one);
    }
}

void lane_refuse_stranger(struct problem *out)
{
    problem_set(out, 403, "unknown_origin", "The job was sent without the key of the workers: --job-key-file.");
}

// The row's result: what was drawn, or why it was not.
static void do_row(struct lane *lane, const struct work_request *request, const struct group_row *row,
                   struct work_result *one)
{
    struct problem problem;
    if (job_key_proves(&lane->work->key, &row->mark, row->id)) {
        draw_row(lane, request, row->body, one);
        return;
    }
    lane_refuse_stranger(&problem);
    work_result_init(one);
    work_result_fail(one, &problem);
    one->strange = true;
}

static void starve(struct work_result *out, const char *why)
{
    out->starved = out->rows == 0; // what is done is handed in first
    problem_set(&out->problem, 503, "unavailable", "%s", why);
}

static void put_result(struct work_result *out, const struct group_row *row, const struct work_result *one)
{
    struct group_row result = *row;
    result.ok = !one->failed;
    result.type = pl_slice_cstr(one->type);
    result.ending = pl_slice_cstr(one->ending);
    result.body = pl_buf_slice(&one->body);
    group_put(&out->body, &result);
    out->rows++;
    out->errors += one->failed;
    out->labels += one->labels;
}

// Takes the row's result into that of the group. False: it ends here.
static bool take_row(const struct work *work, const struct broker_message *group, const struct group_row *row,
                     const struct work_result *one, struct work_result *out)
{
    struct pl_error why;
    struct work_result note;
    bool stores = work->results[0] && !one->strange; // strangers would fill the disk
    if (one->starved) {
        starve(out, one->problem.message);
        return false;
    }
    if (one->again) {
        out->again = true;
        out->problem = one->problem;
        return false;
    }
    if (stores && !lane_store(work, group, row->id, one, &why)) {
        starve(out, why.message);
        return false;
    }
    if (stores && !one->failed) {
        lane_note(work, group, &note);
        put_result(out, row, &note);
        out->errors--; // the note is one to the collector alone
        out->labels += one->labels;
        work_result_free(&note);
        return true;
    }
    // It has to fit into one message, with its line.
    size_t most = atomic_load(&work->piece);
    if (out->body.len + one->body.len + GROUP_LINE_MOST > most) {
        out->splits = out->rows == 0;
        return false;
    }
    put_result(out, row, one);
    return true;
}

void lane_draw_group(struct lane *lane, const struct broker_message *group, size_t at, struct work_result *out)
{
    struct pl_slice rest = pl_slice_sub(group->body, at, group->body.len);
    struct group_row row;
    struct work_request request;
    uint64_t began = pl_now_ns();
    work_request_read(group, &request);
    out->next = at;
    while (rest.len > 0 && group_next(&rest, &row)) {
        struct work_result one;
        do_row(lane, &request, &row, &one);
        bool taken = take_row(lane->work, group, &row, &one, out);
        work_result_free(&one);
        if (!taken)
            return;
        out->next = group->body.len - rest.len;
        if (pl_now_ns() - began > GROUP_NS)
            out->splits = rest.len > 0;
        if (out->splits || out->body.len > GROUP_RESULTS)
            return;
    }
}

static struct group_row row_at(const struct slot *slot, size_t at, size_t *next)
{
    struct pl_slice rest = pl_slice_sub(slot->job.body, at, slot->job.body.len);
    struct group_row row = {0};
    (void)group_next(&rest, &row); // it was looked at when it came
    *next = slot->job.body.len - rest.len;
    return row;
}

enum pl_errc lane_finish_group(struct lane *lane, struct slot *slot, struct work_result *result, struct pl_error *err)
{
    slot->next = result->next;
    slot->splits = result->splits;
    if (result->again) {
        slot->trouble = row_at(slot, result->next, &slot->next);
        slot->problem = result->problem;
        slot->trouble_is_dead = slot->tries + 1 >= lane->work->deliveries;
        // Others behind it may be like it.
        slot->splits = true;
    }
    if (slot->trouble.id.len > 0 && slot->trouble_is_dead) { // its batch gets the error, before its dead letter
        struct work_result error;
        work_result_init(&error);
        work_result_fail(&error, &slot->problem);
        put_result(result, &slot->trouble, &error);
        work_result_free(&error);
    }
    if (result->body.failed) {
        lane_try_later(lane, slot, "there is not enough memory for results");
        return PL_OK;
    }
    slot->rows = result->rows;
    slot->errors = result->errors;
    slot->labels = result->labels;
    slot->bytes = result->body.len;
    return result->rows > 0 ? lane_publish_group(lane, slot, result, err) : lane_go_on_with_group(lane, slot, err);
}

static void count_rows(struct lane *lane, struct slot *slot)
{
    struct work *work = lane->work;
    http_counter_add(work->ok, slot->rows - slot->errors);
    http_counter_add(work->failed, slot->errors);
    http_counter_add(work->labels, slot->labels);
    http_counter_add(work->bytes, slot->bytes);
    slot->rows = slot->errors = slot->labels = 0;
    slot->bytes = 0;
}

enum pl_errc lane_go_on_with_group(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    count_rows(lane, slot);
    if (slot->trouble.id.len > 0) {
        enum pl_errc code = lane_send_row(lane, slot, &slot->trouble, slot->trouble_is_dead, err);
        slot->trouble = (struct group_row){0};
        return code;
    }
    slot->at = PL_MAX(slot->at, slot->next);
    if (slot->at == slot->job.body.len)
        return lane_settle(lane, slot, err);
    slot->state = SLOT_WAITING;
    if (!slot->splits)
        return PL_OK;
    struct group_row row = row_at(slot, slot->at, &slot->next);
    return lane_send_row(lane, slot, &row, false, err);
}
