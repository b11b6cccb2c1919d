/** HTTP/3 and how a Firefox learns of it. */
import { ALL_JS, boolean, type Entry, HANDLER, INT32_MAX, integer, STATIC } from './entry.ts';
import { HTTP3_MAX_DATA, HTTP3_MAX_STREAM_DATA } from './names.ts';

export const HTTP3: readonly Entry[] = [
  {
    preference: 'network.http.http3.enable',
    label: 'HTTP/3',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'http/3',
    takesEffect: 'new-connections',
    effect: 'Whether origins that offer HTTP/3 are reached over QUIC.',
    source: STATIC,
    confoundedBy: [
      { preference: 'network.http.altsvc.enabled', why: 'Without alternative services most HTTP/3 origins are never discovered.' },
    ],
  },
  ...[
    { preference: HTTP3_MAX_DATA, label: 'HTTP/3 receive window of a session, bytes', of: 'session' },
    { preference: HTTP3_MAX_STREAM_DATA, label: 'HTTP/3 receive window of a response, bytes', of: 'response' },
  ].map(
    ({ preference, label, of }): Entry => ({
      preference,
      label,
      bounds: integer(1024, INT32_MAX, 'Firefox keeps any unsigned 32-bit number; below a packet or so nothing can arrive.'),
      android: 'as-desktop',
      readByUxp: false,
      protocol: 'http/3',
      takesEffect: 'new-connections',
      effect: `QUIC flow-control window a ${of} starts with: bytes a server may send before Firefox allows more.`,
      source: `${STATIC}; Firefox 140 netwerk/protocol/http/Http3Session.cpp Init`,
    }),
  ),
  {
    preference: 'network.http.altsvc.enabled',
    label: 'Alternative services',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/3',
    takesEffect: 'live',
    effect: 'Whether Alt-Svc headers are heeded (RFC 7838): the usual way a Firefox learns that an origin speaks HTTP/3.',
    source: `${HANDLER}; default ${ALL_JS}`,
  },
];
