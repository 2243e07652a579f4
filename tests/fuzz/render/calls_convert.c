// Calls of fuzz_calls.c that compare, write PDFs, rewrite label code, and make it of pictures and fonts.
#include <stdlib.h>
#include <string.h>

#include "calls_held.h"

void call_compare(void)
{
    struct platen_error *e = error_or_null();
    if (chance(4)) {
        size_t size;
        void *file = chance(2) ? own_copy(held.out.data, size = held.out.size) : picture_file(&size);
        unsigned i = pick(SNAPSHOTS);
        end_snapshot(i);
        MADE(platen_snapshot_of_picture(any_engine(), file, size, &held.snapshots[i], e), e, held.snapshots[i]);
        free(file);
        return;
    }
    struct platen_compare_options o = PLATEN_COMPARE_OPTIONS(.tolerance_dots = number(), .elements = chance(2));
    o.tolerance_percent = chance(3) ? real() : 0;
    o.cancel = chance(3) ? &held.cancel : NULL;
    o.deadline_ns = chance(20) ? number() : 0;
    void *options = sized(&o, sizeof o);
    end_comparison();
    held.compared[0] = held.snapshots[pick(SNAPSHOTS)];
    held.compared[1] = held.snapshots[pick(SNAPSHOTS)];
    MADE(platen_compare(held.compared[0], held.compared[1], options, &held.comparison, e), e, held.comparison);
    free(options);
    look_at_comparison(held.comparison);
    e = error_or_null();
    enum platen_status status = platen_comparison_picture(held.comparison, &held.out, e);
    kept(status, e, DONE(status));
}

void call_pdf(void)
{
    struct platen_error *e = error_or_null();
    if (!held.pdf || chance(6)) {
        end_pdf();
        MADE(platen_pdf_new(chance(3) ? NULL : word(), &held.pdf_out, &held.pdf, e), e, held.pdf);
        if (chance(3))
            platen_pdf_set_cancel(held.pdf, &held.cancel, chance(20) ? number() : 0);
        return;
    }
    struct platen_pdf_layout l =
        PLATEN_PDF_LAYOUT(.page_width_mm = real(), .page_height_mm = real(), .columns = pick(4));
    l.rows = (uint32_t)number();
    l.margin_mm = chance(3) ? real() : 0;
    l.gap_x_mm = chance(3) ? real() : 0;
    l.across = (enum platen_align)small(3);
    l.border = (enum platen_border)small(2);
    l.first = pick(5);
    l.cut_marks = chance(2);
    l.shrink = chance(2);
    l.archive = chance(2);
    void *layout = sized(&l, sizeof l);
    enum platen_status status = PLATEN_OK;
    switch (pick(6)) {
    case 0:
        status = platen_pdf_set_layout(held.pdf, layout, e);
        break;
    case 1:
        status = platen_pdf_layout_check(layout, real(), real(), e);
        break;
    case 2:
        platen_pdf_take(held.pdf);
        if (chance(2))
            platen_buffer_free(&held.pdf_out);
        break;
    case 3:
        status = platen_pdf_finish(held.pdf, e);
        break;
    default: {
        struct platen_buffer damaged = {own_copy(held.part.data, held.part.size), held.part.size, held.part.size};
        for (unsigned i = chance(4) ? pick(9) : 0; i > 0 && damaged.size > 0; i--)
            damaged.data[number() % damaged.size] = (uint8_t)number();
        damaged.size -= chance(6) && damaged.size > 0 ? number() % damaged.size : 0;
        uint32_t copies = chance(5) ? (uint32_t)number() : pick(4);
        status = platen_pdf_add(held.pdf, &damaged, copies > 70000 && copies < 8388608 ? 9 : copies, e);
        free(damaged.data);
    }
    }
    kept(status, e, DONE(status));
    free(layout);
}

