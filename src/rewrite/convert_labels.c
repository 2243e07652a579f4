// Conversion between languages: labels one after another, and whether they are drawn as before.
#include "rewrite/convert.h"

#include <string.h>

#include "base/ckd.h"
#include "lang/zpl/zpl.h"
#include "os/clock.h"

#define CODE_MOST ((size_t)128 << 20)

// ---- one element

static const char *kind_name(const struct pl_element *element)
{
    static const char *const NAMES[] = {
        [PL_ELEMENT_TEXT] = "text",       [PL_ELEMENT_BARCODE] = "barcode",   [PL_ELEMENT_BOX] = "box",
        [PL_ELEMENT_ELLIPSE] = "ellipse", [PL_ELEMENT_DIAGONAL] = "diagonal", [PL_ELEMENT_IMAGE] = "graphic"};
    return NAMES[element->kind];
}

static bool is_shape(const struct pl_element *element)
{
    return element->kind == PL_ELEMENT_BOX || element->kind == PL_ELEMENT_ELLIPSE ||
           element->kind == PL_ELEMENT_DIAGONAL;
}

// Fields of ZPL add ink: a white box comes first where something is below.
static void put_paper(struct rw_conversion *c, struct pl_box paper)
{
    struct pl_box page = {0, 0, pl_clamp_i32(c->from->width, 0, RW_FARTHEST),
                          pl_clamp_i32(c->from->height, 0, RW_FARTHEST)};
    paper = pl_box_intersect(paper, page);
    bool covers = false;
    for (uint32_t i = 0; i < c->inked_count && !covers; i++)
        covers = !pl_box_is_empty(pl_box_intersect(paper, c->inked[i]));
    int32_t width = paper.x1 - paper.x0, height = paper.y1 - paper.y0;
    if (covers)
        pl_buf_printf(c->out, "^FO%d,%d^GB%d,%d,%d,W^FS%s", paper.x0, paper.y0, width, height, PL_MIN(width, height),
                      c->line_end);
}

static enum pl_errc put_element(struct rw_conversion *c, const struct pl_element *element, struct pl_error *err)
{
    struct rw_ink ink;
    struct pl_drawn drawn;
    bool done = false;
    PL_TRY(rw_ink_of(c, element, &ink, &drawn, err));
    if (element->replaces) {
        put_paper(c, drawn.paper);
        put_paper(c, drawn.text_paper);
    }
    if (ink.bits.width == 0)
        return PL_OK; // nothing of it is printed
    c->inked[c->inked_count++] =
        (struct pl_box){ink.x, ink.y, ink.x + (int32_t)ink.bits.width, ink.y + (int32_t)ink.bits.height};
    if (element->kind == PL_ELEMENT_TEXT)
        PL_TRY(rw_put_text(c, element, &ink, &done, err));
    else if (element->kind == PL_ELEMENT_BARCODE)
        PL_TRY(rw_put_barcode(c, element, &ink, &drawn, &done, err));
    else if (is_shape(element))
        PL_TRY(rw_put_shape(c, element, &ink, &done, err));
    if (done)
        return PL_OK;
    if (is_shape(element) && element->shape.white) {
        pl_diag_add(c->diags, PL_DIAG_REWRITE, element->source, 0,
                    "ZPL cannot erase a shape of this form: it was left out.");
        return rw_looks_otherwise(c, &ink, err);
    }
    if (element->kind != PL_ELEMENT_IMAGE && ink.x <= RW_FARTHEST && ink.y <= RW_FARTHEST)
        pl_diag_add(c->diags, PL_DIAG_REWRITE, element->source, 0,
                    "ZPL has no command that prints this %s dot for dot: it became a graphic.", kind_name(element));
    return rw_put_graphic(c, &ink, element, err);
}

// ---- labels

// What is set otherwise than for the label before; for the first one, than a printer of the language has it after
// power-on.
static void put_settings(struct rw_conversion *c, struct pl_printing now)
{
    const struct pl_printing was = c->printing;
    c->printing = now;
    if (now.darkness_tenths != was.darkness_tenths) // of 15 there, of 30 here
        pl_buf_printf(c->out, "~SD%02d%s", pl_clamp_i32(now.darkness_tenths / 5, 0, 30), c->line_end);
    if (now.speed == was.speed && now.mode == was.mode && now.tracking == was.tracking)
        return;
    pl_buf_append_cstr(c->out, "^XA");
    if (now.speed != was.speed)
        pl_buf_printf(c->out, "^PR%d", pl_clamp_i32(now.speed, 1, 14));
    if (now.mode != was.mode && now.mode)
        pl_buf_printf(c->out, "^MM%c", now.mode);
    if (now.tracking != was.tracking && now.tracking)
        pl_buf_printf(c->out, "^MN%c", now.tracking);
    pl_buf_printf(c->out, "^XZ%s", c->line_end);
}

static struct pl_printing settings_at_end(const struct platen_document *document)
{
    struct pl_lang_settings settings;
    document->language->memory.settings(document->end, &settings);
    return pl_lang_printing(&settings);
}

