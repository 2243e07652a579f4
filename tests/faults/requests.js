// What the tests ask of the services while calls fail: each request has one right answer, known from a run without faults.
import zlib from "node:zlib";
import { readFileSync } from "node:fs";

const TEXT = "^XA^CI28^FO20,20^A0N,40,40^FDPaket Привет Ω^FS^FO20,80^ADN,36,20^FDDEVICE^FS^FO20,140^AEN,28,15^FDOCR 123^FS";
const CODES = "^FO20,200^BCN,80,Y^FD12345678^FS^FO20,320^BQN,2,5^FDQA,https://example.org^FS^FO220,320^B7N,4,3^FDPDF417 text^FS^FO420,320^BXN,5,200^FDmatrix^FS";
const GRAPHIC = `^FO20,500^GFA,3200,3200,16,${"F0".repeat(1600)}${"0F".repeat(1600)}^FS`;
const FORM = "^XA^DFR:F.ZPL^FO20,20^A0N,50^FN1^FS^FO20,100^GB300,80,4^FS^XZ";
const label = (i) => `${TEXT}${CODES}${i % 2 ? GRAPHIC : ""}^FO400,20^A0R,30^FDno ${i}^FS^XZ`;
const block = `^XA^FO20,20^FB700,40,4,J^A0N,24^FD${"A longer text that is broken into many lines. ".repeat(40)}^FS^XZ`;
const font = () => {
  const bytes = readFileSync("/usr/share/fonts/truetype/ocr-a/OCRA.ttf");
  return `~DUR:T.TTF,${bytes.length},${bytes.toString("hex").toUpperCase()}^XA^FO20,20^A@N,40,40,R:T.TTF^FDdownloaded^FS^XZ`;
};

const request = (method, path, body, headers = {}) => {
  const bytes = Buffer.from(body ?? "");
  const lines = Object.entries({ Host: "test", ...(body === undefined ? {} : { "Content-Length": bytes.length }), ...headers });
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join("")}\r\n`), bytes]);
};
const zpl = (path, body) => request("POST", path, body, { "Content-Type": "text/plain" });
const chunked = (path, body) => {
  const chunks = body.match(/[^]{1,700}/g).map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`);
};

const SEASON = `time,temp C,RH\n${Array.from({ length: 72 }, (_, i) => `2024-10-${String(1 + Math.floor(i / 24)).padStart(2, "0")} ${i % 24}:00,${10 + (i % 12)},${50 + (i % 30)}`).join("\n")}`;

export const REQUESTS = {
  platen: () => [
    zpl("/api/render/png", label(1)),
    zpl("/api/render/png?quality=grayscale&dpmm=12", label(2)),
    zpl("/api/render/jpeg?rotation=90", label(3)),
    zpl("/api/render/webp", label(4)),
    zpl("/api/render/pdf", [1, 2, 3, 4].map(label).join("")),
    zpl("/api/render/json", [5, 6, 7].map(label).join("")),
    zpl("/api/render/base64", label(8)),
    zpl("/api/render/png", block),
    zpl("/api/render/png", "^XA^CI28^FO20,20^A0N,50,50^FDעברית العربية हिन्दी ไทย^FS^CI15^FO20,200^A0N,40,40^FH^FD_93_FA_96_7B^FS^XZ"),
    zpl("/api/render/png", `${FORM}^XA^XFR:F.ZPL^FN1^FDrecalled^FS^XZ`),
    zpl("/api/render/png", font()),
    zpl("/api/render/png", `^XA^FO1,1^GFA,120000,120000,100,${"AA55".repeat(60000)}^FS^XZ`),
    zpl("/api/render/png?strict=1", "^XA^FO20,20^A0N,40^FDstrict^FS^XZ"),
    request("POST", "/api/render", JSON.stringify({ zpl: label(9), format: "png", widthMm: 60, heightMm: 80 }), { "Content-Type": "application/json" }),
    request("POST", "/api/render/png", zlib.gzipSync(label(10)), { "Content-Type": "text/plain", "Content-Encoding": "gzip" }),
    request("POST", "/v1/printers/8dpmm/labels/4x6/0/", label(11), { "Content-Type": "application/x-www-form-urlencoded" }),
    chunked("/api/render/png", label(12)),
    request("GET", "/"),
    request("GET", "/openapi.json", undefined, { "Accept-Encoding": "gzip" }),
    request("GET", "/nothing/here"),
    zpl("/api/render/png", "no label in here"),
  ],
  hygro: () => [
    request("GET", "/"),
    request("GET", "/?grain=corn&ta=25&ur=70"),
    request("GET", "/?grain=corn&ta=70&ur=70&lang=pt"),
    request("GET", "/api/grains"),
    request("GET", "/api/table?grain=wheat"),
    request("GET", "/api/calculate?grain=corn&ta=25&ur=70"),
    request("GET", "/api/calculate?grain=corn&ta=55&ur=97"),
    request("GET", "/api/air?ta=20&wetBulb=16&fanHeat=2&grain=arroz"),
    request("GET", "/api/keeping?grain=corn&ta=15&moisture=18&lang=es"),
    request("GET", "/?grain=quinoa&tool=keeping&keeping-ta=15&keeping-moisture=18"),
    request("POST", "/api/hours?grain=corn&moisture=14&grainTa=10", `time;temp;umidade\n${Array.from({ length: 2500 }, (_, i) => `${i};${i % 40},5;${30 + (i % 75)}`).join("\n")}`, { "Content-Type": "text/csv" }),
    request("POST", "/api/calculate", JSON.stringify({ grain: "barley", ta: 15, ur: 70 }), { "Content-Type": "application/json" }),
    request("POST", "/api/calculate", JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ grain: "wheat", ta: i % 60, ur: 20 + (i % 80) }))), { "Content-Type": "application/json" }),
    request("GET", "/openapi.json"),
    request("GET", "/nothing/here"),
    request("POST", "/?grain=corn&ta=25&ur=70&own=15", `--b\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\n${SEASON}\r\n--b--\r\n`, { "Content-Type": "multipart/form-data; boundary=b" }),
  ],
};
