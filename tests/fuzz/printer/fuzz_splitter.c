// The splitter: any input, read as any language and cut in two ways, gives the same units, and no unit is over the
// limit.
#include <stdlib.h>
#include <string.h>

#include "printer/splitter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 512

static void note(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct pl_buf *out = user;
    if (unit == PRINTER_UNIT_TOO_LARGE) {
        // How much of it is there depends on the cut.
        pl_buf_append_cstr(out, "too large;");
        return;
    }
    if (bytes->len > (unit == PRINTER_UNIT_OTHER ? 4096 : MOST) && unit != PRINTER_UNIT_SGD &&
        unit != PRINTER_UNIT_JSON)
        abort();
    pl_buf_printf(out, "%d %zu ", (int)unit, bytes->len);
    pl_buf_append_slice(out, pl_buf_slice(bytes));
}

static void split(struct pl_slice input, enum platen_language language, unsigned seed, struct pl_buf *out)
{
    struct printer_splitter s;
    struct printer_forms forms = {.count = 0};
    printer_splitter_init(&s, MOST);
    printer_splitter_read(&s, language, &forms);
    for (size_t at = 0; at < input.len;) {
        seed = seed * 1103515245u + 12345u;
        size_t n = seed ? seed >> 16 & 31 : input.len;
        struct pl_slice piece = pl_slice_sub(input, at, n + 1);
        printer_splitter_feed(&s, piece, note, out);
        at += piece.len;
    }
    printer_splitter_end(&s, note, out);
    printer_splitter_fini(&s);
}

static void compare(struct pl_slice input, enum platen_language language)
{
    struct pl_buf one, other;
    pl_buf_init(&one, 1 << 24);
    pl_buf_init(&other, 1 << 24);
    split(input, language, 1, &one);
    split(input, language, 4711, &other);
    if (!pl_slice_eq(pl_buf_slice(&one), pl_buf_slice(&other)))
        abort();
    pl_buf_fini(&one);
    pl_buf_fini(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int language = PLATEN_LANGUAGE_ZPL; language <= PLATEN_LANGUAGE_CPCL; language++)
        compare(pl_slice_make(data, size), (enum platen_language)language);
    return 0;
}
