// The recipes of docs/ci.md work as printed: their files are valid, and their `platen` commands do what they say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import yaml from 'js-yaml';

const programs = path.resolve(process.env.PLATEN_BUILD ?? 'build');
const page = fs.readFileSync('docs/ci.md', 'utf8');
const block = (heading, language) => new RegExp(`##+ ${heading}\n[^]*?\`\`\`${language}\n([^]*?)\`\`\``).exec(page)[1];
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'recipes-'));
after(() => fs.rmSync(dir, { recursive: true, force: true }));

const GOOD = '^XA^FO50,50^A0N,40,40^FDHello^FS^XZ';
const BAD = '^XA^FO50,50^BXN,1,200,10,10^FDabcdefghijklmnopqrstuvwxyz^FS^XZ';

// Runs commands as a job does, in a project with one label.
function project(name, label) {
  const at = path.join(dir, name);
  fs.mkdirSync(path.join(at, 'labels'), { recursive: true });
  fs.mkdirSync(path.join(at, '.git'));
  fs.writeFileSync(path.join(at, 'labels/a.zpl'), label);
  return {
    at,
    sh: (command) => spawnSync('sh', ['-ec', command], { cwd: at, encoding: 'utf8', env: { ...process.env, PATH: `${programs}:${process.env.PATH}` } }),
    has: (file) => fs.existsSync(path.join(at, file)),
  };
}

test('GitHub Actions', () => {
  const { steps } = yaml.load(block('GitHub Actions', 'yaml')).jobs.check;
  const runs = steps.map((step) => step.run ?? '').filter((command) => command.startsWith('platen '));
  assert.equal(runs.length, 2);
  for (const [name, label, status] of [['hub-good', GOOD, 0], ['hub-bad', BAD, 1]]) {
    const p = project(name, label), [github, sarif] = runs.map((command) => p.sh(command));
    assert.deepEqual([github.status, sarif.status], [status, 0]); // the first one fails the job; the second only writes
    assert.equal(/^::error file=labels\/a\.zpl,line=1/m.test(github.stdout), status === 1);
    const upload = steps.find((step) => step.uses?.includes('upload-sarif')).with.sarif_file;
    assert.equal(JSON.parse(fs.readFileSync(path.join(p.at, upload), 'utf8')).runs[0].results.length, status);
    assert.ok(p.has(`${steps.find((step) => step.uses?.includes('upload-artifact')).with.path}/index.html`));
  }
});

test('GitLab', () => {
  const { labels } = yaml.load(block('GitLab', 'yaml'));
  for (const [name, label, status] of [['lab-good', GOOD, 0], ['lab-bad', BAD, 1]]) {
    const p = project(name, label);
    assert.equal(p.sh(labels.script.join('\n')).status, status);
    assert.ok(p.has(labels.artifacts.reports.junit) && labels.artifacts.paths.every(p.has));
  }
});

test('Jenkins', () => {
  const text = block('Jenkins', 'groovy'), command = /sh '(platen [^']*)'/.exec(text)[1], junit = /junit '([^']*)'/.exec(text)[1];
  for (const [name, label, status] of [['jen-good', GOOD, 0], ['jen-bad', BAD, 1]]) {
    const p = project(name, label);
    assert.equal(p.sh(command).status, status);
    assert.ok(p.has(junit) && p.has('label-report/index.html'));
  }
});

test('the settings of the example are taken', () => {
  const p = project('settings', GOOD);
  fs.writeFileSync(path.join(p.at, '.platen.toml'), block('Settings of a project', 'toml'));
  const r = p.sh('platen check labels');
  assert.equal(r.status, 0, r.stderr);
  assert.match(r.stdout, /settings: .*\.platen\.toml/);
});

test('the findings of the run that the page lists are those of the program', () => {
  const p = project('codes', GOOD);
  const sarif = JSON.parse(p.sh('platen check labels --format sarif').stdout);
  const table = JSON.parse(p.sh('platen commands --diagnostics --json').stdout).map((kind) => kind.code);
  const own = sarif.runs[0].tool.driver.rules.filter((rule) => !table.includes(rule.id));
  const listed = [...page.slice(page.indexOf('## Findings of the run')).split('\n## ')[0].matchAll(/^\| `([a-z_]+)` \| (error|warning|info) \|/gm)].map(([, code, level]) => [code, level]);
  assert.deepEqual(own.map((rule) => [rule.id, rule.defaultConfiguration.level]), listed);
});
