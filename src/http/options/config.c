// The core's options: one row each.

#include "http/options/config.h"

#define DAY_MS 86400000u
#define GIB ((uint64_t)1 << 30)

// clang-format off
const struct http_option http_core_options[] = {
    {"listen", HTTP_TEXT(struct http_config, listen), NULL, NULL, "address and port to listen on; port 0 picks a free one", NULL},
    {HTTP_CONFIG_OPTION, HTTP_TEXT(struct http_config, config_file), "", NULL, "file of options, NAME = VALUE a line; environment and flags win over it", NULL},
    {"workers", HTTP_U32(struct http_config, workers, 0, 1024), "0", NULL, "worker threads; 0: one per core", NULL},
    {"io-threads", HTTP_U32(struct http_config, io_threads, 0, 64), "0", NULL, "threads that read and write; 0: one per core, at most 4", NULL},
    {"max-connections", HTTP_U32(struct http_config, max_connections, 1, 1000000), "4096", "connections", "open connections", NULL},
    {"max-client-connections", HTTP_U32(struct http_config, max_client_connections, 0, 1000000), "1024", "connectionsPerClient", "open connections from one client address; 0: no limit; not counted with --trust-proxy", NULL},
    {"max-queue", HTTP_U32(struct http_config, max_queue, 1, 1000000), "1024", "queuedRequests", "requests that wait for a worker; more are answered 429", NULL},
    {"max-body", HTTP_SIZE(struct http_config, max_body, 1, 4 * GIB), "8MiB", "requestBodyBytes", "bytes of a request body, also after inflation", NULL},
    {"max-body-memory", HTTP_SIZE(struct http_config, max_body_memory, 65536, 1024 * GIB), "1GiB", "bodyMemoryBytes", "bytes of request bodies and unread answers in memory together", NULL},
    {"max-client-memory", HTTP_SIZE(struct http_config, max_client_memory, 0, 1024 * GIB), "512MiB", "clientMemoryBytes", "bytes of that for one client address; 0: no limit; not counted with --trust-proxy", NULL},
    {"max-uri", HTTP_SIZE(struct http_config, max_uri, 64, 65536), "16KiB", "uriBytes", "bytes of a request target", NULL},
    {"max-header", HTTP_SIZE(struct http_config, max_header, 256, 65536), "16KiB", "headerBytes", "bytes of all header fields of a request", NULL},
    {"header-timeout", HTTP_MS(struct http_config, header_timeout_ms, 10, DAY_MS), "15s", "headerTimeoutMs", "time for a request's head to arrive whole", NULL},
    {"idle-timeout", HTTP_MS(struct http_config, idle_timeout_ms, 10, DAY_MS), "15s", "idleTimeoutMs", "time a kept-alive connection may be silent", NULL},
    {"body-timeout", HTTP_MS(struct http_config, body_timeout_ms, 10, DAY_MS), "30s", "bodyTimeoutMs", "time for a body to arrive, beside what --min-rate grants for each byte", NULL},
    {"write-timeout", HTTP_MS(struct http_config, write_timeout_ms, 10, DAY_MS), "30s", "writeTimeoutMs", "time for a client to take its answer, beside what --min-rate grants for each byte", NULL},
    {"min-rate", HTTP_SIZE(struct http_config, min_rate, 1, GIB), "16KiB", "minimumBytesPerSecond", "bytes a second that a slow client must reach in the long run", NULL},
    {"heartbeat", HTTP_MS(struct http_config, heartbeat_ms, 10, DAY_MS), "15s", NULL, "time between two signs of life on an event stream", NULL},
    {"drain-delay", HTTP_MS(struct http_config, drain_delay_ms, 0, DAY_MS), "2s", NULL, "after SIGTERM: time in which health says 503 and requests are still taken", NULL},
    {"drain-timeout", HTTP_MS(struct http_config, drain_timeout_ms, 0, DAY_MS), "30s", NULL, "time for work in flight after SIGTERM", NULL},
    {"rate-limit", HTTP_U32(struct http_config, rate_limit, 0, 1000000), "0", "requestsPerSecondPerClient", "requests a second from one client; 0: no limit", NULL},
    {"rate-burst", HTTP_U32(struct http_config, rate_burst, 0, 1000000), "0", NULL, "requests a client may send at once; 0: twice the rate", NULL},
    {"trust-proxy", HTTP_BOOL(struct http_config, trust_proxy), "off", NULL, "take the client's address from the last X-Forwarded-For entry", NULL},
    {"allow-host", HTTP_TEXT(struct http_config, allow_host), "", NULL, "further host names that requests may use, separated by commas; *: all", NULL},
    {"api-key-file", HTTP_TEXT(struct http_config, api_key_file), "", NULL, "file with one API key per line, read again at SIGHUP; without it no key is needed", NULL},
    {"cors", HTTP_TEXT(struct http_config, cors), "off", NULL, "other origins whose pages may ask and read answers: *, off, or a list separated by commas", NULL},
    {"log", HTTP_CHOICE(struct http_config, log), "json", NULL, "one JSON line per request, or nothing", "json|off"},
    {"log-to", HTTP_CHOICE(struct http_config, log_to), "stdout", NULL, "where the access log goes", "stdout|stderr"},
    {"sandbox", HTTP_BOOL(struct http_config, sandbox), "on", NULL, "after start refuse system calls that serving does not need: files, programs, connections out", NULL},
};
// clang-format on
const size_t http_core_option_count = sizeof(http_core_options) / sizeof(http_core_options[0]);
_Static_assert(sizeof(http_core_options) / sizeof(http_core_options[0]) <= HTTP_CORE_OPTIONS_MAX, "room for the rows");
