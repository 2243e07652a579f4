// The faces of a thread: start, end, downloaded fonts.
#include "font/face/faces.h"

#include <stdlib.h>
#include <string.h>

#include "font/face/bitmap_font.h"

// Keys of faces: those of the program are small numbers, downloaded fonts come with their own.
enum { KEY_FONT0 = 1, KEY_SYMBOL, KEY_BOX, KEY_DEVICES = 16, KEY_FALLBACKS = 256 };
#define KEY_FILES (UINT64_C(1) << 32)

enum pl_errc pl_faces_init(struct pl_faces *faces, const struct pl_fonts *fonts, struct pl_budget *budget,
                           struct pl_error *err)
{
    faces->fonts = fonts;
    faces->budget = budget;
    faces->font0 = (struct pl_face){.kind = PL_FACE_FONT0, .key = KEY_FONT0};
    faces->symbol = (struct pl_face){.kind = PL_FACE_SYMBOL, .key = KEY_SYMBOL};
    faces->box = (struct pl_face){.kind = PL_FACE_BOX, .key = KEY_BOX};
    for (uint32_t i = 0; i < fonts->fallback_count; i++)
        faces->fallbacks[i] = (struct pl_face){.kind = PL_FACE_FILE,
                                               .key = KEY_FALLBACKS + i,
                                               .bytes = fonts->fallbacks[i].bytes,
                                               .height_1000 = fonts->fallbacks[i].height_1000,
                                               .width_1000 = fonts->fallbacks[i].width_1000};
    return pl_ft_new(budget, &faces->ft, err);
}

void pl_faces_end_job(struct pl_faces *faces)
{
    for (uint32_t i = 0; i < faces->job_face_count; i++) {
        pl_face_close(faces->job_faces[i]);
        free(faces->job_faces[i]);
    }
    faces->job_face_count = 0;
}

void pl_faces_close(struct pl_faces *faces)
{
    pl_faces_end_job(faces);
    for (uint32_t i = 0; i < faces->device_count; i++)
        pl_face_close(&faces->devices[i]);
    for (uint32_t i = 0; i < faces->fonts->fallback_count; i++)
        pl_face_close(&faces->fallbacks[i]);
    if (faces->ft)
        pl_ft_refresh(faces->ft);
}

void pl_faces_fini(struct pl_faces *faces)
{
    if (!faces->fonts)
        return;
    pl_faces_close(faces);
    pl_ft_free(faces->ft);
}

// The face of a downloaded font where it is known, now the last of them; NULL: it is not.
static struct pl_face *known_job_face(struct pl_faces *faces, uint64_t file_id)
{
    uint32_t count = faces->job_face_count, i = count;
    while (i > 0 && faces->job_faces[i - 1]->file_id != file_id)
        i--;
    if (i == 0)
        return NULL;
    struct pl_face *face = faces->job_faces[i - 1];
    memmove(&faces->job_faces[i - 1], &faces->job_faces[i], (count - i) * sizeof faces->job_faces[0]);
    return faces->job_faces[count - 1] = face;
}

// Fonts beyond the most that are open at a time take the place of the one that was not used for longest: what a label
// looks like does not depend on the labels that were drawn before. A field uses few fonts (^FL links five to one), so
// that none of its own is closed under it.
static struct pl_face *new_job_face(struct pl_faces *faces)
{
    struct pl_face *face = calloc(1, sizeof *face);
    if (face && faces->job_face_count == PL_MAX_JOB_FACES) {
        if (faces->giving_up)
            faces->giving_up(faces->giving_up_context, faces->job_faces[0]->key);
        pl_face_close(faces->job_faces[0]);
        free(faces->job_faces[0]);
        faces->job_face_count--;
        memmove(&faces->job_faces[0], &faces->job_faces[1], faces->job_face_count * sizeof faces->job_faces[0]);
    }
    if (face)
        faces->job_faces[faces->job_face_count++] = face;
    return face;
}

struct pl_face *pl_faces_of_file(struct pl_faces *faces, const struct pl_font_file *file)
{
    struct pl_face *face = known_job_face(faces, file->id);
    if (!face) {
        face = new_job_face(faces);
        if (!face)
            return NULL;
        face->kind = file->kind == PL_FONT_FILE_BITMAP ? PL_FACE_BITMAP : PL_FACE_FILE;
        face->key = KEY_FILES + file->id;
        face->file_id = file->id;
        face->bytes = file->bytes;
        face->height_1000 = face->width_1000 = 1000;
        if (face->kind == PL_FACE_BITMAP)
            face->bitmap = pl_bitmap_font_parse(file->bytes, faces->budget);
    }
    if (face->kind == PL_FACE_BITMAP)
        return face->bitmap ? face : NULL;
    return pl_face_open(faces, face) ? face : NULL;
}

struct pl_face *pl_faces_of_device(struct pl_faces *faces, const struct pl_device_font *device)
{
    for (uint32_t i = 0; i < faces->device_count; i++)
        if (faces->devices[i].device == device)
            return &faces->devices[i];
    if (faces->device_count == PL_DEVICE_FONTS)
        return NULL;
    struct pl_face *face = &faces->devices[faces->device_count];
    *face = (struct pl_face){.kind = PL_FACE_DEVICE,
                             .key = KEY_DEVICES + faces->device_count,
                             .device = device,
                             .bytes = faces->fonts->blobs[device->blob]};
    faces->device_count++;
    return face;
}
