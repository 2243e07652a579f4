// Headers: units below the names, groups of columns above them, columns that a request names; and days by the clock of
// the file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "grain/hours_out.h"
#include "unit.h"

struct asked {
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err;
    enum pl_errc code;
};

static void ask_columns(struct asked *asked, const char *text, const char *unit, const char *ta, const char *ur)
{
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&asked->fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
    if (unit != NULL)
        grain_fields_put(&asked->fields, pl_slice_cstr("taUnit"), pl_slice_cstr(unit));
    if (ta != NULL)
        grain_fields_put(&asked->fields, pl_slice_cstr("temperatureColumn"), pl_slice_cstr(ta));
    if (ur != NULL)
        grain_fields_put(&asked->fields, pl_slice_cstr("humidityColumn"), pl_slice_cstr(ur));
    asked->err.code = PL_OK;
    asked->code = grain_hours_answer(&asked->fields, pl_slice_cstr(text), NULL, &asked->hours, &asked->err);
}

static void ask(struct asked *asked, const char *text, const char *unit)
{
    ask_columns(asked, text, unit, NULL, NULL);
}

// Two rows of 25 °C and 70 %: the units below the names were a bad row, and 77 °F was read as 77 °C.
static void units_below_the_names_are_read(void **state)
{
    (void)state;
    static const char *const files[] = {
        "Date,Temp,RH\n,°F,%\n2024-06-01 13:00,77,70\n2024-06-01 14:00,77,70\n",
        "Date,Temp,RH\nyyyy-mm-dd,[degF],percent\n2024-06-01 13:00,77,70\n2024-06-01 14:00,77,70\n",
        "Date;Temp;RH\n;(\xBA"
        "F);% RH\n01/06/2024 13:00;77,0;70\n01/06/2024 14:00;77,0;70\n",
        "Date,Temp,RH\n,Kelvin,%\n2024-06-01 13:00,298.15,70\n2024-06-01 14:00,298.15,70\n",
        "Data;Temperatura;Umidade\n;graus Celsius;%\n01/06/2024 13:00;25;70\n01/06/2024 14:00;25;70\n",
        // A logger of Campbell writes a fourth line: how each value was made.
        "\"TOA5\",\"bin\"\n\"TIMESTAMP\",\"RECORD\",\"AirT\",\"RH\"\n\"TS\",\"RN\",\"Deg F\",\"%\"\n\"\",\"\",\"Avg\","
        "\"Smp\"\n\"2024-06-01 13:00:00\",1,77,70\n\"2024-06-01 14:00:00\",2,77,70\n",
        "Date,Temp,Dew point\n,F,F\n2024-06-01 13:00,77,66.4\n2024-06-01 14:00,77,66.4\n",
        // Of NOAA's column nobody knows the unit, unless the file says it.
        "DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity\n,deg F,%\n2024-06-01T13:00,77,70\n"
        "2024-06-01T14:00,77,70\n",
        // What looks like a value may be a unit: no dimension, a range.
        "time,temp,rh\n,°F,1\n2024-06-01 13:00,77,70\n2024-06-01 14:00,77,70\n",
        "time,temp,rh\nUTC,°F,0-100\n2024-06-01 13:00,77,70\n2024-06-01 14:00,77,70\n",
        "temp,rh,time\nF,100%,\n77,70,2024-06-01 13:00\n77,70,2024-06-01 14:00\n",
        "time,temp,dew point\n,°F,-999\n2024-06-01 13:00,77,66.4\n2024-06-01 14:00,77,66.4\n",
        // The units above the names.
        ",°F,%\nDate,Temp,RH\n2024-06-01 13:00,77,70\n2024-06-01 14:00,77,70\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i], NULL);
        if (asked.code != PL_OK)
            fail_msg("%s: %s", files[i], asked.err.message);
        const struct grain_hours *hours = &asked.hours;
        if (hours->count != 2 || hours->answered != 2 || hours->unit_assumed)
            fail_msg("%s: %zu of %zu rows", files[i], hours->answered, hours->count);
        if (!(fabs(hours->list[0].celsius - 25) < 0.01 && fabs(hours->list[0].ur - 70) < 0.7))
            fail_msg("%s: %g °C, %g %%", files[i], hours->list[0].celsius, hours->list[0].ur);
        grain_hours_free(&asked.hours);
    }
}

static void units_that_do_not_tell_are_asked_for(void **state)
{
    (void)state;
    struct asked asked;
    // The name and the line below it say different things.
    const char *text = "Date,Temp (C),RH\n,°F,%\n2024-06-01 13:00,45,70\n2024-06-01 14:00,45,70\n";
    ask(&asked, text, NULL);
    assert_int_equal(asked.code, PL_E_INVALID);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_UNIT);
    grain_hours_free(&asked.hours);
    ask(&asked, text, "F");
    assert_int_equal(asked.code, PL_OK);
    assert_true(fabs(asked.hours.list[0].celsius - grain_celsius(45)) < 1e-9);
    grain_hours_free(&asked.hours);
    // Only the humidity has a unit: the temperature's is assumed, which is told, and the line is no row.
    ask(&asked, "Date,Temp,RH\n,,%\n2024-06-01 13:00,25,70\n", NULL);
    assert_true(asked.code == PL_OK && asked.hours.unit_assumed && asked.hours.count == 1);
    grain_hours_free(&asked.hours);
    // Below a time there is no unit: the row is bad.
    ask(&asked, "Date,Temp,RH\n2024-06-01 12:00,F,70\n2024-06-01 13:00,25,70\n", NULL);
    assert_true(asked.code == PL_OK && asked.hours.count == 2 && asked.hours.answered == 1);
    grain_hours_free(&asked.hours);
    // A bad row below the header stays a bad row.
    ask(&asked, "Date,Temp,RH\n2024-06-01 13:00,x,70\n2024-06-01 14:00,25,70\n", NULL);
    assert_true(asked.code == PL_OK && asked.hours.count == 2 && asked.hours.answered == 1);
    grain_hours_free(&asked.hours);
}

