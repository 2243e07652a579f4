// Fuzzes a whole language, FUZZ_LANGUAGE: bytes to scene to dump, its recognition and its outline, with small limits so
// that a run stays short. The bytes end at a page that nobody may read.
#include "../../unit/guard_page.h"
#include "base/buf.h"
#include "lang/lang.h"

static const struct pl_lang *language(void)
{
    const struct pl_lang *found;
    for (uint32_t i = 0; (found = pl_lang_at(i)) && strcmp(found->name, FUZZ_LANGUAGE) != 0;)
        i++;
    return found;
}

static bool visit(void *user, const struct pl_lang_span *span)
{
    *(uint64_t *)user += span->end - span->start;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard_page guard;
    data = guard_page_put(&guard, data, size);
    if (!data)
        return 0;
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)32 << 20);
    struct pl_store store;
    pl_store_init(&store, &arena, NULL, (size_t)1 << 20);
    struct pl_diags diags;
    pl_diags_init(&diags, &arena, 50);
    struct pl_lang_options options = {.profile = size % 2 == 0 ? &pl_profile_reference : &pl_profile_printer,
                                      .dpmm = size % 3 == 0 ? 12 : 8,
                                      .width = 812,
                                      .height = 1218,
                                      .limits = PL_LIMITS_DEFAULT,
                                      .time = 1772719629};
    options.limits.labels = 20;
    options.limits.elements_per_label = 500;
    options.limits.decoded_graphics = (size_t)4 << 20;
    struct pl_slice input = pl_slice_make(data, size);
    struct pl_scene scene;
    struct pl_error err;
    uint64_t shown = 0;
    (void)pl_lang_detect(input);
    language()->outline(input, visit, &shown);
    // A deadline, as every render has one: what is stored and recalls itself takes time, not memory.
    struct pl_job job = {.deadline_ns = pl_now_ns() + 500000000u};
    if (language()->interpret(input, &options, &store, &arena, &diags, &job, &scene, &err) == PL_OK) {
        struct pl_buf dump;
        pl_buf_init(&dump, (size_t)8 << 20);
        pl_scene_dump(&scene, &dump);
        pl_diags_locate(&diags, input, NULL);
        pl_buf_fini(&dump);
    }
    pl_arena_fini(&arena);
    return 0;
}
