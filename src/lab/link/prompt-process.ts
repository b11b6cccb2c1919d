/**
 * Puts what carries packets before everything else that wants a processor (SCHED_FIFO, sched(7)): a packet must not wait for a browser that
 * draws. It needs little of a processor, and the kernel keeps 5 % of the time for others whatever it does (sched_rt_runtime_us).
 */
import { tryCommand } from '../process/run-command.ts';

/** Any priority above none will do: nothing else here has one. */
const PRIORITY = '10';

/**
 * For a Node that is made prompt: it collects garbage by itself. V8's event loop otherwise comes round without rest until helper threads have
 * marked; these go no further ahead than it does, and where such processes have taken every processor they never run. Measured on two
 * cores: two relays that began to mark together carried nothing any more, each 600,000 turns of its loop a second.
 */
export const PROMPT_NODE_FLAGS: readonly string[] = ['--single-threaded-gc'];

/** Runs the command of `$@` promptly where that may be done, else as any other. For `sh -c`. */
export const PROMPTLY = `if chrt -f ${PRIORITY} true 2>/dev/null; then set -- chrt -f ${PRIORITY} "$@"; fi; "$@"`;

/** Every thread of a process that runs already, and those that it starts from now on. Where it may not be done, nothing changes. */
export async function makePrompt(prefix: readonly string[], pid: number): Promise<void> {
  await tryCommand([...prefix, 'chrt', '--all-tasks', '--fifo', '--pid', PRIORITY, String(pid)]).catch(() => undefined);
}