static void groups_above_the_names_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *ta, *ur;
    } files[] = {
        {",Outside,,Inside,\nDate,Temp,RH,Temp,RH\n2024-06-01 13:00,25,70,20,40\n", "Outside Temp", "Outside RH"},
        {"Outside,,Inside,\nTemp,RH,Temp,RH\n25,70,20,40\n", "Outside Temp", "Outside RH"},
        {"Inside,,Outside,\nTemp,RH,Temp,RH\n20,40,25,70\n", "Outside Temp", "Outside RH"},
        {"Date,Inside,,Outside,\n,Temp,RH,Temp,RH\n2024-06-01 13:00,20,40,25,70\n", "Outside Temp", "Outside RH"},
        {";Temperature;;Humidity;\nDate;Inside;Outside;Inside;Outside\n01/06/2024 13:00;20;25;40;70\n",
         "Temperature Outside", "Humidity Outside"},
        {",Outside,,Inside,\nDate,Temp,RH,Temp,RH\n,C,%,C,%\n2024-06-01 13:00,25,70,20,40\n", "Outside Temp",
         "Outside RH"},
        {"Outside,,Inside,,\nTemp,RH,Temp,RH,Time\n25,70,20,40,2024-06-01 13:00\n", "Outside Temp", "Outside RH"},
        // In other languages.
        {",Interior,,Exterior,\nFecha,Temperatura,Humedad,Temperatura,Humedad\n2024-06-01 13:00,20,40,25,70\n",
         "Exterior Temperatura", "Exterior Humedad"},
        {";Interior;;Exterior;\nData;Temperatura;Umidade;Temperatura;Umidade\n01/06/2024 13:00;20;40;25;70\n",
         "Exterior Temperatura", "Exterior Umidade"},
        {";Interior;;Exterior;\nDatum;Temperatur;Luftfeuchte;Temperatur;Luftfeuchte\n01.06.2024 13:00;20;40;25;70\n",
         "Exterior Temperatur", "Exterior Luftfeuchte"},
        {";Innen;;Außen;\nDatum;Temperatur;Luftfeuchte;Temperatur;Luftfeuchte\n01.06.2024 13:00;20;40;25;70\n",
         "Außen Temperatur", "Außen Luftfeuchte"},
        {";Interior;;Exterior;\nData;Temp;UR;Temp;UR\n01/06/2024 13:00;20;40;25;70\n", "Exterior Temp", "Exterior UR"},
        // A unit above one name is no group of the next ones.
        {";°C;;\nDate;Temp;Wind;RH\n01/06/2024 13:00;25;3;70\n", "Temp °C", "RH"},
        {";%;;\nDate;RH;Wind;Temp\n01/06/2024 13:00;70;3;25\n", "Temp", "% RH"},
        // A title above a header that needs none; and the first column without a name, as pandas writes it.
        {"Weather of the farm,,\nDate,Temp,RH\n2024-06-01 13:00,25,70\n", "Temp", "RH"},
        {",Date,Temp,RH\n0,2024-06-01 13:00,25,70\n", "Temp", "RH"},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i].text, "C");
        if (asked.code != PL_OK)
            fail_msg("%s: %s", files[i].text, asked.err.message);
        const struct grain_hours *hours = &asked.hours;
        bool dated = strstr(files[i].text, "2024") != NULL;
        if (hours->count != 1 || hours->answered != 1 || hours->list[0].celsius != 25 || hours->list[0].ur != 70 ||
            hours->clock.read != dated || strcmp(hours->csv.taken_ta.name, files[i].ta) != 0 ||
            strcmp(hours->csv.taken_ur.name, files[i].ur) != 0)
            fail_msg("%s: '%s' and '%s', %zu rows", files[i].text, hours->csv.taken_ta.name, hours->csv.taken_ur.name,
                     hours->count);
        grain_hours_free(&asked.hours);
    }
}

static void groups_that_do_not_tell_are_refused_with_their_names(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf text;
    ask(&asked, "Date,Sensor A,,Sensor B,\n,Temp,RH,Temp,RH\n2024-06-01 13:00,25,70,20,40\n", "C");
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_COLUMNS);
    pl_buf_init(&text, 8192);
    grain_hours_say_problem(&text, &asked.fields, &asked.hours);
    pl_buf_append_byte(&text, 0);
    if (strstr((char *)text.data, "'Sensor A Temp', 'Sensor B Temp'") == NULL ||
        strstr((char *)text.data, "'Sensor A RH', 'Sensor B RH'") == NULL)
        fail_msg("%s", (char *)text.data);
    pl_buf_fini(&text);
    grain_hours_free(&asked.hours);
}

