// The core's own options as values; filled from the table in config.c.
#ifndef HTTP_CONFIG_H
#define HTTP_CONFIG_H

#include "http/options/options.h"

struct http_config {
    const char *listen;
    const char *config_file;
    uint32_t workers;
    uint32_t io_threads;
    uint32_t max_connections;
    uint32_t max_client_connections;
    uint32_t max_queue;
    size_t max_body;
    size_t max_body_memory;
    size_t max_client_memory;
    size_t max_uri;
    size_t max_header;
    uint64_t header_timeout_ms;
    uint64_t idle_timeout_ms;
    uint64_t body_timeout_ms;
    uint64_t write_timeout_ms;
    uint64_t heartbeat_ms;
    uint64_t drain_delay_ms;
    uint64_t drain_timeout_ms;
    size_t min_rate;
    uint32_t rate_limit;
    uint32_t rate_burst;
    bool trust_proxy;
    const char *allow_host;
    const char *api_key_file;
    const char *cors;
    const char *log;
    const char *log_to;
    bool sandbox;
};

#define HTTP_CORE_OPTIONS_MAX 32
#define HTTP_APP_OPTIONS_MAX 32
extern const struct http_option http_core_options[];
extern const size_t http_core_option_count;

#endif
