// Metrics in the text format of Prometheus.
#include <stdlib.h>
#include <string.h>

#include "http/observe/metrics.h"
#include "unit.h"

static void text_format(void **state)
{
    (void)state;
    struct http_metrics *m = http_metrics_new("app");
    assert_non_null(m);
    struct http_counter *png = http_metric_counter(m, "renders_total", "Renders.", "format=\"png\"");
    struct http_counter *open = http_metric_gauge(m, "open", "Open now.", NULL);
    struct http_counter *pdf = http_metric_counter(m, "renders_total", "Renders.", "format=\"pdf\"");
    struct http_histogram *time = http_metric_histogram(m, "seconds", "Time.", NULL);
    assert_null(http_metric_gauge(m, "renders_total", "Another kind.", NULL));
    http_counter_add(png, 2);
    http_counter_add(pdf, 40);
    http_counter_add(NULL, 1);
    http_gauge_set(open, 7);
    http_histogram_observe(time, 100000);      // on the first bound
    http_histogram_observe(time, 3000000);     // 3 ms
    http_histogram_observe(time, 20000000000); // beyond the last
    struct pl_buf out;
    pl_buf_init(&out, 65536);
    http_metrics_write(m, &out);
    pl_buf_append_byte(&out, 0);
    const char *text = (const char *)out.data;
    assert_ptr_equal(
        strstr(text, "# HELP app_renders_total Renders.\n# TYPE app_renders_total counter\n"
                     "app_renders_total{format=\"png\"} 2\napp_renders_total{format=\"pdf\"} 40\n# HELP app_open"),
        text);
    assert_non_null(strstr(text, "\napp_open 7\n"));
    assert_non_null(strstr(text, "app_seconds_bucket{le=\"0.0001\"} 1\n"));
    assert_non_null(strstr(text, "app_seconds_bucket{le=\"0.0025\"} 1\n"));
    assert_non_null(strstr(text, "app_seconds_bucket{le=\"0.005\"} 2\n"));
    assert_non_null(strstr(text, "app_seconds_bucket{le=\"10\"} 2\n"));
    assert_non_null(strstr(text, "app_seconds_bucket{le=\"+Inf\"} 3\n"));
    assert_non_null(strstr(text, "app_seconds_sum 20.003100000\napp_seconds_count 3\n"));
    pl_buf_fini(&out);
    http_metrics_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_format)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
