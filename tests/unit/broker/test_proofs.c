// Single rows: marks, ids, the proofs of where they come from, and the key that submitters and workers share.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hmac.h"
#include "broker.h"
#include "job_key.h"

static void a_mark_is_read_as_it_was_written(void **state)
{
    (void)state;
    char text[ACCOUNT_PROVEN_SIZE];
    struct account_mark mark = {0x0123456789abcdef, UINT64_MAX, 7, 1}, read;
    account_proven_write(&mark, text);
    assert_true(account_proven_read(pl_slice_cstr(text), &read));
    assert_true(read.submitter == mark.submitter && read.hash == mark.hash && read.attempt == mark.attempt &&
                read.proof == 1);
    for (size_t i = 0; i < ACCOUNT_PROVEN_SIZE - 1; i++) {
        char kept = text[i];
        text[i] = 'x';
        assert_false(account_proven_read(pl_slice_cstr(text), &read));
        text[i] = kept;
    }
    // Without its proof it is a mark, and cut off anywhere else it is none.
    for (size_t len = 0; len < ACCOUNT_PROVEN_SIZE - 1; len++)
        assert_true(account_proven_read(pl_slice_make(text, len), &read) == (len == ACCOUNT_MARK_SIZE - 1));
    assert_true(account_mark_read(pl_slice_make(text, ACCOUNT_MARK_SIZE - 1), &read) && read.proof == 0);
}

// Made with another program: openssl dgst -sha256 -hmac of "0000000000000001 0000000000000002 a".
static void a_proof_is_of_one_row_and_one_secret(void **state)
{
    (void)state;
    static const char SECRET[] = "00112233445566778899aabbccddeeff";
    struct account account = {0};
    struct account_mark mark = {1, 2, 3, 0};
    struct pl_slice a = pl_slice_cstr("a");
    char read[ACCOUNT_SECRET_SIZE];
    assert_true(account_is_proven(&account, &mark, a)); // nobody knows its submitter
    assert_true(account_secret_read(pl_slice_cstr(SECRET), read) && strcmp(read, SECRET) == 0);
    assert_false(account_secret_read(pl_slice_make(SECRET, 31), read));
    assert_false(account_secret_read(pl_slice_cstr("00112233445566778899aabbccddeefg"), read));
    assert_true(account_share(&account, 1, SECRET));
    assert_true(account_share(&account, 1, SECRET));
    assert_false(account_share(&account, 1, ""));
    assert_false(account_share(&account, 1, "00112233445566778899aabbccddeef0"));
    assert_false(account_is_proven(&account, &mark, a));
    mark.proof = account_proof(SECRET, &mark, a);
    assert_true(mark.proof == UINT64_C(0xf551b2d2ff1f4b71));
    mark.attempt = 9;
    assert_true(account_is_proven(&account, &mark, a));
    assert_false(account_is_proven(&account, &mark, pl_slice_cstr("b")));
    static const char LONG[PL_ID_MAX + 2];
    const struct account_mark none = {1, 2, 3, 0};
    assert_false(account_is_proven(&account, &none, pl_slice_make(LONG, PL_ID_MAX + 1))); // has no proof at all
    mark.hash = 3;
    assert_false(account_is_proven(&account, &mark, a));
    assert_true(account_share(&account, 2, "") &&
                account_share(&account, 2, SECRET)); // an older program's: it has none
    mark.submitter = 2;
    assert_true(account_is_proven(&account, &mark, a));
    account_free(&account);
}

static void a_secret_is_equal_to_itself_alone(void **state)
{
    (void)state;
    static const char *const OTHERS[] = {"", "s", "secre", "secretsecret", "Secret", "secreT", "secrets"};
    assert_true(pl_secret_eq(pl_slice_cstr("secret"), pl_slice_cstr("secret")));
    assert_true(pl_secret_eq(pl_slice_cstr(""), pl_slice_cstr("")));
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        assert_false(pl_secret_eq(pl_slice_cstr("secret"), pl_slice_cstr(OTHERS[i])));
        assert_false(pl_secret_eq(pl_slice_cstr(OTHERS[i]), pl_slice_cstr("secret")));
    }
}

// Made with another program: openssl dgst -sha256 -hmac of "platen submitter 0000000000000001".
static void a_worker_with_the_key_knows_the_submitters_secret(void **state)
{
    (void)state;
    const struct job_key key = {"a key of a cluster"}, other = {"a key of another one"}, none = {""};
    struct account_mark mark = {1, 2, 3, 0};
    struct pl_slice a = pl_slice_cstr("a");
    char secret[ACCOUNT_SECRET_SIZE], read[ACCOUNT_SECRET_SIZE];
    job_key_secret(&key, 1, secret);
    assert_string_equal(secret, "4a9fd8234330319a9491cd45f11464a0");
    assert_true(account_secret_read(pl_slice_cstr(secret), read));
    assert_true(job_key_proves(&none, &mark, a));
    assert_false(job_key_proves(&key, &mark, a)); // it has no proof
    mark.proof = account_proof(secret, &mark, a);
    assert_true(job_key_proves(&key, &mark, a));
    assert_false(job_key_proves(&other, &mark, a));
    assert_false(job_key_proves(&key, &mark, pl_slice_cstr("b")));
    mark.submitter = 2;
    assert_false(job_key_proves(&key, &mark, a));
    static const char LONG[PL_ID_MAX + 2];
    const struct account_mark bare = {1, 2, 3, 0};
    assert_false(job_key_proves(&key, &bare, pl_slice_make(LONG, PL_ID_MAX + 1))); // no proof can be made of it
}

