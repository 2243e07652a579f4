// Pieces of label code to begin with.
import { say } from "../ui/language";

export interface Snippet {
  name: string;
  about: string;
  zpl: string;
}

export const SNIPPETS: readonly Snippet[] = [
  { name: say("Label"), about: say("an empty label in UTF-8"), zpl: "^XA\n^CI28\n\n^XZ\n" },
  { name: say("Text"), about: say("a line of text in the scalable font"), zpl: "^FO50,50^A0N,40,40^FDText^FS\n" },
  { name: say("Text block"), about: say("text that breaks into up to four lines of 400 dots"), zpl: "^FO50,50^A0N,30,30^FB400,4,0,L^FDText that breaks into lines^FS\n" },
  { name: say("Centred line"), about: say("text in the middle of 812 dots, the width of 4 inches"), zpl: "^FO0,50^A0N,40,40^FB812,1,0,C^FDIn the middle^FS\n" },
  { name: say("White on black"), about: say("a heading on a black bar"), zpl: "^FO50,50^GB400,60,60^FS\n^FO60,62^FR^A0N,40,40^FDHEADING^FS\n" },
  { name: say("Characters by number"), about: say("^ and ~ in the data, written as hex digits"), zpl: "^FO50,50^A0N,40,40^FH^FDcaret _5E tilde _7E^FS\n" },
  { name: "Code 128", about: say("a barcode with its text below"), zpl: "^FO50,50^BY2^BCN,80,Y,N,N,A^FD12345678^FS\n" },
  { name: "GS1-128", about: say("identifiers in brackets"), zpl: "^FO50,50^BY2^BCN,80,Y,N,N,D^FD(00)340123450000000000^FS\n" },
  { name: "EAN-13", about: say("twelve digits; the check digit is added"), zpl: "^FO50,50^BY2^BEN,80,Y,N^FD400638133393^FS\n" },
  { name: "QR Code", about: say("error correction M, automatic mode"), zpl: "^FO50,50^BQN,2,5^FDMA,https://example.com^FS\n" },
  { name: "Data Matrix", about: say("ECC 200, modules of 6 dots"), zpl: "^FO50,50^BXN,6,200^FDData Matrix^FS\n" },
  { name: "PDF417", about: say("rows of 6 dots, security level 4"), zpl: "^FO50,50^BY2^B7N,6,4^FDPDF417^FS\n" },
  { name: say("Box"), about: say("a frame of 3 dots"), zpl: "^FO50,50^GB300,150,3^FS\n" },
  { name: say("Line"), about: say("a level line"), zpl: "^FO50,50^GB400,3,3^FS\n" },
  { name: say("Serial number"), about: say("counts from label to label"), zpl: "^FO50,50^A0N,40,40^SN0001,1,Y^FS\n^PQ3\n" },
  { name: say("Date"), about: say("of the printer's clock"), zpl: "^FO50,50^A0N,40,40^FC%^FD%d.%m.%Y^FS\n" },
  {
    name: say("Stored format"),
    about: say("a template and a label that fills it"),
    zpl: "^XA\n^DFR:TAG.ZPL^FS\n^FO50,50^A0N,40,40^FN1^FS\n^XZ\n^XA\n^XFR:TAG.ZPL^FS\n^FN1^FDFilled in^FS\n^XZ\n",
  },
];
