// Files of hours: every way of writing them is read, a bad row is told and costs no other, hostile ones do no harm.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "unit.h"

struct asked {
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err;
    enum pl_errc code;
};

static void ask(struct asked *asked, struct pl_slice text, const char *options[][2], size_t count)
{
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&asked->fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
    for (size_t i = 0; i < count; i++)
        grain_fields_put(&asked->fields, pl_slice_cstr(options[i][0]), pl_slice_cstr(options[i][1]));
    asked->err.code = PL_OK;
    asked->code = grain_hours_answer(&asked->fields, text, NULL, &asked->hours, &asked->err);
}

static void ask_text(struct asked *asked, const char *text)
{
    ask(asked, pl_slice_cstr(text), NULL, 0);
}

// All of these hold the same two hours: 25 °C and 70 %, 20 °C and 80 %.
static void every_way_of_writing_a_file_is_read(void **state)
{
    (void)state;
    static const char *const files[] = {
        "time,temperature,humidity\n2026-01-01T00:00,25,70\n2026-01-01T01:00,20,80\n",
        "time,temperature,humidity\r\na,25,70\r\nb,20,80",
        "time,temperature,humidity\ra,25,70\rb,20,80\r",
        "\xEF\xBB\xBF"
        "data;temperatura;umidade\n1;25,0;70,0\n2;20,0;80,0\n",
        "\"Fecha\";\"Temperatura (°C)\";\"Humedad relativa (%)\"\n\"1\";\"25,0\";\"70\"\n\"2\";\"20,0\";\"80\"\n",
        "ta\tur\n25\t70\n20\t80\n",
        "T|RH\n25|70\n20|80\n",
        "date,temp_f,rh\n1,77,70\n2,68,80\n",
        "Date,Temperature (°F),Relative Humidity (%)\n1,77,70 %\n2,68,80%\n",
        "REGIAO:;S\nUF:;RS\nESTACAO:;X\nData;Hora UTC;PRECIPITACAO;TEMPERATURA DO AR - BULBO SECO, HORARIA (\xB0"
        "C);"
        "TEMPERATURA DO PONTO DE ORVALHO (\xB0"
        "C);TEMPERATURA M\xC1XIMA;UMIDADE REL. MAX.;UMIDADE RELATIVA DO AR, HORARIA (%);\n"
        "2026/01/01;0000 UTC;0;25,0;19;26;99;70;\n2026/01/01;0100 UTC;0;20,0;16,4;26;99;80;\n",
        "time,temperature_2m (°C),relative_humidity_2m (%)\n1,25.0,70\n2,20.0,80\n",
        "timestamp,air temperature,soil temperature,humidity max,humidity\n1,25,9,99,70\n\n\n2,20,9,99,80\n\n",
        " time , temperature , humidity \n 1 , 25 , 70 \n 2 , 20 , 80 ",
        "time,\"temperature, air\",\"humidity \"\"rel\"\"\"\n1,\"25\",70\n2,\"20\",80\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask_text(&asked, files[i]);
        if (asked.code != PL_OK)
            fail_msg("file %zu: %s", i, asked.err.message);
        if (asked.hours.answered != 2 || fabs(asked.hours.list[0].celsius - 25) > 1e-9 ||
            fabs(asked.hours.list[1].ur - 80) > 1e-9)
            fail_msg("file %zu: %zu of %zu rows", i, asked.hours.answered, asked.hours.count);
        double expected = grain_wet_from_dry(grain_moisture(asked.fields.chosen.set, 25, 0.7));
        assert_true(fabs(asked.hours.list[0].moisture - expected) < 1e-9);
        grain_hours_free(&asked.hours);
    }
}

static void a_dew_point_serves_instead_of_humidity(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "time,temp,dewpoint\n1,25,19.15\n2,20,30\n");
    assert_int_equal(asked.code, PL_OK);
    assert_true(fabs(asked.hours.list[0].ur - 70) < 0.2);
    assert_int_equal(asked.hours.list[1].error, GRAIN_HOUR_DEW_RANGE);
    grain_hours_free(&asked.hours);
}

