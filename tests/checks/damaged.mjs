// Damaged symbols: what `platen check` decides about them, and whether readers of other projects read their pictures. `node tests/checks/damaged.mjs [N [SEED [x]]]` prints both by symbology;
// `x` lists where they differ. zxing-wasm is the project's own dependency; zbarimg, dmtxread and ZXingReader are asked where they are installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { mod10, readPng, seeded } from '../barcodes/render.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const ALNUM = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', SIZE = 100; // mm of the label's side
const box = (x, y, w, h, colour = 'B') => `^FO${Math.round(x)},${Math.round(y)}^GB${Math.max(1, Math.round(w))},${Math.max(1, Math.round(h))},${Math.max(1, Math.round(Math.min(w, h)))},${colour}^FS`;

// A field, and what it holds. `module`: in dots.
export const SYMBOLS = {
    qr: (r) => { const data = r.pick(['', 'HTTPS://EXAMPLE.COM/']) + r.text(ALNUM, r.between(8, 60)), module = r.between(4, 7); return { data, module, field: `^BQN,2,${module}^FD${r.pick('LMQH')}A,${data}^FS` }; },
    datamatrix: (r) => { const data = r.text(ALNUM, r.between(6, 50)), module = r.between(4, 8); return { data, module, field: `^BXN,${module},200^FD${data}^FS` }; },
    aztec: (r) => { const data = r.text(ALNUM, r.between(6, 50)), module = r.between(4, 7); return { data, module, field: `^BON,${module}^FD${data}^FS` }; },
    pdf417: (r) => { const data = r.text(ALNUM, r.between(10, 50)), module = r.between(2, 3); return { data, module, field: `^BY${module}^B7N,${module * 4},${r.between(1, 5)},${r.between(3, 5)}^FD${data}^FS` }; },
    code128: (r) => { const data = r.text(ALNUM, r.between(6, 12)); return { data, module: 3, linear: true, field: `^BY3^BCN,${r.between(60, 160)},N,N,N,A^FD${data}^FS` }; },
    ean13: (r) => { const item = r.text('123456789', 12), data = item + mod10(item); return { data, module: 3, linear: true, field: `^BY3^BEN,${r.between(80, 160)},N,N^FD${data}^FS` }; },
    itf: (r) => { const item = r.text('123456789', 13), data = item + mod10(item); return { data, module: 2, linear: true, field: `^BY2,3^B2N,${r.between(60, 160)},N,N,N^FD${data}^FS` }; },
    code39: (r) => { const data = r.text(ALNUM, r.between(4, 8)); return { data, module: 2, linear: true, field: `^BY2,3^B3N,N,${r.between(60, 160)},N,N^FD${data}^FS` }; },
};

// What is done to a symbol that covers s.x, s.y, s.width, s.height.
const DAMAGE = {
    text: (r, s) => { const high = r.between(16, 70); return `^FO${Math.round(s.x + s.width * r.between(0, 60) / 100)},${Math.round(s.y + (s.height - high / 2) * r.between(0, 90) / 100)}^A0N,${high},${high}^FD${r.pick(['VOID', 'SAMPLE', '12', 'X', 'COPY'])}^FS`; },
    lineAcross: (r, s) => box(s.x - 10, s.y + s.height * r.between(5, 95) / 100, s.width + 20, r.between(1, 3 * s.module)),
    lineDown: (r, s) => box(s.x + s.width * r.between(5, 95) / 100, s.y - 10, r.between(1, 2 * s.module), s.height + 20),
    whiteAcross: (r, s) => box(s.x - 10, s.y + s.height * r.between(5, 95) / 100, s.width + 20, r.between(1, 3 * s.module), 'W'),
    whiteDown: (r, s) => box(s.x + s.width * r.between(5, 95) / 100, s.y - 10, r.between(1, 2 * s.module), s.height + 20, 'W'),
    diagonal: (r, s) => `^FO${s.x},${s.y}^GD${s.width},${s.height},${r.between(1, 2 * s.module)},${r.pick('BW')},${r.pick('LR')}^FS`,
    spot: (r, s) => { const side = Math.sqrt(s.width * s.height) * r.between(4, 35) / 100; return box(s.x + (s.width - side) * r.between(0, 100) / 100, s.y + Math.max(0, s.height - side) * r.between(0, 100) / 100, side, Math.min(side, s.height), r.pick('BW')); },
    dirt: (r, s) => { let out = ''; for (let i = r.between(3, 40); i > 0; i--) out += box(s.x + s.width * r.between(0, 97) / 100, s.y + s.height * r.between(0, 97) / 100, r.between(1, 2 * s.module), r.between(1, 2 * s.module), r.pick('BW')); return out; },
};

