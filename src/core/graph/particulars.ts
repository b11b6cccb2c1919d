/** What kind a request is, whether others wait for it, and how long it is itself. */

import type { Inference } from './inference.ts';
import type { ContentClass } from './page-graph.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';
import { inferenceOf, tally } from './tally.ts';

export interface Particulars {
  /** In the order of the requests. */
  readonly classes: readonly ContentClass[];
  /** `undefined`: what the page graph takes for granted. */
  readonly blocking: readonly (boolean | undefined)[];
  /** `undefined`: a typical request. */
  readonly requestBytes: readonly (number | undefined)[];
  readonly inferred: readonly Inference[];
}

const CLASS_RULES = {
  'media-type': 'What it is for is not recorded: by the media type of the response',
  address: 'What it is for is not recorded, nor a telling media type: by the ending of the address',
  unknown: 'What it is for cannot be told: class "other"',
} as const;

const BLOCKING_RULE = 'Whether others wait for a script is not recorded: none does';
const REQUEST_RULE = 'The length of the request is not recorded: a typical one';

export function inferParticulars({ requests, document }: PlacedLoad): Particulars {
  const bases = requests.map(({ observed }, index) => (index === document ? 'told' : observed.classBasis));
  const untold = requests.filter(({ observed }) => observed.class === 'script' && observed.blocking === undefined).length;
  const unmeasured = requests.filter(({ observed }) => observed.requestBytes === undefined).length;
  return {
    classes: requests.map(({ observed }, index) => (index === document ? 'document' : observed.class)),
    blocking: requests.map(({ observed }) => observed.blocking),
    requestBytes: requests.map(requestBytesOf),
    inferred: [
      ...tally('classes', bases, CLASS_RULES),
      ...inferenceOf('blocking', untold, BLOCKING_RULE),
      ...inferenceOf('request-sizes', unmeasured, REQUEST_RULE),
    ],
  };
}

const requestBytesOf = ({ observed }: PlacedRequest): number | undefined =>
  observed.requestBytes === undefined ? undefined : Math.max(1, Math.round(observed.requestBytes));
