/** Waits for work that ends only if the processes behind it live, closes several whatever becomes of the others, and reports unhandled errors. */
import { PlumbfoxError } from '../../core/errors.ts';

export interface WatchedProcess {
  /** Its name in messages. */
  readonly name: string;
  /** Settles with what ended it. */
  readonly ended: Promise<string>;
}

/** One part's end brings others down with it, and breaks what is waited for: the cause is looked for among all that ended so close. */
const TOGETHER_MS = 300;

/** A part that ends breaks the connection to it first: the work fails a moment before the end is known. */
const CAUSE_KNOWN_MS = 1000;

/**
 * Waits for `work`. @throws PlumbfoxError `environment` naming the part when one ends before the work does.
 * @param parts - Those on which others depend first: of several that end together the first is named.
 */
export function whileRunning(parts: readonly WatchedProcess[]): <T>(work: Promise<T>) => Promise<T> {
  const why = new Map<WatchedProcess, string>();
  const broken = Promise.race(
    parts.map(async (part): Promise<never> => {
      why.set(part, await part.ended);
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
      const first = parts.find((each) => why.has(each)) ?? part;
      throw new PlumbfoxError('environment', `${first.name} ended in the middle of the run (${why.get(first)})`);
    }),
  );
  // Parts end in good order too, when no caller waits any more.
  broken.catch(() => {});
  return async (work) => {
    try {
      return await Promise.race([work, broken]);
    } catch (error) {
      let timer: NodeJS.Timeout | undefined;
      const noCause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CAUSE_KNOWN_MS);
      });
      await Promise.race([noCause, broken]).finally(() => clearTimeout(timer));
      throw error;
    }
  };
}

/** Closes all at once; settles when every one has been tried. @throws the first failure. */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  throwFirst(await Promise.allSettled(closers.map((close) => close())));
}

/** Closes one after the other, in this order; each is tried. @throws the first failure. */
export async function closeInTurn(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const results: PromiseSettledResult<void>[] = [];
  for (const close of closers) results.push(...(await Promise.allSettled([close()])));
  throwFirst(results);
}

function throwFirst(results: readonly PromiseSettledResult<void>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Handles what fails in a process of ours when no caller waits for it. Node would print a stack of many lines and end with code 1
 * (https://nodejs.org/api/cli.html#--unhandled-rejectionsmode); an unhandled rejection comes here as an exception too.
 * @param report - Given one line; must end the process, which is in no known state any more.
 */
export function handleUnhandledErrors(report: (line: string, error: unknown) => void): void {
  process.on('uncaughtException', (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    report(`internal error: ${text.split('\n')[0] ?? ''}`, error);
  });
}
