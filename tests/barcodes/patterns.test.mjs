// Every symbol measured on the reference, rendered through the program and compared dot for dot.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderAll } from './render.mjs';

const file = `${process.env.PLATEN_SHARED ?? '../shared'}/barcodes/patterns.tsv`;
const turns = { N: 0, R: 1, I: 2, B: 3 };

// Symbols that are known to differ, with the reason. Each must be the reference's own fault.
const known = {};

function read() {
    const [head, ...lines] = readFileSync(file, 'latin1').trimEnd().split('\n');
    const names = head.split('\t');
    return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [names[i], value])));
}

// The field alone, on a page that nothing centres or turns; control bytes are written <1E> in the table.
function label(row) {
    let body = row.zpl.replace(/\^XA|\^XZ|\^POI|\^PW\d+/g, '');
    if (/<[0-9A-F]{2}>/.test(body)) body = body.replace('^FD', '^FH\\^FD').replace(/<([0-9A-F]{2})>/g, '\\$1');
    return { zpl: Buffer.from(`^XA${body}^XZ`, 'latin1') };
}

// Bands of runs in reading direction.
function paintRuns(row) {
    const upright = row.orientation === 'N' || row.orientation === 'I';
    const width = Number(upright ? row.w_px : row.h_px);
    const rows = [];
    for (const band of row.pattern.split('|')) {
        const [height, list] = band.split(':');
        let dark = 1;
        const line = [];
        for (const item of list.split(',')) {
            let text = item;
            if (text.startsWith('-')) {
                dark = 0;
                text = text.slice(1);
            }
            for (let i = 0; i < Number(text); i++) line.push(dark);
            dark ^= 1;
        }
        while (line.length < width) line.push(0);
        for (let i = 0; i < Number(height); i++) rows.push(line);
    }
    return rows;
}

function paintModules(row) {
    const [w, h] = row.module_px.split('x').map(Number);
    const rows = [];
    for (const bits of row.pattern.split('/')) {
        const line = [...bits].flatMap((bit) => Array(w).fill(Number(bit)));
        for (let i = 0; i < h; i++) rows.push(line);
    }
    return rows;
}

// Where the symbol's box stands on our page: without the shift that the page gave it. Under ^POI the reference was seen to shift by
// one dot more.
function candidates(row) {
    const shift = Number(/x shift (\d+) applied/.exec(row.note)?.[1] ?? 0);
    const shifts = row.zpl.includes('^POI') ? [shift, shift + 1] : [shift];
    return shifts.map((by) => ({ x: Number(row.x) - by, y: Number(row.y) }));
}

function compare(row, picture) {
    const wanted = row.kind === 'runs' ? paintRuns(row) : paintModules(row);
    let least = Infinity;
    for (const { x, y } of candidates(row)) {
        const box = picture.crop(x, y, Number(row.w_px), Number(row.h_px)).unturned(turns[row.orientation]);
        let wrong = wanted.length === box.height ? 0 : 1e6;
        for (let v = 0; v < box.height && wrong < least; v++)
            for (let u = 0; u < box.width; u++) if ((wanted[v]?.[u] ?? 0) !== box.get(u, v)) wrong++;
        least = Math.min(least, wrong);
    }
    return least;
}

// MaxiCode: one dot in the middle of each cell; cells under the bullseye are not in the symbol.
function compareCells(row, picture) {
    let least = Infinity;
    for (const { x, y } of candidates(row)) {
        let wrong = 0;
        row.pattern.split('/').forEach((cells, v) => {
            [...cells].forEach((cell, u) => {
                const cx = (2.46 * u + 1.23 + (v % 2 ? 1.23 : 0)) * 2.72, cy = (2.135 * v + 1.43) * 2.72;
                if (Math.hypot(cx - 97.3, cy - 96.8) < 33) return;
                if (picture.get(Math.floor(x + cx), Math.floor(y + cy)) !== Number(cell)) wrong++;
            });
        });
        least = Math.min(least, wrong);
    }
    return least;
}

const skip = existsSync(file) ? false : 'no measured symbols (PLATEN_SHARED)';

test('every measured symbol is drawn dot for dot', { skip }, () => {
    const rows = read();
    const pictures = renderAll(rows.map(label), { widthMm: 130, heightMm: 210 });
    const failures = [];
    rows.forEach((row, i) => {
        const wrong = row.kind === 'hexrows' ? compareCells(row, pictures[i]) : compare(row, pictures[i]);
        if (wrong && !known[row.case_id]) failures.push(`${row.case_id} (${row.symbology}): ${wrong} dots differ`);
        if (!wrong && known[row.case_id]) failures.push(`${row.case_id} is listed as different but is equal`);
    });
    assert.ok(rows.length > 100);
    assert.deepEqual(failures, []);
});
