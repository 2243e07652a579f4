// Grey pictures of the conformance runner: reading reference images, scoring, writing differences.
#ifndef CONFORMANCE_PICTURE_H
#define CONFORMANCE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
    uint32_t width, height;
    uint8_t *dots; // 0 black, 255 white
};

bool picture_read(const char *path, struct picture *out, char *why, size_t why_size);
void picture_free(struct picture *p);

// Makes a box white.
void picture_blank(struct picture *p, int64_t x, int64_t y, int64_t width, int64_t height);

struct score {
    double ink_overlap; // intersection / union of dots below 128; 1 where both are blank
    double diff32;      // share of dots that differ by more than 32
    uint32_t missing;   // black in the reference only
    uint32_t extra;     // black in ours only
};

// The pictures have the same size.
struct score picture_score(const struct picture *reference, const struct picture *ours);
// Black where both are, red where only the reference, blue where only ours.
bool picture_write_difference(const char *path, const struct picture *reference, const struct picture *ours);
bool picture_write(const char *path, const struct picture *p);

#endif
