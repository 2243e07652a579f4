// Which columns of a file are meant: those that a request names, and for the rest the temperature and the humidity that
// belong together.
#include <string.h>

#include "base/ckd.h"
#include "grain/hours_csv.h"

// The number from 1 by which a request names a column; 0: it names it otherwise, or none.
int grain_csv_asked_number(struct pl_slice asked)
{
    int number = 0;
    if (asked.len >= 4)
        return 0;
    for (size_t i = 0; i < asked.len; i++) {
        if (!pl_is_digit(asked.ptr[i]))
            return 0;
        number = number * 10 + (asked.ptr[i] - '0');
    }
    return number;
}

// Is it the column that a request names, by its name or by its number?
bool grain_csv_is_asked(struct pl_slice asked, const char *name, int column)
{
    int number = grain_csv_asked_number(asked);
    return number > 0 ? column + 1 == number : asked.len > 0 && grain_column_same(asked, pl_slice_cstr(name));
}

bool grain_csv_is_twin(const struct grain_csv_choices *choices, size_t at)
{
    for (size_t i = 0; i < choices->count; i++) {
        if (i != at && strcmp(choices->list[i].name, choices->list[at].name) == 0)
            return true;
    }
    return false;
}

// Leaves of the choices the one that was asked for. Of several with that name it is the one that is written exactly so;
// where that does not tell either, only its number does.
static enum grain_csv_found keep_asked(struct grain_csv_choices *choices, struct pl_slice asked)
{
    size_t at = 0, same = 0, exact = 0;
    for (size_t i = 0; i < choices->count; i++) {
        const struct grain_csv_choice *choice = &choices->list[i];
        if (!grain_csv_is_asked(asked, choice->name, choice->column))
            continue;
        bool exactly = pl_slice_eq_cstr(asked, choice->name);
        at = same == 0 || (exactly && exact == 0) ? i : at;
        same++;
        exact += exactly;
    }
    if (same == 0)
        return GRAIN_CSV_NO_COLUMN;
    if (same > 1 && exact != 1)
        return GRAIN_CSV_AMBIGUOUS;
    choices->list[0] = choices->list[at];
    choices->list[0].what.sure = 3;
    choices->count = 1;
    return GRAIN_CSV_FOUND;
}

static bool places_differ(const struct grain_column *a, const struct grain_column *b)
{
    return a->place != GRAIN_PLACE_UNSAID && b->place != GRAIN_PLACE_UNSAID && a->place != b->place;
}

// Do their names have nothing but a number beside the measure, and another one each? Then they are of two sensors.
static bool numbers_differ(const struct grain_column *a, const struct grain_column *b)
{
    static const char digits[] = "0123456789";
    return a->key[0] != '\0' && b->key[0] != '\0' && a->key[strspn(a->key, digits)] == '\0' &&
           b->key[strspn(b->key, digits)] == '\0' && strcmp(a->key, b->key) != 0;
}

// The places that the columns of a measure say, as bits.
static unsigned places_of(const struct grain_csv_choices *choices)
{
    unsigned said = 0;
    for (size_t i = 0; i < choices->count; i++) {
        if (choices->list[i].what.place != GRAIN_PLACE_UNSAID)
            said |= 1u << choices->list[i].what.place;
    }
    return said;
}

// How well a temperature and a humidity belong together; 0: not at all.
static int score(const struct grain_csv_choices *tas, const struct grain_csv_choices *urs,
                 const struct grain_column *ta, const struct grain_column *ur)
{
    if (places_differ(ta, ur) || numbers_differ(ta, ur) || ta->sure == 0 || ur->sure == 0)
        return 0;
    bool same = ta->place == ur->place;
    if (!same) {
        // A sensor without a place beside one with a place: only where no other could be meant. Beside "Indoor
        // Humidity" a "Humidity" is that outside.
        const struct grain_csv_choices *mute = ta->place == GRAIN_PLACE_UNSAID ? tas : urs;
        const struct grain_csv_choices *telling = mute == tas ? urs : tas;
        const unsigned said = places_of(telling), left = said & ~places_of(mute), outside = 1u << GRAIN_PLACE_OUTSIDE;
        const enum grain_place place = (mute == tas ? ur : ta)->place;
        if ((said & (said - 1)) != 0 && !(left == outside && place == GRAIN_PLACE_OUTSIDE))
            return 0;
    }
    int points = 10 + ta->sure + ur->sure + (same ? 3 : 0) + (strcmp(ta->key, ur->key) == 0 ? 2 : 0);
    // A pair that says it is outside goes before one that says no place ("CH1").
    points += same && ta->place == GRAIN_PLACE_OUTSIDE ? 4 : 0;
    // A fan takes the air outside; what a station measures in the house is not that.
    return ta->place == GRAIN_PLACE_INSIDE || ur->place == GRAIN_PLACE_INSIDE ? points - 8 : points;
}

