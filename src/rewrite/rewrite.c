// Rewriting label code: the public functions.
#include <stdlib.h>

#include "base/ckd.h"
#include "lang/zpl/zpl.h"
#include "render/cancel.h"
#include "render/options.h"
#include "rewrite/convert.h"
#include "rewrite/fill.h"

#define CODE_MOST ((size_t)128 << 20)
#define NOTE_BYTES ((size_t)4 << 20)

struct platen_rewritten {
    struct pl_arena arena, note_arena, place_arena;
    struct rw_places places, utf8_places; // of what was written on the way
    struct pl_diags notes;
    struct pl_buf code;
    struct pl_slice input;
    bool is_drawn; // the code has values in it and nothing else: notes have their places in it
};

static bool is_language(enum platen_language language)
{
    return language == PLATEN_LANGUAGE_DETECT || pl_language(language);
}

static enum platen_status check_options(const struct platen_rewrite_options *o, struct platen_error *err)
{
    if (!(o->dpmm >= PL_DPMM_MIN && o->dpmm <= PL_DPMM_MAX) ||
        !(o->target_dpmm >= PL_DPMM_MIN && o->target_dpmm <= PL_DPMM_MAX))
        return pl_public_fail(err, PLATEN_E_INVALID, "densities must be from 1 to %d dots per millimetre", PL_DPMM_MAX);
    if (o->rotation % 90 != 0 || o->rotation > 270)
        return pl_public_fail(err, PLATEN_E_INVALID, "'rotation' must be 0, 90, 180 or 270");
    if ((unsigned)o->layout > PLATEN_LAYOUT_COMPACT || (unsigned)o->graphics > PLATEN_GRAPHIC_SMALLEST)
        return pl_public_fail(err, PLATEN_E_INVALID, "there is no such layout or coding of graphics");
    if ((unsigned)o->unit > PLATEN_UNIT_INCHES)
        return pl_public_fail(err, PLATEN_E_INVALID, "'unit' is none of enum platen_length_unit");
    if (!is_language(o->language) || !is_language(o->to_language))
        return pl_public_fail(err, PLATEN_E_INVALID, "'language' or 'to_language' is none of enum platen_language");
    if (o->rows_size > CODE_MOST)
        return pl_public_fail(err, PLATEN_E_LIMIT, "rows of %zu bytes are over the limit of %zu", o->rows_size,
                              CODE_MOST);
    return PLATEN_OK;
}

// Commands of other languages would be text between commands, which is left as it is or left out.
static enum pl_errc check_language(struct pl_slice code, enum platen_language asked, struct pl_error *err)
{
    const struct pl_lang *language = asked ? pl_language(asked) : pl_lang_detect(code);
    if (language == &pl_lang_zpl)
        return PL_OK;
    return pl_fail(err, PL_E_INVALID,
                   "the code is %s; only %s can be rewritten. To convert it first, set 'to_language'", language->title,
                   pl_lang_zpl.title);
}

// Is the code with its values drawn as it is?
static bool only_fills(const struct platen_rewrite_options *o)
{
    return o->unverified && !o->to_utf8 && o->dpmm == o->target_dpmm && !o->rotation && !o->unit &&
           o->graphics == PLATEN_GRAPHIC_KEEP && o->layout != PLATEN_LAYOUT_COMPACT;
}

// What follows counted bytes that are not all there cannot be changed: it would be taken for the rest of them.
static void note_torn(const struct rw_document *doc, const struct platen_rewrite_options *options)
{
    bool changes = options->rows || options->rotation || options->dpmm != options->target_dpmm || options->unit;
    if (doc->torn && changes && !only_fills(options))
        pl_diag_add(
            doc->diags, PL_DIAG_REWRITE,
            (struct pl_source){.offset = (uint32_t)(doc->rest.ptr - doc->input.ptr), .length = (uint32_t)doc->rest.len},
            0, "Counted bytes of a graphic are missing: from here on the code was left as it is.");
}

// The document becomes what was written; `written` is freed.
static enum pl_errc read_again(struct rw_document *doc, struct pl_buf *written, const struct rw_places *places,
                               struct pl_error *err)
{
    uint8_t *copy = pl_arena_copy(doc->arena, written->data, written->len);
    doc->input = pl_slice_make(copy, written->len);
    doc->places = places;
    pl_buf_fini(written);
    if (!copy)
        return pl_fail_memory(err);
    doc->start = pl_arena_mark(doc->arena);
    return rw_read(doc, err);
}

static enum pl_errc choose_utf8(struct platen_rewritten *r, struct rw_document *doc, const struct rw_rows *rows,
                                struct pl_error *err)
{
    struct pl_buf written;
    bool added;
    PL_TRY(rw_choose_utf8(doc, rows, &added, err));
    if (!added)
        return PL_OK;
    pl_buf_init(&written, CODE_MOST);
    rw_write(doc, RW_LINES, &written, &r->utf8_places);
    enum pl_errc code = pl_buf_check(&written, err);
    if (code == PL_OK)
        return read_again(doc, &written, &r->utf8_places, err);
    pl_buf_fini(&written);
    return code;
}

