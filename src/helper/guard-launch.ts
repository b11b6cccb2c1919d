/** Starts the guard of a profile: a process of the helper's file that outlives whoever started it, Firefox and terminal included. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlumbfoxError } from '../core/errors.ts';

/** First argument of the helper's file. */
export const GUARD_COMMAND = 'guard';

export interface GuardLaunch {
  /** Absolute path of plumbfox-helper.mjs. */
  readonly program: string;
  /** The Firefox profile's folder. */
  readonly directory: string;
}

/**
 * Settles when the process is there. A second guard of the same profile ends by itself.
 * @throws PlumbfoxError `environment` when it cannot be started.
 */
export async function startGuard({ program, directory }: GuardLaunch): Promise<void> {
  // A session of its own: neither Firefox's end nor a terminal's reaches it. No streams: who waits for ours to close must not wait for its.
  const guard = spawn(process.execPath, [program, GUARD_COMMAND, directory], { detached: true, stdio: 'ignore', cwd: '/' });
  guard.unref();
  try {
    await once(guard, 'spawn');
  } catch (cause) {
    throw new PlumbfoxError(
      'environment',
      `${process.execPath} could not be started to watch over ${directory}: what is written there stays, and nothing comes back by itself`,
      { cause },
    );
  }
}
