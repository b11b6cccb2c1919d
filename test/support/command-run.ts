/** Runs the built command as people do, in a temporary folder of its own, and sees what it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdNetwork } from './held-networks.ts';

export const COMMAND = resolve('dist/cli/plumbfox.mjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of stderr that tell an error. */
  readonly errors: readonly string[];
}

export interface RunningCommand {
  readonly child: ChildProcess;
  /** Where the command and its processes put temporary files, and know each other by. */
  readonly temporary: string;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** What it has written to stderr so far. */
  told(): string;
  /** Processes of this run, the command itself included; by their TMPDIR, which every one of them inherits. */
  processes(): readonly OwnProcess[];
  /** Ends whatever is still there and removes the folder. */
  dispose(): Promise<void>;
}

export interface OwnProcess {
  readonly pid: number;
  readonly command: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export function startCommand(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const temporary = mkdtempSync(join(tmpdir(), 'plumbfox-command-'));
  const env = { ...process.env, TMPDIR: temporary, ...options.env };
  // A process group of its own, as a shell gives every command: signals reach all of it.
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: options.cwd ?? temporary,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
    errors: stderr.split('\n').filter((line) => line.startsWith('plumbfox: ')),
  }));
  const processes = () => processesWith(`TMPDIR=${temporary}`);
  return {
    child,
    temporary,
    pid: child.pid as number,
    ended,
    told: () => stderr,
    processes,
    dispose: async () => {
      for (const { pid } of processes()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has just ended by itself.
        }
      }
      await ended;
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Settles once `found` gives something; there is no event for what other processes do. */
export async function eventually<T>(what: string | (() => string), found: () => T | undefined | false, timeoutMs = 30_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const value = found();
    if (value !== undefined && value !== false) return value;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`${typeof what === 'string' ? what : what()}: not within ${timeoutMs / 1000} s`);
}

/** Of the processes of this run: another run on the machine has devices and namespaces of its own. */
export function ownNamespaces(processes: readonly OwnProcess[]): readonly string[] {
  const here = readlinkSync('/proc/self/ns/net');
  const found = processes.flatMap(({ pid }) => {
    try {
      return [holdNetwork(pid)];
    } catch {
      return [];
    }
  });
  return [...new Set(found)].filter((namespace) => namespace !== here);
}

/** Whether any process of the machine is still in one of the namespaces: they live no longer than that. */
export function namespaceInUse(namespaces: readonly string[]): boolean {
  return readdirSync('/proc').some((entry) => {
    try {
      return /^\d+$/.test(entry) && namespaces.includes(readlinkSync(`/proc/${entry}/ns/net`));
    } catch {
      return false;
    }
  });
}

export const emulatorDevices = (): readonly string[] =>
  existsSync('/sys/class/net') ? readdirSync('/sys/class/net').filter((name) => /^pf.*[cs]$/.test(name)) : [];

function processesWith(variable: string): readonly OwnProcess[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').split('\0').includes(variable)) return [];
      const command = readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      // A process that has ended and waits for its parent has no command line.
      return command === '' ? [] : [{ pid: Number(entry), command }];
    } catch {
      return [];
    }
  });
}
