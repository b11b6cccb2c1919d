/** Turns an error of any command into one line on stderr and an exit code, as documented in docs/tune.md. */
import { assertNever, PlumbfoxError } from '../core/errors.ts';

/** Puts what an error is about before its message. */
export function naming<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${what}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Exit codes by outcome. 130 is 128 + SIGINT, the convention of shells. */
export const EXIT_CODES = { done: 0, internal: 1, badInput: 2, environment: 3, runVoid: 4, interrupted: 130 } as const;

export function exitCodeFor(error: unknown): number {
  if (!(error instanceof PlumbfoxError)) return EXIT_CODES.internal;
  switch (error.kind) {
    case 'bad-input':
    case 'preference-refused':
      return EXIT_CODES.badInput;
    case 'environment':
      return EXIT_CODES.environment;
    case 'run-void':
      return EXIT_CODES.runVoid;
    case 'interrupted':
      return EXIT_CODES.interrupted;
    case 'internal':
      return EXIT_CODES.internal;
    default:
      return assertNever(error.kind);
  }
}

/** Control characters, line and paragraph separators, and the marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;
/** Longer lines hide what they say. */
const MAX_LENGTH = 1000;

/** One line of plain text, whatever the user typed into an argument or a file. */
export function oneLine(text: string): string {
  const printable = text.trim().replace(UNPRINTABLE, (mark) => (/\s/.test(mark) ? ' ' : '\ufffd'));
  return printable.length <= MAX_LENGTH ? printable : `${printable.slice(0, MAX_LENGTH)} ...`;
}