static enum pl_errc load(const char *text, size_t len, struct job_key *key)
{
    char path[] = "/tmp/platen-key-XXXXXX";
    struct pl_error err;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, len) == (ssize_t)len);
    close(fd);
    enum pl_errc code = job_key_load(key, path, &err);
    unlink(path);
    return code;
}

static void a_key_is_the_first_line_of_its_file(void **state)
{
    (void)state;
    static const char TEXT[] = "0123456789abcdef\r\nmore";
    struct job_key key;
    struct pl_error err;
    assert_int_equal(load(TEXT, strlen(TEXT), &key), PL_OK);
    assert_string_equal(key.text, "0123456789abcdef");
    // One that is short, or may be cut off, is none.
    assert_int_equal(load(TEXT, 15, &key), PL_E_INVALID);
    assert_string_equal(key.text, "");
    assert_int_equal(load("", 0, &key), PL_E_INVALID);
    char text[600];
    memset(text, 'k', sizeof text);
    assert_int_equal(load(text, 511, &key), PL_OK);
    assert_int_equal(load(text, 512, &key), PL_E_INVALID);
    assert_int_equal(load(text, sizeof text, &key), PL_E_INVALID);
    assert_int_equal(job_key_load(&key, "/tmp/platen-no-such-key", &err), PL_E_INVALID);
}

// Each of the texts is a read of its own, as from a pipe whose writer is slow.
static enum pl_errc load_parts(const char *const *parts, struct job_key *key)
{
    int ends[2];
    char path[40];
    struct pl_error err;
    assert_int_equal(pipe2(ends, O_CLOEXEC | O_DIRECT), 0);
    for (size_t i = 0; parts[i]; i++)
        assert_true(write(ends[1], parts[i], strlen(parts[i])) == (ssize_t)strlen(parts[i]));
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    enum pl_errc code = job_key_load(key, path, &err);
    close(ends[0]);
    return code;
}

static void a_key_from_a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    struct job_key key;
    assert_int_equal(load_parts((const char *[]){"0123456789abcdef", "gh", "i\nmore", NULL}, &key), PL_OK);
    assert_string_equal(key.text, "0123456789abcdefghi");
    assert_int_equal(load_parts((const char *[]){"01234567", "89abcdef", NULL}, &key), PL_OK);
    assert_string_equal(key.text, "0123456789abcdef");
}

static void a_secret_is_not_cut_in_silence(void **state)
{
    (void)state;
    static const char TEXT[] = "0123456789abcdef\0ghi\n", BEHIND[] = "0123456789abcdef\n\0";
    char path[] = "/tmp/platen-key-XXXXXX", out[8];
    struct job_key key;
    struct pl_error err;
    assert_int_equal(load(TEXT, sizeof TEXT - 1, &key), PL_E_INVALID);
    assert_string_equal(key.text, "");
    assert_int_equal(load(BEHIND, sizeof BEHIND - 1, &key), PL_OK);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, TEXT, sizeof TEXT - 1) == (ssize_t)sizeof TEXT - 1);
    assert_int_equal(job_key_load(&key, path, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, ": its first line has a NUL byte"));
    // A password: as many bytes as there is room for, and not the first of more.
    assert_int_equal(ftruncate(fd, 6), 0);
    assert_int_equal(broker_read_secret(path, out, sizeof out, &err), PL_OK);
    assert_string_equal(out, "012345");
    assert_true(pwrite(fd, "6", 1, 6) == 1);
    assert_int_equal(broker_read_secret(path, out, sizeof out, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, ": its first line has more than 6 bytes"));
    assert_string_equal(out, "");
    assert_true(pwrite(fd, "\n", 1, 6) == 1);
    assert_int_equal(broker_read_secret(path, out, sizeof out, &err), PL_OK);
    assert_string_equal(out, "012345");
    close(fd);
    unlink(path);
}

static void a_batch_that_was_cancelled_is_settled_and_nothing_of_it_is_good(void **state)
{
    (void)state;
    struct account account = {0};
    struct account_mark mark = {1, 2, 3, 0};
    assert_true(account_list(&account, &mark, pl_slice_cstr("a")));
    assert_false(account_is_settled(&account));
    account.cancelled = true;
    assert_true(account_is_settled(&account));
    assert_int_equal(account_state_of(&account, &mark, pl_slice_cstr("a")), ACCOUNT_PENDING);
    account_free(&account);
}

// Two ids with the same FNV-1a.
static void ids_that_somebody_has_chosen_are_rows_of_their_own(void **state)
{
    (void)state;
    struct account account = {0};
    struct account_mark mark = {1, 2, 3, 0};
    assert_true(account_list(&account, &mark, pl_slice_cstr("4Ry9Ku5xRzD")));
    assert_true(account_list(&account, &mark, pl_slice_cstr("WU4BAmnyGXO")));
    account_settle(&account, pl_slice_cstr("4Ry9Ku5xRzD"), true);
    assert_int_equal(account.pending, 1);
    assert_int_equal(account_judge(&account, &mark, pl_slice_cstr("WU4BAmnyGXO"), true), ACCOUNT_KEEP);
    account_free(&account);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_is_read_as_it_was_written),
        cmocka_unit_test(a_proof_is_of_one_row_and_one_secret),
        cmocka_unit_test(a_secret_is_equal_to_itself_alone),
        cmocka_unit_test(a_worker_with_the_key_knows_the_submitters_secret),
        cmocka_unit_test(a_key_is_the_first_line_of_its_file),
        cmocka_unit_test(a_key_from_a_pipe_is_read_to_its_end),
        cmocka_unit_test(a_secret_is_not_cut_in_silence),
        cmocka_unit_test(ids_that_somebody_has_chosen_are_rows_of_their_own),
        cmocka_unit_test(a_batch_that_was_cancelled_is_settled_and_nothing_of_it_is_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
