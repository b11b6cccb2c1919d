/** Puts a record in order: what counts, when it began after the document was asked for, and what is left out. */
import { PlumbfoxError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { beganBeforeQuiet, LONGEST_LOAD_MS, QUIET_MS } from '../measure/load-window.ts';
import { type FoundDocument, findDocument, type StartedRequest } from './find-document.ts';
import type { Inference } from './inference.ts';
import type { ObservedLoad, ObservedRequest } from './observed-load.ts';
import { inferenceOf, tally } from './tally.ts';

/** Times are ms after the first request that led to the document; never negative. */
export interface PlacedRequest {
  readonly observed: ObservedRequest;
  readonly startMs: number;
  readonly firstByteMs?: number;
  /** Absent: unknown. */
  readonly endMs?: number;
}

export interface PlacedLoad {
  /** By start; the first is the document, or the first of the redirects to it. */
  readonly requests: readonly PlacedRequest[];
  /** Position of the document. */
  readonly document: number;
  readonly inferred: readonly Inference[];
}

const LEFT_OUT = {
  failed: 'Requests without an answer are left out: they were aborted, blocked or refused',
  unfinished: 'Requests that were still open when the record ended are left out: their size is unknown',
  cached: 'What the browser answered by itself is left out, from its cache or with a redirect of its own: it cost nothing on the network',
  before: 'Requests from before the document was asked for are left out: they belong to what was there before',
  late: 'Requests that began after the network had been quiet for 2 s after the load event, or after 60 s, are left out',
  'late-without-event':
    'The load event is not recorded: requests that began after the network had been quiet for 2 s after the document, or after 60 s, are left out',
} as const;
type LeftOut = keyof typeof LEFT_OUT;

/** @throws PlumbfoxError `bad-input`: nothing of the record is left. */
export function placeLoad(load: ObservedLoad): PlacedLoad {
  const started = startsOf(load.requests);
  const [first, ...others] = started.requests;
  if (first === undefined) throw new PlumbfoxError('bad-input', nothingLeft(load));
  const found = findDocument([first, ...others], load.document === undefined ? undefined : load.requests[load.document]);
  const groups = groupBy(started.requests, (request) => whyLeftOut(request, found));
  const counted = [found.root, ...(groups.get('counts') ?? [])].map((request) => place(request, found.root.startMs));
  const kept = withinWindow(counted, { loadEventMs: loadEventOf(load, found), quietMs: load.quietMs ?? QUIET_MS });
  const late = load.loadEventMs === undefined && load.wholeWithoutEvent !== true ? 'late-without-event' : 'late';
  const leftOut: readonly LeftOut[] = [
    ...load.requests.flatMap(({ outcome }) => (outcome === 'failed' || outcome === 'unfinished' ? [outcome] : [])),
    ...(groups.get('cached') ?? []).map(() => 'cached' as const),
    ...(groups.get('before') ?? []).map(() => 'before' as const),
    ...counted.slice(kept.length).map(() => late),
  ];
  return {
    requests: kept,
    document: kept.findIndex(({ observed }) => observed === found.document.observed),
    inferred: [
      ...tally('left-out', leftOut, LEFT_OUT),
      ...inferenceOf('discovery', found.standIn ? 1 : 0, 'No request looks like the document; the first stands in for it'),
      ...inferenceOf('discovery', started.guessed, 'When they were asked for is not recorded: taken to be when the one before them was'),
    ],
  };
}

/** Those that were answered, by their start. One whose start is unknown is taken to have begun with the one before it in the record. */
function startsOf(requests: readonly ObservedRequest[]): { requests: readonly StartedRequest[]; guessed: number } {
  const answered = requests.filter(({ outcome }) => outcome === 'answered' || outcome === 'redirected');
  let before = answered.find(({ timing }) => timing.startMs !== undefined)?.timing.startMs ?? 0;
  const started = answered.map((observed) => {
    before = observed.timing.startMs ?? before;
    return { observed, startMs: before };
  });
  const guessed = answered.filter(({ timing }) => timing.startMs === undefined).length;
  return { requests: started.sort((a, b) => a.startMs - b.startMs), guessed };
}

function whyLeftOut(request: StartedRequest, { document, root }: FoundDocument): 'root' | 'counts' | 'cached' | 'before' {
  if (request === root) return 'root';
  if (request === document) return 'counts';
  if (request.observed.fromCache) return 'cached';
  return request.startMs < root.startMs ? 'before' : 'counts';
}

/** ms after the first request, and never before the document was complete; `undefined`: everything belongs to the load. */
function loadEventOf(load: ObservedLoad, { document, root }: FoundDocument): number | undefined {
  if (load.loadEventMs === undefined && load.wholeWithoutEvent === true) return undefined;
  const complete = Math.max(document.startMs, document.observed.timing.endMs ?? document.startMs);
  return Math.max(complete, load.loadEventMs ?? complete) - root.startMs;
}

interface WindowOptions {
  /** As `loadEventOf` has it. */
  readonly loadEventMs: number | undefined;
  readonly quietMs: number;
}

/** Those that belong to the load, by the rule of `load-window.ts`. The document comes first; what has no known end counts as if it had ended at once. */
function withinWindow(placed: readonly PlacedRequest[], { loadEventMs, quietMs }: WindowOptions): readonly PlacedRequest[] {
  const timings = placed.map(({ startMs, endMs }) => ({ fetchStart: startMs, responseEnd: endMs ?? startMs }));
  const began = beganBeforeQuiet({ loadEventEnd: loadEventMs, quietMs, timings });
  return placed.filter(({ startMs }, index) => (index === 0 || began(startMs)) && startMs <= LONGEST_LOAD_MS);
}

/** What ends before it begins is a fault of the record's clock: it ends when it begins. */
function place({ observed, startMs }: StartedRequest, rootMs: number): PlacedRequest {
  const { firstByteMs, endMs } = observed.timing;
  const first = firstByteMs === undefined ? undefined : Math.max(startMs, firstByteMs);
  const end = endMs === undefined ? undefined : Math.max(first ?? startMs, endMs);
  return {
    observed,
    startMs: startMs - rootMs,
    ...(first !== undefined && { firstByteMs: first - rootMs }),
    ...(end !== undefined && { endMs: end - rootMs }),
  };
}

function nothingLeft(load: ObservedLoad): string {
  const recorded = load.inferred.reduce((sum, { field, requests }) => sum + (field === 'left-out' ? requests : 0), load.requests.length);
  return `None of the ${recorded} recorded requests was answered over http or https, so there is no page to simulate; record the load again`;
}
