// What stands beside the calculation: air, keeping, shrink and the hours of a season, over HTTP and on the command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { processorSeconds } from './lib/processor.js';
import { startService } from './service.js';

const run = promisify(execFile);
const HYGRO = `${process.env.BUILD || 'build'}/hygro`;
let service;
let folder;
before(async () => {
  service = await startService('hygro');
  folder = mkdtempSync(join(tmpdir(), 'hygro-hours-'));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function get(path) {
  const response = await fetch(service.url + path);
  return { status: response.status, body: await response.json() };
}

async function hours(query, body, headers = { 'Content-Type': 'text/csv' }) {
  const response = await fetch(`${service.url}/api/hours?${query}`, { method: 'POST', body, headers });
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { status: response.status, type, text, body: type.startsWith('application/json') ? JSON.parse(text) : null, headers: response.headers };
}

const SEASON = 'time,temperature,humidity\n00:00,25,70\n01:00,20,80\n';

describe('air', () => {
  test('example 1 of the ASHRAE Handbook, in both units', async () => {
    const { body } = await get('/api/air?ta=40&wetBulb=20');
    assert.ok(Math.abs(body.humidityRatio - 6.5) < 0.1 && Math.abs(body.dewPoint - 7) < 0.5 && Math.abs(body.ur - 14) < 0.5, JSON.stringify(body));
    const warm = (await get('/api/air?ta=104&wetBulb=68&taUnit=F')).body;
    assert.deepEqual([warm.ur, warm.humidityRatio], [body.ur, body.humidityRatio]);
  });

  test('humidity, dew point and wet bulb lead to the same air', async () => {
    const first = (await get('/api/air?ta=28.3&ur=63&altitude=850')).body;
    for (const other of [`dewPoint=${first.dewPoint}`, `wetBulb=${first.wetBulb}`]) {
      const { body } = await get(`/api/air?ta=28,3&${other}&altitude=850`);
      assert.ok(Math.abs(body.ur - 63) < 0.8, `${other}: ${body.ur}`);
    }
  });

  test('the fan shows which humidity the grain sees', async () => {
    const { body } = await get('/api/air?ta=20&ur=85&fanHeat=3&grain=milho');
    assert.equal(body.afterFan.ta, 23);
    assert.equal(body.afterFan.ur, 70.7);
    assert.equal(body.afterFan.dewPoint, body.dewPoint);
    assert.equal(body.afterFan.moisture, (await get('/api/calculate?grain=corn&ta=23&ur=70.7')).body.moisture);
    assert.equal('afterFan' in (await get('/api/air?ta=20&ur=85')).body, false);
  });
});

describe('keeping', () => {
  test('corn: the band, the cautious band, and both storage times', async () => {
    const { body } = await get('/api/keeping?grain=corn&ta=60&taUnit=F&moisture=20');
    assert.equal(body.band, 'danger');
    assert.deepEqual(body.storage.map((s) => [s.method, s.relation]), [['ndsu', 'about'], ['steele-bern', 'about']]);
    assert.equal(body.storage[0].days, 25);
    assert.ok(Math.abs(body.storage[1].days - 29) <= 1, JSON.stringify(body.storage));
    assert.ok(body.storage.every((s) => s.source.length > 10));
  });

  test('the humidity is that of the calculation, and the cautious one its highest', async () => {
    for (const query of ['grain=corn&ta=10&moisture=15.5', 'grain=soja&ta=25&moisture=13', 'grain=trigo&ta=5&moisture=15']) {
      const [keeping, calculation] = [(await get(`/api/keeping?${query}`)).body, (await get(`/api/calculate?${query}`)).body];
      assert.equal(keeping.ur, calculation.ur);
      assert.equal(keeping.spread.high, calculation.spread.high);
      assert.ok(['safe', 'watch', 'mould', 'danger'].indexOf(keeping.cautiousBand) >= ['safe', 'watch', 'mould', 'danger'].indexOf(keeping.band));
      const safe = (await get(`/api/calculate?${query.replace(/moisture=.*/, 'ur=65')}`)).body;
      assert.deepEqual([keeping.highestSafe.moisture, keeping.highestSafe.cautious], [safe.moisture, safe.spread.low]);
    }
  });

  test('cultures without tables say nothing about time', async () => {
    for (const grain of ['sunflower', 'canola', 'peanut', 'rice']) assert.deepEqual((await get(`/api/keeping?grain=${grain}&ta=20&moisture=9`)).body.storage, []);
  });
});

describe('out of range', () => {
  test('the number comes with a warning, as of a calculation', async () => {
    const codes = async (path) => (await get(path)).body.warnings.map((w) => w.code);
    assert.deepEqual(await codes('/api/keeping?grain=corn&ta=-10&moisture=14'), ['temperature_out_of_range', 'near_pole']);
    assert.deepEqual(await codes('/api/keeping?grain=wheat&ta=20&moisture=40'), ['humidity_out_of_range']);
    assert.deepEqual(await codes('/api/air?ta=20&ur=88&grain=wheat&set=oswin-ramaj'), ['humidity_out_of_range', 'nothing_to_compare']);
    assert.deepEqual(await codes('/api/air?ta=20&ur=0.7'), ['humidity_looks_like_fraction']);
    assert.deepEqual(await codes('/api/keeping?grain=arroz&ta=20&moisture=13&colour=1'), ['unknown_field', 'name_taken_as']);
    const { body } = await hours('grain=wheat&set=oswin-ramaj', 't,ur\n20,80\n20,90\n5,80\n');
    assert.equal(body.summary.outOfRange, 2);
    assert.equal(body.hours.length, 3);
  });

  test('the warning names the field that was given, where it named ta and ur of all', async () => {
    const fields = ({ warnings }) => warnings.filter((w) => w.code.endsWith('_out_of_range')).map((w) => w.field);
    for (const [path, ...named] of [
      ['/api/keeping?grain=corn&grainTa=-10&moisture=14', 'grainTa'],
      ['/api/keeping?grain=corn&ta=-10&moisture=14', 'ta'],
      ['/api/keeping?grain=wheat&grainTa=20&moisture=40', 'moisture'],
      ['/api/verdict?grain=corn&moisture=14&grainTa=-10', 'grainTa'],
      ['/api/verdict?grain=corn&moisture=14&grainTa=-10&ta=20&ur=60', 'grainTa'],
      ['/api/verdict?grain=corn&moisture=14&grainTa=20&ta=-10&ur=60', 'ta'],
      ['/api/verdict?grain=wheat&moisture=40&grainTa=20&ta=20&ur=60', 'moisture'],
      ['/api/verdict?grain=corn&moisture=14&grainTa=20&ta=20&ur=5', 'ur'],
      ['/api/air?ta=20&dewPoint=-30&grain=corn', 'dewPoint'],
      ['/api/air?ta=60&wetBulb=24&grain=corn', 'ta', 'wetBulb'],
      ['/api/calculate?grain=wheat&ta=20&moisture=24', 'moisture'],
      ['/api/calculate?grain=corn&ta=55&ur=96', 'ta', 'ur'],
    ]) assert.deepEqual(fields((await get(path)).body), named, path);
    assert.deepEqual(fields((await hours('grain=corn&moisture=14&grainTa=-10', SEASON)).body), ['grainTa']);
    for (const name of ['ta', 'grainTa']) assert.equal((await get(`/api/keeping?grain=corn&${name}=500&moisture=14`)).body.field, name);
    // Two temperatures, each with a warning of its own.
    const both = (await get('/api/verdict?grain=ear-corn&ta=2&ur=67.6&grainTa=60.2')).body.warnings;
    assert.deepEqual(both.slice(0, 2).map((w) => [w.code, w.field]), [['temperature_out_of_range', 'grainTa'], ['near_pole', 'ta']]);
  });
});

describe('one interface', () => {
  test('a field that changes nothing is reported, and one that does is not', async () => {
    const idle = async (path) => (await get(path)).body.warnings.filter((w) => w.code === 'unknown_field').map((w) => w.field);
    const CORN = '/api/verdict?grain=corn&moisture=14&grainTa=20';
    assert.deepEqual(await idle(`${CORN}&fanHeat=3&hold=1`), ['fanHeat', 'hold']);
    assert.deepEqual(await idle(`${CORN}&ta=20&ur=60&fanHeat=3&hold=1`), []);
    assert.deepEqual(await idle('/api/verdict?grain=corn&ta=20&ur=60&hold=1'), ['hold']);
    assert.deepEqual(await idle('/api/keeping?grain=soybean&grainTa=20&moisture=14&damage=10'), ['damage']);
    assert.deepEqual(await idle('/api/keeping?grain=corn&grainTa=20&moisture=18&damage=10'), []);
    assert.deepEqual(await idle('/api/shrink?from=18&to=13&grain=corn&set=henderson-d245.4'), ['set']);
    const told = (await hours('grain=corn&target=14&hold=1&colour=1', SEASON)).body.warnings;
    assert.deepEqual(told.filter((w) => w.code === 'unknown_field'), [
      { code: 'unknown_field', field: 'colour', message: "The field 'colour' has no meaning here and was ignored." },
      { code: 'unknown_field', field: 'hold', message: "The field 'hold' has no effect here and was ignored." },
      { code: 'unknown_field', field: 'target', message: "The field 'target' has no effect here and was ignored." },
    ]);
    const all = (await hours('grain=corn&target=14&hold=1&moisture=18&grainTa=10&airflow=1', SEASON)).body.warnings;
    assert.deepEqual(all.filter((w) => w.code === 'unknown_field'), []);
    const csv = await hours('grain=corn&target=14&format=csv', SEASON);
    assert.match(csv.headers.get('x-warnings'), /^0\|0\|\|\|The field 'target' has no effect here and was ignored\.(\||$)/);
    const { stdout } = await run(HYGRO, ['keeping', '--grain', 'soja', '--grain-ta', '20', '--moisture', '14', '--damage', '10', '--lang', 'pt']);
    assert.match(stdout, /^Aviso: A opção '--damage' não tem efeito aqui e foi ignorada\.$/m);
    const json = (await run(HYGRO, ['keeping', '--grain', 'soja', '--grain-ta', '20', '--moisture', '14', '--damage', '10', '--json'])).stdout;
    assert.deepEqual(JSON.parse(json), (await get('/api/keeping?grain=soja&grainTa=20&moisture=14&damage=10')).body);
  });

  test('keeping takes grainTa, and ta as its other name, not both', async () => {
    const [one, other] = [(await get('/api/keeping?grain=corn&grainTa=15&moisture=18')).body, (await get('/api/keeping?grain=corn&ta=15&moisture=18')).body];
    assert.deepEqual(one, other);
    assert.equal(one.grainTa, 15);
    const both = await get('/api/keeping?grain=corn&grainTa=15&ta=15&moisture=18');
    assert.deepEqual([both.status, both.body.code, both.body.field, both.body.error], [400, 'conflicting_fields', 'grainTa', "Give one of 'grainTa' and 'ta', not both."]);
    assert.equal((await get('/api/keeping?grain=corn&ta=15&ta=16&moisture=18')).body.code, 'repeated_field');
    assert.equal((await get('/api/keeping?grain=corn&moisture=18')).body.field, 'grainTa');
  });

  test('tools refuse as the calculation does: the words allowed, and the pole', async () => {
    for (const [tool, field, allowed] of [['air?ta=20&ur=70&lang=de', 'lang', ['en', 'pt', 'es']], ['air?ta=20&ur=70&taUnit=K', 'taUnit', ['C', 'F']], ['shrink?from=18&to=13&basis=x', 'basis', ['wet', 'dry']]]) {
      const { status, body } = await get(`/api/${tool}`);
      assert.deepEqual([status, body.code, body.field, body.allowed], [400, 'unknown_value', field, allowed]);
    }
    for (const [ta, unit] of [[-30, ''], [-21, '&taUnit=F']]) {
      const keeping = (await get(`/api/keeping?grain=ear-corn&grainTa=${ta}&moisture=14${unit}`)).body;
      const calculation = (await get(`/api/calculate?grain=ear-corn&ta=${ta}&moisture=14${unit}`)).body;
      assert.equal(keeping.code, 'out_of_range');
      assert.deepEqual(keeping.allowed, calculation.allowed);
      assert.equal(keeping.error, calculation.error.replace("'ta'", "'grainTa'"));
    }
  });

  test('air and hours have a spread', async () => {
    const { body } = await get('/api/air?ta=23&ur=70.7&grain=corn&fanHeat=2');
    assert.deepEqual(body.spread, (await get('/api/calculate?grain=corn&ta=23&ur=70.7')).body.spread);
    assert.equal(body.afterFan.spread.sets, 5);
    const season = await hours('grain=corn', 't,ur\n23,70.7\n23,70.7\n');
    assert.deepEqual(season.body.summary.spread, body.spread);
    const none = await hours('grain=corn', 't,ur\n');
    assert.deepEqual([none.status, none.body.code], [400, 'no_usable_rows']);
    const saturated = (await get('/api/air?ta=20&ur=100&grain=corn')).body;
    assert.equal(saturated.moisture, (await get('/api/air?ta=20&ur=99&grain=corn')).body.moisture);
    assert.ok(saturated.warnings.some((w) => w.code === 'humidity_counted_as_99'));
    const dry = (await get('/api/air?ta=20&ur=0.1&grain=corn')).body;
    assert.deepEqual([dry.moisture, dry.spread], [null, null]);
    assert.ok(dry.warnings.some((w) => w.code === 'no_moisture'));
  });

  test('a wrong fanHeat of the verdict was passed over where no air was given', async () => {
    const { status, body } = await get('/api/verdict?grain=corn&moisture=12&grainTa=20&fanHeat=--5');
    assert.deepEqual([status, body.ok, body.field], [400, false, 'fanHeat']);
    assert.equal((await get('/api/verdict?grain=corn&moisture=12&grainTa=20&fanHeat=2')).status, 200);
  });
  test('format, decimal and detail: refused by name, once, in the language, before the file is read', async () => {
    for (const [query, code, field, allowed, error] of [
      ['format=xml&lang=pt', 'unknown_value', 'format', ['json', 'csv'], "O campo 'format' deve ser um destes: json, csv."],
      ['detail=all', 'unknown_value', 'detail', ['hours', 'none'], "The field 'detail' must be one of: hours, none."],
      ['format=csv&format=json&lang=es', 'repeated_field', 'format', undefined, "El campo 'format' aparece más de una vez."],
    ]) {
      const { status, body } = await hours(`grain=corn&${query}`, 'no csv at all');
      assert.deepEqual([status, body.code, body.field, body.allowed, body.error], [400, code, field, allowed, error]);
    }
    const form = new FormData();
    form.set('file', new Blob([SEASON]), 'season.csv');
    form.set('format', 'csv');
    form.set('decimal', 'comma');
    const csv = await hours('grain=corn', form, {});
    assert.match(csv.text, /^row;time;.*\r\n2;"00:00";"";25,0;/);
    form.set('format', 'json');
    form.set('detail', 'none');
    const json = (await hours('grain=corn', form, {})).body;
    assert.deepEqual([json.warnings.map((w) => w.code), json.hours], [['unknown_field', 'unit_not_said'], undefined]);
  });

  test('a unit that the header contradicts is told, with both of them', async () => {
    const file = (unit) => `time,Temperature (°${unit}),humidity\n2026-07-01 00:00,41,85\n2026-07-01 01:00,45,60\n`;
    const seen = async (query, unit) => (await hours(`grain=corn&detail=none${query}`, file(unit))).body.warnings.filter(({ field }) => field === 'taUnit');
    assert.deepEqual(await seen('&taUnit=C', 'F'), [{ code: 'unit_overruled', field: 'taUnit', message: "The file's header says Fahrenheit, but Celsius was asked for: its temperatures were read as Celsius." }]);
    assert.match((await seen('&taUnit=F', 'C'))[0].message, /says Celsius, but Fahrenheit was asked for/);
    for (const [query, unit] of [['', 'F'], ['&taUnit=F', 'F'], ['&taUnit=c', 'C']]) assert.deepEqual(await seen(query, unit), []);
    const csv = await fetch(`${service.url}/api/hours?grain=corn&format=csv&taUnit=C`, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: file('F') });
    assert.match(csv.headers.get('x-warnings'), /^0\|0\|\|\|The file's header says Fahrenheit, but Celsius was asked for/);
  });

  test('a broken form is no bad CSV, and many parts are not many rows', async () => {
    const broken = await hours('grain=corn', 'no boundary here', { 'Content-Type': 'multipart/form-data; boundary=x' });
    assert.deepEqual([broken.status, broken.body.code], [400, 'invalid_multipart']);
    const form = new FormData();
    for (let i = 0; i < 60; i++) form.set(`part${i}`, 'x');
    const two = new FormData();
    for (const name of ['file', 'csv']) two.set(name, new Blob([SEASON]), 'season.csv');
    const both = await hours('grain=corn', two, {});
    assert.deepEqual([both.status, both.body.code, both.body.error], [400, 'invalid_multipart', "The form has more than one 'file' or 'csv'."]);
    const many = await hours('grain=corn', form, {});
    assert.deepEqual([many.status, many.body.code], [413, 'invalid_multipart']);
  });

  test('with keys a file sent to the page needs one, as /api/hours does', async () => {
    const keys = join(folder, 'keys');
    writeFileSync(keys, 'right-key-0123456789\n', { mode: 0o600 });
    const closed = await startService('hygro', ['--api-key-file', keys]);
    try {
      const form = new FormData();
      form.set('file', new Blob([SEASON]), 'season.csv');
      assert.equal((await fetch(closed.url)).status, 200);
      assert.equal((await fetch(closed.url, { method: 'POST', body: form })).status, 401);
      assert.equal((await fetch(closed.url, { method: 'POST', body: form, headers: { 'X-API-Key': 'right-key-0123456789' } })).status, 200);
    } finally {
      await closed.stop();
    }
  });
});

describe('verdict', () => {
  test('answers the question, with reason, source, days, air and trade', async () => {
    const { status, body } = await get('/api/verdict?grain=corn&moisture=18&grainTa=25&ta=22&ur=60');
    assert.equal(status, 200);
    assert.equal(body.verdict, 'spoils');
    assert.match(body.sentence, /^No, it will spoil: Corn at 18\.0.% moisture and 25.°C: the air between the kernels has 87\.2.% humidity/);
    assert.match(body.source, /Plants 2022.*NDSU/);
    assert.deepEqual([body.air.effect, body.air.condensation, body.storage.relation], ['dries', false, 'about']);
    assert.ok(body.trade.some((limit) => limit.country === 'BR' && limit.moisture === 14 && limit.above && limit.source.length > 5));
    assert.equal((await get('/api/verdict?grain=ear-corn&moisture=20&grainTa=-5')).body.verdict, 'unknown');
    assert.equal((await get('/api/keeping?grain=ear-corn&moisture=20&grainTa=-5')).body.band, 'unknown');
    assert.equal((await get('/api/verdict?grain=corn&moisture=13&grainTa=20&lang=pt')).body.sentence.startsWith('Sim, pode ser armazenado:'), true);
    const rest = (await get('/api/verdict?grain=corn&ta=25&ur=60')).body;
    assert.deepEqual([rest.verdict, rest.ur], ['safe', 60]);
    assert.equal((await get('/api/verdict?grain=corn')).body.field, 'moisture');
  });

  test('a dew point below 0 °C is over water unless ice is asked for', async () => {
    assert.deepEqual([(await get('/api/air?ta=0&dewPoint=-5')).body.ur, (await get('/api/air?ta=0&dewPoint=-5&over=ice')).body.ur], [69, 65.7]);
    assert.equal((await get('/api/air?ta=0&dewPoint=-5')).body.over, 'water');
    assert.deepEqual((await get('/api/air?ta=0&ur=50&over=snow')).body.allowed, ['water', 'ice']);
  });
});

describe('files as they come', () => {
  const nasa = 'YEAR,MO,DY,HR,T2M,RH2M\n2024,6,1,13,25,70\n2024,6,1,14,25,70\n2024,6,1,17,25,70\n';
  test('the hour is no humidity, and gaps are told', async () => {
    const { body } = await hours('grain=corn', nasa);
    assert.deepEqual(body.columns, { temperature: 'T2M', humidity: 'RH2M' });
    assert.deepEqual([body.times.covered, body.times.expected, body.times.gaps, body.times.longestGap], [3, 5, 1, 2]);
    assert.deepEqual(body.warnings.map((w) => w.code), ['gaps_in_time']);
  });

  test('what is not clear is refused with the choices, and the options decide', async () => {
    const lcd = 'DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity\n2024-06-01T13:00,77,70\n';
    const unit = await hours('grain=corn', lcd);
    assert.deepEqual([unit.status, unit.body.code, unit.body.choices], [400, 'ambiguous_unit', { taUnit: ['C', 'F'] }]);
    assert.equal((await hours('grain=corn&taUnit=F', lcd)).body.summary.mean, 14);
    const mixed = 'date,Plenum temp,Ambient RH\n2024-06-01,25,70\n';
    const columns = await hours('grain=corn&lang=pt', mixed);
    assert.deepEqual([columns.status, columns.body.code, columns.body.choices], [400, 'ambiguous_columns', { temperatureColumn: ['Plenum temp'], humidityColumn: ['Ambient RH'] }]);
    assert.match(columns.body.error, /^Não está claro/);
    assert.equal((await hours('grain=corn&temperatureColumn=2&humidityColumn=Ambient%20RH', mixed)).status, 200);
    assert.equal((await hours('grain=corn&temperatureColumn=9', mixed)).body.code, 'unknown_column');
    assert.equal((await hours('grain=corn', 'temp,rh\nx,y\n')).body.code, 'no_usable_rows');
    const file = join(folder, 'lcd.csv');
    writeFileSync(file, lcd);
    await assert.rejects(run(HYGRO, ['hours', file, '--grain', 'corn']), (e) => e.code === 1 && /choose °C or °F/.test(e.stderr));
    assert.equal(JSON.parse((await run(HYGRO, ['hours', file, '--grain', 'corn', '--unit', 'F', '--json'])).stdout).ok, true);
    const form = new FormData();
    form.set('file', new Blob([mixed]), 'a.csv');
    assert.match(await (await fetch(`${service.url}/?grain=corn`, { method: 'POST', body: form })).text(), /<p class="error">It is not clear which columns belong together/);
  });

  test('fan advice and the layers of the bin', async () => {
    const rows = Array.from({ length: 240 }, (_, i) => `2024-10-${String(Math.floor(i / 24) + 1).padStart(2, '0')} ${i % 24}:00,${(8 + 6 * Math.sin(i / 3.82)).toFixed(1)},70`);
    const { body } = await hours('grain=corn&moisture=19&grainTa=10&fanHeat=1&goal=dry&airflow=1.1&target=15', `time,temp (C),rh\n${rows.join('\n')}\n`);
    assert.equal(body.advice.run + body.advice.stop, 240);
    assert.ok(body.hours.every((hour) => hour.fan === 'stop' || (hour.effect === 'dries' && !hour.condensation)));
    assert.ok(body.bin.layers.length === 16 && body.bin.bottom < body.bin.top && body.bin.top <= 19.5 && body.bin.hoursToFinish === null);
    assert.ok(Math.abs(body.periods.reduce((sum, period) => sum + period.run, 0) - body.advice.run) < 0.1);
    const form = new FormData();
    form.set('file', new Blob([`time,temp (C),rh\n${rows.join('\n')}\n`]), 'a.csv');
    form.set('moisture', '19');
    form.set('goal', 'dry');
    assert.equal(((await (await fetch(`${service.url}/?grain=corn`, { method: 'POST', body: form })).text()).match(/<rect class="run"/g) ?? []).length, 10);
    assert.equal((await hours('grain=corn&goal=dry', SEASON)).body.field, 'moisture');
    assert.deepEqual((await hours('grain=corn&goal=fly', SEASON)).body.allowed, ['dry', 'cool', 'hold', 'rewet']);
  });
});

describe('shrink', () => {
  test('(Mo - Mf) / (100 - Mf), water and both bases', async () => {
    assert.deepEqual((await get('/api/shrink?from=20&to=15&mass=100')).body, { ok: true, from: 20, to: 15, fromDry: 25, toDry: 17.65, shrink: 5.88, waterPerTonne: 58.8, mass: 100, massAfter: 94.118, waterMass: 5.882, warnings: [] });
    assert.equal((await get('/api/shrink?from=25&to=17,647&basis=dry')).body.from, 20);
    assert.ok((await get('/api/shrink?from=10&to=13')).body.shrink < 0);
    assert.deepEqual([(await get('/api/shrink?from=20&to=15&mass=25.4&grain=corn')).body.bushels, (await get('/api/shrink?from=20&to=15&grain=sunflower')).body.bushels], [1000, undefined]);
    assert.deepEqual((await get('/api/shrink?from=18&to=13&mass=0')).body.allowed, { min: 0.001, max: 10000000 });
  });
});

describe('hours', () => {
  test('each hour is the calculation of its air', async () => {
    const { status, body } = await hours('grain=corn&moisture=14.1', SEASON);
    assert.equal(status, 200);
    for (const hour of body.hours) assert.equal(hour.moisture, (await get(`/api/calculate?grain=corn&ta=${hour.ta}&ur=${hour.ur}`)).body.moisture);
    assert.deepEqual(body.hours.map((h) => [h.row, h.time, h.effect]), [[2, '00:00', 'holds'], [3, '01:00', 'wets']]);
    assert.deepEqual([body.summary.count, body.summary.dries, body.summary.holds, body.summary.wets], [2, 0, 1, 1]);
    assert.deepEqual(body.columns, { temperature: 'temperature', humidity: 'humidity' });
  });

  test('a bad row has its number and its reason, and the others are answered, or none with strict', async () => {
    const bad = `${SEASON}02:00,x,80\n03:00,20,\n04:00,500,50\n05:00,20,80\n`;
    const { body } = await hours('grain=corn', bad);
    assert.deepEqual(body.errors, [{ row: 4, message: 'the temperature is not a number' }, { row: 5, message: 'no humidity' }, { row: 6, message: 'the temperature is not between -30 and 80 °C' }]);
    assert.equal(body.summary.count, 3);
    assert.equal(body.rows, 6);
    const strict = await hours('grain=corn&strict=true&lang=pt', bad);
    assert.equal(strict.status, 400);
    assert.equal(strict.body.code, 'bad_rows');
    assert.equal(strict.body.errors[0].message, 'a temperatura não é um número');
    assert.equal('hours' in strict.body, false);
    assert.equal((await hours('grain=corn&strict=true', SEASON)).status, 200);
    const csv = (await hours('grain=corn&format=csv', bad)).text.trimEnd().split('\r\n');
    assert.equal(csv.length, 7);
    assert.match(csv[3], /^4,"02:00","",,,,,,the temperature is not a number$/);
  });

  test('what belongs to the other format is reported: a decimal comma in JSON, no details in CSV', async () => {
    const told = ({ body }) => body.warnings.filter((w) => w.code === 'unknown_field').map((w) => [w.field, w.message]);
    const COMMA = [['decimal', "The field 'decimal' has no meaning here and was ignored."]];
    assert.deepEqual(told(await hours('grain=corn&decimal=comma', SEASON)), COMMA);
    assert.deepEqual(told(await get('/api/table?grain=corn&decimal=comma')), COMMA);
    assert.deepEqual(told(await hours('grain=corn&decimal=point&detail=none', SEASON)), []);
    assert.deepEqual(told(await get('/api/table?grain=corn&decimal=point')), []);
    const csv = async (query) => (await hours(`grain=corn&format=csv&${query}`, SEASON)).headers.get('x-warnings') ?? '';
    assert.match(await csv('detail=none'), /'detail' has no meaning here and was ignored/);
    assert.doesNotMatch(await csv('detail=hours&decimal=comma'), /ignored/);
  });

  test('a CSV has the warnings of the JSON in its header, where it had the first field that is not known alone', async () => {
    const same = async (ask) => {
      const { body } = await ask('json'), told = (await ask('csv')).headers.get('x-warnings').split('|').filter((_, i) => i % 5 === 4);
      assert.ok(body.warnings.length > 1, JSON.stringify(body.warnings));
      assert.deepEqual(told, body.warnings.map((w) => w.message.replaceAll(/[^\x20-\x7e]/g, '').replaceAll('|', '/')));
    };
    await same((format) => hours(`grain=arroz&x=1&y%7C=2&target=14&moisture=14&grainTa=-20&format=${format}`, SEASON));
    await same(async (format) => {
      const response = await fetch(`${service.url}/api/table?grain=arroz&x=1&y=2&format=${format}`);
      return { headers: response.headers, body: format === 'json' ? await response.json() : null };
    });
  });

  test('CSV out with points or commas, by format or Accept', async () => {
    assert.match((await hours('grain=corn&format=csv', SEASON)).text, /^row,time,hour,ta_C,ur_%,moisture_%,effect,condensation,error\r\n2,"00:00","",25\.0,70\.0,14\.0,,,\r\n/);
    assert.match((await hours('grain=corn&format=csv&decimal=comma&moisture=14&grainTa=5', SEASON)).text, /\r\n2;"00:00";"";25,0;70,0;14,0;wets;1;\r\n/);
    assert.match((await hours('grain=corn', SEASON, { 'Content-Type': 'text/csv', Accept: 'text/csv' })).type, /^text\/csv/);
    assert.match((await hours('grain=corn&format=csv', SEASON)).headers.get('content-disposition'), /hours\.csv/);
    assert.match((await hours('grain=corn&format=csv', 'time,temp,rh\n"a""b",25,70\n')).text, /\r\n2,"a""b",/);
  });

  test('a form with a file, and a gzip-coded body', async () => {
    const form = new FormData();
    form.set('file', new Blob([SEASON], { type: 'text/csv' }), 'season.csv');
    form.set('moisture', '14,1');
    form.set('grainTa', '');
    const answer = await (await fetch(`${service.url}/api/hours?grain=corn`, { method: 'POST', body: form })).json();
    assert.equal(answer.summary.wets, 1);
    assert.equal((await hours('grain=corn', gzipSync(SEASON), { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' })).body.summary.count, 2);
  });

  test('8,760 hours take well under a second', async () => {
    const rows = Array.from({ length: 8760 }, (_, i) => `2026-${i};${(20 + 10 * Math.sin(i / 24)).toFixed(1).replace('.', ',')};${(60 + (i % 40)).toFixed(1).replace('.', ',')}`);
    const text = `data;temperatura;umidade\r\n${rows.join('\r\n')}`;
    const started = processorSeconds(service.pid);
    const { body } = await hours('grain=milho&moisture=14&grainTa=15', text);
    const took = processorSeconds(service.pid) - started;
    assert.equal(body.summary.count, 8760);
    assert.equal(body.periods.length, 365);
    assert.equal(body.periods.reduce((sum, p) => sum + p.count, 0), 8760);
    assert.ok(took < 0.7, `${took} s of processor time`);
  });

  test('hostile files: refused or answered, never a number that is none', async () => {
    const long = 'x'.repeat(200000);
    for (const [name, file, status] of [
      ['empty', '', 400], ['a quote that never ends', 'temp,rh\n"25,70\n20,80\n', 200], ['one long line', `temp,rh,${long}\n25,70\n`, 200], ['a long cell', `temp,rh\n${long},70\n20,80\n`, 200],
      ['many columns', `${'a,'.repeat(5000)}temp,rh\n25,70\n`, 400], ['UTF-16', Buffer.from('\ufefftemp,rh\n25,70\n', 'utf16le'), 400], ['NUL bytes', 'temp,rh\n\0\0,70\n', 400], ['bytes that are no text', Buffer.from([0xff, 0xfe, 0xfd, 0x0a, 0x80]), 400],
      ['formulas', 'time,temp,rh\n=HYPERLINK("x"),25,70\n@SUM(1),25,70\n', 200], ['script', 'time,temp,"rh <script>"\n<script>alert(1)</script>,25,70\n', 200], ['NaN and infinity', 'temp,rh\nNaN,70\n25,inf\n1e400,5\n-0,5\n', 200],
      ['only separators', ';;;;\n;;;;\n', 400], ['a header twice', 'temp,rh\ntemp,rh\n25,70\n', 200], ['commas in both places', 'temp,rh\n25,5,70,2\n', 400],
    ]) {
      const answer = await hours('grain=corn&moisture=14', file);
      assert.equal(answer.status, status, `${name}: ${answer.text.slice(0, 200)}`);
      assert.doesNotMatch(answer.text, /:(nan|inf|-inf)/i, name);
      if (status === 200) for (const hour of answer.body.hours) assert.ok(hour.moisture > 0 && hour.moisture < 100, name);
    }
  });

  test('any text is answered by 200 or 400 in its shape', async () => {
    const cell = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('25', '25,5', '70', '100', '"', '""', '-9999', '', 'NaN', '1e9'));
    const line = fc.tuple(fc.array(cell, { maxLength: 5 }), fc.constantFrom(',', ';', '\t')).map(([cells, separator]) => cells.join(separator));
    await fc.assert(fc.asyncProperty(fc.constantFrom('temp,rh', 'data;temperatura;umidade', 'T\tUR', 'x'), fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n', '\r'), async (head, lines, end) => {
      const { status, body } = await hours('grain=soja&moisture=13&grainTa=12', [head, ...lines].join(end));
      assert.ok(status === 200 || status === 400);
      if (status === 200) {
        assert.equal(body.summary.count + body.errorCount, body.rows);
        assert.ok(Math.abs(body.summary.dries + body.summary.holds + body.summary.wets - body.summary.hours) < 0.05);
        for (const hour of body.hours) assert.ok(hour.moisture >= body.summary.low && hour.moisture <= body.summary.high);
      }
    }), { numRuns: 150 });
  });

  test('moister air never gives drier grain, hour by hour', async () => {
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 45 }), fc.integer({ min: 12, max: 97 }), async (ta, ur) => {
      const { body } = await hours('grain=wheat&moisture=13', `t,ur\n${ta},${ur}\n${ta},${ur + 1}\n${ta + 1},${ur}\n`);
      const [first, moister, warmer] = body.hours;
      assert.ok(moister.moisture >= first.moisture && warmer.moisture <= first.moisture, JSON.stringify(body.hours));
      const order = ['dries', 'holds', 'wets'];
      assert.ok(order.indexOf(moister.effect) >= order.indexOf(first.effect));
    }), { numRuns: 80 });
  });
});

