// May this grain be stored like this? A verdict with its reason, its source, the time that is left, what the air does
// to the grain, and the limits of trade.
#ifndef GRAIN_VERDICT_H
#define GRAIN_VERDICT_H

#include "grain/hours.h"
#include "grain/keeping.h"

enum grain_verdict { GRAIN_VERDICT_SAFE, GRAIN_VERDICT_WATCH, GRAIN_VERDICT_SPOILS, GRAIN_VERDICT_UNKNOWN };

struct grain_verdict_answer {
    enum grain_verdict verdict;
    double celsius, moisture; // of the grain
    bool of_air;              // the grain is what comes to rest in this air, not a lot of one's own
    double ur;                // between the kernels; NaN: not known
    enum grain_band band;     // of that humidity
    bool in_range;            // of the set, as in a calculation
    bool moisture_known;      // it was given, or the set is known where it was computed
    double at_least, at_most; // moisture; the same where it is known, else what the end of the set's range says
    struct grain_spread spread;
    struct grain_days ndsu, steele; // without days where the tables are not for it
    // Air, if it was given: what it does to the grain.
    bool with_air;
    double air_celsius, air_ur;
    double towards; // moisture in equilibrium with the air; NaN: none
    enum grain_effect effect;
    bool condensation;
};

#define GRAIN_VERDICT_FIELDS                                                                                           \
    (GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_MODEL) | GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_CURVE) |         \
     GRAIN_BIT(GRAIN_T_TA) | GRAIN_BIT(GRAIN_T_UR) | GRAIN_BIT(GRAIN_T_GRAIN_TA) | GRAIN_BIT(GRAIN_T_MOISTURE) |       \
     GRAIN_BIT(GRAIN_T_FAN_HEAT) | GRAIN_BIT(GRAIN_T_HOLD) | GRAIN_BIT(GRAIN_T_TA_UNIT) | GRAIN_BIT(GRAIN_T_LANG))

// `moisture` and `grainTa`, air by `ta` and `ur`, or both. Without a moisture it is about grain that rests in the air.
bool grain_verdict_answer(struct grain_fields *fields, struct grain_verdict_answer *answer);

const char *grain_verdict_id(enum grain_verdict verdict);
// The verdict in a sentence with its reason; what the air does; the limit of trade that it is above; where it is from.
void grain_say_verdict(struct pl_buf *out, const struct grain_fields *fields,
                       const struct grain_verdict_answer *answer);
void grain_say_air_effect(struct pl_buf *out, const struct grain_fields *fields,
                          const struct grain_verdict_answer *answer);
void grain_say_trade(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer);
void grain_say_verdict_source(struct pl_buf *out, const struct grain_fields *fields,
                              const struct grain_verdict_answer *answer);
void grain_verdict_write(struct pl_buf *out, const struct grain_fields *fields,
                         const struct grain_verdict_answer *answer);
void grain_verdict_rows(const struct grain_fields *fields, const struct grain_verdict_answer *answer, grain_row *row,
                        struct pl_buf *out);

#endif
