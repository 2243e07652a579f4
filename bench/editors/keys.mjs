// A key is a change of one character and a question about the text with it. Processor time of the thread that answers: labels are
// drawn on another one meanwhile.
import fs from 'node:fs';
import { Session, URI } from '../../tests/lsp/session.mjs';

const at = process.argv.indexOf('--keys');
const KEYS = at > 0 ? Number(process.argv[at + 1]) : 50;
const SIZE = 1 << 20;

const label = (i) => `^XA\n^CI28\n^FO50,${i % 400}^A0N,30,30^FDArtikel ${i}^FS\n^FO60,90^BY2^BCN,100,Y,N,N^FD1234567${i}^FS\n^FO50,300^GB400,200,4^FS\n^FO300,300^BQN,2,6^FDQA,https://example.org/${i}^FS\n^XZ\n`;
let text = '';
let labels = 0;
while (text.length < SIZE) text += label(labels++);
const middle = Math.floor(labels / 2) * 7 + 2;

const session = new Session();
await session.start({ textDocument: { completion: { completionItem: { snippetSupport: true } } } });
const tasks = `/proc/${session.child.pid}/task`;
const spentBy = (task) => Number(fs.readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
const spent = () => spentBy(session.child.pid);
const spentByAll = () => fs.readdirSync(tasks).reduce((sum, task) => sum + spentBy(task), 0);
const lines = (from, to) => ({ range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } } });

const QUESTIONS = {
  hover: () => session.at('hover', middle, 5),
  completion: () => session.at('completion', middle, 2),
  'signature help': () => session.at('signatureHelp', middle, 7),
  'code actions of a line': () => session.of('codeAction', { ...lines(middle, middle + 1), context: { diagnostics: [] } }),
  'inlay hints of 100 lines': () => session.of('inlayHint', lines(middle - 50, middle + 50)),
  'semantic tokens of 100 lines': () => session.of('semanticTokens/range', lines(middle - 50, middle + 50)),
  'references of a name': () => session.at('references', middle, 14, { context: {} }),
  'folding of all': () => session.of('foldingRange'),
  'code lenses of all': () => session.of('codeLens'),
  'symbols of all': () => session.of('documentSymbol'),
  'semantic tokens of all': () => session.of('semanticTokens/full'),
  'diagnostics of parsing, all threads': () => session.until(() => session.published.get(URI)?.version === version),
};

const start = spent();
session.open(text);
await session.at('hover', 0, 1);
console.log(`${labels} labels, ${text.length} bytes; processor time of the answering thread in ms\n\n| question | median | highest |\n|---|---|---|\n| open, and hover | ${(spent() - start).toFixed(1)} | |`);
let version = 1;
for (const [name, ask] of Object.entries(QUESTIONS)) {
  const times = [];
  const clock = name.endsWith('all threads') ? spentByAll : spent;
  for (let key = 0; key < KEYS; key++) {
    const before = clock();
    const place = { line: middle, character: 5 };
    session.notify('textDocument/didChange', { textDocument: { uri: URI, version: ++version }, contentChanges: [{ range: { start: place, end: place }, text: String(key % 10) }] });
    await ask();
    times.push(clock() - before);
  }
  times.sort((a, b) => a - b);
  console.log(`| ${name} | ${times[KEYS >> 1].toFixed(1)} | ${times.at(-1).toFixed(1)} |`);
}
session.child.kill();
