// CPU time of a batch of 10,000 calculations from body to answer, without HTTP: usual items, and items made to be slow.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/ckd.h"
#include "grain/batch.h"

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void usual_item(struct pl_buf *body, int i)
{
    const struct grain_culture *culture = &grain_cultures()[i % GRAIN_CULTURES];
    pl_buf_printf(body, "{\"grain\":\"%s\",\"ta\":%d.%d,\"ur\":%d.%d}", culture->id, i % 50, i % 10, 10 + i % 85,
                  i / 7 % 10);
}

static void named_item(struct pl_buf *body, int i)
{
    const struct grain_culture *culture = &grain_cultures()[i % GRAIN_CULTURES];
    pl_buf_printf(body, "{\"grain\":\"%s\",\"ta\":\"%d,%d\",\"ur\":\"%d,%d\",\"lang\":\"pt\"}",
                  culture->name.in[GRAIN_PT], i % 50, i % 10, 10 + i % 85, i / 7 % 10);
}

static void misspelt_item(struct pl_buf *body, int i)
{
    pl_buf_printf(body, "{\"grain\":\"long-grain ryce that is not %d\",\"ta\":25,\"ur\":70}", i);
}

static void long_number_item(struct pl_buf *body, int i)
{
    pl_buf_printf(body, "{\"grain\":\"corn\",\"ta\":25.0123456789%05d,\"ur\":70.9876543210%05d,\"x\":1}", i, i);
}

static const struct {
    const char *name;
    void (*item)(struct pl_buf *body, int i);
} kinds[] = {{"usual", usual_item},
             {"names and texts", named_item},
             {"misspelt names", misspelt_item},
             {"long numbers, unknown field", long_number_item}};

static int run(size_t kind)
{
    struct pl_buf body;
    pl_buf_init(&body, 8 << 20);
    pl_buf_append_byte(&body, '[');
    for (int i = 0; i < GRAIN_BATCH_MAX; i++) {
        if (i > 0)
            pl_buf_append_byte(&body, ',');
        kinds[kind].item(&body, i);
    }
    pl_buf_append_byte(&body, ']');
    double best = 1e9;
    size_t answer = 0;
    for (int round = 0; round < 15; round++) {
        struct pl_buf out;
        struct pl_error err;
        struct grain_tally tally;
        pl_buf_init(&out, GRAIN_ANSWER_MAX);
        double start = cpu_ms();
        if (grain_answer_json(pl_buf_slice(&body), NULL, &out, &tally, &err) != PL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        double took = cpu_ms() - start;
        best = took < best ? took : best;
        answer = out.len;
        pl_buf_fini(&out);
    }
    printf("%-28s %8.2f ms   body %zu bytes, answer %zu bytes\n", kinds[kind].name, best, body.len, answer);
    pl_buf_fini(&body);
    return 0;
}

int main(void)
{
    puts("10,000 calculations in one batch, CPU time, best of 15:");
    int status = 0;
    for (size_t i = 0; i < PL_COUNTOF(kinds); i++)
        status |= run(i);
    return status;
}
