// The access log as the simulation reads it: one line for each answer, with its status and its bytes.
#include <stdlib.h>
#include <string.h>

#include "sim.h"

void sim_log_begin(void)
{
    struct http_log *log = &sim.server->log;
    // As http_log_start does it, without the thread: the simulation takes the lines itself.
    pl_buf_init(&log->filling, 4u << 20);
    pthread_mutex_init(&log->lock, NULL);
    pthread_cond_init(&log->wake, NULL);
    log->fd = 1;
}

static uint64_t number_after(struct pl_slice line, const char *name)
{
    const uint8_t *at = memmem(line.ptr, line.len, name, strlen(name));
    if (!at)
        sim_fail("a line of the log lacks %s: %.*s", name, (int)line.len, (const char *)line.ptr);
    return strtoull((const char *)at + strlen(name), NULL, 10);
}

static void read_line(struct pl_slice line)
{
    static const char ID[] = "\"id\":\"";
    if (line.len < 20 || line.ptr[0] != '{' || line.ptr[line.len - 1] != '}')
        sim_fail("the log has the line '%.*s'", (int)line.len, (const char *)line.ptr);
    const uint8_t *id = memmem(line.ptr, line.len, ID, sizeof(ID) - 1);
    if (!id)
        sim_fail("a line of the log has no id");
    id += sizeof(ID) - 1;
    const uint8_t *end = memchr(id, '"', line.len - (size_t)(id - line.ptr));
    struct sim_request *r = end ? sim_request_find(pl_slice_make(id, (size_t)(end - id))) : NULL;
    if (!r)
        return; // a request without an id of ours
    if (r->logged++ > 0)
        sim_fail("request r%u-%u is logged twice", r->client, r->index);
    r->logged_status = (int)number_after(line, "\"status\":");
    r->logged_bytes = number_after(line, "\"bytes\":");
}

void sim_log_read(void)
{
    struct http_log *log = &sim.server->log;
    struct pl_buf *lines = &log->filling;
    if (log->fd < 0 || lines->len == 0)
        return;
    for (size_t at = 0; at < lines->len;) {
        const uint8_t *newline = memchr(lines->data + at, '\n', lines->len - at);
        if (!newline)
            sim_fail("the log ends in the middle of a line");
        size_t end = (size_t)(newline - lines->data);
        read_line(pl_slice_make(lines->data + at, end - at));
        at = end + 1;
    }
    pl_buf_clear(lines);
}

void sim_log_check(void)
{
    if (sim.server->log.fd < 0 || sim.starved)
        return; // without memory lines are dropped, and counted
    for (uint32_t i = 0; i < sim.server->loop_count; i++)
        http_log_flush(&sim.server->loops[i]);
    sim_log_read();
    for (uint32_t i = 0; i < sim.world.clients; i++) {
        const struct sim_client *c = sim.clients[i];
        for (uint32_t k = 0; k < c->request_count; k++) {
            const struct sim_request *r = &c->requests[k];
            if (!r->answered || !r->with_id || r->kind == SIM_BAD || r->status == 408)
                continue;
            if (r->logged != 1 || r->logged_status != r->status || r->logged_bytes != r->answer_bytes)
                sim_fail("request r%u-%u, answered with %d and %llu bytes, is logged %u times with %d and %llu bytes",
                         i, k, r->status, (unsigned long long)r->answer_bytes, r->logged, r->logged_status,
                         (unsigned long long)r->logged_bytes);
        }
    }
}

void sim_log_end(void)
{
    struct http_log *log = &sim.server->log;
    if (log->fd < 0)
        return;
    log->fd = -1; // what is noted from here on goes nowhere
    pl_buf_fini(&log->filling);
    pthread_cond_destroy(&log->wake);
    pthread_mutex_destroy(&log->lock);
}
