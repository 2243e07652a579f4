// Unit tests of arenas and the budgets that they share.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "unit.h"

// What a large job took is given back after enough small ones, and not before; what is released on the way counts too.
static void arena_gives_back_what_is_needed_no_more(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)64 << 20);
    assert_non_null(pl_arena_alloc(&arena, 1000, 8));
    struct pl_arena_mark mark = pl_arena_mark(&arena);
    assert_non_null(pl_arena_alloc(&arena, (size_t)5 << 20, 8));
    pl_arena_release(&arena, mark);
    pl_arena_end_job(&arena, (size_t)16 << 20);
    size_t large = arena.reserved;
    assert_true(large > (size_t)5 << 20);
    for (int i = 0; i < PL_ARENA_JOBS - 1; i++) {
        assert_non_null(pl_arena_alloc(&arena, 1000 + (size_t)i, 8));
        pl_arena_end_job(&arena, (size_t)16 << 20);
        assert_int_equal(arena.reserved, large);
        pl_arena_end_job(&arena, (size_t)16 << 20); // without a job between, nothing changes
    }
    assert_non_null(pl_arena_alloc(&arena, 1000, 8));
    pl_arena_end_job(&arena, (size_t)16 << 20);
    assert_true(arena.reserved < (size_t)1 << 20);
    size_t small = arena.reserved;
    assert_non_null(pl_arena_alloc(&arena, 1000, 8));
    pl_arena_end_job(&arena, (size_t)16 << 20);
    assert_int_equal(arena.reserved, small);
    // Beyond the most that may be kept, at once.
    assert_non_null(pl_arena_alloc(&arena, (size_t)20 << 20, 8));
    pl_arena_end_job(&arena, (size_t)16 << 20);
    assert_true(arena.reserved <= (size_t)16 << 20);
    pl_arena_fini(&arena);
}

static void arena_wipe_leaves_nothing_of_the_jobs_before(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)64 << 20);
    // Several chunks, a part of them given back by a mark before the end.
    for (int job = 0; job < 3; job++) {
        for (int i = 0; i < 40; i++) {
            struct pl_arena_mark mark = pl_arena_mark(&arena);
            memset(pl_arena_alloc(&arena, 50000, 8), 's', 50000);
            if (i % 3 == 0)
                pl_arena_release(&arena, mark);
        }
        uint8_t *kept = pl_arena_alloc(&arena, 1000, 8);
        memset(kept, 'k', 1000);
        pl_arena_wipe(&arena); // what is in use stays
        for (int i = 0; i < 1000; i++)
            assert_int_equal(kept[i], 'k');
        pl_arena_end_job(&arena, (size_t)64 << 20);
        pl_arena_wipe(&arena);
        for (int i = 0; i < 60; i++) {
            const uint8_t *fresh = pl_arena_alloc(&arena, 30000, 8);
            bool kept_chunk = i < 50; // later ones may be new chunks of the system
            for (int k = 0; kept_chunk && k < 30000; k += 100)
                assert_int_not_equal(fresh[k], 's');
        }
        pl_arena_reset(&arena, (size_t)64 << 20);
    }
    pl_arena_fini(&arena);
}

static void arena_holds_its_limit(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 100000);
    assert_non_null(pl_arena_alloc(&arena, 60000, 8));
    assert_null(pl_arena_alloc(&arena, 60000, 8));
    assert_non_null(pl_arena_alloc(&arena, 1000, 8));
    assert_null(pl_arena_array(&arena, SIZE_MAX / 2, 4, 8));
    assert_null(pl_arena_alloc(&arena, SIZE_MAX - 3, 8));
    assert_true(arena.reserved <= 100000);
    pl_arena_fini(&arena);
}

static void arenas_of_a_budget_share_one_limit(void **state)
{
    (void)state;
    struct pl_budget budget = {.limit = (size_t)10 << 20};
    struct pl_arena first, second, moved;
    pl_arena_init(&first, (size_t)10 << 20);
    pl_arena_init(&second, (size_t)10 << 20);
    pl_arena_join(&first, &budget, true);
    pl_arena_join(&second, &budget, true);
    assert_non_null(pl_arena_alloc(&first, (size_t)6 << 20, 8));
    assert_false(budget.refused);
    assert_null(pl_arena_alloc(&second, (size_t)6 << 20, 8));
    assert_true(budget.refused);
    assert_non_null(pl_arena_alloc(&second, (size_t)3 << 20, 8));
    assert_int_equal(budget.used, first.reserved + second.reserved);
    // What others hold for the request counts as well.
    budget.elsewhere = (size_t)1 << 20;
    assert_null(pl_arena_alloc(&second, (size_t)512 << 10, 8));
    budget.elsewhere = 0;
    // An arena that is moved leaves the budget.
    pl_arena_move(&moved, &second);
    assert_int_equal(budget.used, first.reserved);
    pl_arena_fini(&moved);
    pl_arena_fini(&first);
    pl_arena_fini(&second);
    assert_int_equal(budget.used, 0);
}

