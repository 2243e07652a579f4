// What people call the work of a command, where its reference says it in other words.
#include "everyday_words.h"

#include <string.h>
#include <strings.h>

#include "base/ckd.h"

#define ZPL PLATEN_LANGUAGE_ZPL
#define EPL PLATEN_LANGUAGE_EPL
#define TSPL PLATEN_LANGUAGE_TSPL
#define CPCL PLATEN_LANGUAGE_CPCL

#define ALIGN "align alignment justify left right center centre middle"
#define TURN "rotate turn vertical sideways degrees 90 180 270"
#define IMAGE "image picture logo graphic bitmap photo icon print"
#define LINEAR "barcode bar code linear 1d scan human readable digits"
#define MATRIX "barcode 2d matrix code scan"
#define PLACE "position place move coordinates xy location"
#define LENGTHS "size dimensions page paper"
#define TEMPLATE "template placeholder variable form reuse"
#define COUNTING "serial sequence counter increment count consecutive number"
#define ACCENTS                                                                                                        \
    "unicode utf-8 utf8 encoding umlaut accent special characters letters foreign language german french polish "      \
    "russian chinese euro sign code page"
#define NEGATIVE "invert inverse negative white on black reverse background colors colours swap"
#define LINES "line rule separator border rectangle frame"
#define DARK "darkness density heat intensity contrast"

