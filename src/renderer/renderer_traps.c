// In the product nothing goes wrong on purpose.
#include "renderer/renderer_traps.h"

void renderer_trap(const void *zpl, size_t size)
{
    (void)zpl, (void)size;
}

void renderer_trap_answer(struct render_answer *answer)
{
    (void)answer;
}
