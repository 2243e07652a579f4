// A heap of rows by their places.
#include "pack_ahead.h"

#include <stdlib.h>

#include "broker.h"

// The texts lie one behind the other, the type first.
static bool copy_row(const struct pack_row *from, struct pack_row *out)
{
    uint8_t *texts = malloc(from->type.len + from->ending.len + from->id.len + 1);
    if (!texts)
        return false;
    *out = *from;
    out->type = broker_copy_text(&texts, from->type);
    out->ending = broker_copy_text(&texts, from->ending);
    out->id = broker_copy_text(&texts, from->id);
    return true;
}

static void *texts_of(const struct pack_row *row)
{
    return (void *)(uintptr_t)row->type.ptr;
}

static void swap(struct pack_row *a, struct pack_row *b)
{
    struct pack_row c = *a;
    *a = *b;
    *b = c;
}

static bool has_room(struct pack_ahead *ahead)
{
    if (ahead->count >= PACK_AHEAD_MOST)
        return false;
    if (ahead->count < ahead->capacity)
        return true;
    size_t capacity = ahead->capacity ? ahead->capacity * 2 : 512;
    struct pack_row *more = realloc(ahead->rows, capacity * sizeof *more);
    ahead->rows = more ? more : ahead->rows;
    ahead->capacity = more ? capacity : ahead->capacity;
    return more != NULL;
}

bool pack_ahead_add(struct pack_ahead *ahead, const struct pack_row *row)
{
    size_t at = ahead->count;
    if (row->sequence <= ahead->given || !has_room(ahead) || !copy_row(row, &ahead->rows[at]))
        return false;
    ahead->count++;
    for (size_t up; at > 0 && ahead->rows[up = (at - 1) / 2].sequence > ahead->rows[at].sequence; at = up)
        swap(&ahead->rows[up], &ahead->rows[at]);
    return true;
}

bool pack_ahead_next(struct pack_ahead *ahead, struct pack_row *row)
{
    if (ahead->count == 0 || ahead->rows[0].sequence != ahead->given + 1)
        return false;
    free(ahead->given_text);
    *row = ahead->rows[0];
    ahead->given_text = texts_of(row);
    ahead->given++;
    ahead->rows[0] = ahead->rows[--ahead->count];
    for (size_t at = 0, down; (down = 2 * at + 1) < ahead->count; at = down) {
        down += down + 1 < ahead->count && ahead->rows[down + 1].sequence < ahead->rows[down].sequence;
        if (ahead->rows[at].sequence <= ahead->rows[down].sequence)
            break;
        swap(&ahead->rows[at], &ahead->rows[down]);
    }
    return true;
}

void pack_ahead_free(struct pack_ahead *ahead)
{
    for (size_t i = 0; i < ahead->count; i++)
        free(texts_of(&ahead->rows[i]));
    free(ahead->rows);
    free(ahead->given_text);
    *ahead = (struct pack_ahead){.given = ahead->given};
}
