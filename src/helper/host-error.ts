/** A refusal that the extension is told by its own kind, where an error's usual kind does not say it. */
import { type ErrorKind, PlumbfoxError } from '../core/errors.ts';
import type { HelperErrorKind } from '../protocol/helper-messages.ts';

const USUAL: Readonly<Record<HelperErrorKind, ErrorKind>> = {
  'bad-request': 'bad-input',
  'unknown-profile': 'bad-input',
  'no-firefox-profile': 'environment',
  refused: 'bad-input',
  'cannot-write': 'environment',
  busy: 'environment',
  internal: 'internal',
};

export class HostError extends PlumbfoxError {
  readonly helperKind: HelperErrorKind;
  constructor(helperKind: HelperErrorKind, message: string) {
    super(USUAL[helperKind], message);
    this.helperKind = helperKind;
  }
}