static void a_bad_row_is_told_with_its_number_and_the_others_are_answered(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked,
             "# station\ntime,temperature,humidity\n1,25,70\n2,,70\n3,warm,70\n4,99,70\n5,25\n6,25,x\n7,25,0\n8,25,"
             "106\n9,25,NaN\n10,nan,70\n11,1e999,70\n12,0x19,70\n13,25,-5\n14,25,inf\n15,20,80\n");
    static const enum grain_hour_error expected[] = {
        GRAIN_HOUR_OK,     GRAIN_HOUR_NO_TA,    GRAIN_HOUR_BAD_TA,   GRAIN_HOUR_TA_RANGE, GRAIN_HOUR_NO_UR,
        GRAIN_HOUR_BAD_UR, GRAIN_HOUR_UR_RANGE, GRAIN_HOUR_UR_RANGE, GRAIN_HOUR_BAD_UR,   GRAIN_HOUR_BAD_TA,
        GRAIN_HOUR_BAD_TA, GRAIN_HOUR_BAD_TA,   GRAIN_HOUR_UR_RANGE, GRAIN_HOUR_BAD_UR,   GRAIN_HOUR_OK};
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.count, PL_COUNTOF(expected));
    for (size_t i = 0; i < PL_COUNTOF(expected); i++) {
        if (asked.hours.list[i].error != expected[i])
            fail_msg("row %zu: %d, expected %d", i, asked.hours.list[i].error, expected[i]);
        assert_int_equal(asked.hours.list[i].row, i + 3);
    }
    assert_int_equal(asked.hours.answered, 2);
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    grain_hours_write(&out, &asked.fields, &asked.hours, true);
    grain_hours_write_csv(&out, &asked.fields, &asked.hours, true);
    grain_hours_write_refusal(&out, &asked.fields, &asked.hours);
    pl_buf_append_byte(&out, 0);
    assert_false(out.failed);
    assert_non_null(strstr((char *)out.data, "{\"row\":4,\"message\":\"no temperature\"}"));
    assert_null(strstr((char *)out.data, "nan,"));
    assert_null(strstr((char *)out.data, ":nan"));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

static void hours_that_dry_hold_and_wet_and_those_with_condensation(void **state)
{
    (void)state;
    struct asked asked;
    static const char file[] = "t,ur\n30,30\n25,70\n20,95\n25,99.9\n25,100\n";
    ask(&asked, pl_slice_cstr(file), (const char *[][2]){{"moisture", "14"}}, 1);
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.effects[GRAIN_DRIES], 1);
    assert_int_equal(asked.hours.effects[GRAIN_HOLDS], 1);
    assert_int_equal(asked.hours.effects[GRAIN_WETS], 3);
    assert_int_equal(asked.hours.saturated, 2);
    grain_hours_free(&asked.hours);
    // Cold grain: warm moist air drops water on it; air that would dry warm grain wets it.
    ask(&asked, pl_slice_cstr(file), (const char *[][2]){{"moisture", "14"}, {"grainTa", "12"}}, 2);
    assert_int_equal(asked.hours.condensation, 4);
    assert_int_equal(asked.hours.effects[GRAIN_WETS], 5);
    grain_hours_free(&asked.hours);
    // The fan's heat makes the air dry.
    ask(&asked, pl_slice_cstr(file), (const char *[][2]){{"moisture", "14"}, {"fanHeat", "8"}}, 2);
    assert_int_equal(asked.hours.saturated, 0);
    assert_true(asked.hours.effects[GRAIN_DRIES] >= 2);
    grain_hours_free(&asked.hours);
}

static void air_too_dry_for_the_equation_at_the_grains_temperature_dries(void **state)
{
    (void)state;
    // Chung-Pfost has no moisture for 2 % at 60 °C: the hour was counted as one that holds.
    struct asked asked;
    ask(&asked, pl_slice_cstr("t,ur\n5,50\n5,60\n"), (const char *[][2]){{"moisture", "18"}, {"grainTa", "60"}}, 2);
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.effects[GRAIN_DRIES], 2);
    assert_int_equal(asked.hours.effects[GRAIN_HOLDS], 0);
    grain_hours_free(&asked.hours);
}