// The one pair that belongs together best. Two that are equally good, and a pair outside beside one that is in no
// house, are for the user to decide.
static bool choose_pair(struct grain_csv *csv, const struct grain_csv_choices *tas, const struct grain_csv_choices *urs)
{
    int best = 0;
    size_t ties = 0, t = 0, u = 0, rivals = 0, outside = 0;
    for (size_t i = 0; i < tas->count; i++) {
        for (size_t k = 0; k < urs->count; k++) {
            int points = score(tas, urs, &tas->list[i].what, &urs->list[k].what);
            ties = points > best ? 1 : ties + (points == best && best > 0);
            if (points > best) {
                best = points;
                t = i;
                u = k;
            }
            enum grain_place place = tas->list[i].what.place;
            outside += points > 0 && (place == GRAIN_PLACE_OUTSIDE || urs->list[k].what.place == GRAIN_PLACE_OUTSIDE);
            rivals += points > 0 && place == urs->list[k].what.place && place > GRAIN_PLACE_INSIDE;
        }
    }
    const struct grain_column *ta = &tas->list[t].what, *ur = &urs->list[u].what;
    if (best == 0 || ties > 1 || (rivals > 0 && ta->place <= GRAIN_PLACE_INSIDE))
        return false;
    if (outside > 0 && ta->place != GRAIN_PLACE_OUTSIDE && ur->place != GRAIN_PLACE_OUTSIDE)
        return false;
    csv->taken_ta = tas->list[t];
    csv->taken_ur = urs->list[u];
    return true;
}

// Which columns are meant: those that were asked for, and for the rest the best pair.
enum grain_csv_found grain_csv_choose(struct grain_csv *csv, const struct grain_csv_asked *asked)
{
    bool ta_asked = asked->ta.len > 0, ur_asked = asked->ur.len > 0;
    bool sole = !ta_asked && !ur_asked && csv->ta.count == 1 && csv->ur.count + csv->dew.count == 1;
    enum grain_csv_found found = ta_asked ? keep_asked(&csv->ta, asked->ta) : GRAIN_CSV_FOUND;
    if (found == GRAIN_CSV_FOUND && ur_asked) {
        found = keep_asked(&csv->ur, asked->ur);
        if (found == GRAIN_CSV_NO_COLUMN && (found = keep_asked(&csv->dew, asked->ur)) == GRAIN_CSV_FOUND)
            csv->ur.count = 0;
    }
    if (found != GRAIN_CSV_FOUND)
        return found;
    csv->by_dew_point = csv->ur.count == 0;
    struct grain_csv_choices *urs = csv->by_dew_point ? &csv->dew : &csv->ur;
    // Both named: whatever they say about their places.
    if (ta_asked && ur_asked)
        csv->ta.list[0].what.place = urs->list[0].what.place = GRAIN_PLACE_UNSAID;
    // And about their numbers, also where no others are there.
    if ((ta_asked && ur_asked) || sole)
        csv->ta.list[0].what.key[0] = '\0';
    if (!choose_pair(csv, &csv->ta, urs))
        return GRAIN_CSV_AMBIGUOUS;
    csv->part[GRAIN_COLUMN_TA] = csv->taken_ta.column;
    csv->part[csv->by_dew_point ? GRAIN_COLUMN_DEW : GRAIN_COLUMN_UR] = csv->taken_ur.column;
    // A dew point beside a humidity may say the unit of both in its cells.
    if (!csv->by_dew_point && csv->dew.count > 0)
        csv->part[GRAIN_COLUMN_DEW] = csv->dew.list[0].column;
    return GRAIN_CSV_FOUND;
}
