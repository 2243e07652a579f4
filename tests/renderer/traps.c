// Ways in which a renderer goes wrong, each behind ^FXtrap=NAME at the start of the label code. For tests of the
// service around it: it must hold whatever a renderer does.
#include "renderer/renderer_traps.h"

#include "runner/confined_place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char PREFIX[] = "^FXtrap=";
static char trap[32];
static bool spoilt; // by an earlier label

static int is(const char *name)
{
    return strcmp(trap, name) == 0;
}

// Takes long, and then goes on.
static void for_seconds(time_t seconds)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec - start.tv_sec <= seconds);
}

// Computes for a second, as an endless loop does, and then waits: other tests need the processors.
static void for_ever(void)
{
    static uint32_t never;
    struct timespec computed;
    do {
        for (volatile unsigned i = 0; i < 1000000; i++)
            continue;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &computed);
    } while (computed.tv_sec < 1);
    for (;;)
        syscall(SYS_futex, &never, FUTEX_WAIT, never, NULL, NULL, 0);
}

// What must not succeed is told by never ending: the test sees a time-out where it expects a picture.
static void must_fail(int result)
{
    if (result >= 0 || errno != EPERM)
        for_ever();
}

static unsigned recurse(volatile unsigned depth)
{
    volatile char room[4096];
    memset((char *)room, (int)depth, sizeof(room));
    return recurse(depth + 1) + (unsigned)room[depth % sizeof(room)];
}

static void overflow(void)
{
    volatile char *small = malloc(16);
    if (!small)
        abort();
    for (size_t i = 0;; i++)
        small[i] = 'A';
}

static void take_all_memory(void)
{
    for (char *block; (block = malloc(1 << 20));)
        memset(block, 1, 1 << 20);
}

// Takes memory, does not give it back, and goes on.
static void leak(void)
{
    for (int i = 0; i < 48; i++) {
        char *block = malloc(1 << 20);
        if (block)
            memset(block, 1, 1 << 20);
    }
}

// ---- as a worker of `platen render --timeout` that was taken over

static void send_word(struct confined_word word, const char *path, const char *data)
{
    if (write(3, &word, sizeof(word)) < 0 || write(3, path, (size_t)word.path_size) < 0 ||
        write(3, data, strlen(data)) < 0)
        abort();
}

// As of row_labels.c: an answer with one label.
struct forged {
    uint32_t count;
    int32_t status;
    char problem[512];
    uint64_t sizes[3];
    uint32_t copies, warned;
    char texts[64];
};

static void forge_row(struct forged answer, const char *members, const char *warnings)
{
    answer.count = 1;
    answer.sizes[1] = strlen(members);
    answer.sizes[2] = strlen(warnings);
    snprintf(answer.texts, sizeof answer.texts, "%s%s", members, warnings);
    size_t size = offsetof(struct forged, texts) + strlen(answer.texts);
    struct confined_word word = {.kind = CONFINED_SAYS, .size = size}, end = {.kind = CONFINED_ENDS, .ok = 1};
    if (write(3, &word, sizeof word) < 0 || write(3, &answer, size) < 0 || write(3, &end, sizeof end) < 0)
        abort();
    for_ever();
}

static void lie_to_program(void)
{
    static const char stranger[] = "/tmp/platen-trap";
    if (is("cli-path"))
        send_word((struct confined_word){.kind = CONFINED_WRITES, .path_size = sizeof(stranger), .size = 2}, stranger,
                  "no");
    else if (is("cli-size"))
        send_word((struct confined_word){.kind = CONFINED_WRITES, .path_size = 1, .size = UINT64_MAX}, "", "");
    else if (is("cli-answer")) // no message of `platen check`
        send_word((struct confined_word){.kind = CONFINED_WRITES, .size = 70}, "",
                  "0000000000000000000000000000000000000000000000000000000700000000123456");
    else if (is("cli-kind"))
        send_word((struct confined_word){.kind = 77}, "", "");
    else if (is("cli-forge"))
        forge_row((struct forged){.copies = 1}, "", "[]}\n{\"id\":\"stranger\",\"ok\":true}\n");
    else if (is("cli-forge-json"))
        forge_row((struct forged){.copies = 1}, "\"a\":1},\"id\":\"stranger\",\"b\":{\"c\":2", "");
    else if (is("cli-copies"))
        forge_row((struct forged){.copies = 4000000000u}, "", "");
    else if (is("cli-orders")) // that are read as answers to outputs, where nobody reads them
        for (;;)
            send_word((struct confined_word){.kind = CONFINED_WRITES, .path_size = 2}, "x", "");
    else if (is("cli-half") && write(3, "half", 4) == 4)
        for_ever();
    else if (is("cli-flood"))
        for (;;)
            send_word((struct confined_word){.kind = CONFINED_SAYS, .size = 6}, "", "\033[31m\n");
}

