/** Errors of files and of the helper, each in a line that says what to do. */
import { type ErrorKind, PlumbfoxError } from '../core/errors.ts';
import type { HelperErrorKind } from '../protocol/helper-messages.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is a file',
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your disk quota is used up; free some space and try again',
  EROFS: 'it is on a read-only disk',
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** An error of the system as ours, kind `environment`; one that is ours already stays as it is. */
export function fileError(path: string, error: unknown): PlumbfoxError {
  if (error instanceof PlumbfoxError) return error;
  const code = errorCode(error);
  if (code === undefined) return new PlumbfoxError('internal', `${path}: ${String(error)}`, { cause: error });
  return new PlumbfoxError('environment', `${path} cannot be read or written: ${systemReason(error)}`, { cause: error });
}

/** `permission denied (EACCES)`: why the system refused a file. */
export function systemReason(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? String(error) : `${REASONS[code] ?? 'the system refuses it'} (${code})`;
}

/** `ENOENT` and its like; `undefined`: not an error of the system. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Tidies up after a failure, which is the error to report. */
export function quietly(tidy: () => void): void {
  try {
    tidy();
  } catch {}
}

const USUAL: Readonly<Record<HelperErrorKind, ErrorKind>> = {
  'bad-request': 'bad-input',
  'unknown-profile': 'bad-input',
  'no-firefox-profile': 'environment',
  refused: 'bad-input',
  'cannot-write': 'environment',
  busy: 'environment',
  internal: 'internal',
};

/** A refusal that the extension receives with its own kind, where that of a PlumbfoxError does not say enough. */
export class HelperError extends PlumbfoxError {
  readonly helperKind: HelperErrorKind;
  constructor(helperKind: HelperErrorKind, message: string) {
    super(USUAL[helperKind], message);
    this.helperKind = helperKind;
  }
}
