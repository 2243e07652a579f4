// Label code that would take long, each with a way of its own to keep a worker busy. `query` goes with it.
import { readFileSync } from "node:fs";

const text = (n, word = "many words ") => word.repeat(Math.ceil(n / word.length)).slice(0, n);
const hex = (bytes) => bytes.toString("hex").toUpperCase();
const BIG = "widthMm=400&heightMm=400&dpmm=24"; // 9590 x 9590 dots, near the limit
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i)).join("");
const font = () => {
  const bytes = readFileSync("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf");
  return `~DUR:T.TTF,${bytes.length},${hex(bytes)}`;
};

// A picture of noise, nearly as large as a body may be: what compressors like least.
const noise = (bytesPerRow, rows) => {
  let state = 1;
  const bytes = Buffer.alloc(bytesPerRow * rows);
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[i] = state >>> 16;
  }
  return `^XA^FO0,0^GFA,${bytes.length},${bytes.length},${bytesPerRow},${hex(bytes)}^FS^XZ`;
};

export const LONG_RENDERS = {
  "one huge ^FB text": { zpl: `^XA^FO0,0^FB9000,9999,0,J^A0N,20^FD${text(3000000)}^FS^XZ`, query: BIG },
  "many ^FB texts": { zpl: `^XA${times(600, (i) => `^FO0,${i}^FB700,9999,0,J^A0N,12^FD${text(9000)}^FS`)}^XZ` },
  "^TB with words of one letter": { zpl: `^XA${times(400, (i) => `^FO0,${i}^TBN,700,9000^A0N,10^FD${text(9000, "i ")}^FS`)}^XZ` },
  "text in two directions": { zpl: `^XA^CI28${times(300, (i) => `^FO0,${i}^FB700,9999^A0N,12^FD${text(6000, "אב ab ")}^FS`)}^XZ` },
  "overlapping ^FR boxes on a large label": { zpl: `^XA${times(15000, (i) => `^FO${i % 50},${i % 70}^FR^GB9300,9300,9300^FS`)}^XZ`, query: BIG },
  "large boxes in smooth quality": { zpl: `^XA${times(15000, (i) => `^FO${i % 50},${i % 70}^GB9300,9300,${i % 2 ? 9300 : 3},${i % 2 ? "W" : "B"},8^FS`)}^XZ`, query: `${BIG}&quality=grayscale` },
  "large ellipses": { zpl: `^XA${times(15000, (i) => `^FO${i % 50},${i % 70}^GE4000,4000,${1 + (i % 300)}^FS`)}^XZ`, query: BIG },
  "large diagonals": { zpl: `^XA${times(15000, (i) => `^FO${i % 50},${i % 70}^GD9000,9000,${1 + (i % 3000)}^FS`)}^XZ`, query: BIG },
  "large QR codes": { zpl: `^XA${times(2500, (i) => `^FO${i % 50},${i}^BQN,2,20^FDHA,${text(2700, "x9Y")}${i}^FS`)}^XZ`, query: BIG },
  "large PDF417 codes": { zpl: `^XA${times(3000, (i) => `^FO${i % 50},${i}^B7N,40,8,30,90^FD${text(2500, "Ab9,")}${i}^FS`)}^XZ`, query: BIG },
  "Data Matrix codes": { zpl: `^XA${times(3000, (i) => `^FO${i % 50},${i}^BXN,20,200^FD${text(2000, "Ab9,")}${i}^FS`)}^XZ`, query: BIG },
  "Aztec codes": { zpl: `^XA${times(3000, (i) => `^FO${i % 50},${i}^BON,20,N,0^FD${text(2500, "Ab9,")}${i}^FS`)}^XZ`, query: BIG },
  "MaxiCodes": { zpl: `^XA${times(15000, (i) => `^FO${i % 5000},${i % 5000}^BD4^FDdata of ${i}^FS`)}^XZ`, query: `${BIG}&quality=grayscale` },
  "Codablock": { zpl: `^XA${times(15000, (i) => `^FO0,${i}^BBN,30,,60,20,F^FD${text(500, "Ab9,")}^FS`)}^XZ` },
  "grey pages at 24 dots per mm": { zpl: times(400, (i) => `^XA^FO${i},0^A0N,9000,9000^FDWM${i}^FS^XZ`), query: `${BIG}&quality=grayscale`, format: "pdf" },
  "huge glyphs": { zpl: `^XA${times(3000, (i) => `^FO${i},0^A0N,32000,32000^FD${text(40, "W@M&")}^FS`)}^XZ`, query: BIG },
  "^XG magnified": { zpl: `~DGR:A.GRF,80000,100,${"F0".repeat(80000)}^XA${times(15000, (i) => `^FO${i % 90},${i % 90}^XGR:A.GRF,10,10^FS`)}^XZ`, query: BIG },
  "serial copies": { zpl: `^XA${times(2000, () => "^FO0,0^A0N,90^SN000000000001,1,Y^FS")}^PQ10000^XZ`, format: "json" },
  "many ~DG": { zpl: times(100000, (i) => `~DGR:A${i % 99}.GRF,32,1,${"FF".repeat(32)}`) + "^XA^FO0,0^XGR:A1.GRF^FS^XZ" },
  "~DG of one repeated byte": { zpl: times(1200, () => `~DGR:B.GRF,60000,100,${"zF:".repeat(600)}`) + "^XA^FO0,0^XGR:B.GRF^FS^XZ" },
  "forms that recall forms": {
    zpl: times(8, (i) => `^XA^DFR:F${i}.ZPL^FS${i ? times(12, () => `^XFR:F${i - 1}.ZPL^FS`) : "^FO0,0^GB9,9,9^FS"}^XZ`) + "^XA^XFR:F7.ZPL^FS^XZ",
  },
  "^FN filled again and again": { zpl: `^XA^DFR:N.ZPL^FS${times(9999, (i) => `^FO0,${i % 900}^A0N,20^FN${i}^FS`)}^XZ` + times(60, () => `^XA^XFR:N.ZPL^FS${times(3000, (i) => `^FN${i}^FDx^FS`)}^XZ`) },
  "a downloaded font, all sizes": { zpl: () => `${font()}^XA^CI28${times(15000, (i) => `^FO0,0^A@N,${100 + i},${100 + i},R:T.TTF^FD${text(30, "W@M&")}^FS`)}^XZ`, query: BIG },
  "empty commands": { zpl: `^XA${"^FS".repeat(2700000)}^FO1,1^GB9,9,9^FS^XZ` },
  "carets": { zpl: `^XA${"^".repeat(8000000)}^FO1,1^GB9,9,9^FS^XZ` },
  "changes of the caret": { zpl: `^XA${"^CC^".repeat(1900000)}^FO1,1^GB9,9,9^FS^XZ` },
  "unknown commands": { zpl: `^XA${"^ZQ1\n".repeat(1500000)}^FO1,1^GB9,9,9^FS^XZ`, format: "json" },
  "narrow barcodes far into the input": { zpl: times(99, () => `^XA${times(2400, (i) => `^FO0,0^BY1^BCN,20^FD${i}^FS`)}^XZ`), query: "minModuleMm=9", format: "json" },
  "overlapping fields in a report": { zpl: times(20, () => `^XA${times(19000, (i) => `^FO${i % 90},0^GB99,99^FS`)}^XZ`), format: "json" },
  "hex escapes": { zpl: `^XA${times(300, () => `^FO0,0^A0N,20^FH^FD${"_41".repeat(8000)}^FS`)}^XZ` },
  "clock fields": { zpl: times(36, () => `^XA${times(6000, () => "^FO0,0^A0N,20^FC%^FD%A %B %d %Y %H^FS")}^XZ`) },
  "noise as PNG": { zpl: () => noise(1180, 3300), query: BIG },
  "noise as JPEG": { zpl: () => noise(1180, 3300), query: BIG, format: "jpeg" },
  "noise as WebP": { zpl: () => noise(1180, 3300), query: BIG, format: "webp" },
  "smooth noise as JPEG": { zpl: () => noise(1180, 3300), query: `${BIG}&quality=grayscale`, format: "jpeg" },
  "smooth noise as WebP": { zpl: () => noise(420, 3300), query: "widthMm=143&heightMm=143&dpmm=24&quality=grayscale", format: "webp" },
  "smooth noise, many labels in a PDF": { zpl: () => noise(420, 500).repeat(12), query: "widthMm=143&heightMm=143&dpmm=24&quality=grayscale", format: "pdf" },
  "images stored and recalled": { zpl: `^XA^FO0,0^GB9300,9300,9300^FS^ISR:S.GRF,N^XZ` + times(200, () => `^XA${times(60, () => "^ILR:S.GRF^FS")}^FO0,0^GB9,9^FS^XZ`), query: BIG, format: "json" },
};
