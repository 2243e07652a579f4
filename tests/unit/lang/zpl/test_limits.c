// What hostile input meets: every limit ends in a diagnostic or a clear error, soon.
#include "base/job.h"
#include "zpl_fixture.h"

// `count` times `piece` between `head` and `tail`.
static char *repeat(const char *head, const char *piece, size_t count, const char *tail, size_t *len)
{
    size_t h = strlen(head), p = strlen(piece), t = strlen(tail);
    *len = h + p * count + t;
    char *text = malloc(*len + 1);
    assert_non_null(text);
    memcpy(text, head, h);
    for (size_t i = 0; i < count; i++)
        memcpy(text + h + i * p, piece, p);
    memcpy(text + h + p * count, tail, t + 1);
    return text;
}

static void run_repeated(struct run *r, const char *head, const char *piece, size_t count, const char *tail)
{
    size_t len;
    char *text = repeat(head, piece, count, tail, &len);
    run_zpl(r, text, len);
    // The scene borrows from the text; these tests look at numbers only.
    free(text);
}

static void too_many_elements_are_left_out_and_reported(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    run_repeated(&r, "^XA", "^GB1,1^FS", 20010, "^XZ");
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.labels[0].element_count, 20000);
    assert_true(run_has(&r, PL_DIAG_LIMIT_REACHED));
    assert_int_equal(r.diags.count, 1);
    run_end(&r);
}

static void too_many_labels_are_an_error(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    run_repeated(&r, "", "^XA^GB1,1^FS^XZ", 501, "");
    assert_int_equal(r.code, PL_E_LIMIT);
    run_end(&r);
    run_init(&r);
    run_repeated(&r, "", "^XA^GB1,1^FS^XZ", 500, "");
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 500);
    run_end(&r);
}

static void copies_are_cut_with_a_warning(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FDx^FS^PQ99999999^XZ");
    assert_int_equal(r.scene.labels[0].copies, 500);
    assert_true(run_has(&r, PL_DIAG_COPIES_CUT));
    run_end(&r);
    // Distinct labels after it get their room from the copies, and it is said once.
    run_text(&r, "^XA^FDx^FS^PQ500^XZ^XA^FDy^FS^XZ^XA^FDz^FS^PQ7^XZ");
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 3);
    assert_int_equal(r.scene.labels[0].copies, 498);
    assert_int_equal(r.scene.labels[1].copies, 1);
    assert_int_equal(r.scene.labels[2].copies, 1);
    assert_int_equal(run_count(&r, PL_DIAG_COPIES_CUT), 2); // of x, and of z
    run_end(&r);
    run_init(&r);
    run_repeated(&r, "^XA^FDx^FS^PQ500^XZ", "^XA^FDy^FS^XZ", 500, "");
    assert_int_equal(r.code, PL_E_LIMIT);
    run_end(&r);
    // Serial numbers make as many distinct labels, no more.
    run_text(&r, "^XA^SN1,1,Y^FS^PQ99999999^XZ");
    assert_int_equal(r.scene.label_count, 500);
    assert_true(run_has(&r, PL_DIAG_COPIES_CUT));
    run_end(&r);
}

// With a limit of its own for copies, labels that are written out do not count in it.
static void copies_can_have_a_limit_of_their_own(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    r.options.limits.copies = 10;
    const char zpl[] = "^XA^FDa^FS^XZ^XA^FDb^FS^PQ6^XZ^XA^FDc^FS^XZ^XA^SN1,1,Y^FS^PQ99999999^XZ^XA^FDd^FS^PQ2^XZ";
    run_zpl(&r, zpl, sizeof(zpl) - 1);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 1 + 1 + 1 + 4 + 1);
    assert_int_equal(r.scene.labels[1].copies, 6);
    assert_int_equal(r.scene.labels[7].copies, 1);
    assert_int_equal(run_count(&r, PL_DIAG_COPIES_CUT), 2);
    run_end(&r);
    run_init(&r);
    r.options.limits.labels = 1000000;
    r.options.limits.copies = 10;
    run_repeated(&r, "", "^XA^FDy^FS^XZ", 3000, "");
    assert_int_equal(r.scene.label_count, 3000);
    run_end(&r);
}

static void collapsed_copies_are_not_cut(void **state)
{
    (void)state;
    const char zpl[] = "^XA^FDx^FS^PQ99999999^XZ";
    struct run r;
    run_init(&r);
    r.options.collapse_copies = true;
    run_zpl(&r, zpl, sizeof(zpl) - 1);
    assert_int_equal(r.scene.labels[0].copies, 99999999);
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
}

static void too_many_objects_are_reported(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    struct pl_buf zpl;
    pl_buf_init(&zpl, 1u << 20);
    for (int i = 0; i < 8200; i++)
        pl_buf_printf(&zpl, "~DGR:N%d,1,1,FF", i);
    pl_buf_append_cstr(&zpl, "^XA^XGR:N0^FS^XGR:N8199^FS^XZ");
    run_zpl(&r, zpl.data, zpl.len);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.labels[0].element_count, 1);
    assert_true(run_has(&r, PL_DIAG_STORE_FULL));
    run_end(&r);
    pl_buf_fini(&zpl);
}

