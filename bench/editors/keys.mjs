// A key is a change of one character and a question about the text with it, in a megabyte of label code of several kinds. Processor
// time of the thread that answers: labels are drawn on another one meanwhile.
import fs from 'node:fs';
import { Session, URI } from '../../tests/lsp/session.mjs';

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const KEYS = Number(option('--keys') ?? 100);
const SIZE = 1 << 20;

/** A megabyte of what `part` gives for 0, 1 …, and the line in its middle that is `line` lines behind the beginning of a part. */
function many(part, { begin = '', end = '', line = 0, character }) {
  let text = begin;
  let count = 0;
  while (text.length < SIZE) text += part(count++);
  const lines = part(0).split('\n').length - 1;
  return { text: text + end, place: { line: lines * (count >> 1) + line + begin.split('\n').length - 1, character } };
}
const field = (i) => `^FO${i % 800},${i % 1200}^A0N,30,30^FDFeld Nr ${i}, Halle ${i % 7}^FS`;
const KINDS = {
  labels: () => many((i) => `^XA\n^CI28\n^FO50,${i % 400}^A0N,30,30^FDArtikel ${i}^FS\n^FO60,90^BY2^BCN,100,Y,N,N^FD1234567${i}^FS\n^FO50,300^GB400,200,4^FS\n^FO300,300^BQN,2,6^FDQA,https://example.org/${i}^FS\n^XZ\n`, { line: 2, character: 5 }),
  fields: () => many((i) => `${field(i)}\n`, { begin: '^XA\n', end: '^XZ\n', character: 5 }),
  line: () => ({ ...many(field, { begin: '^XA', end: '^XZ', character: 0 }), place: { line: 0, character: 5 } }),
  graphic: () => ({ text: `^XA\n^FO1,1^A0N,30,30^FDx^FS\n^FO50,50^GFA,524000,524000,125,${'F0'.repeat(524000)}^FS\n^XZ\n`, place: { line: 1, character: 5 } }),
  epl: () => many((i) => `N\nq812\nQ400,24\nA50,100,0,3,1,1,N,"Artikel ${i}"\nB50,150,0,1,2,2,60,B,"1234567${i}"\nX10,10,2,400,300\nP1\n`, { line: 3, character: 2 }),
  tspl: () => many((i) => `SIZE 100 mm,50 mm\nCLS\nTEXT 10,20,"3",0,1,1,"Artikel ${i}"\nBARCODE 10,90,"128",50,1,0,2,2,"1234567${i}"\nBOX 10,200,400,300,4\nPRINT 1\n`, { line: 2, character: 6 }),
  cpcl: () => many((i) => `! 0 200 200 240 1\r\nTEXT 4 0 20 20 Artikel ${i}\r\nBARCODE 128 1 1 50 20 80 1234567${i}\r\nBOX 10 10 300 200 2\r\nPRINT\r\n`, { line: 1, character: 9 }),
};

async function measure(kind) {
  const { text, place } = KINDS[kind]();
  const session = new Session();
  await session.start({ textDocument: { completion: { completionItem: { snippetSupport: true } } } });
  const tasks = `/proc/${session.child.pid}/task`;
  const spentBy = (task) => Number(fs.readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  const spent = () => spentBy(session.child.pid);
  const lines = (from, to) => ({ range: { start: { line: Math.max(from, 0), character: 0 }, end: { line: to, character: 0 } } });
  const { line, character } = place;
  const QUESTIONS = {
    hover: () => session.at('hover', line, character),
    completion: () => session.at('completion', line, 2),
    'signature help': () => session.at('signatureHelp', line, character + 2),
    'code actions of a line': () => session.of('codeAction', { ...lines(line, line + 1), context: { diagnostics: [] } }),
    'inlay hints of 100 lines': () => session.of('inlayHint', lines(line - 50, line + 50)),
    'semantic tokens of 100 lines': () => session.of('semanticTokens/range', lines(line - 50, line + 50)),
    'references of a name': () => session.at('references', line, 14, { context: {} }),
    'folding of all': () => session.of('foldingRange'),
    'code lenses of all': () => session.of('codeLens'),
    'symbols of all': () => session.of('documentSymbol'),
    'semantic tokens of all': () => session.of('semanticTokens/full'),
    'diagnostics, when they come': () => session.until(() => session.published.get(URI)?.version === version),
  };
  session.open(text, URI, { epl: 'epl', tspl: 'tspl', cpcl: 'cpcl' }[kind] ?? 'zpl');
  await session.at('hover', 0, 1);
  const rows = {};
  let version = 1;
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const times = [];
    for (let key = 0; key < KEYS; key++) {
      const before = spent();
      const change = key % 2 ? { range: { start: place, end: { line, character: character + 1 } }, text: '' } : { range: { start: place, end: place }, text: '1' };
      session.notify('textDocument/didChange', { textDocument: { uri: URI, version: ++version }, contentChanges: [change] });
      await ask();
      times.push(spent() - before);
    }
    times.sort((a, b) => a - b);
    rows[name] = `${times[KEYS >> 1].toFixed(1)} / ${times.at(-1).toFixed(1)}`;
  }
  session.child.kill();
  return rows;
}

const kinds = option('--kinds')?.split(',') ?? Object.keys(KINDS);
const columns = [];
for (const kind of kinds) columns.push(await measure(kind));
console.log(`Median / highest of ${KEYS} keys, ms of the answering thread\n\n| question | ${kinds.join(' | ')} |\n|---|${'---|'.repeat(kinds.length)}`);
for (const name of Object.keys(columns[0])) console.log(`| ${name} | ${columns.map((rows) => rows[name]).join(' | ')} |`);
