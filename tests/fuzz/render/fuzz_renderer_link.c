// The front's side of a conversation with a renderer that writes anything: the memory that both share is the input.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define pl_keeper_replace fuzz_replace
#define pl_keeper_start fuzz_start
#define pl_keeper_stop fuzz_stop
#define pl_turn_ask fuzz_ask
#include "renderer/renderer_link.c"

enum pl_errc fuzz_replace(struct pl_keeper *keeper, uint32_t place, struct pl_replaced *out, struct pl_error *err)
{
    (void)keeper;
    (void)place;
    *out = (struct pl_replaced){.channel = -1};
    return pl_fail(err, PL_E_MEMORY, "none");
}

enum pl_errc fuzz_start(struct pl_keeper *keeper, const struct pl_kept_work *work, uint32_t count, struct pl_error *err)
{
    (void)keeper;
    (void)work;
    (void)count;
    return pl_fail(err, PL_E_MEMORY, "none");
}

void fuzz_stop(struct pl_keeper *keeper)
{
    (void)keeper;
}

bool renderer_prepare(void *plan)
{
    return plan != NULL;
}

int renderer_run(void *plan, int channel, struct pl_shared *shared)
{
    (void)plan;
    (void)channel;
    (void)shared;
    return 0;
}

static const uint8_t *input;
static size_t input_size;

// The answer is there at once.
void fuzz_ask(struct pl_shared *shared)
{
    size_t head = input_size < sizeof(struct render_answer) ? input_size : sizeof(struct render_answer);
    size_t body = input_size - head < PL_SHARED_BODY ? input_size - head : PL_SHARED_BODY;
    memset(shared->answer_head, 0, PL_SHARED_HEAD);
    memcpy(shared->answer_head, input, head);
    memcpy(shared->answer, input + head, body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct pl_shared shared;
    static struct renderers all = {.plan = {.answer_bytes = 1 << 20}, .most_labels = 500};
    if (size < 2)
        return 0;
    all.keeper.shared = &shared;
    all.keeper.count = 1;
    struct renderer_link link = {.renderers = &all, .channel = 0};
    struct render_ask ask;
    render_ask_init(&ask, RENDER_LABELS, 1, 0);
    ask.opens = data[0] & 1;
    ask.labels.content = data[0] & 2 ? LABEL_PICTURE : LABEL_NOTHING;
    ask.labels.by_page = data[0] & 4;
    ask.labels.label = data[1] & 3;
    if (!ask.opens)
        link.request = 1;
    ask.controls.copies = data[0] & 8 ? COPIES_COLLAPSE : COPIES_EXPAND;
    bool pdf = data[0] & 16;
    input = data + 2;
    input_size = size - 2;
    // Over the channel nothing would come: the descriptor is none.
    struct summary summary = {0};
    struct label_part part;
    struct platen_error err;
    const struct pl_job job = {.deadline_ns = 1};
    label_part_init(&part);
    atomic_store(&shared.ended, false);
    link.channel = 1 << 20; // no such descriptor
    if (renderer_ask(&link, &ask, pl_slice_make("^XA^XZ", 6), &job, &summary, &part, &err) == PLATEN_OK) {
        struct warning_header header = {0};
        pl_buf_init(&header.text, 16384);
        warning_header_join(&header, &part.found);
        pl_buf_fini(&header.text);
        struct platen_pdf *out = NULL;
        struct platen_buffer bytes = {0};
        if (pdf && part.drawn && platen_pdf_new("t", &bytes, &out, &err) == PLATEN_OK) {
            if (platen_pdf_add(out, &part.file, 2, &err) == PLATEN_OK && platen_pdf_finish(out, &err) != PLATEN_OK &&
                err.status != PLATEN_E_MEMORY)
                abort();
            platen_pdf_free(out);
        }
        platen_buffer_free(&bytes);
    }
    label_part_free(&part);
    summary_free(&summary);
    return 0;
}
