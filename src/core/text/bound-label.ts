import { assertNever } from '../errors.ts';
import type { Bound } from '../simulate/prediction.ts';

/** What took most of the time, for a person. */
export function boundLabel(bound: Bound): string {
  switch (bound) {
    case 'bandwidth':
      return 'bandwidth';
    case 'queue-wait':
      return 'waiting to be sent';
    case 'round-trips':
      return 'round trips';
    case 'loss':
      return 'loss';
    case 'server':
      return 'the server';
    case 'page':
      return 'the page itself';
    default:
      return assertNever(bound);
  }
}
