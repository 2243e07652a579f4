// Labels through the program to pictures of bits, many at once.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

export const program = process.env.PLATEN_PROGRAM ?? 'build/platen';

// A picture of black and white dots.
export class Bits {
    constructor(width, height) {
        this.width = width;
        this.height = height;
        this.dots = new Uint8Array(width * height);
    }
    get(x, y) {
        return x >= 0 && y >= 0 && x < this.width && y < this.height ? this.dots[y * this.width + x] : 0;
    }
    crop(x, y, width, height) {
        const out = new Bits(width, height);
        for (let v = 0; v < height; v++) for (let u = 0; u < width; u++) out.dots[v * width + u] = this.get(x + u, y + v);
        return out;
    }
    // Quarter turns anticlockwise: undoes a field's rotation.
    unturned(turns) {
        let from = this;
        for (let i = 0; i < turns; i++) {
            const to = new Bits(from.height, from.width);
            for (let y = 0; y < to.height; y++)
                for (let x = 0; x < to.width; x++) to.dots[y * to.width + x] = from.get(from.width - 1 - y, x);
            from = to;
        }
        return from;
    }
    // For zxing: grey with a light margin.
    toImageData(margin) {
        const width = this.width + 2 * margin, height = this.height + 2 * margin;
        const data = new Uint8ClampedArray(width * height * 4).fill(255);
        for (let y = 0; y < this.height; y++)
            for (let x = 0; x < this.width; x++)
                if (this.dots[y * this.width + x]) data.fill(0, ((y + margin) * width + x + margin) * 4, ((y + margin) * width + x + margin) * 4 + 3);
        return { data, width, height, colorSpace: 'srgb' };
    }
}

// PNG files as the program writes them: one channel of one bit.
export function readPng(file) {
    const bytes = readFileSync(file);
    const width = bytes.readUInt32BE(16), height = bytes.readUInt32BE(20);
    if (bytes[24] !== 1 || bytes[25] !== 0) throw new Error(`${file}: not one bit of grey`);
    const parts = [];
    for (let at = 8; at < bytes.length; ) {
        const length = bytes.readUInt32BE(at);
        if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
        at += 12 + length;
    }
    const raw = inflateSync(Buffer.concat(parts)), stride = (width + 7) >> 3, bits = new Bits(width, height);
    let above = new Uint8Array(stride), x0 = width, y0 = height, x1 = 0, y1 = 0;
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (stride + 1)], row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
        if (filter > 2) throw new Error(`${file}: filter ${filter}`);
        for (let i = 0; i < stride; i++) {
            if (filter === 1 && i) row[i] += row[i - 1];
            if (filter === 2) row[i] += above[i];
            if (row[i] === 255) continue;
            for (let k = 0, x = i * 8; k < 8 && x < width; k++, x++) {
                if ((row[i] >> (7 - k)) & 1) continue;
                bits.dots[y * width + x] = 1;
                x0 = Math.min(x0, x);
                x1 = Math.max(x1, x + 1);
                y0 = Math.min(y0, y);
                y1 = y + 1;
            }
        }
        above = row;
    }
    // Here, since most of a page is empty: looking for its dots later took more time than all the rest.
    bits.inkBox = x1 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : { x: 0, y: 0, width: 0, height: 0 };
    return bits;
}

// labels: [{ zpl }], all of one size; gives the pictures in the same order.
export function renderAll(labels, { widthMm = 100, heightMm = 100, dpmm = 8 } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-barcodes-'));
    try {
        const name = (i) => String(i).padStart(5, '0');
        labels.forEach((label, i) => writeFileSync(join(folder, `${name(i)}.zpl`), label.zpl));
        execFileSync(program, ['render', folder, '--out-dir', folder, '-q', '--width-mm', widthMm, '--height-mm', heightMm, '--dpmm', dpmm].map(String), {
            stdio: ['ignore', 'ignore', 'inherit'],
        });
        return labels.map((_, i) => readPng(join(folder, `${name(i)}.png`)));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// The check digit of GS1: weights 3, 1, 3, ... from the right.
export const mod10 = (digits) => String((10 - ([...digits].reverse().reduce((sum, d, i) => sum + Number(d) * (i % 2 ? 1 : 3), 0) % 10)) % 10);

// A generator of numbers that is the same on every machine and run.
export function seeded(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return (t ^ (t >>> 14)) >>> 0;
    };
    return {
        below: (n) => next() % n,
        between: (low, high) => low + (next() % (high - low + 1)),
        pick: (list) => list[next() % list.length],
        text(alphabet, length) {
            let out = '';
            for (let i = 0; i < length; i++) out += alphabet[next() % alphabet.length];
            return out;
        },
    };
}
