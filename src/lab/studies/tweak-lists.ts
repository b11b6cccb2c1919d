/**
 * Copied tweak lists, whole: what they set of the network's preferences, over the three versions of HTTP and links of today. Two lines of theirs are
 * measured alone, the two that can change a page's requests by HTTP/1.1: ten connections per server, and no pacing.
 *
 * All versions are over TLS, as in modern-defaults. A news site has 12 servers, which is where pacing matters; over the satellite the gallery alone.
 */
import { PACING_ENABLED, PER_SERVER } from '../../core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { sendingWith } from '../link/link-spec.ts';
import { LINKS_TODAY } from '../link/links.ts';
import { newsStill } from '../pages/news.ts';
import { gallery } from '../pages/pages.ts';
import type { Study, StudyPage } from './study.ts';
import { tweakListsFindings } from './tweak-lists/analysis.ts';
import { TWEAK_LISTS } from './tweak-lists/lists.ts';

const lists = TWEAK_LISTS.map(({ id, title, measured }): Profile => {
  const connections = measured[PER_SERVER];
  return { id, title, connections: typeof connections === 'number' ? connections : undefined, depth: 1, preferences: measured };
});

const NO_PACING: Profile = {
  id: 'pacing-off',
  title: 'Requests are not paced',
  connections: undefined,
  depth: 1,
  preferences: { [PACING_ENABLED]: false },
};

const PROTOCOLS = [
  { prefix: 'h1', servedBy: 'https' },
  { prefix: 'h2', servedBy: 'http2' },
  { prefix: 'h3', servedBy: 'http3' },
] as const;

const pages: readonly StudyPage[] = PROTOCOLS.flatMap(({ prefix, servedBy }) =>
  [newsStill, gallery].map((recipe) => ({ name: `${prefix}-${recipe.name}`, recipe, servedBy, connections: 'cold' as const })),
);

const NAMES = ['cable-50m', '4g-15m', 'geo-19m'];
const SATELLITE = 'geo-19m';

export const tweakLists: Study = {
  id: 'tweak-lists',
  question: "Do pages load faster with the network lines of copied tweak lists than with Firefox's own settings, and which line does it?",
  source: 'Betterfox 130 and 152, arkenfox, and lines from public dotfiles; none of their repositories holds a measurement',
  pages,
  links: sendingWith(
    'cubic',
    LINKS_TODAY.filter(({ name }) => NAMES.includes(name)),
  ),
  profiles: [FIREFOX_DEFAULT, ...lists, NO_PACING, ...resolveProfiles(['c10-d1'])],
  baseline: FIREFOX_DEFAULT.id,
  repeats: 3,
  without: ({ recipe }, { name }) => recipe.name === newsStill.name && name === SATELLITE,
  timeoutS: 90,
  tookMinutes: 27,
  cut: { pages: ['h1-gallery', 'h2-gallery'], links: ['4g-15m'], profiles: ['betterfox-130', 'folklore'], repeats: 2 },
  original: Object.fromEntries(
    TWEAK_LISTS.map(({ id, title, lines, measured }) => [
      id,
      {
        what: `${title}: efficiency by HTTP/1.1, 2 and 3`,
        original: 'no figure is given',
        why: `${Object.keys(measured).length} of its ${lines} lines were set: the others touch no request of these pages, or nothing in today's Firefox`,
      },
    ]),
  ),
  findings: tweakListsFindings,
};
