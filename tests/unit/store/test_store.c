// Stored objects: names, drives, wildcards, quota, the shared base and the folder it is loaded from.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "unit.h"

static struct pl_object_name name_of(const char *text)
{
    struct pl_object_name name;
    pl_object_name_parse(pl_slice_cstr(text), "UNKNOWN", "GRF", &name);
    return name;
}

static enum pl_errc put(struct pl_store *store, const char *name, size_t cost)
{
    struct pl_object object = {.name = name_of(name), .kind = PL_OBJECT_FILE, .cost = cost};
    struct pl_error err;
    return pl_store_put(store, &object, &err);
}

static uint32_t delete (struct pl_store *store, const char *pattern)
{
    struct pl_object_name name = name_of(pattern);
    struct pl_error err;
    uint32_t deleted;
    assert_int_equal(pl_store_delete(store, &name, &deleted, &err), PL_OK);
    return deleted;
}

static bool has(const struct pl_store *store, const char *name)
{
    struct pl_object_name n = name_of(name);
    return pl_store_lookup(store, &n) != NULL;
}

static void names_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        bool whole;
    } CASES[] = {
        {"R:LOGO.GRF", "R:LOGO.GRF", true},
        {"e:logo", "E:LOGO.GRF", true},
        {"", "UNKNOWN.GRF", true},
        {"B:", "B:UNKNOWN.GRF", true},
        {"R:.PNG", "R:UNKNOWN.PNG", true},
        {" R:A.B ", "R:A.B", true},
        {"R:A.B.C", "R:AB.C", false},
        {"R:*.*", "R:*.*", true},
        {"ABCDEFGHIJKLMNOPQRS", "ABCDEFGHIJKLMNOP.GRF", false},
        {"A.LONGEXT", "A.LONG", false},
        {"A\xff"
         "B",
         "AB.GRF", false},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct pl_object_name name;
        bool whole = pl_object_name_parse(pl_slice_cstr(CASES[i].text), "UNKNOWN", "GRF", &name);
        char text[PL_OBJECT_NAME_TEXT_MAX];
        pl_object_name_format(&name, text);
        assert_string_equal(text, CASES[i].expected);
        assert_int_equal(whole, CASES[i].whole);
    }
}

static void wildcards(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool matches;
    } CASES[] = {
        {"R:*.GRF", "R:A.GRF", true},         {"R:*.GRF", "E:A.GRF", false},   {"*:*.*", "E:A.GRF", true},
        {"R:A?.*", "R:AB.ZPL", true},         {"R:A?.*", "R:A.ZPL", false},    {"R:*A*B*.GRF", "R:XAYBZ.GRF", true},
        {"R:*A*B*.GRF", "R:XBYA.GRF", false}, {"R:?*?.GRF", "R:A.GRF", false}, {"A.GRF", "B:A.GRF", true},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct pl_object_name pattern = name_of(CASES[i].pattern), name = name_of(CASES[i].name);
        assert_int_equal(pl_object_name_matches(&pattern, &name), CASES[i].matches);
    }
}

static void quota_counts_what_is_there(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 16u << 20);
    struct pl_store store;
    pl_store_init(&store, &arena, NULL, 100);
    assert_int_equal(put(&store, "R:A", 60), PL_OK);
    assert_int_equal(put(&store, "R:B", 60), PL_E_LIMIT);
    assert_false(has(&store, "R:B"));
    assert_int_equal(put(&store, "R:A", 100), PL_OK); // in place of the first
    assert_int_equal(delete (&store, "R:A"), 1);
    assert_int_equal(delete (&store, "R:A"), 0);
    assert_int_equal(store.used, 0);
    assert_int_equal(put(&store, "R:B", 100), PL_OK);
    assert_int_equal(put(&store, "Z:C", 0), PL_E_LIMIT);
    assert_int_equal(put(&store, "R:D", SIZE_MAX), PL_E_LIMIT);
    pl_arena_fini(&arena);
}

static void drives_are_searched_in_order(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 16u << 20);
    struct pl_store store;
    pl_store_init(&store, &arena, NULL, 100);
    assert_int_equal(put(&store, "A:X", 0), PL_OK);
    assert_int_equal(put(&store, "B:X", 0), PL_OK);
    struct pl_object_name x = name_of("X");
    assert_int_equal(pl_store_lookup(&store, &x)->name.drive, 'B');
    assert_int_equal(put(&store, "E:X", 0), PL_OK);
    assert_int_equal(pl_store_lookup(&store, &x)->name.drive, 'E');
    assert_int_equal(put(&store, "R:X", 0), PL_OK);
    assert_int_equal(pl_store_lookup(&store, &x)->name.drive, 'R');
    assert_true(has(&store, "A:X"));
    assert_false(has(&store, "R:Y"));
    pl_arena_fini(&arena);
}