void call_rewrite(void)
{
    struct held_worker *w = any_worker();
    size_t size, rows_size, length;
    void *code = label_code(&size), *rows = chance(4) ? label_code(&rows_size) : NULL;
    const char *const TEXT_ROWS = chance(2) ? "[{\"name\":\"Ann\",\"other\":1}]" : "name,other\nAnn,2\n";
    struct platen_rewrite_options o = PLATEN_REWRITE_OPTIONS(.layout = (enum platen_layout)small(1));
    o.graphics = (enum platen_graphic_coding)small(4);
    o.dpmm = chance(4) ? real() : 0;
    o.target_dpmm = chance(3) ? real() : 0;
    o.width_mm = chance(4) ? real() : 0;
    o.rotation = chance(3) ? 90 * pick(5) : 0;
    o.unverified = chance(2);
    o.to_utf8 = chance(4);
    o.fit_size = chance(6);
    o.rows = rows ? rows : chance(3) ? TEXT_ROWS : NULL;
    o.rows_size = rows ? rows_size : o.rows ? strlen(TEXT_ROWS) : chance(9) ? (size_t)number() : 0;
    o.cancel = chance(3) ? &held.cancel : NULL;
    o.deadline_ns = chance(20) ? number() : 0;
    o.language = (enum platen_language)(chance(3) ? small(4) : 0);
    o.to_language = (enum platen_language)(chance(4) ? small(4) : 0);
    void *options = sized(&o, sizeof o);
    struct platen_error *e = error_or_null();
    platen_rewritten_free(held.rewritten);
    MADE(platen_rewrite(w->worker, code, size, options, &held.rewritten, e), e, held.rewritten);
    w->page = NULL;
    struct platen_diagnostic note;
    platen_rewritten_note_at(held.rewritten, (uint32_t)number(), &note);
    if (strlen(platen_rewritten_code(held.rewritten, &length)) > length)
        abort();
    e = error_or_null();
    enum platen_status status =
        platen_explain(w->worker, code, size, chance(2) ? real() : 0, (enum platen_table)small(2), &held.out, e);
    kept(status, e, DONE(status));
    free(options);
    free(rows);
    free(code);
}

void call_graphic(void)
{
    size_t size;
    void *file = picture_file(&size);
    struct platen_graphic_options o = PLATEN_GRAPHIC_OPTIONS(.dither = (enum platen_dither)small(4));
    o.coding = (enum platen_graphic_coding)small(4);
    o.threshold = chance(3) ? real() : 0;
    o.width_mm = chance(3) ? real() : 0;
    o.height_mm = chance(3) ? real() : 0;
    o.dpmm = chance(3) ? real() : 0;
    o.rotation = chance(3) ? (uint32_t)number() : 90 * pick(4);
    o.x = (uint32_t)number();
    o.invert = chance(2);
    o.trim = chance(2);
    o.exact_fit = chance(2);
    o.stored = chance(2);
    o.bare = chance(2);
    o.name = chance(2) ? word() : NULL;
    o.cancel = chance(3) ? &held.cancel : NULL;
    void *options = sized(&o, sizeof o);
    struct platen_error *e = error_or_null();
    platen_graphic_free(held.graphic);
    MADE(platen_graphic_new(any_engine(), file, size, options, &held.graphic, e), e, held.graphic);
    free(options);
    size_t length;
    struct platen_graphic_info info;
    platen_graphic_info(held.graphic, &info);
    if (strlen(platen_graphic_code(held.graphic, &length)) > length ||
        strlen(platen_graphic_data(held.graphic, NULL)) > length)
        abort();
    platen_graphic_coded_size(held.graphic, (enum platen_graphic_coding)small(4));
    platen_graphic_ink(held.graphic, (uint32_t)number(), (uint32_t)number());
    struct platen_font_options f =
        PLATEN_FONT_OPTIONS(.path = chance(2) ? word() : NULL, .chars = chance(2) ? word() : NULL);
    f.unicodes = chance(2) ? word() : NULL;
    f.letter = (char)number();
    f.notes = chance(2) ? &held.part : NULL;
    options = sized(&f, sizeof f);
    e = error_or_null();
    enum platen_status status = platen_font_code(any_engine(), file, size, options, &held.out, e);
    kept(status, e, DONE(status));
    free(options);
    free(file);
}
