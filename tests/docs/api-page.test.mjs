// docs/api.md names every route, parameter, member and error code that the service has.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startService } from '../api/service.js';

const text = fs.readFileSync('docs/api.md', 'utf8');
// What stands in code marks, with lists within one mark taken apart: `a`, `GET /b`.
const named = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap((m) => [m[1], ...m[1].split(/[\s,|=]+/)]));
const missing = (names) => [...new Set(names)].filter((name) => !named.has(name));

let service, openapi;
before(async () => {
  service = await startService('platen');
  openapi = await (await fetch(`${service.url}/openapi.json`)).json();
});
after(() => service.stop());

const resolve = (item) => (item.$ref ? item.$ref.slice(2).split('/').reduce((at, name) => at[name], openapi) : item);
const METHODS = ['get', 'post', 'put', 'delete'];
const operations = () => Object.entries(openapi.paths).flatMap(([route, item]) => METHODS.filter((method) => item[method]).map((method) => ({ route, method, operation: item[method] })));

test('every route, with its method', () => {
  const lines = text.split('\n').filter((line) => line.startsWith('| `'));
  const absent = operations().filter(({ route, method }) => !lines.some((line) => [...line.split(' | ')[0].matchAll(/`([^`]+)`/g)].some((m) => m[1] === `${method.toUpperCase()} ${route}`)));
  assert.deepEqual(absent.map(({ route, method }) => `${method} ${route}`), []);
});

test('every parameter: query, path and header', () => {
  const names = operations().flatMap(({ operation }) => (operation.parameters ?? []).map(resolve)).map((parameter) => (parameter.in === 'path' ? `{${parameter.name}}` : parameter.name));
  const inPath = (name) => /^\{\w+\}$/.test(name) && text.includes(name);
  assert.deepEqual(missing(names).filter((name) => !inPath(name)), []);
});

test('every symbology, and none that there is not', () => {
  const table = [...fs.readFileSync('src/scene/barcode.h', 'utf8').matchAll(/ X\(\w+, "(\w+)"\)/g)].map((m) => m[1]);
  const line = text.split('\n').find((row) => row.startsWith('| `symbology` '));
  assert.deepEqual([...line.split(' | ')[2].matchAll(/`(\w+)`/g)].map((m) => m[1]).sort(), table.sort());
});

test('every value that a parameter may have', () => {
  const values = operations().flatMap(({ operation }) => (operation.parameters ?? []).map(resolve)).filter((parameter) => parameter.in === 'query').flatMap((parameter) => parameter.schema.enum ?? []).map(String);
  assert.deepEqual(missing(values).filter((value) => !/^\d+$/.test(value)), []);
});

test('every member of requests and answers', () => {
  const schemas = ['RenderRequest', 'JsonResult', 'JsonLabel', 'Base64Label', 'Element', 'Diagnostic', 'CompareRequest', 'ComparisonAnswer', 'ComparedLabel', 'ElementChange', 'HealthResponse', 'ErrorResponse', 'BatchDocument', 'BatchLabel', 'BatchProblem', 'BatchCounts', 'BatchProgress', 'BatchSummary', 'ZplRequest', 'CodeAnswer', 'GraphicResult'];
  const shown = (name) => text.includes(`"${name}":`) || named.has(name);
  const absent = schemas.flatMap((schema) => Object.keys(openapi.components.schemas[schema].properties).filter((name) => !shown(name)).map((name) => `${schema}.${name}`));
  assert.deepEqual(absent, []);
});

test('every header of an answer', () => {
  assert.deepEqual(missing(Object.keys(openapi.components.headers)), []);
});

test('every error code of the sources', () => {
  const folders = ["apps/platen", ...fs.readdirSync("apps/platen").map((name) => `apps/platen/${name}`).filter((name) => fs.statSync(name).isDirectory()), ...fs.readdirSync('src/http').map((name) => `src/http/${name}`).filter((name) => fs.statSync(name).isDirectory())];
  const sources = folders.flatMap((folder) => fs.readdirSync(folder).filter((name) => name.endsWith('.c')).map((name) => path.join(folder, name)));
  const codes = sources.flatMap((file) => [...fs.readFileSync(file, 'utf8').matchAll(/\b[45]\d\d,\s*"([a-z_]+)"/g)].map((m) => m[1]));
  assert.ok(codes.length > 60);
  assert.deepEqual(missing(codes), []);
});