// The document becomes what has the values of the rows.
static enum pl_errc fill(struct platen_worker *worker, struct platen_rewritten *r, struct rw_document *doc,
                         const struct rw_rows *rows, const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct pl_buf filled;
    pl_buf_init(&filled, CODE_MOST);
    enum pl_errc code = rw_fill(doc, rows, only_fills(options), &filled, &r->places, err);
    if (code == PL_OK && only_fills(options)) {
        r->code = filled;
        r->is_drawn = true;
        return PL_OK;
    }
    if (code == PL_OK && !options->unverified)
        code = rw_verify_fill(worker, doc, rows, pl_buf_slice(&filled), &r->places, options, err);
    if (code == PL_OK)
        return read_again(doc, &filled, &r->places, err);
    pl_buf_fini(&filled);
    return code;
}

// Values, and the character set that they and the code need.
static enum pl_errc take_values(struct platen_worker *worker, struct platen_rewritten *r, struct rw_document *doc,
                                const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct rw_rows rows = {0};
    if (options->rows)
        PL_TRY(rw_rows_read(&r->arena, pl_slice_make(options->rows, options->rows_size), &rows, err));
    if (options->to_utf8)
        PL_TRY(choose_utf8(r, doc, &rows, err));
    return options->rows ? fill(worker, r, doc, &rows, options, err) : PL_OK;
}

static enum pl_errc recode(struct rw_document *doc, enum platen_graphic_coding coding, struct pl_error *err)
{
    return coding == PLATEN_GRAPHIC_KEEP ? PL_OK : rw_recode_graphics(doc, coding, err);
}

static enum pl_errc write_code(struct platen_rewritten *r, struct rw_document *doc, bool compact, struct pl_error *err)
{
    rw_trim_texts(doc);
    if (compact)
        rw_strip(doc);
    rw_write(doc, compact ? RW_COMPACT : RW_LINES, &r->code, NULL);
    return pl_buf_check(&r->code, err);
}

// ZPL that stays ZPL is rewritten as any.
static bool converts(const struct platen_rewrite_options *o, struct pl_slice code)
{
    const struct pl_lang *from = o->language ? pl_language(o->language) : pl_lang_detect(code);
    return o->to_language && !(o->to_language == PLATEN_LANGUAGE_ZPL && from == &pl_lang_zpl);
}

static enum pl_errc rewrite(struct platen_worker *worker, struct platen_rewritten *r,
                            const struct platen_rewrite_options *options, struct pl_error *err)
{
    const struct pl_limits *limits = &worker->engine->limits;
    const struct pl_job job = {pl_cancel_flag(options->cancel), options->deadline_ns};
    struct rw_document doc = {.arena = &r->arena,
                              .diags = &r->notes,
                              .job = &job,
                              .input = r->input,
                              .decoded_limit = limits->decoded_graphics};
    if (r->input.len > limits->input_bytes)
        return pl_fail(err, PL_E_LIMIT, "the input of %zu bytes is over the limit of %zu", r->input.len,
                       limits->input_bytes);
    if (converts(options, r->input))
        return rw_convert(worker, &doc, options, &r->code, err);
    PL_TRY(check_language(r->input, options->language, err));
    r->places.arena = r->utf8_places.arena = &r->place_arena;
    doc.start = pl_arena_mark(&r->arena);
    PL_TRY(rw_read(&doc, err));
    note_torn(&doc, options);
    PL_TRY(take_values(worker, r, &doc, options, err));
    if (r->is_drawn)
        return PL_OK;
    const struct pl_slice before = doc.input;
    const struct rw_places *places = doc.places;
    PL_TRY(rw_rescale(&doc, options->dpmm, options->target_dpmm, err));
    if (options->rotation)
        PL_TRY(rw_rotate(worker, &doc, options, err));
    PL_TRY(rw_change_units(&doc, options->target_dpmm, options->unit, err));
    PL_TRY(recode(&doc, options->graphics, err));
    PL_TRY(write_code(r, &doc, options->layout == PLATEN_LAYOUT_COMPACT, err));
    if (options->unverified)
        return PL_OK;
    return rw_verify(worker, &doc, before, places, pl_buf_slice(&r->code), options, err);
}

