// The keeper and its processes: they answer, end, hang and are replaced; nothing of one is left for the next.
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/job.h"
#include "process/keeper.h"
#include "unit.h"

enum task { ECHO, ENDS, HANGS, CANCELLED, SECRET, LOOK, LARGE };

struct question {
    enum task task;
    uint32_t size;
};

static uint8_t large[1 << 20];

// What a process does with a question.
static void serve(struct pl_shared *shared, int channel, const struct question *question)
{
    switch (question->task) {
    case ECHO:
        memcpy(shared->answer, shared->question, question->size);
        break;
    case ENDS:
        _exit(7);
    case HANGS:
        for (;;)
            pause();
    case CANCELLED:
        while (!atomic_load(&shared->cancelled))
            usleep(1000);
        break;
    case SECRET:
        memset(shared->answer + 1000, 's', 5000);
        memset(shared->question, 's', PL_SHARED_BODY);
        break;
    case LOOK: // is anything there that is not zero?
        for (size_t i = 0; i < PL_SHARED_BODY; i++) {
            if (shared->answer[i] != 0 || shared->question[i] != 0) {
                shared->answer[0] = 'x';
                break;
            }
        }
        break;
    case LARGE:
        if (!pl_channel_read(channel, large, question->size))
            _exit(8);
        break;
    }
}

static int run(void *user, int channel, struct pl_shared *shared)
{
    (void)user;
    unsigned seen = 0;
    while (pl_turn_wait_question(shared, &seen, 0) == PL_CHANNEL_DONE) {
        struct question question;
        memcpy(&question, shared->question_head, sizeof(question));
        serve(shared, channel, &question);
        pl_turn_answer(shared, seen);
        if (question.task == LARGE) {
            struct iovec parts[] = {{large, 1000}, {large + 1000, 0}, {large + 1000, question.size - 1000}};
            pl_channel_write(channel, parts, 3);
        }
    }
    return 0;
}

static bool prepare(void *user)
{
    return user == NULL;
}

static const struct pl_kept_work WORK = {"test-keeper", "test-process", prepare, run, NULL};

static int channels[2];

static enum pl_channel_result ask(struct pl_keeper *keeper, uint32_t place, struct question question, uint64_t ms)
{
    struct pl_shared *shared = &keeper->shared[place];
    struct pl_patience patience = {.until_ns = pl_now_ns() + ms * 1000000u};
    memcpy(shared->question_head, &question, sizeof(question));
    pl_turn_ask(shared);
    return pl_turn_wait_answer(shared, channels[place], &patience);
}

static void begin(struct pl_keeper *keeper)
{
    struct pl_error err = {0};
    assert_int_equal(pl_keeper_start(keeper, &WORK, 2, &err), PL_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct pl_replaced replaced;
        assert_int_equal(pl_keeper_replace(keeper, i, &replaced, &err), PL_OK);
        channels[i] = replaced.channel;
        assert_true(pl_channel_prepare(channels[i]));
    }
}

static void replace(struct pl_keeper *keeper, uint32_t place, int *old_status)
{
    struct pl_error err = {0};
    struct pl_replaced replaced;
    close(channels[place]);
    assert_int_equal(pl_keeper_replace(keeper, place, &replaced, &err), PL_OK);
    channels[place] = replaced.channel;
    *old_status = replaced.old_status;
}

static void finish(struct pl_keeper *keeper)
{
    for (uint32_t i = 0; i < 2; i++) {
        pl_turn_leave(&keeper->shared[i]);
        close(channels[i]);
    }
    pl_keeper_stop(keeper);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left
}

static void questions_are_answered_by_the_process_in_their_place(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    begin(&keeper);
    for (int round = 0; round < 200; round++) {
        uint32_t place = (uint32_t)round % 2;
        memset(keeper.shared[place].question, round, 500);
        assert_int_equal(ask(&keeper, place, (struct question){ECHO, 500}, 5000), PL_CHANNEL_DONE);
        assert_memory_equal(keeper.shared[place].answer, keeper.shared[place].question, 500);
    }
    finish(&keeper);
}

static void what_does_not_fit_goes_over_the_channel(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    static uint8_t sent[1 << 20], got[1 << 20];
    begin(&keeper);
    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = (uint8_t)(i * 31 + i / 255);
    struct question question = {LARGE, sizeof(sent)};
    memcpy(keeper.shared[0].question_head, &question, sizeof(question));
    struct pl_patience patience = {.until_ns = pl_now_ns() + 10000000000u};
    struct iovec part = {sent, sizeof(sent)};
    pl_turn_ask(&keeper.shared[0]);
    assert_int_equal(pl_channel_send(channels[0], &part, 1, &patience), PL_CHANNEL_DONE);
    assert_int_equal(pl_turn_wait_answer(&keeper.shared[0], channels[0], &patience), PL_CHANNEL_DONE);
    assert_int_equal(pl_channel_receive(channels[0], got, sizeof(got), &patience), PL_CHANNEL_DONE);
    assert_memory_equal(sent, got, sizeof(sent));
    finish(&keeper);
}

static void a_process_that_ends_is_noticed_at_once_and_replaced(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    int status = 0;
    begin(&keeper);
    uint64_t began = pl_now_ns();
    assert_int_equal(ask(&keeper, 0, (struct question){ENDS, 0}, 20000), PL_CHANNEL_GONE);
    assert_true(pl_now_ns() - began < 15000000000u); // not the 20 s that it would wait
    replace(&keeper, 0, &status);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert_int_equal(ask(&keeper, 0, (struct question){ECHO, 10}, 5000), PL_CHANNEL_DONE);
    assert_int_equal(ask(&keeper, 1, (struct question){ECHO, 10}, 5000), PL_CHANNEL_DONE);
    finish(&keeper);
}

