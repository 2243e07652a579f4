// Instructions of labels with the same content in each language, by valgrind, and how many times those of ZPL they are.
// Each count is the difference of two numbers of runs: what a label costs that is drawn again.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const platen = `${process.env.PLATEN_BUILD ?? 'build'}/platen`;
const LANGUAGES = ['zpl', 'epl', 'tspl', 'cpcl'];
// 812 x 1218 dots, as one label of each language.
const label = {
  zpl: (lines) => `^XA\n^PW812^LL1218\n${lines.join('\n')}\n^XZ\n`,
  epl: (lines) => `N\nq812\nQ1218,24\n${lines.join('\n')}\nP1\n`,
  tspl: (lines) => `SIZE 812 dot,1218 dot\r\nCLS\r\n${lines.join('\r\n')}\r\nPRINT 1\r\n`,
  cpcl: (lines) => `! 0 200 200 1218 1\r\nPAGE-WIDTH 812\r\n${lines.join('\r\n')}\r\nPRINT\r\n`,
};
const element = {
  zpl: {
    text: (x, y, data) => `^FO${x},${y}^ADN,18,10^FD${data}^FS`,
    code: (x, y, data) => `^FO${x},${y}^BY2^BCN,80,N^FD${data}^FS`,
    qr: (x, y, data) => `^FO${x},${y}^BQN,2,5^FDMA,${data}^FS`,
    frame: (x, y, w, h, t) => `^FO${x},${y}^GB${w},${h},${t}^FS`,
    graphic: (x, y, row, bytes) => `^FO${x},${y}^GFA,${bytes.length},${bytes.length},${row},${bytes.toString('hex').toUpperCase()}^FS`,
  },
  epl: {
    text: (x, y, data) => `A${x},${y},0,2,1,1,N,"${data}"`,
    code: (x, y, data) => `B${x},${y},0,1,2,4,80,N,"${data}"`,
    qr: (x, y, data) => `b${x},${y},Q,s5,eM,"${data}"`,
    frame: (x, y, w, h, t) => `X${x},${y},${t},${x + w},${y + h}`,
    graphic: (x, y, row, bytes) => `GW${x},${y},${row},${bytes.length / row},${Buffer.from(bytes.map((b) => ~b)).toString('latin1')}`,
  },
  tspl: {
    text: (x, y, data) => `TEXT ${x},${y},"2",0,1,1,"${data}"`,
    code: (x, y, data) => `BARCODE ${x},${y},"128",80,0,0,2,4,"${data}"`,
    qr: (x, y, data) => `QRCODE ${x},${y},M,5,A,0,"${data}"`,
    frame: (x, y, w, h, t) => `BOX ${x},${y},${x + w},${y + h},${t}`,
    graphic: (x, y, row, bytes) => `BITMAP ${x},${y},${row},${bytes.length / row},0,${Buffer.from(bytes.map((b) => ~b)).toString('latin1')}`,
  },
  cpcl: {
    text: (x, y, data) => `TEXT 7 0 ${x} ${y} ${data}`,
    code: (x, y, data) => `BARCODE 128 2 1 80 ${x} ${y} ${data}`,
    qr: (x, y, data) => `BARCODE QR ${x} ${y} M 2 U 5\r\nMA,${data}\r\nENDQR`,
    frame: (x, y, w, h, t) => `BOX ${x} ${y} ${x + w} ${y + h} ${t}`,
    graphic: (x, y, row, bytes) => `CG ${row} ${bytes.length / row} ${x} ${y} ${bytes.toString('latin1')}`,
  },
};

const dots = (row, rows) => Buffer.from(Array.from({ length: row * rows }, (_, i) => ((i % row) * 37 + (Math.floor(i / row) >> 3) * 91) & 255));
const texts = (e, count, from) => Array.from({ length: count }, (_, i) => e.text(20 + (i % 2) * 400, from + Math.floor(i / 2) * 30, `Line ${i}: 12 Example Street`));
const CONTENTS = {
  'one frame': (e) => [e.frame(50, 50, 300, 200, 8)],
  'parcel: 16 texts, two Code 128, QR Code, frames, logo': (e) => [
    e.frame(10, 10, 790, 1190, 4),
    e.frame(10, 300, 790, 4, 4),
    e.graphic(600, 1080, 20, dots(20, 100)),
    ...texts(e, 16, 40),
    e.code(40, 340, 'JJD000390007862136'),
    e.code(40, 460, '0034012345000000001'),
    e.qr(560, 340, 'https://example.com/parcel/JJD000390007862136'),
  ],
  '76 texts': (e) => texts(e, 76, 20),
  '12 Code 128': (e) => Array.from({ length: 12 }, (_, i) => e.code(40, 20 + i * 95, `PARCEL-${1000000 + i * 7919}`)),
  'full-page graphic': (e) => [e.graphic(0, 0, 101, dots(101, 1218))],
};

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'languages-'));
function collected(file, runs) {
  const args = ['--tool=callgrind', '--callgrind-out-file=/dev/null', platen, 'bench', file, '--runs', String(runs)];
  const { stderr } = spawnSync('valgrind', args, { encoding: 'utf8' });
  const found = /Collected : (\d+)/.exec(stderr);
  if (!found) throw new Error(`valgrind gave no count for ${file}: ${stderr}`);
  return Number(found[1]);
}
console.log('| label | ZPL, thousand instructions | EPL2 | TSPL | CPCL |\n|---|---|---|---|---|');
for (const [name, content] of Object.entries(CONTENTS)) {
  const counts = LANGUAGES.map((language) => {
    const file = path.join(work, `label.${language}`);
    fs.writeFileSync(file, Buffer.from(label[language](content(element[language])), 'latin1'));
    const found = JSON.parse(execFileSync(platen, ['inspect', '--json', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    if (found.warnings.length > 0 || found.labels.length !== 1) throw new Error(`${name}, ${language}: ${JSON.stringify(found.warnings)}`);
    return (collected(file, 12) - collected(file, 2)) / 10;
  });
  console.log(`| ${name} | ${Math.round(counts[0] / 1000)} | ${counts.slice(1).map((count) => (count / counts[0]).toFixed(2)).join(' | ')} |`);
}
fs.rmSync(work, { recursive: true });