function inspect(labels, options = []) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-damaged-'));
    try {
        const files = labels.map((zpl, i) => { const file = join(folder, `${String(i).padStart(5, '0')}.zpl`); writeFileSync(file, zpl); return file; }), size = ['--width-mm', String(SIZE), '--height-mm', String(SIZE)];
        const lines = spawnSync(platen, ['inspect', '--json', ...options, ...size, ...files], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout.trim().split('\n').map((line) => JSON.parse(line));
        spawnSync(platen, ['render', folder, '--out-dir', folder, '-q', ...size]);
        return lines.map((line, i) => ({ element: line.labels[0].elements.find((e) => e.type === 'barcode'), warnings: line.warnings, picture: () => readPng(join(folder, `${String(i).padStart(5, '0')}.png`)) }))
            .map((l) => (options.length ? { ...l, picture: l.picture() } : l));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// A grey picture of part of the label: `scale` pixels a dot, then blurred `blur` times.
function picture(bits, b, scale, blur) {
    const margin = 60, part = bits.crop(b.x - margin, b.y - margin, b.width + 2 * margin, b.height + 2 * margin), width = Math.round(part.width * scale), height = Math.round(part.height * scale);
    let grey = new Uint8Array(width * height);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            let sum = 0, n = 0;
            for (let v = Math.floor(y / scale); v < Math.max(Math.floor(y / scale) + 1, Math.floor((y + 1) / scale)); v++)
                for (let u = Math.floor(x / scale); u < Math.max(Math.floor(x / scale) + 1, Math.floor((x + 1) / scale)); u++, n++) sum += part.get(u, v) ? 0 : 255;
            grey[y * width + x] = sum / n;
        }
    for (; blur > 0; blur--) {
        const from = grey;
        grey = new Uint8Array(from);
        for (let y = 1; y < height - 1; y++)
            for (let x = 1; x < width - 1; x++) {
                const i = y * width + x;
                grey[i] = (4 * from[i] + 2 * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]) + from[i - width - 1] + from[i - width + 1] + from[i + width - 1] + from[i + width + 1]) / 16;
            }
    }
    return { width, height, grey };
}

function png({ width, height, grey }) {
    const table = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
    const chunk = (type, data) => {
        const body = Buffer.concat([Buffer.from(type, 'latin1'), data]), out = Buffer.alloc(body.length + 8);
        out.writeUInt32BE(data.length);
        body.copy(out, 4);
        out.writeUInt32BE((body.reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0, body.length + 4);
        return out;
    };
    const head = Buffer.alloc(13), raw = Buffer.alloc((width + 1) * height);
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([8, 0, 0, 0, 0], 8);
    for (let y = 0; y < height; y++) raw.set(grey.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))]);
}

const has = (name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
const tools = { zbar: has('zbarimg'), dmtx: has('dmtxread'), zxing1: process.env.ZXING_READER ?? has('ZXingReader') };
// The readers of a symbology; each says what it reads in a picture.
const PROGRAMS = {
    zbar: (file) => spawnSync(tools.zbar, ['-q', '--raw', file], { encoding: 'latin1' }).stdout.split('\n'),
    dmtx: (file) => [spawnSync(tools.dmtx, ['-N', '1', '-m', '1500', file], { encoding: 'latin1' }).stdout],
    zxing1: (file) => [...spawnSync(tools.zxing1, [file], { encoding: 'latin1' }).stdout.matchAll(/^Text: +"(.*)"$/gm)].map((m) => m[1]),
};
const READERS = { qr: ['zbar', 'zxing1'], datamatrix: ['zxing1', 'dmtx'], aztec: ['zxing1'], pdf417: ['zxing1'], code128: ['zbar', 'zxing1'], ean13: ['zbar', 'zxing1'], itf: ['zbar', 'zxing1'], code39: ['zbar', 'zxing1'] };
const VIEWS = [[1, 0], [2, 1], [1, 1], [3, 3], [0.5, 0], [0.5, 1], [0.35, 0]]; // pixels a dot, times blurred: a camera sees about three pixels a module

let ready;
async function zxingReads(view) {
    ready ??= prepareZXingModule({ overrides: { wasmBinary: readFileSync(new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)).buffer } });
    await ready;
    const data = new Uint8ClampedArray(view.width * view.height * 4).fill(255);
    view.grey.forEach((value, i) => data.fill(value, i * 4, i * 4 + 3));
    return (await readBarcodes({ data, width: view.width, height: view.height, colorSpace: 'srgb' }, { tryHarder: true, tryRotate: false, tryInvert: false })).map((found) => found.text);
}

