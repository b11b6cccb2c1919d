/** Makes a page graph of an observed load; what it had to assume comes beside it. The rules are in docs/page-graphs.md. */
import { inferDiscovery } from './dependencies.ts';
import { type Inference, type InferredPage, inferenceOf, roundedMs, tally } from './inference.ts';
import { inferLink, inferRoundTrips } from './link-of-load.ts';
import type { ObservedLoad, ObservedRequest } from './observed-load.ts';
import { inferOrigins } from './origins.ts';
import type { ContentClass, Discovery, PageRequest } from './page-graph.ts';
import { type PlacedLoad, type PlacedRequest, placeLoad, withDocumentEnd } from './place-requests.ts';
import { inferSizes } from './response-sizes.ts';
import { inferServerDelays } from './server-response-times.ts';

/** How the graph names things; no name twice for different things. */
interface Naming {
  /** @param number from 1, in the order of the page. */
  readonly id: (request: ObservedRequest, number: number) => string;
  /** @param number from 1, in the order of the first request. */
  readonly origin: (origin: string, number: number) => string;
}

/** @throws PlumbfoxError `bad-input`: nothing of the record was answered. */
export function inferPage(load: ObservedLoad, naming: Naming): InferredPage {
  const untimed = placeLoad(load);
  const sizes = inferSizes(untimed);
  const trips = inferRoundTrips(untimed.requests);
  const downKbps = inferLink(untimed.requests, sizes, trips.linkMs)?.downKbps;
  const placed = withDocumentEnd(untimed, { bytes: sizes.bytes, rttMs: trips.linkMs, downKbps });
  const delays = inferServerDelays(placed, { trips, bytes: sizes.bytes, downKbps });
  const discovery = inferDiscovery(placed, sizes.bytes);
  const origins = inferOrigins(placed.requests, trips);
  const particulars = inferParticulars(placed);
  const ids = placed.requests.map(({ observed }, index) => naming.id(observed, index + 1));
  const originNames = new Map([...origins.options.keys()].map((origin, index) => [origin, naming.origin(origin, index + 1)]));
  const requests = placed.requests.map(({ observed }, index): PageRequest => {
    const [blocking, requestBytes] = [particulars.blocking[index], particulars.requestBytes[index]];
    const after = (discovery.dependencies[index] ?? []).map(
      ({ position, bytes, delayMs }): Discovery => ({
        id: ids[position] ?? '',
        ...(bytes !== undefined && bytes < (sizes.bytes[position] ?? 0) && { bytes }),
        ...(roundedMs(delayMs) > 0 && { delayMs: roundedMs(delayMs) }),
      }),
    );
    const [only] = after;
    return {
      id: ids[index] ?? '',
      bytes: sizes.bytes[index] ?? 1,
      ...(requestBytes !== undefined && { requestBytes }),
      origin: originNames.get(observed.origin) ?? observed.origin,
      class: particulars.classes[index] ?? 'other',
      ...(blocking !== undefined && { blocking }),
      ...((delays.serverMs[index] ?? 0) > 0 && { serverMs: delays.serverMs[index] ?? 0 }),
      ...(only !== undefined && { after: after.length === 1 ? only : after }),
    };
  });
  return {
    page: {
      requests,
      origins: Object.fromEntries([...origins.options].map(([origin, options]) => [originNames.get(origin) ?? origin, options])),
    },
    inferred: [
      ...load.inferred,
      ...placed.inferred,
      ...discovery.inferred,
      ...sizes.inferred,
      ...delays.inferred,
      ...origins.inferred,
      ...particulars.inferred,
    ],
  };
}

/** What kind a request is, whether others wait for it, and how long it is itself. */
interface Particulars {
  /** In the order of the requests. */
  readonly classes: readonly ContentClass[];
  /** `undefined`: what the page graph takes for granted. */
  readonly blocking: readonly (boolean | undefined)[];
  /** `undefined`: a typical request. */
  readonly requestBytes: readonly (number | undefined)[];
  readonly inferred: readonly Inference[];
}

const CLASS_RULES = {
  'media-type': 'Its purpose is not recorded: inferred from the media type of the response',
  address: 'Its purpose is not recorded, nor a clear media type: inferred from the ending of the address',
  unknown: 'Its purpose is unknown: class "other"',
} as const;

const BLOCKING_RULE = 'Whether others wait for a script is not recorded: none does';
const REQUEST_RULE = 'The length of the request is not recorded: a typical one';

function inferParticulars({ requests, document }: PlacedLoad): Particulars {
  const bases = requests.map(({ observed }, index) => (index === document ? 'stated' : observed.classBasis));
  const unstated = requests.filter(({ observed }) => observed.class === 'script' && observed.blocking === undefined).length;
  const unmeasured = requests.filter(({ observed }) => observed.requestBytes === undefined).length;
  return {
    classes: requests.map(({ observed }, index) => (index === document ? 'document' : observed.class)),
    blocking: requests.map(({ observed }) => observed.blocking),
    requestBytes: requests.map(requestBytesOf),
    inferred: [
      ...tally('classes', bases, CLASS_RULES),
      ...inferenceOf('blocking', unstated, BLOCKING_RULE),
      ...inferenceOf('request-sizes', unmeasured, REQUEST_RULE),
    ],
  };
}

const requestBytesOf = ({ observed }: PlacedRequest): number | undefined =>
  observed.requestBytes === undefined ? undefined : Math.max(1, Math.round(observed.requestBytes));