static enum pl_errc put_label(struct rw_conversion *c, const struct pl_label *label, struct pl_error *err)
{
    uint32_t width = label->print_width ? PL_MIN(label->print_width, c->from->width) : c->from->width;
    uint32_t length = label->length ? PL_MIN(label->length, c->from->height) : c->from->height;
    put_settings(c, label->printing);
    pl_buf_printf(c->out, "^XA%s^CI28^LH0,0^PW%u^LL%u", c->line_end, PL_MIN(width, RW_FARTHEST),
                  PL_MIN(length, RW_FARTHEST));
    if (width > RW_FARTHEST || length > RW_FARTHEST)
        pl_diag_add(c->diags, PL_DIAG_REWRITE, label->source, 0,
                    "Labels of ZPL have up to %d dots; this one is %u x %u.", RW_FARTHEST, width, length);
    pl_buf_printf(c->out, "^PO%c^PM%c%s", label->upside_down ? 'I' : 'N', label->mirrored ? 'Y' : 'N', c->line_end);
    size_t empty = c->out->len;
    const struct pl_element *const *elements = label->elements;
    bool goes_on = false;
    for (uint32_t i = 0; i < label->element_count && !goes_on; i++)
        goes_on = rw_goes_on(elements[i]);
    if (goes_on)
        PL_TRY(rw_place_texts(c, label, &elements, err));
    struct pl_arena_mark start = pl_arena_mark(c->scratch);
    c->inked = PL_ARENA_ARRAY(c->scratch, struct pl_box, label->element_count);
    c->inked_count = 0;
    if (label->element_count > 0 && !c->inked)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < label->element_count; i++) {
        struct pl_arena_mark mark = pl_arena_mark(c->scratch);
        PL_TRY(pl_job_check(c->job, err));
        PL_TRY(put_element(c, elements[i], err));
        pl_arena_release(c->scratch, mark);
        PL_TRY(pl_buf_check(c->out, err));
    }
    pl_arena_release(c->scratch, start);
    if (c->out->len == empty) // a blank label is one, too: without a field ZPL prints none
        pl_buf_printf(c->out, "^FO0,0^A0^FD ^FS%s", c->line_end);
    if (label->copies > 1)
        pl_buf_printf(c->out, "^PQ%u%s", label->copies, c->line_end);
    pl_buf_printf(c->out, "^XZ%s", c->line_end);
    return pl_buf_check(c->out, err);
}

static enum pl_errc put_labels(struct rw_conversion *c, struct pl_error *err)
{
    struct pl_buf *whole = c->out, labels;
    pl_buf_init(&labels, CODE_MOST);
    c->out = &labels;
    enum pl_errc code = PL_OK;
    for (uint32_t i = 0; i < c->from->scene.label_count && code == PL_OK; i++) {
        c->label = i;
        code = put_label(c, &c->from->scene.labels[i], err);
    }
    put_settings(c, settings_at_end(c->from));
    c->out = whole;
    for (uint32_t i = 0; i < c->font_count; i++) {
        if (c->fonts[i].used)
            rw_put_font(c, &c->fonts[i], whole);
        pl_buf_fini(&c->fonts[i].glyphs);
    }
    pl_buf_append_slice(whole, pl_buf_slice(&labels));
    pl_buf_inherit(whole, &labels);
    pl_buf_fini(&labels);
    return code == PL_OK ? pl_buf_check(whole, err) : code;
}

// ---- the job

static struct platen_options parsing(const struct rw_conversion *c, enum platen_language language)
{
    const struct platen_rewrite_options *o = c->options;
    return (struct platen_options)PLATEN_OPTIONS(.width_mm = o->width_mm, .height_mm = o->height_mm, .dpmm = o->dpmm,
                                                 .fit_size = o->fit_size, .want_elements = true, .verify = true,
                                                 .rules = "none", .has_time = true, .time = c->time,
                                                 .collapse_copies = true, .language = language, .cancel = o->cancel,
                                                 .deadline_ns = o->deadline_ns);
}

static enum pl_errc parse(struct rw_conversion *c, struct pl_slice code, const struct platen_options *options,
                          struct platen_document **out, struct pl_error *err)
{
    struct platen_error outer = {0};
    enum platen_status status = platen_parse(c->worker, code.ptr, code.len, options, out, &outer);
    if (status == PLATEN_OK)
        status = platen_document_detach(out, NULL, &outer);
    return status == PLATEN_OK ? PL_OK : rw_fail_as(err, status, &outer);
}

// The settings of a printer that has read nothing.
static enum pl_errc settings_at_start(struct rw_conversion *c, struct pl_printing *out, struct pl_error *err)
{
    struct platen_options options = parsing(c, c->from->options.language);
    struct platen_document *empty;
    PL_TRY(parse(c, pl_slice_make("", 0), &options, &empty, err));
    *out = settings_at_end(empty);
    platen_document_free(empty);
    return PL_OK;
}

