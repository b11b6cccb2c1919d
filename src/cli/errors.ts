/** Exit codes of every command; documented in docs/tune.md. */
import { assertNever, PlumbfoxError } from '../core/errors.ts';

/** By what became of the command. 130 is 128 + SIGINT, as shells have it. */
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
