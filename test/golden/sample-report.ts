/** A made-up run of the default shape: 2 pages x 2 links x 4 profiles and the control x 3 blocks, some loads void. */
import { blockOrder } from '../../src/core/compare/block-order.ts';
import type { LoadMeasures } from '../../src/core/measure/load-measures.ts';
import { seededRandom } from '../../src/core/random.ts';
import { buildReport } from '../../src/core/report/build-report.ts';
import type { MeasuredLoad, Report, ReportProfile } from '../../src/core/report/report.ts';
import { milliseconds, ratio } from '../../src/core/units.ts';

export const SAMPLE_PROFILES: readonly ReportProfile[] = [
  { id: 'firefox-default', title: 'Firefox as shipped', carrier: 'none', depth: 1, intended: {}, role: 'baseline' },
  profile('c1-d2', { connections: 1, depth: 2 }),
  profile('c4-d6', { connections: 4, depth: 6 }),
  profile('c8-d1', { connections: 8, depth: 1 }),
  { ...profile('c6-d1-gateway', { connections: 6, depth: 1 }), carrier: 'gateway', role: 'control' },
];

/** Efficiency by profile; the same on every page and link but for the link's factor. */
const EFFICIENCIES: Readonly<Record<string, number>> = {
  'firefox-default': 0.5,
  'c1-d2': 0.27,
  'c4-d6': 0.63,
  'c8-d1': 0.51,
  'c6-d1-gateway': 0.495,
};
const LINK_FACTORS: Readonly<Record<string, number>> = { slow: 0.9, dsl: 1.15 };
const IDEAL_MS: Readonly<Record<string, number>> = { wiki: 1600, images: 6400 };

export interface SampleOptions {
  readonly seed?: number;
  /** Efficiency of the gateway with c6-d1, in place of 0.495. */
  readonly controlEfficiency?: number;
  /** Efficiency of c8-d1, in place of 0.51. */
  readonly eightEfficiency?: number;
}

export function sampleReport({ seed = 11, controlEfficiency = 0.495, eightEfficiency = 0.51 }: SampleOptions = {}): Report {
  const random = seededRandom(seed);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const plan = blockOrder({
    profiles: SAMPLE_PROFILES.map(({ id }) => id),
    scenarios: ['wiki', 'images'].flatMap((page) => ['slow', 'dsl'].map((link) => ({ page, link }))),
    blocks: 3,
    seed,
  });
  const efficiencies = { ...EFFICIENCIES, 'c6-d1-gateway': controlEfficiency, 'c8-d1': eightEfficiency } as Readonly<
    Record<string, number>
  >;
  const loads = plan.map((planned): MeasuredLoad => {
    const base = efficiencies[planned.profileId] ?? 0.5;
    const efficiency = base * (LINK_FACTORS[planned.link] ?? 1) * Math.exp(0.02 * gaussian());
    const common = { ...planned, startedAt: 1_767_225_600_000 + planned.order * 12_000, readBack: [] };
    if (planned.order === 7) {
      return { ...common, validity: { state: 'void', reason: 'the origin counted 8 requests outstanding where at most 6 were intended' } };
    }
    return { ...common, validity: { state: 'valid' }, measures: measuresOf(efficiency, IDEAL_MS[planned.page] ?? 1000, planned.order) };
  });
  return buildReport({
    createdAt: '2026-01-01T00:20:00.000Z',
    provenance: {
      plumbfox: '0.1.0',
      firefox: { version: '153.7.0', buildId: '20260101000000', channel: 'esr' },
      os: 'Debian GNU/Linux 12, x86-64',
      node: '20.20.2',
      applier: 'experiment-api',
      seed,
      congestionControl: 'bbr',
      labPreferences: { 'network.http.rcwn.enabled': false, 'browser.cache.disk.enable': false },
      notes: ['Figures made up for this example.'],
    },
    links: [
      {
        name: 'slow',
        kind: 'packet',
        basis: 'configured',
        asked: { rttMs: 300, downKbps: 2000, upKbps: 384, queue: 100 },
        measured: { rttMs: 301.2, downKbps: 1988 },
      },
      { name: 'dsl', kind: 'relay', basis: 'configured', asked: { rttMs: 50, downKbps: 10_000 }, measured: { rttMs: 51, downKbps: 9_870 } },
    ],
    pages: [
      { name: 'wiki', requests: 45, origins: 2, bytes: 640_000 },
      { name: 'images', requests: 11, origins: 1, bytes: 1_502_000 },
    ],
    profiles: SAMPLE_PROFILES,
    loads,
    baseline: 'firefox-default',
  });
}

/** What is painted first does not depend on the profile; it varies by 2 % with the turn. */
function measuresOf(efficiency: number, idealTimeMs: number, order: number): LoadMeasures {
  return {
    loadTimeMs: milliseconds(idealTimeMs / efficiency),
    idealTimeMs: milliseconds(idealTimeMs),
    efficiency: ratio(efficiency),
    firstContentfulPaintMs: milliseconds(0.5 * idealTimeMs * (1 + ((7 * order) % 11) / 500)),
    peakOutstanding: 6,
    peakOutstandingByOrigin: { 'http://10.0.0.2:8080': 6 },
    requests: 45,
    failedRequests: 0,
    duplicateFetches: 0,
    httpVersions: { 'http/1.1': ratio(1) },
  };
}

function profile(id: string, { connections, depth }: { readonly connections: number; readonly depth: number }): ReportProfile {
  return {
    id,
    title: `${connections} connections, depth ${depth}`,
    carrier: depth > 1 ? 'gateway' : 'none',
    connections,
    depth,
    intended: { 'network.http.max-persistent-connections-per-server': connections },
    role: 'candidate',
  };
}
