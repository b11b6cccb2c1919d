/** One replacement of a file under strace, which makes a system call fail or kills the process at it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Of no file. */
const END_MARK = '/plumbfox-replacement-ends';

/** What can touch a file, as any Linux calls it; a question mark: not every architecture has it. */
export const FILE_CALLS = [
  ...['openat', 'close', 'read', 'pread64', 'write', '?pwrite64', '?fstat', '?newfstatat', 'statx', '?access', 'faccessat', 'getdents64'],
  ...['fchmod', 'fchown', 'fsync', '?rename', '?renameat', '?renameat2', '?unlink', 'unlinkat'],
];

export interface SystemCall {
  readonly name: string;
  /** Which call of this name it is, from 1: what strace counts. */
  readonly when: number;
  readonly text: string;
}

export interface Ended {
  /** `undefined`: it was killed. */
  readonly code: number | undefined;
  readonly said: string;
  readonly calls: readonly SystemCall[];
}

/** Answers the program of replace-once.ts. */
export async function bundleReplacement(folder: string): Promise<string> {
  const outfile = join(folder, 'replace-once.mjs');
  const entry = fileURLToPath(new URL('./replace-once.ts', import.meta.url));
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  return outfile;
}

/** `words`: program, file, new content, former content. `inject`: as strace takes it, e.g. `fsync:error=EIO:when=1`. The trace goes to `log`. */
export async function tracedReplacement(words: readonly string[], log: string, inject?: string): Promise<Ended> {
  // Without V8's own threads, which wake this one by system calls at moments of their own.
  const child = spawn(process.execPath, ['--v8-pool-size=0', ...words, END_MARK], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    const fault = inject === undefined ? [] : ['-e', `inject=${inject}`];
    const tracer = spawn('strace', ['-y', '-o', log, '-e', `trace=${FILE_CALLS.join(',')}`, ...fault, '-p', String(child.pid)]);
    const traced = once(tracer, 'close');
    // It says that it is attached, and what went wrong where it is not.
    await once(tracer.stderr, 'data');
    child.stdin.end('.');
    const [code] = (await ended) as [number | null];
    await traced;
    return { code: code ?? undefined, said: said.replace('ready\n', '').trim(), calls: callsIn(readFileSync(log, 'utf8')) };
  } finally {
    child.kill('SIGKILL');
  }
}

/** From the byte that began it to the mark of its end. */
function callsIn(trace: string): readonly SystemCall[] {
  const counts = new Map<string, number>();
  const calls = trace.split('\n').flatMap((text) => {
    const name = /^(\w+)\(/.exec(text)?.[1];
    if (name === undefined) return [];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [{ name, when: counts.get(name) ?? 0, text }];
  });
  const begin = calls.findIndex(({ text }) => text.startsWith('read(0<'));
  const end = calls.findIndex(({ text }) => text.includes(END_MARK));
  return calls.slice(begin + 1, end < 0 ? undefined : end);
}
