// What others publish about equilibrium moisture, and how near each set of constants comes to it.
#ifndef GRAIN_PUBLISHED_H
#define GRAIN_PUBLISHED_H

#include "base/buf.h"
#include "grain/grain.h"

struct grain_point {
    unsigned source;
    const char *culture;
    const char *kind; // as in struct grain_set
    double ta;        // °C
    double ur;        // percent
    double moisture;  // percent, wet basis
};

struct grain_score {
    size_t points, sources; // how many; 0: nothing is published about this kind of grain
    double mean;            // points of moisture: the mean over the sources of each one's mean distance
    double worst;           // the largest distance
};

const struct grain_point *grain_points(size_t *count);
const char *grain_point_source(unsigned source);

// A source counts as one, however many cells its table has: a long table must not outvote the others.
struct grain_score grain_score(const struct grain_culture *culture, const struct grain_set *set);
enum grain_agreement grain_agreement(const struct grain_culture *culture, const struct grain_set *set);
// Does the set count when the doubt is told? Constants that are traced, or values that agree with what is published.
bool grain_trustworthy(const struct grain_culture *culture, const struct grain_set *set);

// The scores of all sets as a Markdown table.
void grain_write_scores(struct pl_buf *out);

#endif
