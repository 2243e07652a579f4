// digests.mjs [BUILD]: what the programs of a build folder give for our own labels and tables, a short digest for each output. It is the
// same on every machine. After a change of pictures that is meant: node tests/same-bytes/digests.mjs > tests/same-bytes/digests.txt
// $TEST_RUNNER goes before the programs (an emulator).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const build = process.argv[2] || 'build';
const runner = (process.env.TEST_RUNNER || '').split(' ').filter(Boolean);
const work = mkdtempSync(join(tmpdir(), 'digests-'));
const lines = [];

function run(program, ...args) {
  const [command, ...rest] = [...runner, join(build, program), ...args];
  const { status, stdout, stderr, error } = spawnSync(command, rest, { encoding: 'utf8', maxBuffer: 1 << 26 });
  // A label that prints nothing makes the status 1; what it leaves behind is judged by its files.
  if (error || (status !== 0 && (status !== 1 || program !== 'platen'))) throw error || new Error(`${program} ${args.join(' ')}: ${status}\n${stderr}`);
  return stdout;
}

const digest = (data) => createHash('sha256').update(data).digest('hex').slice(0, 8);

// Other versions of these may draw or pack differently; their security updates (the part after the last dash) do not.
function upstream(name) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Version}\n', name], { encoding: 'utf8' });
  return (stdout || '').split('\n')[0].replace(/^\d+:/, '').replace(/-[^-]*$/, '') || 'none';
}
const packages = ['libfreetype6', 'libharfbuzz0b', 'libdeflate0', 'libjpeg62-turbo', 'libzint2.11', 'fonts-dejavu-core',
  'fonts-droid-fallback', 'fonts-nanum', 'fonts-noto-core', 'fonts-ocr-a', 'fonts-ocr-b'];
lines.push(`# made with ${packages.map((name) => `${name}=${upstream(name)}`).join(' ')}`);

// JSON is left out: it holds the words of warnings, which change more often than pictures.
const kinds = ['png bitonal', 'png grayscale', 'webp bitonal', 'webp grayscale', 'jpeg bitonal', 'jpeg grayscale', 'pdf bitonal', 'pdf grayscale'];
lines.push(`# label: ${kinds.join(', ')}`);
try {
  digestLabels('', kinds);
  lines.push('# label by the profile of a printer: png bitonal');
  digestLabels('printer ', ['png bitonal'], '--profile', 'printer');
  lines.push('# grain, set: table as JSON');
  let grain = '';
  for (const line of run('hygro', 'calc', '--list').split('\n')) {
    const set = /^ +\*? *(\S+)/.exec(line);
    if (!set) grain = line.split(' ')[0];
    else lines.push(`${grain} ${set[1]} ${digest(run('hygro', 'calc', grain, '--set', set[1], '--table', '--json'))}`);
  }
} finally {
  if (existsSync(work)) rmSync(work, { recursive: true });
}
process.stdout.write(`${lines.join('\n')}\n`);

function digestLabels(prefix, kinds, ...options) {
  for (const folder of ['tests/golden/pixels', 'tests/golden/scene']) {
    const outputs = kinds.map((kind, i) => {
      const [format, quality] = kind.split(' ');
      const out = join(work, `${prefix.trim()}${folder.split('/').pop()}-${i}`);
      mkdirSync(out);
      run('platen', 'render', folder, '--out-dir', out, '--format', format, '--quality', quality, '--time', '2026-01-01T00:00:00', ...options, ...(format === 'pdf' ? [] : ['--pages', 'all']));
      return { out, files: readdirSync(out).sort() };
    });
    for (const label of readdirSync(folder).filter((name) => name.endsWith('.zpl')).sort()) {
      const name = label.slice(0, -4);
      const own = new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(-\\d+)?\\.[a-z]+$`);
      const each = outputs.map(({ out, files }) => {
        const mine = files.filter((file) => own.test(file));
        return mine.length ? digest(Buffer.concat(mine.map((file) => readFileSync(join(out, file))))) : 'nothing';
      });
      lines.push(`${prefix}${folder.split('/').pop()}/${name} ${each.join(' ')}`);
    }
  }
}
