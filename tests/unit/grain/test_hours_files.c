// Files as weather services, stations and loggers write them: the right columns, units and times, or a refusal with the
// choices; and what the times say about the season.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/hours.h"
#include "grain/hours_out.h"
#include "unit.h"

struct asked {
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err;
    enum pl_errc code;
};

static void ask(struct asked *asked, const char *text, const char *options[][2], size_t count)
{
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&asked->fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
    for (size_t i = 0; i < count; i++)
        grain_fields_put(&asked->fields, pl_slice_cstr(options[i][0]), pl_slice_cstr(options[i][1]));
    asked->err.code = PL_OK;
    asked->code = grain_hours_answer(&asked->fields, pl_slice_cstr(text), NULL, &asked->hours, &asked->err);
}

// Each file has two rows of 25 °C and 70 %, an hour apart, from 2024-06-01T13:00 in the clock of the file.
static const struct {
    const char *service, *text;
} files[] = {
    {"NASA POWER, hourly",
     "-BEGIN HEADER-\nNASA/POWER CERES/MERRA2 Native Resolution Hourly Data\nT2M     MERRA-2 Temperature at 2 Meters "
     "(C)\n"
     "RH2M    MERRA-2 Relative Humidity at 2 Meters (%)\n-END HEADER-\nYEAR,MO,DY,HR,T2M,RH2M\n2024,6,1,13,25,70\n"
     "2024,6,1,14,25,70\n"},
    {"NASA POWER with dew and wet bulb",
     "YEAR,MO,DY,HR,T2M,T2MDEW,T2MWET,QV2M,RH2M\n2024,06,01,13,25,19.1,21,13.9,70\n2024,06,01,14,25,19.1,21,13.9,70\n"},
    {"NOAA global hourly (ISD)",
     "\"STATION\",\"DATE\",\"SOURCE\",\"REPORT_TYPE\",\"WND\",\"TMP\",\"DEW\",\"SLP\"\n"
     "\"72\",\"2024-06-01T13:00:00\",\"7\",\"FM-15\",\"1,1,N,0041,1\",\"+0250,1\",\"+0191,1\",\"10132,1\"\n"
     "\"72\",\"2024-06-01T14:00:00\",\"7\",\"FM-15\",\"1,1,N,0041,1\",\"+0250,1\",\"+0191,1\",\"10132,1\"\n"},
    {"INMET, yearly file",
     "REGIAO:;S\nUF:;RS\nESTACAO:;CRUZ ALTA\nCODIGO (WMO):;A853\nLATITUDE:;-28,6\nLONGITUDE:;-53,6\nALTITUDE:;432\n"
     "DATA DE FUNDACAO:;01/01/07\nData;Hora UTC;PRECIPITA\xC7\xC3O TOTAL, HOR\xC1RIO (mm);TEMPERATURA DO AR - BULBO "
     "SECO, "
     "HORARIA (\xB0"
     "C);TEMPERATURA DO PONTO DE ORVALHO (\xB0"
     "C);TEMPERATURA M\xC1XIMA NA HORA ANT. (AUT) (\xB0"
     "C);UMIDADE REL. MAX. NA HORA ANT. (AUT) (%);UMIDADE RELATIVA DO AR, HORARIA (%);VENTO;\n"
     "2024/06/01;1300 UTC;0;25,0;19,1;26,1;80;70;1,2;\n2024/06/01;1400 UTC;0;25,0;19,1;26,1;80;70;1,2;\n"},
    {"INMET, portal",
     "Data;Hora (UTC);Temp. Ins. (C);Temp. Max. (C);Temp. Min. (C);Umi. Ins. (%);Umi. Max. (%);Umi. Min. (%);Pto "
     "Orvalho Ins. "
     "(C)\n01/06/2024;1300;25,0;26,0;24,0;70,0;80,0;60,0;19,1\n01/06/2024;1400;25,0;26,0;24,0;70,0;80,0;60,0;19,1\n"},
    {"INMET, interface",
     "DC_NOME;DT_MEDICAO;HR_MEDICAO;TEM_INS;TEM_MAX;UMD_INS;UMD_MAX;PTO_INS\nX;2024-06-01;1300;25.0;26;70;80;19.1\n"
     "X;2024-06-01;1400;25.0;26;70;80;19.1\n"},
    {"AEMET, last hours of a station",
     "\"Fecha y hora oficial\";\"Temperatura (\xC2\xBA"
     "C)\";\"Velocidad del viento (km/h)\";\"Humedad (%)\"\n\"01/06/2024 14:00\";\"25.0\";\"7\";\"70\"\n\"01/06/2024 "
     "13:00\";\"25.0\";\"7\";\"70\"\n"},
    {"AEMET OpenData", "idema;lon;fint;prec;hr;ta;tamin;tamax\n1;2;2024-06-01T13:00:00+0000;0;70;25.0;24;26\n"
                       "1;2;2024-06-01T14:00:00+0000;0;70;25.0;24;26\n"},
    {"AEMET OpenData, with a dew point that is not of this air",
     "idema;fint;hr;ta;tpr\n1;2024-06-01T13:00:00;70;25.0;9\n"
     "1;2024-06-01T14:00:00;70;25.0;9\n"},
    {"seconds since 1970", "unixtime,temp_c,rh\n1717246800,25,70\n1717250400,25,70\n"},
    {"Kestrel",
     "FORMATTED DATE_TIME,Temperature,Relative Humidity,Heat Index,Dew Point\nYYYY-MM-DD HH:MM:SS,°F,%,°F,°F\n"
     "2024-06-01 13:00:00,77,70,78,66.4\n2024-06-01 14:00:00,77,70,78,66.4\n"},
    {"Home Assistant", "entity_id,last_changed,temperature (°C),humidity\na,2024-06-01T13:00:00.000Z,25,70\n"
                       "a,2024-06-01T14:00:00.000Z,25,70\n"},
    {"DWD, hourly air temperature",
     "STATIONS_ID;MESS_DATUM;QN_9;TT_TU;RF_TU;eor\n         44;2024060113;    3;  25.0;  70.0;eor\n"
     "         44;2024060114;    3;  25.0;  70.0;eor\n"},
    {"DWD, ten minutes, here by the hour",
     "STATIONS_ID;MESS_DATUM;  QN;PP_10;TT_10;TM5_10;RF_10;TD_10;eor\n44;202406011300;3;-999;25.0;26.1;70.0;19.1;eor\n"
     "44;202406011400;3;-999;25.0;26.1;70.0;19.1;eor\n"},
    {"Meteostat",
     "time,temp,dwpt,rhum,prcp,snow,wdir,wspd,wpgt,pres,tsun,coco\n2024-06-01 13:00:00,25,19.1,70,0,,1,2,,1013,,3\n"
     "2024-06-01 14:00:00,25,19.1,70,0,,1,2,,1013,,3\n"},
    {"Meteostat, bulk with names", "date,hour,temp,dwpt,rhum\n2024-06-01,13,25,19.1,70\n2024-06-01,14,25,19.1,70\n"},
    {"Meteostat, bulk with sources",
     "year,month,day,hour,temp,temp_source,dwpt,dwpt_source,rhum,rhum_source\n2024,6,1,13,25,dwd,19.1,dwd,70,dwd\n"
     "2024,6,1,14,25,dwd,19.1,dwd,70,dwd\n"},
    {"IEM, ASOS", "station,valid,tmpf,dwpf,relh,feel\nAMW,2024-06-01 13:00,77.00,66.4,70.00,M\nAMW,2024-06-01 "
                  "14:00,77.00,66.4,70.00,M\n"},
    {"CIMIS", "Stn Id,Stn Name,CIMIS Region,Date,Hour (PST),Jul,ETo (in),qc,Air Temp (F),qc,Rel Hum (%),qc,Dew Point "
              "(F),qc,Soil Temp (F),qc\n2,FivePoints,SJV,6/1/2024,1300,153,0.02, ,77,Y,70,Y,66.4, ,70, \n"
              "2,FivePoints,SJV,6/1/2024,1400,153,0.02, ,77,Y,70,Y,66.4, ,70, \n"},
    {"Environment Canada",
     "\"Longitude (x)\",\"Latitude (y)\",\"Station Name\",\"Date/Time (LST)\",\"Year\",\"Month\",\"Day\",\"Time "
     "(LST)\",\"Flag\",\"Temp (°C)\",\"Temp Flag\",\"Dew Point Temp (°C)\",\"Dew Point Temp Flag\",\"Rel Hum "
     "(%)\",\"Rel Hum "
     "Flag\",\"Hmdx\",\"Wind Chill\"\n\"-97\",\"49\",\"X\",\"2024-06-01 "
     "13:00\",\"2024\",\"06\",\"01\",\"13:00\",\"\",\"25.0\",\"\",\"19.1\",\"\",\"70\",\"\",\"\",\"\"\n\"-97\",\"49\","
     "\"X\",\"2024-06-"
     "01 14:00\",\"2024\",\"06\",\"01\",\"14:00\",\"\",\"25.0\",\"\",\"19.1\",\"\",\"70\",\"\",\"\",\"\"\n"},
    {"WeatherLink 6, two lines of header", "\t\tTemp\tHi\tLow\tOut\tDew\tWind\tIn\tIn\n"
                                           "Date\tTime\tOut\tTemp\tTemp\tHum\tPt.\tSpeed\tTemp\tHum\n"
                                           "06/01/24\t1:00p\t25.0\t26.0\t24.0\t70\t19.1\t3\t21.0\t40\n06/01/"
                                           "24\t2:00p\t25.0\t26.0\t24.0\t70\t19.1\t3\t21.0\t40\n"},
    {"WeatherLink.com", "\"Date & Time\",\"Barometer - in Hg\",\"Temp - °F\",\"High Temp - °F\",\"Low Temp - "
                        "°F\",\"Hum - %\",\"Dew Point - "
                        "°F\",\"Inside Temp - °F\",\"Inside Hum - %\"\n\"6/1/24 1:00 "
                        "PM\",\"29.9\",\"77\",\"78\",\"76\",\"70\",\"66\",\"70\",\"40\"\n\"6/1/24 "
                        "2:00 PM\",\"29.9\",\"77\",\"78\",\"76\",\"70\",\"66\",\"70\",\"40\"\n"},
    {"Ecowitt", "Time,Outdoor Temperature(℉),Outdoor Feels Like(℉),Outdoor Dew Point(℉),Outdoor Humidity(%),Indoor "
                "Temperature(℉),Indoor "
                "Humidity(%)\n2024/6/1 13:00,77,78,66,70,70,40\n2024/6/1 14:00,77,78,66,70,70,40\n"},
    {"Weather Underground",
     "Time\tTemperature\tDew Point\tHumidity\tWind\n1:00 PM\t77.0 °F\t66.4 °F\t70 %\tN\n2:00 PM\t77.0 °F\t66.4 "
     "°F\t70 %\tN\n"},
    {"Open-Meteo",
     "latitude,longitude,elevation\n-28.6,-53.6,432\n\ntime,temperature_2m (°C),relative_humidity_2m (%),dew_point_2m "
     "(°C),apparent_temperature (°C),temperature_80m (°C),soil_temperature_0cm "
     "(°C)\n2024-06-01T13:00,25.0,70,19.1,27,24,26\n2024-06-01T14:00,25.0,70,19.1,27,24,26\n"},
    {"HOBO logger", "\"Plot Title: bin 3\"\n\"#\",\"Date Time, GMT-03:00\",\"Temp, °C (LGR S/N: 10469)\",\"RH, % (LGR "
                    "S/N: 10469)\"\n1,06/01/24 01:00:00 "
                    "PM,25.0,70\n2,06/01/24 02:00:00 PM,25.0,70\n"},
    {"bin monitor, in its own order", "Fecha;Hora;T. ext;Temperatura exterior (°C);Humedad exterior (%);Temperatura "
                                      "grano 1 (°C)\n01-06-2024;13:00;;25,0;70;18\n"
                                      "01-06-2024;14:00;;25,0;70;18\n"},
    {"Synoptic", "Station_ID,Date_Time,air_temp_set_1,relative_humidity_set_1,dew_point_temperature_set_1d\nK,2024-06-"
                 "01T13:00:00Z,25.0,70,19.1\n"
                 "K,2024-06-01T14:00:00Z,25.0,70,19.1\n"},
    {"Campbell logger",
     "\"TIMESTAMP\",\"RECORD\",\"AirTC_Avg\",\"RH_Avg\"\n\"2024-06-01 13:00:00\",1,25.0,70\n\"2024-06-01 "
     "14:00:00\",2,25.0,70\n"},
    {"Campbell logger, °F",
     "\"TIMESTAMP\",\"AirTF_Avg\",\"RH\"\n\"2024-06-01 13:00:00\",77,70\n\"2024-06-01 14:00:00\",77,70\n"},
    {"Jena",
     "Date Time;p (mbar);T (degC);Tpot (K);Tdew (degC);rh (%)\n01.06.2024 13:00:00;990;25.0;298;19.1;70\n01.06.2024 "
     "14:00:00;990;25.0;298;19.1;70\n"},
    {"a German logger",
     "Datum;Uhrzeit;Temperatur;rel. Luftfeuchte\n01.06.2024;13:00;25,0;70\n01.06.2024;14:00;25,0;70\n"},
    {"SIAR", "Fecha;Hora;Temp Media (ºC);Humedad Media (%)\n01/06/2024;1300;25,0;70\n01/06/2024;1400;25,0;70\n"},
    {"Visual Crossing", "name,datetime,temp,feelslike,dew,humidity\nX,2024-06-01T13:00:00,25,26,19.1,70\nX,2024-06-"
                        "01T14:00:00,25,26,19.1,70\n"},
    {"month by name", "Date;Temperature;Humidity\n01-Jun-2024 13:00;25;70\n01-Jun-2024 14:00;25;70\n"},
    {"a reanalysis, in kelvins",
     "time,air_temperature (K),relative_humidity (%)\n2024-06-01T13:00,298.15,70\n2024-06-01T14:00,298.15,70\n"},
    {"kelvins in the cells, and a dew point",
     "time,Temp,Dew point (kelvin)\n2024-06-01T13:00,298.15 K,292.3\n2024-06-01T14:00,298.15 K,292.3\n"},
    {"distance from UTC", "timestamp,temp_c,rh\n2024-06-01T13:00:00Z,25,70\n2024-06-01T11:00:00-03:00,25,70\n"},
};

