// What `platen submit` and `platen collect` share: options of the broker, and a connection that comes back.
#ifndef BROKER_CLIENT_H
#define BROKER_CLIENT_H

#include "broker.h"
#include "cli/arguments.h"

struct client {
    struct broker_options options;
    const char *command; // in messages
    const char *batch;
    uint64_t wait_ms; // without any progress, then it gives up; 0: never
    bool wait_given;  // --wait was there
    uint32_t turn, tries;
    uint32_t hopeless;         // addresses in turn of which the last answer says that trying again is no use
    bool declares;             // queues and exchanges, but not the batch's
    bool batch_is_there;       // its queue was there when this client connected
    uint32_t other_collectors; // then
    struct broker *broker;
    uint64_t progress_ns;
    char last_error[256];
    char wait_text[40]; // of client_pass_on
};

// Rows of its options, for commands whose struct begins with it.
#define CLIENT_ROWS                                                                                                    \
    {"broker", '\0', CLI_TO_TEXT(struct client, options.urls)},                                                        \
        {"password-file", '\0', CLI_TO_TEXT(struct client, options.password_file)},                                    \
        {"ca", '\0', CLI_TO_TEXT(struct client, options.ca)},                                                          \
        {"cert", '\0', CLI_TO_TEXT(struct client, options.cert)},                                                      \
        {"key", '\0', CLI_TO_TEXT(struct client, options.key)},                                                        \
        {"prefix", '\0', CLI_TO_TEXT(struct client, options.prefix)},                                                  \
        {"batch", '\0', CLI_READ(client_read_batch, CLIENT_BATCH_RULE)},                                               \
    {                                                                                                                  \
        "wait", '\0', CLI_READ(client_read_wait, "must be a time such as 30s or 5m")                                   \
    }
#define CLIENT_BATCH_RULE "a name of letters, digits, '-', '_' and '.', which is not the first"

#define CLIENT_HELP                                                                                                    \
    "  --batch NAME          name of the batch: letters, digits, '-', '_' and '.'\n"                                   \
    "  --broker URLS         amqp:// or amqps:// addresses, separated by commas; or $PLATEN_BROKER\n"                  \
    "  --password-file FILE  the broker's password, instead of the one in the address\n"                               \
    "  --ca FILE             authorities for amqps (the system's)\n"                                                   \
    "  --cert FILE, --key FILE  of this client\n"                                                                      \
    "  --prefix NAME         of queues and exchanges (platen)\n"                                                       \
    "  --wait DURATION       give up after so long without progress; 0, or alone: never (never; batch: 30s)\n"

// `--wait` alone means to wait as long as it takes; before the options are read.
void client_arguments(int argc, char **argv);
// The options of the broker as arguments of another command, behind those that are there. Returns how many there are.
#define CLIENT_ARGUMENTS 17 // at most
int client_pass_on(struct client *client, char **args, int count);
void client_init(struct client *client, const char *command);
// Are the options of the broker as they should be? False: a line was printed.
bool client_check(const struct client *client);
// cli_row.read; `client` is the struct that begins with it.
bool client_read_batch(void *client, const char *value);
bool client_read_wait(void *client, const char *value);
// Connects, again and again, and asks for the batch's queue. False: it gave up; a line was printed.
bool client_connect(struct client *client);
// Is the batch there now, and has it collectors?
enum pl_errc client_find_batch(struct client *client, struct pl_error *err) PL_MUST_USE;
// The connection is over: says why, and waits a while.
void client_lost(struct client *client, const struct pl_error *err);
void client_progress(struct client *client);
bool client_gives_up(const struct client *client);
void client_rest(uint32_t ms);

#endif