enum platen_status platen_rewrite(struct platen_worker *worker, const void *zpl, size_t size,
                                  const struct platen_rewrite_options *options, struct platen_rewritten **out,
                                  struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!worker || !out || (!zpl && size > 0))
        return pl_null_argument(err, __func__);
    struct platen_rewrite_options o;
    enum platen_status status = pl_options_read(options, &o, sizeof o, "platen_rewrite_options", err);
    if (status != PLATEN_OK)
        return status;
    if (!o.to_language) { // others state their size
        o.width_mm = o.width_mm != 0 ? o.width_mm : PL_DEFAULT_WIDTH_MM;
        o.height_mm = o.height_mm != 0 ? o.height_mm : PL_DEFAULT_HEIGHT_MM;
    }
    o.dpmm = o.dpmm != 0 ? o.dpmm : PL_DEFAULT_DPMM;
    o.target_dpmm = o.target_dpmm != 0 ? o.target_dpmm : o.dpmm;
    status = check_options(&o, err);
    if (status != PLATEN_OK)
        return status;
    struct platen_rewritten *r = calloc(1, sizeof *r);
    if (!r)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for the label code");
    pl_arena_init(&r->arena, worker->engine->limits.arena_bytes);
    pl_arena_init(&r->place_arena, worker->engine->limits.arena_bytes);
    pl_arena_init(&r->note_arena, NOTE_BYTES);
    pl_diags_init(&r->notes, &r->note_arena, worker->engine->limits.diagnostics);
    r->notes.label = r->notes.element = -1;
    pl_buf_init(&r->code, CODE_MOST);
    r->input = pl_slice_make(zpl, size);
    struct pl_error inner = {0};
    enum pl_errc code = rewrite(worker, r, &o, &inner);
    if (code == PL_OK)
        code = pl_buf_terminate(&r->code, &inner);
    pl_diags_locate(&r->notes, r->is_drawn ? pl_buf_slice(&r->code) : r->input, NULL);
    pl_arena_fini(&r->arena);
    pl_arena_fini(&r->place_arena);
    if (code != PL_OK) {
        platen_rewritten_free(r);
        return pl_public_status(code, &inner, err);
    }
    *out = r;
    return PLATEN_OK;
}

void platen_rewritten_free(struct platen_rewritten *r)
{
    if (!r)
        return;
    pl_arena_fini(&r->arena);
    pl_arena_fini(&r->place_arena);
    pl_arena_fini(&r->note_arena);
    pl_buf_fini(&r->code);
    free(r);
}

const char *platen_rewritten_code(const struct platen_rewritten *r, size_t *size)
{
    if (size)
        *size = r ? r->code.len : 0;
    return r ? (const char *)r->code.data : "";
}

uint32_t platen_rewritten_note_count(const struct platen_rewritten *r)
{
    if (!r)
        return 0;
    return r->notes.count;
}

bool(platen_rewritten_note_at)(const struct platen_rewritten *r, uint32_t index, struct platen_diagnostic *out,
                               size_t size)
{
    if (!r || !out)
        return false;
    return pl_public_diagnostic_at(&r->notes, index, out, size);
}

enum platen_status platen_explain(struct platen_worker *worker, const void *zpl, size_t size, double dpmm,
                                  enum platen_table table, struct platen_buffer *out, struct platen_error *err)
{
    if (!worker || !out || (!zpl && size > 0))
        return pl_null_argument(err, __func__);
    const struct pl_limits *limits = &worker->engine->limits;
    struct pl_error inner = {0};
    struct pl_arena arena;
    struct pl_diags unheard;
    if (size > limits->input_bytes)
        return pl_public_fail(err, PLATEN_E_LIMIT, "the input of %zu bytes is over the limit of %zu", size,
                              limits->input_bytes);
    if ((table != PLATEN_TABLE_TEXT && table != PLATEN_TABLE_JSON) ||
        !(dpmm == 0 || (dpmm >= PL_DPMM_MIN && dpmm <= PL_DPMM_MAX)))
        return pl_public_fail(err, PLATEN_E_INVALID, "commands in words are text or JSON, at 1 to %d dpmm",
                              PL_DPMM_MAX);
    pl_arena_init(&arena, limits->arena_bytes);
    pl_diags_init(&unheard, &arena, 0);
    struct rw_document doc = {
        .arena = &arena, .diags = &unheard, .job = &worker->job, .input = pl_slice_make(zpl, size)};
    struct pl_buf text = {.data = out->data, .cap = out->capacity, .max = CODE_MOST};
    const struct pl_lang *language = pl_lang_detect(doc.input);
    bool is_zpl = language == &pl_lang_zpl, json = table == PLATEN_TABLE_JSON;
    dpmm = dpmm > 0 ? dpmm : PL_DEFAULT_DPMM;
    enum pl_errc code =
        is_zpl ? rw_read(&doc, &inner) : rw_explain_spans(language, doc.input, doc.job, dpmm, json, &text, &inner);
    if (code == PL_OK && is_zpl)
        code = rw_explain(&doc, dpmm, json, &text, &inner);
    *out = (struct platen_buffer){text.data, code == PL_OK ? text.len : 0, text.cap};
    pl_arena_fini(&arena);
    return pl_public_status(code, &inner, err);
}