static bool is_same_content(const struct pl_element *a, const struct pl_element *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == PL_ELEMENT_TEXT)
        return a->text.length == b->text.length &&
               (a->text.length == 0 ||
                memcmp(a->text.chars, b->text.chars, a->text.length * sizeof *a->text.chars) == 0);
    return a->kind != PL_ELEMENT_BARCODE || pl_slice_eq(a->barcode.data, b->barcode.data);
}

static bool has_same_content(const struct pl_scene *a, const struct pl_scene *b)
{
    bool same = a->label_count == b->label_count;
    for (uint32_t i = 0; same && i < a->label_count; i++) {
        same = a->labels[i].element_count == b->labels[i].element_count;
        for (uint32_t k = 0; same && k < a->labels[i].element_count; k++)
            same = is_same_content(a->labels[i].elements[k], b->labels[i].elements[k]);
    }
    return same;
}

// Fields of the clock become the text that they show now, which is reported. They are found by another time, at which
// every part of the date and the time is another.
static enum pl_errc report_clock(struct rw_conversion *c, struct pl_slice input, struct pl_error *err)
{
    enum { OTHER_TIME = ((400 * 24 + 13) * 60 + 17) * 60 + 19 };
    struct platen_options options = parsing(c, c->from->options.language);
    struct platen_document *later;
    options.time += OTHER_TIME;
    PL_TRY(parse(c, input, &options, &later, err));
    if (!has_same_content(&c->from->scene, &later->scene))
        pl_diag_add(c->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "Fields show the date or the time; their text stays that of the conversion.");
    platen_document_free(later);
    return PL_OK;
}

// Is the code, in this language, already what is asked for?
static bool is_there(const struct rw_conversion *c)
{
    return c->from->options.language == c->options->to_language;
}

static enum pl_errc convert(struct rw_conversion *c, struct pl_error *err)
{
    if (c->options->to_language != PLATEN_LANGUAGE_ZPL)
        return rw_convert_to_graphics(c, c->options->to_language, err);
    PL_TRY(settings_at_start(c, &c->printing, err));
    return put_labels(c, err);
}

// ZPL says with ^PW and ^LL how much is printed. Where nobody gave a size, that is the label's: other languages would
// have it in the middle of the default.
static void take_printed_size(struct rw_conversion *c)
{
    const struct platen_rewrite_options *o = c->options;
    const struct pl_scene *scene = &c->from->scene;
    bool stated = !c->from->language->states_label && scene->label_count > 0 && o->width_mm == 0 && o->height_mm == 0 &&
                  !o->fit_size;
    for (uint32_t i = 0; i < scene->label_count && stated; i++)
        stated = scene->labels[i].print_width > 0 && scene->labels[i].length > 0;
    if (!stated)
        return;
    c->from->worker = c->worker; // for its limits
    pl_take_stated_size(c->from, true, true);
    c->from->worker = NULL;
}

static enum pl_errc convert_from(struct rw_conversion *c, struct pl_slice input, struct pl_error *err)
{
    if (is_there(c)) {
        pl_buf_append_slice(c->out, input);
        return pl_buf_check(c->out, err);
    }
    take_printed_size(c);
    if (c->from->scene.label_count == 0)
        pl_diag_add(c->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "The code prints no label; nothing was written.");
    PL_TRY(report_clock(c, input, err));
    PL_TRY(convert(c, err));
    return c->options->unverified ? PL_OK : rw_verify_conversion(c, err);
}

enum pl_errc rw_convert(struct platen_worker *worker, struct rw_document *doc,
                        const struct platen_rewrite_options *options, struct pl_buf *out, struct pl_error *err)
{
    struct pl_arena scratch;
    struct rw_conversion *c = PL_ARENA_NEW(doc->arena, struct rw_conversion);
    if (!c)
        return pl_fail_memory(err);
    if (options->rows || options->rotation || options->target_dpmm != options->dpmm || options->to_utf8 ||
        options->unit)
        return pl_fail(
            err, PL_E_INVALID,
            "another language cannot be asked for together with values, UTF-8, a rotation, a density or a unit; "
            "do one after the other");
    if (options->to_language != PLATEN_LANGUAGE_ZPL && (options->layout || options->graphics))
        return pl_fail(err, PL_E_INVALID,
                       "minified code and codings of graphics are of %s; %s has its graphics as bytes",
                       pl_lang_zpl.title, pl_language(options->to_language)->title);
    pl_arena_init(&scratch, worker->engine->limits.arena_bytes);
    *c = (struct rw_conversion){.worker = worker,
                                .options = options,
                                .arena = doc->arena,
                                .scratch = &scratch,
                                .diags = doc->diags,
                                .job = doc->job,
                                .out = out,
                                .time = pl_os_seconds(),
                                .line_end = options->layout == PLATEN_LAYOUT_COMPACT ? "" : "\n"};
    struct platen_options as = parsing(c, options->language);
    enum pl_errc code = parse(c, doc->input, &as, &c->from, err);
    if (code == PL_OK) {
        code = convert_from(c, doc->input, err);
        pl_worker_close_fonts(worker); // those of the job end with it
        platen_document_free(c->from);
    }
    pl_arena_fini(&scratch);
    return code;
}
