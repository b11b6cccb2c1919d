/**
 * Outlives the process that started Firefox by a moment: when that one ends without having quit Firefox (SIGKILL, a crash),
 * ends Firefox and removes its files. Firefox is in a process group of its own and would run on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A line on stdin dismisses it; the end of stdin, which the kernel brings about however its writer ended, calls it to work.
 * Processes that are being killed may still write for a moment, so removing is tried again.
 */
const SCRIPT = `read -r dismissed && exit 0
kill -KILL -"$1" 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$2" 2>/dev/null
  [ -e "$2" ] || exit 0
  sleep 0.2
done`;

export interface BrowserGuard {
  /** Firefox has quit and its files are removed. */
  dismiss(): Promise<void>;
}

/** @param options.group - Process group of Firefox. @param options.home - Folder to remove. */
export function guardBrowser({ group, home }: { group: number; home: string }): BrowserGuard {
  if (process.platform === 'win32') return { dismiss: async () => {} };
  // A group of its own: Ctrl-C and hang-up are for the command.
  const guard = spawn('sh', ['-c', SCRIPT, 'sh', String(group), home], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const gone = once(guard, 'exit').catch(() => {});
  guard.stdin.on('error', () => {});
  return {
    dismiss: async () => {
      guard.stdin.end('dismissed\n');
      await gone;
    },
  };
}