static void degrees_fahrenheit_are_known_by_the_last_word_of_the_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool fahrenheit;
    } names[] = {
        {"temperature_2m (°F)", true},
        {"Temp Out (F)", true},
        {"temperature [degF]", true},
        {"Temperature_F", true},
        {"TempF", true},
        {"temperature_2mF", true},
        {"Temp (\xB0"
         "F) mean",
         true},
        {"Temperatura (ºF)", true},
        {"temperature ℉", true},
        {"Temperature, deg F", true},
        {"air temperature Fahrenheit", true},
        {"temperature_2m (°C)", false},
        {"temperature F1", false},
        {"temp at farm", false},
        {"temperature of", false},
        {"Temp", false},
        {"temperatura do ar (F 2)", true},
        {"temp f (°C)", false},
        {"Temp, °F (LGR S/N: 10469, SEN S/N: 10469)", true},
        {"Temperature(℉)", true},
        {"Temp (F) Avg", true},
        {"TempOut_F", true},
        {"temp_f_2m", true},
        {"AirTemp_degF_Avg", true},
        {"Temperature °F (outdoor)", true},
        {"Temperatura °F media", true},
        {"Temperature in F", true},
        {"Outdoor Temp (°F)", true},
        {"tmpf", true},
        {"Sensor F temperature", false},
        {"Temperature(℃)", false},
    };
    for (size_t i = 0; i < PL_COUNTOF(names); i++) {
        char file[200];
        struct asked asked;
        snprintf(file, sizeof file, "%s;rh\n50;70\n", names[i].name);
        ask_text(&asked, file);
        if (asked.code != PL_OK || asked.fields.fahrenheit != names[i].fahrenheit)
            fail_msg("%s: %d", names[i].name, asked.fields.fahrenheit);
        grain_hours_free(&asked.hours);
    }
}

static void the_clearest_names_are_taken_wherever_they_are(void **state)
{
    (void)state;
    // All hold 25 °C and 70 %.
    static const char *const files[] = {
        "Tempo (h);Temperatura (°C);UR (%)\n3;25;70\n",
        "Date,Hr,Temp,RH\n2024-06-01,5,25,70\n",
        "t,temp,rh\n9,25,70\n",
        "time,temperature,humidex,rel hum\n1,25,33,70\n",
        "time,temp setpoint,temperature,rh setpoint,rh\n1,10,25,50,70\n",
        "time,rh_fault,temp_bat,temperature,rh\n1,0,31,25,70\n",
        "Temperature; humidity\nhour;humidity;temperature\n1;70;25\n",
        "Temperature; humidity\n\nhour;humidity;temperature\n1;70;25\n",
        "time,temp_terminal,humidity_terminal\n1,25,70\n",
        "Timestamp for sample frequency every 15 min min,Temperature_Fahrenheit,Relative_Humidity\nx,77,70\n",
        "station,valid,tmpf,dwpf,relh\nX,1,77,60,70\n",
        "time,temp_f,dewpoint_c\n1,77,19.15\n",
        "time,temp_c,dewpoint_f\n1,25,66.47\n",
        "time,temp,dewpoint_f\n1,77,66.47\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask_text(&asked, files[i]);
        if (asked.code != PL_OK || asked.hours.answered != 1 || !(fabs(asked.hours.list[0].celsius - 25) < 0.01) ||
            !(fabs(asked.hours.list[0].ur - 70) < 0.2))
            fail_msg("file %zu: %g °C, %g %%", i, asked.hours.list[0].celsius, asked.hours.list[0].ur);
        grain_hours_free(&asked.hours);
    }
    struct asked asked;
    ask_text(&asked, "Date,Hr,Temp,RH\n2024-06-01,5,25,70\n");
    assert_true(pl_slice_eq_cstr(asked.hours.list[0].hour, "5"));
    grain_hours_free(&asked.hours);
    ask_text(&asked, "Timestamp every 15 min,temp,rh\nnoon,25,70\n");
    assert_true(pl_slice_eq_cstr(asked.hours.list[0].time, "noon"));
    grain_hours_free(&asked.hours);
}

