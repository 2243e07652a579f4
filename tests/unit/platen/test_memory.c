// A printer's memory: jobs that come one by one draw what they draw together, whatever was stored and set before.
#include <stdlib.h>
#include <string.h>

#include <platen/platen.h>

#include "unit.h"

struct printer {
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_buffer texts[PLATEN_MEMORY_SETTINGS + 1];
    struct platen_document *parts[PLATEN_MEMORY_SETTINGS + 1];
    struct platen_document *memory; // the last of them
};

static struct platen_document *document_of(struct printer *p, const struct platen_buffer *text,
                                           const struct platen_document *after)
{
    struct platen_document *document;
    const struct platen_options options = PLATEN_OPTIONS(.profile = PLATEN_PRINTER, .after = after);
    assert_int_equal(platen_parse(p->worker, text->data, text->size, &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_label_count(document), 0);
    assert_int_equal(platen_document_detach(&document, NULL, NULL), PLATEN_OK);
    return document;
}

static void forget(struct printer *p)
{
    for (int i = PLATEN_MEMORY_SETTINGS; i >= 0; i--) {
        platen_document_free(p->parts[i]);
        platen_buffer_free(&p->texts[i]);
    }
}

static void remember(struct printer *p, struct platen_document *job)
{
    struct platen_buffer texts[PLATEN_MEMORY_SETTINGS + 1] = {0};
    for (int i = 0; i <= PLATEN_MEMORY_SETTINGS; i++)
        assert_int_equal(platen_memory(p->worker, job, (enum platen_memory_part)i, &texts[i], NULL), PLATEN_OK);
    platen_document_free(job);
    forget(p);
    p->memory = NULL;
    for (int i = 0; i <= PLATEN_MEMORY_SETTINGS; i++) {
        p->texts[i] = texts[i];
        p->memory = p->parts[i] = document_of(p, &p->texts[i], p->memory);
    }
}

static struct platen_document *job_of(struct printer *p, const char *zpl)
{
    struct platen_document *job;
    const struct platen_options options = PLATEN_OPTIONS(.profile = PLATEN_PRINTER, .after = p->memory);
    assert_int_equal(platen_parse(p->worker, zpl, strlen(zpl), &options, &job, NULL), PLATEN_OK);
    return job;
}

static void start(struct printer *p)
{
    *p = (struct printer){0};
    struct platen_document *first;
    const struct platen_options options = PLATEN_OPTIONS(.profile = PLATEN_PRINTER);
    assert_int_equal(platen_engine_new(NULL, &p->engine, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(p->engine, &p->worker, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(p->worker, "", 0, &options, &first, NULL), PLATEN_OK);
    remember(p, first);
}

static void stop(struct printer *p)
{
    forget(p);
    platen_worker_free(p->worker);
    platen_engine_free(p->engine);
}

static struct platen_buffer picture(struct printer *p, struct platen_document *job, uint32_t label)
{
    const struct platen_page *page;
    struct platen_buffer out = {0};
    assert_int_equal(platen_draw(p->worker, job, label, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_encode(p->worker, page, PLATEN_PNG, NULL, &out, NULL), PLATEN_OK);
    return out;
}

// The last label of the jobs one by one is the last label of all of them in one input.
static void check_same(const char *const *jobs, size_t count)
{
    struct printer p;
    start(&p);
    char all[8192] = "";
    struct platen_buffer last = {0}, whole;
    for (size_t i = 0; i < count; i++) {
        strcat(all, jobs[i]);
        struct platen_document *job = job_of(&p, jobs[i]);
        uint32_t labels = platen_label_count(job);
        if (labels > 0) {
            platen_buffer_free(&last);
            last = picture(&p, job, labels - 1);
        }
        remember(&p, job);
    }
    struct platen_document *job;
    const struct platen_options options = PLATEN_OPTIONS(.profile = PLATEN_PRINTER);
    assert_int_equal(platen_parse(p.worker, all, strlen(all), &options, &job, NULL), PLATEN_OK);
    whole = picture(&p, job, platen_label_count(job) - 1);
    platen_document_free(job);
    assert_int_equal(last.size, whole.size);
    assert_memory_equal(last.data, whole.data, whole.size);
    platen_buffer_free(&last);
    platen_buffer_free(&whole);
    stop(&p);
}
#define CHECK_SAME(...)                                                                                                \
    do {                                                                                                               \
        static const char *const jobs[] = {__VA_ARGS__};                                                               \
        check_same(jobs, sizeof jobs / sizeof *jobs);                                                                  \
    } while (0)

#define TEXT "^XA^FO50,50^FDHello^FS^FO50,200^BCN^FD123^FS^XZ"

static void objects_live_from_job_to_job(void **state)
{
    (void)state;
    CHECK_SAME("~DGR:X.GRF,8,2,FFFF8001800180FF", "^XA^FO10,10^XGR:X.GRF,3,3^FS^XZ");
    CHECK_SAME("~DGE:LONGNAME.GRF,8,2,FFFF8001800180FF", "^XA^XZ", "^XA^FO10,10^XGE:LONGNAME.GRF,3,3^FS^XZ");
    CHECK_SAME("^XA^DFR:F.ZPL^FS^FO40,40^A0N,50^FN1^FS^FO40,140^GB300,20,20^FS^XZ",
               "^XA^XFR:F.ZPL^FS^FN1^FDdata^FS^XZ");
    CHECK_SAME("^XA^FO20,20^GB200,100,5^FS^ISR:P.GRF,N^XZ", "^XA^ILR:P.GRF^FO60,60^A0N,30^FDover^FS^XZ");
    CHECK_SAME("^XA^DFR:F.ZPL^FS^FO40,40^FDold^FS^XZ", "^XA^IDR:F.ZPL^FS^XZ", "^XA^XFR:F.ZPL^FS^FO9,9^FDx^FS^XZ");
}

static void a_format_stored_under_other_prefixes_is_the_same(void **state)
{
    (void)state;
    CHECK_SAME("~CC!~CD;!XA!DFR:F.ZPL!FS!FO40;40!A0N;50!FDa^b!FS!XZ!CC^~CD,", "^XA^XFR:F.ZPL^FS^XZ");
    // The prefix that changes inside the format does not change the rest of the memory.
    CHECK_SAME("^XA^DFR:F.ZPL^FS^CC!!FO40,40!FDa!FS!XZ!CC^", "^XA^DFR:G.ZPL^FS^FO9,9^GB99,99,9^FS^XZ",
               "^XA^XFR:G.ZPL^FS^XZ");
}

static void prefixes_stay(void **state)
{
    (void)state;
    CHECK_SAME("~CC!", "!XA!FO40,40!FDa^b!FS!XZ");
    CHECK_SAME("~CD;", "^XA^FO40;40^GB50;60;7^FS^XZ", "^XA^CD,^FO90,40^GB50,60,7^FS^XZ");
}

static void settings_stay(void **state)
{
    (void)state;
    CHECK_SAME("^XA^LH60,80^LS-7^LT9^XZ", TEXT);
    CHECK_SAME("^XA^CFD,60,30^BY4,2.5,77^FWR^XZ", TEXT);
    CHECK_SAME("^XA^PW400^LL300^POI^XZ", TEXT);
    CHECK_SAME("^XA^PMY^LRY^XZ", TEXT,
               "^XA^FO10,10^GB80,80,80^FS"
               "^FO20,20^GB40,40,40^FS^XZ");
    CHECK_SAME("^XA^JMB^XZ", TEXT);
    CHECK_SAME("^XA^MUM^XZ", "^XA^FO5,5^GB20,10,1^FS^XZ");
    CHECK_SAME("^XA^MUD,150,300^XZ", TEXT, "^XA^LH30,30^XZ", TEXT);
    CHECK_SAME("^XA^CI0,36,21,65,66^XZ", "^XA^FO9,9^A0N,40^FDAB$^FS^XZ");
    CHECK_SAME("^XA^CI28^XZ", "^XA^FO9,9^A0N,40^FD\xC3\xA9\xE2\x82\xAC^FS^XZ");
    CHECK_SAME("^XA^CWQ,E:NONE.TTF^XZ", "^XA^FO9,9^AQN,40^FDab^FS^XZ");
    CHECK_SAME("^XA^LH60,80^XZ", "~JR", TEXT);
}

static void memory_of_memory_is_the_same_text(void **state)
{
    (void)state;
    struct printer p;
    start(&p);
    remember(&p,
             job_of(&p, "~DGR:X.GRF,8,2,FFFF8001800180FF^XA^DFE:F.ZPL^FS^FDx^FS^XZ^XA^LH5,5^MUI^CF0,33^JUS^XZ~CC!"));
    struct platen_buffer before[PLATEN_MEMORY_SETTINGS + 1];
    memcpy(before, p.texts, sizeof before);
    memset(p.texts, 0, sizeof p.texts);
    remember(&p, job_of(&p, ""));
    for (int i = 0; i <= PLATEN_MEMORY_SETTINGS; i++) {
        assert_int_equal(p.texts[i].size, before[i].size);
        assert_memory_equal(p.texts[i].data, before[i].data, before[i].size);
        platen_buffer_free(&before[i]);
    }
    stop(&p);
}

static void only_what_changes_is_told(void **state)
{
    (void)state;
    struct printer p;
    start(&p);
    const struct {
        const char *zpl;
        unsigned changed;
    } rows[] = {{"^XA^FO9,9^A0N,30^FDx^FS^XZ", 0},
                {"^XA^LH9,9^FO9,9^FDx^FS^XZ", PLATEN_CHANGED_SETTINGS},
                {"^XA^LH9,9^FO9,9^FDx^FS^XZ", 0},
                {"~DGR:A.GRF,1,1,FF", PLATEN_CHANGED_OBJECTS},
                {"^XA^JUS^XZ", PLATEN_CHANGED_OBJECTS},
                {"^XA^JUS^XZ", 0},
                {"^XA^IDR:A.GRF^XZ", PLATEN_CHANGED_OBJECTS},
                {"~SD15", PLATEN_CHANGED_SETTINGS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct platen_document *job = job_of(&p, rows[i].zpl);
        assert_int_equal(platen_memory_changed(job), rows[i].changed);
        remember(&p, job);
    }
    struct platen_stored stored;
    assert_false(platen_stored_at(p.memory, 0, &stored));
    stop(&p);
}

// A question for one goes on where the last one ended; it may also go back.
static void stored_objects_are_found_in_any_order(void **state)
{
    (void)state;
    struct printer p;
    start(&p);
    remember(&p, job_of(&p, "~DGR:A.GRF,1,1,FF~DGR:B.GRF,1,1,FF~DGR:C.GRF,1,1,FF"));
    struct platen_document *job = job_of(&p, "^XA^IDR:B.GRF^XZ~DGR:D.GRF,1,1,FF");
    static const char NAMES[] = "ACD";
    static const uint32_t ORDER[] = {2, 0, 0, 1, 2, 3, 1, 3, 0, 2};
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        struct platen_stored stored;
        bool found = platen_stored_at(job, ORDER[i], &stored);
        assert_int_equal(found, ORDER[i] < 3);
        if (found)
            assert_int_equal(stored.name[2], NAMES[ORDER[i]]);
    }
    remember(&p, job);
    stop(&p);
}

// ^JUS saves, ^JUR and ~JR go back to it, ^JUF to the factory's.
static void settings_are_saved_and_recalled(void **state)
{
    (void)state;
    struct printer p;
    struct platen_settings s;
    start(&p);
    remember(&p, job_of(&p, "^XA^PW500^JUS^PW600^XZ"));
    platen_document_settings(p.memory, &s);
    assert_int_equal(s.print_width, 600);
    remember(&p, job_of(&p, "^XA^JUR^XZ"));
    platen_document_settings(p.memory, &s);
    assert_int_equal(s.print_width, 500);
    remember(&p, job_of(&p, "^XA^JUF^XZ"));
    platen_document_settings(p.memory, &s);
    assert_int_equal(s.print_width, 0);
    remember(&p, job_of(&p, "~JR"));
    platen_document_settings(p.memory, &s);
    assert_int_equal(s.print_width, 500);
    stop(&p);
}

static void check_reply(struct printer *p, const char *zpl, const char *wanted)
{
    struct platen_reply reply;
    struct platen_document *job = job_of(p, zpl);
    assert_true(platen_reply_at(job, 0, &reply));
    char *text = strndup(reply.data, reply.size);
    assert_string_equal(text, wanted);
    free(text);
    remember(p, job);
}

static void the_host_is_answered(void **state)
{
    (void)state;
    struct printer p;
    start(&p);
    remember(&p, job_of(&p, "~DGR:X.GRF,8,2,FFFF8001800180FF^XA^DFR:F1.ZPL^FS^FO9,9^FDx^FS^XZ"));
    check_reply(&p, "^XA^HWR:*.GRF^XZ",
                "\x02\r\n- DIR R:*.GRF\r\n* R:X.GRF                8\r\n\r\n-  67108816 bytes free R: RAM\r\n\x03");
    check_reply(&p, "^XA^HFR:F1.ZPL^XZ", "^XA^DFF1,^FS^FO9,9^FDx^FS^XZ");
    check_reply(&p, "^XA^HGR:X.GRF^XZ", "~DGR:X.GRF,00008,002,\r\nFFFF\r\n8001\r\n8001\r\n80FF\r\n");
    check_reply(&p, "^XA^FN3^FDabcdef^FS^HV3,4,<,>^XZ", "<abcd>");
    check_reply(&p, "^XA^HH^XZ", "H");
    check_reply(&p, "^XA^HYR:X.GRF^XZ", "~DYR:X,A,G,8,2,:B64://+AAYABgP8=:1D89\r\n");
    // What ^HY sends can be sent back.
    remember(&p, job_of(&p, "^XA^IDR:X.GRF^XZ~DYR:X,A,G,8,2,:B64://+AAYABgP8=:1D89\r\n"));
    check_reply(&p, "^XA^HGR:X.GRF^XZ", "~DGR:X.GRF,00008,002,\r\nFFFF\r\n8001\r\n8001\r\n80FF\r\n");
    stop(&p);
}

static void a_document_that_is_not_detached_cannot_be_continued(void **state)
{
    (void)state;
    struct printer p;
    start(&p);
    struct platen_worker *other;
    struct platen_document *job = job_of(&p, "^XA^XZ"), *next;
    struct platen_error err;
    const struct platen_options options = PLATEN_OPTIONS(.after = job);
    assert_int_equal(platen_worker_new(p.engine, &other, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(other, "", 0, &options, &next, &err), PLATEN_E_INVALID);
    platen_worker_free(other);
    platen_document_free(job);
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_live_from_job_to_job),
        cmocka_unit_test(a_format_stored_under_other_prefixes_is_the_same),
        cmocka_unit_test(prefixes_stay),
        cmocka_unit_test(settings_stay),
        cmocka_unit_test(memory_of_memory_is_the_same_text),
        cmocka_unit_test(only_what_changes_is_told),
        cmocka_unit_test(settings_are_saved_and_recalled),
        cmocka_unit_test(stored_objects_are_found_in_any_order),
        cmocka_unit_test(the_host_is_answered),
        cmocka_unit_test(a_document_that_is_not_detached_cannot_be_continued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
