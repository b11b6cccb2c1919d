import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { raiseAutogroups } from '../../../accuracy/corpus/autogroup-priority.ts';

const niceOf = (pid: number | 'self' | undefined): string | undefined =>
  /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1];

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill();
});

/** Only where the kernel has autogroups, and to whom may put one before others; this process itself may be in none. */
const may = (() => {
  const tried = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  try {
    writeFileSync(`/proc/${tried.pid}/autogroup`, '-15');
    return niceOf(tried.pid) === '-15';
  } catch {
    return false;
  } finally {
    tried.kill();
  }
})();

it.runIf(may)('puts a session that was started, and the own one, before others; the own one goes back', () => {
  child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const before = niceOf('self');
  expect(niceOf(child.pid)).toBe('0');
  const back = raiseAutogroups();
  expect([niceOf(child.pid), niceOf('self')]).toEqual(['-15', before === undefined ? undefined : '-15']);
  back();
  expect(niceOf('self')).toBe(before);
});
