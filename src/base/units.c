// Numbers with a unit behind them.
#include "base/units.h"

#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

struct unit {
    const char *suffix;
    uint64_t factor;
};

static bool parse(const char *text, const struct unit *units, size_t count, uint64_t *out)
{
    size_t len = strlen(text);
    uint64_t factor = 1, value;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(units[i].suffix);
        if (len > n && strcmp(text + len - n, units[i].suffix) == 0) {
            factor = units[i].factor;
            len -= n;
            break;
        }
    }
    return pl_parse_u64(pl_slice_make(text, len), &value) && PL_CKD_MUL(out, value, factor);
}

bool pl_parse_ms(const char *text, uint64_t *out)
{
    static const struct unit units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}}; // "ms" before "s"
    return parse(text, units, PL_COUNTOF(units), out);
}

bool pl_parse_bytes(const char *text, uint64_t *out)
{
    static const struct unit units[] = {{"GiB", 1u << 30}, {"MiB", 1u << 20}, {"KiB", 1u << 10}, {"g", 1u << 30},
                                        {"m", 1u << 20},   {"k", 1u << 10},   {"G", 1u << 30},   {"M", 1u << 20},
                                        {"K", 1u << 10},   {"B", 1}}; // "GiB" before "B"
    return parse(text, units, PL_COUNTOF(units), out);
}
