// A conversion of label code, and pictures of both sides.
#ifndef PL_TESTS_REWRITE_CONVERT_FIXTURE_H
#define PL_TESTS_REWRITE_CONVERT_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "engine_fixture.h"
#include "platen/platen.h"

struct converted {
    char *code;
    size_t size;
    uint32_t notes;
    char first_note[300];
};

static inline struct converted convert(const void *code, size_t size, enum platen_language from,
                                       enum platen_language to)
{
    struct platen_rewritten *r;
    struct platen_error err;
    struct platen_diagnostic note;
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.language = from, .to_language = to);
    if (platen_rewrite(worker, code, size, &options, &r, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    struct converted out = {.notes = platen_rewritten_note_count(r)};
    const char *text = platen_rewritten_code(r, &out.size);
    out.code = malloc(out.size + 1);
    memcpy(out.code, text, out.size);
    out.code[out.size] = '\0';
    if (platen_rewritten_note_at(r, 0, &note))
        snprintf(out.first_note, sizeof out.first_note, "%s", note.message);
    platen_rewritten_free(r);
    return out;
}

// ---- pictures, drawn here and not by the conversion

struct pictures {
    uint32_t labels, copies, width, height;
    uint64_t hash;
};

static inline struct pictures draw(const void *code, size_t size, enum platen_language language, double w, double h)
{
    struct pictures out = {.hash = 14695981039346656037u};
    struct platen_document *document;
    struct platen_error err;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = w, .height_mm = h, .language = language, .has_time = true, .collapse_copies = true);
    if (platen_parse(worker, code, size, &options, &document, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    out.labels = platen_label_count(document);
    for (uint32_t i = 0; i < out.labels; i++) {
        const struct platen_page *page;
        struct platen_bitmap bits;
        struct platen_label label;
        assert_int_equal(platen_draw(worker, document, i, &page, NULL), PLATEN_OK);
        assert_true(platen_label_at(document, i, &label));
        platen_page_bitmap(page, &bits);
        out.copies += label.copies;
        out.width = bits.width;
        out.height = bits.height;
        for (size_t k = 0; k < (size_t)bits.words_per_row * bits.height; k++)
            out.hash = (out.hash ^ bits.words[k]) * 1099511628211u;
    }
    platen_document_free(document);
    return out;
}

static inline void size_of(const void *code, size_t size, enum platen_language language, double *w, double *h)
{
    struct platen_document *document;
    const struct platen_options options = PLATEN_OPTIONS(.language = language, .has_time = true);
    assert_int_equal(platen_parse(worker, code, size, &options, &document, NULL), PLATEN_OK);
    platen_document_size(document, w, h, NULL, NULL);
    platen_document_free(document);
}

// The same labels, as often, with the same dots.
static inline bool is_same(const void *a, size_t a_size, enum platen_language from, const struct converted *b,
                           enum platen_language to)
{
    double w, h;
    size_of(a, a_size, from, &w, &h);
    struct pictures before = draw(a, a_size, from, w, h), after = draw(b->code, b->size, to, w, h);
    return before.labels == after.labels && before.copies == after.copies && before.width == after.width &&
           before.height == after.height && before.hash == after.hash;
}

#endif
