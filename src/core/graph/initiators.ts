/** Finds the initiator of each request of a load that no redirect led to. Requests are passed in their order, each after its own look-up. */
import { groupBy } from '../group-by.ts';
import type { ContentClass } from './page-graph.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';

/** A request this soon after fetched data is taken to depend on them, ms. Some turns of the event loop and a parse of JSON. */
const SOON_MS = 50;

/** Classes that can initiate requests, or let the document go on and do so. */
const LOADERS: ReadonlySet<ContentClass> = new Set(['script', 'stylesheet', 'document']);
/** Classes that a style sheet can request. */
const OF_STYLESHEETS: ReadonlySet<ContentClass> = new Set(['stylesheet', 'font', 'image', 'other']);

/** Finds the responses that initiated a request, as far as the record shows. */
export class InitiatorFinder {
  readonly #load: PlacedLoad;
  readonly #bytes: readonly number[];
  readonly #loaders: FinishedBefore;
  readonly #data: FinishedBefore;
  readonly #sheets: FinishedBefore;
  readonly #sheetsByOrigin: ReadonlyMap<string, FinishedBefore>;
  readonly #latestByUrl = new Map<string, number>();
  readonly #latestFrameByOrigin = new Map<string, number>();

  constructor(load: PlacedLoad, bytes: readonly number[]) {
    const { requests, document } = load;
    const positions = requests.map((_, position) => position);
    const answered = positions.filter((position) => position !== document && requests[position]?.observed.outcome === 'answered');
    const finished = (counts: (contentClass: ContentClass) => boolean) =>
      new FinishedBefore(
        requests,
        answered.filter((position) => counts(requests[position]?.observed.class ?? 'other')),
      );
    const sheets = answered.filter((position) => requests[position]?.observed.class === 'stylesheet');
    this.#load = load;
    this.#bytes = bytes;
    this.#loaders = finished((each) => LOADERS.has(each));
    this.#data = finished((each) => each === 'fetch');
    this.#sheets = finished((each) => each === 'stylesheet');
    this.#sheetsByOrigin = new Map(
      [...groupBy(sheets, (position) => requests[position]?.observed.origin ?? '')].map(
        ([origin, own]) => [origin, new FinishedBefore(requests, own)] as const,
      ),
    );
  }

  /** @param position not the first. */
  find(position: number): FoundDependencies {
    const request = this.#at(position);
    if (position <= this.#load.document) {
      return { rule: 'before-redirect', dependencies: [whole(0, request.startMs - (this.#at(0).endMs ?? request.startMs))] };
    }
    return (
      this.#byInitiator(request, position) ??
      this.#byStylesheet(request, position) ??
      this.#byFrame(request) ??
      this.#byDocument(request, position)
    );
  }

  pass({ observed }: PlacedRequest, position: number): void {
    if (observed.outcome !== 'answered') return;
    this.#latestByUrl.set(observed.url, position);
    if (observed.class === 'document' && position !== this.#load.document) this.#latestFrameByOrigin.set(observed.origin, position);
  }

  #at(position: number): PlacedRequest {
    return this.#load.requests[position] as PlacedRequest;
  }

  #isDocument(position: number): boolean {
    return position === this.#load.document || this.#at(position).observed.class === 'document';
  }

  /** Those named that had arrived, as far as they must have: of documents the latest, of others the last to be complete. */
  #byInitiator(request: PlacedRequest, position: number): FoundDependencies | undefined {
    const named = [...new Set(request.observed.initiators.named.flatMap((url) => this.#latestByUrl.get(url) ?? []))];
    const documents = named.filter((each) => this.#isDocument(each));
    const complete = named.filter((each) => !this.#isDocument(each) && isThere(this.#at(each), request.startMs));
    const [document, script] = [latestOf(documents, (each) => each), latestOf(complete, (each) => this.#at(each).endMs ?? 0)];
    const dependencies = [
      ...(document === undefined ? [] : [this.#partOf(document, request)]),
      ...(script === undefined ? [] : [this.#allOf(script, request)]),
    ];
    if (dependencies.length === 0) return undefined;
    const [soonest] = dependencies.toSorted((a, b) => a.delayMs - b.delayMs);
    const soon = this.#soonAfterData(request, position);
    if (soon !== undefined && soonest !== undefined && soon.delayMs < soonest.delayMs && soonest.bytes === undefined) {
      return { rule: 'after-data', dependencies: [soon, { ...soonest, delayMs: 0 }] };
    }
    return { rule: 'initiator', dependencies: bindingFirst(dependencies) };
  }

  #byStylesheet(request: PlacedRequest, position: number): FoundDependencies | undefined {
    const { referer, fromStylesheet } = request.observed.initiators;
    const named = referer === undefined ? undefined : this.#latestByUrl.get(referer);
    if (named !== undefined && this.#at(named).observed.class === 'stylesheet') {
      return { rule: 'stylesheet', dependencies: this.#laidOutAfter(this.#allOf(named, request), { request, position }) };
    }
    const origin = fromStylesheet === true ? undefined : foreignOrigin(request, this.#at(this.#load.document));
    if (fromStylesheet !== true && (origin === undefined || !OF_STYLESHEETS.has(request.observed.class))) return undefined;
    const sheets = origin === undefined ? this.#sheets : this.#sheetsByOrigin.get(origin);
    const sheet = sheets?.latest(request.startMs, position);
    return sheet && { rule: 'stylesheet', dependencies: this.#laidOutAfter(after(sheet, request), { request, position }) };
  }

  /** What a sheet names is requested when something is laid out that needs it, which scripts and other sheets hold up. */
  #laidOutAfter(sheet: Dependency, { request, position }: { request: PlacedRequest; position: number }): readonly Dependency[] {
    const loader = this.#loaders.latest(request.startMs, position);
    const binding = loader && after(loader, request);
    return binding === undefined || binding.position === sheet.position || binding.delayMs >= sheet.delayMs
      ? [sheet]
      : [binding, { ...sheet, delayMs: 0 }];
  }

  #byFrame(request: PlacedRequest): FoundDependencies | undefined {
    const { referer } = request.observed.initiators;
    const origin = foreignOrigin(request, this.#at(this.#load.document));
    const named = referer === undefined ? undefined : this.#latestByUrl.get(referer);
    const frame = named !== undefined && named !== this.#load.document && this.#isDocument(named) ? named : undefined;
    const found = frame ?? (origin === undefined ? undefined : this.#latestFrameByOrigin.get(origin));
    if (found === undefined || request.startMs > (this.#at(found).endMs ?? request.startMs)) return undefined;
    return { rule: 'frame', dependencies: [this.#partOf(found, request)] };
  }

  #byDocument(request: PlacedRequest, position: number): FoundDependencies {
    const { document } = this.#load;
    const { startMs, firstByteMs, endMs } = this.#at(document);
    if (request.startMs < (firstByteMs ?? startMs))
      return { rule: 'before-document', dependencies: [{ position: document, bytes: 0, delayMs: 0 }] };
    const complete = endMs ?? firstByteMs ?? startMs;
    if (request.startMs <= complete) return { rule: 'in-document', dependencies: [this.#partOf(document, request)] };
    const loader = this.#loaders.latest(request.startMs, position);
    const soon = this.#soonAfterData(request, position);
    if (soon !== undefined && soon.endMs > (loader?.endMs ?? complete)) return { rule: 'after-data', dependencies: [after(soon, request)] };
    if (loader !== undefined && loader.endMs > complete) return { rule: 'after-loader', dependencies: [after(loader, request)] };
    return { rule: 'after-document', dependencies: [whole(document, endMs === undefined ? 0 : request.startMs - endMs)] };
  }

  #soonAfterData(request: PlacedRequest, position: number): (Finished & Dependency) | undefined {
    const data = this.#data.latest(request.startMs, position);
    return data === undefined || request.startMs - data.endMs > SOON_MS ? undefined : { ...data, ...after(data, request) };
  }

  #allOf(position: number, request: PlacedRequest): Dependency {
    return whole(position, request.startMs - (this.#at(position).endMs ?? request.startMs));
  }

  /** The bytes that had arrived, spread evenly from the first to the last; all of them and a delay where it was complete. */
  #partOf(position: number, request: PlacedRequest): Dependency {
    const { startMs, firstByteMs = startMs, endMs } = this.#at(position);
    if (endMs === undefined || request.startMs >= endMs) return this.#allOf(position, request);
    const share = request.startMs <= firstByteMs ? 0 : (request.startMs - firstByteMs) / (endMs - firstByteMs);
    return { position, bytes: Math.floor(share * (this.#bytes[position] ?? 0)), delayMs: 0 };
  }
}

const after = ({ position, endMs }: Finished, request: PlacedRequest): Dependency => whole(position, request.startMs - endMs);

/** A response of unknown end may have been complete. */
const isThere = (initiator: PlacedRequest, startMs: number): boolean => (effectiveMs(initiator) ?? startMs) <= startMs;

function latestOf(positions: readonly number[], when: (position: number) => number): number | undefined {
  return positions.toSorted((a, b) => when(b) - when(a) || b - a)[0];
}

/** All must hold; only the one that held last shows how long the processor took. */
function bindingFirst(dependencies: readonly Dependency[]): readonly Dependency[] {
  const [binding, ...others] = dependencies.toSorted((a, b) => a.delayMs - b.delayMs);
  return binding === undefined ? [] : [binding, ...others.map((each) => ({ ...each, delayMs: 0 }))];
}

/** The origin of a Referer that was cut to the server's name (`strict-origin-when-cross-origin`), unless it is the document's. */
function foreignOrigin({ observed }: PlacedRequest, document: PlacedRequest): string | undefined {
  const { referer } = observed.initiators;
  if (referer === undefined || !referer.endsWith('/')) return undefined;
  const origin = referer.slice(0, -1);
  return origin !== document.observed.origin && origin.indexOf('/', 'https://'.length) < 0 ? origin : undefined;
}

/** HARs cut `startedDateTime` to whole ms and give durations in fractions: what ended within this much later may have been first. */
const CLOCK_STEP_MS = 1;

/** When a response can have had an effect at the earliest, given the clock's step; never before it was requested. */
const effectiveMs = ({ startMs, endMs }: PlacedRequest): number | undefined =>
  endMs === undefined ? undefined : Math.max(startMs, endMs - CLOCK_STEP_MS);

/** `position`: of the request in the order of their start. `endMs`: as recorded, not rounded by the clock's step. */
interface Finished {
  readonly position: number;
  readonly endMs: number;
}

/**
 * The latest of some responses to be complete when the request at a position was sent. Built once; a question takes the logarithm of
 * their number.
 */
export class FinishedBefore {
  readonly #byEffect: readonly (Finished & { readonly effectMs: number })[];

  /** @param positions of those that count. */
  constructor(requests: readonly PlacedRequest[], positions: readonly number[]) {
    this.#byEffect = positions
      .flatMap((position) => {
        const request = requests[position];
        const effectMs = request && effectiveMs(request);
        return request?.endMs === undefined || effectMs === undefined ? [] : [{ position, endMs: request.endMs, effectMs }];
      })
      .sort((a, b) => a.effectMs - b.effectMs || a.position - b.position);
  }

  /**
   * Always an earlier position: requests are in order of their start, and an effect at the same moment counts only of an earlier one.
   * `undefined`: none was complete.
   */
  latest(startMs: number, position: number): Finished | undefined {
    let [low, high] = [0, this.#byEffect.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const candidate = this.#byEffect[middle];
      const before =
        candidate !== undefined && (candidate.effectMs < startMs || (candidate.effectMs === startMs && candidate.position < position));
      if (before) low = middle + 1;
      else high = middle;
    }
    return this.#byEffect[low - 1];
  }
}

/** A dependency on the response to an earlier request, by its position: on its first `bytes`, or on all of it. */
export interface Dependency {
  readonly position: number;
  readonly bytes?: number;
  readonly delayMs: number;
}

/** The rules in plain words, as a prediction shows them. */
export const DISCOVERY_RULES = {
  initiator: "Asked for after what the record names as its initiator; the time in between is the processor's",
  stylesheet:
    "Asked for after the style sheet that its Referer or initiator type points to, and after the latest script or style sheet that was complete by then; the time since is the processor's",
  frame: 'Asked for by the frame that its Referer names: after as much of the frame as had arrived when it began',
  'in-document': 'Asked for by the document: after as much of it as had arrived when the request began',
  'before-document': "Began before the document's first byte: asked for with that byte",
  'after-document': "Began after the document was complete and before any script or style sheet was: the time since is the processor's",
  'after-loader':
    "Began after the document was complete: asked for after the latest script, style sheet or frame that was complete by then; the time since is the processor's",
  'after-data': "Began within 50 ms after data that a script had fetched: asked for after them; the time since is the processor's",
  queue:
    "Took over a connection at once while all of its server's were busy, and how long it had waited is not recorded: asked for when the one before it on that connection was",
  'before-redirect': 'Began while the document was being redirected: asked for after the first redirect',
} as const;
export type DiscoveryRule = keyof typeof DISCOVERY_RULES;

export interface FoundDependencies {
  readonly rule: DiscoveryRule | 'redirect' | 'root';
  /** Empty for the first request only. */
  readonly dependencies: readonly Dependency[];
}

/** A dependency on all of a response; a negative delay is the clock's step. */
export const whole = (position: number, delayMs: number): Dependency => ({ position, delayMs: Math.max(0, delayMs) });
