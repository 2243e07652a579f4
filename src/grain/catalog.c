// Writes the table of cultures as JSON: the one place from which the page, the documents and clients learn it.
#include "grain/catalog.h"

#include <math.h>

static void put_cstr(struct pl_buf *out, const char *before, const char *text)
{
    pl_buf_append_cstr(out, before);
    pl_buf_append_json_string(out, pl_slice_cstr(text));
}

static void put_pair(struct pl_buf *out, const char *before, const struct grain_text *text)
{
    pl_buf_append_cstr(out, before);
    put_cstr(out, "{\"en\":", text->in[GRAIN_EN]);
    put_cstr(out, ",\"pt\":", text->in[GRAIN_PT]);
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
        pl_buf_append_cstr(out, lang == GRAIN_EN ? "\"en\":" : ",\"pt\":");
        pl_buf_append_json_string(out, pl_buf_slice(&text));
        pl_buf_inherit(out, &text);
        pl_buf_fini(&text);
    }
    pl_buf_append_byte(out, '}');
}

static void put_set(struct pl_buf *out, const struct grain_set *set, bool is_default)
{
    put_cstr(out, "{\"id\":", set->id);
    pl_buf_append_cstr(out, is_default ? ",\"default\":true" : ",\"default\":false");
    put_cstr(out, ",\"equation\":", grain_equation_info(set->equation)->id);
    if (set->variant.in[GRAIN_EN][0] != '\0')
        put_pair(out, ",\"variant\":", &set->variant);
    else
        pl_buf_append_cstr(out, ",\"variant\":null");
    put_constants(out, set);
    put_cstr(out, ",\"standard\":", set->standard);
    put_source(out, set);
    put_cstr(out, ",\"confidence\":", grain_confidence_id(set->confidence));
    // Null for an equation without a pole.
    put_number(out, ",\"pole\":", grain_pole(set));
    pl_buf_append_byte(out, '}');
}

static void put_culture(struct pl_buf *out, const struct grain_culture *culture)
{
    put_cstr(out, "{\"id\":", culture->id);
    put_pair(out, ",\"name\":", &culture->name);
    pl_buf_append_cstr(out, ",\"aliases\":[");
    for (size_t i = 0; culture->aliases[i] != NULL; i++)
        put_cstr(out, i == 0 ? "" : ",", culture->aliases[i]);
    put_cstr(out, "],\"equation\":", grain_equation_info(culture->sets[0].equation)->id);
    put_constants(out, &culture->sets[0]);
    put_source(out, &culture->sets[0]);
    put_cstr(out, ",\"confidence\":", grain_confidence_id(culture->sets[0].confidence));
    put_number(out, ",\"range\":{\"ta\":{\"min\":", GRAIN_TA_LOW);
    put_number(out, ",\"max\":", GRAIN_TA_HIGH);
    put_number(out, "},\"ur\":{\"min\":", GRAIN_UR_LOW);
    put_number(out, ",\"max\":", GRAIN_UR_HIGH);
    put_cstr(out, "}},\"set\":", culture->sets[0].id);
    pl_buf_append_cstr(out, ",\"sets\":[");
    for (size_t i = 0; i < culture->set_count; i++) {
        if (i > 0)
            pl_buf_append_byte(out, ',');
        put_set(out, &culture->sets[i], i == 0);
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
        put_cstr(out, i == 0 ? "{\"id\":" : ",{\"id\":", info->id);
        put_pair(out, ",\"name\":", &info->name);
        put_cstr(out, ",\"moisture\":", info->forward);
        put_cstr(out, ",\"humidity\":", info->inverse);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_cstr(out, "],\"confidences\":{");
    for (int i = 0; i < GRAIN_CONFIDENCES; i++) {
        put_cstr(out, i == 0 ? "" : ",", grain_confidence_id((enum grain_confidence)i));
        put_pair(out, ":", grain_confidence_text((enum grain_confidence)i));
    }
    pl_buf_append_cstr(out, "}}");
}