// Commands have blanks around, as the table of the language has them; one may be in several rows.
static const struct {
    enum platen_language language;
    const char *commands, *words;
} WORDS[] = {
    {ZPL, " ^FB ", ALIGN " text wrap word multiline paragraph new line break newline hyphen horizontal"},
    {ZPL, " ^TB ", "text wrap word multiline paragraph new line break newline clip cut off"},
    {ZPL, " ^FO ", PLACE " align right justify start field"},
    {ZPL, " ^FT ", PLACE " bottom start field typeset"},
    {ZPL, " ^FW ", TURN " align right all fields barcode text"},
    {ZPL, " ^A ", TURN " text bold bigger smaller letter height width print write"},
    {ZPL, " ^A@ ", "text bold italic truetype ttf typeface own custom"},
    {ZPL, " ^CF ", "text size height bigger change"},
    {ZPL, " ^CW ", "truetype ttf typeface own custom"},
    {ZPL, " ~DY ~DU ~DT ", "truetype ttf typeface own custom upload store"},
    {ZPL, " ^PO ", "rotate turn 180 degrees upside down flip invert whole"},
    {ZPL, " ^PM ", "flip mirrored backwards"},
    {ZPL, " ^FD ", "text string content value write print"},
    {ZPL, " ^FS ", "close finish separator"},
    {ZPL, " ^FH ", "escape special characters hexadecimal caret tilde underscore"},
    {ZPL, " ^CI ", ACCENTS},
    {ZPL, " ^FR ^LR ", NEGATIVE " text"},
    {ZPL, " ^GB ",
     LINES " table rounded corners horizontal vertical underline strike fill black checkbox "
           "square"},
    {ZPL, " ^GC ^GE ", "round oval ring dot"},
    {ZPL, " ^GD ", "slash cross strike out"},
    {ZPL, " ^GF ^XG ~DG ^IM ", IMAGE " png"},
    {ZPL, " ^IL ^IS ", IMAGE " background"},
    {ZPL, " ^GS ", "trademark copyright symbol registered sign"},
    {ZPL, " ^BC ^BE ^BU ^B3 ^B2 ^B8 ^B9 ^BA ^B1 ^BI ^BJ ^BK ^BL ^BM ^BP ^BS ", LINEAR " " TURN " hide"},
    {ZPL, " ^BC ", "gs1 ean128 ucc sscc fnc1 shipping application identifier"},
    {ZPL, " ^BE ", "ean retail gtin product"},
    {ZPL, " ^BU ", "upc retail gtin product"},
    {ZPL, " ^B2 ", "itf itf14 i2of5 carton case"},
    {ZPL, " ^BQ ", MATRIX " link url website"},
    {ZPL, " ^BX ", MATRIX " gs1 datamatrix fnc1 udi"},
    {ZPL, " ^B7 ^BF ^BO ^B0 ^BD ^BB ^B4 ^BR ^BT ", MATRIX},
    {ZPL, " ^BD ", "ups"},
    {ZPL, " ^BZ ", "postal barcode usps mail zip"},
    {ZPL, " ^BY ", "barcode bar code thickness narrow wide wider bigger size scale"},
    {ZPL, " ^PW ", LENGTHS " label"},
    {ZPL, " ^LL ", LENGTHS " height label long"},
    {ZPL, " ^LH ", PLACE " margin offset padding home"},
    {ZPL, " ^LS ^LT ", PLACE " margin offset shift adjust"},
    {ZPL, " ^MU ", "inches millimetres millimeters mm cm dots dpi resolution"},
    {ZPL, " ^JM ", "dpi resolution"},
    {ZPL, " ^PQ ", "print label batch copies copy how many times repeat amount"},
    {ZPL, " ^SN ^SF ", COUNTING},
    {ZPL, " ^FN ^DF ^XF ", TEMPLATE},
    {ZPL, " ^FC ^SO ", "date time now today day year expiry"},
    {ZPL, " ^FX ", "remark note"},
    {ZPL, " ^FP ", "vertical text letter spacing right-to-left arabic hebrew stacked"},
    {ZPL, " ^PA ", "arabic hebrew right-to-left rtl ligatures"},
    {ZPL, " ^MM ^CN ", "cutter tear peel rewind"},
    {ZPL, " ^MN ^ML ~JC ", "gap black mark continuous sensor calibrate"},
    {ZPL, " ^MD ~SD ", DARK " darker lighter"},
    {ZPL, " ^PR ", "faster slower"},
    {ZPL, " ^MT ", "ribbon thermal transfer direct"},
    {ZPL, " ^ID ^EF ^EG ", "delete remove erase clear free memory file graphic"},
    {ZPL, " ^RF ^RS ^WT ", "tag epc encode chip"},
    {ZPL, " ~HS ", "ask state paper out query"},
    {ZPL, " ^XA ", "begin open new page label"},
    {ZPL, " ^XZ ", "finish close"},

    {EPL, " A ", TURN " font size bigger write print " NEGATIVE},
    {EPL, " B ", LINEAR " " TURN " ean upc 128 39"},
    {EPL, " b ", MATRIX " qrcode datamatrix gs1"},
    {EPL, " GG GM GW ", IMAGE " pcx"},
    {EPL, " LO LW LE ", LINES " horizontal vertical underline"},
    {EPL, " LE ", NEGATIVE},
    {EPL, " LS ", "slash"},
    {EPL, " X ", LINES " box"},
    {EPL, " Z ", "rotate turn 180 degrees upside down flip whole label direction"},
    {EPL, " q Q ", LENGTHS " height"},
    {EPL, " R ", PLACE " margin offset origin"},
    {EPL, " I ", ACCENTS},
    {EPL, " P ", "copies copy how many amount quantity"},
    {EPL, " N ", "begin start new label erase"},
    {EPL, " C ", COUNTING},
    {EPL, " V FS FR ", TEMPLATE},
    {EPL, " TD TT TS ", "date time now today clock"},
    {EPL, " D ", DARK},
    {EPL, " S ", "faster slower"},
    {EPL, " ; ", "remark note"},
    {EPL, " FK GK EK ", "remove erase clear free memory"},

    {TSPL, " TEXT ", ALIGN " " TURN " font size bigger write"},
    {TSPL, " BLOCK ", ALIGN " " TURN " text wrap word multiline paragraph new line break newline"},
    {TSPL, " BARCODE ", LINEAR " " ALIGN " " TURN " ean upc 128 39 gs1"},
    {TSPL, " QRCODE DMATRIX PDF417 MPDF417 AZTEC MAXICODE CODABLOCK RSS TLC39 ", MATRIX " " TURN},
    {TSPL, " QRCODE ", "link url website"},
    {TSPL, " DMATRIX ", "datamatrix gs1 fnc1 udi"},
    {TSPL, " BITMAP PUTBMP PUTPCX ", IMAGE},
    {TSPL, " BAR ", LINES " horizontal vertical underline"},
    {TSPL, " BOX ", LINES " rounded corners"},
    {TSPL, " DIAGONAL ", "slash cross"},
    {TSPL, " CIRCLE ELLIPSE ", "round oval ring"},
    {TSPL, " REVERSE ", NEGATIVE " text"},
    {TSPL, " ERASE ", "white delete remove"},
    {TSPL, " DIRECTION ", "rotate turn 180 degrees upside down flip whole label"},
    {TSPL, " SIZE ", LENGTHS " width height length"},
    {TSPL, " REFERENCE SHIFT ", PLACE " margin offset"},
    {TSPL, " GAP BLINE ", "black mark continuous sensor"},
    {TSPL, " CODEPAGE ", ACCENTS},
    {TSPL, " PRINT ", "copies copy how many amount quantity label"},
    {TSPL, " SET ", COUNTING " cutter tear peel"},
    {TSPL, " CLS ", "begin start new label erase"},
    {TSPL, " DENSITY ", DARK},
    {TSPL, " SPEED ", "faster slower"},
    {TSPL, " DOWNLOAD ", TEMPLATE " " IMAGE " font truetype upload"},
    {TSPL, " KILL ", "remove erase free memory"},
    {TSPL, " REM ", "remark note"},

    {CPCL, " CENTER LEFT RIGHT ", ALIGN " text"},
    {CPCL, " TEXT ", "font size bigger write"},
    {CPCL, " TEXT90 TEXT180 TEXT270 ", TURN},
    {CPCL, " TEXT180 POPRINT ", "flip"},
    {CPCL, " PAGE-ROTATE ROTATE ", TURN " label"},
    {CPCL, " MULTILINE ", "text paragraph new line break newline"},
    {CPCL, " SETMAG SCALE-TEXT ", "font size bigger scale"},
    {CPCL, " SCALE-TO-FIT ", "shrink"},
    {CPCL, " SETSP ", "letter spacing"},
    {CPCL, " BARCODE VBARCODE BARCODE128 ", LINEAR " 2d matrix ean upc 39 128 gs1"},
    {CPCL, " VBARCODE ", TURN},
    {CPCL, " BARCODE ", MATRIX " qrcode datamatrix link url"},
    {CPCL, " BARCODE-TEXT ", "human readable digits"},
    {CPCL, " EG CG PCX GG ", IMAGE},
    {CPCL, " LINE ", LINES " horizontal vertical underline"},
    {CPCL, " BOX ", LINES},
    {CPCL, " INVERSE-LINE INVERSE-TEXT ", NEGATIVE " text"},
    {CPCL, " PAGE-WIDTH PAGE-HEIGHT ", LENGTHS " length"},
    {CPCL, " ! ", LENGTHS " height copies copy how many amount start begin"},
    {CPCL, " IN-DOTS IN-MILLIMETERS IN-CENTIMETERS IN-INCHES ", "unit units measure mm cm"},
    {CPCL, " COUNTRY CODEPAGE ", ACCENTS},
    {CPCL, " COUNT ", COUNTING},
    {CPCL, " ! DF ", TEMPLATE},
    {CPCL, " CONTRAST TONE ", DARK},
    {CPCL, " SPEED ", "faster slower"},
    {CPCL, " GAP-SENSE BAR-SENSE JOURNAL LABEL ", "gap black mark continuous sensor"},
    {CPCL, " CUT ", "cutter tear"},
    {CPCL, " ; ", "remark note"},
    {CPCL, " DEL ", "remove erase free memory"},
};

