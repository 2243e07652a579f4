// 1,000 hostile messages to each program over each transport: each is answered with a clear error or not at all, and the program lives on.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { HttpSession, StdioSession, TRANSPORTS } from './session.mjs';

const COUNT = 1000;

// A fixed sequence: a failure repeats.
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list', 'prompts/list', 'prompts/get', 'nothing/here', ''];
const TOOLS = ['render_label', 'check_label', 'explain_label', 'convert_label', 'compare_labels', 'look_up_command', 'read_barcodes', 'encode_barcode_data', 'grain_moisture', 'rm', ''];
const NAMES = ['zpl', 'a', 'b', 'data', 'name', 'search', 'widthMm', 'heightMm', 'dpmm', 'page', 'rotation', 'maxWidth', 'fix', 'to', 'targetDpmm', 'rules', 'size', 'pageLayout', 'grain', 'ta', 'ur', 'moisture', '__proto__', ''];
const VALUES = [null, true, false, 0, -1, 1e308, 0.1, 2 ** 53, '', 'x', '^XA', '^XA^FO50,50^A0N,30,30^FDHi^FS^XZ', '^XA^XA^XZ^FD~^', '\u0000\u001d\uffff', '(01)123(99', 'https://id.gs1.org/01/x', [], [[[]]], {}, { a: { b: {} } }, 'corn', '^', 'é'.repeat(300), '^XA^PQ99999999^FDx^FS^XZ', 'platen://commands/%', 'platen://docs/../../etc/passwd'];

function message(pick) {
  const any = (list) => list[pick(list.length)];
  const args = Object.fromEntries(Array.from({ length: pick(5) }, () => [any(NAMES), any(VALUES)]));
  const params = { name: any([...TOOLS, any(VALUES)]), arguments: any([args, args, args, any(VALUES)]), uri: any(VALUES), protocolVersion: any(['2025-06-18', '1', any(VALUES)]), cursor: pick(20) ? undefined : any(VALUES) };
  const whole = { jsonrpc: pick(20) ? '2.0' : any(VALUES), id: pick(10) ? pick(1e6) : any(VALUES), method: pick(20) ? any(METHODS) : any(VALUES), params: pick(10) ? params : any(VALUES) };
  let text = JSON.stringify(pick(25) ? whole : Array.from({ length: pick(40) }, () => whole));
  switch (pick(8)) {
    case 0: return text.slice(0, pick(text.length)); // it breaks off
    case 1: { // a byte is another one
      const at = pick(text.length);
      return text.slice(0, at) + String.fromCharCode(32 + pick(95)) + text.slice(at + 1);
    }
    case 2: return '['.repeat(pick(3000)) + text;
    case 3: return `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}${pick(2) ? text : ''}`;
    default: return text;
  }
}

// An answer is a result, or an error that says what is wrong.
function judge(answer, sent) {
  for (const one of Array.isArray(answer) ? answer : [answer]) {
    assert.equal(one.jsonrpc, '2.0', sent);
    assert.ok('id' in one, sent);
    if (one.error) {
      assert.ok(Number.isInteger(one.error.code) && one.error.message.length > 10, sent);
    } else if (one.result.isError) {
      assert.ok(one.result.content[0].text.length > 10, sent);
    }
  }
}

async function overStdio(program, messages) {
  const session = new StdioSession(program);
  // Those that are no requests are not answered: a ping behind each shows where its answer ends.
  for (const [index, sent] of messages.entries()) {
    session.child.stdin.write(`${sent}\n{"jsonrpc":"2.0","id":"mark ${index}","method":"ping"}\n`);
    for (;;) {
      const { value, done } = await session.lines.next();
      assert.ok(!done, `the program ended at ${sent}`);
      const answer = JSON.parse(value);
      if (answer.id === `mark ${index}`) break;
      judge(answer, sent);
    }
  }
  assert.equal(await session.stop(), 0);
}

async function overHttp(program, messages) {
  const session = await HttpSession.start(program);
  for (const sent of messages) {
    const response = await session.post(sent);
    assert.ok([200, 202, 400].includes(response.status), `${response.status}: ${sent}`);
    if (response.status === 202) assert.equal(await response.text(), '');
    else judge(await response.json(), sent);
  }
  assert.deepEqual(await session.request('ping'), {});
  await session.stop();
}

