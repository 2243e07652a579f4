// The writer of a thread: its faces and its glyph cache.
#include "font/draw/writer.h"

#include <stdlib.h>

#include "font/face/fallback.h"

static void forget_face(void *cache, uint64_t face_key)
{
    pl_cache_forget_face((struct pl_cache *)cache, face_key);
}

enum pl_errc pl_writer_new(const struct pl_fonts *fonts, size_t cache_bytes, struct pl_budget *budget,
                           struct pl_writer **out, struct pl_error *err)
{
    struct pl_writer *writer = calloc(1, sizeof *writer);
    *out = NULL;
    if (!writer)
        return pl_fail_memory(err);
    enum pl_errc code = pl_faces_init(&writer->faces, fonts, budget, err);
    if (code == PL_OK)
        code = pl_cache_new(cache_bytes, &writer->cache, err);
    if (code != PL_OK) {
        pl_writer_free(writer);
        return code;
    }
    writer->faces.giving_up = forget_face;
    writer->faces.giving_up_context = writer->cache;
    *out = writer;
    return PL_OK;
}

void pl_writer_end_job(struct pl_writer *writer)
{
    for (uint32_t i = 0; i < writer->faces.job_face_count; i++)
        pl_cache_forget_face(writer->cache, writer->faces.job_faces[i]->key);
    pl_faces_end_job(&writer->faces);
}

void pl_writer_forget(struct pl_writer *writer)
{
    pl_faces_close(&writer->faces);
    pl_cache_clear(writer->cache);
}

void pl_writer_free(struct pl_writer *writer)
{
    if (!writer)
        return;
    pl_faces_fini(&writer->faces);
    pl_cache_free(writer->cache);
    free(writer);
}

void pl_writer_forget_searched(struct pl_writer *writer)
{
    pl_fallback_begin_document(&writer->faces);
}

bool pl_writer_searched_at(const struct pl_writer *writer, uint32_t index, uint32_t *character)
{
    return pl_fallback_searched_at(&writer->faces, index, character);
}
