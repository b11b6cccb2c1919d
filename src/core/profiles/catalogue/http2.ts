/** HTTP/2: whether it is spoken, its streams and windows. */
import { ALL_JS, boolean, clamped, type Entry, GECKOVIEW, HANDLER, INT32_MAX, STATIC } from './entry.ts';
import { HTTP2_CONCURRENT, HTTP2_PULL_ALLOWANCE, HTTP2_PUSH_ALLOWANCE } from './names.ts';

export const HTTP2: readonly Entry[] = [
  {
    preference: 'network.http.http2.enabled',
    label: 'HTTP/2',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect: 'Whether HTTP/2 is offered on new TLS connections; without it they speak HTTP/1.1 (or HTTP/3 where that is on).',
    source: STATIC,
  },
  {
    preference: HTTP2_CONCURRENT,
    label: 'HTTP/2 streams before SETTINGS',
    bounds: clamped(1, 9999),
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Streams a new HTTP/2 session may have open until the server sends SETTINGS_MAX_CONCURRENT_STREAMS, which replaces it, up or down: against a server that sends one, this has no effect past the first flight.',
    source: `${HANDLER} (clamp 1..9999); Firefox 140 netwerk/protocol/http/Http2Session.cpp RecvSettings`,
    confoundedBy: [{ preference: 'network.http.http3.enable', why: 'An origin reached over HTTP/3 has no HTTP/2 session.' }],
  },
  {
    preference: HTTP2_PULL_ALLOWANCE,
    label: 'HTTP/2 receive window, bytes',
    bounds: clamped(1024, INT32_MAX),
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Flow-control window the session and each response start with: bytes a server may send before Firefox acknowledges reading them. A response is acknowledged every 4 MiB, or once 96 KiB of its window are left.',
    source: `${HANDLER} (clamp 1024..2147483647); Firefox 140 netwerk/protocol/http/Http2Session.cpp constructor, UpdateLocalStreamWindow; Http2Session.h kMinimumToAck, kEmergencyWindowThreshold`,
    confoundedBy: [{ preference: HTTP2_PUSH_ALLOWANCE, why: 'The window is the larger of the two.' }],
  },
  {
    preference: HTTP2_PUSH_ALLOWANCE,
    label: 'HTTP/2 window of a new stream, bytes',
    bounds: clamped(1024, 12_582_912),
    android: { value: 32_768 },
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Sent as SETTINGS_INITIAL_WINDOW_SIZE; Firefox accepts no push, but no receive window becomes smaller than this, whatever the pull allowance says.',
    source: `${HANDLER} (clamp 1024..12582912); Firefox 140 netwerk/protocol/http/Http2Session.cpp constructor, SendHello; defaults ${ALL_JS}, ${GECKOVIEW}`,
  },
];