for (const program of ['platen', 'hygro']) {
  for (const transport of Object.keys(TRANSPORTS)) {
    test(`${COUNT} hostile messages to ${program} over ${transport}`, async () => {
      const pick = random(Number(process.env.HOSTILE_SEED || program.length * 7919));
      const messages = Array.from({ length: COUNT }, () => message(pick)).filter((text) => !text.includes('\n') && text.trim() !== '');
      await (transport === 'HTTP' ? overHttp : overStdio)(program, messages);
    });
  }
}

test('a line longer than a message is refused, and the next one is answered', async () => {
  const session = new StdioSession('hygro');
  const answer = await session.exchange(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(3 << 20) } }));
  assert.match(answer.error.message, /longer than this program takes/);
  assert.deepEqual(await session.request('ping'), {});
  assert.equal(await session.stop(), 0);
});

// Counting them took time by the square of their number, and no deadline ended it.
for (const [transport, start] of Object.entries(TRANSPORTS)) {
  test(`a list of a million messages is refused at once over ${transport}`, { timeout: 30000 }, async (t) => {
    const session = await start('platen');
    t.after(() => {
      session.child?.kill('SIGKILL'); // it may still be counting
      return session.stop();
    });
    const answer = await session.exchange(`[${'1,'.repeat(999999)}1]`);
    assert.match(answer.error.message, /1 to 32/);
    assert.deepEqual(await session.request('ping'), {});
  });
}

// All that was read with it was moved at each line.
test('millions of short lines take little time of the processor', { timeout: 120000 }, async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  session.child.stdin.write('\n'.repeat(16 << 20));
  assert.deepEqual(await session.request('ping'), {});
  const fields = fs.readFileSync(`/proc/${session.child.pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
  const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
  assert.ok(seconds < 3, `${seconds} s`);
});

test('a line without its end is answered when the input ends', async () => {
  const session = new StdioSession('platen');
  session.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  assert.deepEqual(JSON.parse((await session.lines.next()).value), { jsonrpc: '2.0', id: 1, result: {} });
  assert.equal(await session.stop(), 0);
});

test('headers of the protocol are checked', async (t) => {
  const session = await HttpSession.start('platen');
  t.after(() => session.stop());
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const status = async (headers, body = ping) => (await session.post(body, headers)).status;
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) assert.equal(await status({ 'MCP-Protocol-Version': revision }), 200);
  assert.equal(await status({ 'MCP-Protocol-Version': '1999-01-01' }), 400);
  assert.equal(await status({ Accept: 'text/event-stream' }), 406);
  assert.equal(await status({ Accept: '*/*' }), 200);
  assert.equal(await status({ 'Content-Type': 'text/plain' }), 415);
  assert.equal(await status({ Origin: 'https://elsewhere.example' }), 403);
  assert.equal(await status({}, '{"jsonrpc":"2.0","method":"notifications/initialized"}'), 202);
  assert.equal((await fetch(session.url)).status, 405);
  assert.equal((await fetch(session.url, { method: 'DELETE' })).status, 405);
  const list = await session.post(`[${ping},{"jsonrpc":"2.0","method":"notifications/initialized"}]`);
  assert.deepEqual(await list.json(), [{ jsonrpc: '2.0', id: 1, result: {} }]);
});

test('a key is asked for where the service has keys', async (t) => {
  const os = await import('node:os');
  const path = await import('node:path');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-'));
  const keys = path.join(folder, 'keys');
  fs.writeFileSync(keys, 'secret-of-the-test #me\n', { mode: 0o600 });
  const session = await HttpSession.start('platen', ['--api-key-file', keys]);
  t.after(async () => {
    await session.stop();
    fs.rmSync(folder, { recursive: true });
  });
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  assert.equal((await session.post(ping)).status, 401);
  assert.equal((await session.post(ping, { Authorization: 'Bearer secret-of-the-test' })).status, 200);
});

test('without limits there is no limit of time', async (t) => {
  const session = new StdioSession('platen', ['--unlimited']);
  t.after(() => session.stop());
  assert.equal((await session.json('render_label', { zpl: '^XA^FO9,9^A0N,30,30^FDx^FS^XZ' })).labels, 1);
});

test('a label that takes too long is an error of its tool, and the next one is drawn', async (t) => {
  const session = new StdioSession('platen', ['--render-timeout', '1ms']);
  t.after(() => session.stop());
  const slow = `^XA${'^FO1,1^A0N,900,900^FDxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx^FS'.repeat(3000)}^XZ`;
  await assert.rejects(session.tool('render_label', { zpl: slow, dpmm: 24 }), /time limit/);
  assert.deepEqual(await session.request('ping'), {});
});