static void files_of_twenty_services_are_read_as_they_come(void **state)
{
    (void)state;
    assert_true(PL_COUNTOF(files) >= 20);
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        struct asked asked;
        ask(&asked, files[i].text, NULL, 0);
        struct pl_buf text;
        pl_buf_init(&text, 8192);
        if (asked.code != PL_OK && asked.hours.problem != GRAIN_HOURS_NO_PROBLEM)
            grain_hours_say_problem(&text, &asked.fields, &asked.hours);
        if (asked.code != PL_OK)
            fail_msg("%s: %s %.*s", files[i].service, asked.err.message, (int)text.len, (char *)text.data);
        pl_buf_fini(&text);
        const struct grain_hour *hour = asked.hours.list;
        if (asked.hours.answered != 2 || !(fabs(hour->celsius - 25) < 0.01) || !(fabs(hour->ur - 70) < 0.7))
            fail_msg("%s: %zu answered, %g °C, %g %%", files[i].service, asked.hours.answered, hour->celsius, hour->ur);
        const struct grain_clock *clock = &asked.hours.clock;
        if (!clock->read || clock->interval != 60 || fabs(clock->covered - 2) > 1e-9 ||
            clock->gaps + clock->repeated != 0)
            fail_msg("%s: times %d, every %g min, %g hours, %zu gaps", files[i].service, clock->read, clock->interval,
                     clock->covered, clock->gaps);
        char time[GRAIN_STAMP_TEXT];
        grain_minutes_text(clock->first, time);
        bool dated = hour->stamp.has_date;
        if (dated ? strcmp(time, "2024-06-01T13:00") != 0 : clock->first != 13 * 60)
            fail_msg("%s: begins at %s", files[i].service, time);
        grain_hours_free(&asked.hours);
    }
}

