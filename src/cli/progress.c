// The line of progress.
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "os/clock.h"

#define BAR 24
#define STEP_NS 100000000u
#define SECOND_NS UINT64_C(1000000000)

static void put_time(char *out, size_t size, uint64_t seconds)
{
    unsigned long long s = seconds;
    if (s >= 3600)
        snprintf(out, size, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, size, "%llu:%02llu", s / 60, s % 60);
}

// Writes the line, without CR and LF.
static void write_line(char *out, size_t size, double part, size_t done, size_t failed, uint64_t ns)
{
    char bar[BAR + 1], left[56] = "", percent[8] = "", failures[40] = "";
    double seconds = (double)ns / SECOND_NS;
    uint64_t rate = seconds > 0 ? (uint64_t)((double)done / seconds) : 0;
    memset(bar, '.', BAR);
    bar[BAR] = '\0';
    if (part >= 0) {
        part = part > 1 ? 1 : part;
        memset(bar, '#', (size_t)(part * BAR));
        snprintf(percent, sizeof percent, "%3d %% ", (int)(part * 100));
    }
    if (part > 0 && part < 1 && seconds >= 1) {
        char time[40];
        double rest = seconds / part * (1 - part);
        put_time(time, sizeof time, rest < 1e9 ? (uint64_t)(rest + 0.5) : 1000000000u);
        snprintf(left, sizeof left, ", %s left", time);
    }
    if (failed > 0)
        snprintf(failures, sizeof failures, ", %zu failed", failed);
    snprintf(out, size, "%s%s%s%s%zu done%s, %llu/s%s", part >= 0 ? "[" : "", part >= 0 ? bar : "",
             part >= 0 ? "] " : "", percent, done, failures, (unsigned long long)rate, left);
}

void progress_begin(struct progress_bar *bar, bool wanted)
{
    *bar = (struct progress_bar){.shown = wanted && isatty(STDERR_FILENO), .began_ns = pl_now_ns()};
    pthread_mutex_init(&bar->lock, NULL);
}

void progress_begin_lines(struct progress_bar *bar, bool wanted)
{
    progress_begin(bar, wanted);
    bar->lines = wanted && !bar->shown;
    bar->shown_ns = bar->began_ns; // a short command prints none
}

// With the lock held.
static void print(struct progress_bar *bar, double part, size_t done, size_t failed, uint64_t now)
{
    char line[160];
    write_line(line, sizeof line, part, done, failed, now - bar->began_ns);
    fprintf(stderr, bar->lines ? "%s\n" : "\r%s\033[K", line);
    bar->shown_ns = now;
    bar->any = !bar->lines;
}

void progress_tell(struct progress_bar *bar, double part, size_t done, size_t failed)
{
    if (!bar->shown && !bar->lines)
        return;
    pthread_mutex_lock(&bar->lock);
    uint64_t now = pl_now_ns();
    if (now - bar->shown_ns >= (bar->lines ? PROGRESS_LINE_S * SECOND_NS : STEP_NS))
        print(bar, part, done, failed, now);
    pthread_mutex_unlock(&bar->lock);
}

void progress_end(struct progress_bar *bar, size_t done, size_t failed)
{
    if (bar->shown) {
        print(bar, 1, done, failed, pl_now_ns());
        fputc('\n', stderr);
    }
    pthread_mutex_destroy(&bar->lock);
}
