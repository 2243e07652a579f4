// What can be done to a document of commands.
#ifndef PL_REWRITE_PASSES_H
#define PL_REWRITE_PASSES_H

#include "picture/graphic_code.h"
#include "render/render.h"
#include "rewrite/commands.h"

// A failure of a public function as one of the library, whose codes are the same.
static inline enum pl_errc rw_fail_as(struct pl_error *err, enum platen_status status, const struct platen_error *from)
{
    return pl_fail(err, (enum pl_errc)status, "%s", from->message);
}

// Lengths, fonts, modules and graphics from one density to another. What could not be scaled exactly is noted.
enum pl_errc rw_rescale(struct rw_document *doc, double from_dpmm, double to_dpmm, struct pl_error *err) PL_MUST_USE;
// Every length in dots, millimetres or inches, with the ^MU that says so.
enum pl_errc rw_change_units(struct rw_document *doc, double dpmm, enum platen_length_unit to,
                             struct pl_error *err) PL_MUST_USE;
// Writes graphics of ^GF and ~DG anew in a coding.
enum pl_errc rw_recode_graphics(struct rw_document *doc, enum platen_graphic_coding coding,
                                struct pl_error *err) PL_MUST_USE;

// Adds ^CI28 behind the first ^XA if field data or a value that comes into it is UTF-8 and the code chooses no
// character set.
struct rw_rows;
enum pl_errc rw_choose_utf8(struct rw_document *doc, const struct rw_rows *rows, bool *added,
                            struct pl_error *err) PL_MUST_USE;

// Turns every label clockwise: its fields, boxes and graphics. options->dpmm is not looked at: the document has been
// scaled to options->target_dpmm.
enum pl_errc rw_rotate(struct platen_worker *worker, struct rw_document *doc,
                       const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

// After a rotation or a change of density: draws the code before and after, and notes each element that is not where it
// should be, not as large, no longer inside the label or no longer readable. `places`: where the code before comes
// from; NULL: it is the caller's.
enum pl_errc rw_verify(struct platen_worker *worker, struct rw_document *doc, struct pl_slice before,
                       const struct rw_places *places, struct pl_slice after,
                       const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

// After values were filled in: draws every label, and notes each field that does not have its value, cannot be read, is
// not inside the label or its block, or has no value and still differs from row to row. `template` is the document
// before, `places` where the filled code comes from.
enum pl_errc rw_verify_fill(struct platen_worker *worker, const struct rw_document *template,
                            const struct rw_rows *rows, struct pl_slice filled, const struct rw_places *places,
                            const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

// Each command in words, as text or as a JSON array.
enum pl_errc rw_explain(const struct rw_document *doc, double dpmm, bool json, struct pl_buf *out,
                        struct pl_error *err) PL_MUST_USE;
// The same for a language that is not rewritten.
enum pl_errc rw_explain_spans(const struct pl_lang *language, struct pl_slice input, const struct pl_job *job,
                              double dpmm, bool json, struct pl_buf *out, struct pl_error *err) PL_MUST_USE;
// The beginning of bytes that may be no text.
void rw_put_shown(struct pl_buf *out, struct pl_slice s);

// The dots of a ^GF or ~DG; NULL in *out: they cannot be read.
struct pl_bitmap;
enum pl_errc rw_graphic(struct rw_document *doc, const struct rw_command *c, const struct pl_bitmap **out,
                        struct pl_error *err) PL_MUST_USE;
// Puts other dots into it.
enum pl_errc rw_set_graphic(struct rw_document *doc, struct rw_command *c, const struct pl_bitmap *bits,
                            enum platen_graphic_coding coding, struct pl_error *err) PL_MUST_USE;
// Rows of bytes out of rows of words.
enum pl_errc rw_pack(struct pl_arena *arena, const struct pl_bitmap *bits, struct pl_graphic_rows *out,
                     struct pl_error *err) PL_MUST_USE;
static inline bool rw_has_graphic(const struct rw_command *c)
{
    return c->kind == ZPL_LEX_PAYLOAD && c->has_data && (rw_is(c, "^GF") || rw_is(c, "~DG"));
}

// Note for the caller, about a command.
#define RW_NOTE(doc, command, ...) pl_diag_add((doc)->diags, PL_DIAG_REWRITE, rw_source(command), 0, __VA_ARGS__)

#endif