static void stored_bytes_are_limited(void **state)
{
    (void)state;
    const char zpl[] = "~DGR:A,8,8,FFFFFFFFFFFFFFFF~DGR:B,8,8,FFFFFFFFFFFFFFFF^XA^XGR:A^FS^XGR:B^FS^XZ";
    struct run r;
    run_init(&r);
    r.options.limits.stored_bytes = 8;
    run_zpl(&r, zpl, sizeof(zpl) - 1);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.labels[0].element_count, 1);
    assert_true(run_has(&r, PL_DIAG_STORE_FULL));
    run_end(&r);
}

static void decoded_graphics_are_limited(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    r.options.limits.decoded_graphics = 100000;
    run_repeated(&r, "^XA", "^GFA,8000,8000,8,FF!::^FS", 20, "^XZ");
    assert_int_equal(r.code, PL_E_LIMIT);
    run_end(&r);
}

static void long_data_is_cut_with_a_warning(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    run_repeated(&r, "^XA^FD", "x", 70000, "^FS^XZ");
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(run_element(&r, 0, 0)->text.length, 65536);
    assert_true(run_has(&r, PL_DIAG_DATA_DROPPED));
    run_end(&r);
}

static void embedded_fields_do_not_multiply_without_end(void **state)
{
    (void)state;
    size_t len;
    struct run r;
    run_init(&r);
    char *value = repeat("^XA^FN1^FD", "abcdefgh", 1000, "^FS^FO1,1^FE^FD", &len);
    char *all = repeat(value, "#1#", 2000, "^FS^XZ", &len);
    run_zpl(&r, all, len);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(run_element(&r, 0, 0)->text.length, 65536);
    run_end(&r);
    free(all);
    free(value);
}

// Formats that recall each other many times over would go on for ever: time and replayed text are bounded.
static void recalls_do_not_explode(void **state)
{
    (void)state;
    struct pl_buf zpl;
    pl_buf_init(&zpl, 1u << 20);
    for (int level = 0; level < 8; level++) {
        pl_buf_printf(&zpl, "^XA^DFR:F%d^FS", level);
        for (int i = 0; i < 200; i++)
            pl_buf_printf(&zpl, "^XFR:F%d^FS", level + 1);
        pl_buf_append_cstr(&zpl, "^XZ");
    }
    pl_buf_append_cstr(&zpl, "^XA^XFR:F0^FS^XZ");
    struct run r;
    run_init(&r);
    r.options.limits.recall_depth = 16;
    run_zpl(&r, zpl.data, zpl.len);
    assert_int_equal(r.code, PL_E_LIMIT);
    run_end(&r);
    pl_buf_fini(&zpl);
}

static void a_deadline_ends_it(void **state)
{
    (void)state;
    size_t len;
    char *zpl = repeat("^XA", "^LH1,1", 100000, "^XZ", &len);
    struct run r;
    run_init(&r);
    pl_store_init(&r.store, &r.arena, NULL, 1000);
    pl_diags_init(&r.diags, &r.arena, 10);
    struct pl_job job = {.deadline_ns = 1};
    assert_int_equal(
        pl_zpl_interpret(pl_slice_make(zpl, len), &r.options, &r.store, &r.arena, &r.diags, &job, &r.scene, &r.err),
        PL_E_DEADLINE);
    run_end(&r);
    free(zpl);
}

static void memory_is_limited(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    pl_arena_fini(&r.arena);
    pl_arena_init(&r.arena, 1u << 20);
    run_repeated(&r, "^XA", "^GB1,1^FS", 20000, "^XZ");
    assert_int_equal(r.code, PL_E_MEMORY);
    run_end(&r);
}

static void nul_bytes_and_high_bytes_are_plain_bytes(void **state)
{
    (void)state;
    uint8_t zpl[4096];
    for (uint32_t seed = 1; seed < 200; seed++) {
        uint32_t x = seed * 2654435761u;
        for (size_t i = 0; i < sizeof(zpl); i++) {
            x = x * 1664525u + 1013904223u;
            zpl[i] = (uint8_t)(x >> 24);
        }
        memcpy(zpl, "^XA", 3);
        struct run r;
        run_init(&r);
        run_zpl(&r, zpl, sizeof(zpl));
        assert_true(r.code == PL_OK || r.code == PL_E_LIMIT);
        run_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_elements_are_left_out_and_reported),
        cmocka_unit_test(too_many_labels_are_an_error),
        cmocka_unit_test(copies_are_cut_with_a_warning),
        cmocka_unit_test(copies_can_have_a_limit_of_their_own),
        cmocka_unit_test(collapsed_copies_are_not_cut),
        cmocka_unit_test(too_many_objects_are_reported),
        cmocka_unit_test(stored_bytes_are_limited),
        cmocka_unit_test(decoded_graphics_are_limited),
        cmocka_unit_test(long_data_is_cut_with_a_warning),
        cmocka_unit_test(embedded_fields_do_not_multiply_without_end),
        cmocka_unit_test(recalls_do_not_explode),
        cmocka_unit_test(a_deadline_ends_it),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(nul_bytes_and_high_bytes_are_plain_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
