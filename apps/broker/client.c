// Connections of submitters and collectors.
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "base/units.h"
#include "os/clock.h"

void client_arguments(int argc, char **argv)
{
    static char for_ever[] = "--wait=0s";
    uint64_t ms;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--wait") == 0 && (i + 1 == argc || !pl_parse_ms(argv[i + 1], &ms)))
            argv[i] = for_ever;
    }
}

int client_pass_on(struct client *client, char **args, int count)
{
    const struct broker_options *o = &client->options;
    snprintf(client->wait_text, sizeof client->wait_text, "%llums", (unsigned long long)client->wait_ms);
    const char *const PAIRS[][2] = {{"--batch", client->batch},
                                    {"--broker", o->urls},
                                    {"--password-file", o->password_file},
                                    {"--ca", o->ca},
                                    {"--cert", o->cert},
                                    {"--key", o->key},
                                    {"--prefix", o->prefix},
                                    {"--wait", client->wait_given ? client->wait_text : NULL}};
    for (size_t i = 0; i < PL_COUNTOF(PAIRS); i++) {
        for (int k = 0; k < 2 && PAIRS[i][1]; k++)
            args[count++] = (char *)(uintptr_t)PAIRS[i][k];
    }
    args[count] = NULL;
    return count;
}

void client_init(struct client *client, const char *command)
{
    const char *url = getenv("PLATEN_BROKER");
    *client = (struct client){
        .options = {.urls = url && *url ? url : BROKER_DEFAULT_URL, .prefix = "platen", .heartbeat_s = 30},
        .command = command,
        .progress_ns = pl_now_ns()};
}

bool client_read_batch(void *client, const char *value)
{
    ((struct client *)client)->batch = value;
    return broker_batch_usable(pl_slice_cstr(value));
}

bool client_read_wait(void *client, const char *value)
{
    struct client *c = client;
    c->wait_given = true;
    return pl_parse_ms(value, &c->wait_ms);
}

void client_progress(struct client *client)
{
    client->progress_ns = pl_now_ns();
    client->tries = 0;
}

bool client_gives_up(const struct client *client)
{
    return client->wait_ms > 0 && pl_now_ns() - client->progress_ns > client->wait_ms * 1000000u;
}

void client_rest(uint32_t ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

void client_lost(struct client *client, const struct pl_error *err)
{
    if (strcmp(client->last_error, err->message) != 0)
        fprintf(stderr, "platen %s: %s; trying again\n", client->command, err->message);
    snprintf(client->last_error, sizeof client->last_error, "%s", err->message);
    broker_close(&client->broker);
    client_rest(broker_pause_ms(client->tries++));
}

bool client_check(const struct client *client)
{
    struct pl_error err = {0};
    if (broker_addresses(&client->options, &err) > 0)
        return true;
    fprintf(stderr, "platen %s: --broker: %s\n", client->command, err.message);
    return false;
}

enum pl_errc client_find_batch(struct client *client, struct pl_error *err)
{
    struct broker_queue queue = {0};
    if (client->batch)
        PL_TRY(broker_find_queue(client->broker, BROKER_OF_BATCH, client->batch, &queue, err));
    client->batch_is_there = queue.is_there;
    client->other_collectors = queue.consumers;
    return PL_OK;
}

bool client_connect(struct client *client)
{
    struct pl_error err = {0};
    uint32_t addresses = broker_addresses(&client->options, &err);
    while (!client_gives_up(client)) {
        enum pl_errc code = broker_open(&client->options, &client->turn, &client->broker, &err);
        if (code == PL_OK && client->declares)
            code = broker_declare(client->broker, &err);
        if (code == PL_OK)
            code = client_find_batch(client, &err);
        if (code == PL_OK) {
            client->last_error[0] = '\0';
            client->hopeless = 0;
            return true;
        }
        client->hopeless = code == PL_E_INVALID ? client->hopeless + 1 : 0;
        if (client->hopeless >= addresses) { // another try would end in the same way
            fprintf(stderr, "platen %s: %s\n", client->command, err.message);
            broker_close(&client->broker);
            return false;
        }
        client_lost(client, &err);
    }
    fprintf(stderr, "platen %s: gave up: %s\n", client->command, client->last_error);
    return false;
}
