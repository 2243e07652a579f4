// Label code of strangers with libplaten: the label is drawn in a child process that has so much time and memory.
// Whatever the label does there, crash or loop, this program continues. ZPL on standard input, the first label as PNG
// on standard output.
//
//   cc isolated.c $(pkg-config --cflags --libs platen) -o isolated && ./isolated < label.zpl > label.png
//
// Exit status: 0 drawn, 1 not drawn (one line says why). A service keeps such children and hands them one label after
// another, which saves their start; `platen serve` and `platen render --timeout` do.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <platen/platen.h>

#define TIME_MS 2000
#define MEMORY_BYTES ((size_t)512 << 20)
#define INPUT_MAX ((size_t)8 << 20)
#define OUTPUT_MAX ((size_t)64 << 20)

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// In the child: reads, draws and writes one label. Returns its exit status.
static int draw(const char *zpl, size_t size, int out)
{
    struct platen_error err = {0};
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer png = {0};
    // The library looks at its deadline between fields and in its own loops. What a font or text library does in
    // between, the parent ends.
    struct platen_options options = PLATEN_OPTIONS(.deadline_ns = (uint64_t)(now_ms() + TIME_MS) * 1000000);
    const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES}, none = {0, 0};
    if (setrlimit(RLIMIT_AS, &memory) != 0 || setrlimit(RLIMIT_CORE, &none) != 0)
        return 1;
    if (platen_engine_new(NULL, &engine, &err) != PLATEN_OK || platen_worker_new(engine, &worker, &err) != PLATEN_OK ||
        platen_parse(worker, zpl, size, &options, &document, &err) != PLATEN_OK ||
        platen_draw(worker, document, 0, &page, &err) != PLATEN_OK ||
        platen_encode(worker, page, PLATEN_PNG, NULL, &png, &err) != PLATEN_OK) {
        fprintf(stderr, "isolated: %s\n", err.message);
        return 1;
    }
    for (size_t sent = 0; sent < png.size;) {
        ssize_t n = write(out, png.data + sent, png.size - sent);
        if (n < 0)
            return 1;
        sent += (size_t)n;
    }
    return 0;
}

// Reads to the end, up to `most` bytes, until a time on the clock (0: no bound). False: more, too late, or an error.
static bool read_all(int fd, char *room, size_t most, long until_ms, size_t *size)
{
    for (*size = 0; *size <= most;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        long left = until_ms ? until_ms - now_ms() : -1;
        if (until_ms && (left <= 0 || poll(&ready, 1, (int)left) == 0))
            return false;
        ssize_t n = read(fd, room + *size, most + 1 - *size);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        *size += n > 0 ? (size_t)n : 0;
    }
    return false;
}

int main(void)
{
    static char zpl[INPUT_MAX + 1], png[OUTPUT_MAX + 1];
    size_t zpl_size, png_size;
    int channel[2], status;
    if (!read_all(STDIN_FILENO, zpl, INPUT_MAX, 0, &zpl_size)) {
        fprintf(stderr, "isolated: the label code cannot be read, or is over %zu bytes\n", INPUT_MAX);
        return 1;
    }
    pid_t child = pipe(channel) == 0 ? fork() : -1; // while this program has one thread
    if (child < 0) {
        fprintf(stderr, "isolated: no process can be started\n");
        return 1;
    }
    if (child == 0) {
        close(channel[0]);
        _exit(draw(zpl, zpl_size, channel[1]));
    }
    close(channel[1]);
    // A moment more than the child has: it may say by itself that it is late.
    bool whole = read_all(channel[0], png, OUTPUT_MAX, now_ms() + TIME_MS + 250, &png_size);
    if (!whole)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (!whole)
        fprintf(stderr, "isolated: the label took too long\n");
    else if (WIFSIGNALED(status))
        fprintf(stderr, "isolated: the label ended its process (%s)\n", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == 0 && fwrite(png, 1, png_size, stdout) == png_size && fflush(stdout) == 0)
        return 0;
    else if (WEXITSTATUS(status) == 0)
        perror("isolated: standard output");
    return 1;
}
