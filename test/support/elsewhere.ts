/**
 * An address that is another machine's as far as this one can tell: in a network namespace of its own, behind a pair of virtual cards. What
 * comes in there is passed on, byte for byte, to servers of the test itself. Needs root, as the lab does; nothing of it outlives the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runCommand } from '../../src/lab/run-command.ts';

/** Runs inside: each line names a port to listen on, and to pass on to at the other end of the pair. */
const RELAY = `
const net = require('node:net');
const there = process.argv[1];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const port = Number(line);
  net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ host: there, port, allowHalfOpen: true });
    for (const [one, other] of [[near, far], [far, near]]) {
      one.on('error', () => other.resetAndDestroy()).on('close', () => other.destroySoon());
      one.pipe(other);
    }
  }).listen(port, '0.0.0.0', () => console.log(port));
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

/** @param nth - 1 to 60, another for each of those that are up at once. */
export async function elsewhere(nth = 1): Promise<Elsewhere> {
  // A block that is for private use (RFC 1918); 4 addresses for each pair.
  const at = (host: number) => `10.219.77.${nth * 4 + host}`;
  const [here, address] = [at(1), at(2)];
  const child = spawn('unshare', ['--net', process.execPath, '-e', RELAY, here], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const said = async (line: string) => {
    for (;;) {
      const [next] = await once(lines, 'line');
      if (next === line) return;
    }
  };
  await said('up');
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
      child.stdin.write(`${port}\n`);
      await listening;
    },
    // What comes is taken in; its answer has no way back.
    vanish: async () => {
      await inside('ip', 'route', 'add', 'blackhole', `${here}/32`);
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
