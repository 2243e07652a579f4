// QRCODE.
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/tspl/cmd_table.h"

static void odd_segment(void *user, const void *command, char letter)
{
    const struct tspl_args *a = command;
    if (letter)
        tspl_note(user, a, PL_DIAG_BARCODE_OPTION, a->st->count,
                  "QRCODE: the mode %c does not have all characters of its segment; bytes were encoded.", letter);
    else
        tspl_note(user, a, PL_DIAG_BARCODE_DATA, a->st->count,
                  "QRCODE: a segment of the manual mode begins with A, N, B or K; bytes were encoded.");
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
    bool memory = tspl_is_word(a, 4, "M") ? pl_qr_segments(t->arena, b->data, '!', b, odd_segment, t, a)
                                          : pl_qr_whole(t->arena, b->data, b);
    return memory ? tspl_add_barcode(t, a, e) : pl_fail_memory(t->err);
}
