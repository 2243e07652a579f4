// Ids of documents: which were there already, and the names of files that they become.
#ifndef PL_BATCH_NAMES_H
#define PL_BATCH_NAMES_H

#include "base/buf.h"

// A hash of an id, never 0. It is another one in each process, so nobody can choose two ids that have the same.
uint64_t pl_id_hash(struct pl_slice id);

// A set of ids, by a 64-bit hash of each: 16 bytes an id.
struct pl_id_set {
    uint64_t *places;
    size_t capacity, count;
};

enum pl_id_added { PL_ID_NEW, PL_ID_KNOWN, PL_ID_NO_MEMORY };
enum pl_id_added pl_id_set_add(struct pl_id_set *set, struct pl_slice id);
bool pl_id_set_has(const struct pl_id_set *set, struct pl_slice id);
size_t pl_id_set_bytes(const struct pl_id_set *set);
void pl_id_set_free(struct pl_id_set *set);

#define PL_ID_MAX 200u
// Can it be a document's id? 1 to 200 bytes of UTF-8 without control characters.
bool pl_id_usable(struct pl_slice id);
// Appends the name of a file for an id. Two ids never have the same: '/', '\\', ':', '*', '?', '"', '<', '>', '|', '%',
// '+', control characters and a '.' at the front become %XX; a name of more than 200 bytes ends with a hash that nobody
// can make twice.
void pl_file_name(struct pl_slice id, struct pl_buf *out);
// The same for label `index` of `count`: with several of them "+1", "+2" and so on follow the id, which has no '+'
// itself.
void pl_label_file_name(struct pl_slice id, uint32_t index, uint32_t count, struct pl_buf *out);
// The id of a file: its name without folders and without its last ending.
struct pl_slice pl_file_id(struct pl_slice path);
// A name of a file in UTF-8: as it is where it is that, else each byte as in code page 437, which old ZIP programs
// write (APPNOTE, appendix D). The text lies in the name or in *room. No memory: it is empty.
struct pl_slice pl_file_text(struct pl_slice name, struct pl_buf *room);
// A file that users do not see and other programs make: ".DS_Store", "__MACOSX/._a.zpl".
bool pl_file_hidden(struct pl_slice path);

#endif