describe('command line', () => {
  test('gives the same JSON as the service', async () => {
    for (const [args, path] of [
      [['air', '--ta', '20', '--dew-point=16', '--fan-heat', '2', '--grain', 'corn', '--lang', 'es'], '/api/air?ta=20&dewPoint=16&fanHeat=2&grain=corn&lang=es'],
      [['keeping', '--grain', 'soja', '--ta', '77', '--unit', 'F', '--moisture', '13'], '/api/keeping?grain=soja&ta=77&taUnit=F&moisture=13'],
      [['shrink', '--from', '18', '--to', '13', '--mass', '30'], '/api/shrink?from=18&to=13&mass=30'],
    ]) assert.deepEqual(JSON.parse((await run(HYGRO, [...args, '--json'])).stdout), (await get(path)).body);
    const file = join(folder, 'season.csv');
    writeFileSync(file, SEASON);
    assert.deepEqual(JSON.parse((await run(HYGRO, ['hours', file, '--grain', 'corn', '--moisture', '14', '--json'])).stdout), (await hours('grain=corn&moisture=14', SEASON)).body);
    assert.equal((await run(HYGRO, ['hours', file, '--grain', 'corn', '--csv'])).stdout, (await hours('grain=corn&format=csv', SEASON)).text);
    const piped = run('bash', ['-c', `printf 'temp;umidade\\n25,5;70\\n' | ${HYGRO} hours - --grain milho --lang pt`]);
    assert.match((await piped).stdout, /^Com o ventilador sempre ligado o silo tende a: 14,0 % b\.u\. \(espere 13,5 a 14,6\)\nAr médio/);
  });

  test('a file that is refused is told as JSON with --json, and bad rows end with how many more', async () => {
    const file = join(folder, 'many.csv');
    writeFileSync(file, 'no,header\n');
    await assert.rejects(run(HYGRO, ['hours', file, '--grain', 'corn', '--json']), (e) => e.code === 1 && JSON.parse(e.stdout).code === 'bad_csv' && e.stderr === '');
    writeFileSync(file, `${SEASON}${'x,y,z\n'.repeat(130)}`);
    assert.match((await run(HYGRO, ['hours', file, '--grain', 'corn'])).stderr, /Row 103: .*\nMore rows that cannot be read: 30\n$/);
    const form = new FormData();
    form.set('file', new Blob([`${SEASON}${'x,y,z\n'.repeat(130)}`]), 'a.csv');
    assert.match(await (await fetch(`${service.url}/?grain=corn`, { method: 'POST', body: form })).text(), /<li>Row 103: [^<]*<\/li><li>More rows that cannot be read: 30<\/li><\/ul>/);
    form.set('strict', 'true');
    assert.match(await (await fetch(`${service.url}/?grain=corn`, { method: 'POST', body: form })).text(), /<p class="error">Rows that cannot be read, and 'strict' refuses the whole file: 130\.<\/p>/);
  });

  test('a file of fractions is refused, and a single one comes with the hint, as text and on the page too', async () => {
    const file = join(folder, 'fractions.csv');
    for (const [text, told] of [['t,ur\n25,0.7\n20,0.8\n', /looks like a fraction: write percentages, 70, not 0\.7/], ['t,ur\n25,70\n20,0.8\n', /Some humidities are 1 or less/]]) {
      writeFileSync(file, text);
      const { stdout, stderr } = await run(HYGRO, ['hours', file, '--grain', 'wheat']).catch((e) => e);
      assert.match(stdout + stderr, told);
      const form = new FormData();
      form.set('file', new Blob([text]), 'a.csv');
      assert.match(await (await fetch(`${service.url}/?grain=wheat`, { method: 'POST', body: form })).text(), told);
    }
    const answer = await fetch(`${service.url}/api/hours?grain=wheat`, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 't,ur\n25,0.7\n20,0.8\n' });
    assert.deepEqual([answer.status, (await answer.json()).code], [400, 'humidity_looks_like_fraction']);
  });

  test('refusals have status 1, misuse 2', async () => {
    await assert.rejects(run(HYGRO, ['air', '--ta', '20']), (e) => e.code === 1 && /^hygro air: --ur: The value for “.*” is missing\.\n$/.test(e.stderr) && e.stdout === '');
    // Errors named fields of the interface that have another name here.
    for (const [args, error] of [[['verdict', '--grain', 'corn', '--moisture', '14'], /^hygro verdict: --grain-ta: The value for “temperature of the grain” is missing\.\n$/],
      [['verdict', '--grain', 'corn', '--moisture', '14', '--grain-ta', '20', '--unit', 'K'], /^hygro verdict: --unit: .*unit of the temperatures.*: C, F\.\n$/],
      [['keeping', '--grain', 'cron', '--moisture', '14', '--grain-ta', '20'], /^hygro keeping: --grain: The grain 'cron' is not known; did you mean 'corn'/],
      [['air', '--ta', '20', '--ur', '50', '--fan-heat', 'x', '--lang', 'es'], /^hygro air: --fan-heat: El valor de “[^”]*” debe ser un número/]])
      await assert.rejects(run(HYGRO, args), (e) => e.code === 1 && error.test(e.stderr) && !/'(grainTa|taUnit|fanHeat)'/.test(e.stderr));
    await assert.rejects(run(HYGRO, ['keeping', '--grain', 'corn', '--ta', '20', '--moisture', 'x', '--json']), (e) => e.code === 1 && JSON.parse(e.stdout).code === 'not_a_number');
    await assert.rejects(run(HYGRO, ['shrink', '--from', '18', '--to', '13', '--ta', '5']), (e) => e.code === 2);
    await assert.rejects(run(HYGRO, ['shrink']), (e) => e.code === 2 && /usage/.test(e.stderr));
    await assert.rejects(run(HYGRO, ['hours', '/nothing/there', '--grain', 'corn']), (e) => e.code === 1 && /nothing/.test(e.stderr));
    const file = join(folder, 'bad.csv');
    writeFileSync(file, `${SEASON}x,y,z\n`);
    await assert.rejects(run(HYGRO, ['hours', file, '--grain', 'corn', '--strict', 'true']), (e) => e.code === 1 && /Row 4: the temperature is not a number\nhygro hours: Rows that cannot be read.*strict.*: 1\./.test(e.stderr) && e.stdout === '');
    await assert.rejects(run(HYGRO, ['hours', '--strict', file, '--grain', 'corn', '--json']), (e) => e.code === 1 && JSON.parse(e.stdout).code === 'bad_rows');
    await assert.rejects(run(HYGRO, ['hours', file, '--strict', '--grain', 'corn', '--json']), (e) => e.code === 1 && JSON.parse(e.stdout).code === 'bad_rows');
    assert.equal(JSON.parse((await run(HYGRO, ['hours', file, '--strict', 'false', '--grain', 'corn', '--json'])).stdout).ok, true);
    for (const tool of ['air', 'keeping', 'shrink', 'hours']) assert.match((await run(HYGRO, [tool, '--help'])).stdout, new RegExp(`^usage: hygro ${tool}`));
    // Every option that a tool takes is in its help. The set changes nothing about shrink.
    const help = async (tool, ...more) => run(HYGRO, [tool, ...more, '--help']).then(({ stdout }) => stdout, () => '');
    const tools = ['air', 'keeping', 'verdict', 'shrink', 'hours'];
    const options = new Set((await Promise.all(tools.map((tool) => help(tool)))).join('').match(/--[a-z-]+/g));
    assert.ok(options.size > 25);
    for (const tool of tools) {
      for (const option of options) {
        const text = await help(tool, `${option}=1`);
        if (text !== '' && `${tool} ${option}` !== 'shrink --set') assert.match(text, new RegExp(`${option}\\b`), `${tool} ${option}`);
      }
    }
  });
});

