// The table of the tools.
#include "grain/tools.h"

#include <assert.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/keeping.h"
#include "grain/verdict.h"

#define RUN(name)                                                                                                      \
    static bool run_##name(struct grain_fields *fields, grain_row *row, struct pl_buf *out)                            \
    {                                                                                                                  \
        struct grain_##name##_answer answer;                                                                           \
        if (!grain_##name##_answer(fields, &answer))                                                                   \
            return false;                                                                                              \
        if (row != NULL)                                                                                               \
            grain_##name##_rows(fields, &answer, row, out);                                                            \
        else                                                                                                           \
            grain_##name##_write(out, fields, &answer);                                                                \
        return true;                                                                                                   \
    }

RUN(air)
RUN(keeping)
RUN(verdict)
RUN(shrink)

static const struct grain_tool TOOLS[] = {
    {"air", GRAIN_AIR_FIELDS, run_air},
    {"keeping", GRAIN_KEEPING_FIELDS, run_keeping},
    {"verdict", GRAIN_VERDICT_FIELDS, run_verdict},
    {"shrink", GRAIN_SHRINK_FIELDS, run_shrink},
};

const struct grain_tool *grain_tool_by_id(const char *id)
{
    size_t i = 0;
    while (i < PL_COUNTOF(TOOLS) - 1 && strcmp(TOOLS[i].id, id) != 0)
        i++;
    assert(strcmp(TOOLS[i].id, id) == 0);
    return &TOOLS[i];
}
