// The label: what its fields and commands leave from ^XA to ^XZ.
#ifndef PL_ZPL_LABEL_H
#define PL_ZPL_LABEL_H

#include "base/diag.h"
#include "lang/label_list.h"
#include "scene/scene.h"
#include "store/store.h"

struct zpl_number;
struct zpl_pending;
struct zpl_tag;

struct zpl_picture { // an ^IS that waits for ^XZ
    struct zpl_picture *next;
    struct pl_object_name name;
    uint32_t element_count;
    struct pl_source source;
};

struct zpl_label {
    bool open;
    uint32_t start;
    struct pl_elements drawn;
    uint32_t carried; // of these: from the label before (^MCN)
    struct zpl_pending *pending, **pending_tail;
    struct zpl_number **numbers;
    bool has_serial;
    bool told_utf8; // one command chooses the character set of all fields
    uint32_t quantity, replicates;
    bool suppressed; // ^IS…,N
    struct zpl_picture *pictures, **pictures_tail;
    const struct pl_tag *tags;
    struct zpl_tag *waiting_tags;
    // ^DF: the text is being recorded, not carried out.
    bool recording;
    struct pl_object_name record_name;
    size_t record_start;
    uint8_t record_prefixes[3];
};

#endif
