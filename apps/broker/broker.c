// What needs no connection: headers of messages, names of batches, the time between two tries.
#include "broker.h"

#include "base/ckd.h"
#include "os/clock.h"

#define PAUSE_MS 200u
#define PAUSE_MOST_MS 15000u

uint32_t broker_pause_ms(uint32_t tries)
{
    uint32_t pause = PAUSE_MS << PL_MIN(tries, 8u);
    pause = PL_MIN(pause, PAUSE_MOST_MS);
    return pause / 2 + (uint32_t)(pl_now_ns() / 1000 % (pause / 2 + 1));
}

bool broker_batch_usable(struct pl_slice batch)
{
    for (size_t i = 0; i < batch.len; i++) {
        uint8_t c = batch.ptr[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.')
            return false;
    }
    return batch.len > 0 && batch.len <= BROKER_BATCH_MAX && batch.ptr[0] != '.';
}

bool broker_header_of(const struct broker_message *message, const char *name, struct pl_slice *value)
{
    for (uint32_t i = 0; i < message->header_count; i++) {
        if (pl_slice_eq_cstr(message->headers[i].name, name)) {
            *value = message->headers[i].value;
            return true;
        }
    }
    return false;
}

void broker_add_header(struct broker_message *message, const char *name, struct pl_slice value)
{
    if (message->header_count < BROKER_HEADERS_MAX)
        message->headers[message->header_count++] = (struct broker_header){pl_slice_cstr(name), value};
}
