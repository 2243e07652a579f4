// PDF/A by a validator that is not ours: PDFBox Preflight, the only one in Debian. It knows PDF/A-1b, which asks for more than 2b of all that is
// in these files; so the part number is set to 1 before, and with 2 it must be the only complaint.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const work = mkdtempSync(join(tmpdir(), 'pdfa-'));
after(() => rmSync(work, { recursive: true }));
const at = (name) => join(work, name);
const platen = join(process.env.PLATEN_BUILD || 'build', 'platen');
const jars = ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'commons-io', 'javax.activation', 'jaxb-api'].map((name) => `/usr/share/java/${name}.jar`);
const missing = jars.filter((jar) => !existsSync(jar));
const skip = missing.length > 0 && `${missing.join(', ')} missing`;

function complaints(bytes) {
  writeFileSync(at('file.pdf'), bytes);
  const { stdout, stderr } = spawnSync('java', ['-Xshare:auto', '-cp', jars.join(':'), 'org.apache.pdfbox.preflight.Validator_A1b', at('file.pdf')]);
  const out = stdout.toString();
  assert.match(out, /valid PDF\/A-1b file/, stderr.toString());
  return [...out.matchAll(/^\d[\d.]* : .*$/gm)].map((line) => line[0]);
}

function render(...options) {
  writeFileSync(at('a.zpl'), '^XA^CI28^FO20,20^A0N,40^FDHi é € (x)\\^FS^FO20,90^BCN,60^FD123^FS^XZ^XA^FO5,5^GB50,50,4^FS^FO9,99^FDb^FS^XZ^XA^FO1,1^GC90,9^FS^XZ');
  const { status, stderr } = spawnSync(platen, ['render', at('a.zpl'), '-o', at('a.pdf'), ...options]);
  assert.equal(status, 0, stderr.toString());
  return readFileSync(at('a.pdf'));
}
const asPartOne = (bytes) => Buffer.from(bytes.toString('latin1').replace('<pdfaid:part>2<', '<pdfaid:part>1<'), 'latin1');

for (const options of [['--quality', 'grayscale'], ['--page-size', 'A4', '--cut-marks', '--label-border', 'dashed']]) {
  test(`PDF/A with ${options.join(' ')} is valid`, { skip }, () => {
    const bytes = render('--pdfa', ...options);
    assert.deepEqual(complaints(asPartOne(bytes)), []);
  });
}

test('the validator sees a wrong part number, and what other files lack', { skip }, () => {
  assert.deepEqual(complaints(render('--pdfa')), ['7.11.2 : Error on MetaData, part must be 1']);
  assert.notDeepEqual(complaints(render()), []);
});
