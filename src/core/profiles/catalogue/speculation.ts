/** What is looked up, connected to or fetched before anybody asks for it. */
import { boolean, clamped, costs, type Entry, integer } from './entry.ts';
import { SPECULATIVE_CONNECTIONS } from './names.ts';

const LOOKED_UP = 'With false, your DNS server learns the names of links that you may never open.';

const CONNECTED_TO = 'When on, servers that you may never visit learn your network address.';

const EARLY_HINTS = 'network.early-hints.enabled';
const PREDICTOR = 'network.predictor.enabled';

export const SPECULATION: readonly Entry[] = [
  {
    preference: SPECULATIVE_CONNECTIONS,
    label: 'Speculative connections at once',
    bounds: clamped(0, 1024),
    android: { value: 6, until: '140' },
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    class: 'costs-privacy-or-security',
    price: 'Above 0, servers are contacted that nobody has asked for yet: they learn your network address.',
    pricedValues: { above: 0 },
  },
  {
    preference: 'network.prefetch-next',
    label: 'Link prefetching',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    class: 'costs-privacy-or-security',
    price: 'When on, pages are fetched that you may never open: their servers see you, and data is used.',
    pricedValues: { oneOf: [true] },
  },
  {
    preference: 'network.dns.disablePrefetch',
    label: 'No DNS prefetching',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'dns',
    takesEffect: 'live',
    class: 'costs-privacy-or-security',
    price: LOOKED_UP,
    pricedValues: { oneOf: [false] },
  },
  {
    preference: 'network.dns.disablePrefetchFromHTTPS',
    label: 'No DNS prefetching on https pages',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'dns',
    takesEffect: 'live',
    class: 'costs-privacy-or-security',
    price: LOOKED_UP,
    pricedValues: { oneOf: [false] },
  },
  {
    preference: 'network.preconnect',
    label: 'Preconnect',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
    ...costs(CONNECTED_TO, { oneOf: [true] }),
  },
  {
    preference: 'network.modulepreload',
    label: 'Preloading of modules',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: EARLY_HINTS,
    label: 'Early hints',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.early-hints.over-http-v1-1.enabled',
    label: 'Early hints over HTTP/1.1',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'http/1.1',
  },
  {
    preference: 'network.early-hints.preconnect.enabled',
    label: 'Early hints: preconnect',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
    ...costs(CONNECTED_TO, { oneOf: [true] }),
  },
  {
    preference: 'network.early-hints.preconnect.max_connections',
    label: 'Early hints: connections',
    bounds: integer(0, 1024),
    android: 'as-desktop',
    protocol: 'all',
  },
  ...[
    {
      name: 'urlbar',
      label: 'Speculative connections of the address bar',
    },
    {
      name: 'places',
      label: 'Speculative connections of bookmarks',
    },
  ].map(
    ({ name, label }): Entry => ({
      preference: `browser.${name}.speculativeConnect.enabled`,
      label,
      bounds: boolean,
      android: 'none',
      protocol: 'all',
      ...costs('When on, servers learn your network address before you have decided to visit them.', { oneOf: [true] }),
    }),
  ),
  ...[
    { scheme: 'http', label: 'DNS prefetching of links on http pages' },
    { scheme: 'https', label: 'DNS prefetching of links on https pages' },
  ].map(
    ({ scheme, label }): Entry => ({
      preference: `dom.prefetch_dns_for_anchor_${scheme}_document`,
      label,
      bounds: boolean,
      android: 'not-read',
      protocol: 'dns',
      ...costs('When on, your DNS server learns the names of links that you may never open.', { oneOf: [true] }),
    }),
  ),
  {
    preference: PREDICTOR,
    label: 'Network predictor',
    bounds: boolean,
    android: 'not-read',
    protocol: 'all',
    ...costs('When on, servers of pages that you only point at may be contacted, and what pages load is kept on disk.', { oneOf: [true] }),
  },
  {
    preference: 'network.predictor.enable-prefetch',
    label: 'Network predictor: prefetch',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
    ...costs('When on, more is fetched than you have asked for.', { oneOf: [true] }),
  },
];
