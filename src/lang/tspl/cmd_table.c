// The table of commands: looked up by name, and shown to help, completion and docs.
#include "lang/tspl/cmd_table.h"
#include "lang/tspl/tspl.h"

#define ROW(name, support, summary, note, handler, counted, needs, is_basic, ...)                                      \
    {.about = {name, support, summary, note, (const struct pl_lang_param[])__VA_ARGS__,                                \
               sizeof((const struct pl_lang_param[])__VA_ARGS__) / sizeof(struct pl_lang_param) - 1},                  \
     .raw = counted,                                                                                                   \
     .draws = needs,                                                                                                   \
     .basic = is_basic,                                                                                                \
     .run = handler},
#define KIND(handler, which) handler, .kind = which
#define PLACES(handler) handler, .has_places = true
static const struct tspl_row ROWS[] = {
#include "lang/tspl/cmd_rows.h"
};

static int compare(struct pl_slice word, const char *name)
{
    for (size_t i = 0; i < word.len; i++) {
        int difference = pl_upper(word.ptr[i]) - (uint8_t)name[i];
        if (difference != 0)
            return difference; // also where the name has ended
    }
    return name[word.len] ? -1 : 0;
}

const struct tspl_row *tspl_row_lookup(struct pl_slice word)
{
    size_t low = 0, high = PL_COUNTOF(ROWS);
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(word, ROWS[middle].about.title);
        if (order == 0)
            return &ROWS[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

// Is one letter of difference (changed, missing, too many) all?
static bool is_near(struct pl_slice word, const char *name)
{
    size_t n = strlen(name), same = 0, tail = 0;
    if (word.len < 2 || word.len > n + 1 || n > word.len + 1)
        return false;
    size_t least = PL_MIN(n, word.len);
    while (same < least && pl_upper(word.ptr[same]) == (uint8_t)name[same])
        same++;
    while (tail < least - same && pl_upper(word.ptr[word.len - 1 - tail]) == (uint8_t)name[n - 1 - tail])
        tail++;
    return PL_MAX(n, word.len) - same - tail <= 1;
}

const char *tspl_row_suggest(struct pl_slice word)
{
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++)
        if (is_near(word, ROWS[i].about.title))
            return ROWS[i].about.title;
    return NULL;
}

const struct pl_lang_command *pl_tspl_command_at(uint32_t index)
{
    return index < PL_COUNTOF(ROWS) ? &ROWS[index].about : NULL;
}