// Of two sensors that only a number tells apart, the humidity of the first was taken with the temperature of the
// second.
static void a_number_glued_to_the_name_tells_the_sensor(void **state)
{
    (void)state;
    static const struct {
        const char *header, *ta, *ur, *taken_ta, *taken_ur;
    } rows[] = {
        {"time,Temp1,RH1,Temp2,RH2", "Temp2", NULL, "Temp2", "RH2"},
        {"time,Temp1,RH1,Temp2,RH2", NULL, "RH2", "Temp2", "RH2"},
        {"time,Temp1,RH1,Temp2,RH2", "Temp1", NULL, "Temp1", "RH1"},
        {"time,Temp1,RH1,Temp2,RH2", "Temp1", "RH2", "Temp1", "RH2"},
        {"time,T1,RH1,T2,RH2", "T2", NULL, "T2", "RH2"},
        {"time,T1 (°C),RH1,T2 (°C),RH2", "T2 (°C)", NULL, "T2 (°C)", "RH2"},
        {"time,Temp1 (°C),RH1 (%),Temp2 (°C),RH2 (%)", "Temp2 (°C)", NULL, "Temp2 (°C)", "RH2 (%)"},
        {"time,Temp1,UR1,Temp2,UR2", "Temp2", NULL, "Temp2", "UR2"},
        {"time,Temperature1,Humidity1,Temperature2,Humidity2", "Temperature2", NULL, "Temperature2", "Humidity2"},
        {"time,Temp 1,RH 1,Temp 2,RH 2", "Temp 2", NULL, "Temp 2", "RH 2"},
        {"time,Temp1,RH2", NULL, NULL, "Temp1", "RH2"},
        // Nobody says which of two; and a second temperature that has no humidity.
        {"time,Temp1,RH1,Temp2,RH2", NULL, NULL, NULL, NULL},
        {"time,Temp1,RH1,Temp2,Wind", "Temp2", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        char text[200];
        (void)snprintf(text, sizeof text, "%s\n2024-06-01 13:00,20,40,25,70\n", rows[i].header);
        ask_columns(&asked, text, "C", rows[i].ta, rows[i].ur);
        bool refused = asked.hours.problem == GRAIN_HOURS_AMBIGUOUS_COLUMNS;
        if (refused != (rows[i].taken_ta == NULL))
            fail_msg("%s: %s", rows[i].header, refused ? "refused" : asked.hours.csv.taken_ur.name);
        if (!refused && (strcmp(asked.hours.csv.taken_ta.name, rows[i].taken_ta) != 0 ||
                         strcmp(asked.hours.csv.taken_ur.name, rows[i].taken_ur) != 0))
            fail_msg("%s: '%s' and '%s'", rows[i].header, asked.hours.csv.taken_ta.name, asked.hours.csv.taken_ur.name);
        grain_hours_free(&asked.hours);
    }
}

// German names without a place were refused or taken for another measure, and "Temp2F" was read as °C.
static void places_and_units_that_are_glued_to_a_name_are_read(void **state)
{
    (void)state;
    // The row is 20 (innen), 40, 77 or 25 (außen), 70.
    static const struct {
        const char *header, *outside, *ta, *ur;
    } files[] = {
        {"Zeit;Innentemperatur;Innenfeuchte;Außentemperatur;Außenfeuchte", "25", "Außentemperatur", "Außenfeuchte"},
        {"Zeit;Temperatur Innen;Luftfeuchtigkeit Innen;Temperatur Außen;Luftfeuchtigkeit Außen", "25",
         "Temperatur Außen", "Luftfeuchtigkeit Außen"},
        {"Zeitstempel;Aussentemp. (°C);Bodenfeuchte;Aussentemp. (°F);Rel. Feuchte", "77", NULL, NULL},
        {"Zeit;Wassertemperatur;Bodenfeuchte;Temperatur (°F);rel. Feuchte (%)", "77", "Temperatur (°F)",
         "rel. Feuchte (%)"},
        {"Zeit;T_Au\xDF"
         "en_H\xF6"
         "chstwert;Blattfeuchte;Temperatur au\xDF"
         "en (\xB0"
         "F);Feuchte au\xDF"
         "en",
         "77",
         "Temperatur au\xDF"
         "en (\xB0"
         "F)",
         "Feuchte au\xDF"
         "en"},
        {"dateutc;tempinf;humidityin;tempf;humidity", "77", "tempf", "humidity"},
        {"dateutc;Temp1F;RH1;Temp2F;RH2", "77", NULL, NULL},
        {"dateutc;wind;gust;Temp2F;RH2", "77", "Temp2F", "RH2"},
        {"dateutc;wind;gust;temp2f;humidity2", "77", "temp2f", "humidity2"},
        {"dateutc;wind;gust;Temp2C;RH2", "25", "Temp2C", "RH2"},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        char text[300];
        (void)snprintf(text, sizeof text, "%s\n2024-06-01 13:00;20;40;%s;70\n", files[i].header, files[i].outside);
        ask(&asked, text, NULL);
        const struct grain_hours *hours = &asked.hours;
        if (files[i].ta == NULL) {
            if (hours->problem != GRAIN_HOURS_AMBIGUOUS_COLUMNS)
                fail_msg("%s: not refused", files[i].header);
        } else if (asked.code != PL_OK || strcmp(hours->csv.taken_ta.name, files[i].ta) != 0 ||
                   strcmp(hours->csv.taken_ur.name, files[i].ur) != 0 || fabs(hours->list[0].celsius - 25) > 1e-9 ||
                   hours->list[0].ur != 70) {
            fail_msg("%s: '%s' and '%s' %s", files[i].header, hours->csv.taken_ta.name, hours->csv.taken_ur.name,
                     asked.code == PL_OK ? "" : asked.err.message);
        }
        grain_hours_free(&asked.hours);
    }
}

// The first of two columns with the name that was asked for was taken without a word.
static void a_name_that_two_columns_have_is_refused_with_their_numbers(void **state)
{
    (void)state;
    static const char text[] = "time,Temp,RH,Temp,RH\n2024-06-01 13:00,20,40,25,70\n";
    static const struct {
        const char *ta, *ur, *json;
    } rows[] = {
        {"Temp", NULL, "\"temperatureColumn\":[\"2\",\"4\"],\"humidityColumn\":[\"3\",\"5\"]"},
        {"Temp", "RH", "\"temperatureColumn\":[\"2\",\"4\"]"},
        {"4", "RH", "\"temperatureColumn\":[\"Temp\"],\"humidityColumn\":[\"3\",\"5\"]"},
        {NULL, "rh", "\"humidityColumn\":[\"3\",\"5\"]"},
    };
    struct asked asked;
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct pl_buf out;
        ask_columns(&asked, text, "C", rows[i].ta, rows[i].ur);
        assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_COLUMNS);
        pl_buf_init(&out, 8192);
        grain_hours_write_problem(&out, &asked.fields, &asked.hours);
        pl_buf_append_byte(&out, 0);
        if (strstr((char *)out.data, rows[i].json) == NULL || strstr((char *)out.data, "(column 5)") == NULL)
            fail_msg("%s", (char *)out.data);
        pl_buf_fini(&out);
        grain_hours_free(&asked.hours);
    }
    ask_columns(&asked, text, "C", "4", "5");
    assert_true(asked.code == PL_OK && asked.hours.list[0].celsius == 25 && asked.hours.list[0].ur == 70);
    grain_hours_free(&asked.hours);
    // The unit in a name that only the request says is a temperature.
    ask_columns(&asked, "time,T1 (°F),RH1\n2024-06-01 13:00,77,70\n", NULL, "T1 (°F)", NULL);
    assert_true(asked.code == PL_OK && fabs(asked.hours.list[0].celsius - 25) < 1e-9);
    grain_hours_free(&asked.hours);
    // Case tells them apart where the request writes it as one of them does.
    ask_columns(&asked, "time,TEMP,Temp,RH\n2024-06-01 13:00,20,25,70\n", "C", "Temp", NULL);
    assert_true(asked.code == PL_OK && asked.hours.list[0].celsius == 25);
    grain_hours_free(&asked.hours);
}

// 48 hours from midnight where the file was written, at a distance from UTC.
static void ask_days(struct asked *asked, int hours, const char *zone)
{
    struct pl_buf text;
    pl_buf_init(&text, 1 << 16);
    pl_buf_append_cstr(&text, "time,temp (C),rh\n");
    for (int i = 0; i < hours; i++)
        pl_buf_printf(&text, "2024-06-%02dT%02d:00%s,%d,70\n", 1 + i / 24, i % 24, zone, i < 24 ? 20 : 30);
    pl_buf_append_byte(&text, 0);
    ask(asked, (char *)text.data, NULL);
    pl_buf_fini(&text);
}

