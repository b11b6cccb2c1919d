/** Keeps every processor awake for a moment. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Ends what would go on should this process be killed. */
const LONGEST_S = 10;

/**
 * One loop for each processor, which gives way to anything else that wants it (SCHED_IDLE, sched(7)): a processor that sleeps takes a moment to wake
 * for a packet, and one on which a page loads does not sleep. Where the kernel refuses, they sleep as ever.
 */
const LOOP = ['timeout', String(LONGEST_S), 'chrt', '--idle', '0', 'sh', '-c', 'while :; do :; done'] as const;

/** Does something with all processors awake, for 10 s at most. */
export async function processorsAwake<T>(action: () => Promise<T>): Promise<T> {
  const [program, ...rest] = LOOP;
  const loops = Array.from({ length: availableParallelism() }, () => spawn(program, rest, { stdio: 'ignore' }).on('error', () => {}));
  try {
    return await action();
  } finally {
    for (const loop of loops) loop.kill();
  }
}
