// Counters, gauges and histograms, and their text.
#include "http/observe/metrics.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

enum kind { COUNTER, GAUGE, HISTOGRAM };

// Upper bounds of the buckets, in microseconds; the last bucket has none.
static const uint64_t BOUNDS_US[] = {100,   250,    500,    1000,   2500,    5000,    10000,   25000,
                                     50000, 100000, 250000, 500000, 1000000, 2500000, 5000000, 10000000};
static const char *const BOUND_TEXT[] = {"0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025",
                                         "0.05",   "0.1",     "0.25",   "0.5",   "1",      "2.5",   "5",    "10"};
#define BUCKETS PL_COUNTOF(BOUNDS_US)

struct row {
    struct row *next; // of the same name
    char *labels;
};

// Threads count in cells of their own, as far as they go round, and a value is the sum of its cells: loops and workers
// would otherwise pass the same cache lines to and fro for every request.
#define CELLS 8u
#define CACHE_LINE 64

struct counter_cell {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t value;
};

struct http_counter {
    struct row row;
    struct counter_cell cells[CELLS];
};

struct histogram_cell {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t buckets[BUCKETS + 1]; // not cumulative
    atomic_uint_fast64_t sum_ns;
};

struct http_histogram {
    struct row row;
    struct histogram_cell cells[CELLS];
};

struct family {
    struct family *next;
    const char *name;
    const char *help;
    enum kind kind;
    struct row *first;
    struct row **last;
};

struct http_metrics {
    pthread_mutex_t lock; // of the lists; not of the values
    const char *prefix;
    struct family *first;
    struct family **last;
    bool starved; // a row could not be made
};

struct http_metrics *http_metrics_new(const char *prefix)
{
    struct http_metrics *metrics = calloc(1, sizeof(*metrics));
    if (metrics) {
        pthread_mutex_init(&metrics->lock, NULL);
        metrics->prefix = prefix;
        metrics->last = &metrics->first;
    }
    return metrics;
}

bool http_metrics_whole(const struct http_metrics *metrics)
{
    return metrics && !metrics->starved;
}

void http_metrics_free(struct http_metrics *metrics)
{
    if (!metrics)
        return;
    for (struct family *family = metrics->first; family;) {
        struct family *next = family->next;
        for (struct row *row = family->first; row;) {
            struct row *after = row->next;
            free(row->labels);
            free(row);
            row = after;
        }
        free(family);
        family = next;
    }
    pthread_mutex_destroy(&metrics->lock);
    free(metrics);
}

static struct family *family_of(struct http_metrics *metrics, const char *name, const char *help, enum kind kind)
{
    for (struct family *family = metrics->first; family; family = family->next) {
        if (strcmp(family->name, name) == 0)
            return family->kind == kind ? family : NULL;
    }
    struct family *family = calloc(1, sizeof(*family));
    if (!family)
        return NULL;
    *family = (struct family){.name = name, .help = help, .kind = kind, .last = &family->first};
    *metrics->last = family;
    metrics->last = &family->next;
    return family;
}

static void *new_row(size_t size, const char *labels)
{
    struct row *row = aligned_alloc(CACHE_LINE, size);
    if (!row)
        return NULL;
    memset(row, 0, size);
    if (labels && !(row->labels = strdup(labels))) {
        free(row);
        return NULL;
    }
    return row;
}

// `size` bytes that begin with a struct row, put at the end of its family. With the lock held.
static struct row *add_row_locked(struct http_metrics *metrics, const char *name, const char *help, const char *labels,
                                  enum kind kind, size_t size)
{
    struct family *family = family_of(metrics, name, help, kind);
    struct row *row = family ? new_row(size, labels) : NULL;
    if (!row) {
        metrics->starved = true;
        return NULL;
    }
    *family->last = row;
    family->last = &row->next;
    return row;
}

static struct row *add_row(struct http_metrics *metrics, const char *name, const char *help, const char *labels,
                           enum kind kind, size_t size)
{
    if (!metrics)
        return NULL;
    pthread_mutex_lock(&metrics->lock);
    struct row *row = add_row_locked(metrics, name, help, labels, kind, size);
    pthread_mutex_unlock(&metrics->lock);
    return row;
}

struct http_counter *http_metric_counter_at(struct http_metrics *metrics, _Atomic(struct http_counter *) *place,
                                            const char *name, const char *help, const char *labels)
{
    if (!metrics)
        return NULL;
    pthread_mutex_lock(&metrics->lock);
    struct http_counter *counter = atomic_load_explicit(place, memory_order_relaxed);
    if (!counter) {
        counter = (struct http_counter *)(void *)add_row_locked(metrics, name, help, labels, COUNTER, sizeof(*counter));
        atomic_store_explicit(place, counter, memory_order_release);
    }
    pthread_mutex_unlock(&metrics->lock);
    return counter;
}