static void many_objects_deleted_and_stored_again(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 64u << 20);
    struct pl_store store;
    pl_store_init(&store, &arena, NULL, SIZE_MAX);
    char name[32];
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof(name), "R:N%d", i);
        assert_int_equal(put(&store, name, 1), PL_OK);
    }
    assert_int_equal(delete (&store, "R:N*1"), 200);
    assert_false(has(&store, "R:N11"));
    assert_true(has(&store, "R:N12"));
    assert_int_equal(put(&store, "R:N11", 1), PL_OK);
    assert_true(has(&store, "R:N11"));
    assert_int_equal(store.used, 1801);
    uint32_t cursor = 0, count = 0;
    struct pl_object_name all = name_of("R:*.*");
    while (pl_store_next(&store, &all, &cursor))
        count++;
    assert_int_equal(count, 1801);
    pl_arena_fini(&arena);
}

// Deleted objects take no place: neither of the number that can be stored, nor of the time of a deletion.
static void deleted_objects_make_room(void **state)
{
    (void)state;
    struct pl_arena base_arena, arena;
    pl_arena_init(&base_arena, 1u << 20);
    pl_arena_init(&arena, 64u << 20);
    struct pl_store base, store;
    pl_store_init(&base, &base_arena, NULL, SIZE_MAX);
    pl_store_init(&store, &arena, &base, SIZE_MAX);
    assert_int_equal(put(&base, "R:HIDDEN", 1), PL_OK);
    assert_int_equal(put(&store, "R:KEPT", 1), PL_OK);
    assert_int_equal(delete (&store, "R:HIDDEN"), 1);
    char name[32];
    for (uint32_t i = 0; i < 3 * PL_STORE_MAX_OBJECTS; i++) {
        snprintf(name, sizeof(name), "R:N%u", i);
        assert_int_equal(put(&store, name, 1), PL_OK);
        assert_int_equal(delete (&store, i % 2 ? "R:N*" : name), 1);
        assert_false(has(&store, name));
    }
    assert_true(store.count < 64);
    assert_int_equal(store.used, 1);
    assert_true(has(&store, "R:KEPT"));
    assert_false(has(&store, "R:HIDDEN"));
    assert_true(has(&base, "R:HIDDEN"));
    pl_arena_fini(&arena);
    pl_arena_fini(&base_arena);
}

static void the_base_is_shared_and_never_changed(void **state)
{
    (void)state;
    struct pl_arena base_arena, arena;
    pl_arena_init(&base_arena, 1u << 20);
    pl_arena_init(&arena, 1u << 20);
    struct pl_store base, store;
    pl_store_init(&base, &base_arena, NULL, 100);
    assert_int_equal(put(&base, "E:LOGO", 10), PL_OK);
    pl_store_init(&store, &arena, &base, 100);
    assert_true(has(&store, "E:LOGO"));
    assert_true(has(&store, "LOGO"));
    struct pl_object_name logo = name_of("E:LOGO");
    const struct pl_object *before = pl_store_lookup(&base, &logo);
    assert_int_equal(put(&store, "E:LOGO", 20), PL_OK);
    assert_ptr_not_equal(pl_store_lookup(&store, &logo), before);
    assert_ptr_equal(pl_store_lookup(&base, &logo), before);
    assert_int_equal(store.used, 20);
    pl_arena_fini(&arena);
    pl_arena_fini(&base_arena);
}

