// What all interpreters use: what is skipped since it is no label code, and answers to the host.
#include <string.h>

#include "base/ascii.h"
#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/lang.h"

size_t pl_lang_skip(struct pl_slice text, size_t at)
{
    enum { ESC = 27, LONGEST_TAG = 512 };
    static const char BEGIN[] = "<xpml>", END[] = "</xpml>";
    if (at + 1 < text.len && text.ptr[at] == ESC && text.ptr[at + 1] && strchr("@hivN", text.ptr[at + 1]))
        return at + 2;
    if (!pl_slice_has_at(text, at, BEGIN))
        return at;
    struct pl_slice rest = pl_slice_sub(text, at, LONGEST_TAG);
    const uint8_t *end = memmem(rest.ptr, rest.len, END, sizeof END - 1);
    return end ? (size_t)(end - text.ptr) + sizeof END - 1 : at;
}

size_t pl_lang_skip_gaps(struct pl_slice text, size_t at)
{
    enum { STX = 2, ETX = 3 }; // some programs put label code between them
    for (size_t next = at; next < text.len; at = next) {
        bool gap = pl_is_gap(text.ptr[at]) || text.ptr[at] == STX || text.ptr[at] == ETX;
        next = gap ? at + 1 : pl_lang_skip(text, at);
        if (next == at)
            break;
    }
    return at;
}

size_t pl_lang_begin(struct pl_slice text)
{
    enum { ESC = 27 };
    size_t begin = pl_utf8_mark(text);
    for (size_t at = begin; at < text.len && at < PL_LANG_LOOK;) {
        uint8_t c = text.ptr[at];
        size_t behind = pl_lang_skip(text, at);
        if (behind == at && (c > ' ' || c == ESC))
            break;
        bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        at = PL_MAX(behind, at + 1);
        if (!is_blank)
            begin = at;
    }
    return begin;
}

enum pl_errc pl_lang_answer(struct pl_lang_answers *answers, struct pl_arena *arena, enum pl_lang_reply kind,
                            struct pl_slice text, struct pl_error *err)
{
    struct pl_lang_answer *answer = PL_ARENA_NEW(arena, struct pl_lang_answer);
    if (!answer || !text.ptr)
        return pl_fail_memory(err);
    answer->kind = kind;
    answer->text = text;
    *(answers->tail ? answers->tail : &answers->first) = answer;
    answers->tail = &answer->next;
    return PL_OK;
}
