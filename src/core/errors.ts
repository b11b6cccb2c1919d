/** Typed errors. Every kind but `internal` can be put right by the person who reads it, so its message says what to do. */
export const ERROR_KINDS = [
  /** An argument, a file or a record that cannot be used as it is. */
  'bad-input',
  /** The machine lacks something: a package, a privilege, a Firefox that starts. */
  'environment',
  /** The conditions were not as intended; no figure of the run may be used. */
  'run-void',
  /** A preference that must not or cannot be set. */
  'preference-refused',
  /** The person stopped it. */
  'interrupted',
  /** A fault of ours. */
  'internal',
] as const;
/** The kind of a `PlumbfoxError`: what has to be put right, and by whom. */
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** An error that Plumbfox throws. The message is one line for the person; `cause` is for whoever debugs. */
export class PlumbfoxError extends Error {
  override readonly name = 'PlumbfoxError';
  readonly kind: ErrorKind;
  constructor(kind: ErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** Why a preference was refused: a closed set, so that a screen can explain each. */
export const REFUSAL_REASONS = [
  'not-in-catalogue',
  'wrong-type',
  'out-of-range',
  'locked',
  'changed-by-someone-else',
  'did-not-hold',
  'price-not-accepted',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Kind `preference-refused`; names the preference, and why as a word that a screen can explain. */
export class PreferenceRefused extends PlumbfoxError {
  readonly preference: string;
  readonly reason: RefusalReason;
  constructor(preference: string, reason: RefusalReason, detail: string) {
    super('preference-refused', `${preference}: ${detail}`);
    this.preference = preference;
    this.reason = reason;
  }
}

/** The default arm of an exhaustive switch. */
export function assertNever(value: never): never {
  throw new PlumbfoxError('internal', `Unhandled case: ${JSON.stringify(value)}`);
}