static void a_comma_behind_the_header_hides_no_decimal_commas(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "time,temperature,humidity,\n2024-06-01,25,5,70\n2024-06-01,25,5,70,\n2024-06-01,25,70,\n");
    assert_int_equal(asked.hours.list[0].error, GRAIN_HOUR_CELLS);
    assert_int_equal(asked.hours.list[1].error, GRAIN_HOUR_CELLS);
    assert_int_equal(asked.hours.list[2].error, GRAIN_HOUR_OK);
    grain_hours_free(&asked.hours);
}

static void the_temperature_of_the_grain_is_checked_as_that_of_the_air(void **state)
{
    (void)state;
    struct asked asked;
    static const char file[] = "t,ur\n20,70\n";
    ask(&asked, pl_slice_cstr(file), (const char *[][2]){{"moisture", "14"}, {"grainTa", "79"}}, 2);
    assert_int_equal(asked.fields.chosen.warnings, GRAIN_W_TA_RANGE);
    grain_hours_free(&asked.hours);
    ask(&asked, pl_slice_cstr("t,ur\n-20,70\n"), NULL, 0);
    assert_int_equal(asked.fields.chosen.warnings, GRAIN_W_POLE);
    grain_hours_free(&asked.hours);
    // At the pole of the set nothing can be said about any hour.
    grain_fields_init(&asked.fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&asked.fields, pl_slice_cstr("grain"), pl_slice_cstr("ear-corn"));
    grain_fields_put(&asked.fields, pl_slice_cstr("moisture"), pl_slice_cstr("14"));
    grain_fields_put(&asked.fields, pl_slice_cstr("grainTa"), pl_slice_cstr("-25"));
    assert_int_equal(grain_hours_answer(&asked.fields, pl_slice_cstr(file), NULL, &asked.hours, &asked.err),
                     PL_E_INVALID);
    assert_int_equal(asked.fields.field, GRAIN_T_GRAIN_TA);
    grain_hours_free(&asked.hours);
}

static void the_unit_of_the_file_is_that_of_the_other_temperatures(void **state)
{
    (void)state;
    struct asked f, c;
    ask(&f, pl_slice_cstr("temp_f,rh\n77,70\n"), (const char *[][2]){{"moisture", "14"}, {"grainTa", "50"}}, 2);
    ask(&c, pl_slice_cstr("temp,rh\n25,70\n"), (const char *[][2]){{"moisture", "14"}, {"grainTa", "10"}}, 2);
    assert_true(f.fields.fahrenheit && !c.fields.fahrenheit);
    assert_true(fabs(f.hours.grain_celsius - c.hours.grain_celsius) < 1e-9);
    assert_true(fabs(f.hours.list[0].moisture - c.hours.list[0].moisture) < 1e-9);
    grain_hours_free(&f.hours);
    grain_hours_free(&c.hours);
    ask(&f, pl_slice_cstr("temp,rh\n77,70\n"), (const char *[][2]){{"taUnit", "F"}}, 1);
    assert_true(fabs(f.hours.list[0].celsius - 25) < 1e-9);
    grain_hours_free(&f.hours);
}

static void what_is_no_file_of_hours_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
    } files[] = {
        {"", 0},
        {"\n\n\n", 3},
        {"25,70\n20,80\n", 12},
        {"time,temperature\n1,25\n", 22},
        {"time,humidity\n1,25\n", 19},
        {"\xFF\xFEt\0,\0", 6},
        {"temp\0,humidity\n1,2\n", 20},
        {"{\"grain\":\"corn\"}", 16},
        {"\"temperature;humidity", 21},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, pl_slice_make(files[i].text, files[i].len), NULL, 0);
        if (asked.code != PL_E_INVALID || asked.fields.code != NULL || asked.err.message[0] == '\0')
            fail_msg("file %zu: %d", i, asked.code);
        grain_hours_free(&asked.hours);
    }
    // A header alone is a file without hours.
    struct asked asked;
    ask_text(&asked, "time;temperatura;umidade");
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.count, 0);
    assert_true(isnan(asked.hours.air.moisture));
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    grain_hours_write(&out, &asked.fields, &asked.hours, true);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "\"mean\":null"));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

static void a_lost_quote_costs_its_own_row_only(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "time,temperature,humidity\n\"1,25,70\n2,20,80\n3,\"20,80\n4,\"\"\"20\"\"\",80\n5,20,80\n");
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.count, 5);
    assert_int_equal(asked.hours.answered, 2);
    grain_hours_free(&asked.hours);
}

