/** `apply-once.ts` as a program of Node's, and what it says line by line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A process that says lines; `step` lets it go on. */
export interface SpeakingProcess {
  readonly child: ChildProcess;
  readonly line: () => Promise<string>;
  readonly step: () => void;
}

/** Built before the tests of a file, and gone after them; what was started is killed after each. */
export function applyOnceProgram() {
  let folder: string;
  const program = () => join(folder, 'apply-once.mjs');
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-apply-'));
    await build({
      entryPoints: ['test/support/apply-once.ts'],
      outfile: program(),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const start = ([file = '', ...args]: readonly string[]): SpeakingProcess => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, line: async () => (await lines.next()).value as string, step: () => child.stdin.write('x') };
  };
  return { start, run: (...args: readonly string[]) => start([process.execPath, program(), ...args]), program };
}
