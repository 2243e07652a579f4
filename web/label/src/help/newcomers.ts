// The help page for people who see ZPL for the first time.
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, type Child } from "../ui/dom";
import { say } from "../ui/language";

const FIRST = `^XA
^FO50,50^A0N,60,60^FDHello, label^FS
^XZ`;

const PARTS = `^XA
^FX A frame, a heading, a bar code
^FO20,20^GB772,300,4^FS
^FO50,50^A0N,50,50^FDSpare part 4711^FS
^FO50,110^A0N,30,30^FDShelf 12, level B^FS
^BY3
^FO50,170^BCN,100,Y,N^FD4711-12B^FS
^XZ`;

const REPEAT = `^XA
^DFR:TAG.ZPL^FS
^FO40,40^A0N,60,60^FN1^FS
^BY3
^FO40,120^BCN,100^FN2^FS
^XZ
^XA^XFR:TAG.ZPL^FS^FN1^FDBolts M6^FS^FN2^FDM6-100^FS^XZ
^XA^XFR:TAG.ZPL^FS^FN1^FDBolts M8^FS^FN2^FDM8-100^FS^XZ`;

function example(zpl: string, label: string, load: (zpl: string) => void, close: () => void): HTMLElement {
  return el(
    "div",
    {},
    el("pre", { tabindex: 0, role: "group", "aria-label": label }, zpl),
    el(
      "p",
      { class: "try" },
      button({
        text: say("Open this in the editor"),
        kind: "outlined",
        onClick: () => {
          close();
          load(zpl);
        },
      }),
    ),
  );
}

/** What is between backticks is code. */
function withCode(text: string): Child[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}

function paragraph(text: string): HTMLElement {
  return el("p", {}, ...withCode(text));
}

function row(command: string, meaning: string): HTMLElement {
  return el("tr", {}, el("td", {}, el("code", {}, command)), el("td", {}, meaning));
}

export function openNewcomersHelp(load: (zpl: string) => void): void {
  const close = (): void => dialog.close();
  const dialog = openDialog(
    say("ZPL in five minutes"),
    "reading",
    el(
      "div",
      { class: "prose" },
      el("h3", {}, say("What it is")),
      paragraph(say("ZPL II is the language of Zebra label printers and many others. A label is plain text: commands that each start with `^` or `~`, have a name of two characters, and take parameters separated by commas. What this page shows is what the printer would print, dot for dot.")),
      el("h3", {}, say("A first label")),
      example(FIRST, say("A first label in ZPL"), load, close),
      paragraph(say("`^XA` opens a label and `^XZ` closes it. Between them are fields, and most fields have four parts: where (`^FO`), how (a font or a bar code), what (`^FD`) and the end (`^FS`).")),
      el("h3", {}, say("Dots")),
      paragraph(say("All positions and sizes are in dots, counted from the top left corner. A printer of 203 dpi has 8 dots per millimetre, so `^FO80,40` is 10 mm from the left and 5 mm from the top. With 300 dpi there are 12 dots per millimetre, and the same label comes out smaller: choose the density of your printer under Settings.")),
      el("h3", {}, say("Lines, boxes and bar codes")),
      example(PARTS, say("A label with a box and a bar code in ZPL"), load, close),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("Command")), el("th", { scope: "col" }, say("Meaning")))),
        el(
          "tbody",
          {},
          row("^FOx,y", say("Place of the next field: its top left corner")),
          row("^FTx,y", say("Place of the next field: its baseline")),
          row("^A0N,h,w", say("Font 0, upright, so many dots high and wide")),
          row("^FBw,n,g,j", say("Block of text: width, lines, gap, alignment L, C, R or J")),
          row("^GBw,h,t", say("Box or line: width, height, thickness")),
          row("^BYw,r,h", say("Bar codes from here on: width of a bar, ratio, height")),
          row("^BC  ^BE  ^BQ  ^BX", "Code 128, EAN-13, QR Code, Data Matrix"),
          row("^FR", say("White on black, black on white")),
          row("^CI28", say("The text is UTF-8: put it first for anything beyond ASCII")),
          row("^FX", say("A comment")),
        ),
      ),
      el("h3", {}, say("One format, many labels")),
      paragraph(say("A format stored with `^DF` is filled in and printed by short formats that recall it with `^XF`; `^FN` numbers the gaps. `^PQ` asks for copies.")),
      example(REPEAT, say("A stored format in ZPL"), load, close),
      el("h3", {}, say("Finding your way on this page")),
      el(
        "ul",
        {},
        el("li", {}, ...withCode(say("Type `^` in the editor for the list of commands; rest the pointer on one for its parameters."))),
        el("li", {}, say("Point at something in the picture: its place in the code lights up. A click takes you there.")),
        el("li", {}, say("Boxes shows where everything lies, which white a bar code needs around it, and what overlaps.")),
        el("li", {}, say("Export has the pictures, the PDF, and a curl command that does the same from a script.")),
        el("li", {}, say("Your label stays in this browser. It is sent to this service only to be drawn, and is not kept there.")),
      ),
    ),
  );
}
