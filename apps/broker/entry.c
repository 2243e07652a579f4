// Who may add to a batch.
#include "entry.h"

enum entry_verdict entry_judge(const struct entry *e)
{
    if (e->ended && !e->has_mark) // it would not have been deleted before that end
        return ENTRY_OVER;
    if (!e->there)
        return e->was_sent ? ENTRY_GONE : ENTRY_NEW;
    if (e->has_mark || (e->begun && !e->marked && !e->making))
        return ENTRY_OWN;
    bool is_unfinished = e->making && !e->has_kind; // what it made itself before it was broken off
    if (is_unfinished || (!e->was_sent && (e->joins || (e->missing && !e->begun))))
        return ENTRY_NEW;
    return e->begun || e->entered ? ENTRY_ANOTHER : ENTRY_STRANGER;
}

enum entry_step entry_next(enum entry_step step, const struct entry *e, enum entry_verdict verdict)
{
    if (step == ENTRY_LOOK && verdict == ENTRY_OVER)
        return ENTRY_UNLOCK;
    if (step == ENTRY_LOOK && verdict != ENTRY_OWN && verdict != ENTRY_NEW)
        return ENTRY_REFUSED;
    if (step == ENTRY_LOOK && e->there)
        return ENTRY_MAKE;
    return step < ENTRY_IN ? (enum entry_step)(step + 1) : step;
}