// Which reader reads it in one of the views; '' where none does.
async function read(symbol, bits, where, programs) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-damaged-')), file = join(folder, 'symbol.png');
    try {
        for (const [scale, blur] of VIEWS) {
            const view = picture(bits, where, scale, blur);
            if ((await zxingReads(view)).includes(symbol.data)) return 'zxing';
            writeFileSync(file, png(view));
            for (const reader of programs)
                if (tools[reader] && PROGRAMS[reader](file).includes(symbol.data)) return reader;
        }
        return '';
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// `count` symbols of each symbology, with one damage each: `refused` is the verdict of the checks, `reader` the first that reads it.
// `known`: readers by label code, which need not be asked again.
// `others`: ask the programs that are installed, too.
export async function damage(count, seed = 1, { names = Object.keys(SYMBOLS), known = new Map(), others = true } = {}) {
    const cases = [];
    for (const name of names) {
        const r = seeded(seed * 104729 + name.length * 31 + name.charCodeAt(0)), symbols = Array.from({ length: count }, () => SYMBOLS[name](r));
        const where = inspect(symbols.map((s) => `^XA^FO200,200${s.field}^XZ`));
        const made = symbols.map((s, i) => {
            const { x, y, width, height } = where[i].element, kind = r.pick(Object.keys(DAMAGE));
            return { name, kind, symbol: s, where: { x, y, width, height }, zpl: `^XA^FO200,200${s.field}${DAMAGE[kind](r, { x, y, width, height, module: s.module })}^XZ` };
        });
        const after = inspect(made.map((m) => m.zpl), ['--verify']);
        made.forEach((m, i) => Object.assign(m, { warnings: after[i].warnings, bits: after[i].picture, refused: after[i].warnings.some((w) => w.severity === 'error'), element: after[i].element }));
        cases.push(...made);
    }
    for (const c of cases) {
        if (!known.has(c.zpl)) known.set(c.zpl, await read(c.symbol, c.bits, c.where, others ? READERS[c.name] : []));
        c.reader = known.get(c.zpl);
        c.agrees = c.refused === (c.reader === '');
        c.byRule = c.refused && c.warnings.some((w) => /Only \d of 9 scan lines/.test(w.message)); // refused although it can be read: by decision
    }
    return cases;
}

if (process.argv[1] === import.meta.filename) {
    const cases = await damage(Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 1), { names: process.argv[5]?.split(',') });
    for (const name of new Set(cases.map((c) => c.name))) {
        const of = cases.filter((c) => c.name === name), count = (test) => of.filter(test).length;
        console.log(`${name.padEnd(12)} of ${of.length}: agree ${count((c) => c.agrees)}; refused but read ${count((c) => c.refused && c.reader)}; passed but not read ${count((c) => !c.refused && !c.reader)}; read ${count((c) => c.reader)}`);
    }
    const agree = cases.filter((c) => c.agrees).length, ruled = cases.filter((c) => !c.agrees && c.byRule).length, percent = (n) => `${n} of ${cases.length} (${(100 * n / cases.length).toFixed(1)} %)`;
    console.log(`${percent(agree)} agree; with those that are refused since fewer than half of the scan lines read them ${percent(agree + ruled)}`);
    if (process.argv[4] === 'x')
        for (const c of cases.filter((c) => !c.agrees)) console.log(`${c.name} ${c.kind} ${c.refused ? 'refused' : 'passed'}, ${c.reader ? `read by ${c.reader}` : 'not read'}: ${c.zpl}\n    ${c.warnings.map((w) => `${w.severity} ${w.code}: ${w.message}`).join('\n    ')}`);
}
