// Names of days and months in the languages of ^SL (1 English … 18 Polish), in UTF-8.
#include "lang/zpl/clock_names.h"

#include "base/utf8.h"
#include "lang/zpl/charset.h"

#define LANGUAGES 18

// clang-format off
static const char *const DAYS_LONG[LANGUAGES][7] = {
    {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
    {"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
    {"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
    {"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
    {"domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"},
    {"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"},
    {"domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"},
    {"söndag", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag"},
    {"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"},
    {"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
    {"zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"},
    {"sunnuntai", "maanantai", "tiistai", "keskiviikko", "torstai", "perjantai", "lauantai"},
    {"日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"},
    {"일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"},
    {"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"},
    {"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"},
    {"воскресенье", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота"},
    {"niedziela", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota"},
};
static const char *const DAYS_SHORT[LANGUAGES][7] = {
    {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
    {"dom", "lun", "mar", "mié", "jue", "vie", "sáb"},
    {"dim", "lun", "mar", "mer", "jeu", "ven", "sam"},
    {"So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"},
    {"dom", "lun", "mar", "mer", "gio", "ven", "sab"},
    {"søn", "man", "tir", "ons", "tor", "fre", "lør"},
    {"dom", "seg", "ter", "qua", "qui", "sex", "sáb"},
    {"sön", "mån", "tis", "ons", "tor", "fre", "lör"},
    {"søn", "man", "tir", "ons", "tor", "fre", "lør"},
    {"dom", "lun", "mar", "mié", "jue", "vie", "sáb"},
    {"zo", "ma", "di", "wo", "do", "vr", "za"},
    {"su", "ma", "ti", "ke", "to", "pe", "la"},
    {"日", "月", "火", "水", "木", "金", "土"},
    {"일", "월", "화", "수", "목", "금", "토"},
    {"日", "一", "二", "三", "四", "五", "六"},
    {"日", "一", "二", "三", "四", "五", "六"},
    {"вс", "пн", "вт", "ср", "чт", "пт", "сб"},
    {"ndz", "pon", "wt", "śr", "czw", "pt", "sob"},
};
static const char *const MONTHS_LONG[LANGUAGES][12] = {
    {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
    {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
    {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
    {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
    {"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"},
    {"januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "desember"},
    {"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
    {"januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"},
    {"januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december"},
    {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
    {"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"},
    {"tammikuu", "helmikuu", "maaliskuu", "huhtikuu", "toukokuu", "kesäkuu", "heinäkuu", "elokuu", "syyskuu", "lokakuu", "marraskuu", "joulukuu"},
    {"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
    {"1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월"},
    {"一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"},
    {"一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"},
    {"январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"},
    {"styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień", "październik", "listopad", "grudzień"},
};
static const char *const MONTHS_SHORT[LANGUAGES][12] = {
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    {"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"},
    {"janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"},
    {"Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"},
    {"gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"},
    {"jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "des"},
    {"jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"},
    {"jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"},
    {"jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"},
    {"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"},
    {"jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"},
    {"tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras", "joulu"},
    {"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
    {"1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월"},
    {"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
    {"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
    {"янв", "фев", "мар", "апр", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"},
    {"sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"},
};
// clang-format on

// One character in the bytes of the set; 0: it does not fit.
static size_t put_char(uint32_t cp, const struct zpl_charset *charset, char *out, size_t room)
{
    const struct zpl_charset_info *info = zpl_charset_info(charset);
    uint8_t bytes[4];
    size_t n = 1;
    switch (info->kind) {
    case ZPL_CHARSET_UTF8:
        n = pl_utf8_put(cp, bytes);
        break;
    case ZPL_CHARSET_UTF16BE:
    case ZPL_CHARSET_UTF16LE:
        n = 2;
        bytes[info->kind == ZPL_CHARSET_UTF16LE] = (uint8_t)(cp >> 8);
        bytes[info->kind == ZPL_CHARSET_UTF16BE] = (uint8_t)cp;
        break;
    case ZPL_CHARSET_BYTES:
        bytes[0] = '?';
        for (unsigned b = 0x20; b < 256; b++) {
            if (zpl_charset_byte(charset, (uint8_t)b) == cp) {
                bytes[0] = (uint8_t)b;
                break;
            }
        }
        break;
    case ZPL_CHARSET_DOUBLE_BYTE:
        bytes[0] = cp < 0x80 ? (uint8_t)cp : '?';
        break;
    }
    if (n > room)
        return 0;
    memcpy(out, bytes, n);
    return n;
}

size_t zpl_clock_name(enum zpl_clock_name_kind kind, int32_t language, int32_t index, const struct zpl_charset *charset,
                      char *out, size_t capacity)
{
    int32_t l = language >= 1 && language <= LANGUAGES ? language - 1 : 0;
    const char *name = kind == ZPL_DAY_SHORT     ? DAYS_SHORT[l][index]
                       : kind == ZPL_DAY_LONG    ? DAYS_LONG[l][index]
                       : kind == ZPL_MONTH_SHORT ? MONTHS_SHORT[l][index]
                                                 : MONTHS_LONG[l][index];
    struct pl_slice text = pl_slice_cstr(name);
    size_t at = 0, len = 0;
    while (at < text.len) {
        size_t n = put_char(pl_utf8_next(text, &at), charset, out + len, capacity - len);
        if (n == 0)
            break;
        len += n;
    }
    return len;
}
