/**
 * The effect of copied tweaks today: 1 to 16 connections per server and Betterfox's preferences, over HTTP/1.1, HTTP/2 and HTTP/3, on the
 * links of today, some of them with loss. HTTP/1.1 is over TLS as the other two are, so that all three pay for the same handshake.
 *
 * Two pages: a documentation page with one server, where nothing but that server's limit counts, and a gallery, which has more to fetch at once
 * than any limit allows. The link in a car is left to the train's Wi-Fi, which varies and loses more.
 */

import { BETTERFOX, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import { BASELINE_ID } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { sendingWith } from '../link/link-spec.ts';
import { LINKS_TODAY } from '../link/links.ts';
import { docs, gallery } from '../pages/pages.ts';
import { modernDefaultsFindings } from './modern-defaults/analysis.ts';
import type { Study, StudyPage } from './study.ts';

const CAR = '4g-car';

const PROTOCOLS = [
  { prefix: 'h1', servedBy: 'https' },
  { prefix: 'h2', servedBy: 'http2' },
  { prefix: 'h3', servedBy: 'http3' },
] as const;

const pages: readonly StudyPage[] = PROTOCOLS.flatMap(({ prefix, servedBy }) =>
  [docs, gallery].map((recipe) => ({ name: `${prefix}-${recipe.name}`, recipe, servedBy, connections: 'cold' as const })),
);

export const modernDefaults: Study = {
  id: 'modern-defaults',
  question: "Does any number of connections, or what Betterfox sets, beat Firefox's own settings on today's links, and where?",
  source: 'Our own; Betterfox 152 (https://github.com/yokoffing/Betterfox), whose repository holds no measurement of its preferences',
  pages,
  links: sendingWith(
    'reno',
    LINKS_TODAY.filter(({ name }) => name !== CAR),
  ),
  profiles: [FIREFOX_DEFAULT, ...resolveProfiles(['connections-sweep']), BETTERFOX],
  baseline: BASELINE_ID,
  repeats: 3,
  /** A gallery of 60 requests one by one over a geostationary satellite takes 40 s by arithmetic, and half as much again with TLS. */
  timeoutS: 90,
  tookMinutes: 75,
  cut: { pages: ['h1-docs', 'h2-docs'], links: ['4g-15m'], profiles: ['c2-d1', 'betterfox'], repeats: 1 },
  original: {
    betterfox: {
      what: "Betterfox's network preferences against Firefox's own settings: efficiency over all links",
      original: 'faster browsing; no figure is given',
      why: 'cold loads of generated pages: what it changes for later visits (caches, speculation) is not in these figures',
    },
  },
  findings: modernDefaultsFindings,
  holdsForOtherPages: true,
};