describe('on the page', () => {
  const page = async (query, options) => (await fetch(`${service.url}/${query}`, options)).text();

  test('tools are folded until asked for, and answered by the server', async () => {
    const plain = await page('');
    assert.equal((plain.match(/<details id="tool-/g) ?? []).length, 4);
    assert.doesNotMatch(plain, /<details[^>]* open/);
    const html = await page('?lang=pt&grain=corn&tool=shrink&shrink-from=20&shrink-to=15');
    assert.match(html, /<details id="tool-shrink" data-tool="shrink" open>/);
    assert.match(html, /<dt>Quebra de umidade<\/dt><dd>5,88 %<\/dd>/);
    assert.doesNotMatch(await page('?grain=quinoa&tool=keeping&keeping-grainTa=15&keeping-moisture=14'), /<dl><div><dt>Humidity between/);
    assert.match(await page('?tool=keeping&keeping-grainTa=x&keeping-moisture=14'), /<p class="error">The value for “temperature of the grain” must be a number/);
  });

  test('a file that is not clear is asked about in the words of the page', async () => {
    for (const [text, words] of [['Date,Outside temp (C),Inside Hum\n2024-06-01 00:00,25,70\n', /Choose a temperature: &#39;Outside temp \(C\)&#39;/], ['DATE,HourlyDryBulbTemperature,HourlyRelativeHumidity\n2024-06-01T13:00,77,70\n', /choose °C or °F\./]]) {
      const form = new FormData();
      form.append('file', new Blob([text]), 'season.csv');
      const html = await (await fetch(`${service.url}/?lang=en`, { method: 'POST', body: form })).text();
      assert.match(html, words);
      assert.doesNotMatch(html.match(/<p class="error">[^<]+/g).join(), /temperatureColumn|humidityColumn|taUnit|--/);
    }
  });

  test('the days of a file say when to run the fan', async () => {
    const form = new FormData();
    form.append('file', new Blob([`time,temp (C),rh\n${Array.from({ length: 48 }, (_, h) => `2024-06-0${1 + Math.floor(h / 24)} ${String(h % 24).padStart(2, '0')}:00,20,${h < 12 ? 40 : 95}\n`).join('')}`]), 'season.csv');
    for (const [name, value] of [['goal', 'dry'], ['moisture', '17'], ['grainTa', '20']]) form.append(name, value);
    const html = await (await fetch(`${service.url}/?lang=pt`, { method: 'POST', body: form })).text();
    assert.match(html, /Quando ligar o ventilador<\/h3><dl class="plan"><div><dt>2024-06-01<\/dt><dd>ligar 00:00–12:00 \(12 h\)<\/dd><\/div><div><dt>2024-06-02<\/dt><dd>desligado o dia todo<\/dd>/);
  });

  test('a file sent to the page is answered on the page, and hostile text stays text', async () => {
    const form = new FormData();
    form.set('file', new Blob(['time,temp,rh\n<script>alert(1)</script>,25,70\n"</dd><img src=x>",x,80\n']), 'a.csv');
    form.set('moisture', '"><script>alert(2)</script>');
    const refused = await page('?grain=corn', { method: 'POST', body: form });
    assert.match(refused, /<div class="tool-result" id="hours-result" role="status"><p class="error">The value for “moisture of the grain/);
    form.set('moisture', '14');
    const html = await page('?grain=corn&lang=es', { method: 'POST', body: form });
    assert.match(html, /<dt>Horas cubiertas<\/dt><dd>1 horas<\/dd>/);
    for (const text of [refused, html]) {
      assert.equal((text.match(/<script/g) ?? []).length, 1);
      assert.doesNotMatch(text, /<img|\sstyle=|alert\(2\)<\/script/);
    }
    const nothing = new FormData();
    nothing.set('file', new Blob([]), '');
    assert.match(await page('?lang=pt', { method: 'POST', body: nothing }), /<p class="error">O arquivo está vazio, ou nenhum foi escolhido/);
  });
});
