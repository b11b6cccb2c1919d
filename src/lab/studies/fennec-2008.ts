/**
 * The study behind Fennec's default of 4 connections with depth 6 (P. McManus, "Performance Observations of Fennec Development on Mobile
 * Networks", 31 July 2008; bug 448805): 7 pages x 8 mobile networks x 18 profiles = 1,008 loads, here in a real Firefox over emulated links,
 * and by simulation of the browser of then. Its pages, networks and formula are not public; pages and networks here are our own reading:
 * see `PAGES_2008` for what the pages weigh, `LINKS_2008` for the networks.
 */

import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { sendingWith } from '../link/link-spec.ts';
import { LINKS_2008 } from '../link/links.ts';
import { PAGES_2008 } from '../pages/study-pages.ts';
import { fennec2008Findings } from './fennec-2008/analysis.ts';
import type { Study, StudyPage } from './study.ts';

/** RFC 3390 with segments of 1,460 bytes, segments; Linux then had the same. */
export const INITIAL_WINDOW_2008 = 3;

/** The lab's own server serves them, with plain HTTP/1.1, which is all there was. */
export const SERVED_2008: readonly StudyPage[] = PAGES_2008.map(
  (recipe): StudyPage => ({ name: recipe.name, recipe, servedBy: 'embedded', connections: 'cold' }),
);

const OWN = 'pages, networks and formula are our own: those of the memo are not public';
/**
 * "That parameter controls the total number of outstanding pipelined requests - it is two total, not two per connection in configurations where
 * more than one parallel connection is achieved" (section on parallelism); the gateway's depth is that of each connection to a server.
 */
const OTHER_DEPTH =
  "the memo's depth is of all connections together, ours of each: its {4,6} allows about 6 requests at once, our c4-d6 24";
const PARALLELISM = 'section on parallelism';

/** In a real Firefox; `simulated-studies.ts` has its simulation. */
export const fennec2008Study: Study = {
  id: 'fennec-2008',
  // Its question is of pipelining itself.
  gatewayVisit: 'known-site',
  question:
    'How many connections per server, of which pipeline depth, load pages of 2008 most efficiently over the mobile networks of 2008?',
  source: 'P. McManus, "Performance Observations of Fennec Development on Mobile Networks", 31 July 2008 (Mozilla bugs 437953 and 448805)',
  pages: SERVED_2008,
  links: sendingWith(
    'reno',
    LINKS_2008.map((link) => ({ ...link, initialWindow: INITIAL_WINDOW_2008 })),
  ),
  profiles: resolveProfiles(['fennec-18']),
  baseline: 'c1-d2',
  repeats: 1,
  /** Two and a half times what the slowest is predicted to take: the image page over 1xRTT, 48 s. */
  timeoutS: 120,
  tookMinutes: 27,
  cut: { pages: ['wiki-2008', 'docs-2008'], links: ['wimax-2008'], profiles: ['c1-d2', 'c4-d2'], repeats: 1 },
  original: {
    last: {
      what: 'c1-d2 is last',
      original: '48 of 56',
      where: PARALLELISM,
      why: 'the only configuration that is the same in both: two requests at once',
    },
    lastButOne: { what: 'c1-d2 is last but one', original: '5 of the other 8' },
    meanEfficiency: {
      what: 'mean efficiency of c1-d2 (arithmetic)',
      original: '.45',
      why: `${OWN}; efficiency here is ideal time over load time`,
    },
    spread: { what: 'best less worst of a scenario, arithmetic mean', original: '.26', why: OWN },
    bestOverDefault: {
      what: 'best of a scenario over c1-d2',
      original: '58 %',
      why: `${OWN}; the best is chosen after the fact, so some of it is luck`,
    },
    firsts: {
      what: 'most firsts',
      original: '{5,6} 9, {4,6} 8',
      why: `${OTHER_DEPTH}; the memo says of its own that "the individual efficiency metrics tend to be extremely close to each other"`,
    },
    topQuartile: {
      what: 'most top-quartile places',
      original: '{4,6} 30, {5,6} 27 of 224',
      why: `${OTHER_DEPTH}; the memo counts 4 places of 18, here the quartile is rounded up to 5; this is today's Firefox through a gateway: it orders requests otherwise, opens connections ahead of demand, and requests are appended to active connections, which Fennec never did (bug 447866)`,
    },
    connections: {
      what: 'connections that do best',
      original: '3 to 5; 3 need very deep pipelines, 4 moderate ones',
      why: `${OTHER_DEPTH}; what is deep there need not be deep here`,
    },
    rule: { what: "the memo's own rule by places: of those level in places the cheapest", original: '{4,6}', why: OTHER_DEPTH },
  },
  findings: fennec2008Findings,
};
