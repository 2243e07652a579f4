// Means of the groups of a conformance run.
#ifndef CONFORMANCE_GROUPS_H
#define CONFORMANCE_GROUPS_H

#include "table.h"

#define GROUPS_MAX 64

struct group {
    char name[40];
    size_t n, errors;
    double mean_overlap, least_overlap, mean_diff32, peer_overlap;
};

struct groups {
    struct group items[GROUPS_MAX];
    size_t count;
};

void groups_of(const struct table *table, struct groups *out);

#endif
