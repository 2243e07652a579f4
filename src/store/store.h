// The printer's memory: drives, object names, quota. One store per request, on top of a shared read-only one.
#ifndef PL_STORE_STORE_H
#define PL_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

#define PL_STORE_NAME_MAX 16
#define PL_STORE_EXT_MAX 4

// "R:LOGO.GRF" taken apart; upper case. `drive` is 0 where none was given.
struct pl_object_name {
    char drive;
    uint8_t name_len, ext_len;
    char name[PL_STORE_NAME_MAX + 1];
    char ext[PL_STORE_EXT_MAX + 1];
};

enum pl_object_kind {
    PL_OBJECT_BITMAP,  // `data` is a const struct pl_bitmap *
    PL_OBJECT_PICTURE, // `data` is a const struct pl_label * that ^IS saved
    PL_OBJECT_FORMAT,  // `bytes` is label code: a format of ZPL, a program of TSPL
    PL_OBJECT_FONT,    // `bytes` is a font file or the text of ~DB; `id` is unique in the process
    PL_OBJECT_FILE,    // `bytes` is a file as it came; its extension says what it is
};

struct pl_object {
    struct pl_object_name name;
    enum pl_object_kind kind;
    struct pl_slice bytes;
    const void *data;
    size_t cost;         // bytes held against the quota
    uint64_t id;         // of the content, unique in the process; 0: pl_store_put gives it one
    uint32_t origin;     // PL_OBJECT_FORMAT: offset of the text in the input; UINT32_MAX: it comes from elsewhere
    uint8_t prefixes[3]; // PL_OBJECT_FORMAT: format prefix, control prefix and delimiter when it was stored
    bool bitmap_font;    // PL_OBJECT_FONT: ~DB
    bool deleted;        // kept for the hash table's chains, for labels that show it, and to hide one of the base
};

struct pl_store {
    struct pl_arena *arena;
    const struct pl_store *base; // read-only; may be NULL
    struct pl_object **objects;  // in the order of storing
    uint32_t count, capacity;
    uint32_t dead;   // deletions since deleted objects were last taken out of the list
    uint32_t *slots; // hash table of indexes + 1
    uint32_t slot_count;
    size_t used, quota;
};

#define PL_STORE_MAX_OBJECTS 8192u

// Objects live in `arena`; `base` (may be NULL) must outlive the store.
void pl_store_init(struct pl_store *store, struct pl_arena *arena, const struct pl_store *base, size_t quota);

// Takes "d:name.ext" apart. A missing name becomes `default_name`, a missing extension `default_ext` (both may be "").
// Wildcards are kept. Returns false when characters had to be dropped or the name was cut.
bool pl_object_name_parse(struct pl_slice text, const char *default_name, const char *default_ext,
                          struct pl_object_name *out);
// "R:LOGO.GRF" into `out`; returns the length.
#define PL_OBJECT_NAME_TEXT_MAX (2 + PL_STORE_NAME_MAX + 1 + PL_STORE_EXT_MAX + 1)
size_t pl_object_name_format(const struct pl_object_name *name, char out[PL_OBJECT_NAME_TEXT_MAX]);
bool pl_object_name_has_wildcard(const struct pl_object_name *name);
// Is `name` one of those that `pattern` (with * and ?) means? A pattern without drive means any drive.
bool pl_object_name_matches(const struct pl_object_name *pattern, const struct pl_object_name *name);

// Puts an object in place of one of the same name. PL_E_LIMIT: the quota or the number of objects is used up, or drive
// Z: is named; the store is as before.
enum pl_errc pl_store_put(struct pl_store *store, const struct pl_object *object, struct pl_error *err) PL_MUST_USE;
// The object of that name; without a drive R:, E:, B:, A:, Z: are searched in this order. NULL: not there.
const struct pl_object *pl_store_lookup(const struct pl_store *store, const struct pl_object_name *name);
// Deletes all that match and says how many; a pattern without a drive means R:. Objects of the base are hidden: they
// are there again for the next store on top of it. Cursors of pl_store_next become invalid.
enum pl_errc pl_store_delete(struct pl_store *store, const struct pl_object_name *pattern, uint32_t *deleted,
                             struct pl_error *err) PL_MUST_USE;
// Every object that matches, the base's before this store's; *cursor starts at 0. NULL at the end. What is put in
// meanwhile comes last.
const struct pl_object *pl_store_next(const struct pl_store *store, const struct pl_object_name *pattern,
                                      uint32_t *cursor);

// A number that no other object of the process has.
uint64_t pl_store_new_id(void);

// The shared base: graphics, formats and fonts from the files of a folder, as drive E:. Sub-folders and files with
// other extensions are left out. The arena must be the base's own.
enum pl_errc pl_store_load_dir(struct pl_store *store, const char *path, uint32_t *loaded,
                               struct pl_error *err) PL_MUST_USE;

#endif
