// The states of a batch's end.
#include "ending.h"

static enum ending next_of_lock(enum ending state, const struct ending_view *view)
{
    if (!view->settled || !view->written)
        return ENDING_OPEN;
    if (state == ENDING_LOCKING)
        return view->locked ? ENDING_LOCKED : ENDING_LOCKING;
    if (view->came)
        return ENDING_COMPLETE;
    return view->late ? ENDING_OPEN : ENDING_LOCKED;
}

enum ending ending_next(enum ending state, const struct ending_view *view)
{
    switch (state) {
    case ENDING_OPEN:
        if (view->settled)
            return ENDING_FENCED;
        return view->asks && view->late ? ENDING_ASKING : ENDING_OPEN;
    case ENDING_ASKING: // its fence is too early to end the batch
        if (view->settled)
            return ENDING_FENCED;
        return view->came || !view->asks ? ENDING_OPEN : ENDING_ASKING;
    case ENDING_FENCED:
        if (!view->settled)
            return ENDING_OPEN;
        if (!view->came)
            return ENDING_FENCED;
        return view->deletes ? ENDING_LOCKING : ENDING_COMPLETE;
    case ENDING_LOCKING:
    case ENDING_LOCKED:
        return next_of_lock(state, view);
    case ENDING_COMPLETE:
        break;
    }
    return ENDING_COMPLETE;
}

bool ending_has_fence(enum ending state)
{
    return state == ENDING_ASKING || state == ENDING_FENCED || state == ENDING_LOCKED;
}