// Days were cut at midnight in UTC: three of them, of which one had hours of both.
static void a_day_is_that_of_the_clock_of_the_file(void **state)
{
    (void)state;
    static const char *const zones[] = {"", "Z", "+03:00", "-03:00", "+05:30", "-11:00"};
    for (size_t z = 0; z < PL_COUNTOF(zones); z++) {
        struct asked asked;
        struct grain_period periods[5];
        char first[GRAIN_STAMP_TEXT], last[GRAIN_STAMP_TEXT];
        ask_days(&asked, 48, zones[z]);
        size_t count = grain_hours_periods(&asked.hours, periods, PL_COUNTOF(periods));
        if (count != 2 || periods[0].count != 24 || periods[1].count != 24 || periods[0].high >= periods[0].low + 0.1)
            fail_msg("%s: %zu days, the first of %zu hours", zones[z], count, periods[0].count);
        grain_minutes_text(asked.hours.clock.starts, first);
        grain_minutes_text(asked.hours.clock.ends, last);
        assert_string_equal(first, "2024-06-01T00:00");
        assert_string_equal(last, "2024-06-02T23:00");
        grain_hours_free(&asked.hours);
    }
}

// A clock that is set back at midnight, as in Brazil until 2019, begins no day again.
static void a_clock_that_is_set_back_begins_no_day_again(void **state)
{
    (void)state;
    struct asked asked;
    struct grain_period periods[5];
    ask(&asked,
        "time,temp (C),rh\n2018-02-17T22:00-02:00,25,70\n2018-02-17T23:00-02:00,25,70\n2018-02-17T23:00-03:00,25,70\n"
        "2018-02-18T00:00-03:00,25,70\n2018-02-18T01:00-03:00,25,70\n",
        NULL);
    assert_int_equal(grain_hours_periods(&asked.hours, periods, PL_COUNTOF(periods)), 2);
    assert_true(periods[0].count == 3 && periods[1].count == 2 && asked.hours.clock.gaps == 0);
    grain_hours_free(&asked.hours);
}

// They were in January of 1970, and a row with a date among them was a gap of half a century.
static void times_without_a_date_are_days_from_the_first_row(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    ask(&asked,
        "time,temp (C),rh\n02:00+03:00,25,70\n22:00+03:00,25,70\n23:00+03:00,25,70\n2024-06-01T00:00,25,70\n"
        "01:00+03:00,25,70\n",
        NULL);
    assert_int_equal(asked.hours.answered, 4);
    assert_int_equal(asked.hours.list[3].error, GRAIN_HOUR_BAD_TIME);
    grain_hours_write(&out, &asked.fields, &asked.hours, false);
    pl_buf_append_byte(&out, 0);
    const char *text = (const char *)out.data;
    assert_non_null(strstr(text, "\"first\":\"Day 1 02:00\",\"last\":\"Day 2 01:00\""));
    assert_non_null(strstr(text, "\"longestGapAt\":\"Day 1 04:00\""));
    assert_null(strstr(text, "1970"));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

// A row with a day that does not exist, or that the others' order makes none of, has no time; it moved those behind it
// to 1970, or took the place of another day.
static void a_day_that_does_not_exist_is_a_row_without_a_time(void **state)
{
    (void)state;
    static const char *const rows[] = {"06/16/2024 14:00", "13/13/2024 14:00", "31/06/2024 14:00", "2023-02-29 14:00"};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        char file[400];
        struct asked asked;
        snprintf(file, sizeof file,
                 "time,temp (C),rh\n17/06/2024 12:00,25,70\n17/06/2024 13:00,25,70\n%s,40,20\n17/06/2024 15:00,25,70\n"
                 "17/06/2024 16:00,25,70\n",
                 rows[i]);
        ask(&asked, file, NULL);
        assert_int_equal(asked.code, PL_OK);
        char first[GRAIN_STAMP_TEXT], last[GRAIN_STAMP_TEXT];
        grain_minutes_text(asked.hours.clock.first, first);
        grain_minutes_text(asked.hours.clock.last, last);
        if (asked.hours.answered != 4 || strcmp(first, "2024-06-17T12:00") != 0 ||
            strcmp(last, "2024-06-17T16:00") != 0)
            fail_msg("%s: %zu rows, %s to %s", rows[i], asked.hours.answered, first, last);
        assert_int_equal(asked.hours.list[2].error, GRAIN_HOUR_BAD_TIME);
        grain_hours_free(&asked.hours);
    }
}

// Newest first, each row counted for 23 hours.
static void times_without_a_date_may_be_newest_first(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        double covered, expected;
    } files[] = {{"03:00,25,70\n02:00,25,70\n01:00,25,70\n00:00,25,70\n", 4, 4},
                 {"01:00,25,70\n00:00,25,70\n23:00,25,70\n22:00,25,70\n", 4, 4},
                 {"22:00,25,70\n23:00,25,70\n00:00,25,70\n01:00,25,70\n", 4, 4},
                 {"00:00,25,70\n12:00,25,70\n00:00,25,70\n12:00,25,70\n", 48, 48},
                 {"02:00,25,70\n22:00,25,70\n", 40, 40}};
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        char file[400];
        struct asked asked;
        snprintf(file, sizeof file, "time,temp (C),rh\n%s", files[i].rows);
        ask(&asked, file, NULL);
        const struct grain_clock *clock = &asked.hours.clock;
        if (fabs(clock->covered - files[i].covered) > 1e-9 || fabs(clock->expected - files[i].expected) > 1e-9)
            fail_msg("%s: %g of %g hours", files[i].rows, clock->covered, clock->expected);
        grain_hours_free(&asked.hours);
    }
}

