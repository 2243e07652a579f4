// Talks to both transports without a library: a started `platen mcp` or `hygro mcp`, and POST /mcp of a service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startService } from '../api/service.js';

export const BUILD = process.env.BUILD || 'build';

class Session {
  number = 0;
  async request(method, params) {
    const id = ++this.number;
    const answer = await this.exchange(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.result;
  }
  /** The content of a tool's answer; an error of the tool is thrown. */
  async tool(name, args) {
    const result = await this.request('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.content;
  }
  async json(name, args) {
    return JSON.parse((await this.tool(name, args)).find((entry) => entry.type === 'text').text);
  }
}

export class StdioSession extends Session {
  constructor(program, args = []) {
    super();
    this.child = spawn(`${BUILD}/${program}`, ['mcp', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }
  async exchange(text) {
    this.child.stdin.write(`${text}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the program ended');
    return JSON.parse(value);
  }
  /** Ends the input and gives the exit status. */
  async stop() {
    this.child.stdin.end();
    const [code, signal] = this.child.exitCode === null ? await once(this.child, 'exit') : [this.child.exitCode];
    return code ?? signal;
  }
}

export class HttpSession extends Session {
  static async start(program, args = []) {
    const session = new HttpSession();
    session.service = await startService(program, args);
    session.url = `${session.service.url}/mcp`;
    return session;
  }
  post(body, headers = {}) {
    return fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body,
    });
  }
  async exchange(text) {
    return (await this.post(text)).json();
  }
  async stop() {
    await this.service.stop();
    return 0;
  }
}

export const TRANSPORTS = {
  'standard input and output': async (program) => new StdioSession(program),
  HTTP: (program) => HttpSession.start(program),
};