static void decimal_commas_between_commas_are_not_taken_for_numbers(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "temp,rh\n25,5,70,2\n25,70\n25,70,,\n\"25,5\",\"70,2\"\n");
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.list[0].error, GRAIN_HOUR_CELLS);
    assert_int_equal(asked.hours.answered, 3);
    assert_true(fabs(asked.hours.list[3].celsius - 25.5) < 1e-9);
    grain_hours_free(&asked.hours);
    // With other separators more cells do no harm.
    ask_text(&asked, "temp;rh\n25,5;70,2;note\n");
    assert_int_equal(asked.hours.answered, 1);
    grain_hours_free(&asked.hours);
}

static void a_season_has_at_most_so_many_rows(void **state)
{
    (void)state;
    struct pl_buf text;
    pl_buf_init(&text, 8 << 20);
    pl_buf_append_cstr(&text, "t,ur\n");
    for (int i = 0; i < GRAIN_HOURS_MAX; i++)
        pl_buf_append_cstr(&text, "25,70\n");
    struct asked asked;
    ask(&asked, pl_buf_slice(&text), NULL, 0);
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.answered, GRAIN_HOURS_MAX);
    struct grain_period periods[400];
    size_t count = grain_hours_periods(&asked.hours, periods, 400), hours = 0;
    assert_in_range(count, 300, 400);
    for (size_t i = 0; i < count; i++)
        hours += periods[i].hours;
    assert_int_equal(hours, GRAIN_HOURS_MAX);
    grain_hours_free(&asked.hours);
    pl_buf_append_cstr(&text, "25,70\n");
    ask(&asked, pl_buf_slice(&text), NULL, 0);
    assert_int_equal(asked.code, PL_E_LIMIT);
    grain_hours_free(&asked.hours);
    pl_buf_fini(&text);
}

static void a_time_that_is_a_formula_is_marked_as_text(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "time,temperature,humidity\n=1+1|cmd,25,70\n\"say \"\"hi\"\"\",25,70\nmar\xE7o,25,70\n");
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    grain_hours_write_csv(&out, &asked.fields, &asked.hours, false);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, ",\"'=1+1|cmd\","));
    assert_non_null(strstr((char *)out.data, ",\"março\","));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

static void fractions_are_noticed(void **state)
{
    (void)state;
    struct asked asked;
    ask_text(&asked, "t,ur\n25,0.7\n20,0.9\n");
    assert_int_equal(asked.code, PL_E_INVALID);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_FRACTIONS);
    grain_hours_free(&asked.hours);
    // Fog as a fraction is no percent either.
    ask_text(&asked, "t,ur\n25,0.7\n25,0.7\n25,0.7\n20,1.01\n");
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_FRACTIONS);
    struct pl_buf out;
    pl_buf_init(&out, 4096);
    grain_hours_write_problem(&out, &asked.fields, &asked.hours);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "column 'ur' looks like a fraction: write percentages, 70, not 0.7, or"));
    assert_non_null(strstr((char *)out.data, "\"code\":\"humidity_looks_like_fraction\""));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
    // A few among percentages are told.
    ask_text(&asked, "t,ur\n25,0.7\n20,90\n");
    assert_int_equal(asked.code, PL_OK);
    assert_int_equal(asked.hours.fractions, 1);
    grain_hours_free(&asked.hours);
    ask_text(&asked, "t,ur\n25,70\n20,90\n");
    assert_int_equal(asked.hours.fractions, 0);
    grain_hours_free(&asked.hours);
}

// A row for each of the numbers from 0 to `count`, in the order of those that leave the same rest.
static void ask_interleaved(struct asked *asked, const char *month, int minutes, int count, int rests)
{
    struct pl_buf text;
    pl_buf_init(&text, 1 << 20);
    pl_buf_append_cstr(&text, "time,temp (C),rh\n");
    for (int rest = 0; rest < rests; rest++) {
        for (int i = rest; i < count; i += rests)
            pl_buf_printf(&text, "%s-%02d %02d:%02d,%d,%d\n", month, 1 + i * minutes / 1440, i * minutes / 60 % 24,
                          i * minutes % 60, 10 + i % 24, 50 + i % 40);
    }
    ask(asked, pl_buf_slice(&text), NULL, 0);
    assert_int_equal(asked->code, PL_OK);
    pl_buf_fini(&text);
}

