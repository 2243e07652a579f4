// What every language does when it prints: the elements of the label at hand, and the labels of the job, within the
// limits of both.
#ifndef PL_LANG_LABEL_LIST_H
#define PL_LANG_LABEL_LIST_H

#include "lang/lang.h"

// What a handler returns that has reported why there is nothing to do: bad label code is never an error.
#define PL_REPORTED(report) ((void)(report), PL_OK)

struct pl_elements {
    struct pl_element **items; // labels that were printed keep the array that they have
    uint32_t count, capacity;
    bool full; // the limit was reported
};

struct pl_label_list {
    const struct pl_lang_options *options;
    struct pl_arena *arena;
    struct pl_diags *diags;
    struct pl_error *err;
    struct pl_label *items;
    uint32_t count, capacity;
    uint64_t printed;           // labels with copies
    uint64_t copied;            // those of them of which more than one was asked for
    uint32_t copies_taken_from; // number from 1 of the label whose copies made room last
};

// An element that a command makes at a place; NULL: no memory.
struct pl_element *pl_element_new(const struct pl_label_list *labels, enum pl_element_kind kind,
                                  struct pl_source source, int32_t x, int32_t y);
// A black area.
struct pl_element *pl_element_new_solid(const struct pl_label_list *labels, struct pl_source source, struct pl_box box);
// Adds an element; *slot (may be NULL) gets its place, UINT32_MAX beyond the limit. That is reported at `source`; NULL:
// not at all.
enum pl_errc pl_elements_add(struct pl_label_list *labels, struct pl_elements *to, struct pl_element *element,
                             const struct pl_source *source, uint32_t *slot) PL_MUST_USE;
// Closes the gaps of a list: the elements that are NULL. Returns how many are left.
uint32_t pl_elements_pack(struct pl_element **list, uint32_t count);

// Cuts the labels that `command` asks for to those that there is room for. `collapse`: nobody will expand the copies.
enum pl_errc pl_label_list_room(struct pl_label_list *labels, struct pl_source source, const char *command,
                                bool collapse, uint64_t *wanted) PL_MUST_USE;
enum pl_errc pl_label_list_add(struct pl_label_list *labels, const struct pl_label *label, bool collapse) PL_MUST_USE;

// The input has ended: its labels. `why`: why there are none, if so.
void pl_label_list_end(struct pl_label_list *labels, struct pl_slice input, const char *why, struct pl_scene *out);

#endif