static void what_is_not_clear_is_refused_with_the_choices(void **state)
{
    (void)state;
    static const struct {
        const char *header, *row;
        enum grain_hours_problem problem;
    } rows[] = {
        {"DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity,DailyAverageDryBulbTemperature",
         "2024-06-01T13:00,77,70,70", GRAIN_HOURS_AMBIGUOUS_UNIT},
        {"date,temp,rh", "2024-06-01,77,70", GRAIN_HOURS_AMBIGUOUS_UNIT},
        {"date,Outside temperature,Inside Hum", "2024-06-01,25,70", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
        {"date,Plenum temp,Ambient RH", "2024-06-01,25,70", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
        {"date,Outside temp,Inside temp,Humidity", "2024-06-01,25,21,70", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
        {"date,Temp 1,RH 1,Temp 2,RH 2", "2024-06-01,25,70,20,80", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
        {"date,Ambient temp,Ambient RH,Plenum temp,Plenum RH", "2024-06-01,25,70,20,80", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
        {"date,hr,temp", "2024-06-01,13,25", GRAIN_HOURS_AMBIGUOUS_COLUMNS},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        char file[400];
        struct asked asked;
        snprintf(file, sizeof file, "%s\n%s\n", rows[i].header, rows[i].row);
        ask(&asked, file, NULL, 0);
        if (asked.code != PL_E_INVALID || asked.hours.problem != rows[i].problem)
            fail_msg("%s: %d, problem %d", rows[i].header, asked.code, asked.hours.problem);
        grain_hours_free(&asked.hours);
    }
    // The options decide, by name or by number.
    struct asked asked;
    ask(&asked, "date,Plenum temp,Ambient RH,x\n2024-06-01,25,70,9\n",
        (const char *[][2]){{"temperatureColumn", "plenum temp"}, {"humidityColumn", "3"}}, 2);
    assert_int_equal(asked.code, PL_OK);
    assert_true(asked.hours.list[0].celsius == 25 && asked.hours.list[0].ur == 70);
    grain_hours_free(&asked.hours);
    ask(&asked, "date,a,b\n2024-06-01,25,70\n",
        (const char *[][2]){{"temperatureColumn", "a"}, {"humidityColumn", "b"}}, 2);
    assert_int_equal(asked.code, PL_OK);
    grain_hours_free(&asked.hours);
    ask(&asked, "date,hr,temp\n2024-06-01,70,25\n", (const char *[][2]){{"humidityColumn", "hr"}}, 1);
    assert_int_equal(asked.code, PL_OK);
    grain_hours_free(&asked.hours);
    ask(&asked, "date,temp,rh\n2024-06-01,25,70\n", (const char *[][2]){{"humidityColumn", "humidity"}}, 1);
    assert_int_equal(asked.hours.problem, GRAIN_HOURS_UNKNOWN_COLUMN);
    grain_hours_free(&asked.hours);
    ask(&asked, "DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity\n2024-06-01T13:00,77s,70\n",
        (const char *[][2]){{"taUnit", "F"}}, 1);
    assert_int_equal(asked.code, PL_OK);
    assert_true(fabs(asked.hours.list[0].celsius - 25) < 1e-9);
    grain_hours_free(&asked.hours);
}

static void a_unit_that_nothing_says_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool assumed;
    } rows[] = {
        // A winter in °F looks like a summer in °C.
        {"Date,Temp,RH\n2024-01-01 00:00,34,70\n2024-01-01 01:00,33,70\n", true},
        {"Date,Temp (C),RH\n2024-01-01 00:00,34,70\n", false},
        {"Date,Temp,RH\n2024-01-01 00:00,34 °F,70\n", false},
        {"YEAR,MO,DY,HR,T2M,RH2M\n2024,1,1,0,34,70\n", false},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask(&asked, rows[i].text, NULL, 0);
        assert_int_equal(asked.code, PL_OK);
        assert_int_equal(asked.hours.unit_assumed, rows[i].assumed);
        grain_hours_free(&asked.hours);
    }
    struct asked asked;
    ask(&asked, rows[0].text, (const char *[][2]){{"taUnit", "F"}}, 1);
    assert_false(asked.hours.unit_assumed);
    grain_hours_free(&asked.hours);
}

// Daily means were advised upon hour by hour, and a header without rows was a season of no hours.
static void rows_that_cannot_carry_advice_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool refused, told;
    } rows[] = {
        {"Date,Temp (C),RH\n2024-01-01,25,70\n2024-01-02,25,70\n2024-01-03,25,70\n", false, true},
        {"Date,Temp (C),RH\n2024-01-01 00:00,25,70\n2024-01-01 06:00,25,70\n2024-01-01 12:00,25,70\n", false, true},
        {"Date,Temp (C),RH\n2024-01-01 00:00,25,70\n2024-01-01 03:00,25,70\n2024-01-01 06:00,25,70\n", false, false},
        {"Date,Temp (C),RH\n2024-01-01 00:00,25,70\n2024-01-01 01:00,25,70\n2024-01-01 09:00,25,70\n", false, false},
        {"Date,Temp (C),RH\n", true, false},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask(&asked, rows[i].text, NULL, 0);
        assert_int_equal(asked.code, PL_OK);
        assert_int_equal(grain_hours_refused(&asked.hours), rows[i].refused);
        size_t next = 0;
        bool told = false;
        for (const struct grain_hours_note *note; (note = grain_hours_next_note(&asked.hours, &next)) != NULL;)
            told = told || strcmp(note->code, "rows_too_far_apart") == 0;
        if (told != rows[i].told)
            fail_msg("%s", rows[i].text);
        grain_hours_free(&asked.hours);
    }
}

static void hr_with_a_percent_sign_is_a_humidity(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, "Date;Heure;T (°C);HR (%)\n01/06/2024;00:00;25,0;70\n01/06/2024;01:00;25,0;70\n", NULL, 0);
    assert_int_equal(asked.code, PL_OK);
    assert_float_equal(asked.hours.list[0].ur, 70, 1e-9);
    grain_hours_free(&asked.hours);
}

