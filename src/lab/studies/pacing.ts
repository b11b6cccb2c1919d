/**
 * What Firefox's own pacing of requests costs, and whether more connections help only without it. With more than `min-parallelism` (6) connections
 * active, requests take turns: 10 at once, then 80 a second, over all servers together. Betterfox switched that off from 116 to 130 and says
 * nothing of it since; its repository holds no measurement.
 *
 * Plain HTTP/1.1 and the same over TLS, near and far, on pages of 12, 6 and 2 servers: pacing counts the connections of all of them.
 */
import { PACING_BURST, PACING_ENABLED, PER_SERVER } from '../../core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT, SHIPPED_ID } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { sendingWith } from '../link/link-spec.ts';
import { news } from '../pages/news.ts';
import { gallery } from '../pages/pages.ts';
import { shop } from '../pages/shop.ts';
import { pacingFindings } from './pacing/analysis.ts';
import type { Study, StudyPage } from './study.ts';

/** Requests start at once, over as many connections as Firefox ships or as many as given. */
const unpaced = (connections?: number): Profile => ({
  id: connections === undefined ? 'pacing-off' : `c${connections}-pacing-off`,
  title: `Requests are not paced${connections === undefined ? '' : `, ${connections} connections per server`}`,
  connections,
  depth: 1,
  preferences: { ...(connections !== undefined && { [PER_SERVER]: connections }), [PACING_ENABLED]: false },
});

/** Four times the requests that Firefox lets go at once. Chosen: news then waits for few of its 110. */
const BURST = 40;
const longerBurst: Profile = {
  id: `burst-${BURST}`,
  title: `${BURST} requests at once before pacing begins`,
  connections: undefined,
  depth: 1,
  preferences: { [PACING_BURST]: BURST },
};

/** Chosen figures, near to far; the last is that of the study read-size. */
const LINKS: readonly LinkSpec[] = [
  { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 },
  { name: 'mid-10m', rttMs: 100, downKbps: 10_000, upKbps: 2000, queue: 1000 },
  { name: 'far-5m', rttMs: 200, downKbps: 5000, upKbps: 1000, queue: 1000 },
];
const FAR = 'far-5m';

/** What prompted the study: a smaller run, of which these figures are left. */
const FIRST_RUN = ', news and shop by plain HTTP/1.1 over 20 and 100 ms: efficiency';
const WHERE = 'a first run of our own with CUBIC';

const pages: readonly StudyPage[] = (['embedded', 'https'] as const).flatMap((servedBy) =>
  [news, shop, gallery].map((recipe) => ({
    name: `${servedBy === 'https' ? 'h1' : 'plain'}-${recipe.name}`,
    recipe,
    servedBy,
    connections: 'cold' as const,
  })),
);

export const pacing: Study = {
  id: 'pacing',
  question: "Is Firefox slower for pacing its requests over HTTP/1.1, and do more connections help once it doesn't?",
  source:
    'Our own; network.http.pacing.requests.enabled=false stood in Betterfox 116 to 130 (https://github.com/yokoffing/Betterfox) and is gone from 152',
  pages,
  links: sendingWith('cubic', LINKS),
  profiles: [
    FIREFOX_DEFAULT,
    ...resolveProfiles([SHIPPED_ID]),
    unpaced(),
    longerBurst,
    ...resolveProfiles(['c10-d1', 'c16-d1']),
    unpaced(10),
    unpaced(16),
  ],
  baseline: FIREFOX_DEFAULT.id,
  repeats: 5,
  without: ({ servedBy }, { name }) => servedBy === 'https' && name === FAR,
  timeoutS: 60,
  tookMinutes: 40,
  cut: { pages: ['plain-gallery', 'plain-shop'], links: ['near-20m'], profiles: ['pacing-off', 'c16-pacing-off'], repeats: 2 },
  original: {
    'pacing-off': { what: `pacing off${FIRST_RUN}`, original: '+16 % (+3 % to +30 %; 20 pairs)', where: WHERE },
    'c16-d1': { what: `16 connections${FIRST_RUN}`, original: '−1 % (−11 % to +11 %; 20 pairs)', where: WHERE },
    'c16-pacing-off': { what: `both${FIRST_RUN}`, original: '+18 % (+2 % to +37 %; 20 pairs)', where: WHERE },
  },
  findings: pacingFindings,
};