// Rows that were sorted by the hour of the day had an interval of a day. In the nights in which clocks change, a step
// of two hours in such a file is no change.
static void rows_out_of_order_are_answered_as_sorted_ones(void **state)
{
    (void)state;
    static const struct {
        const char *month;
        int minutes, count, rests;
    } rows[] = {{"2024-06", 60, 240, 24}, {"2024-06", 10, 1440, 6},  {"2024-03", 60, 480, 2},
                {"2024-03", 60, 480, 24}, {"2024-10", 30, 1440, 48}, {"2024-11", 15, 960, 5}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked sorted, unsorted;
        ask_interleaved(&sorted, rows[i].month, rows[i].minutes, rows[i].count, 1);
        ask_interleaved(&unsorted, rows[i].month, rows[i].minutes, rows[i].count, rows[i].rests);
        const struct grain_clock *a = &sorted.hours.clock, *b = &unsorted.hours.clock;
        double hours = rows[i].count * rows[i].minutes / 60.0;
        assert_true(a->backward == 0 && b->backward > 0);
        if (!(fabs(b->covered - hours) < 1e-6 && fabs(b->expected - hours) < 1e-6 && b->interval == rows[i].minutes &&
              b->gaps == 0 && b->repeated == 0 && b->changes == 0))
            fail_msg("row %zu: %g of %g hours, every %g min, %zu changes", i, b->covered, b->expected, b->interval,
                     b->changes);
        assert_true(fabs(a->covered - b->covered) < 1e-9 && a->starts == b->starts && a->ends == b->ends);
        assert_true(fabs(sorted.hours.air.moisture - unsorted.hours.air.moisture) < 1e-12);
        grain_hours_free(&sorted.hours);
        grain_hours_free(&unsorted.hours);
    }
    // A file that is there twice: its second half repeats the first, whatever night it is.
    struct asked twice;
    struct pl_buf text;
    pl_buf_init(&text, 1 << 20);
    pl_buf_append_cstr(&text, "time,temp (C),rh\n");
    for (int i = 0; i < 2 * 240; i++)
        pl_buf_printf(&text, "2024-03-%02d %02d:00,20,70\n", 1 + i % 240 / 24, i % 24);
    ask(&twice, pl_buf_slice(&text), NULL, 0);
    assert_true(twice.hours.clock.repeated == 240 && twice.hours.clock.changes == 0);
    assert_true(fabs(twice.hours.clock.covered - 240) < 1e-9 && fabs(twice.hours.clock.expected - 240) < 1e-9);
    grain_hours_free(&twice.hours);
    pl_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_writing_a_file_is_read),
        cmocka_unit_test(a_dew_point_serves_instead_of_humidity),
        cmocka_unit_test(a_bad_row_is_told_with_its_number_and_the_others_are_answered),
        cmocka_unit_test(hours_that_dry_hold_and_wet_and_those_with_condensation),
        cmocka_unit_test(air_too_dry_for_the_equation_at_the_grains_temperature_dries),
        cmocka_unit_test(degrees_fahrenheit_are_known_by_the_last_word_of_the_name),
        cmocka_unit_test(the_clearest_names_are_taken_wherever_they_are),
        cmocka_unit_test(a_comma_behind_the_header_hides_no_decimal_commas),
        cmocka_unit_test(the_temperature_of_the_grain_is_checked_as_that_of_the_air),
        cmocka_unit_test(the_unit_of_the_file_is_that_of_the_other_temperatures),
        cmocka_unit_test(what_is_no_file_of_hours_is_refused),
        cmocka_unit_test(a_lost_quote_costs_its_own_row_only),
        cmocka_unit_test(decimal_commas_between_commas_are_not_taken_for_numbers),
        cmocka_unit_test(a_season_has_at_most_so_many_rows),
        cmocka_unit_test(a_time_that_is_a_formula_is_marked_as_text),
        cmocka_unit_test(fractions_are_noticed),
        cmocka_unit_test(rows_out_of_order_are_answered_as_sorted_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
