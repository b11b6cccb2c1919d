/** What the benchmark of the simulator simulates. */

import type { PageGraph } from '../../../src/core/graph/page-graph.ts';
import { type BrowserModel, FENNEC_2008, FIREFOX_TODAY } from '../../../src/core/simulate/browser-model.ts';
import type { SimulatedLink } from '../../../src/core/simulate/link.ts';
import type { LinkSpec } from '../../../src/lab/link/link-spec.ts';
import { LINKS_2008 } from '../../../src/lab/link/links.ts';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../src/lab/pages/recipe-graph.ts';
import { CORPUS_LINKS } from '../../accuracy/corpus/capture-plan.ts';

/** The pages of the lab that are like pages; `hold` is a probe. */
const PAGES = ['app', 'docs', 'gallery', 'images', 'news', 'shop', 'wiki'];

export interface Workload {
  readonly page: PageGraph;
  readonly link: SimulatedLink;
}

/** Every page over every link under every profile of a set. */
export interface Study {
  readonly what: string;
  readonly workloads: readonly Workload[];
  readonly profileSet: string;
  /** In the set. */
  readonly profiles: number;
  readonly model: Partial<BrowserModel>;
}

/** Servers of 2008 began with so many segments of 1,460 bytes (RFC 3390). */
const INITIAL_WINDOW_2008 = 3;

const PAGE_GRAPHS = PAGES.map((name) => recipeGraph(findPage(name)));

function everyPageOver(links: readonly LinkSpec[], more: Partial<SimulatedLink> = {}): readonly Workload[] {
  const simulated = links.map(({ rttMs, downKbps, upKbps, queue }) => ({ rttMs, downKbps, upKbps, queuePackets: queue, ...more }));
  return PAGE_GRAPHS.flatMap((page) => simulated.map((link) => ({ page, link })));
}

export const STUDIES: readonly Study[] = [
  {
    what: '7 pages, 8 mobile links of 2008, 18 profiles',
    workloads: everyPageOver(LINKS_2008, { initialWindow: INITIAL_WINDOW_2008 }),
    profileSet: 'fennec-18',
    profiles: 18,
    model: FENNEC_2008,
  },
  {
    what: '7 pages, 8 links of today, 18 profiles',
    workloads: everyPageOver(CORPUS_LINKS),
    profileSet: 'fennec-18',
    profiles: 18,
    model: FIREFOX_TODAY,
  },
];

/** DSL as it is sold; also a link of the lab. */
export const DSL: SimulatedLink = { rttMs: 50, downKbps: 10_000, upKbps: 1000 };

const SERVERS = 8;
/** Bytes of one response after the other, round and round: small pictures, as most requests of large pages are. Our own choice. */
const SIZES = [900, 2600, 4800, 7400, 11_000, 18_000];

/** A document that names `requests - 1` pictures on several servers. */
export function widePage(requests: number): PageGraph {
  const document = { id: 'document', bytes: 40_000, class: 'document', origin: 'server-0', serverMs: 20 } as const;
  const pictures = Array.from({ length: requests - 1 }, (_, index) => ({
    id: `picture-${index}`,
    bytes: SIZES[index % SIZES.length] ?? 0,
    class: 'image' as const,
    origin: `server-${index % SERVERS}`,
    serverMs: 5,
    after: { id: 'document', bytes: Math.round((40_000 * (index + 1)) / requests) },
  }));
  return { requests: [document, ...pictures] };
}

/** One response of so many full segments. */
export const longResponse = (packets: number): PageGraph => ({ requests: [{ id: 'object', bytes: 1460 * packets }] });
