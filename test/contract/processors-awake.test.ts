/** Loops that keep the processors awake against the kernel: there while something is done, gone after it, and never in anybody's way. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { processorsAwake } from '../../src/lab/link/measure-link.ts';

/** SCHED_IDLE, as /proc/PID/stat has it in its 41st field (proc(5), sched.h). */
const SCHED_IDLE = '5';

/** Processes with that policy that this test began: the loops, which `timeout` runs. */
function idleLoops(): number {
  const stats = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name, which may have blanks, ends with the last bracket.
      return [{ pid, fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') }];
    } catch {
      // It has just ended.
      return [];
    }
  });
  const parentOf = new Map(stats.map(({ pid, fields }) => [pid, fields[1]]));
  const isOurs = (parent: string | undefined) => parent !== undefined && parentOf.get(parent) === String(process.pid);
  return stats.filter(({ fields }) => fields[38] === SCHED_IDLE && isOurs(fields[1])).length;
}

/** Sooner than they would end by themselves, after 10 s. */
const none = () => expect.poll(idleLoops, { timeout: 5_000 }).toBe(0);

it.runIf(process.platform === 'linux')('one loop for each processor, until the action is over or has failed', async () => {
  const during = processorsAwake(() => expect.poll(idleLoops).toBe(availableParallelism()));
  await during;
  await none();
  const failed = processorsAwake(async () => {
    await expect.poll(idleLoops).toBe(availableParallelism());
    throw new Error('as asked');
  });
  await expect(failed).rejects.toThrow('as asked');
  await none();
});
