// Jobs that are kept for the next start, and the moves of a job.
#include <string.h>

#include "printer/job_state.h"
#include "printer/kept.h"
#include "unit.h"

static void write_all(struct pl_buf *out)
{
    const struct pl_slice memory[PRINTED_MEMORY_PARTS] = {pl_slice_cstr("lasting"), pl_slice_cstr(""),
                                                          pl_slice_cstr("settings")};
    struct printed_label *label = printed_label_new();
    label->job = 7;
    label->index = 2;
    label->copies = 3;
    label->width_mm = 101.6;
    label->height_mm = 50.123;
    label->dpmm = 8;
    label->length_dots = 400;
    label->clock_s = -5;
    label->zpl = blob_new(pl_slice_cstr("^XA^XZ"));
    label->png = blob_new(pl_slice_make("\0png", 4));
    strcpy(label->source, "127.0.0.1:99");
    struct kept_job job = {.number = 7,
                           .from = 3,
                           .lasts = true,
                           .stores = true,
                           .plain = 5,
                           .source = "127.0.0.1:99",
                           .code = pl_slice_cstr("^XA^XZ")},
                    other = {.number = 8, .prints = true, .code = pl_slice_cstr("P1")};
    pl_buf_init(out, 1 << 16);
    kept_begin(out, memory);
    kept_put_label(out, label);
    kept_put_job(out, &job);
    kept_put_job(out, &other);
    kept_end(out);
    printed_label_release(label);
}

static void labels_and_jobs_come_back_as_they_were(void **state)
{
    (void)state;
    struct pl_buf file;
    struct kept_reader reader;
    struct printed_label *label = NULL;
    struct kept_job job;
    write_all(&file);
    assert_true(kept_open(&reader, pl_buf_slice(&file)));
    assert_true(pl_slice_eq_cstr(reader.memory[0], "lasting"));
    assert_int_equal(reader.memory[1].len, 0);
    assert_true(pl_slice_eq_cstr(reader.memory[2], "settings"));
    assert_int_equal(kept_next(&reader, &label, &job), KEPT_LABEL);
    assert_int_equal(label->state, JOB_WAITING);
    assert_int_equal(label->job, 7);
    assert_int_equal(label->index, 2);
    assert_int_equal(label->copies, 3);
    assert_true(label->width_mm > 101.599 && label->width_mm < 101.601);
    assert_true(label->height_mm > 50.122 && label->height_mm < 50.124);
    assert_int_equal(label->clock_s, -5);
    assert_int_equal(label->length_dots, 400);
    assert_string_equal(label->source, "127.0.0.1:99");
    assert_true(pl_slice_eq_cstr(blob_slice(label->zpl), "^XA^XZ"));
    assert_int_equal(label->png->size, 4);
    assert_null(label->members);
    printed_label_release(label);
    assert_int_equal(kept_next(&reader, &label, &job), KEPT_JOB);
    assert_int_equal(job.number, 7);
    assert_int_equal(job.from, 3);
    assert_true(job.lasts && !job.quiet);
    assert_true(job.stores && !job.prints);
    assert_int_equal(job.plain, 5);
    assert_string_equal(job.source, "127.0.0.1:99");
    assert_true(pl_slice_eq_cstr(job.code, "^XA^XZ"));
    assert_int_equal(kept_next(&reader, &label, &job), KEPT_JOB);
    assert_true(job.prints && !job.stores);
    assert_int_equal(job.plain, 0);
    assert_true(pl_slice_eq_cstr(job.code, "P1"));
    assert_int_equal(kept_next(&reader, &label, &job), KEPT_END);
    pl_buf_fini(&file);
}

static void a_file_that_is_cut_anywhere_is_broken(void **state)
{
    (void)state;
    struct pl_buf file;
    write_all(&file);
    for (size_t len = 0; len < file.len; len++) {
        struct kept_reader reader;
        struct printed_label *label = NULL;
        struct kept_job job;
        enum kept_kind kind = KEPT_BROKEN;
        bool opened = kept_open(&reader, pl_slice_sub(pl_buf_slice(&file), 0, len));
        while (opened && (kind = kept_next(&reader, &label, &job)) < KEPT_END) {
            if (kind == KEPT_LABEL)
                printed_label_release(label);
        }
        assert_int_equal(kind, KEPT_BROKEN);
    }
    pl_buf_fini(&file);
}

// Without a checksum a byte of a picture or of a job could change unseen.
static void a_file_with_any_byte_changed_is_broken(void **state)
{
    (void)state;
    struct pl_buf file;
    write_all(&file);
    assert_int_equal(kept_check(pl_buf_slice(&file)), KEPT_END);
    for (size_t i = 0; i < file.len; i++) {
        file.data[i] ^= 1;
        assert_int_equal(kept_check(pl_buf_slice(&file)), KEPT_BROKEN);
        file.data[i] ^= 1;
    }
    pl_buf_append_byte(&file, 0);
    assert_int_equal(kept_check(pl_buf_slice(&file)), KEPT_BROKEN);
    pl_buf_fini(&file);
}

static void what_has_ended_moves_no_more(void **state)
{
    (void)state;
    for (int to = 0; to < JOB_STATES; to++) {
        const enum printer_job_state ends[] = {JOB_DRAWN, JOB_PRINTED, JOB_CANCELLED, JOB_NAMED};
        for (size_t i = 0; i < 4; i++)
            assert_false(printer_job_may_move(ends[i], (enum printer_job_state)to));
        assert_int_equal(printer_job_may_move(JOB_KEPT, (enum printer_job_state)to), to == JOB_NAMED);
        assert_false(printer_job_may_move((enum printer_job_state)to, JOB_RECEIVED));
    }
    enum printer_job_state job = JOB_RECEIVED;
    printer_job_move(&job, JOB_QUEUED);
    printer_job_move(&job, JOB_DRAWING);
    printer_job_move(&job, JOB_QUEUED);
    printer_job_move(&job, JOB_KEPT);
    assert_string_equal(printer_job_state_name(job), "kept");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_and_jobs_come_back_as_they_were),
        cmocka_unit_test(a_file_that_is_cut_anywhere_is_broken),
        cmocka_unit_test(a_file_with_any_byte_changed_is_broken),
        cmocka_unit_test(what_has_ended_moves_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
