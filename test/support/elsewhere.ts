/**
 * An address that is another machine's as far as this one can tell: in a network namespace of its own, behind a pair of virtual cards. What
 * comes in there is passed on, byte for byte, to servers of the test itself. Needs root, as the lab does; nothing of it outlives the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runCommand } from '../../src/lab/process/run-command.ts';

/** Runs inside: each line names a port to listen on, and to pass on to at the other end of the pair. */
const RELAY = `
const net = require('node:net');
const open = new Set();
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [there, port] = line.split(' ');
  if (there === 'close') {
    for (const one of open) one.destroy();
    setImmediate(() => console.log('closed'));
    return;
  }
  net.createServer({ allowHalfOpen: true }, (near) => {
    open.add(near.once('close', () => open.delete(near)));
    const far = net.connect({ host: there, port, allowHalfOpen: true });
    for (const [one, other] of [[near, far], [far, near]]) {
      one.on('error', () => other.resetAndDestroy()).on('close', () => other.destroySoon());
      one.pipe(other);
    }
  }).listen(Number(port), '0.0.0.0', () => console.log(port));
}).on('close', () => process.exit());
console.log('up');
`;

export interface Elsewhere {
  /** Its address. */
  readonly address: string;
  /** This machine's end, to listen on. */
  readonly here: string;
  /** From now on what comes to this port there arrives at this port here. */
  passOn(port: number): Promise<void>;
  /** From now on it answers nobody, and says nothing. */
  vanish(): Promise<void>;
  stop(): Promise<void>;
}

/** 10.219.0.0/16 is for private use (RFC 1918); 198.18.0.0/16, which is no private one, for measurements of networks (RFC 2544): nobody is there. */
const PREFIXES = { private: '10.219', public: '198.18' } as const;
/** Of four addresses each. */
const BLOCKS = 1 << 14;

export async function elsewhere(space: keyof typeof PREFIXES = 'private'): Promise<Elsewhere> {
  const child = spawn('unshare', ['--net', process.execPath, '-e', RELAY], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const said = async (line: string) => {
    for (;;) {
      const [next] = await once(lines, 'line');
      if (next === line) return;
    }
  };
  await said('up');
  const { here, address } = await freeBlock(PREFIXES[space], child.pid ?? 0);
  const [mine, theirs] = [`pfx${child.pid?.toString(36)}a`, `pfx${child.pid?.toString(36)}b`];
  const inside = (...command: string[]) => runCommand(['nsenter', '--target', String(child.pid), '--net', ...command]);
  await runCommand(['ip', 'link', 'add', mine, 'type', 'veth', 'peer', 'name', theirs, 'netns', String(child.pid)]);
  await runCommand(['ip', 'addr', 'add', `${here}/30`, 'dev', mine]);
  await runCommand(['ip', 'link', 'set', mine, 'up']);
  await inside('ip', 'addr', 'add', `${address}/30`, 'dev', theirs);
  await inside('ip', 'link', 'set', theirs, 'up');
  return {
    address,
    here,
    passOn: async (port) => {
      const listening = said(String(port));
      child.stdin.write(`${here} ${port}\n`);
      await listening;
    },
    // What comes is taken in; its answer has no way back. The ends of connections that stand must come before that, or they would be used again.
    vanish: async () => {
      const closed = said('closed');
      child.stdin.write('close\n');
      await closed;
      await inside('ip', 'route', 'add', 'blackhole', `${here}/32`);
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

/** No two test runs on a machine may have the same: what one of them sends would arrive at the other. Processes that live have numbers of their own. */
async function freeBlock(prefix: string, processId: number): Promise<{ readonly here: string; readonly address: string }> {
  const taken = await runCommand(['ip', '-4', '-oneline', 'address']);
  for (let nth = processId; ; nth += 1) {
    const first = (nth % BLOCKS) * 4;
    const at = (host: number) => `${prefix}.${first >> 8}.${(first & 255) + host}`;
    if (!taken.includes(` ${at(1)}/`)) return { here: at(1), address: at(2) };
  }
}
