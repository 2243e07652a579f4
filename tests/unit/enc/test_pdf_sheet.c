// Sheets of labels: what is drawn around the labels lies on the page.
#include "c_locale.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "enc/pdf_sheet.h"

// The ends of all lines.
static void assert_on_page(const struct pl_sheet_grid *grid, const struct pl_buf *frame)
{
    char *text = calloc(1, frame->len + 1);
    memcpy(text, frame->data, frame->len);
    unsigned lines = 0;
    locale_t before = unit_c_locale();
    for (char *at = strstr(text, "G "); at && *at;) {
        double numbers[4];
        at += at[0] == 'G' ? 2 : 0;
        char *end = at;
        for (int i = 0; i < 4; i++) {
            numbers[i] = strtod(end, &end);
            end += strspn(end, " ml");
        }
        if (end == at)
            break;
        for (int i = 0; i < 4; i++)
            assert_true(numbers[i] > -0.001 && numbers[i] < (i % 2 ? grid->height : grid->width) + 0.001);
        lines++;
        at = strncmp(end, "S Q", 3) == 0 ? NULL : end;
    }
    uselocale(before);
    assert_int_equal(lines, 4 * (grid->columns + grid->rows));
    free(text);
}

// On a page without a size of its own they lay beside it.
static void cut_marks_are_on_the_page(void **state)
{
    (void)state;
    static const struct pl_sheet SHEETS[] = {
        {.cut_marks = true},
        {.cut_marks = true, .columns = 3, .rows = 2, .gap_x = 5},
        {.cut_marks = true, .margin = 3},
        {.cut_marks = true, .margin = 40, .columns = 2},
        {.cut_marks = true, .width = 400, .columns = 2},
        {.cut_marks = true, .width = 600, .height = 800, .margin = 20},
    };
    for (size_t i = 0; i < sizeof SHEETS / sizeof SHEETS[0]; i++) {
        struct pl_sheet_grid grid;
        struct pl_error err;
        struct pl_buf frame;
        pl_buf_init(&frame, 1 << 20);
        assert_int_equal(pl_sheet_plan(&SHEETS[i], 100, 50, &grid, &err), PL_OK);
        pl_sheet_frame(&SHEETS[i], &grid, 0, grid.columns * grid.rows, &frame);
        assert_on_page(&grid, &frame);
        pl_buf_fini(&frame);
    }
    // Without them nothing changes.
    struct pl_sheet_grid grid;
    struct pl_error err;
    assert_int_equal(pl_sheet_plan(&(struct pl_sheet){0}, 100, 50, &grid, &err), PL_OK);
    assert_true(grid.width == 100 && grid.height == 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_marks_are_on_the_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
