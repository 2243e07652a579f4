// The front's end of a renderer: asking it, watching over its time, replacing it. One thread at a time.
#ifndef PLATEN_RENDERER_LINK_H
#define PLATEN_RENDERER_LINK_H

#include <pthread.h>

#include "answer/label_part.h"
#include "base/job.h"
#include "http/http.h"
#include "process/keeper.h"
#include "renderer/render_job.h"
#include "renderer/renderer.h"
#include "renderer/summary.h"

// What can go wrong beyond enum platen_status.
#define RENDER_E_KILLED ((enum platen_status)PLATEN_E_PROGRAM)     // it went past its time and was ended
#define RENDER_E_DIED ((enum platen_status)(PLATEN_E_PROGRAM + 1)) // it ended by itself, or broke its word
#define RENDER_E_NONE ((enum platen_status)(PLATEN_E_PROGRAM + 2)) // no renderer can be had now

// All renderers of the service.
struct renderers {
    struct renderer_plan plan;
    struct pl_kept_work work;
    struct pl_keeper keeper;
    uint32_t most_labels; // of one request
    atomic_uint places;   // taken by links
    pthread_t watcher;    // waits for the end of the keeper
    bool watched;
    atomic_bool stopping;
    struct http_counter *killed, *died, *restarts;
};

// A printer's memory as the front has it: bytes that it passes on and never reads.
struct memory_image {
    uint64_t number; // unique; 0: none
    struct pl_slice parts[RENDER_MEMORY_PARTS];
};

// What a printer's job leaves.
struct job_result {
    uint64_t number; // of the memory after it
    unsigned changed;
    struct pl_buf parts[RENDER_MEMORY_PARTS]; // those that have changed
    struct pl_buf replies, stored;
    struct platen_settings settings;
};
void job_result_init(struct job_result *result);
void job_result_free(struct job_result *result);

struct renderer_link {
    struct renderers *renderers;
    uint32_t place;
    int channel;      // -1: there is no renderer
    uint64_t request; // whose document it has; 0: none
    bool retires;
    uint64_t memory; // the number of the printer's memory that it has; 0: none
};

// Starts the keeper of `count` renderers, while there are no threads yet, and registers their metrics. A renderer may
// have `beside` bytes beyond the memory of the engine's limits: its caches and the label code. `server` NULL: there are
// no metrics, and renderers are confined.
enum pl_errc renderers_start(struct renderers *renderers, struct http_server *server,
                             const struct platen_engine *engine, size_t beside, uint32_t count,
                             struct pl_error *err) PL_MUST_USE;
void renderers_stop(struct renderers *renderers); // all links are closed

// A renderer in a place of its own.
enum pl_errc renderer_link_open(struct renderers *renderers, struct renderer_link *link,
                                struct pl_error *err) PL_MUST_USE;
void renderer_link_close(struct renderer_link *link);
// Asks and waits. Fills *summary (with ask->opens) and *part (if one is drawn; part->drawn tells whether the page is
// there). `job` says for how long, and whether somebody still waits.
enum platen_status renderer_ask(struct renderer_link *link, const struct render_ask *ask, struct pl_slice zpl,
                                const struct pl_job *job, struct summary *summary, struct label_part *part,
                                struct platen_error *err);
// The same for a printer's job, which continues where `memory` ends. With ask->opens *result is filled.
enum platen_status renderer_ask_job(struct renderer_link *link, const struct render_ask *ask,
                                    const struct memory_image *memory, struct pl_slice zpl, const struct pl_job *job,
                                    struct summary *summary, struct label_part *part, struct job_result *result,
                                    struct platen_error *err);

#endif
