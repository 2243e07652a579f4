// Tables of temperature by humidity, as JSON and as CSV.
#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "grain/catalog.h"
#include "grain/published.h"

size_t grain_table_rows(bool fahrenheit)
{
    return fahrenheit ? 9 : 11;
}

double grain_table_ta(size_t row, bool fahrenheit)
{
    return fahrenheit ? 40 + 10.0 * (double)row : GRAIN_TA_LOW + 5.0 * (double)row;
}

double grain_table_ur(size_t column)
{
    return GRAIN_UR_LOW + 5.0 * (double)column;
}

double grain_table_cell(const struct grain_result *chosen, size_t row, size_t column)
{
    double ta = grain_table_ta(row, chosen->fahrenheit);
    double dry = grain_moisture(chosen->set, chosen->fahrenheit ? grain_celsius(ta) : ta, grain_table_ur(column) / 100);
    return chosen->dry ? dry : grain_wet_from_dry(dry);
}

void grain_write_table_json(struct pl_buf *out, const struct grain_request *request, const struct grain_result *chosen)
{
    const struct grain_culture *culture = chosen->culture;
    pl_buf_printf(out, "{\"ok\":true,\"grain\":\"%s\",\"name\":{\"en\":\"%s\",\"pt\":\"%s\",\"es\":\"%s\"}",
                  culture->id, culture->name.in[GRAIN_EN], culture->name.in[GRAIN_PT], culture->name.in[GRAIN_ES]);
    pl_buf_printf(out, ",\"unit\":\"%s\",\"basis\":\"%s\",\"equation\":\"%s\",\"set\":\"%s\",\"confidence\":\"%s\"",
                  grain_unit(chosen->lang, chosen->dry), chosen->dry ? "dry" : "wet",
                  grain_equation_info(chosen->set->equation)->id, chosen->set->id,
                  grain_confidence_id(chosen->set->confidence));
    pl_buf_printf(out, ",\"agreement\":\"%s\"", grain_agreement_id(grain_agreement(culture, chosen->set)));
    pl_buf_append_cstr(out, chosen->fahrenheit ? ",\"taUnit\":\"F\",\"ta\":[" : ",\"taUnit\":\"C\",\"ta\":[");
    for (size_t row = 0; row < grain_table_rows(chosen->fahrenheit); row++) {
        pl_buf_append_cstr(out, row == 0 ? "" : ",");
        grain_put_number(out, grain_table_ta(row, chosen->fahrenheit));
    }
    pl_buf_append_cstr(out, "],\"ur\":[");
    for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++) {
        pl_buf_append_cstr(out, column == 0 ? "" : ",");
        grain_put_number(out, grain_table_ur(column));
    }
    pl_buf_append_cstr(out, "],\"moisture\":[");
    for (size_t row = 0; row < grain_table_rows(chosen->fahrenheit); row++) {
        pl_buf_append_cstr(out, row == 0 ? "[" : ",[");
        for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++) {
            pl_buf_append_cstr(out, column == 0 ? "" : ",");
            grain_put_fixed(out, grain_table_cell(chosen, row, column), 1);
        }
        pl_buf_append_byte(out, ']');
    }
    pl_buf_append_cstr(out, "],\"warnings\":[");
    grain_write_warnings(out, request, chosen);
    pl_buf_append_cstr(out, "]}");
}

void grain_put_cell(struct pl_buf *out, uint8_t separator, double value, bool decimal_comma)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t len = isfinite(value) ? pl_format_fixed(value, 1, text) : 0;
    char *point = decimal_comma && len > 0 ? memchr(text, '.', len) : NULL;
    if (point != NULL)
        *point = ',';
    pl_buf_append_byte(out, separator);
    pl_buf_append(out, text, len);
}

void grain_write_table_csv(struct pl_buf *out, const struct grain_result *chosen, bool decimal_comma)
{
    const uint8_t separator = decimal_comma ? ';' : ',';
    pl_buf_append_cstr(out, chosen->fahrenheit ? "ta_F\\ur_%" : "ta_C\\ur_%");
    for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++) {
        pl_buf_append_byte(out, separator);
        grain_put_number(out, grain_table_ur(column));
    }
    for (size_t row = 0; row < grain_table_rows(chosen->fahrenheit); row++) {
        pl_buf_append_cstr(out, "\r\n");
        grain_put_number(out, grain_table_ta(row, chosen->fahrenheit));
        for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++)
            grain_put_cell(out, separator, grain_table_cell(chosen, row, column), decimal_comma);
    }
    pl_buf_append_cstr(out, "\r\n");
}
