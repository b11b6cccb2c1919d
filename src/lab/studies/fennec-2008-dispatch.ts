/**
 * Bug 447866, of which the memo of July 2008 expected much and measured nothing for want of a patch: Firefox of then never put a request
 * onto an active connection, it bundled those that waited and sent them together onto one that became free. The gateway does either, so
 * each profile is here twice, once `appended` (as it is everywhere else) and once `bundled`.
 */
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { sendingWith } from '../link/link-spec.ts';
import { LINKS_2008 } from '../link/links.ts';
import { INITIAL_WINDOW_2008, SERVED_2008 } from './fennec-2008.ts';
import { BUNDLED_SUFFIX, fennec2008DispatchFindings } from './fennec-2008-dispatch/analysis.ts';
import type { Study } from './study.ts';
import { dispatchPictures } from './table-pictures.ts';

/** The default of then, the memo's pick, and one on either side of it. */
const APPENDED = resolveProfiles(['c1-d2', 'c2-d4', 'c4-d6', 'c6-d4']);

/** From the longest round trip to the shortest, and from 64 kbit/s of uplink to 1,000: for the uplink bundles were feared. */
const LINK_NAMES = ['edge-2008', 'umts-2008', 'hsdpa-2008', 'wimax-2008'];

export const fennec2008DispatchStudy: Study = {
  id: 'fennec-2008-dispatch',
  // Its question is of pipelining itself.
  gatewayVisit: 'known-site',
  question: 'Do pages load faster where requests join active connections than where they are bundled onto freed ones, and how much?',
  source:
    'P. McManus, "Performance Observations of Fennec Development on Mobile Networks", 31 July 2008, section on pipelining efficiency (Mozilla bug 447866)',
  pages: SERVED_2008,
  links: sendingWith(
    'reno',
    LINKS_2008.filter(({ name }) => LINK_NAMES.includes(name)).map((link) => ({ ...link, initialWindow: INITIAL_WINDOW_2008 })),
  ),
  profiles: APPENDED.flatMap((profile) => [
    profile,
    { ...profile, id: `${profile.id}${BUNDLED_SUFFIX}`, title: `${profile.title}, bundled`, dispatch: 'bundled' as const },
  ]),
  baseline: 'c1-d2',
  repeats: 1,
  timeoutS: 120,
  tookMinutes: 16,
  cut: { pages: ['docs-2008'], links: ['wimax-2008'], profiles: ['c1-d2', 'c4-d6', 'c4-d6-bundled'], repeats: 1 },
  original: {
    appended: {
      what: 'requests appended to active connections, against bundles onto freed ones',
      original: '"significant", not measured',
      where: 'section on pipelining efficiency',
      why: "the memo had no patch to measure; the bundles here are those of our gateway, not of the Firefox of then; the memo's depth counts the requests of all connections together, ours those of each, so only c1-d2 is its {1,2}",
    },
  },
  findings: fennec2008DispatchFindings,
  tablePictures: dispatchPictures,
};