static void a_column_in_latin_1_is_shown_as_text(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf out;
    ask(&asked,
        "data;temperatura (\xB0"
        "C);umidade\n01/06/2024;25;70\n",
        NULL, 0);
    pl_buf_init(&out, 1 << 16);
    grain_hours_write(&out, &asked.fields, &asked.hours, false);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "\"temperatura (°C)\""));
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

// A file of rows at these minutes after 2024-06-01T00:00.
static void ask_minutes(struct asked *asked, const int *minutes, size_t count)
{
    struct pl_buf text;
    pl_buf_init(&text, 1 << 20);
    pl_buf_append_cstr(&text, "time,temp,rh\n");
    for (size_t i = 0; i < count; i++)
        pl_buf_printf(&text, "2024-06-%02d %02d:%02d,25,70\n", 1 + minutes[i] / 1440, minutes[i] / 60 % 24,
                      minutes[i] % 60);
    pl_buf_append_byte(&text, 0);
    ask(asked, (char *)text.data, NULL, 0);
    pl_buf_fini(&text);
}

static void ten_minute_rows_are_no_hours(void **state)
{
    (void)state;
    int minutes[144];
    struct asked asked;
    for (int i = 0; i < 144; i++)
        minutes[i] = i * 10;
    ask_minutes(&asked, minutes, 144);
    assert_int_equal(asked.hours.clock.interval, 10);
    assert_true(fabs(asked.hours.clock.covered - 24) < 1e-9 && fabs(asked.hours.clock.expected - 24) < 1e-9);
    struct grain_period periods[10];
    assert_int_equal(grain_hours_periods(&asked.hours, periods, 10), 1);
    grain_hours_free(&asked.hours);
}

