// The faces of one thread, and what they share with those of other threads. Inside src/font only.
#ifndef PL_FONT_FACE_FACES_H
#define PL_FONT_FACE_FACES_H

#include "base/budget.h"
#include "font/face/face.h"
#include "font/face/symbols.h"
#include "scene/scene.h"

// A font file that is searched for characters which the label's font lacks.
struct pl_fallback {
    const char *name;
    struct pl_slice bytes;
    int32_t height_1000, width_1000;
    bool mapped; // from a file, by mmap; otherwise the bytes belong to the program or its caller
};

#define PL_MAX_FALLBACKS 64

struct pl_fonts {
    struct pl_slice blobs[PL_BLOB_COUNT];
    struct pl_fallback fallbacks[PL_MAX_FALLBACKS]; // in the order of the search
    uint32_t fallback_count;
    uint32_t system_fonts_missing; // files of the table in system_fonts.c that are not installed
    bool system_lacks_cjk; // the system's fonts were loaded, and the one for Chinese, Japanese and Korean is missing
    struct pl_symbols symbols;
};

#define PL_MAX_JOB_FACES 64

#define PL_MAX_SEARCHED 1024
#define PL_SEARCHED_BITS 11 // of the slots' number: twice as many as characters

// Characters that were searched in the fallbacks for a document: what a caller that has more fonts than it gave may
// want to give.
struct pl_searched {
    uint32_t characters[PL_MAX_SEARCHED];
    uint32_t count;
    uint16_t slots[1 << PL_SEARCHED_BITS]; // by hash: where in `characters`, counted from 1; 0: free
};

struct pl_faces {
    const struct pl_fonts *fonts;
    struct pl_budget *budget; // of the job, for what downloaded fonts take; may be NULL
    struct pl_ft *ft;
    struct pl_face font0, symbol, box;
    struct pl_face devices[PL_DEVICE_FONTS];
    uint32_t device_count;
    struct pl_face fallbacks[PL_MAX_FALLBACKS];
    struct pl_face *job_faces[PL_MAX_JOB_FACES]; // downloaded fonts of this job, the last used one last
    uint32_t job_face_count;
    struct pl_searched searched;
    // Told of a downloaded font that gives up its place, so that nothing is kept of its glyphs; may be NULL.
    void (*giving_up)(void *context, uint64_t face_key);
    void *giving_up_context;
};

// `faces` is zero before. What FreeType and downloaded fonts take counts in `budget`, which may be NULL.
enum pl_errc pl_faces_init(struct pl_faces *faces, const struct pl_fonts *fonts, struct pl_budget *budget,
                           struct pl_error *err) PL_MUST_USE;
void pl_faces_fini(struct pl_faces *faces);
// Closes the faces of downloaded fonts, whose bytes die with the job.
void pl_faces_end_job(struct pl_faces *faces);
// Closes all faces; they are opened again when they are next used.
void pl_faces_close(struct pl_faces *faces);

// The face of a downloaded font, opened on first use; NULL when it cannot be used.
struct pl_face *pl_faces_of_file(struct pl_faces *faces, const struct pl_font_file *file);
// The face of a device font; NULL when there are too many.
struct pl_face *pl_faces_of_device(struct pl_faces *faces, const struct pl_device_font *device);

#endif
