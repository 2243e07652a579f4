// The limits of trade by country, with the rule that sets each.
#include "grain/trade.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

// clang-format off
static const struct grain_trade_limit limits[] = {
    {"BR", "soybean", 14.0, "MAPA, Instrução Normativa 11/2007"},
    {"BR", "corn", 14.0, "MAPA, Instrução Normativa 60/2011"},
    {"BR", "wheat", 13.0, "MAPA, Instrução Normativa 38/2010"},
    {"BR", "long-grain-rice", 13.0, "MAPA, Instrução Normativa 6/2009"},
    {"AR", "soybean", 13.5, "Norma XVII, Resolución 151/2008"},
    {"AR", "corn", 14.5, "Norma XII, Resolución 1075/94"},
    {"AR", "wheat", 14.0, "Resolución 1075/94"},
    {"AR", "oats", 14.0, "Resolución 1075/94"},
    {"AR", "barley", 14.0, "Resolución 1075/94"},
    {"AR", "rye", 14.0, "Resolución 1075/94"},
    {"AR", "long-grain-rice", 14.0, "Resolución 1075/94"},
    {"AR", "sorghum", 15.0, "Resolución 554/2011"},
    {"AR", "sunflower", 11.0, "Resolución 1075/94"},
    {"AR", "canola", 8.0, "Resolución 1075/94"},
    {"US", "soybean", 13.0, "base of the trade"},
    {"US", "corn", 15.5, "base of the trade"},
    {"CA", "soybean", 14.0, "Off Grades of Grain Order, below tough"},
    {"CA", "corn", 15.5, "Off Grades of Grain Order, below tough"},
    {"CA", "wheat", 14.5, "Off Grades of Grain Order, below tough"},
    {"CA", "barley", 14.8, "Off Grades of Grain Order, below tough"},
    {"CA", "rye", 14.0, "Off Grades of Grain Order, below tough"},
    {"CA", "canola", 10.0, "Off Grades of Grain Order, below tough"},
};
// clang-format on

const struct grain_trade_limit *grain_trade_limits(size_t *count)
{
    *count = PL_COUNTOF(limits);
    return limits;
}

enum grain_above grain_above_limit(double at_least, double at_most, double limit)
{
    if (round(at_least * 10) > round(limit * 10))
        return GRAIN_ABOVE;
    return round(at_most * 10) <= round(limit * 10) ? GRAIN_NOT_ABOVE : GRAIN_ABOVE_UNKNOWN;
}

double grain_bushel(const struct grain_culture *culture)
{
    // Pounds of a standard bushel (USDA, Agricultural Handbook 697).
    static const struct {
        const char *culture;
        double pounds;
    } bushels[] = {{"corn", 56},    {"ear-corn", 70}, {"popcorn", 56},         {"soybean", 60},
                   {"sorghum", 56}, {"wheat", 60},    {"barley", 48},          {"oats", 32},
                   {"rye", 56},     {"canola", 50},   {"long-grain-rice", 45}, {"dry-beans", 60},
                   {"lentils", 60}, {"flaxseed", 56}};
    for (size_t i = 0; i < PL_COUNTOF(bushels); i++) {
        if (strcmp(bushels[i].culture, culture->id) == 0)
            return bushels[i].pounds * 0.45359237;
    }
    return NAN;
}

void grain_write_trade(struct pl_buf *out, const struct grain_culture *culture, double at_least, double at_most)
{
    bool first = true;
    pl_buf_append_byte(out, '[');
    for (size_t i = 0; i < PL_COUNTOF(limits); i++) {
        if (strcmp(limits[i].culture, culture->id) != 0)
            continue;
        pl_buf_printf(out, "%s{\"country\":\"%s\",\"moisture\":", first ? "" : ",", limits[i].country);
        pl_buf_append_double(out, limits[i].moisture);
        enum grain_above above = grain_above_limit(at_least, at_most, limits[i].moisture);
        if (above != GRAIN_ABOVE_UNKNOWN)
            pl_buf_printf(out, ",\"above\":%s", above == GRAIN_ABOVE ? "true" : "false");
        pl_buf_printf(out, ",\"source\":\"%s\"}", limits[i].source);
        first = false;
    }
    pl_buf_append_byte(out, ']');
}
