/** Which of the requests that wait goes first, and which is held back. */
import { boolean, type Entry, integer, millisecondsKnob } from './entry.ts';

const ACTIVE_TAB = 'network.http.active_tab_priority';

export const SCHEDULING: readonly Entry[] = [
  {
    preference: 'network.http.throttle.enable',
    label: 'Throttling of background responses',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'all',
    takesEffect: 'live',
  },
  {
    preference: 'network.http.tailing.enabled',
    label: 'Tailing of trackers',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'all',
    takesEffect: 'live',
  },
  millisecondsKnob('network.http.tailing.delay-quantum', {
    readByUxp: false,
    label: 'Tailing delay per request, ms',
    max: 60_000,
    protocol: 'all',
  }),
  ...[
    {
      name: 'delay-quantum-after-domcontentloaded',
      label: 'Tailing delay per request after parsing, ms',
    },
    { name: 'delay-max', label: 'Tailing delay at most, ms' },
    { name: 'total-max', label: 'Tailing at most, ms' },
  ].map(
    ({ name, label }): Entry => ({
      ...millisecondsKnob(`network.http.tailing.${name}`, {
        readByUxp: false,
        label,
        max: 60_000,
        protocol: 'all',
      }),
    }),
  ),
  {
    preference: 'network.http.tailing.urgency',
    label: 'Urgency of tailed requests',
    bounds: integer(0, 7),
    android: 'as-desktop',
    protocol: 'all',
  },
  ...[
    { name: 'suspend-for', label: 'Throttling: suspend for, ms' },
    { name: 'resume-for', label: 'Throttling: resume for, ms' },
    {
      name: 'hold-time-ms',
      label: 'Throttling: hold, ms',
    },
    { name: 'max-time-ms', label: 'Throttling at most, ms' },
  ].map(
    ({ name, label }): Entry => ({
      preference: `network.http.throttle.${name}`,
      label,
      bounds: integer(0, 65_535),
      android: 'as-desktop',
      protocol: 'all',
    }),
  ),
  {
    preference: 'network.http.rendering-critical-requests-prioritization',
    label: 'Scripts and style sheets of the head first',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: ACTIVE_TAB,
    label: 'Active tab first',
    bounds: boolean,
    android: { value: false },
    protocol: 'http/1.1',
  },
  {
    preference: 'network.http.focused_window_transaction_ratio',
    label: 'Share of the active tab',
    bounds: { type: 'decimal', min: 0.01, max: 0.99 },
    android: 'as-desktop',
    protocol: 'http/1.1',
  },
  {
    preference: 'network.http.on_click_priority',
    label: 'Urgent requests',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'http/1.1',
  },
  {
    preference: 'network.fetchpriority.enabled',
    label: 'Attribute fetchpriority',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.fetchpriority.adjust_urgency',
    label: 'Attribute fetchpriority: urgency',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.http.priority_header.enabled',
    label: 'Priority header',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
];
