// Nodes of Debian's rabbitmq-server on loopback, in a folder of their own.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../api/lib/free-port.js';

const run = promisify(execFile);
// A line "NODE EXPRESSION." is evaluated on the node, and its value printed as a line.
const ASKER = `Loop = fun(F) -> case io:get_line("") of eof -> halt(0); Line ->
  [Node, Text] = string:split(string:trim(Line), " "), {ok, Tokens, _} = erl_scan:string(Text), {ok, Exprs} = erl_parse:parse_exprs(Tokens),
  Answer = rpc:call(list_to_atom(Node), erl_eval, exprs, [Exprs, []]),
  io:format("~w~n", [case Answer of {value, Value, _} -> Value; Other -> {error, Other} end]), F(F) end end, Loop(Loop).`;
const COOKIE = 'platencookie';
const BIN = '/usr/lib/rabbitmq/bin';
export const available = () => fs.existsSync(`${BIN}/rabbitmq-server`);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Where single tests keep broker and outputs: in memory, if there is room. Both wait until what they write is on the disk, and on a disk that others fill
// that was most of a test's time; a program that is killed loses nothing either way.
export function quickDir() {
  try {
    const { bavail, bsize } = fs.statfsSync('/dev/shm');
    return bavail * bsize >= 1 << 30 ? '/dev/shm' : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

export class Cluster {
  constructor(dir, size) {
    this.dir = dir;
    this.nodes = Array.from({ length: size }, (_, i) => ({ name: `platen${process.pid}n${i}@localhost`, dir: path.join(dir, `node${i}`) }));
  }
  env(node) {
    return {
      ...process.env, HOME: this.dir, RABBITMQ_NODENAME: node.name, RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1', RABBITMQ_NODE_PORT: String(node.port), RABBITMQ_DIST_PORT: String(node.dist),
      RABBITMQ_MNESIA_BASE: `${node.dir}/mnesia`, RABBITMQ_LOG_BASE: `${node.dir}/log`, RABBITMQ_CONFIG_FILE: `${node.dir}/rabbitmq`, RABBITMQ_ENABLED_PLUGINS_FILE: `${node.dir}/plugins`,
      RABBITMQ_PID_FILE: `${node.dir}/pid`, RABBITMQ_CONF_ENV_FILE: '/dev/null', ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(this.epmd), ERL_EPMD_RELAXED_COMMAND_CHECK: '1', RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none' + (this.countsMs ? ` -rabbit quorum_tick_interval ${this.countsMs}` : ''),
    };
  }
  // countsMs: after how long the broker's counts of a queue are right at the latest; 5 s where nothing is said.
  async start({ tls, countsMs } = {}) {
    this.countsMs = countsMs;
    this.epmd = await freePort();
    fs.writeFileSync(path.join(this.dir, '.erlang.cookie'), COOKIE, { mode: 0o400 });
    for (const node of this.nodes) {
      Object.assign(node, { port: await freePort(), dist: await freePort() });
      if (tls) node.tlsPort = await freePort();
      fs.mkdirSync(node.dir, { recursive: true });
      fs.writeFileSync(`${node.dir}/plugins`, '[].\n');
      fs.writeFileSync(`${node.dir}/rabbitmq.conf`, [
        'log.file.level = warning', 'disk_free_limit.absolute = 1MB', 'cluster_partition_handling = pause_minority', 'loopback_users = none',
        ...(tls ? [`listeners.ssl.default = 127.0.0.1:${node.tlsPort}`, `ssl_options.cacertfile = ${tls.ca}`, `ssl_options.certfile = ${tls.cert}`, `ssl_options.keyfile = ${tls.key}`, 'ssl_options.verify = verify_none'] : []),
      ].join('\n') + '\n');
    }
    await Promise.all(this.nodes.map((node) => this.startNode(node)));
    for (const node of this.nodes.slice(1)) {
      for (const args of [['stop_app'], ['join_cluster', this.nodes[0].name], ['start_app']]) await this.ctl(node, ...args);
    }
    return this;
  }
  async startNode(node) {
    const log = fs.openSync(`${node.dir}/output`, 'a');
    node.child = spawn(`${BIN}/rabbitmq-server`, [], { env: this.env(node), stdio: ['ignore', log, log], detached: true, cwd: this.dir });
    fs.closeSync(log);
    node.child.unref();
    await this.ctl(node, 'wait', '--timeout', '300', `${node.dir}/pid`);
    node.pid = Number(fs.readFileSync(`${node.dir}/pid`, 'utf8'));
  }
  ctl(node, ...args) {
    return run(`${BIN}/rabbitmqctl`, ['-q', '-n', node.name, ...args], { env: this.env(node), maxBuffer: 1 << 24, timeout: 400000 }).then(({ stdout }) => stdout);
  }
  // What an Erlang expression is on a node, as text. One Erlang is asked for all: rabbitmqctl starts one for each question, which takes seconds on a busy machine.
  ask(node, expression) {
    this.asker ??= this.startAsker(node);
    return new Promise((resolve, reject) => {
      this.asker.waiting.push((line) => (line === null || line.startsWith('{error,') ? reject(new Error(`${expression}: ${line}`)) : resolve(line)));
      this.asker.stdin.write(`${node.name} ${expression}.\n`);
    });
  }
  startAsker(node) {
    const child = spawn('erl', ['-noshell', '-hidden', '-sname', `ask${process.pid}@localhost`, '-setcookie', COOKIE, '-start_epmd', 'false', '+S', '1:1', '+sbwt', 'none', '-eval', ASKER], { env: this.env(node), cwd: this.dir, stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.waiting = [];
    child.stdin.on('error', () => {});
    child.stdout.on('data', (data) => {
      const lines = (text + data).split('\n');
      text = lines.pop();
      for (const line of lines) child.waiting.shift()?.(line);
    });
    child.once('close', () => { for (const answer of child.waiting) answer(null); });
    return child;
  }
  // As a power cut: nothing is told to anybody.
  kill(node) {
    try {
      // The number of a node that has ended may be another program's by now.
      if (fs.readFileSync(`/proc/${node.pid}/environ`, 'latin1').includes(`RABBITMQ_NODENAME=${node.name}`)) process.kill(node.pid, 'SIGKILL');
    } catch { /* it has gone */ }
  }
  url(node, user = 'guest:guest') { return `amqp://${user}@127.0.0.1:${node.port}/`; }
  get urls() { return this.nodes.map((node) => this.url(node)).join(','); }
  async stop() {
    if (this.asker) { this.asker.stdin.end(); this.asker.kill(); }
    for (const node of this.nodes) this.kill(node);
    await run('epmd', ['-port', String(this.epmd), '-kill'], { env: { ...process.env, ERL_EPMD_PORT: String(this.epmd) } }).catch(() => {});
    for (let i = 0; i < 20; i++) {
      try { fs.rmSync(this.dir, { recursive: true, force: true }); break; } catch { await sleep(200); }
    }
  }
}

export async function startCluster(size, options = {}, tries = 3) {
  const cluster = new Cluster(fs.mkdtempSync(path.join(options.parent ?? os.tmpdir(), 'platen-cluster-')), size);
  try {
    return await cluster.start(options);
  } catch (error) {
    const said = cluster.nodes.map((node) => (fs.existsSync(`${node.dir}/output`) ? fs.readFileSync(`${node.dir}/output`, 'utf8').slice(-2000) : '')).join('\n');
    await cluster.stop();
    // Another program took the port after it was looked for.
    if (/eaddrinuse|address already in use/i.test(said) && tries > 1) return startCluster(size, options, tries - 1);
    console.error(said);
    throw error;
  }
}