static void a_process_that_hangs_is_late_and_is_killed(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    int status = 0;
    begin(&keeper);
    assert_int_equal(ask(&keeper, 1, (struct question){HANGS, 0}, 50), PL_CHANNEL_LATE);
    replace(&keeper, 1, &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(ask(&keeper, 1, (struct question){ECHO, 10}, 5000), PL_CHANNEL_DONE);
    finish(&keeper);
}

static void cancelling_is_told_and_shortens_the_wait(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    begin(&keeper);
    const atomic_bool cancelled = true;
    struct question question = {CANCELLED, 0};
    struct pl_shared *shared = &keeper.shared[0];
    struct pl_patience patience = {.cancelled = &cancelled, .tell = &shared->cancelled, .grace_ns = 20000000000u};
    memcpy(shared->question_head, &question, sizeof(question));
    pl_turn_ask(shared);
    assert_int_equal(pl_turn_wait_answer(shared, channels[0], &patience), PL_CHANNEL_DONE);
    // One that does not listen.
    question.task = HANGS;
    patience = (struct pl_patience){.cancelled = &cancelled, .tell = &shared->cancelled, .grace_ns = 30000000u};
    memcpy(shared->question_head, &question, sizeof(question));
    pl_turn_ask(shared);
    assert_int_equal(pl_turn_wait_answer(shared, channels[0], &patience), PL_CHANNEL_LATE);
    finish(&keeper);
}

static void nothing_of_a_process_is_left_in_shared_memory_for_the_next(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    int status;
    begin(&keeper);
    assert_int_equal(ask(&keeper, 0, (struct question){SECRET, 0}, 5000), PL_CHANNEL_DONE);
    replace(&keeper, 0, &status);
    assert_int_equal(ask(&keeper, 0, (struct question){LOOK, 0}, 5000), PL_CHANNEL_DONE);
    assert_int_equal(keeper.shared[0].answer[0], 0);
    finish(&keeper);
}

static void a_keeper_that_cannot_prepare_is_an_error(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    struct pl_error err = {0};
    const struct pl_kept_work work = {"test-keeper", "test-process", prepare, run, &err};
    assert_int_equal(pl_keeper_start(&keeper, &work, 2, &err), PL_E_MEMORY);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

// What went wrong before: whoever asked a slow keeper again got the process of the first request, which the second one
// then ended.
static void a_keeper_that_answers_late_has_given_the_process_that_is_used_then(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    struct pl_error err = {0};
    struct pl_replaced replaced;
    begin(&keeper);
    keeper.silence_ms = 50;
    kill(keeper.pid, SIGSTOP);
    close(channels[0]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pl_keeper_replace(&keeper, 0, &replaced, &err), PL_E_IO);
    assert_int_equal(replaced.channel, -1);
    kill(keeper.pid, SIGCONT);
    keeper.silence_ms = 60000;
    assert_int_equal(pl_keeper_replace(&keeper, 0, &replaced, &err), PL_OK);
    channels[0] = replaced.channel;
    for (int round = 0; round < 50; round++)
        assert_int_equal(ask(&keeper, 0, (struct question){ECHO, 10}, 60000), PL_CHANNEL_DONE);
    // Requests beyond the first would be served before this one.
    int status;
    replace(&keeper, 1, &status);
    assert_int_equal(ask(&keeper, 0, (struct question){ECHO, 10}, 60000), PL_CHANNEL_DONE);
    finish(&keeper);
}

static atomic_bool answered;

static void *serve_others(void *user)
{
    const struct pl_keeper *keeper = user;
    const struct timespec pause = {.tv_nsec = 10000000};
    // Also while the keeper goes on: a busy machine may let it wait.
    for (int i = 0; !answered; i++) {
        nanosleep(&pause, NULL);
        atomic_fetch_add(keeper->served, 1);
        if (i == 300)
            kill(keeper->pid, SIGCONT);
    }
    return NULL;
}

// 64 places ask at once on a busy machine.
static void a_slow_keeper_is_waited_for_as_long_as_it_serves_others(void **state)
{
    (void)state;
    struct pl_keeper keeper;
    pthread_t others;
    int status;
    begin(&keeper);
    keeper.silence_ms = 2000;
    kill(keeper.pid, SIGSTOP);
    assert_int_equal(pthread_create(&others, NULL, serve_others, &keeper), 0);
    replace(&keeper, 0, &status);
    answered = true;
    pthread_join(others, NULL);
    assert_int_equal(ask(&keeper, 0, (struct question){ECHO, 10}, 60000), PL_CHANNEL_DONE);
    finish(&keeper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_are_answered_by_the_process_in_their_place),
        cmocka_unit_test(what_does_not_fit_goes_over_the_channel),
        cmocka_unit_test(a_process_that_ends_is_noticed_at_once_and_replaced),
        cmocka_unit_test(a_process_that_hangs_is_late_and_is_killed),
        cmocka_unit_test(cancelling_is_told_and_shortens_the_wait),
        cmocka_unit_test(nothing_of_a_process_is_left_in_shared_memory_for_the_next),
        cmocka_unit_test(a_keeper_that_cannot_prepare_is_an_error),
        cmocka_unit_test(a_keeper_that_answers_late_has_given_the_process_that_is_used_then),
        cmocka_unit_test(a_slow_keeper_is_waited_for_as_long_as_it_serves_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