static void gaps_repeated_and_unsorted_rows_are_told(void **state)
{
    (void)state;
    int minutes[720];
    struct asked asked;
    size_t count = 0;
    // 30 days without two hours.
    for (int i = 0; i < 720; i++) {
        if (i != 100 && i != 101)
            minutes[count++] = i * 60;
    }
    ask_minutes(&asked, minutes, count);
    const struct grain_clock *clock = &asked.hours.clock;
    assert_true(fabs(clock->covered - 718) < 1e-9 && fabs(clock->expected - 720) < 1e-9);
    assert_true(clock->gaps == 1 && fabs(clock->longest_gap - 2) < 1e-9);
    grain_hours_free(&asked.hours);
    ask_minutes(&asked, (int[]){0, 60, 60, 120, 240, 180, 300}, 7);
    assert_int_equal(clock->repeated, 1);
    assert_int_equal(clock->backward, 1);
    assert_true(fabs(clock->covered - 6) < 1e-9 && clock->gaps == 0);
    grain_hours_free(&asked.hours);
}

static void a_change_of_the_clock_is_no_gap_and_no_repeated_hour(void **state)
{
    (void)state;
    struct asked asked;
    const struct grain_clock *clock = &asked.hours.clock;
    // Sunday 2024-11-03: one o'clock comes twice in the United States.
    ask(&asked,
        "time,temp,rh\n2024-11-03 00:00,25,70\n2024-11-03 01:00,25,70\n2024-11-03 01:00,24,71\n2024-11-03 "
        "02:00,24,71\n",
        NULL, 0);
    assert_true(clock->changes == 1 && clock->repeated == 0 && fabs(clock->covered - 4) < 1e-9);
    grain_hours_free(&asked.hours);
    // Sunday 2024-03-10: two o'clock does not come.
    ask(&asked,
        "time,temp,rh\n2024-03-10 00:00,25,70\n2024-03-10 01:00,25,70\n2024-03-10 03:00,24,71\n2024-03-10 "
        "04:00,24,71\n",
        NULL, 0);
    assert_true(clock->changes == 1 && clock->gaps == 0 && fabs(clock->expected - 4) < 1e-9);
    grain_hours_free(&asked.hours);
    // On a weekday it is a repeated row.
    ask(&asked,
        "time,temp,rh\n2024-11-05 00:00,25,70\n2024-11-05 01:00,25,70\n2024-11-05 01:00,24,71\n2024-11-05 "
        "02:00,24,71\n",
        NULL, 0);
    assert_true(clock->changes == 0 && clock->repeated == 1);
    grain_hours_free(&asked.hours);
}

