// GS1 data of every form, the rules of carriers, and the EPC of a tag, from any bytes. The first byte chooses form and
// symbology.
#include <stdlib.h>
#include <string.h>

#include "check/epc.h"
#include "check/gs1.h"
#include "check/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct pl_arena arena;
    struct pl_error err = {0};
    struct pl_gs1_result result;
    struct pl_slice text = pl_slice_make(data + 1, size - 1);
    pl_arena_init(&arena, 1 << 20);
    if (pl_gs1_check(text, (enum pl_gs1_form)(data[0] % 3), &arena, &result, &err) == PL_OK &&
        pl_gs1_check_partners(&result, NULL, 0, &arena, &err) == PL_OK) {
        for (uint32_t i = 0; i < result.finding_count; i++)
            if (result.findings[i].offset > text.len)
                abort();
        for (uint32_t i = 0; i < result.element_count; i++)
            if (result.elements[i].offset > text.len ||
                result.elements[i].length > text.len - result.elements[i].offset)
                abort();
    }
    (void)pl_gs1_is_link(text);
    struct pl_rule_result rule =
        pl_rules_check(UINT32_MAX, (enum pl_check_symbology)(data[0] / 3 % PL_CHECK_SYMBOLOGY_COUNT), text);
    if (rule.match == PL_RULE_BROKEN && rule.offset > text.len)
        abort();
    struct pl_epc epc;
    if (pl_epc_read(text.ptr, text.len * 8, &epc) != PL_EPC_OTHER &&
        (!epc.scheme || memchr(epc.key, 0, sizeof epc.key) == NULL || memchr(epc.serial, 0, sizeof epc.serial) == NULL))
        abort();
    pl_arena_fini(&arena);
    return 0;
}
