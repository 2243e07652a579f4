// Real labels, where they are present ($PLATEN_SHARED): the reference's in the size of their picture, carrier labels apart; the
// corpus in the size that its names give, or on paper that is larger than any of them; and the project's own goldens. Errors must be
// those of real-labels.tsv, each of which was looked at.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen'), shared = process.env.PLATEN_SHARED ?? '../shared';
const rows = (file) => readFileSync(file, 'utf8').trim().split('\n').filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));

export const present = existsSync(join(shared, 'labelary/index.tsv')) && existsSync(join(shared, 'zpl/corpus'));
// Of the large sets, those that have none are left out.
const hasBarcode = ({ set, file }) => set === 'carrier' || set === 'corpus' || /[\^~]B[0-9A-Z]/i.test(readFileSync(file, 'latin1').replace(/\^BY/gi, ''));

function reference(folder) {
    const index = join(shared, folder, 'index.tsv');
    if (!existsSync(index)) return [];
    const [head, ...list] = rows(index), at = (row, name) => row[head.indexOf(name)];
    return list.map((row) => ({ set: at(row, 'group') === 'carrier' ? 'carrier' : 'reference', file: join(shared, folder, at(row, 'zpl')), width: at(row, 'widthMm'), height: at(row, 'heightMm'), dpmm: at(row, 'dpmm') }));
}

function labels() {
    const golden = ['pixels', 'scene'].flatMap((folder) => readdirSync(join('tests/golden', folder)).filter((name) => name.endsWith('.zpl')).sort().map((name) =>
        ({ set: 'golden', file: join('tests/golden', folder, name), width: '216', height: '330' })));
    const corpus = readdirSync(join(shared, 'zpl/corpus')).filter((name) => name.endsWith('.zpl')).sort().map((name) => {
        // "75x254" is in mm, "5-7x5" (5.7 x 5) in cm.
        const [, w, h] = name.match(/-(\d+(?:-\d)?)x(\d+(?:-\d)?)\./) ?? [null, '216', '330'];
        const mm = (text) => String(Number(text.replace('-', '.')) * (Number(text.replace('-', '.')) < 30 ? 10 : 1));
        return { set: 'corpus', file: join(shared, 'zpl/corpus', name), width: mm(w), height: mm(h) };
    });
    const all = [...reference('labelary'), ...reference('labelary-more'), ...corpus, ...golden], seen = new Set();
    return all.filter((label) => existsSync(label.file) && hasBarcode(label) && !seen.has(JSON.stringify(label)) && seen.add(JSON.stringify(label)));
}

// What was found in all of them: counts by set and code, and the errors that are not in the list or are missing.
export function checkReal(listed = rows('tests/checks/real-labels.tsv')) {
    const result = { labels: 0, barcodes: 0, read: 0, unread: {}, counts: {}, errors: 0, differences: [] }, seen = new Map();
    for (const { set, file, width, height, dpmm = '8' } of labels()) {
        const text = execFileSync(platen, ['inspect', '--json', '--verify', '--width-mm', width, '--height-mm', height, '--dpmm', dpmm, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
        const { labels: drawn, warnings } = JSON.parse(text), name = file.slice(file.lastIndexOf('/') + 1);
        result.labels += drawn.length;
        for (const e of drawn.flatMap((label) => label.elements).filter((element) => element.type === 'barcode')) {
            result.barcodes++;
            result.read += e.decoded === true && e.matches !== false;
            if (e.decoded === null) result.unread[e.reason] = (result.unread[e.reason] ?? 0) + 1;
        }
        for (const w of warnings.filter((warning) => warning.element !== undefined)) {
            const counts = (result.counts[set] ??= {});
            counts[w.code] = (counts[w.code] ?? 0) + 1;
            if (w.severity !== 'error') continue;
            result.errors++;
            const key = `${set}\t${name}\t${w.code}`;
            seen.set(key, (seen.get(key) ?? 0) + 1);
        }
    }
    const wanted = new Map(listed.map(([set, name, code, count]) => [`${set}\t${name}\t${code}`, Number(count)]));
    for (const key of new Set([...seen.keys(), ...wanted.keys()]))
        if (seen.get(key) !== wanted.get(key)) result.differences.push(`${key}: ${seen.get(key) ?? 0} instead of ${wanted.get(key) ?? 0}`);
    result.seen = seen;
    return result;
}
