// Revision 2026-07-28 of the protocol, in which each request says its revision: what it must carry, what headers must repeat, and
// what its answers have more. Older ones are answered beside it, by the same program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpSession, StdioSession } from './session.mjs';

const REVISION = '2026-07-28';
const ALL = [REVISION, '2025-11-25', '2025-06-18', '2025-03-26'];
const META = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
const message = (method, params = {}, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: META, ...params } });

test('over standard input and output', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const ask = (method, params) => session.exchange(message(method, params));

  const { result: found } = await ask('server/discover');
  assert.deepEqual([found.resultType, found.supportedVersions, found.cacheScope], ['complete', ALL, 'public']);
  assert.ok(found.ttlMs > 0 && found.instructions.length > 50 && found.capabilities.tools);
  const server = found._meta['io.modelcontextprotocol/serverInfo'];
  assert.equal(server.name, 'platen');
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    const { result } = await ask(method);
    assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope, result._meta], ['complete', found.ttlMs, 'public', found._meta], method);
  }
  const { result: page } = await ask('resources/read', { uri: 'platen://docs/writing-zpl' });
  assert.deepEqual([page.resultType, page.ttlMs], ['complete', found.ttlMs]);
  const { result: looked } = await ask('tools/call', { name: 'look_up_command', arguments: { name: '^FO' } });
  assert.deepEqual([looked.resultType, looked.ttlMs, looked.content.length], ['complete', undefined, 1]);
  assert.equal((await ask('prompts/get', { name: 'fix_label', arguments: { zpl: '^XA' } })).result.resultType, 'complete');
  const { error: missing } = await ask('resources/read', { uri: 'platen://nothing' });
  assert.deepEqual([missing.code, missing.data], [-32602, { uri: 'platen://nothing' }]);

  // What is of the other revisions alone.
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'subscriptions/listen']) assert.equal((await ask(method)).error.code, -32601, method);
  for (const _meta of [undefined, {}, { ...META, 'io.modelcontextprotocol/clientCapabilities': undefined }, { ...META, 'io.modelcontextprotocol/clientCapabilities': [] }, { ...META, 'io.modelcontextprotocol/protocolVersion': 7 }]) {
    const { error } = await ask('server/discover', { _meta });
    assert.equal(error.code, -32602);
    assert.match(error.message, /io\.modelcontextprotocol\/protocolVersion/);
  }
  const { error } = await ask('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } });
  assert.deepEqual([error.code, error.data], [-32022, { supported: ALL, requested: '1900-01-01' }]);

  // Lists of messages are of the oldest revision alone: the others were answered, too.
  const list = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]);
  for (const revision of ALL.slice(1)) {
    await session.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    const answer = await session.exchange(list);
    if (revision === ALL.at(-1)) assert.deepEqual(answer.map((one) => [one.id, !one.error]), [[1, true], [2, true]]);
    else assert.deepEqual([answer.id, answer.error?.code], [null, -32600], revision);
  }
  // Not even then may a list begin the conversation, or hold a request of a revision without lists.
  const alone = await session.exchange(`[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}},${message('server/discover', {}, 2)},{"jsonrpc":"2.0","id":3,"method":"ping"}]`);
  assert.deepEqual(alone.map((one) => [one.id, one.error?.code]), [[1, -32600], [2, -32600], [3, undefined]]);

  // Beside it, as before.
  const before = await session.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  assert.deepEqual([before.protocolVersion, before.resultType, before._meta], ['2025-06-18', undefined, undefined]);
  assert.equal((await session.request('initialize', { protocolVersion: REVISION })).protocolVersion, '2025-11-25');
  assert.deepEqual(Object.keys(await session.request('tools/list')), ['tools']);
  await assert.rejects(session.request('resources/read', { uri: 'platen://nothing' }), { code: -32002 });
});

test('over HTTP the headers repeat what the message says', async (t) => {
  const session = await HttpSession.start('platen');
  t.after(() => session.stop());
  const post = async (body, headers) => {
    const response = await session.post(body, Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)));
    const answer = response.status === 202 ? {} : await response.json();
    return [response.status, answer.error?.code, answer];
  };
  const status = async (...args) => (await post(...args)).slice(0, 2);
  const LIST = { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/list' };
  const CALL = { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'look_up_command' };
  const READ = { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'resources/read' };
  const call = message('tools/call', { name: 'look_up_command', arguments: { name: '^FO' } });
  const read = message('resources/read', { uri: 'platen://commands/FO' });
  const base64 = (text) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  assert.deepEqual(await status(message('tools/list'), LIST), [200, undefined]);
  assert.deepEqual(await status(call, CALL), [200, undefined]);
  assert.deepEqual(await status(call, { ...CALL, 'Mcp-Name': base64('look_up_command') }), [200, undefined]);
  assert.deepEqual(await status(read, { ...READ, 'Mcp-Name': 'platen://commands/FO' }), [200, undefined]);
  assert.deepEqual(await status(message('nothing/here'), { ...LIST, 'Mcp-Method': 'nothing/here' }), [404, -32601]);
  for (const [body, headers] of [
    [message('tools/list'), { ...LIST, 'MCP-Protocol-Version': undefined }],
    [message('tools/list'), { ...LIST, 'MCP-Protocol-Version': '2025-11-25' }],
    [message('tools/list'), { ...LIST, 'Mcp-Method': undefined }],
    [message('tools/list'), { ...LIST, 'Mcp-Method': 'TOOLS/LIST' }],
    [call, { ...CALL, 'Mcp-Name': undefined }],
    [call, { ...CALL, 'Mcp-Name': 'check_label' }],
    [call, { ...CALL, 'Mcp-Name': base64('check_label') }],
    [call, { ...CALL, 'Mcp-Name': '=?base64?' }],
    [call, { ...CALL, 'Mcp-Name': base64('look_up_command').replace('?=', '!Y2hlY2tfbGFiZWw=?=') }],
    [read, { ...READ, 'Mcp-Name': 'platen://commands/FD' }],
  ]) assert.deepEqual(await status(body, headers), [400, -32020], JSON.stringify(headers));
  assert.deepEqual(await status('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', LIST), [400, -32602]);

  const [code, , { id, error }] = await post('{"jsonrpc":"2.0","id":7,"method":"tools/list"}', { 'MCP-Protocol-Version': '1999-01-01' });
  assert.deepEqual([code, id, error.code, error.data], [400, 7, -32022, { supported: ALL, requested: '1999-01-01' }]);
  assert.equal((await status('{"jsonrpc":"2.0","method":"notifications/initialized"}', { 'MCP-Protocol-Version': '1999-01-01' }))[0], 400);
  assert.equal((await status('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', LIST))[0], 202);

  // Lists of messages are of the oldest revision alone.
  const list = '[{"jsonrpc":"2.0","id":1,"method":"ping"}]';
  assert.deepEqual(await status(list, { 'MCP-Protocol-Version': '2025-03-26' }), [200, undefined]);
  for (const revision of ALL.slice(0, 3)) assert.deepEqual(await status(list, { 'MCP-Protocol-Version': revision }), [400, -32600], revision);
});
