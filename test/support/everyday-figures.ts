/** Figures of everyday loads by the hundred thousand, drawn from a seed: few pages often and many seldom, two networks by turns, four profiles. */
import type { LoadSummary } from '../../src/core/field/load-summary.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { bytes, milliseconds } from '../../src/core/units.ts';

const PROFILES = ['firefox-default', 'c4-d6', 'c6-d4', 'c2-d1'] as const;
const NETWORKS = [
  { rttMs: 30, downKbps: 20_000 },
  { rttMs: 80, downKbps: 4_000 },
] as const;
/** Of a page's requests: on most pages several servers have several. */
const PROTOCOLS = ['mixed', 'http/2', 'mixed', 'http/3', 'http/1.1'] as const;
const PAGES = 3_000;
const PAGES_PER_SITE = 10;
/** A load every 4 minutes, 5 hours a day on each network. */
const EVERY_MS = 4 * 60_000;
const LOADS_ON_ONE_NETWORK = 75;

export function everydayFigures(count: number, seed: number): readonly LoadSummary[] {
  const random = seededRandom(seed);
  const pages = Array.from({ length: PAGES }, () => ({
    size: Math.exp(13 + normal(random)),
    far: Math.exp(0.4 * Math.abs(normal(random))),
  }));
  return Array.from({ length: count }, (_, at) => everydayLoad(at, { random, pages }));
}

interface Page {
  readonly size: number;
  readonly far: number;
}

function everydayLoad(at: number, { random, pages }: { readonly random: Random; readonly pages: readonly Page[] }): LoadSummary {
  const number = Math.floor(PAGES * random.next() ** 3);
  const { size, far } = pages[number] ?? { size: 1e6, far: 1 };
  const network = NETWORKS[Math.floor(at / LOADS_ON_ONE_NETWORK) % NETWORKS.length] ?? NETWORKS[0];
  const profileId = PROFILES[random.integer(PROFILES.length)] ?? PROFILES[0];
  const rttMs = network.rttMs * far * Math.exp(0.2 * normal(random));
  const ideal = rttMs + (size * 8) / network.downKbps;
  const share = 0.35 * Math.exp(0.25 * normal(random)) * (profileId === 'c4-d6' ? 1.1 : 1);
  return {
    startedAt: 1_700_000_000_000 + at * EVERY_MS,
    page: number,
    site: Math.floor(number / PAGES_PER_SITE),
    ...(random.next() < 0.03 ? { standing: 'cut-short', cutShort: number % 4 === 0 ? 'time-limit' : 'page-left' } : { standing: 'whole' }),
    protocol: PROTOCOLS[number % PROTOCOLS.length],
    profileId,
    carrier: profileId === 'c4-d6' ? 'gateway' : 'none',
    loadTimeMs: milliseconds(ideal / Math.min(0.95, share)),
    bytes: bytes(Math.round(size)),
    ...(random.next() < 0.9 && { rttMs, rttLowMs: rttMs * 0.9 }),
    ...(random.next() < 0.6 && { downKbps: network.downKbps * Math.exp(0.4 * normal(random) - 0.4) }),
  };
}

/** Sum of 12 uniforms less 6. */
function normal(random: Random): number {
  let sum = -6;
  for (let at = 0; at < 12; at++) sum += random.next();
  return sum;
}
