/**
 * The study behind Fennec's default of 4 connections with depth 6 (P. McManus, "Performance Observations of Fennec Development on Mobile
 * Networks", 31 July 2008; bug 448805): 7 pages x 8 mobile networks x 18 profiles = 1,008 loads, here in a real Firefox over emulated links,
 * and by simulation of the browser of then. Its pages, networks and formula are not public; pages and networks here are our own reading:
 * see `fennec-2008-pages.ts` for what the pages weigh, `links-2008.ts` for the networks.
 */

import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { FENNEC_2008 } from '../../core/simulate/browser-model.ts';
import { sendingWith } from '../link/congestion-control.ts';
import { LINKS_2008 } from '../link/links-2008.ts';
import { fennec2008Findings } from './fennec-2008/findings.ts';
import { PAGES_2008, SERVED_2008 } from './fennec-2008/pages.ts';
import type { SimulatedStudy } from './simulated-study.ts';
import type { Study } from './study.ts';

/** RFC 3390 with segments of 1,460 bytes, segments; Linux then had the same. */
export const INITIAL_WINDOW_2008 = 3;

export const fennec2008: SimulatedStudy = {
  name: 'fennec-2008',
  title: 'Fennec 2008: connections x depth over mobile networks, by simulation',
  pages: PAGES_2008,
  links: LINKS_2008,
  profiles: ['fennec-18'],
  baseline: 'c1-d2',
  model: FENNEC_2008,
  initialWindow: INITIAL_WINDOW_2008,
  /** As the simulation was made; what the servers of 2008 ran is not known. */
  congestionControl: 'reno',
};

/** In a real Firefox; `fennec2008` is its simulation. */
export const fennec2008Study: Study = {
  id: 'fennec-2008',
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
  findings: fennec2008Findings,
};
