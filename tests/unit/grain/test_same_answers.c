// The answers of every set by its name are what they were in version 1.0.0, to the last digit: whatever becomes the
// default, a set that a request names stays what it is.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "grain/grain.h"
#include "unit.h"

// One-decimal answers over the whole grid, in both directions, as a digest.
static const struct {
    const char *culture, *set, *digest;
} recorded[] = {
#include "recorded_answers.inc"
};

static void add(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    if (isnan(value))
        pl_buf_append_byte(out, '-');
    else
        pl_buf_append(out, text, pl_format_fixed(value, 1, text));
    pl_buf_append_byte(out, ' ');
}

static void digest_of(const struct grain_set *set, char digest[17])
{
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    for (int ta = -30; ta <= 80; ta += 5) {
        for (int ur = 1; ur < 100; ur++)
            add(&out, grain_wet_from_dry(grain_moisture(set, ta, ur / 100.0)));
        for (int moisture = 1; moisture < 45; moisture++)
            add(&out, 100 * grain_humidity(set, ta, grain_dry_from_wet(moisture)));
    }
    snprintf(digest, 17, "%016llx", (unsigned long long)pl_hash_fnv1a(pl_buf_slice(&out)));
    pl_buf_fini(&out);
}

static void every_set_of_the_first_version_answers_as_it_did(void **state)
{
    (void)state;
    assert_int_equal(PL_COUNTOF(recorded), 40);
    for (size_t i = 0; i < PL_COUNTOF(recorded); i++) {
        const struct grain_culture *culture = grain_find(pl_slice_cstr(recorded[i].culture));
        assert_non_null(culture);
        const struct grain_set *set = grain_set_by_id(culture, pl_slice_cstr(recorded[i].set));
        assert_non_null(set);
        char digest[17];
        digest_of(set, digest);
        if (strcmp(digest, recorded[i].digest) != 0)
            fail_msg("%s %s: %s, recorded was %s", culture->id, set->id, digest, recorded[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_set_of_the_first_version_answers_as_it_did)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
