// Clients with a small receive window that try to get another client's answer: `crossing PORT abandoned|pipelined|stale
// SECONDS`. Talks to testd. Prints what it did, or what it got that is not its own, and then ends with 1.
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_MAX (1 << 20)

static struct sockaddr_in server;

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("\n");
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void pause_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static int open_connection(int window)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || (window > 0 && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof window) != 0) ||
        connect(fd, (struct sockaddr *)&server, sizeof server) != 0)
        fail("cannot connect: %s", strerror(errno));
    return fd;
}

static void send_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, text, len, MSG_NOSIGNAL);
        if (n < 0)
            fail("cannot send: %s", strerror(errno));
        text += n;
        len -= (size_t)n;
    }
}

static void send_text(int fd, const char *text)
{
    send_all(fd, text, strlen(text));
}

static void reset(int fd)
{
    struct linger now_at_once = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now_at_once, sizeof now_at_once);
    close(fd);
}

// Reads one answer with a length. Returns its length, 0 at the connection's end.
static size_t read_answer(int fd, char *answer, long chunk, long gap_ms)
{
    static char kept[ANSWER_MAX];
    static size_t kept_len;
    static int kept_fd = -1;
    if (kept_fd != fd) {
        kept_fd = fd;
        kept_len = 0;
    }
    for (;;) {
        char *end = memmem(kept, kept_len, "\r\n\r\n", 4);
        if (end) {
            char *length = memmem(kept, (size_t)(end - kept), "Content-Length: ", 16);
            size_t whole = (size_t)(end - kept) + 4 + (length ? strtoul(length + 16, NULL, 10) : 0);
            if (kept_len >= whole) {
                memcpy(answer, kept, whole);
                answer[whole] = '\0';
                memmove(kept, kept + whole, kept_len - whole);
                kept_len -= whole;
                return whole;
            }
        }
        size_t room = sizeof kept - 1 - kept_len;
        ssize_t n = recv(fd, kept + kept_len, (size_t)chunk < room ? (size_t)chunk : room, 0);
        if (n < 0 && errno != ECONNRESET)
            fail("cannot read: %s", strerror(errno));
        if (n <= 0) {
            size_t left = kept_len;
            kept_len = 0;
            if (n == 0 && left > 0)
                fail("the connection ended inside an answer: %.*s", (int)(left < 200 ? left : 200), kept);
            return 0;
        }
        kept_len += (size_t)n;
        if (gap_ms > 0)
            pause_ms(gap_ms);
    }
}

// Finding 1: pipelined requests behind a small window, work that is waited for, then a reset. A connection that sends
// nothing gets nothing.
static unsigned abandoned(double end)
{
    unsigned rounds = 0;
    for (; now() < end; rounds++) {
        int rude = open_connection(2048);
        static char text[65536];
        size_t len = 0;
        for (unsigned i = 0; i < 40 + rounds * 37 % 400; i++)
            len +=
                (size_t)snprintf(text + len, sizeof text - len, "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "POST /work?ms=40 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        send_all(rude, text, len);
        pause_ms(10);
        reset(rude);
        int silent[4];
        for (int i = 0; i < 4; i++)
            silent[i] = open_connection(0);
        int asking = open_connection(0);
        char ask[256], answer[ANSWER_MAX];
        snprintf(ask, sizeof ask,
                 "POST /echo HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine-%u\r\nContent-Length: 4\r\n\r\n%04u",
                 rounds, rounds % 10000);
        send_text(asking, ask);
        size_t got = read_answer(asking, answer, 65536, 0);
        char id[64], body[8];
        snprintf(id, sizeof id, "X-Request-Id: mine-%u\r\n", rounds);
        snprintf(body, sizeof body, "%04u", rounds % 10000);
        if (got < 4 || !strstr(answer, id) || strcmp(answer + got - 4, body) != 0)
            fail("round %u: another answer than its own: %s", rounds, answer);
        for (int i = 0; i < 4; i++) {
            struct pollfd watched = {.fd = silent[i], .events = POLLIN};
            if (poll(&watched, 1, i == 0 ? 60 : 0) > 0)
                fail("round %u: a connection that sent nothing got %zd bytes: %.300s", rounds,
                     recv(silent[i], answer, 1000, 0), answer);
            close(silent[i]);
        }
        close(asking);
    }
    return rounds;
}

// Finding 2: a slow client that pipelines gets all its answers, whole and in order.
static unsigned pipelined(double end)
{
    unsigned rounds = 0;
    for (; now() < end; rounds++) {
        int fd = open_connection(2048);
        enum { REQUESTS = 400 };
        static char text[REQUESTS * 160], answer[ANSWER_MAX];
        size_t len = 0;
        for (int i = 0; i < REQUESTS; i++) {
            const char *path = i % 97 == 96 ? "/work?ms=0" : i % 61 == 60 ? "/big?bytes=20000" : "/api/health";
            len +=
                (size_t)snprintf(text + len, sizeof text - len,
                                 "GET %s HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r%u-%d\r\n\r\n", path, rounds, i);
        }
        send_all(fd, text, len);
        pause_ms(50);
        for (int i = 0; i < REQUESTS; i++) {
            char id[64];
            size_t got = read_answer(fd, answer, 1500 + 100 * i, i < 10 ? 1 : 0);
            snprintf(id, sizeof id, "X-Request-Id: r%u-%d\r\n", rounds, i);
            if (got == 0 || strncmp(answer, "HTTP/1.1 200 OK\r\n", 17) != 0 || !strstr(answer, id))
                fail("round %u: answer %d of %d is not the one to its request: %.400s", rounds, i, REQUESTS,
                     got ? answer : "(none)");
        }
        close(fd);
    }
    return rounds;
}

// Finding 3: an answer is ready, and the connection breaks while the body of the next request is read (testd's
// --reset-reads). Nothing of it reaches the next client.
static unsigned stale(double end)
{
    unsigned rounds = 0, answered = 0;
    for (; now() < end; rounds++) {
        char text[512], id[64];
        static char answer[ANSWER_MAX];
        int rude = open_connection(0);
        snprintf(text, sizeof text,
                 "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: rude-%u\r\n\r\n"
                 "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n",
                 rounds);
        send_text(rude, text);
        shutdown(rude, SHUT_WR);
        int asking = open_connection(0);
        snprintf(text, sizeof text, "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: own-%u\r\n\r\n",
                 rounds);
        send_text(asking, text);
        size_t got = read_answer(asking, answer, 65536, 0);
        snprintf(id, sizeof id, "X-Request-Id: own-%u\r\n", rounds);
        if (got > 0 && (strncmp(answer, "HTTP/1.1 200 OK\r\n", 17) != 0 || !strstr(answer, id)))
            fail("round %u: bytes of another client: %.400s", rounds, answer);
        answered += got > 0; // its own reads are reset too
        close(rude);
        close(asking);
    }
    if (answered < rounds / 2)
        fail("%u of %u rounds were answered", answered, rounds);
    return rounds;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned (*run)(double end);
    } MODES[] = {{"abandoned", abandoned}, {"pipelined", pipelined}, {"stale", stale}};
    if (argc != 4)
        fail("usage: crossing PORT abandoned|pipelined|stale SECONDS");
    server = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++) {
        if (strcmp(argv[2], MODES[i].name) != 0)
            continue;
        unsigned rounds = MODES[i].run(now() + atof(argv[3]));
        if (rounds == 0)
            fail("nothing was tried");
        printf("%u rounds\n", rounds);
        return 0;
    }
    fail("there is no '%s'", argv[2]);
}
