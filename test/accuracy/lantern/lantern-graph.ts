/** A page as Lantern takes it: the same requests, sizes, servers and order as in ours. What Lantern has no notion of is left out. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import {
  type ContentClass,
  DEFAULT_ORIGIN,
  type Discovery,
  discoveriesOf,
  type PageGraph,
  type PageRequest,
} from '../../../src/core/graph/page-graph.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import type { Lantern, LanternNode, LanternRequest } from './lantern.ts';

export interface LanternPage {
  readonly root: LanternNode;
  /** By origin, as Lighthouse estimates it: one figure per server, the median of its requests. ms. */
  readonly serverResponseTimeByOrigin: ReadonlyMap<string, number>;
}

/** Lantern takes 0 for "not known", which to it is 30 ms. */
const NO_SERVER_TIME_MS = 1e-6;
/** Between requests asked for together, so that they keep the order of the page; far below the 250 ms that priorities differ by. */
const APART_MS = 1e-3;

/** What Chrome gives each kind, from which Lantern takes the order of waiting requests (chrome "Resource Fetch Prioritization"). */
const KINDS: Readonly<Record<ContentClass, Pick<LanternRequest, 'resourceType' | 'priority'>>> = {
  document: { resourceType: 'Document', priority: 'VeryHigh' },
  stylesheet: { resourceType: 'Stylesheet', priority: 'VeryHigh' },
  script: { resourceType: 'Script', priority: 'High' },
  font: { resourceType: 'Font', priority: 'High' },
  fetch: { resourceType: 'Fetch', priority: 'High' },
  image: { resourceType: 'Image', priority: 'Low' },
  media: { resourceType: 'Media', priority: 'Low' },
  other: { resourceType: 'Other', priority: 'Low' },
};

/**
 * A request waits for the whole of what it comes after: Lantern knows no part of a response. A delay is a task of the processor, one for all
 * requests that wait equally long for the same; Lantern does one task at a time.
 * @throws PlumbfoxError bad-input for a page on which not everything comes after the first request: Lantern has one root.
 */
export function lanternGraph(lantern: Lantern, page: PageGraph): LanternPage {
  const nodes = new Map(page.requests.map((request, index) => [request.id, new lantern.Graph.NetworkNode(lanternRequest(request, index))]));
  const tasks = new Tasks(lantern, nodes);
  for (const [index, request] of page.requests.entries()) {
    const { id } = request;
    const discoveries = discoveriesOf(request);
    if (index > 0 && discoveries.length === 0) {
      throw new PlumbfoxError('bad-input', `Lantern needs one request that all others come after; "${id}" comes after none`);
    }
    for (const parent of tasks.parentsOf(discoveries)) nodes.get(id)?.addDependency(parent);
  }
  return { root: nodeOf(nodes, page.requests[0]?.id ?? ''), serverResponseTimeByOrigin: serverTimes(page.requests) };
}

/** What the page's own work puts between responses and the requests that they lead to. */
class Tasks {
  readonly #lantern: Lantern;
  readonly #nodes: ReadonlyMap<string, LanternNode>;
  readonly #tasks = new Map<string, LanternNode>();

  constructor(lantern: Lantern, nodes: ReadonlyMap<string, LanternNode>) {
    this.#lantern = lantern;
    this.#nodes = nodes;
  }

  /** The responses themselves where nothing delays the request, else one task after them. */
  parentsOf(discoveries: readonly Discovery[]): readonly LanternNode[] {
    const responses = discoveries.map(({ id }) => nodeOf(this.#nodes, id));
    const delayMs = Math.max(0, ...discoveries.map((discovery) => discovery.delayMs ?? 0));
    return delayMs === 0 ? responses : [this.#task(`${delayMs} ${discoveries.map(({ id }) => id).join(' ')}`, { responses, delayMs })];
  }

  #task(key: string, { responses, delayMs }: { readonly responses: readonly LanternNode[]; readonly delayMs: number }): LanternNode {
    const known = this.#tasks.get(key);
    if (known !== undefined) return known;
    // Lantern names a task for its thread and time, and starts waiting tasks in the order of their times.
    const number = this.#tasks.size + 1;
    const task = new this.#lantern.Graph.CPUNode({ tid: number, ts: number, dur: delayMs * 1000 });
    for (const response of responses) task.addDependency(response);
    this.#tasks.set(key, task);
    return task;
  }
}

/** Only the first request of a server looks as if it had needed a connection: else Lantern would open more than its 6. */
function lanternRequest(request: PageRequest, index: number): LanternRequest {
  const host = request.origin ?? DEFAULT_ORIGIN;
  return {
    requestId: request.id,
    url: `http://${host}/${request.id}`,
    protocol: 'http/1.1',
    parsedURL: { scheme: 'http', host, securityOrigin: securityOrigin(request) },
    rendererStartTime: index * APART_MS,
    networkRequestTime: index,
    networkEndTime: index,
    transferSize: request.bytes,
    ...KINDS[request.class ?? 'other'],
    fromDiskCache: false,
  };
}

const securityOrigin = (request: PageRequest): string => `http://${request.origin ?? DEFAULT_ORIGIN}`;

function serverTimes(requests: readonly PageRequest[]): ReadonlyMap<string, number> {
  const byOrigin = new Map<string, number[]>();
  for (const request of requests) {
    const times = byOrigin.get(securityOrigin(request)) ?? [];
    byOrigin.set(securityOrigin(request), [...times, request.serverMs ?? 0]);
  }
  return new Map([...byOrigin].map(([origin, times]) => [origin, Math.max(median(times) ?? 0, NO_SERVER_TIME_MS)]));
}

function nodeOf(nodes: ReadonlyMap<string, LanternNode>, id: string): LanternNode {
  const node = nodes.get(id);
  if (node === undefined) throw new PlumbfoxError('bad-input', `There is no request "${id}" on the page`);
  return node;
}