// Thirty days of a swinging temperature and a constant dew point: foggy nights must not count as 99 %.
static void what_a_bin_tends_to_is_the_balance_of_water(void **state)
{
    (void)state;
    static const struct {
        const char *grain, *set;
        double mean, swing, dew, expected;
    } seasons[] = {{"soybean", "halsey-d245.5", 23, 6, 18, 14.4},
                   {"soybean", "henderson-d245.4", 23, 6, 18, 13.1},
                   {"corn", "chung-pfost-d245.4", 14, 7, 8, 14.4},
                   {"wheat", "henderson-d245.4", 14, 7, 8, 14.8}};
    for (size_t i = 0; i < PL_COUNTOF(seasons); i++) {
        struct pl_buf text;
        pl_buf_init(&text, 1 << 20);
        pl_buf_append_cstr(&text, "time,temp (C),rh\n");
        for (int hour = 0; hour < 720; hour++) {
            double ta = seasons[i].mean + seasons[i].swing * sin(hour * 2 * 3.14159265358979 / 24);
            double ur = fmin(100, 100 * grain_air_saturation(seasons[i].dew) / grain_air_saturation(ta));
            pl_buf_printf(&text, "2024-04-%02d %02d:00,%.3f,%.3f\n", hour / 24 + 1, hour % 24, ta, ur);
        }
        struct asked asked;
        grain_fields_init(&asked.fields, GRAIN_HOURS_FIELDS);
        grain_fields_put(&asked.fields, pl_slice_cstr("grain"), pl_slice_cstr(seasons[i].grain));
        grain_fields_put(&asked.fields, pl_slice_cstr("set"), pl_slice_cstr(seasons[i].set));
        asked.code = grain_hours_answer(&asked.fields, pl_buf_slice(&text), NULL, &asked.hours, &asked.err);
        assert_int_equal(asked.code, PL_OK);
        if (!(fabs(asked.hours.air.moisture - seasons[i].expected) < 0.5))
            fail_msg("%s: %g, the balance is %g", seasons[i].grain, asked.hours.air.moisture, seasons[i].expected);
        grain_hours_free(&asked.hours);
        pl_buf_fini(&text);
    }
}