struct http_counter *http_metric_counter(struct http_metrics *metrics, const char *name, const char *help,
                                         const char *labels)
{
    return (struct http_counter *)(void *)add_row(metrics, name, help, labels, COUNTER, sizeof(struct http_counter));
}

struct http_counter *http_metric_gauge(struct http_metrics *metrics, const char *name, const char *help,
                                       const char *labels)
{
    return (struct http_counter *)(void *)add_row(metrics, name, help, labels, GAUGE, sizeof(struct http_counter));
}

struct http_histogram *http_metric_histogram(struct http_metrics *metrics, const char *name, const char *help,
                                             const char *labels)
{
    return (struct http_histogram *)(void *)add_row(metrics, name, help, labels, HISTOGRAM,
                                                    sizeof(struct http_histogram));
}

// The cell of this thread.
static unsigned my_cell(void)
{
    static atomic_uint threads;
    static _Thread_local unsigned cell = CELLS;
    if (cell == CELLS)
        cell = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % CELLS;
    return cell;
}

void http_counter_add(struct http_counter *counter, uint64_t more)
{
    if (counter)
        atomic_fetch_add_explicit(&counter->cells[my_cell()].value, more, memory_order_relaxed);
}

void http_gauge_set(struct http_counter *gauge, uint64_t value)
{
    if (gauge)
        atomic_store_explicit(&gauge->cells[0].value, value, memory_order_relaxed);
}

void http_histogram_observe(struct http_histogram *histogram, uint64_t nanoseconds)
{
    if (!histogram)
        return;
    size_t bucket = 0;
    while (bucket < BUCKETS && nanoseconds > BOUNDS_US[bucket] * 1000)
        bucket++;
    struct histogram_cell *cell = &histogram->cells[my_cell()];
    atomic_fetch_add_explicit(&cell->buckets[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&cell->sum_ns, nanoseconds, memory_order_relaxed);
}

static void write_counter(struct pl_buf *out, const char *prefix, const char *name, const struct row *row)
{
    const struct http_counter *counter = (const struct http_counter *)(const void *)row;
    uint64_t value = 0;
    for (unsigned i = 0; i < CELLS; i++)
        value += atomic_load_explicit(&counter->cells[i].value, memory_order_relaxed);
    pl_buf_printf(out, "%s_%s", prefix, name);
    if (row->labels)
        pl_buf_printf(out, "{%s}", row->labels);
    pl_buf_append_byte(out, ' ');
    pl_buf_append_u64(out, value);
    pl_buf_append_byte(out, '\n');
}

static void write_histogram(struct pl_buf *out, const char *prefix, const char *name, const struct row *row)
{
    const struct http_histogram *histogram = (const struct http_histogram *)(const void *)row;
    const char *labels = row->labels ? row->labels : "";
    const char *comma = row->labels ? "," : "";
    uint64_t total = 0, sum = 0;
    for (unsigned k = 0; k < CELLS; k++)
        sum += atomic_load_explicit(&histogram->cells[k].sum_ns, memory_order_relaxed);
    for (size_t i = 0; i <= BUCKETS; i++) {
        for (unsigned k = 0; k < CELLS; k++)
            total += atomic_load_explicit(&histogram->cells[k].buckets[i], memory_order_relaxed);
        pl_buf_printf(out, "%s_%s_bucket{%s%sle=\"%s\"} %llu\n", prefix, name, labels, comma,
                      i < BUCKETS ? BOUND_TEXT[i] : "+Inf", (unsigned long long)total);
    }
    const char *open = row->labels ? "{" : "";
    const char *close = row->labels ? "}" : "";
    pl_buf_printf(out, "%s_%s_sum%s%s%s %llu.%09llu\n", prefix, name, open, labels, close,
                  (unsigned long long)(sum / 1000000000u), (unsigned long long)(sum % 1000000000u));
    pl_buf_printf(out, "%s_%s_count%s%s%s %llu\n", prefix, name, open, labels, close, (unsigned long long)total);
}

void http_metrics_write(struct http_metrics *metrics, struct pl_buf *out)
{
    pthread_mutex_lock(&metrics->lock);
    static const char *const KINDS[] = {"counter", "gauge", "histogram"};
    for (const struct family *family = metrics->first; family; family = family->next) {
        pl_buf_printf(out, "# HELP %s_%s %s\n# TYPE %s_%s %s\n", metrics->prefix, family->name, family->help,
                      metrics->prefix, family->name, KINDS[family->kind]);
        for (const struct row *row = family->first; row; row = row->next) {
            if (family->kind == HISTOGRAM)
                write_histogram(out, metrics->prefix, family->name, row);
            else
                write_counter(out, metrics->prefix, family->name, row);
        }
    }
    pthread_mutex_unlock(&metrics->lock);
}
