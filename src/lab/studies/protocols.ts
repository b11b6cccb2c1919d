/**
 * What HTTP/2 and HTTP/3 are worth: the same pages from one server that speaks all three versions, with one or both switched off in Firefox. The
 * study modern-defaults had a server for each, and Reno for TCP against the CUBIC that QUIC brings along; here all send with CUBIC.
 */
import { HTTP2_ENABLED, HTTP3_ENABLED } from '../../core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { sendingWith } from '../link/link-spec.ts';
import { LINKS_TODAY } from '../link/links.ts';
import { docs, gallery } from '../pages/pages.ts';
import { HTTP1_ONLY, NO_HTTP3, protocolsFindings } from './protocols/analysis.ts';
import type { Study } from './study.ts';

const without = (id: string, title: string, preferences: Profile['preferences']): Profile => ({
  ...{ id, title, preferences },
  connections: undefined,
  depth: 1,
});

const NAMES = ['4g-15m', 'geo-19m'];

/**
 * The server's QUIC begins with 32 packets (docs/origins.md), and TCP with 10 as everywhere. Beside each link is one over which TCP begins with 32 too:
 * what is left there is the protocol's own.
 */
const QUIC_INITIAL_WINDOW = 32;
const LINKS: readonly LinkSpec[] = LINKS_TODAY.filter(({ name }) => NAMES.includes(name)).flatMap((link) => [
  link,
  { ...link, name: `${link.name}-iw${QUIC_INITIAL_WINDOW}`, initialWindow: QUIC_INITIAL_WINDOW },
]);

const WHERE = 'modern-defaults: nginx, HAProxy and Caddy; TCP with Reno';
const OTHER_SERVERS = 'here one server, Caddy, speaks all three, and TCP sends with CUBIC';

export const protocols: Study = {
  id: 'protocols',
  question: 'How much slower do pages load with HTTP/3 switched off, and with HTTP/2 off as well?',
  source: 'Our own study modern-defaults, in which the version of HTTP mattered more than any number of connections',
  pages: [docs, gallery].map((recipe) => ({ name: recipe.name, recipe, servedBy: 'http3', connections: 'cold' })),
  links: sendingWith('cubic', LINKS),
  profiles: [
    FIREFOX_DEFAULT,
    without(NO_HTTP3, 'HTTP/3 switched off: HTTP/2', { [HTTP3_ENABLED]: false }),
    without(HTTP1_ONLY, 'HTTP/2 and HTTP/3 switched off: HTTP/1.1', { [HTTP3_ENABLED]: false, [HTTP2_ENABLED]: false }),
  ],
  baseline: FIREFOX_DEFAULT.id,
  repeats: 4,
  timeoutS: 90,
  tookMinutes: 14,
  cut: { pages: ['docs', 'gallery'], links: ['4g-15m'], profiles: [NO_HTTP3, HTTP1_ONLY], repeats: 2 },
  original: {
    'geo-19m': { what: 'load time over geo-19m by HTTP/1.1, 2 and 3', original: '8.29, 6.20 and 4.15 s', where: WHERE, why: OTHER_SERVERS },
    '4g-15m': { what: 'load time over 4g-15m by HTTP/1.1, 2 and 3', original: '1.14, 0.80 and 0.93 s', where: WHERE, why: OTHER_SERVERS },
  },
  findings: protocolsFindings,
};
