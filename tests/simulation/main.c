// The program: one seed with its trace, many seeds, a smaller failing run, or how many seeds find a defect.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

#define HANG_S 30 // no seed takes that long, even under AddressSanitizer

// What a child tells its parent, also when it dies.
struct progress {
    uint64_t seed;
    uint64_t failure; // which of the checks failed; 0: something else ended it
    struct sim_totals totals;
};

static struct progress *progress;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run_one(uint64_t seed, const struct sim_options *options)
{
    progress->seed = seed;
    // In time of its own: the machine may be busy.
    const struct itimerval limit = {.it_value.tv_sec = HANG_S};
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    sim_run(seed, options);
    progress->totals = sim.totals;
}

// Runs something in a process of its own: what it finds may end it. Returns its exit status.
static int in_child(void (*run)(const void *), const void *argument, bool quiet)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        perror("sim: fork");
        exit(2);
    }
    if (child == 0) {
        if (quiet && (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)))
            _exit(2);
        run(argument);
        sim_fini();
        exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIM_EXIT_FOUND;
}

struct job {
    uint64_t seed;
    struct sim_options options;
};

static void run_job(const void *argument)
{
    const struct job *job = argument;
    run_one(job->seed, &job->options);
}

static uint64_t wanted_failure;

// In the same way, that is.
static bool still_fails(uint64_t seed, const struct sim_options *options)
{
    const struct job job = {seed, *options};
    progress->failure = 0;
    return in_child(run_job, &job, true) != 0 && progress->failure == wanted_failure;
}

// Takes away what the failure does not need: parts of the world, clients, requests.
static int shrink(uint64_t seed, struct sim_options options)
{
    options.trace = false;
    const struct job whole = {seed, options};
    progress->failure = 0;
    bool fails = in_child(run_job, &whole, true) != 0;
    wanted_failure = progress->failure;
    if (!fails) {
        printf("seed %llu does not fail\n", (unsigned long long)seed);
        return 0;
    }
    for (unsigned part = 1; part <= SIM_PART_LAST; part <<= 1) {
        struct sim_options less = options;
        less.without |= part;
        if (still_fails(seed, &less))
            options = less;
    }
    struct sim_world world;
    sim_world_make(&world, seed, &options);
    for (uint32_t only = 0; only < world.clients && options.only == SIM_NONE; only++) {
        struct sim_options less = options;
        less.only = only;
        if (still_fails(seed, &less))
            options = less;
    }
    for (uint32_t clients = 1; clients < world.clients && options.only == SIM_NONE; clients++) {
        struct sim_options less = options;
        less.clients = clients;
        if (still_fails(seed, &less)) {
            options = less;
            break;
        }
    }
    for (uint32_t requests = 1; requests < world.requests; requests++) {
        struct sim_options less = options;
        less.requests = requests;
        if (still_fails(seed, &less)) {
            options = less;
            break;
        }
    }
    options.trace = true;
    const struct job job = {seed, options};
    return in_child(run_job, &job, false);
}

struct search {
    uint64_t first, most;
    struct sim_options options;
};

static void run_search(const void *argument)
{
    const struct search *search = argument;
    for (uint64_t i = 0; i < search->most; i++)
        run_one(search->first + i, &search->options);
}

// How many seeds does it take to find the defect that this program was built with?
static int find(uint64_t first, uint64_t most, const struct sim_options *options)
{
    const struct search search = {first, most, *options};
    bool found = in_child(run_search, &search, true) != 0;
    printf("%llu\n", (unsigned long long)(found ? progress->seed - first + 1 : most));
    return found ? 0 : 1;
}

static void print_totals(double seconds)
{
    const struct sim_totals *t = &sim.totals;
    printf("%llu seeds in %.1f s (%.0f/s): %llu requests sent, %llu answers (%llu refusals), %llu cut, "
           "%llu connections, %llu faults, %llu events published and %llu received; %llu steps (%.0f/s)\n",
           (unsigned long long)t->seeds, seconds, (double)t->seeds / seconds, (unsigned long long)t->requests,
           (unsigned long long)t->answers, (unsigned long long)t->refusals, (unsigned long long)t->cuts,
           (unsigned long long)t->connections, (unsigned long long)t->faults, (unsigned long long)t->published,
           (unsigned long long)t->told, (unsigned long long)t->events, (double)t->events / seconds);
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    if (errno != 0 || *end != '\0' || end == text) {
        fprintf(stderr, "sim: '%s' is no number\n", text);
        exit(2);
    }
    return value;
}

static void usage(void)
{
    printf("usage: sim [--seed N [--trace] [--shrink]] [--from N] [--step N] [--seeds N] [--seconds N]\n"
           "           [--clients N] [--only N] [--requests N] [--events N] [--without MASK]\n"
           "           [--find MOST] [--outside] [--digest] [--tallies]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    struct sim_options options = {.only = SIM_NONE};
    uint64_t from = 1, step = 1, seeds = UINT64_MAX, most = 0;
    double seconds = 0;
    bool single = false, wants_shrink = false, digest = false, tallies = false;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--trace") == 0) {
            options.trace = true;
            continue;
        }
        if (strcmp(name, "--shrink") == 0) {
            wants_shrink = true;
            continue;
        }
        if (strcmp(name, "--tallies") == 0) {
            tallies = true;
            continue;
        }
        if (strcmp(name, "--outside") == 0) {
            options.outside = true;
            continue;
        }
        if (strcmp(name, "--digest") == 0) {
            digest = true;
            continue;
        }
        if (++i == argc)
            usage();
        uint64_t value = number(argv[i]);
        if (strcmp(name, "--seed") == 0) {
            from = value;
            single = true;
        } else if (strcmp(name, "--from") == 0)
            from = value;
        else if (strcmp(name, "--step") == 0)
            step = value;
        else if (strcmp(name, "--seeds") == 0)
            seeds = value;
        else if (strcmp(name, "--seconds") == 0)
            seconds = (double)value;
        else if (strcmp(name, "--clients") == 0)
            options.clients = (uint32_t)value;
        else if (strcmp(name, "--only") == 0)
            options.only = (uint32_t)value;
        else if (strcmp(name, "--requests") == 0)
            options.requests = (uint32_t)value;
        else if (strcmp(name, "--events") == 0)
            options.events = value;
        else if (strcmp(name, "--find") == 0)
            most = value;
        else if (strcmp(name, "--without") == 0)
            options.without = (unsigned)value;
        else
            usage();
    }
    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    sim_catch_signals();
    sim.failure = &progress->failure;
    if (most > 0)
        return find(from, most, &options);
    if (single && wants_shrink)
        return shrink(from, options);
    if (single)
        seeds = 1;
    double start = now_s();
    for (uint64_t i = 0; i < seeds && (seconds == 0 || now_s() - start < seconds); i++) {
        run_one(from + i * step, &options);
        if (digest)
            printf("%llu %016llx\n", (unsigned long long)(from + i * step), (unsigned long long)sim_trace_digest());
    }
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){0}, NULL);
    if (!digest)
        print_totals(now_s() - start);
    if (tallies)
        sim_answer_print_tallies();
    sim_fini();
    munmap(progress, sizeof(*progress));
    return 0;
}
