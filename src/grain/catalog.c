// Writes the table of cultures as JSON: the one place from which the page, the documents and clients learn it.
#include "grain/catalog.h"

#include <math.h>

#include "base/fmt.h"
#include "grain/published.h"
#include "grain/trade.h"

static void put_language(struct pl_buf *out, int lang)
{
    pl_buf_printf(out, "%s\"%s\":", lang == 0 ? "" : ",", grain_lang_id((enum grain_lang)lang));
}

// A text in every language.
static void put_texts(struct pl_buf *out, const char *before, const struct grain_text *text)
{
    pl_buf_append_cstr(out, before);
    pl_buf_append_byte(out, '{');
    for (int lang = 0; lang < GRAIN_LANGS; lang++) {
        put_language(out, lang);
        grain_put_text(out, "", text->in[lang]);
    }
    pl_buf_append_byte(out, '}');
}

static void put_number(struct pl_buf *out, const char *before, double value)
{
    pl_buf_append_cstr(out, before);
    pl_buf_append_double(out, value);
}

static void put_constants(struct pl_buf *out, const struct grain_set *set)
{
    put_number(out, ",\"constants\":{\"A\":", set->a);
    put_number(out, ",\"B\":", set->b);
    put_number(out, ",\"C\":", set->c);
    pl_buf_append_byte(out, '}');
}

static void put_source(struct pl_buf *out, const struct grain_set *set)
{
    pl_buf_append_cstr(out, ",\"source\":{");
    for (int lang = 0; lang < GRAIN_LANGS; lang++) {
        struct pl_buf text;
        pl_buf_init(&text, 1024);
        pl_buf_append_cstr(&text, set->standard);
        for (size_t i = 0; i < 2 && set->sources[i] != NULL; i++) {
            pl_buf_append_cstr(&text, i == 0 ? ": " : "; ");
            pl_buf_append_cstr(&text, set->sources[i]->in[lang]);
        }
        put_language(out, lang);
        pl_buf_append_json_string(out, pl_buf_slice(&text));
        pl_buf_take_over(out, &text);
    }
    pl_buf_append_byte(out, '}');
}

static void put_range(struct pl_buf *out, const struct grain_range *range)
{
    put_number(out, ",\"range\":{\"ta\":{\"min\":", range->ta_low);
    put_number(out, ",\"max\":", range->ta_high);
    put_number(out, "},\"ur\":{\"min\":", range->ur_low);
    put_number(out, ",\"max\":", range->ur_high);
    pl_buf_append_cstr(out, "}}");
}

// How near the set comes to what is published.
static void put_agreement(struct pl_buf *out, const struct grain_culture *culture, const struct grain_set *set)
{
    struct grain_score score = grain_score(culture, set);
    grain_put_text(out, ",\"agreement\":", grain_agreement_id(grain_agreement(culture, set)));
    static const char *const evidences[] = {"measured", "figures", "none", "none"};
    pl_buf_printf(out, ",\"published\":{\"evidence\":\"%s\",\"points\":%zu,\"sources\":%zu", evidences[score.evidence],
                  score.points, score.sources);
    if (score.points > 0) {
        grain_put_member(out, "mean", score.mean, 2);
        grain_put_member(out, "worst", score.worst, 2);
    }
    pl_buf_append_byte(out, '}');
}

static void put_set(struct pl_buf *out, const struct grain_culture *culture, const struct grain_set *set,
                    bool is_default)
{
    grain_put_text(out, "{\"id\":", set->id);
    pl_buf_append_cstr(out, is_default ? ",\"default\":true" : ",\"default\":false");
    grain_put_text(out, ",\"equation\":", grain_equation_info(set->equation)->id);
    if (set->variant.in[GRAIN_EN][0] != '\0')
        put_texts(out, ",\"variant\":", &set->variant);
    else
        pl_buf_append_cstr(out, ",\"variant\":null");
    put_constants(out, set);
    grain_put_text(out, ",\"standard\":", set->standard);
    put_source(out, set);
    grain_put_text(out, ",\"confidence\":", grain_confidence_id(set->confidence));
    put_agreement(out, culture, set);
    pl_buf_append_cstr(out, grain_trustworthy(culture, set) ? ",\"trusted\":true" : ",\"trusted\":false");
    if (set->kind != NULL)
        grain_put_text(out, ",\"kind\":", set->kind);
    else
        pl_buf_append_cstr(out, ",\"kind\":null");
    grain_put_text(out, ",\"curve\":", grain_curve_id(set->curve));
    put_range(out, grain_set_range(set));
    static const char *const origins[] = {"service", "source", "measured", "sets"};
    grain_put_text(out, ",\"rangeFrom\":", origins[grain_set_range_from(set)]);
    const struct grain_range *spread = grain_set_spread_range(set);
    put_number(out, ",\"spreadRange\":{\"min\":", spread->ur_low);
    put_number(out, ",\"max\":", spread->ur_high);
    pl_buf_append_byte(out, '}');
    // Null for an equation without a pole.
    put_number(out, ",\"pole\":", grain_pole(set));
    pl_buf_append_byte(out, '}');
}

