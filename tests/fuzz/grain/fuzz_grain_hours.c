// The reader of files of hours and everything behind it: no file makes it read outside, run on, or answer a bad number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grain/air.h"
#include "grain/hours.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// An hour that holds has a moisture to hold at: the one that its air has at the temperature of the grain.
static void check_effect(const struct grain_set *set, const struct grain_hours *hours, const struct grain_hour *hour)
{
    if (isnan(hours->grain_moisture) || hour->effect != GRAIN_HOLDS)
        return;
    double vapour = fmin(hour->ur, 100) * grain_air_saturation_over(hour->celsius, GRAIN_OVER_WATER),
           towards = hour->moisture;
    if (!isnan(hours->grain_celsius))
        towards = grain_wet_from_dry(grain_moisture(
            set, hours->grain_celsius,
            fmin(vapour / grain_air_saturation_over(hours->grain_celsius, GRAIN_OVER_WATER), GRAIN_SATURATED_UR) /
                100));
    if (!(fabs(towards - hours->grain_moisture) <= hours->hold + 1e-9))
        abort();
}

static void check_hours(const struct grain_set *set, const struct grain_hours *hours)
{
    size_t answered = 0;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (i > 0 && hour->minutes < hours->list[i - 1].minutes)
            abort();
        if (!(hour->weight >= 0 && hour->weight < 1e9))
            abort();
        if (hour->error != GRAIN_HOUR_OK)
            continue;
        answered++;
        if (!(hour->moisture > 0 && hour->moisture < 100) || !(hour->ur > 0 && hour->ur <= 105) ||
            !(hour->celsius >= GRAIN_TA_MIN && hour->celsius <= GRAIN_TA_MAX))
            abort();
        check_effect(set, hours, hour);
    }
    // The mean is of the mean air, and may lie outside the hours' own moistures.
    if (answered != hours->answered ||
        (answered > 0 && !isnan(hours->air.moisture) && !(hours->air.moisture > 0 && hours->air.moisture < 100)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    // The first byte chooses the options.
    static const char *const grains[] = {"corn", "soja", "durum", "ear-corn"};
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err = {.code = PL_OK};
    grain_fields_init(&fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr(grains[data[0] & 3]));
    if ((data[0] & 4) != 0)
        grain_fields_put(&fields, pl_slice_cstr("moisture"), pl_slice_cstr("14,5"));
    if ((data[0] & 8) != 0)
        grain_fields_put(&fields, pl_slice_cstr("grainTa"), pl_slice_cstr((data[0] & 32) != 0 ? "60" : "10"));
    if ((data[0] & 16) != 0)
        grain_fields_put(&fields, pl_slice_cstr("fanHeat"), pl_slice_cstr("3"));
    if ((data[0] & 32) != 0)
        grain_fields_put(&fields, pl_slice_cstr("lang"), pl_slice_cstr("pt"));
    if ((data[0] & 128) != 0) {
        grain_fields_put(&fields, pl_slice_cstr("goal"), pl_slice_cstr("dry"));
        grain_fields_put(&fields, pl_slice_cstr("airflow"), pl_slice_cstr("1"));
    }
    if ((data[0] & 64) != 0)
        grain_fields_put(&fields, pl_slice_make(data + 1, size - 1), pl_slice_make(data + 1, size - 1));
    enum pl_errc code = grain_hours_answer(&fields, pl_slice_make(data + 1, size - 1), NULL, &hours, &err);
    if (code == PL_OK) {
        check_hours(fields.chosen.set, &hours);
        struct pl_buf out;
        pl_buf_init(&out, 16 << 20);
        grain_hours_write(&out, &fields, &hours, true);
        grain_hours_write_csv(&out, &fields, &hours, (data[0] & 128) != 0);
        grain_hours_write_refusal(&out, &fields, &hours);
        if (out.failed)
            abort();
        // A quote that came in is escaped or doubled: only a key of ours ends so.
        static const char *const bad[] = {"moisture\":nan", "moisture\":inf", "ta\":nan", "ur\":nan", "mean\":nan"};
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            if (memmem(out.data, out.len, bad[i], strlen(bad[i])) != NULL)
                abort();
        }
        pl_buf_fini(&out);
    } else if (code != PL_E_INVALID) {
        abort();
    } else if (hours.problem != GRAIN_HOURS_NO_PROBLEM) {
        struct pl_buf out;
        pl_buf_init(&out, 1 << 20);
        grain_hours_write_problem(&out, &fields, &hours);
        if (out.failed)
            abort();
        pl_buf_fini(&out);
    }
    grain_hours_free(&hours);
    return 0;
}