// Where the temperature trends, the warm days bring most of the water, but the cold ones do not hold it: constant 70 %
// must not become 83 %, nor 80 % more than saturation.
static void a_trend_of_the_temperature_does_not_wet_the_season(void **state)
{
    (void)state;
    static const struct {
        const char *grain;
        int hours;
        double first, last, ur,
            expected; // the temperature goes from `first` to `last` over the hours, or there and back
        bool back;
    } seasons[] = {{"corn", 8760, -2, 26, 70, 14.75, true},
                   {"corn", 8760, -10, 30, 80, 16.55, true},
                   {"corn", 2184, 22, -3, 70, 15.2, false},
                   {"wheat", 2184, 22, -3, 70, 15.2, false},
                   {"soybean", 2184, 22, -3, 70, 13.0, false}};
    for (size_t i = 0; i < PL_COUNTOF(seasons); i++) {
        struct pl_buf text;
        pl_buf_init(&text, 1 << 20);
        pl_buf_append_cstr(&text, "temp (C),rh\n");
        for (int hour = 0; hour < seasons[i].hours; hour++) {
            double part = (double)hour / seasons[i].hours;
            double way = seasons[i].back ? (1 - cos(2 * 3.14159265358979 * part)) / 2 : part;
            pl_buf_printf(&text, "%.2f,%g\n", seasons[i].first + way * (seasons[i].last - seasons[i].first),
                          seasons[i].ur);
        }
        struct asked asked;
        grain_fields_init(&asked.fields, GRAIN_HOURS_FIELDS);
        grain_fields_put(&asked.fields, pl_slice_cstr("grain"), pl_slice_cstr(seasons[i].grain));
        assert_int_equal(grain_hours_answer(&asked.fields, pl_buf_slice(&text), NULL, &asked.hours, &asked.err), PL_OK);
        const struct grain_mean_air *air = &asked.hours.air;
        if (!(fabs(air->moisture - seasons[i].expected) < 0.1 && fabs(air->ur - seasons[i].ur) < 0.1))
            fail_msg("season %zu: %g %%, mean air %g %%", i, air->moisture, air->ur);
        assert_true(air->moisture >= asked.hours.low && air->moisture <= asked.hours.high);
        assert_true(air->moisture >= asked.hours.spread.low - 1e-6 && air->moisture <= asked.hours.spread.high + 1e-6);
        grain_hours_free(&asked.hours);
        pl_buf_fini(&text);
    }
}

// The air of one day, or of two, is the same wherever the file begins: cut at midnight, a file from nine to nine had a
// day of warm hours and one of cold ones, and tended to 12.4 instead of 13.0 %.
static void what_a_bin_tends_to_does_not_depend_on_the_hour_of_the_first_row(void **state)
{
    (void)state;
    for (int days = 1; days <= 2; days++) {
        for (int from = 0; from < 24; from += 3) {
            struct pl_buf text;
            pl_buf_init(&text, 1 << 16);
            pl_buf_append_cstr(&text, "time,temp (C),rh\n");
            for (int hour = from; hour < from + 24 * days; hour++) {
                double ta = 14 - 10 * cos((hour - 3) * 2 * 3.14159265358979 / 24);
                double ur = fmin(100, 100 * grain_air_saturation(6) / grain_air_saturation(ta));
                pl_buf_printf(&text, "2024-09-%02d %02d:00,%.3f,%.3f\n", hour / 24 + 1, hour % 24, ta, ur);
            }
            struct asked asked;
            grain_fields_init(&asked.fields, GRAIN_HOURS_FIELDS);
            grain_fields_put(&asked.fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
            asked.code = grain_hours_answer(&asked.fields, pl_buf_slice(&text), NULL, &asked.hours, &asked.err);
            assert_int_equal(asked.code, PL_OK);
            const struct grain_mean_air *air = &asked.hours.air;
            if (!(fabs(air->moisture - 13.05) < 0.03 && fabs(air->ur - 57.4) < 0.1))
                fail_msg("%d days from %d:00: %g %%, mean air %g %%", days, from, air->moisture, air->ur);
            grain_hours_free(&asked.hours);
            pl_buf_fini(&text);
        }
    }
}

// Both columns by number made a header of every row.
static void both_columns_are_chosen_by_number(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "time,temp C,rh\n2024-06-01T13:00,25,70\n2024-06-01T14:00,25,70\n",
        "time,A,B\n2024-06-01T13:00,25,70\n2024-06-01T14:00,25,70\n",
        "Station,of,a farm\ntime,temp C,rh\n2024-06-01T13:00,25,70\n2024-06-01T14:00,25,70\n"};
    for (size_t i = 0; i < PL_COUNTOF(texts); i++) {
        struct asked asked;
        ask(&asked, texts[i], (const char *[][2]){{"temperatureColumn", "2"}, {"humidityColumn", "3"}, {"taUnit", "C"}},
            3);
        if (asked.code != PL_OK || asked.hours.count != 2 || asked.hours.answered != 2 || !asked.hours.clock.read)
            fail_msg("%s: %zu of %zu rows", texts[i], asked.hours.answered, asked.hours.count);
        grain_hours_free(&asked.hours);
    }
}