static void put_culture(struct pl_buf *out, const struct grain_culture *culture)
{
    grain_put_text(out, "{\"id\":", culture->id);
    put_texts(out, ",\"name\":", &culture->name);
    pl_buf_append_cstr(out, ",\"aliases\":[");
    for (size_t i = 0; culture->aliases[i] != NULL; i++)
        grain_put_text(out, i == 0 ? "" : ",", culture->aliases[i]);
    grain_put_text(out, "],\"equation\":", grain_equation_info(culture->sets[0].equation)->id);
    put_constants(out, &culture->sets[0]);
    put_source(out, &culture->sets[0]);
    grain_put_text(out, ",\"confidence\":", grain_confidence_id(culture->sets[0].confidence));
    grain_put_text(out, ",\"agreement\":", grain_agreement_id(grain_agreement(culture, &culture->sets[0])));
    put_range(out, grain_set_range(&culture->sets[0]));
    grain_put_text(out, ",\"set\":", culture->sets[0].id);
    pl_buf_append_cstr(out, ",\"trade\":");
    grain_write_trade(out, culture, NAN, NAN);
    pl_buf_append_cstr(out, ",\"sets\":[");
    for (size_t i = 0; i < culture->set_count; i++) {
        if (i > 0)
            pl_buf_append_byte(out, ',');
        put_set(out, culture, &culture->sets[i], i == 0);
    }
    pl_buf_append_cstr(out, "]}");
}

void grain_write_catalog(struct pl_buf *out)
{
    pl_buf_printf(out, "{\"ok\":true,\"count\":%d,\"grains\":[", GRAIN_CULTURES);
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        if (i > 0)
            pl_buf_append_byte(out, ',');
        put_culture(out, &grain_cultures()[i]);
    }
    pl_buf_append_cstr(out, "],\"equations\":[");
    for (int i = 0; i < GRAIN_EQUATIONS; i++) {
        const struct grain_equation_info *info = grain_equation_info((enum grain_equation)i);
        grain_put_text(out, i == 0 ? "{\"id\":" : ",{\"id\":", info->id);
        put_texts(out, ",\"name\":", &info->name);
        grain_put_text(out, ",\"moisture\":", info->forward);
        grain_put_text(out, ",\"humidity\":", info->inverse);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_cstr(out, "],\"confidences\":{");
    for (int i = 0; i < GRAIN_CONFIDENCES; i++) {
        grain_put_text(out, i == 0 ? "" : ",", grain_confidence_id((enum grain_confidence)i));
        put_texts(out, ":", grain_confidence_text((enum grain_confidence)i));
    }
    pl_buf_append_cstr(out, "},\"agreements\":{");
    for (int i = 0; i < GRAIN_AGREEMENTS; i++) {
        grain_put_text(out, i == 0 ? "" : ",", grain_agreement_id((enum grain_agreement)i));
        put_texts(out, ":", grain_agreement_text((enum grain_agreement)i));
    }
    pl_buf_append_cstr(out, "},\"curves\":{");
    for (int i = 0; i < GRAIN_CURVES; i++) {
        grain_put_text(out, i == 0 ? "" : ",", grain_curve_id((enum grain_curve)i));
        put_texts(out, ":", grain_curve_text((enum grain_curve)i));
    }
    pl_buf_append_cstr(out, "}}");
}