// The unit of the cells counts for the other temperatures too: 35 (°F) of the grain was taken as 35 °C, and hours with
// condensation on it as hours to run the fan.
static void units_in_the_cells_count_for_the_grain(void **state)
{
    (void)state;
    static const char *const files[] = {
        "Time,Temperature (°F),Humidity\n2024-10-01 00:00,45.2,80\n2024-10-01 01:00,45.2,80\n",
        "Time,Temperature,Humidity\n2024-10-01 00:00,45.2 °F,80 %\n2024-10-01 01:00,45.2 °F,80 %\n",
        "Time,Temperature,Humidity\n2024-10-01 00:00,--,\n2024-10-01 01:00,45.2 °F,80 %\n2024-10-01 "
        "02:00,45.2 °F,80\n",
        "Time,Temperature,Humidity\n2024-10-01 00:00,-99.9,80\n2024-10-01 01:00,45.2 °F,80\n2024-10-01 "
        "02:00,45.2 °F,80\n",
        // A space at which no line may break is between them on pages.
        "Time,Temperature,Humidity\n2024-10-01 00:00,45.2\u00A0°F,80\u00A0%\n2024-10-01 01:00,45.2\u202F°F,80\n",
        "DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity\n2024-10-01T00:00,45.2 F,80\n2024-10-01T01:00,45.2 "
        "F,80\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        grain_fields_init(&asked.fields, GRAIN_HOURS_FIELDS);
        grain_fields_put(&asked.fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
        grain_fields_put(&asked.fields, pl_slice_cstr("moisture"), pl_slice_cstr("18"));
        grain_fields_put(&asked.fields, pl_slice_cstr("grainTa"), pl_slice_cstr("35"));
        if (grain_hours_answer(&asked.fields, pl_slice_cstr(files[i]), NULL, &asked.hours, &asked.err) != PL_OK)
            fail_msg("%s: %s", files[i], asked.err.message);
        if (!(fabs(asked.hours.grain_celsius - 5.0 / 3) < 0.01))
            fail_msg("%s: the grain has %g °C", files[i], asked.hours.grain_celsius);
        if (asked.hours.answered != 2 || !(fabs(asked.hours.condensation - 2) < 1e-9))
            fail_msg("%s: %zu rows, %g h", files[i], asked.hours.answered, asked.hours.condensation);
        grain_hours_free(&asked.hours);
    }
}

// A cell without a unit among others with one is as of a file that says none.
static void a_unit_in_one_cell_is_not_that_of_all(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, "time,temp,rh\n2024-10-01 00:00,15 °C,80\n2024-10-01 01:00,65,80\n2024-10-01 02:00,66,80\n", NULL);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_UNIT);
    grain_hours_free(&asked.hours);
    ask(&asked, "time,temp,rh\n2024-10-01 00:00,59 °F,80\n2024-10-01 01:00,15,80\n", NULL);
    assert_true(asked.code == PL_OK && asked.hours.unit_assumed);
    assert_true(fabs(asked.hours.list[0].celsius - 15) < 0.01 && fabs(asked.hours.list[1].celsius - 15) < 0.01);
    grain_hours_free(&asked.hours);
    ask(&asked, "time,temp,dew point\n2024-10-01 00:00,290 K,10\n", NULL);
    assert_int_equal(asked.hours.answered, 1);
    grain_hours_free(&asked.hours);
}

// One row with another date that exists does not decide the order of day and month for all.
static void the_order_of_day_and_month_is_that_of_most_rows(void **state)
{
    (void)state;
    static const char *const others[] = {"06/16/2024 12:00", "01/01/1970 00:00"};
    for (size_t i = 0; i < PL_COUNTOF(others); i++) {
        char file[4096], last[GRAIN_STAMP_TEXT];
        size_t len = (size_t)snprintf(file, sizeof file, "time,temp (C),rh\n");
        for (int hour = 0; hour < 72; hour++) {
            char time[40];
            if (i == 0)
                snprintf(time, sizeof time, "%02d/06/2024 %02d:00", hour / 24 + 1, hour % 24);
            else
                snprintf(time, sizeof time, "06/%02d/2024 %02d:00", hour / 24 + 1, hour % 24);
            len += (size_t)snprintf(file + len, sizeof file - len, "%s,25,70\n", hour == 40 ? others[i] : time);
        }
        struct asked asked;
        ask(&asked, file, NULL);
        grain_minutes_text(asked.hours.list[asked.hours.count - 1].minutes, last);
        if (strcmp(last, "2024-06-03T23:00") != 0)
            fail_msg("%s: the last row is at %s", others[i], last);
        grain_hours_free(&asked.hours);
    }
}

// "Humidity" beside "Indoor Humidity" is that outside; the air in the house was taken.
static void a_measure_without_a_place_is_of_the_place_that_is_left(void **state)
{
    (void)state;
    static const char *const files[] = {
        "Time,Outdoor Temperature (°F),Humidity (%),Indoor Temperature (°F),Indoor Humidity (%)\n"
        "2024-10-01 00:00,77,70,60,40\n",
        "Data;Temperatura externa;Umidade;Temperatura interna;Umidade interna\n01/10/2024 00:00;25;70;20;40\n",
    };
    struct asked asked;
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        ask(&asked, files[i], NULL);
        if (asked.code != PL_OK || !(fabs(asked.hours.list[0].celsius - 25) < 0.01 && asked.hours.list[0].ur == 70))
            fail_msg("%s: %s", files[i], asked.err.message);
        grain_hours_free(&asked.hours);
    }
    // A sensor of nobody knows where beside one outside: its user knows.
    ask(&asked,
        "Time,Outdoor Temperature (°F),Humidity (%),Indoor Temperature (°F),Indoor Humidity (%),Sensor 1 Temperature "
        "(°F),Sensor 1 Humidity (%)\n2024-10-01 00:00,77,70,60,40,50,50\n",
        NULL);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_COLUMNS);
    grain_hours_free(&asked.hours);
    // Nor is the air of a bin or a plenum taken beside that outside because its columns are worded alike.
    static const char *const rivals[] = {
        "Data;Temperatura externa (°C);Umidade do ar externo (%);Temperatura silo (°C);Umidade silo (%)",
        "Data;Outdoor Temp (C);Humidity;Bin Temp (C);Bin Humidity",
        "Data;Outdoor Temp (C);RH;Plenum Temp (C);Plenum RH",
        "Data;Outside temp (C);Outside RH;Temp plenum (C);RH plenum",
        "Data;External temperature (C);External humidity;Temperature of bin (C);RH of bin",
    };
    for (size_t i = 0; i < PL_COUNTOF(rivals); i++) {
        char file[300];
        snprintf(file, sizeof file, "%s\n01/10/2024 00:00;15;85;25;50\n", rivals[i]);
        ask(&asked, file, NULL);
        if (asked.hours.problem != GRAIN_HOURS_AMBIGUOUS_COLUMNS)
            fail_msg("%s", rivals[i]);
        grain_hours_free(&asked.hours);
    }
}