// These dates were passed over, and their first digits taken for a time of a day in 1970.
static void a_date_is_read_or_told_as_not_read(void **state)
{
    (void)state;
    static const struct {
        const char *time, *read;
    } rows[] = {{"20241001 00:00", "2024-10-01T00:00"},
                {"20241001T013000Z", "2024-10-01T01:30"},
                {"1 de outubro de 2024 00:00", "2024-10-01T00:00"},
                {"1 de junio de 2024 13:00", "2024-06-01T13:00"},
                {"15 de mayo del 2024 13:00", "2024-05-15T13:00"},
                {"13:00 15/06/2024", "2024-06-15T13:00"},
                {"01:05:30 PM 2024-06-15", "2024-06-15T13:05"},
                {"2024-06-15_13:00", "2024-06-15T13:00"},
                {"2024-06-15 13", "2024-06-15T13:00"},
                {"2024-153T00:00", NULL},
                {"2024-W22-6T00:00", NULL},
                {"20241301 00:00", NULL},
                {"1 10:00", NULL}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        char text[120], read[GRAIN_STAMP_TEXT];
        snprintf(text, sizeof text, "time,temp (C),rh\n%s,25,70\n", rows[i].time);
        ask(&asked, text, NULL, 0);
        assert_int_equal(asked.code, PL_OK);
        const struct grain_hour *hour = &asked.hours.list[0];
        grain_minutes_text(hour->minutes, read);
        if (hour->stamp.read != (rows[i].read != NULL) || (hour->stamp.read && strcmp(read, rows[i].read) != 0))
            fail_msg("%s: %s", rows[i].time, hour->stamp.read ? read : "not read");
        grain_hours_free(&asked.hours);
    }
}

static void a_file_whose_rows_are_all_bad_is_refused(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, "time,temp,rh\n2024-06-01,x,70\n2024-06-02,y,70\n", NULL, 0);
    assert_int_equal(asked.code, PL_OK);
    assert_true(grain_hours_refused(&asked.hours));
    grain_hours_free(&asked.hours);
}

static void a_dew_point_below_zero_is_read_over_water(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, "time,temp (C),dewpoint (C)\n2024-06-01,0,-5\n", NULL, 0);
    assert_true(fabs(asked.hours.list[0].ur - 69) < 0.2);
    grain_hours_free(&asked.hours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_twenty_services_are_read_as_they_come),
        cmocka_unit_test(what_is_not_clear_is_refused_with_the_choices),
        cmocka_unit_test(a_unit_that_nothing_says_is_told),
        cmocka_unit_test(rows_that_cannot_carry_advice_are_told),
        cmocka_unit_test(hr_with_a_percent_sign_is_a_humidity),
        cmocka_unit_test(a_column_in_latin_1_is_shown_as_text),
        cmocka_unit_test(ten_minute_rows_are_no_hours),
        cmocka_unit_test(gaps_repeated_and_unsorted_rows_are_told),
        cmocka_unit_test(a_change_of_the_clock_is_no_gap_and_no_repeated_hour),
        cmocka_unit_test(what_a_bin_tends_to_is_the_balance_of_water),
        cmocka_unit_test(a_trend_of_the_temperature_does_not_wet_the_season),
        cmocka_unit_test(what_a_bin_tends_to_does_not_depend_on_the_hour_of_the_first_row),
        cmocka_unit_test(both_columns_are_chosen_by_number),
        cmocka_unit_test(a_date_is_read_or_told_as_not_read),
        cmocka_unit_test(a_file_whose_rows_are_all_bad_is_refused),
        cmocka_unit_test(a_dew_point_below_zero_is_read_over_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
