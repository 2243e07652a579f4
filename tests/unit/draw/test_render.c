// The public interface: sizes, pages, elements and their checks, threads, encoders.
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "unit.h"

static struct platen_document *parse(const char *zpl, const struct platen_options *options)
{
    struct platen_document *document;
    struct platen_error err;
    if (platen_parse(worker, zpl, strlen(zpl), options, &document, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    return document;
}

static const struct platen_page *draw(const struct platen_document *document, uint32_t label)
{
    const struct platen_page *page;
    struct platen_error err;
    if (platen_draw(worker, document, label, &page, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    return page;
}

static bool dot(const struct platen_bitmap *b, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= b->width || y >= b->height)
        return false;
    size_t at = (size_t)y * b->width + (size_t)x;
    if (b->grey)
        return b->bytes[at] < 255;
    return (b->words[(size_t)y * b->words_per_row + (size_t)x / 64] >> (63 - x % 64)) & 1;
}

static void sizes_in_dots_are_the_printheads(void **state)
{
    (void)state;
    static const struct {
        double w, h;
        uint32_t dpmm, width, height;
    } CASES[] = {{0, 0, 0, 812, 1218},           {101.6, 152.4, 6, 608, 912},
                 {101.6, 152.4, 12, 1216, 1824}, // 304 and 609 dots an inch, as the reference has it
                 {101.6, 152.4, 24, 2436, 3654}, {50.8, 25.4, 12, 608, 304},
                 {25.4, 25.4, 24, 609, 609},     {101.726, 203.451, 8, 813, 1626},
                 {50, 40, 10, 500, 400},         {10, 10, 1, 10, 10},
                 {25.4, 25.4, 8, 203, 203}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct platen_options o =
            PLATEN_OPTIONS(.width_mm = CASES[i].w, .height_mm = CASES[i].h, .dpmm = CASES[i].dpmm);
        uint32_t w, h;
        assert_int_equal(platen_size_in_dots(engine, &o, &w, &h, NULL), PLATEN_OK);
        assert_int_equal(w, CASES[i].width);
        assert_int_equal(h, CASES[i].height);
    }
    static const struct platen_options BAD[] = {PLATEN_OPTIONS(.width_mm = -1),
                                                PLATEN_OPTIONS(.height_mm = -1),
                                                PLATEN_OPTIONS(.width_mm = 1e9),
                                                PLATEN_OPTIONS(.width_mm = 0.01),
                                                PLATEN_OPTIONS(.dpmm = 49),
                                                PLATEN_OPTIONS(.rotation = 45),
                                                PLATEN_OPTIONS(.rotation = 360),
                                                PLATEN_OPTIONS(.width_mm = __builtin_nan("")),
                                                PLATEN_OPTIONS(.width_mm = 5000, .height_mm = 5000, .dpmm = 8),
                                                PLATEN_OPTIONS(.height_mm = __builtin_inf())};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        uint32_t w, h;
        struct platen_error err = {0};
        assert_int_equal(platen_size_in_dots(engine, &BAD[i], &w, &h, &err), PLATEN_E_INVALID);
        assert_true(strlen(err.message) > 10);
    }
}

static void copies_are_pages_of_one_label(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO1,1^GB5,5,5^FS^PQ3^XZ^XA^FO1,1^GB6,6,6^FS^XZ^XA^FO1,1^GB7,7,7^FS^PQ2^XZ";
    struct platen_document *d = parse(zpl, NULL);
    assert_int_equal(platen_label_count(d), 3);
    assert_int_equal(platen_page_count(d), 6);
    static const uint32_t LABELS[] = {0, 0, 0, 1, 2, 2};
    uint32_t label;
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(platen_label_of_page(d, i, &label));
        assert_int_equal(label, LABELS[i]);
    }
    assert_false(platen_label_of_page(d, 6, &label));
    platen_document_free(d);
    d = parse(zpl, &(struct platen_options)PLATEN_OPTIONS(.collapse_copies = true));
    assert_int_equal(platen_page_count(d), 3);
    struct platen_label info;
    assert_true(platen_label_at(d, 0, &info));
    assert_int_equal(info.copies, 3);
    assert_true(platen_label_at(d, 2, &info));
    assert_int_equal(info.copies, 2);
    assert_false(platen_label_at(d, 3, &info));
    const struct platen_page *page;
    assert_int_equal(platen_draw(worker, d, 3, &page, NULL), PLATEN_E_NOT_FOUND);
    platen_document_free(d);
}

// One element on each label: its box must be the ink on the page, however the page is turned.
static void element_boxes_are_the_ink_on_the_page(void **state)
{
    (void)state;
    static const char *const FIELDS[] = {"^FO30,40^GB61,33,3^FS",           "^FO30,40^GE61,33,3^FS",
                                         "^FT50,90^BY2^BCN,40,N^FDAB12^FS", "^FO31,47^BQN,2,3^FDQA,HI^FS",
                                         "^FO20,60^BXN,4,200^FDHELLO^FS",   "^FO50,30^A0N,50,40^FDHxg^FS",
                                         "^FO50,30^A0R,50,40^FDHxg^FS",     "^FT250,230^A0I,50,40^FDHxg^FS",
                                         "^FT90,230^A0B,50,40^FDHxg^FS",    "^FO60,20^GFA,8,8,1,003C3C3C00000000^FS"};
    static const char *const PAGES[] = {"", "^POI", "^PMY", "^POI^PMY", "^PW350", "^PW351^POI", "^JMB"};
    for (size_t f = 0; f < sizeof FIELDS / sizeof FIELDS[0]; f++) {
        for (size_t p = 0; p < sizeof PAGES / sizeof PAGES[0]; p++) {
            for (uint32_t rotation = 0; rotation < 360; rotation += 90) {
                char zpl[256];
                snprintf(zpl, sizeof zpl, "^XA^POI^PON^PMN^JMA%s%s^XZ", PAGES[p], FIELDS[f]);
                bool half = strcmp(PAGES[p], "^JMB") == 0;
                if (half && f > 1 && f < 9)
                    continue; // their places would lie outside
                struct platen_options o =
                    PLATEN_OPTIONS(.width_mm = 51, .height_mm = 61, .rotation = rotation, .want_elements = true);
                struct platen_document *d = parse(zpl, &o);
                const struct platen_page *page = draw(d, 0);
                struct platen_bitmap b;
                struct platen_element e;
                platen_page_bitmap(page, &b);
                assert_int_equal(platen_page_element_count(page), 1);
                assert_true(platen_page_element_at(page, 0, &e));
                int64_t x0 = b.width, y0 = b.height, x1 = -1, y1 = -1;
                for (int64_t y = 0; y < b.height; y++) {
                    for (int64_t x = 0; x < b.width; x++) {
                        if (!dot(&b, x, y))
                            continue;
                        x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
                        y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
                    }
                }
                if (e.x != x0 || e.y != y0 || e.x + (int64_t)e.width != x1 + 1 || e.y + (int64_t)e.height != y1 + 1)
                    fail_msg("%s rotation %u: box %d,%d %ux%u, ink %d,%d %dx%d", zpl, rotation, e.x, e.y, e.width,
                             e.height, (int)x0, (int)y0, (int)(x1 - x0 + 1), (int)(y1 - y0 + 1));
                assert_true(e.inside_label);
                assert_int_equal(e.overlap_count, 0);
                platen_document_free(d);
            }
        }
    }
}

// The element of the label; what it points to stays until the next call.
static struct platen_document *shown;

static struct platen_element element_of(const char *zpl, uint32_t index)
{
    platen_document_free(shown);
    shown = parse(zpl, &(struct platen_options)PLATEN_OPTIONS(.want_elements = true));
    struct platen_element e;
    assert_true(platen_page_element_at(draw(shown, 0), index, &e));
    return e;
}

static void placement_checks_tell_what_is_wrong(void **state)
{
    (void)state;
    struct platen_element e = element_of("^XA^FO100,100^BY2^BCN,80,N^FD12345678^FS^XZ", 0);
    assert_true(e.quiet_zone_ok);
    assert_true(e.inside_label);
    assert_string_equal(e.symbology, "code128");
    assert_int_equal(e.module_dots, 2);
    e = element_of("^XA^FO100,100^BY2^BCN,80,N^FD12345678^FS^FO90,120^GB3,3,3^FS^XZ", 0);
    assert_false(e.quiet_zone_ok); // a dot ten left of the first bar
    assert_int_equal(e.overlap_count, 0);
    e = element_of("^XA^FO10,100^BY2^BCN,80,N^FD12345678^FS^XZ", 0);
    assert_true(e.quiet_zone_ok); // the label's edge is no ink: the paper may go on
    assert_true(e.inside_label);
    e = element_of("^XA^FO100,100^BY2^BCN,80,N^FD12345678^FS^FO120,120^A0N,40,40^FDX^FS^FO60,60^GB600,300,2^FS^XZ", 0);
    assert_int_equal(e.overlap_count, 1); // the text, but not the frame around both
    assert_int_equal(e.overlaps[0], 1);
    e = element_of("^XA^FO700,100^BY2^BCN,80,N^FD12345678^FS^XZ", 0);
    assert_false(e.inside_label);
    e = element_of("^XA^FO100,100^A0N,40,40^FDM\xC3\xBCll^FS^XZ", 0);
    assert_int_equal(e.type, PLATEN_TEXT);
    assert_string_equal(e.command, "^A0");
    e = element_of("^XA^CI28^FO100,100^A0N,40,40^FDM\xC3\xBCll^FS^XZ", 0);
    assert_int_equal(e.text_size, 5);
    assert_memory_equal(e.text, "M\xC3\xBCll", 5);
    platen_document_free(shown);
    shown = NULL;
}

static void a_barcode_that_was_not_drawn_has_no_quiet_zone(void **state)
{
    (void)state;
    struct platen_element e = element_of("^XA^FO50,50^BY2^BKN,N,50^FD!!!^FS^XZ", 0);
    assert_int_equal(e.type, PLATEN_BARCODE);
    assert_int_equal(e.width, 0);
    assert_false(e.quiet_zone_ok);
    e = element_of("^XA^FO50,50^GB9,9,1^FS^XZ", 0);
    assert_true(e.quiet_zone_ok);
    platen_document_free(shown);
    shown = NULL;
}

static void text_that_does_not_fit_is_told_of_by_its_block(void **state)
{
    (void)state;
    static const struct {
        const char *zpl, *words;
    } CASES[] = {
        {"^XA^FO9,9^A0N,30,30^TBN,100,30^FDmany words that do not fit^FS^XZ", "does not fit its block of 100 x 30"},
        {"^XA^FO9,9^FB100,2^A0N,30,30^FDmany words that do not fit^FS^XZ", "more lines than its block has (2)"}};
    for (size_t i = 0; i < 2; i++) {
        struct platen_document *d = parse(CASES[i].zpl, NULL);
        struct platen_diagnostic said;
        assert_true(platen_page_diagnostic_at(draw(d, 0), 0, &said));
        assert_non_null(strstr(said.message, CASES[i].words));
        platen_document_free(d);
    }
}

// Text without coordinates goes on at the lower right corner of a shape.
static void text_goes_on_behind_a_shape(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^FO30,180^GB750,3,3^FS^FT^A0N,20,20^FDN^FS^FT780,183^A0N,20,20^FDN^FS^XZ";
    struct platen_element placed = element_of(ZPL, 2), behind = element_of(ZPL, 1);
    assert_int_equal(behind.x, placed.x);
    assert_int_equal(behind.y, placed.y);
    platen_document_free(shown);
    shown = NULL;
}

// The parts of a PDF come from outside: what they say of themselves may be anything.
static void a_part_of_a_pdf_that_lies_is_refused(void **state)
{
    (void)state;
    struct platen_document *d = parse("^XA^FO50,50^A0N,40,40^FDtext^FS^XZ", NULL);
    struct platen_buffer part = {0}, out = {0}, bad = {0};
    struct platen_pdf *pdf;
    struct platen_error err;
    assert_int_equal(platen_pdf_part(worker, draw(d, 0), &part, &err), PLATEN_OK);
    assert_int_equal(platen_pdf_new("x", &out, &pdf, &err), PLATEN_OK);
    uint32_t refused = 0;
    for (size_t at = 0; at < part.size && at < 160; at++) {
        for (int bit = 0; bit < 8; bit++) {
            // A copy of just the size: reading on is seen by a sanitizer.
            bad.data = malloc(part.size);
            assert_non_null(bad.data);
            bad.size = part.size;
            memcpy(bad.data, part.data, part.size);
            bad.data[at] ^= (uint8_t)(1 << bit);
            refused += platen_pdf_add(pdf, &bad, 1, &err) != PLATEN_OK;
            free(bad.data);
        }
    }
    assert_true(refused > 200);
    for (size_t size = 0; size < part.size; size += 7) {
        bad = (struct platen_buffer){part.data, size, size};
        assert_int_not_equal(platen_pdf_add(pdf, &bad, 1, &err), PLATEN_OK);
    }
    assert_int_equal(platen_pdf_add(pdf, &part, 1, &err), PLATEN_OK);
    assert_int_equal(platen_pdf_finish(pdf, &err), PLATEN_OK);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
    platen_document_free(d);
}

static void smooth_output_has_the_same_picture(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO50,50^GB300,200,9^FS^FO80,80^BY3^BCN,80,N^FD1234^FS^FO400,50^FR^A0N,60,60^FDHello^FS^XZ";
    struct platen_document *d = parse(zpl, NULL);
    struct platen_bitmap b, g;
    platen_page_bitmap(draw(d, 0), &b);
    uint8_t *dots = malloc((size_t)b.width * b.height);
    for (size_t y = 0; y < b.height; y++)
        for (size_t x = 0; x < b.width; x++)
            dots[y * b.width + x] = dot(&b, (int64_t)x, (int64_t)y) ? 0 : 255;
    platen_document_free(d);
    d = parse(zpl, &(struct platen_options)PLATEN_OPTIONS(.quality = PLATEN_GRAYSCALE));
    platen_page_bitmap(draw(d, 0), &g);
    assert_true(g.grey);
    assert_memory_equal(dots, g.bytes, (size_t)b.width * b.height); // no curves here but those of reversed text
    free(dots);
    platen_document_free(d);
}

// A page of 16 times the band's size is drawn in bands; the picture must not show where they meet.
static void bands_do_not_show(void **state)
{
    (void)state;
    static char zpl[4096];
    size_t n = (size_t)snprintf(zpl, sizeof zpl, "^XA^FT50,60^A0N,60,60^FDgo^FS");
    for (int i = 0; i < 12; i++)
        n += (size_t)snprintf(zpl + n, sizeof zpl - n,
                              "^FT^A0N,90,90^FDon^FS^FO%d,%d^GE900,700,9^FS^FO%d,%d^FR^A0R,300,300^FDBand^FS",
                              100 + i * 90, 100 + i * 390, 700, i * 400);
    snprintf(zpl + n, sizeof zpl - n, "^XZ");
    // The same label once on a tall page (several bands) and once cut short (one band).
    struct platen_options tall =
        PLATEN_OPTIONS(.width_mm = 200, .height_mm = 600, .dpmm = 8, .quality = PLATEN_GRAYSCALE);
    struct platen_options low = tall;
    low.height_mm = 100;
    struct platen_document *d = parse(zpl, &low);
    struct platen_bitmap b;
    platen_page_bitmap(draw(d, 0), &b);
    size_t size = (size_t)b.width * b.height;
    uint8_t *first = malloc(size);
    assert_non_null(first);
    memcpy(first, b.bytes, size);
    platen_document_free(d);
    d = parse(zpl, &tall);
    platen_page_bitmap(draw(d, 0), &b);
    assert_memory_equal(first, b.bytes, size);
    // And the lower bands: the same ink as the bitonal page, as far as half tones allow.
    uint8_t *all = malloc((size_t)b.width * b.height);
    assert_non_null(all);
    memcpy(all, b.bytes, (size_t)b.width * b.height);
    platen_document_free(d);
    tall.quality = PLATEN_BITONAL;
    d = parse(zpl, &tall);
    platen_page_bitmap(draw(d, 0), &b);
    size_t wrong = 0, ink = 0;
    for (size_t y = 0; y < b.height; y++) {
        for (size_t x = 0; x < b.width; x++) {
            bool one = dot(&b, (int64_t)x, (int64_t)y);
            uint8_t grey = all[y * b.width + x];
            ink += one;
            wrong += one ? grey > 200 : grey < 55;
        }
    }
    assert_true(ink > 100000);
    assert_in_range(wrong, 0, 0);
    platen_document_free(d);
    free(first);
    free(all);
}

struct thread_job {
    const struct platen_document *document;
    uint32_t first, step;
    struct platen_buffer pages[24];
};

static void *draw_some(void *arg)
{
    struct thread_job *job = arg;
    struct platen_worker *own;
    const struct platen_page *page;
    if (platen_worker_new(engine, &own, NULL) != PLATEN_OK)
        return "no worker";
    for (uint32_t i = job->first; i < 24; i += job->step) {
        if (platen_draw(own, job->document, i, &page, NULL) != PLATEN_OK ||
            platen_encode(own, page, PLATEN_PNG, NULL, &job->pages[i], NULL) != PLATEN_OK)
            return "failed";
    }
    platen_worker_free(own);
    return NULL;
}

static void labels_of_one_document_can_be_drawn_by_many_threads(void **state)
{
    (void)state;
    static char zpl[8192];
    size_t n = 0;
    for (int i = 0; i < 24; i++)
        n += (size_t)snprintf(zpl + n, sizeof zpl - n,
                              "^XA^FO%d,50^A0N,80,60^FDLabel %d^FS^FO50,200^BY2^BCN,80^FDN%d^FS^XZ", 10 + i, i, i);
    struct platen_document *d = parse(zpl, NULL);
    assert_int_equal(platen_label_count(d), 24);
    static struct thread_job jobs[3];
    pthread_t threads[3];
    for (uint32_t t = 0; t < 3; t++) {
        jobs[t] = (struct thread_job){.document = d, .first = t, .step = 3};
        assert_int_equal(pthread_create(&threads[t], NULL, draw_some, &jobs[t]), 0);
    }
    for (uint32_t t = 0; t < 3; t++) {
        void *result;
        pthread_join(threads[t], &result);
        assert_null(result);
    }
    struct platen_buffer bytes = {0};
    for (uint32_t i = 0; i < 24; i++) {
        struct platen_buffer *other = &jobs[i % 3].pages[i];
        assert_int_equal(platen_encode(worker, draw(d, i), PLATEN_PNG, NULL, &bytes, NULL), PLATEN_OK);
        assert_int_equal(bytes.size, other->size);
        assert_memory_equal(bytes.data, other->data, bytes.size);
        platen_buffer_free(other);
    }
    platen_buffer_free(&bytes);
    platen_document_free(d);
}

static void every_format_begins_as_it_should(void **state)
{
    (void)state;
    static const struct {
        const char *name, *head, *mime;
    } FORMATS[] = {{"png", "\x89PNG", "image/png"},
                   {"jpg", "\xFF\xD8\xFF", "image/jpeg"},
                   {"webp", "RIFF", "image/webp"},
                   {"PDF", "%PDF-", "application/pdf"}};
    struct platen_buffer bytes = {0};
    for (int grey = 0; grey < 2; grey++) {
        struct platen_options o =
            PLATEN_OPTIONS(.want_elements = true, .quality = grey ? PLATEN_GRAYSCALE : PLATEN_BITONAL);
        struct platen_document *d = parse("^XA^FO50,50^A0N,80,60^FDHello^FS^XZ", &o);
        const struct platen_page *page = draw(d, 0);
        for (size_t i = 0; i < 4; i++) {
            enum platen_format format;
            struct platen_error err;
            assert_true(platen_format_by_name(FORMATS[i].name, &format));
            assert_string_equal(platen_format_mime(format), FORMATS[i].mime);
            if (platen_encode(worker, page, format, NULL, &bytes, &err) != PLATEN_OK)
                fail_msg("%s: %s", FORMATS[i].name, err.message);
            assert_memory_equal(bytes.data, FORMATS[i].head, strlen(FORMATS[i].head));
        }
        platen_document_free(d);
    }
    enum platen_format format;
    assert_false(platen_format_by_name("gif", &format));
    struct platen_document *d = parse("^XA^FO5,5^GB9,9,9^FS^XZ", NULL);
    struct platen_encode_options bad = PLATEN_ENCODE_OPTIONS(.jpeg_quality = 101);
    assert_int_equal(platen_encode(worker, draw(d, 0), PLATEN_JPEG, &bad, &bytes, NULL), PLATEN_E_INVALID);
    assert_int_equal(bytes.size, 0);
    platen_document_free(d);
    platen_buffer_free(&bytes);
}

static void a_pdf_shares_copies(void **state)
{
    (void)state;
    struct platen_document *d =
        parse("^XA^FO50,50^A0N,80,60^FDHello^FS^XZ", &(struct platen_options)PLATEN_OPTIONS(.want_elements = true));
    struct platen_buffer part = {0}, one = {0}, many = {0};
    assert_int_equal(platen_pdf_part(worker, draw(d, 0), &part, NULL), PLATEN_OK);
    struct platen_pdf *pdf;
    assert_int_equal(platen_pdf_new("t", &one, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
    platen_pdf_free(pdf);
    assert_int_equal(platen_pdf_new("t", &many, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, 100, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
    platen_pdf_free(pdf);
    assert_in_range(many.size - one.size, 100, 30000);
    platen_buffer_free(&part);
    platen_buffer_free(&one);
    platen_buffer_free(&many);
    platen_document_free(d);
}

static void deadline_and_cancel_stop_the_work(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO50,50^A0N,80,60^FDHello^FS^XZ";
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_cancel cancel = {0};
    assert_false(platen_cancel_is_set(&cancel));
    platen_cancel_set(&cancel);
    assert_true(platen_cancel_is_set(&cancel));
    enum platen_status s = platen_parse(worker, zpl, strlen(zpl),
                                        &(struct platen_options)PLATEN_OPTIONS(.cancel = &cancel), &document, NULL);
    if (s == PLATEN_OK) {
        s = platen_draw(worker, document, 0, &page, NULL);
        platen_document_free(document);
    }
    assert_int_equal(s, PLATEN_E_CANCELLED);
    s = platen_parse(worker, zpl, strlen(zpl), &(struct platen_options)PLATEN_OPTIONS(.deadline_ns = 1), &document,
                     NULL);
    if (s == PLATEN_OK) {
        s = platen_draw(worker, document, 0, &page, NULL);
        platen_document_free(document);
    }
    assert_int_equal(s, PLATEN_E_DEADLINE);
    platen_document_free(
        parse(zpl, &(struct platen_options)PLATEN_OPTIONS(.deadline_ns = pl_now_ns() + UINT64_C(60000000000))));
}

// Takes what is free in the heap, up to a little.
static void eat_heap(void)
{
    static void **volatile eaten; // each piece holds the one before
    while (mallinfo2().keepcost > 8000) {
        void **piece = malloc(1000);
        assert_non_null(piece);
        *piece = (void *)eaten;
        eaten = piece;
    }
}

// malloc leaves ENOMEM in errno when its heap cannot grow and it finds the memory elsewhere: that is no lack of memory.
static void a_heap_that_cannot_grow_is_no_lack_of_memory(void **state)
{
    (void)state;
    enum { WALL = 1 << 16 };
    uint8_t *end = (uint8_t *)sbrk(0);
    uint8_t *wall = mmap(end + 4 * WALL - (uintptr_t)end % WALL, WALL, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    struct mallinfo2 heap = mallinfo2();
    if (wall == MAP_FAILED || heap.arena == 0) // another malloc, as the sanitizers have
        skip();
    mallopt(M_MMAP_THRESHOLD, 1 << 30); // large pieces from the heap too
    struct platen_options smooth = PLATEN_OPTIONS(.quality = PLATEN_GRAYSCALE, .dpmm = 24); // more than a worker keeps
    struct platen_worker *own = worker;
    for (int round = 0; round < 4; round++) {
        assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
        // First the arenas want memory, then, in a heap eaten up to a little, the libraries of the fonts.
        for (int text = 0; text < 2; text++) {
            if (text)
                eat_heap();
            struct platen_document *document =
                parse(text ? "^XA^CI28^FO20,20^A0N,40^FDab कि العربية^FS^XZ" : "^XA^FO9,9^GB99,99,5^FS^XZ", &smooth);
            draw(document, 0);
            platen_document_free(document);
        }
        platen_worker_free(worker);
    }
    worker = own;
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    munmap(wall, WALL);
}

static void a_worker_has_one_document_at_a_time(void **state)
{
    (void)state;
    struct platen_document *d = parse("^XA^XZ", NULL), *second;
    assert_int_equal(platen_parse(worker, "^XA^XZ", 6, NULL, &second, NULL), PLATEN_E_INVALID);
    platen_document_free(d);
    d = parse("", NULL);
    assert_int_equal(platen_label_count(d), 0);
    assert_int_equal(platen_page_count(d), 0);
    platen_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_in_dots_are_the_printheads),
        cmocka_unit_test(copies_are_pages_of_one_label),
        cmocka_unit_test(element_boxes_are_the_ink_on_the_page),
        cmocka_unit_test(placement_checks_tell_what_is_wrong),
        cmocka_unit_test(smooth_output_has_the_same_picture),
        cmocka_unit_test(bands_do_not_show),
        cmocka_unit_test(labels_of_one_document_can_be_drawn_by_many_threads),
        cmocka_unit_test(every_format_begins_as_it_should),
        cmocka_unit_test(a_pdf_shares_copies),
        cmocka_unit_test(deadline_and_cancel_stop_the_work),
        cmocka_unit_test(a_heap_that_cannot_grow_is_no_lack_of_memory),
        cmocka_unit_test(a_worker_has_one_document_at_a_time),
        cmocka_unit_test(a_barcode_that_was_not_drawn_has_no_quiet_zone),
        cmocka_unit_test(text_that_does_not_fit_is_told_of_by_its_block),
        cmocka_unit_test(text_goes_on_behind_a_shape),
        cmocka_unit_test(a_part_of_a_pdf_that_lies_is_refused),
    };
    return cmocka_run_group_tests_name("render", tests, engine_set_up, engine_tear_down);
}