// "20.5 deg C", a sign of its own for degrees, minus as pages write it, thin spaces: these rows were bad.
static void cells_are_read_as_people_and_pages_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *ta, *ur;
        double celsius;
    } cells[] = {
        {"25 deg C", "70", 25},
        {"25 degC", "70%", 25},
        {"25 deg. C", "70 %", 25},
        {"25\u2103", "70 % RH", 25},
        {"77 \u2109", "70 percent", 25},
        {"77 degrees F", "70", 25},
        {"298.15 kelvin", "70", 25},
        {"25\u2009°C", "70\u2009%", 25},
        {"25\u202F°C", "70\u202F%", 25},
        {"25 º C", "70\u00A0%", 25},
        {"25\xA0\xB0"
         "C",
         "70\xA0%", 25},
        {"\u22125.5 °C", "70", -5.5},
        {"\u22125,5 °C", "70", -5.5},
        {"-5.5 graus Celsius", "70", -5.5},
    };
    for (size_t i = 0; i < PL_COUNTOF(cells); i++) {
        char file[200];
        struct asked asked;
        snprintf(file, sizeof file, "time;temp;rh\n2024-06-01 13:00;%s;%s\n", cells[i].ta, cells[i].ur);
        ask(&asked, file, NULL);
        if (asked.code != PL_OK || asked.hours.answered != 1 || asked.hours.unit_assumed ||
            !(fabs(asked.hours.list[0].celsius - cells[i].celsius) < 0.01 && asked.hours.list[0].ur == 70))
            fail_msg("%s, %s: %g °C, %s", cells[i].ta, cells[i].ur, asked.hours.list[0].celsius, asked.err.message);
        grain_hours_free(&asked.hours);
    }
    // A percentage is no temperature, and a temperature no humidity.
    struct asked asked;
    ask(&asked, "time;temp;rh\n2024-06-01 13:00;25 %;70\n2024-06-01 14:00;25;70 °C\n2024-06-01 15:00;25;70\n", "C");
    assert_int_equal(asked.hours.list[0].error, GRAIN_HOUR_BAD_TA);
    assert_int_equal(asked.hours.list[1].error, GRAIN_HOUR_BAD_UR);
    assert_int_equal(asked.hours.answered, 1);
    grain_hours_free(&asked.hours);
}

// Only the dew points say °F: 77 was taken as 77 °C.
static void a_dew_point_tells_the_unit_in_its_cells(void **state)
{
    (void)state;
    static const char *const files[] = {
        "time,temp,dew point\n2024-06-01 13:00,77,66.4 °F\n2024-06-01 14:00,77,66.4 °F\n",
        "time,temp,rh,dew point\n2024-06-01 13:00,77,70,66.4 °F\n2024-06-01 14:00,77,70,66.4 °F\n",
        ("DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity,HourlyDewPointTemperature\n"
         "2024-06-01T13:00,77,70,66.4 F\n2024-06-01T14:00,77,70,66.4 F\n"),
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i], NULL);
        if (asked.code != PL_OK || asked.hours.answered != 2 || !asked.fields.fahrenheit || asked.hours.unit_assumed ||
            !(fabs(asked.hours.list[1].celsius - 25) < 0.01 && fabs(asked.hours.list[1].ur - 70) < 0.7))
            fail_msg("%s: %zu rows, %s", files[i], asked.hours.answered, asked.err.message);
        grain_hours_free(&asked.hours);
    }
}

// The header says °C and cells say °F: the cells counted, and nobody heard of it.
static void a_unit_of_the_cells_against_the_header_is_asked_for(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf text;
    static const struct {
        const char *text, *column;
    } files[] = {
        {"time,temp (C),rh\n2024-06-01 13:00,25,70\n2024-06-01 14:00,77 °F,70\n", "'temp (C)'"},
        {"time,temp (C),dew point (F)\n2024-06-01 13:00,25,66.4\n2024-06-01 14:00,25,19.1 °C\n", "'dew point (F)'"},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        ask(&asked, files[i].text, NULL);
        assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_UNIT);
        pl_buf_init(&text, 8192);
        grain_hours_say_problem(&text, &asked.fields, &asked.hours);
        pl_buf_append_byte(&text, 0);
        if (strstr((const char *)text.data, files[i].column) == NULL)
            fail_msg("%s", (const char *)text.data);
        pl_buf_fini(&text);
        grain_hours_free(&asked.hours);
    }
    // With a unit asked for they are read as they say, and that is told; also where the header says none.
    static const char *const told[] = {
        "time,temp (C),rh\n2024-06-01 13:00,25,70\n2024-06-01 14:00,77 °F,70\n",
        "time,temp,rh\n2024-06-01 13:00,25,70\n2024-06-01 14:00,77 °F,70\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(told); i++) {
        ask(&asked, told[i], "C");
        assert_int_equal(asked.code, PL_OK);
        assert_int_equal(asked.hours.cells_differ, GRAIN_COLUMN_TA);
        assert_true(fabs(asked.hours.list[0].celsius - 25) < 0.01 && fabs(asked.hours.list[1].celsius - 25) < 0.01);
        pl_buf_init(&text, 1 << 16);
        grain_hours_write(&text, &asked.fields, &asked.hours, false);
        pl_buf_append_byte(&text, 0);
        assert_non_null(strstr((const char *)text.data, "unit_overruled"));
        pl_buf_fini(&text);
        grain_hours_free(&asked.hours);
    }
}