static void deleting_hides_an_object_of_the_base(void **state)
{
    (void)state;
    struct pl_arena base_arena, arena;
    pl_arena_init(&base_arena, 1u << 20);
    pl_arena_init(&arena, 1u << 20);
    struct pl_store base, store, next;
    pl_store_init(&base, &base_arena, NULL, 100);
    assert_int_equal(put(&base, "E:A", 10), PL_OK);
    assert_int_equal(put(&base, "E:B", 10), PL_OK);
    assert_int_equal(put(&base, "E:C", 10), PL_OK);
    pl_store_init(&store, &arena, &base, 100);
    assert_int_equal(delete (&store, "E:A"), 1);
    assert_int_equal(delete (&store, "E:A"), 0);
    assert_false(has(&store, "E:A"));
    assert_false(has(&store, "A"));
    // What replaced one and is deleted does not bring it back.
    assert_int_equal(put(&store, "E:B", 20), PL_OK);
    assert_int_equal(delete (&store, "E:B"), 1);
    assert_false(has(&store, "E:B"));
    assert_int_equal(put(&store, "R:D", 20), PL_OK);
    uint32_t cursor = 0, count = 0;
    struct pl_object_name all = name_of("*:*.*");
    while (pl_store_next(&store, &all, &cursor))
        count++;
    assert_int_equal(count, 2); // C and D
    assert_int_equal(delete (&store, "E:*.*"), 1);
    assert_false(has(&store, "E:C"));
    assert_true(has(&store, "R:D"));
    assert_int_equal(store.used, 20);
    assert_int_equal(put(&store, "E:A", 5), PL_OK);
    assert_true(has(&store, "E:A"));
    // For the next request all are there.
    pl_store_init(&next, &arena, &base, 100);
    assert_true(has(&next, "E:A") && has(&next, "E:B") && has(&next, "E:C"));
    pl_arena_fini(&arena);
    pl_arena_fini(&base_arena);
}

static void write_file(const char *dir, const char *name, const char *content)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

static void a_folder_becomes_drive_e(void **state)
{
    (void)state;
    char dir[] = "/tmp/platen-store-XXXXXX";
    assert_non_null(mkdtemp(dir));
    write_file(dir, "logo.grf", "~DGR:LOGO.GRF,1,1,FF");
    write_file(dir, "SHIP.ZPL", "^FDx^FS");
    write_file(dir, "face.ttf", "font");
    write_file(dir, "notes.txt", "left out");
    write_file(dir, ".hidden.zpl", "left out");
    struct pl_arena arena;
    pl_arena_init(&arena, 1u << 20);
    struct pl_store store;
    pl_store_init(&store, &arena, NULL, 1000);
    uint32_t loaded;
    struct pl_error err;
    assert_int_equal(pl_store_load_dir(&store, dir, &loaded, &err), PL_OK);
    assert_int_equal(loaded, 3);
    struct pl_object_name ship = name_of("E:SHIP.ZPL"), logo = name_of("E:LOGO.GRF"), face = name_of("E:FACE.TTF");
    assert_int_equal(pl_store_lookup(&store, &ship)->kind, PL_OBJECT_FORMAT);
    assert_int_equal(pl_store_lookup(&store, &logo)->kind, PL_OBJECT_FILE);
    assert_int_equal(pl_store_lookup(&store, &face)->kind, PL_OBJECT_FONT);
    assert_true(pl_slice_eq_cstr(pl_store_lookup(&store, &ship)->bytes, "^FDx^FS"));
    // A name that no object can have, and a folder that is not there.
    write_file(dir, "a name that is much too long.zpl", "x");
    assert_int_equal(pl_store_load_dir(&store, dir, &loaded, &err), PL_E_INVALID);
    assert_int_equal(pl_store_load_dir(&store, "/nonexistent/folder", &loaded, &err), PL_E_IO);
    // A file larger than the memory for stored objects.
    struct pl_store small;
    pl_store_init(&small, &arena, NULL, 5);
    assert_int_equal(pl_store_load_dir(&small, dir, &loaded, &err), PL_E_LIMIT);
    static const char *const FILES[] = {"logo.grf",  "SHIP.ZPL",    "face.ttf",
                                        "notes.txt", ".hidden.zpl", "a name that is much too long.zpl"};
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++) {
        char path[256];
        snprintf(path, sizeof(path), "%s/%s", dir, FILES[i]);
        unlink(path);
    }
    rmdir(dir);
    pl_arena_fini(&arena);
}

static void ids_differ(void **state)
{
    (void)state;
    uint64_t a = pl_store_new_id(), b = pl_store_new_id();
    assert_true(a != b && a != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(wildcards),
        cmocka_unit_test(quota_counts_what_is_there),
        cmocka_unit_test(drives_are_searched_in_order),
        cmocka_unit_test(many_objects_deleted_and_stored_again),
        cmocka_unit_test(deleted_objects_make_room),
        cmocka_unit_test(the_base_is_shared_and_never_changed),
        cmocka_unit_test(deleting_hides_an_object_of_the_base),
        cmocka_unit_test(a_folder_becomes_drive_e),
        cmocka_unit_test(ids_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