// The word, or a longer form of it: "centered" of "center", "rotation" of "rotate".
static bool is_form(const char *one, size_t length, struct pl_slice word)
{
    enum { LEAST = 3, WITHOUT_E = 6 };
    if (length >= WITHOUT_E && one[length - 1] == 'e')
        length--;
    return (length == word.len || (length >= LEAST && length < word.len)) &&
           strncasecmp(one, (const char *)word.ptr, length) == 0;
}

static bool has(const char *words, struct pl_slice word)
{
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        if (is_form(at, length, word))
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

static bool names(const char *commands, const char *command)
{
    size_t length = strlen(command);
    for (const char *at = commands; (at = strstr(at, command)); at++)
        if (at > commands && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

bool everyday_words_have(enum platen_language language, const char *command, struct pl_slice word)
{
    for (size_t i = 0; i < PL_COUNTOF(WORDS); i++)
        if (WORDS[i].language == language && names(WORDS[i].commands, command) && has(WORDS[i].words, word))
            return true;
    return false;
}

bool everyday_words_ignore(struct pl_slice word)
{
    static const char *const NO_MEANING[] = {
        "a",  "an",  "the", "to",  "of",   "in",   "on",     "at",     "by",   "for",  "and",  "or",  "do",
        "i",  "how", "is",  "are", "with", "can",  "my",     "it",     "be",   "as",   "so",   "up",  "me",
        "we", "use", "set", "add", "make", "draw", "insert", "create", "want", "need", "this", "that"};
    for (size_t i = 0; i < PL_COUNTOF(NO_MEANING); i++)
        if (pl_slice_eq_nocase(word, pl_slice_cstr(NO_MEANING[i])))
            return true;
    return false;
}