// "24-06-01" was the 24th of June 2001.
static void a_year_of_two_digits_may_be_first(void **state)
{
    (void)state;
    static const struct {
        const char *before, *behind; // the number of a day of June
        int days;
        const char *year;
    } files[] = {
        {"24-06-", "", 3, "2024"}, {"24/06/", "", 3, "2024"},  {"24-06-", "", 1, "2024"}, {"", "-06-24", 3, "2024"},
        {"", ".06.24", 1, "2024"}, {"06/", "/24", 20, "2024"}, {"98-06-", "", 3, "1998"}, {"24-06-", "", 30, "2024"},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        static char file[40000];
        char first[GRAIN_STAMP_TEXT], last[GRAIN_STAMP_TEXT], from[40], to[40];
        snprintf(from, sizeof from, "%s-06-01T00:00", files[i].year);
        snprintf(to, sizeof to, "%s-06-%02dT23:00", files[i].year, files[i].days);
        size_t len = (size_t)snprintf(file, sizeof file, "time;temp (C);rh\n");
        for (int hour = 0; hour < 24 * files[i].days; hour++) {
            len += (size_t)snprintf(file + len, sizeof file - len, "%s%02d%s %02d:00;25;70\n", files[i].before,
                                    hour / 24 + 1, files[i].behind, hour % 24);
        }
        struct asked asked;
        ask(&asked, file, NULL);
        assert_int_equal(asked.code, PL_OK);
        grain_minutes_text(asked.hours.list[0].minutes, first);
        grain_minutes_text(asked.hours.list[asked.hours.count - 1].minutes, last);
        if (strcmp(first, from) != 0 || strcmp(last, to) != 0 || asked.hours.clock.gaps > 0)
            fail_msg("%s: %s to %s", file, first, last);
        grain_hours_free(&asked.hours);
    }
}

// On one day nothing shows the order of day and month: it was chosen in silence, and after °F also of dates with dots.
static void an_order_of_day_and_month_that_nothing_shows_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *first;
        bool told;
    } files[] = {
        {"time,temp (C),rh\n03/04/2024 01:00,25,70\n03/04/2024 02:00,25,70\n", "2024-04-03T01:00", true},
        {"time,temp (F),rh\n03/04/2024 01:00,77,70\n03/04/2024 02:00,77,70\n", "2024-03-04T01:00", true},
        {"time,temp (C),rh\n03/04/2024 01:00 AM,25,70\n03/04/2024 02:00 AM,25,70\n", "2024-03-04T01:00", true},
        {"time,temp (F),rh\n03.04.2024 01:00,77,70\n03.04.2024 02:00,77,70\n", "2024-04-03T01:00", false},
        {"time,temp (F),rh\n04/04/2024 01:00,77,70\n04/04/2024 02:00,77,70\n", "2024-04-04T01:00", false},
        {"time,temp (F),rh\n03/14/2024 01:00,77,70\n03/14/2024 02:00,77,70\n", "2024-03-14T01:00", false},
        {"time,temp (F),rh\n03/04/2024 23:00,77,70\n03/05/2024 00:00,77,70\n", "2024-03-04T23:00", false},
        {"time,temp (F),rh\n2024-03-04 01:00,77,70\n2024-03-04 02:00,77,70\n", "2024-03-04T01:00", false},
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        char first[GRAIN_STAMP_TEXT];
        ask(&asked, files[i].file, NULL);
        assert_int_equal(asked.code, PL_OK);
        grain_minutes_text(asked.hours.list[0].minutes, first);
        bool told = false;
        size_t next = 0;
        for (const struct grain_hours_note *note; (note = grain_hours_next_note(&asked.hours, &next)) != NULL;)
            told = told || strcmp(note->code, "date_order_assumed") == 0;
        if (strcmp(first, files[i].first) != 0 || told != files[i].told)
            fail_msg("%s: %s, %stold", files[i].file, first, told ? "" : "not ");
        grain_hours_free(&asked.hours);
    }
}

// NASA's name with its unit, and the mean of a logger of Campbell: files with them were refused.
static void names_of_services_may_have_their_unit(void **state)
{
    (void)state;
    static const char *const files[] = {
        "YEAR,MO,DY,HR,T2M (C),RH2M (%)\n2024,6,1,13,25,70\n",
        "TIMESTAMP,T2M [°C],RH2M\n2024-06-01 13:00,25,70\n",
        "TIMESTAMP,Tair_C_Avg,RH_Avg\n2024-06-01 13:00,25,70\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i], NULL);
        if (asked.code != PL_OK || asked.hours.problem != GRAIN_HOURS_NO_PROBLEM || asked.hours.unit_assumed ||
            fabs(asked.hours.list[0].celsius - 25) > 1e-9 || fabs(asked.hours.list[0].ur - 70) > 1e-9)
            fail_msg("%s", files[i]);
        grain_hours_free(&asked.hours);
    }
}

// A station of Ecowitt with a sensor of its own: the columns that say "Outdoor" are meant.
static void a_pair_that_says_outdoor_goes_before_a_channel(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "Time,Outdoor Temperature(\u2103),Outdoor Humidity(%),Indoor Temperature(\u2103),Indoor Humidity(%),CH1 "
        "Temperature(\u2103),CH1 Humidity(%)\n2024-10-01 00:00,25,70,20,40,10,90\n",
        ",Outdoor,,Indoor,,CH1 Temp and "
        "Humidity,\nTime,Temperature(\u2103),Humidity(%),Temperature(\u2103),Humidity(%),"
        "Temperature(\u2103),Humidity(%)\n2024-10-01 00:00,25,70,20,40,10,90\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(heads); i++) {
        struct asked asked;
        ask(&asked, heads[i], NULL);
        if (asked.code != PL_OK || asked.hours.list[0].celsius != 25 || asked.hours.list[0].ur != 70)
            fail_msg("%s: %s", heads[i], asked.err.message);
        grain_hours_free(&asked.hours);
    }
    // Two pairs of which neither says it: its user knows.
    struct asked asked;
    ask(&asked, "Time,CH1 Temperature(C),CH1 Humidity,CH2 Temperature(C),CH2 Humidity\n2024-10-01 00:00,25,70,20,40\n",
        NULL);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_AMBIGUOUS_COLUMNS);
    grain_hours_free(&asked.hours);
}

// What is measured in the product, and humidities that are no relative ones.
static void columns_of_the_product_and_absolute_humidities_are_not_the_air(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Umidade do produto (%)", "Umidade da soja", "Umidade milho",   "Humedad del maíz",
        "Humedad cereal",         "Feuchte Weizen",  "Kernel Humidity", "Temperatura do produto",
        "Temperatura da massa",   "Product Temp",    "Corn Temp",       "humidity_ratio (g/kg)",
        "humidity deficit (hPa)", "Humidity (g/m³)", "SUR_TEMP"};
    for (size_t i = 0; i < PL_COUNTOF(names); i++) {
        if (grain_column_of(pl_slice_cstr(names[i])).kind != GRAIN_COLUMN_OTHER)
            fail_msg("%s", names[i]);
    }
    static const char *const files[] = {
        "Data,Temperatura do ar,Umidade do ar,Temperatura do produto,Umidade do produto (%)\n1,25,70,30,14\n",
        "time,Corn Temp,temp (C),humidity_ratio (g/kg),rh\n1,30,25,12,70\n",
        "SUR_TEMP,T_HR_AVG,RH_HR_AVG\n40,25,70\n",
    };
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i], NULL);
        if (asked.code != PL_OK || fabs(asked.hours.list[0].celsius - 25) > 1e-9 || asked.hours.list[0].ur != 70)
            fail_msg("file %zu: %s", i, asked.err.message);
        grain_hours_free(&asked.hours);
    }
}