// Whether a job has room does not depend on the jobs before it.
static void what_an_arena_keeps_makes_room_for_another(void **state)
{
    (void)state;
    struct pl_budget budget = {.limit = (size_t)10 << 20};
    struct pl_arena first, second;
    pl_arena_init(&first, (size_t)10 << 20);
    pl_arena_init(&second, (size_t)10 << 20);
    pl_arena_join(&first, &budget, true);
    pl_arena_join(&second, &budget, true);
    assert_non_null(pl_arena_alloc(&first, 1000, 8));
    assert_non_null(pl_arena_alloc(&first, (size_t)6 << 20, 8));
    pl_arena_reset(&first, (size_t)8 << 20);
    assert_true(first.reserved > (size_t)6 << 20);
    assert_non_null(pl_arena_alloc(&second, (size_t)9 << 20, 8));
    assert_false(budget.refused);
    assert_true(first.reserved < (size_t)1 << 20);
    pl_arena_reset(&second, 0);
    // Nor does it in one arena.
    assert_non_null(pl_arena_alloc(&first, 1000, 8));
    assert_non_null(pl_arena_alloc(&first, (size_t)6 << 20, 8));
    pl_arena_reset(&first, (size_t)8 << 20);
    assert_non_null(pl_arena_alloc(&first, (size_t)9 << 20, 8));
    pl_arena_fini(&first);
    pl_arena_fini(&second);
}

static void arena_moves_what_was_allocated(void **state)
{
    (void)state;
    struct pl_arena from, to;
    pl_arena_init(&from, (size_t)8 << 20);
    pl_arena_move(&to, &from); // nothing yet
    assert_int_equal(to.reserved + from.reserved, 0);
    uint8_t *first = pl_arena_alloc(&from, 1000, 8);
    struct pl_arena_mark mark = pl_arena_mark(&from);
    assert_non_null(pl_arena_alloc(&from, (size_t)1 << 20, 8));
    pl_arena_release(&from, mark); // a free chunk behind the one in use
    size_t all = from.reserved;
    memset(first, 7, 1000);
    pl_arena_move(&to, &from);
    assert_int_equal(to.reserved + from.reserved, all);
    assert_true(from.reserved >= (size_t)1 << 20);
    assert_true(to.reserved >= 1000 && to.reserved < (size_t)1 << 20);
    for (int i = 0; i < 3; i++) {
        memset(pl_arena_alloc(&from, 3000, 8), 9, 3000);
        assert_non_null(pl_arena_alloc(&to, 200000, 8));
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(first[i], 7);
    assert_int_equal(to.limit, from.limit);
    assert_null(pl_arena_alloc(&to, (size_t)8 << 20, 8));
    pl_arena_fini(&from);
    pl_arena_fini(&to);
    assert_int_equal(to.reserved + from.reserved, 0);
}

static void arena_aligns(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    for (size_t align = 1; align <= 64; align *= 2) {
        assert_non_null(pl_arena_alloc(&arena, 1, 1));
        assert_int_equal((uintptr_t)pl_arena_alloc(&arena, 3, align) % align, 0);
    }
    pl_arena_fini(&arena);
}

static void arena_release_gives_the_same_place_again(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 10 << 20);
    struct pl_arena_mark empty = pl_arena_mark(&arena);
    void *first = pl_arena_alloc(&arena, 100, 8);
    struct pl_arena_mark mark = pl_arena_mark(&arena);
    void *second = pl_arena_alloc(&arena, 100, 8);
    assert_non_null(pl_arena_alloc(&arena, 3 << 20, 8));
    pl_arena_release(&arena, mark);
    assert_ptr_equal(pl_arena_alloc(&arena, 100, 8), second);
    pl_arena_release(&arena, empty);
    assert_ptr_equal(pl_arena_alloc(&arena, 100, 8), first);
    pl_arena_fini(&arena);
}

static void arena_reset_keeps_chunks_for_the_next_job(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 10 << 20);
    for (int i = 0; i < 100; i++)
        assert_non_null(pl_arena_alloc(&arena, 5000, 8));
    size_t reserved = arena.reserved;
    pl_arena_reset(&arena, 10 << 20);
    assert_int_equal(arena.reserved, reserved);
    for (int i = 0; i < 100; i++)
        assert_non_null(pl_arena_alloc(&arena, 5000, 8));
    assert_int_equal(arena.reserved, reserved);
    pl_arena_reset(&arena, 0);
    assert_int_equal(arena.reserved, 0);
    pl_arena_fini(&arena);
}

static void arena_fails_at_the_chosen_allocation(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    arena.fail_at = 3;
    assert_non_null(pl_arena_alloc(&arena, 1, 1));
    assert_non_null(pl_arena_alloc(&arena, 1, 1));
    assert_null(pl_arena_alloc(&arena, 1, 1));
    assert_null(pl_arena_printf(&arena, "%d", 5));
    pl_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_wipe_leaves_nothing_of_the_jobs_before),
        cmocka_unit_test(arena_gives_back_what_is_needed_no_more),
        cmocka_unit_test(arena_holds_its_limit),
        cmocka_unit_test(arenas_of_a_budget_share_one_limit),
        cmocka_unit_test(what_an_arena_keeps_makes_room_for_another),
        cmocka_unit_test(arena_moves_what_was_allocated),
        cmocka_unit_test(arena_aligns),
        cmocka_unit_test(arena_release_gives_the_same_place_again),
        cmocka_unit_test(arena_reset_keeps_chunks_for_the_next_job),
        cmocka_unit_test(arena_fails_at_the_chosen_allocation),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
