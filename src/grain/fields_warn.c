// Warnings about the fields of the tools: noted while they are read, then told as JSON and as lines for people.
#include "grain/fields.h"

void grain_fields_warn(struct grain_fields *fields, unsigned warnings, enum grain_tool_field about)
{
    fields->chosen.warnings |= warnings;
    for (; warnings != 0; warnings &= warnings - 1)
        fields->chosen.warning_fields[__builtin_ctz(warnings)] = grain_tool_field_names[about];
}

void grain_fields_check_range(struct grain_fields *fields, double celsius, double ur, bool inverse,
                              enum grain_tool_field ta, enum grain_tool_field ur_by)
{
    const struct grain_set *set = fields->chosen.set;
    if (set == NULL)
        return;
    fields->chosen.inverse = inverse;
    unsigned found = grain_range_warnings(set, celsius, ur, inverse) & ~fields->chosen.warnings;
    grain_fields_warn(fields, found & GRAIN_W_OF_TA, ta);
    grain_fields_warn(fields, found & GRAIN_W_OF_UR, ur_by);
}

void grain_fields_note_idle(struct grain_fields *fields, enum grain_tool_field field)
{
    fields->idle |= fields->given & GRAIN_BIT(field);
}

// The first field of these that is not before *at; false: there is none.
static bool next_idle(const struct grain_fields *fields, enum grain_tool_field *at)
{
    while (*at < GRAIN_TOOL_FIELDS && (fields->idle & GRAIN_BIT(*at)) == 0)
        (*at)++;
    return *at < GRAIN_TOOL_FIELDS;
}

// "The field 'target' has no effect here and was ignored."
static void say_idle(struct pl_buf *out, const struct grain_fields *fields, enum grain_tool_field field)
{
    enum grain_lang lang = fields->lang;
    bool option = fields->options != NULL;
    pl_buf_append_cstr(out, option ? grain_words(lang, "The option '", "A opção '", "La opción '")
                                   : grain_words(lang, "The field '", "O campo '", "El campo '"));
    pl_buf_append_cstr(out, option               ? fields->options[field]
                            : fields->for_people ? grain_tool_field_meanings[field].in[lang]
                                                 : grain_tool_field_names[field]);
    grain_say(out, lang, "' has no effect here and was ignored.",
              option ? "' não tem efeito aqui e foi ignorada." : "' não tem efeito aqui e foi ignorado.",
              option ? "' no tiene efecto aquí y fue ignorada." : "' no tiene efecto aquí y fue ignorado.");
}

// The request and the result that the sentences of warnings speak about.
static void warnings_of(const struct grain_fields *fields, struct grain_request *request, struct grain_result *result)
{
    double ur;
    *request = fields->request;
    *result = grain_fields_result(fields);
    if (fields->unknown_count > 0) {
        grain_value_set_text(&request->unknown, fields->unknown);
        request->unknown_count = fields->unknown_count;
        result->warnings |= GRAIN_W_UNKNOWN_FIELD;
    }
    if (grain_fields_has(fields, GRAIN_T_UR) && grain_parse_number(fields->value[GRAIN_T_UR], &ur) && ur <= 1)
        result->warnings |= GRAIN_W_FRACTION;
}

void grain_fields_write_warnings(struct pl_buf *out, const struct grain_fields *fields)
{
    struct grain_request request;
    struct grain_result result;
    warnings_of(fields, &request, &result);
    grain_write_warnings(out, &request, &result);
    bool first = result.warnings == 0;
    struct grain_fields by_name = *fields; // what programs read has the names of the interface
    by_name.options = NULL;
    for (enum grain_tool_field i = 0; next_idle(fields, &i); i++) {
        pl_buf_printf(out, "%s{\"code\":\"unknown_field\",\"field\":\"%s\",\"message\":\"", first ? "" : ",",
                      grain_tool_field_names[i]);
        say_idle(out, &by_name, i);
        pl_buf_append_cstr(out, "\"}");
        first = false;
    }
}

void grain_fields_end_answer(struct pl_buf *out, const struct grain_fields *fields)
{
    pl_buf_append_cstr(out, ",\"warnings\":[");
    grain_fields_write_warnings(out, fields);
    pl_buf_append_cstr(out, "]}");
}

void grain_warning_rows(const struct grain_request *request, const struct grain_result *result, grain_row *row,
                        struct pl_buf *out)
{
    for (unsigned bit = 1; bit <= GRAIN_W_LAST; bit <<= 1) {
        if ((result->warnings & bit) == 0)
            continue;
        struct pl_buf sentence;
        pl_buf_init(&sentence, 4096);
        grain_say_warning(&sentence, request, result, (enum grain_warning)bit);
        grain_end_row(row, out, grain_words(result->lang, "Note", "Aviso", "Aviso"), &sentence);
    }
}

void grain_fields_warning_rows(const struct grain_fields *fields, grain_row *row, struct pl_buf *out)
{
    struct grain_request request;
    struct grain_result result;
    warnings_of(fields, &request, &result);
    grain_warning_rows(&request, &result, row, out);
    for (enum grain_tool_field i = 0; next_idle(fields, &i); i++) {
        struct pl_buf sentence;
        pl_buf_init(&sentence, 512);
        say_idle(&sentence, fields, i);
        grain_end_row(row, out, grain_words(fields->lang, "Note", "Aviso", "Aviso"), &sentence);
    }
}
