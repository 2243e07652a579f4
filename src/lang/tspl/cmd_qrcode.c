// QRCODE.
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/tspl/args.h"
#include "lang/tspl/barcode.h"
#include "lang/tspl/cmd_table.h"
#include "lang/tspl/label.h"

#define SEGMENTS 200

// Manual mode: A…, N…, Bdddd…, K…, joined by !.
static enum pl_errc read_segments(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b)
{
    static const char LETTERS[] = "NABK"; // as enum pl_qr_mode
    struct pl_qr_segment *list = PL_ARENA_ARRAY(t->arena, struct pl_qr_segment, SEGMENTS);
    if (!list)
        return pl_fail_memory(t->err);
    uint32_t n = 0;
    size_t at = 0;
    while (at < b->data.len && n < SEGMENTS) {
        const char *letter = strchr(LETTERS, b->data.ptr[at]);
        struct pl_slice rest = pl_slice_sub(b->data, at + (letter != NULL), b->data.len);
        const uint8_t *mark = rest.len ? memchr(rest.ptr, '!', rest.len) : NULL;
        size_t used = mark ? (size_t)(mark - rest.ptr) : rest.len, head = 0;
        struct pl_qr_segment *s = &list[n];
        *s = (struct pl_qr_segment){.mode = letter ? (enum pl_qr_mode)(letter - LETTERS) : PL_QR_BYTE};
        uint64_t count;
        if (letter && *letter == 'B' && rest.len >= 4 && pl_parse_u64(pl_slice_sub(rest, 0, 4), &count)) {
            head = 4;
            used = 4 + (size_t)PL_MIN(count, rest.len - 4);
        }
        if (!letter)
            tspl_note(t, a, PL_DIAG_BARCODE_DATA, a->st->count,
                      "QRCODE: a segment of the manual mode begins with A, N, B or K; bytes were encoded.");
        s->data = pl_slice_sub(rest, head, used - head);
        s->declared = true;
        if (!pl_qr_mode_holds(s->mode, s->data)) {
            // Programs write A before any data, and printers print it.
            tspl_note(t, a, PL_DIAG_BARCODE_OPTION, a->st->count,
                      "QRCODE: the mode %c does not have all characters of its segment; bytes were encoded.",
                      LETTERS[s->mode]);
            s->mode = PL_QR_BYTE;
        }
        n += s->data.len > 0;
        at = (size_t)(rest.ptr - b->data.ptr) + used + 1;
    }
    b->qr.segments = list;
    b->qr.segment_count = n;
    return PL_OK;
}

static enum pl_errc read_automatic(struct tspl *t, struct pl_barcode *b)
{
    struct pl_qr_segment *one = PL_ARENA_NEW(t->arena, struct pl_qr_segment);
    if (!one)
        return pl_fail_memory(t->err);
    *one = (struct pl_qr_segment){.mode = PL_QR_BYTE, .automatic = true, .data = b->data};
    b->qr.segments = one;
    b->qr.segment_count = b->data.len > 0;
    return PL_OK;
}

// Options between rotation and data, in any order.
static void qr_option(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_element *e)
{
    struct pl_barcode *b = &e->barcode;
    int32_t value;
    if (tspl_option(a, i, 'M', &value))
        b->qr.model1 = value == 1;
    else if (tspl_option(a, i, 'S', &value))
        b->qr.mask = value >= 0 && value <= 7 ? value : -1;
    else if (tspl_option(a, i, 'J', &value) && value >= 1 && value <= 3)
        e->at.justify = value == 1 ? PL_JUSTIFY_LEFT : value == 2 ? PL_JUSTIFY_CENTER : PL_JUSTIFY_RIGHT;
    else if (tspl_option(a, i, 'J', &value) && value == 5)
        e->at.middle = true;
    else if (tspl_option(a, i, 'J', &value) || tspl_option(a, i, 'X', &value))
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "QRCODE: the option %.*s is not obeyed.",
                  (int)PL_MIN(a->st->item[i].len, (size_t)20), (const char *)a->st->item[i].ptr);
    else
        tspl_note_unread(t, a, i);
}

enum pl_errc tspl_cmd_qrcode(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_QR, &e));
    if (!e || !tspl_set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    struct pl_slice level = tspl_word(a, 2);
    char letter = level.len == 1 ? (char)(level.ptr[0] & 0xDF) : 0;
    if (!letter || !strchr("LMQH", letter)) {
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 3, "QRCODE: the error correction is L, M, Q or H; L was used.");
        letter = 'L';
    }
    b->qr.error_level = letter;
    b->qr.magnification = 4;
    (void)tspl_int(t, a, 3, 1, 100, &b->qr.magnification);
    (void)tspl_rotation(t, a, 5, &e->rotation);
    for (unsigned i = 6; i + 1 < a->st->count; i++)
        qr_option(t, a, i, e);
    PL_TRY(tspl_is_word(a, 4, "M") ? read_segments(t, a, b) : read_automatic(t, b));
    return tspl_add_barcode(t, a, e);
}
