/** Waiting for something that only ends if the processes behind it live. */
import { PlumbfoxError } from '../core/errors.ts';

export interface Part {
  /** As a person would name it. */
  readonly name: string;
  /** Settles with what ended it. */
  readonly ended: Promise<string>;
}

/** A part that ends breaks the connection to it first: the work fails a moment before the end is known. */
const CAUSE_KNOWN_MS = 1000;

/** Waits for `work`. @throws PlumbfoxError `environment` naming the part as soon as one ends before the work does. */
export function whileRunning(parts: readonly Part[]): <T>(work: Promise<T>) => Promise<T> {
  const broken = Promise.race(
    parts.map(async ({ name, ended }): Promise<never> => {
      const why = await ended;
      throw new PlumbfoxError('environment', `${name} ended in the middle of the run (${why})`);
    }),
  );
  // Parts end in good order too, when nobody waits any more.
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