// October in °F has few hours above 50, and none of them is air in °C.
static void a_few_temperatures_above_50_ask_for_the_unit(void **state)
{
    (void)state;
    static const struct {
        int hot, of, other;
        bool refused;
    } files[] = {{2, 100, 22, false},
                 {1, 10, 22, false},
                 {6, 100, 22, true},
                 {31, 100, 22, true},
                 {1, 1, 22, true},
                 // A cool day in °F was taken for one of 45 °C.
                 {0, 24, 45, true},
                 {0, 24, 36, true},
                 {0, 24, 34, false},
                 {0, 12, 42, false}};
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        char text[4096] = "temp,rh\n";
        size_t len = strlen(text);
        for (int row = 0; row < files[i].of; row++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%d,70\n", row < files[i].hot ? 56 : files[i].other);
        struct asked asked;
        ask(&asked, text, NULL);
        if ((asked.hours.problem == GRAIN_HOURS_AMBIGUOUS_UNIT) != files[i].refused)
            fail_msg("%d of %d rows above 50, others %d", files[i].hot, files[i].of, files[i].other);
        grain_hours_free(&asked.hours);
        ask(&asked, text, "F");
        assert_int_equal(asked.code, PL_OK);
        grain_hours_free(&asked.hours);
    }
}

// A column that names its clock has no daylight saving: a missing hour is a gap.
static void a_clock_of_one_distance_from_utc_does_not_change(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool fixed;
    } names[] = {{"time", false}, {"time (UTC)", true}, {"Date (PST)", true}, {"date_utc", true}, {"Best time", false}};
    for (size_t i = 0; i < PL_COUNTOF(names); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "%s,temp,rh\n2024-03-10 00:00,25,70\n2024-03-10 01:00,25,70\n2024-03-10 03:00,24,71\n"
                 "2024-03-10 04:00,24,71\n",
                 names[i].name);
        struct asked asked;
        ask(&asked, text, NULL);
        const struct grain_clock *clock = &asked.hours.clock;
        if (clock->read && (clock->gaps != names[i].fixed || clock->changes == names[i].fixed))
            fail_msg("%s: %zu gaps, %zu changes", names[i].name, clock->gaps, clock->changes);
        assert_true(clock->read || i == 4);
        grain_hours_free(&asked.hours);
    }
    struct asked asked;
    ask(&asked,
        "Date,Hour (PST),temp,rh\n2024-03-10,00:00,25,70\n2024-03-10,01:00,25,70\n2024-03-10,03:00,24,71\n"
        "2024-03-10,04:00,24,71\n",
        NULL);
    assert_true(asked.hours.clock.gaps == 1 && asked.hours.clock.changes == 0);
    grain_hours_free(&asked.hours);
}

// The hourly files of NOAA mark what they hold for suspect (2, 6) or wrong (3, 7).
static void values_that_noaa_marks_as_suspect_are_bad_rows(void **state)
{
    (void)state;
    for (char mark = '0'; mark <= '9'; mark++) {
        char text[200];
        bool suspect = strchr("2367", mark) != NULL;
        snprintf(text, sizeof text,
                 "DATE,TMP,DEW\n2024-06-01T00:00,\"+0250,1\",\"+0190,%c\"\n"
                 "2024-06-01T01:00,\"+0250,%c\",\"+0190,1\"\n",
                 mark, mark);
        struct asked asked;
        ask(&asked, text, NULL);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(asked.hours.list[i].error, suspect ? GRAIN_HOUR_SUSPECT : GRAIN_HOUR_OK);
        grain_hours_free(&asked.hours);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_below_the_names_are_read),
        cmocka_unit_test(units_that_do_not_tell_are_asked_for),
        cmocka_unit_test(groups_above_the_names_are_read),
        cmocka_unit_test(groups_that_do_not_tell_are_refused_with_their_names),
        cmocka_unit_test(a_number_glued_to_the_name_tells_the_sensor),
        cmocka_unit_test(places_and_units_that_are_glued_to_a_name_are_read),
        cmocka_unit_test(a_name_that_two_columns_have_is_refused_with_their_numbers),
        cmocka_unit_test(a_day_is_that_of_the_clock_of_the_file),
        cmocka_unit_test(a_clock_that_is_set_back_begins_no_day_again),
        cmocka_unit_test(a_day_that_does_not_exist_is_a_row_without_a_time),
        cmocka_unit_test(times_without_a_date_may_be_newest_first),
        cmocka_unit_test(units_in_the_cells_count_for_the_grain),
        cmocka_unit_test(a_unit_in_one_cell_is_not_that_of_all),
        cmocka_unit_test(the_order_of_day_and_month_is_that_of_most_rows),
        cmocka_unit_test(a_measure_without_a_place_is_of_the_place_that_is_left),
        cmocka_unit_test(times_without_a_date_are_days_from_the_first_row),
        cmocka_unit_test(cells_are_read_as_people_and_pages_write_them),
        cmocka_unit_test(a_dew_point_tells_the_unit_in_its_cells),
        cmocka_unit_test(a_unit_of_the_cells_against_the_header_is_asked_for),
        cmocka_unit_test(a_year_of_two_digits_may_be_first),
        cmocka_unit_test(an_order_of_day_and_month_that_nothing_shows_is_told),
        cmocka_unit_test(names_of_services_may_have_their_unit),
        cmocka_unit_test(a_pair_that_says_outdoor_goes_before_a_channel),
        cmocka_unit_test(columns_of_the_product_and_absolute_humidities_are_not_the_air),
        cmocka_unit_test(a_few_temperatures_above_50_ask_for_the_unit),
        cmocka_unit_test(a_clock_of_one_distance_from_utc_does_not_change),
        cmocka_unit_test(values_that_noaa_marks_as_suspect_are_bad_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
