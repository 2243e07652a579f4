// Pieces of label code to begin with.

export interface Snippet {
  name: string;
  about: string;
  zpl: string;
}

export const SNIPPETS: readonly Snippet[] = [
  { name: "Label", about: "an empty label in UTF-8", zpl: "^XA\n^CI28\n\n^XZ\n" },
  { name: "Text", about: "a line of text in the scalable font", zpl: "^FO50,50^A0N,40,40^FDText^FS\n" },
  { name: "Text block", about: "text that breaks into up to four lines of 400 dots", zpl: "^FO50,50^A0N,30,30^FB400,4,0,L^FDText that breaks into lines^FS\n" },
  { name: "Centred line", about: "text in the middle of 812 dots, the width of 4 inches", zpl: "^FO0,50^A0N,40,40^FB812,1,0,C^FDIn the middle^FS\n" },
  { name: "White on black", about: "a heading on a black bar", zpl: "^FO50,50^GB400,60,60^FS\n^FO60,62^FR^A0N,40,40^FDHEADING^FS\n" },
  { name: "Characters by number", about: "^ and ~ in the data, written as hex digits", zpl: "^FO50,50^A0N,40,40^FH^FDcaret _5E tilde _7E^FS\n" },
  { name: "Code 128", about: "a barcode with its text below", zpl: "^FO50,50^BY2^BCN,80,Y,N,N,A^FD12345678^FS\n" },
  { name: "GS1-128", about: "identifiers in brackets", zpl: "^FO50,50^BY2^BCN,80,Y,N,N,D^FD(00)340123450000000000^FS\n" },
  { name: "EAN-13", about: "twelve digits; the check digit is added", zpl: "^FO50,50^BY2^BEN,80,Y,N^FD400638133393^FS\n" },
  { name: "QR Code", about: "error correction M, automatic mode", zpl: "^FO50,50^BQN,2,5^FDMA,https://example.com^FS\n" },
  { name: "Data Matrix", about: "ECC 200, modules of 6 dots", zpl: "^FO50,50^BXN,6,200^FDData Matrix^FS\n" },
  { name: "PDF417", about: "rows of 6 dots, security level 4", zpl: "^FO50,50^BY2^B7N,6,4^FDPDF417^FS\n" },
  { name: "Box", about: "a frame of 3 dots", zpl: "^FO50,50^GB300,150,3^FS\n" },
  { name: "Line", about: "a level line", zpl: "^FO50,50^GB400,3,3^FS\n" },
  { name: "Serial number", about: "counts from label to label", zpl: "^FO50,50^A0N,40,40^SN0001,1,Y^FS\n^PQ3\n" },
  { name: "Date", about: "of the printer's clock", zpl: "^FO50,50^A0N,40,40^FC%^FD%d.%m.%Y^FS\n" },
  {
    name: "Stored format",
    about: "a template and a label that fills it",
    zpl: "^XA\n^DFR:TAG.ZPL^FS\n^FO50,50^A0N,40,40^FN1^FS\n^XZ\n^XA\n^XFR:TAG.ZPL^FS\n^FN1^FDFilled in^FS\n^XZ\n",
  },
];
