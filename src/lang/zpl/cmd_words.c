// Meanings in words of the parameters and choices of the command table: what a property form shows.
#include "lang/zpl/cmd_words.h"

#include <string.h>

#include "base/ckd.h"

// The first row that fits counts: commands by their titles with blanks around, "" for all; the parameter by its name.
// Choices are "V=words" with bars between.
struct words {
    const char *commands, *param, *about, *choices;
};

#define YES_NO(yes, no) "Y=" yes "|N=" no
#define ON_OFF "0=off|1=on"

static const struct words WORDS[] = {
    {" ^PO ", "orientation", "direction of the whole label", "N=normal|I=inverted, turned by 180 degrees"},
    {" ~DB ", "orientation", "direction of the characters", "N=normal"},
    {" ^BQ ", "orientation", "no effect on the QR code", "N=normal|R=as N|I=as N|B=as N"},
    {" ^TB ", "orientation", "turn of the text block",
     "N=normal|R=turned 90 degrees clockwise|I=inverted, 180 degrees|B=read from the bottom up, 270 degrees"},
    {"", "orientation", "turn of the field",
     "N=normal|R=turned 90 degrees clockwise|I=inverted, 180 degrees|B=read from the bottom up, 270 degrees"},
    {"", "justification", "which end of the field stands at x",
     "0=left: the field begins at x|1=right: the field ends at x|2=automatic: by the direction of the script"},

    // text
    {" ^A ^A@ ^GS ", "height", "height of the characters in dots; 0: from the width", ""},
    {" ^A ^A@ ^GS ", "width", "width of the characters in dots; 0: from the height", ""},
    {" ^A@ ", "font", "name of the stored font, such as E:ARIAL.TTF", ""},
    {" ^CF ", "font", "letter or digit of the font", ""},
    {" ^CF ", "height", "height of the characters in dots", ""},
    {" ^CF ", "width", "width of the characters in dots", ""},
    {" ^CW ", "letter", "letter or digit that then stands for the font", ""},
    {" ^CW ", "font", "name of the stored font", ""},
    {" ^FL ", "extension font", "font that is looked into for characters that are missing", ""},
    {" ^FL ", "base font", "font whose missing characters are looked for", ""},
    {" ^FL ", "link", "whether the fonts are linked", "0=link removed|1=link made"},
    {" ^FB ", "width", "width of the block in dots", ""},
    {" ^FB ", "lines", "most lines; further text overprints the last one", ""},
    {" ^FB ", "line spacing", "dots added between lines; negative: removed", ""},
    {" ^FB ", "alignment", "how the lines stand in the block",
     "L=left|C=centred|R=right|J=justified: both edges straight"},
    {" ^FB ", "indent", "dots by which the second and later lines are indented", ""},
    {" ^TB ", "width", "width of the block in dots", ""},
    {" ^TB ", "height", "height of the block in dots; text below it is cut", ""},
    {" ^FP ", "direction", "how the characters follow each other",
     "H=horizontal, left to right|V=vertical, top to bottom|R=reverse, right to left"},
    {" ^FP ", "gap", "dots added between characters", ""},
    {" ^CI ", "set", "number of the character set; 28: UTF-8", ""},
    {" ^CI ", "glyph 1", "number of the character to show", ""},
    {" ^CI ", "for byte 1", "number of the byte that shows it", ""},
    {" ^SE ", "table", "name of the encoding table", ""},
    {" ^PA ", "default glyph", "a sign for characters that no font has", ON_OFF},
    {" ^PA ", "bidirectional", "order of right-to-left text", ON_OFF},
    {" ^PA ", "shaping", "letters take the forms that their neighbours give them", ON_OFF},
    {" ^PA ", "OpenType", "tables of OpenType fonts", ON_OFF},

    // place and field
    {" ^FO ", "x", "dots from the label home to the left edge of the field", ""},
    {" ^FO ", "y", "dots from the label home to the top edge of the field", ""},
    {" ^FT ", "x", "dots from the label home to the start of the baseline", ""},
    {" ^FT ", "y", "dots from the label home to the baseline, or the bottom of a barcode", ""},
    {" ^FM ", "x1", "dots from the label home to the first symbol; e leaves it out", ""},
    {" ^FM ", "y1", "dots from the label home to the first symbol; e leaves it out", ""},
    {" ^FD ^FV ", "data", "what the field shows or encodes", ""},
    {" ^FX ", "text", "a remark; it is not printed", ""},
    {" ^FH ", "character", "stands before two hex digits of a byte", ""},
    {" ^FE ", "character", "stands around the number of a field whose data is put in", ""},
    {" ^FC ", "primary", "stands before a letter of date or time", ""},
    {" ^FC ", "second", "the same for the second clock", ""},
    {" ^FC ", "third", "the same for the third clock", ""},
    {" ^FN ", "number", "number of the field; its data comes from a field of the same number", ""},
    {" ^SN ", "start", "first value", ""},
    {" ^SN ", "step", "added from label to label", ""},
    {" ^SN ", "leading zeros", "zeros before the number", YES_NO("printed", "left out")},
    {" ^SF ", "mask", "kind of each character: D decimal, H hexadecimal, O octal, A letters, N both, % fixed", ""},
    {" ^SF ", "step", "added from label to label", ""},

    // graphics
    {" ^GB ^GD ", "width", "width in dots", ""},
    {" ^GB ^GD ", "height", "height in dots", ""},
    {" ^GE ", "width", "width in dots", ""},
    {" ^GE ", "height", "height in dots", ""},
    {" ^GB ^GC ^GD ^GE ", "thickness", "thickness of the line in dots", ""},
    {" ^GB ^GC ^GD ^GE ", "colour", "colour of the line", "B=black|W=white"},
    {" ^GB ", "rounding", "rounding of the corners; 8 is the most", ""},
    {" ^GC ", "diameter", "diameter in dots", ""},
    {" ^GD ", "direction", "way in which the line leans",
     "R=right: from bottom left to top right|L=left: from top left to bottom right|/=as R|\\=as L"},
    {" ^GF ", "kind", "how the data is written", "A=hexadecimal digits|B=binary|C=compressed binary"},
    {" ^GF ", "bytes sent", "bytes of data that follow", ""},
    {" ^GF ", "bytes of the picture", "bytes of the picture when unpacked", ""},
    {" ^GF ~DG ~DY ", "bytes per row", "bytes of one row of dots", ""},
    {" ^GF ~DG ~DY ~DB ~DT ~DU ~DE ", "data", "the data itself", ""},
    {" ^XG ", "x magnification", "how many times as wide", ""},
    {" ^XG ", "y magnification", "how many times as high", ""},
    {" ^XG ^IM ^IL ^IS ~DG ", "image", "name of the stored picture, such as R:LOGO.GRF", ""},
    {" ^IS ", "print", "whether the label is also printed", YES_NO("printed and saved", "only saved")},

    // barcodes
    {" ^BY ", "module width", "width of the narrowest bar in dots", ""},
    {" ^BY ", "ratio", "width of a wide bar to a narrow one", ""},
    {" ^BY ", "height", "height of the bars in dots where the barcode gives none", ""},
    {" ^BR ", "height", "height of the bars in dots, for GS1-128", ""},
    {"", "height", "height of the bars in dots", ""},
    {" ^B7 ^BB ^BF ^B4 ", "row height", "height of one row in dots", ""},
    {"", "text above", "where the text line stands", YES_NO("above the bars", "below the bars")},
    {"", "text", "text line with the data", YES_NO("printed", "not printed")},
    {" ^B4 ", "interpretation line", "text line with the data", "N=not printed|A=above the bars|B=below the bars"},
    {" ^B4 ", "mode", "how the data starts",
     "0=regular alphanumeric|1=multiple read|2=regular numeric|3=group alphanumeric|4=regular alphanumeric, shift "
     "1|5=regular alphanumeric, shift 2|A=automatic"},
    {" ^B1 ", "one check digit", "number of check digits", YES_NO("one", "two")},
    {" ^BM ", "check digits", "which check digits are added",
     "A=none|B=one, modulo 10|C=two, both modulo 10|D=two, modulo 11 and modulo 10"},
    {" ^BK ", "check digit", "Codabar has none here", "N=none"},
    {"", "check digit in the text", "check digit in the text line", YES_NO("shown", "left out")},
    {"", "check digits in the text", "check digits in the text line", YES_NO("shown", "left out")},
    {"", "check digit", "check digit that the printer adds", YES_NO("added", "not added")},
    {" ^BC ", "UCC check digit", "check digit of a UCC case code", YES_NO("added", "not added")},
    {" ^BC ", "mode", "how the data is read",
     "N=no mode: >: and the like choose the subset|U=UCC case: 19 digits, the check digit is added|A=automatic: the "
     "shortest subsets are chosen|D=GS1-128: identifiers in brackets, FNC1 is added"},
    {" ^BB ", "mode", "kind of CODABLOCK", "A=Code 39|E=Code 128 with FNC1|F=Code 128"},
    {" ^BD ", "mode", "what the message is",
     "2=carrier message, postal code in digits (USA)|3=carrier message, postal code with letters|4=other data|5=other "
     "data, more error correction|6=set-up of the reader"},
    {" ^BB ", "security", "check characters of the rows", YES_NO("added", "left out")},
    {" ^BB ", "characters per row", "characters in one row", ""},
    {" ^BK ", "start", "start character", "A=A|B=B|C=C|D=D|*=star, as C|N=N, as B|T=T, as A|E=E, as D"},
    {" ^BK ", "stop", "stop character", "A=A|B=B|C=C|D=D|*=star, as C|N=N, as B|T=T, as A|E=E, as D"},
    {" ^B7 ", "security level", "error correction: 0 finds errors, 1 to 8 correct more and more", ""},
    {" ^B7 ^BX ", "columns", "columns of the symbol; 0: as the data needs", ""},
    {" ^B7 ^BX ^BB ", "rows", "rows of the symbol; 0: as the data needs", ""},
    {" ^B7 ", "truncated", "right row indicators and stop pattern", YES_NO("left out", "printed")},
    {" ^BF ", "size", "number of the symbol's size, 0 to 33", ""},
    {" ^BD ", "symbol number", "which symbol of the series this is", ""},
    {" ^BD ", "number of symbols", "symbols in the series", ""},
    {" ^BQ ", "model", "model of the QR code", "1=model 1, the old one|2=model 2, the usual one"},
    {"", "magnification", "dots per module", ""},
    {" ^BQ ", "error correction", "how much of the symbol may be damaged",
     "H=most, 30 percent|Q=25 percent|M=15 percent|L=least, 7 percent"},
    {" ^BQ ", "mask", "pattern that is laid over the modules", ""},
    {" ^BO ^B0 ", "extended channel", "extended channel codes in the data", YES_NO("used", "not used")},
    {" ^BO ^B0 ", "error control or size",
     "0: standard; 1 to 99: percent of error correction; 101 to 104: compact size; 201 to 232: full size; 300: rune",
     ""},
    {" ^BO ^B0 ", "reader set-up", "the symbol sets up the reader", YES_NO("it does", "it holds data")},
    {" ^BO ^B0 ", "symbols", "symbols of a structured append", ""},
    {" ^BO ^B0 ", "message id", "name of the structured append", ""},
    {" ^BR ", "symbology",
     "1: omnidirectional; 2: truncated; 3: stacked; 4: stacked omnidirectional; 5: limited; 6: expanded; 7: UPC-A; 8: "
     "UPC-E; 9: EAN-13; 10: EAN-8; 11: GS1-128 with CC-A or CC-B; 12: GS1-128 with CC-C",
     ""},
    {" ^BR ", "separator height", "dots between linear part and composite part, in modules", ""},
    {" ^BR ", "segments", "segments in a row of DataBar Expanded", ""},
    {" ^BT ", "Code 39 narrow bar", "width of the narrowest bar in dots", ""},
    {" ^BT ", "Code 39 ratio", "width of a wide bar to a narrow one", ""},
    {" ^BT ", "Code 39 height", "height of the bars in dots", ""},
    {" ^BT ", "MicroPDF417 module", "width of the narrowest bar in dots", ""},
    {" ^BT ", "MicroPDF417 row height", "height of one row in dots", ""},
    {" ^BX ", "module size", "dots per module", ""},
    {" ^BX ", "quality", "error correction: 200 is today's; 0, 50, 80, 100, 140 are the old ones", ""},
    {" ^BX ", "format", "characters of the data, for the old qualities", ""},
    {" ^BX ", "escape", "character that starts an escape sequence", ""},
    {" ^BX ", "aspect", "shape of the symbol", "1=square|2=rectangular"},
    {" ^BZ ", "kind", "which postal code", "0=POSTNET|1=PLANET|2=reserved, drawn as POSTNET|3=USPS Intelligent Mail"},
    {" ^CV ", "validate", "bad data of barcodes",
     YES_NO("replaced by a panel that names the fault", "drawn as far as it goes")},

    // label and printer
    {" ^CC ^CD ^CT ~CC ~CD ~CT ", "character", "the new character", ""},
    {" ^LH ", "x", "dots from the left edge of the label", ""},
    {" ^LH ", "y", "dots from the top edge of the label", ""},
    {" ^LL ", "length", "length of the label in dots", ""},
    {" ^LL ", "all media", "for which media it counts", YES_NO("all media", "continuous media")},
    {" ^LR ", "reverse", "fields over black are white", YES_NO("on", "off")},
    {" ^LS ", "dots", "dots to the left", ""},
    {" ^LT ", "rows", "rows of dots downwards; negative: upwards", ""},
    {" ^MC ", "clear", "picture of the label before", YES_NO("cleared", "kept below the next label")},
    {" ^MU ", "unit", "unit of lengths", "D=dots|I=inches|M=millimetres"},
    {" ^MU ", "format dpi", "density for which the format was written", ""},
    {" ^MU ", "printer dpi", "density of the printer", ""},
    {" ^PM ", "mirror", "left and right change places", YES_NO("on", "off")},
    {" ^PQ ", "quantity", "number of labels", ""},
    {" ^PQ ", "pause after", "labels between pauses", ""},
    {" ^PQ ", "replicates", "labels with the same serial number", ""},
    {" ^PQ ", "no pause", "pause between groups", YES_NO("no pause, only a cut", "pause")},
    {" ^PQ ", "cut on error", "cut behind a bad RFID tag", YES_NO("cut", "no cut")},
    {" ^PW ", "width", "width of the label in dots", ""},
    {" ^JM ", "density", "dots of the head for a dot of the label", "A=one|B=two by two"},
    {" ^JB ~JB ", "device", "memory that is erased",
     "A=PCMCIA or option, drive A:|B=option, drive B:|E=flash memory, drive E:"},
    {" ^DF ^XF ", "format", "name of the stored format, such as R:SHIP.ZPL", ""},
    {" ^ID ~DY ", "object", "name of the stored object", ""},
    {" ^TO ", "source", "name of the object; stars stand for any characters", ""},
    {" ^TO ", "destination", "name of the copy", ""},
    {" ^CM ", "B:", "letter that stands for drive B:", "B=B:|E=E:|R=R:|A=A:|N=none"},
    {" ^CM ", "E:", "letter that stands for drive E:", "B=B:|E=E:|R=R:|A=A:|N=none"},
    {" ^CM ", "R:", "letter that stands for drive R:", "B=B:|E=E:|R=R:|A=A:|N=none"},
    {" ^CM ", "A:", "letter that stands for drive A:", "B=B:|E=E:|R=R:|A=A:|N=none"},
    {" ^CM ", "multiple", "several letters for one drive", "M=allowed"},
    {" ^SL ", "mode", "S: time of the format's start; T: time of its queueing; a number: tolerance in seconds", ""},
    {" ^SL ", "language", "language of months and days", ""},
    {" ^SO ", "clock", "which clock: 2 or 3", ""},
    {" ^ST ", "format", "what the hour means", "A=before noon|P=after noon|M=24 hours"},
    {" ^SO ", NULL, "added to the first clock's", ""},
    {" ^ST ", NULL, "of the clock", ""},
    {" ~DY ", "kind", "how the data is written",
     "A=hexadecimal digits|B=binary|C=compressed, of AR code|P=a PNG file in hexadecimal digits"},
    {" ~DY ", "extension", "B bitmap, E or T TrueType, G GRF, P PNG, X PCX, other: the file's own", ""},
    {" ~DT ~DU ~DB ", "font", "name under which the font is stored", ""},
    {" ~DE ", "table", "name under which the table is stored", ""},
    {" ~DB ", "cell height", "height of a character's cell in dots", ""},
    {" ~DB ", "cell width", "width of a character's cell in dots", ""},
    {" ~DB ", "baseline", "dots from the cell's top to the baseline", ""},
    {" ~DB ", "space width", "width of a blank in dots", ""},
    {" ~DB ", "characters", "number of characters", ""},
    {" ~DB ", "copyright", "text that is kept with the font", ""},
    {" ~DG ~DY ~DT ~DU ~DE ", "bytes", "bytes of data that follow", ""},
};

static const struct words *find(const struct pl_lang_command *command, const struct pl_lang_param *param)
{
    char title[8] = " ";
    size_t length = strlen(command->title);
    memcpy(title + 1, command->title, length);
    memcpy(title + 1 + length, " ", 2);
    for (size_t i = 0; i < PL_COUNTOF(WORDS); i++) {
        const struct words *w = &WORDS[i];
        if ((!w->param || strcmp(w->param, param->name) == 0) && (!w->commands[0] || strstr(w->commands, title)))
            return w;
    }
    return NULL;
}

const char *pl_zpl_param_words(const struct pl_lang_command *command, const struct pl_lang_param *param)
{
    const struct words *w = find(command, param);
    return w ? w->about : "";
}

const char *pl_zpl_value_words(const struct pl_lang_command *command, const struct pl_lang_param *param, char value,
                               size_t *length)
{
    const struct words *w = find(command, param);
    *length = 0;
    for (const char *at = w ? w->choices : ""; *at;) {
        size_t whole = strcspn(at, "|");
        if (at[0] == value && at[1] == '=') {
            *length = whole - 2;
            return at + 2;
        }
        at += whole + (at[whole] == '|');
    }
    return "";
}
