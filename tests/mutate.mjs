#!/usr/bin/env node
// mutate [COUNT] [FOLDER...] [--seed N] [--list]: do the unit tests notice a defect? In a copy of the tree one comparison, constant or
// logical operator of src/FOLDER (bar, lang, img, raster, store, enc, draw, scene, font, check, describe) is changed at a time; the tests of that folder and those of
// the whole picture must fail. Prints each change that no test saw; last line: "N noticed, N not noticed, N did not compile".
// Some changes alter nothing that can be seen: a share of survivors is normal, and each is to be judged.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2);
const flag = (name) => { const at = words.indexOf(name); return at < 0 ? undefined : words.splice(at, name === '--list' ? 1 : 2)[name === '--list' ? 0 : 1]; };
let seed = Number(flag('--seed') ?? 1);
const listOnly = flag('--list') !== undefined;
const count = Number(/^\d+$/.test(words[0] ?? '') ? words.shift() : 40);
const folders = words.length ? words : ['bar', 'lang', 'img', 'raster', 'store', 'enc', 'draw', 'scene', 'check', 'describe'];
const random = (below) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * below); };

// [what, what it becomes]; the first group of the pattern is replaced.
const changes = [
  [/(?<=[\w)\]] )(<=)(?= )/g, '<'], [/(?<=[\w)\]] )(>=)(?= )/g, '>'], [/(?<=[\w)\]] )(<)(?= )/g, '<='], [/(?<=[\w)\]] )(>)(?= )/g, '>='],
  [/(?<= )(==)(?= )/g, '!='], [/(?<= )(!=)(?= )/g, '=='], [/(?<= )(&&)(?= )/g, '||'], [/(?<= )(\|\|)(?= )/g, '&&'],
  [/(?<=[\w)\]] )(\+)(?= \d)/g, '-'], [/(?<=[\w)\]] )(-)(?= \d)/g, '+'], [/(?<![\w.'"%])(\d+)(?![\w.'"])/g, (n) => String(Number(n) + 1)],
  [/\b(true)\b/g, 'false'], [/\b(false)\b/g, 'true'],
];

// Tables of patterns are data, checked by vectors; comments and includes say nothing.
function candidates() {
  const found = [];
  for (const folder of folders) {
    const names = readdirSync(join(root, 'src', folder), { recursive: true }).filter((n) => n.endsWith('.c') && !/patterns|generators|clock_names/.test(n));
    if (names.length === 0) throw new Error(`src/${folder} has no file to change`);
    for (const name of names.sort()) {
      const file = join('src', folder, name);
      let table = false;
      readFileSync(join(root, file), 'utf8').split('\n').forEach((line, number) => {
        if (/^(static )?const .*\{$|^static const .*=$/.test(line)) table = true;
        const skip = table || /^\s*(\/\/|#|\*)|pl_fail\(|PL_DIAG|"/.test(line);
        if (/^\};?$|\};\s*$/.test(line)) table = false;
        if (skip) return;
        for (const [pattern, to] of changes)
          for (const match of line.matchAll(pattern))
            found.push({ folder, file, number, at: match.index, from: match[1], to: typeof to === 'function' ? to(match[1]) : to });
      });
    }
  }
  return found;
}

const all = candidates(), chosen = [];
while (chosen.length < Math.min(count, all.length)) {
  const one = all[random(all.length)];
  if (!chosen.includes(one)) chosen.push(one);
}
if (listOnly) {
  for (const c of chosen) console.log(`${c.file}:${c.number + 1}: ${c.from} -> ${c.to}`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'mutate-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
for (const name of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n').filter((n) => n && existsSync(join(root, n)))) cpSync(join(root, name), join(work, name));
execFileSync('ln', ['-s', join(root, 'node_modules'), join(work, 'node_modules')]);
execFileSync('meson', ['setup', 'build', '--buildtype=debugoptimized', '-Doptimization=1'], { cwd: work, stdio: 'ignore' });
const targets = JSON.parse(readFileSync(join(work, 'build/meson-info/intro-targets.json'), 'utf8')).filter((t) => t.name.startsWith('test_'));
const testsOf = (folder) => targets.filter((t) => {
  const place = t.target_sources.flatMap((s) => s.sources ?? []).find((s) => s.includes('/tests/unit/')) ?? '';
  const has = (name) => place.includes(`/tests/unit/${name}/`);
  return (has(folder) || has('draw')) && !/torture|detach|deadline|guard/.test(t.name);
});
const ninja = (tests) => spawnSync('ninja', ['-C', 'build', '-j2', ...tests.map((t) => t.filename[0].slice(join(work, 'build').length + 1))], { cwd: work, stdio: 'ignore' }).status === 0;
const pass = (tests) => tests.every((t) => spawnSync(t.filename[0], { cwd: work, stdio: 'ignore', timeout: 60000 }).status === 0);

for (const folder of folders) {
  if (!ninja(testsOf(folder)) || !pass(testsOf(folder))) {
    console.error(`the tests of ${folder} fail without any change: ${testsOf(folder).filter((t) => !pass([t])).map((t) => t.name).join(' ')}`);
    process.exit(1);
  }
}
let noticed = 0, missed = 0, broken = 0;
for (const c of chosen) {
  const path = join(work, c.file), before = readFileSync(path, 'utf8'), lines = before.split('\n'), line = lines[c.number];
  lines[c.number] = line.slice(0, c.at) + c.to + line.slice(c.at + c.from.length);
  writeFileSync(path, lines.join('\n'));
  const tests = testsOf(c.folder);
  if (!ninja(tests)) broken++;
  else if (!pass(tests)) noticed++;
  else {
    missed++;
    console.log(`not noticed: ${c.file}:${c.number + 1}: ${c.from} -> ${c.to}: ${line.trim()}`);
  }
  writeFileSync(path, before);
}
console.log(`${noticed} noticed, ${missed} not noticed, ${broken} did not compile`);
