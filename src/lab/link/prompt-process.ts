/**
 * Puts what carries packets before everything else that wants a processor (SCHED_FIFO, sched(7)): a packet must not wait for a browser that
 * draws. It needs little of a processor, and the kernel keeps 5 % of the time for others whatever it does (sched_rt_runtime_us).
 */
import { tryCommand } from '../run-command.ts';

/** Any priority above none will do: nothing else here has one. */
const PRIORITY = '10';

/** Runs the command of `$@` promptly where that may be done, else as any other. For `sh -c`. */
export const PROMPTLY = `if chrt -f ${PRIORITY} true 2>/dev/null; then set -- chrt -f ${PRIORITY} "$@"; fi; "$@"`;

/** Every thread of a process that runs already, and those that it starts from now on. Where it may not be done, nothing changes. */
export async function makePrompt(prefix: readonly string[], pid: number): Promise<void> {
  await tryCommand([...prefix, 'chrt', '--all-tasks', '--fifo', '--pid', PRIORITY, String(pid)]).catch(() => undefined);
}
