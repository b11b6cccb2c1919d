/** How many bytes each response takes on the wire: what is stated, else by rules from what is. */
import { median } from '../stats/quantile.ts';
import { type Inference, tally } from './inference.ts';
import type { ObservedSize } from './observed-load.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';

export interface InferredSizes {
  /** Bytes on the wire with headers, in the order of the requests; at least 1. */
  readonly bytes: readonly number[];
  /** Whether it rests on bytes the record states of this very response. */
  readonly stated: readonly boolean[];
  readonly inferred: readonly Inference[];
}

const RULES = {
  'cached-document': 'The document came from the cache; it is asked for again here and answered "not modified" with headers alone',
  headers:
    "Headers of a response are not measured: as long as their text (0.15 of it over https unless it was HTTP/1), or as the page's others",
  compressed: "The size on the wire is not recorded: contents times the share that compression leaves of the page's others, or 0.3",
  contents: 'The size on the wire is not recorded: as large as the contents',
  redirect: 'The size of a redirect is not recorded: headers alone',
  'class-median': "No size is recorded, or one beyond 1 GiB: the median of the page's requests of the same class, or of all",
  typical: 'No size up to 1 GiB is recorded on the whole page: 37 kB each, the mean of a median page in the Web Almanac 2024',
} as const;
type Rule = keyof typeof RULES;

/** What HPACK leaves of headers' text: median of 44 responses of a browsertime HAR of 2017 over HTTP/2, body lengths taken off. */
const PACKED_SHARE = 0.15;
/** Where no response states its headers: between the medians of three HARs of 2015 to 2017, 428, 432 and 650 bytes. */
const TYPICAL_HEADERS = 500;
/** What compression leaves: medians of two HARs of 2017 that state it, 0.30 of 7 responses and 0.36 of 22. */
const TYPICAL_COMPRESSION = 0.3;
/** 2,652 kB over 71 requests: median desktop page of https://almanac.httparchive.org/en/2024/page-weight. */
const TYPICAL_BYTES = 37_000;

interface Sized {
  readonly bytes: number | undefined;
  readonly rule: Rule | 'stated';
}

export function inferSizes({ requests, document }: PlacedLoad): InferredSizes {
  const typical = typicalOf(requests);
  const sized = requests.map((request, index) =>
    index === document && request.observed.fromCache
      ? { bytes: headersOf(request, typical).bytes, rule: 'cached-document' as const }
      : sizeOf(request, typical),
  );
  const fill = fillFrom(requests, sized);
  const filled = sized.map((each, index) => (each.bytes === undefined ? fill(requests[index]) : each));
  return {
    bytes: filled.map(({ bytes }) => Math.max(1, Math.round(bytes ?? TYPICAL_BYTES))),
    stated: filled.map(({ rule }) => rule === 'stated' || rule === 'headers'),
    inferred: tally<Rule>(
      'sizes',
      filled.map(({ rule }) => rule),
      RULES,
    ),
  };
}

/** What the page's other responses say. */
interface Typical {
  readonly headers: number;
  readonly compression: number;
}

function typicalOf(requests: readonly PlacedRequest[]): Typical {
  const sizes = requests.map(({ observed }) => observed.size);
  const shares = sizes.flatMap(({ body, content, compressed }) =>
    compressed === true && body !== undefined && content !== undefined && body > 0 && body <= content ? [body / content] : [],
  );
  return {
    headers: median(sizes.flatMap(({ headers }) => headers ?? [])) ?? TYPICAL_HEADERS,
    compression: median(shares) ?? TYPICAL_COMPRESSION,
  };
}

function headersOf({ observed }: PlacedRequest, typical: Typical): { bytes: number; rule: 'stated' | 'headers' } {
  const { headers, headersText } = observed.size;
  if (headers !== undefined) return { bytes: headers, rule: 'stated' };
  const packed = observed.secure && observed.httpVersion !== 'http/1.1' && observed.httpVersion !== 'http/1.0';
  return { bytes: headersText === undefined ? typical.headers : headersText * (packed ? PACKED_SHARE : 1), rule: 'headers' };
}

function sizeOf(request: PlacedRequest, typical: Typical): Sized {
  const { observed } = request;
  if (observed.size.total !== undefined) return { bytes: observed.size.total, rule: 'stated' };
  const body = bodyOf(observed.size, typical);
  const headers = headersOf(request, typical);
  if (body !== undefined) return { bytes: body.bytes + headers.bytes, rule: body.rule === 'stated' ? headers.rule : body.rule };
  return observed.outcome === 'redirected' ? { bytes: headers.bytes, rule: 'redirect' } : { bytes: undefined, rule: 'class-median' };
}

function bodyOf({ body, content, compressed }: ObservedSize, typical: Typical): { bytes: number; rule: Rule | 'stated' } | undefined {
  if (body !== undefined) return { bytes: body, rule: 'stated' };
  if (content === undefined) return undefined;
  if (content === 0) return { bytes: 0, rule: 'stated' };
  return compressed === true ? { bytes: content * typical.compression, rule: 'compressed' } : { bytes: content, rule: 'contents' };
}

/** The median of the class, else of all that are known, else a typical size. */
function fillFrom(requests: readonly PlacedRequest[], sized: readonly Sized[]): (request: PlacedRequest | undefined) => Sized {
  const known = requests.flatMap(({ observed }, index) => {
    const bytes = observed.outcome === 'redirected' ? undefined : sized[index]?.bytes;
    return bytes === undefined ? [] : [{ class: observed.class, bytes }];
  });
  const all = median(known.map(({ bytes }) => bytes));
  const classes = new Set(known.map((each) => each.class));
  const medians = new Map([...classes].map((each) => [each, median(known.filter((one) => one.class === each).map(({ bytes }) => bytes))]));
  return (request) => {
    const bytes = (request && medians.get(request.observed.class)) ?? all;
    return bytes === undefined ? { bytes: TYPICAL_BYTES, rule: 'typical' } : { bytes, rule: 'class-median' };
  };
}
