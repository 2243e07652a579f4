// The GitHub action and the pre-commit hook, run as their users run them: the step of action.yml in the shell that GitHub starts, the entry of the hook with the files that
// pre-commit would give it, and pre-commit itself where it is installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'js-yaml';

const build = resolve(process.env.PLATEN_BUILD ?? 'build'), root = resolve('.'), folder = mkdtempSync(join(tmpdir(), 'platen-pipelines-'));
const env = { ...process.env, PATH: `${build}:${process.env.PATH}`, HOME: folder, PRE_COMMIT_HOME: join(folder, 'pre-commit') };
after(() => rmSync(folder, { recursive: true, force: true }));

// A folder with these label files: [name, code].
let folders = 0;
function project(files) {
    const place = join(folder, String(++folders));
    mkdirSync(join(place, '.git'), { recursive: true }); // settings above it are somebody else's
    for (const [name, code] of files) {
        mkdirSync(join(place, name, '..'), { recursive: true });
        writeFileSync(join(place, name), code);
    }
    return place;
}
const GOOD = '^XA^FO80,80^BY3^BCN,120,N^FD12345678^FS^XZ\n', WRONG = '^XA^FO80,80^BY3^B2N,150,Y,N,N^FD15901234123450^FS^XZ\n', LOW = '^XA^FO80,80^BY3^BCN,20,N^FD12345678^FS^XZ\n';

// As the runner does: `${{ inputs.x }}` replaced, the script in a file, bash with these options.
function action(place, given = {}) {
    const { inputs, runs } = load(readFileSync('action.yml', 'utf8')), [step] = runs.steps, script = join(place, 'step.sh');
    assert.deepEqual([runs.using, runs.steps.length, step.shell], ['composite', 1, 'bash']);
    const value = (text) => text.replace(/\$\{\{ *inputs\.([\w-]+) *\}\}/g, (all, name) => { assert(name in inputs, name); return given[name] ?? inputs[name].default; });
    writeFileSync(script, value(step.run));
    return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd: place, encoding: 'utf8', env: { ...env, ...Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, value(text)])) } });
}

test('the action passes good labels and annotates bad ones', () => {
    const good = action(project([['labels/a.zpl', GOOD]]));
    assert.equal(good.status, 0, good.stderr);
    const bad = action(project([['labels/a.zpl', GOOD], ['labels/b.zpl', WRONG]]));
    assert.equal(bad.status, 1);
    assert.match(bad.stdout, /^::error file=labels\/b\.zpl,line=1,.*check_digit_wrong/m);
});

test('the action\'s inputs do what they say', () => {
    const low = [['labels/a.zpl', LOW]];
    assert.equal(action(project(low)).status, 1);
    assert.equal(action(project(low), { 'fail-on': 'error' }).status, 0);
    assert.equal(action(project([['one/a.zpl', GOOD], ['two/b.zpl', WRONG]]), { paths: 'one' }).status, 0);
    assert.equal(action(project([['one/a.zpl', GOOD], ['two/b.zpl', WRONG]]), { paths: 'one two' }).status, 1);
    assert.equal(action(project([['labels/a.zpl', GOOD]]), { rules: 'gs1-logistics' }).status, 1);
    assert.equal(action(project([['labels/a.zpl', GOOD], ['.platen.toml', '[check]\nrules = "gs1-logistics"\n']])).status, 1, 'rules of the settings');
    assert.equal(action(project([['labels/b.zpl', WRONG]]), { args: '--ignore check_digit_wrong' }).status, 0);
    const known = project([['labels/b.zpl', WRONG]]);
    spawnSync('platen', ['check', 'labels', '--format', 'baseline', '--output', 'known.tsv'], { cwd: known, env });
    assert.equal(action(known, { baseline: 'known.tsv' }).status, 0);
    assert.equal(action(project([['labels/readme.md', 'no labels\n']])).status, 1);
});

const [hook] = load(readFileSync('.pre-commit-hooks.yaml', 'utf8'));

test('the hook checks the label files of a commit, and no others', () => {
    const run = (files) => {
        const place = project(files), given = files.map(([name]) => name).filter((name) => new RegExp(hook.files).test(name)), [program, ...more] = hook.entry.split(' ');
        return { given, ...spawnSync(program, [...more, ...given], { cwd: place, encoding: 'utf8', env }) };
    };
    assert.equal(hook.language, 'system');
    const good = run([['a.zpl', GOOD], ['deep/er/b.prn', GOOD], ['c.lbl', GOOD], ['d.epl', 'N\nA50,50,0,3,1,1,N,"x"\nP1\n'], ['notes.txt', 'no label\n'], ['zpl/readme.md', 'no label\n']]);
    assert.deepEqual([good.given, good.status], [['a.zpl', 'deep/er/b.prn', 'c.lbl', 'd.epl'], 0], good.stdout);
    assert.equal(run([['a.zpl', GOOD], ['b.zpl', LOW]]).status, 1);
});

const present = spawnSync('pre-commit', ['--version'], { env }).status === 0 && spawnSync('git', ['rev-parse', 'HEAD']).status === 0;
test('pre-commit itself runs the hook', { skip: present ? false : 'pre-commit is not installed, or this is no checkout' }, () => {
    for (const [code, status] of [[GOOD, 0], [WRONG, 1]]) {
        const place = project([]);
        rmSync(join(place, '.git'), { recursive: true });
        writeFileSync(join(place, 'label.zpl'), code);
        for (const args of [['init', '-q'], ['add', '-A']]) assert.equal(spawnSync('git', args, { cwd: place, env }).status, 0);
        const run = spawnSync('pre-commit', ['try-repo', root, hook.id, '--all-files'], { cwd: place, encoding: 'utf8', env });
        assert.equal(run.status, status, run.stdout + run.stderr);
    }
});
