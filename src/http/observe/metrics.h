// Counters and histograms in Prometheus's text format. Made, changed and written from any thread.
#ifndef HTTP_METRICS_H
#define HTTP_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct http_metrics;
struct http_counter;
struct http_histogram;

struct http_metrics *http_metrics_new(const char *prefix); // "platen": names become platen_<name>
// False when there was no memory for one of them.
bool http_metrics_whole(const struct http_metrics *metrics);
void http_metrics_free(struct http_metrics *metrics);

// `labels` is the inside of the braces ("format=\"png\"") or NULL; rows of one name share help and stand together.
// Strings must live as long as the metrics. NULL comes back when there is no memory, and NULL may be passed on to the
// functions below.
struct http_counter *http_metric_counter(struct http_metrics *metrics, const char *name, const char *help,
                                         const char *labels);
// The same for a counter that is made when it is first needed: once, whoever comes first.
struct http_counter *http_metric_counter_at(struct http_metrics *metrics, _Atomic(struct http_counter *) *place,
                                            const char *name, const char *help, const char *labels);
struct http_counter *http_metric_gauge(struct http_metrics *metrics, const char *name, const char *help,
                                       const char *labels);
// Seconds; buckets from 100 µs to 10 s.
struct http_histogram *http_metric_histogram(struct http_metrics *metrics, const char *name, const char *help,
                                             const char *labels);

void http_counter_add(struct http_counter *counter, uint64_t more);
// For gauges that http_counter_add does not change.
void http_gauge_set(struct http_counter *gauge, uint64_t value);
void http_histogram_observe(struct http_histogram *histogram, uint64_t nanoseconds);

void http_metrics_write(struct http_metrics *metrics, struct pl_buf *out);

#endif
