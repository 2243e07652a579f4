// What others publish about equilibrium moisture, and how near each set of constants comes to it.
#ifndef GRAIN_PUBLISHED_H
#define GRAIN_PUBLISHED_H

#include "base/buf.h"
#include "grain/grain.h"

// What a figure is worth as evidence.
enum grain_evidence {
    GRAIN_MEASURED, // grain was weighed after it had come to equilibrium
    GRAIN_FIGURE,   // published by a service or an app that does not say how it was found; mostly computed
    GRAIN_COMPUTED, // computed from constants, or taken from another source's table; shown, and never a vote
    GRAIN_EVIDENCES
};

struct grain_point {
    unsigned source;
    const char *culture;
    const char *kind; // as in struct grain_set
    double ta;        // °C
    double ur;        // percent
    double moisture;  // percent, wet basis
};

// Dry air, field and store, the limit of safe keeping, and beyond.
#define GRAIN_HUMIDITY_BANDS 4

struct grain_score {
    enum grain_evidence evidence; // the best that there is of this kind of grain; it alone counts
    size_t points, sources;       // how many count; 0: nothing is known about this kind of grain
    double mean;                  // points of moisture: the mean over the sources of each one's mean distance
    double worst;                 // the largest distance
    size_t band_points[GRAIN_HUMIDITY_BANDS];
    double band_error[GRAIN_HUMIDITY_BANDS]; // set minus figure, mean; also of humidities that do not count for `mean`
};

const struct grain_point *grain_points(size_t *count);
const char *grain_point_source(unsigned source);
enum grain_evidence grain_point_evidence(unsigned source);

// Measured points from 30 to 80 % count, where grain is stored; where there are none, published figures. A source
// counts as one, however many cells its table has: a long table must not outvote the others.
struct grain_score grain_score(const struct grain_culture *culture, const struct grain_set *set);
// The default of a culture by the rule: of the sets for its own kind of grain, those within GRAIN_TIE of the best score
// count as equal; of these the best traced, then the nearer.
#define GRAIN_TIE 0.1
const struct grain_set *grain_default_by_rule(const struct grain_culture *culture);
enum grain_agreement grain_agreement(const struct grain_culture *culture, const struct grain_set *set);
// Does the set count when the doubt is told? Constants that are traced, values that are close to published figures, or
// fair against measured grain.
bool grain_trustworthy(const struct grain_culture *culture, const struct grain_set *set);

// The scores of all sets as a Markdown table; the rule in words; and every point with the error of the default.
void grain_write_scores(struct pl_buf *out);
void grain_write_points(struct pl_buf *out);

#endif
