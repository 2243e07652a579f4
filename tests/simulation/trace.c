// What happened in a run: the last events are kept, and printed when it fails.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "sim.h"

#define KEPT 512u // a power of two

struct record {
    uint64_t time;
    const char *text;
    int64_t numbers[4];
};

static struct record records[KEPT];
static uint64_t count, digest;
static bool printing;

static void print(const struct record *record)
{
    unsigned number = 0;
    printf("%12.6f ", (double)record->time / 1e6);
    for (const char *at = record->text; *at; at++) {
        if (*at == '%' && number < 4)
            printf("%lld", (long long)record->numbers[number++]);
        else
            putchar(*at);
    }
    putchar('\n');
}

void sim_trace_begin(bool is_printing)
{
    count = 0;
    digest = 0;
    printing = is_printing;
}

uint64_t sim_trace_digest(void)
{
    return digest;
}

void sim_note(const char *text, int64_t a, int64_t b, int64_t c, int64_t d)
{
    struct record *record = &records[count++ & (KEPT - 1)];
    *record = (struct record){sim.now_ns, text, {a, b, c, d}};
    digest = sim_mix(digest ^ sim.now_ns, (uint64_t)a ^ (uint64_t)b << 16 ^ (uint64_t)c << 32 ^ (uint64_t)d << 48);
    if (printing)
        print(record);
}

static void print_replay(void)
{
    const struct sim_options *options = &sim.options;
    printf("seed %llu: sim --seed %llu", (unsigned long long)sim.world.seed, (unsigned long long)sim.world.seed);
    if (options->clients)
        printf(" --clients %u", options->clients);
    if (options->only != SIM_NONE)
        printf(" --only %u", options->only);
    if (options->requests)
        printf(" --requests %u", options->requests);
    if (options->events)
        printf(" --events %llu", (unsigned long long)options->events);
    if (options->without)
        printf(" --without %u", options->without);
    printf(" --trace\n");
}

static void report(void)
{
    if (!printing) {
        uint64_t first = count > KEPT ? count - KEPT : 0;
        if (first > 0)
            printf("(%llu events before)\n", (unsigned long long)first);
        for (uint64_t i = first; i < count; i++)
            print(&records[i & (KEPT - 1)]);
    }
    sim_world_print(&sim.world);
    print_replay();
}

void sim_fail(const char *format, ...)
{
    va_list arguments;
    if (sim.failure)
        *sim.failure = (uint64_t)strlen(format) << 32 | pl_crc16_xmodem(0, pl_slice_cstr(format));
    if (!sim.options.quiet) {
        report();
        printf("FAILED: ");
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        printf("\n");
    } else {
        printf("seed %llu: ", (unsigned long long)sim.world.seed);
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        printf("\n");
    }
    fflush(stdout);
    _exit(SIM_EXIT_FOUND);
}

// The core stops the program when an exchange would have two owners or a state machine gets an event that it does not
// know.
static void on_signal(int number)
{
    signal(number, SIG_DFL);
    sim_fail(number == SIGVTALRM ? "the run does not end (signal %d)" : "the program stopped itself (signal %d)",
             number);
}

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif

#ifdef ASAN
#include <sanitizer/asan_interface.h>

static void on_death(void)
{
    report();
    fflush(stdout);
}

void sim_catch_signals(void)
{
    signal(SIGABRT, on_signal);
    signal(SIGVTALRM, on_signal);
    __sanitizer_set_death_callback(on_death);
}
#else
void sim_catch_signals(void)
{
    static const int NUMBERS[] = {SIGABRT, SIGVTALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++)
        signal(NUMBERS[i], on_signal);
}
#endif