void renderer_trap(const void *zpl, size_t size)
{
    const char *text = zpl;
    trap[0] = '\0';
    if (spoilt)
        abort();
    if (size < sizeof(PREFIX) || memcmp(text, PREFIX, sizeof(PREFIX) - 1) != 0)
        return;
    size_t n = 0;
    for (size_t i = sizeof(PREFIX) - 1; i < size && n < sizeof(trap) - 1 && text[i] != '^'; i++)
        trap[n++] = text[i];
    trap[n] = '\0';
    if (is("overflow"))
        overflow();
    else if (is("recursion"))
        recurse(0);
    else if (is("abort"))
        abort();
    else if (is("loop"))
        for_ever();
    else if (is("slow"))
        for_seconds(3);
    else if (is("memory"))
        take_all_memory();
    else if (is("leak"))
        leak();
    else if (is("spoil"))
        spoilt = true;
    else if (strncmp(trap, "cli-", 4) == 0)
        lie_to_program();
    else if (is("fork"))
        must_fail(fork());
    else if (is("socket"))
        must_fail(socket(AF_INET, SOCK_STREAM, 0));
    else if (is("kill"))
        must_fail(kill(getppid(), SIGKILL));
    else if (is("exec"))
        must_fail(execl("/bin/true", "true", (char *)NULL));
    else if (is("open"))
        must_fail(open("/etc/passwd", O_RDONLY));
    else if (is("write"))
        must_fail(open("/tmp/platen-trap", O_WRONLY | O_CREAT, 0600));
    else if (is("descriptors")) // the front's: its listener, its clients
        for (int fd = 4; fd < 64; fd++)
            if (fcntl(fd, F_GETFD) >= 0)
                for_ever();
}

// The answer's head lies in the memory that is shared with the front.
static struct pl_shared *shared_of(struct render_answer *answer)
{
    return (struct pl_shared *)(void *)((char *)answer - offsetof(struct pl_shared, answer_head));
}

// The last section, which is the last thing in the shared memory.
static void spoil_file(struct render_answer *answer, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < RENDER_FILE; i++)
        at += (size_t)answer->sizes[i];
    for (size_t i = 0; i < size && i < answer->sizes[RENDER_FILE]; i++)
        shared_of(answer)->answer[at + i] = (uint8_t)(i % 4 == 1 ? 0x7F : i * 5);
}

void renderer_trap_answer(struct render_answer *answer)
{
    if (is("lie-sizes"))
        memset(answer->sizes, 0xFF, sizeof(answer->sizes));
    else if (is("lie-file"))
        answer->sizes[RENDER_FILE] = 200 << 10; // there is less
    else if (is("lie-shared"))
        answer->shared = !answer->shared;
    else if (is("lie-pages"))
        answer->pages = UINT32_MAX;
    else if (is("lie-labels"))
        answer->labels = 400;
    else if (is("lie-findings"))
        answer->finding_count = 1000000;
    else if (is("lie-warnings"))
        answer->warning_count = 77;
    else if (is("lie-status"))
        memset(&answer->err, 0xEE, sizeof(answer->err));
    else if (is("lie-drawn"))
        answer->drawn = false;
    else if (is("dribble")) {
        // Says that it will send much over its channel, and sends a byte now and then.
        answer->shared = 0;
        answer->sizes[RENDER_FILE] = 100 << 20;
        atomic_store(&shared_of(answer)->answered, atomic_load(&shared_of(answer)->asked));
        syscall(SYS_futex, &shared_of(answer)->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
        for (struct timespec pause = {.tv_nsec = 200000};; nanosleep(&pause, NULL))
            if (send(3, "x", 1, MSG_NOSIGNAL) < 0 && errno == EPIPE)
                _exit(0);
    } else if (is("pdf-head") || is("pdf-all"))
        spoil_file(answer, is("pdf-all") ? (size_t)answer->sizes[RENDER_FILE] : 200);
    else if (is("lie-bools")) {
        answer->shared = answer->drawn = 2;
        answer->sizes[RENDER_FILE] = 100 << 20; // far larger than the memory that both share
    } else if (is("noise"))
        for (size_t i = 0; i < sizeof(*answer); i++)
            ((unsigned char *)answer)[i] = (unsigned char)(i * 37 + 11);
}
