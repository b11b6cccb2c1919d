/** A complete popup state, and its parts, to vary one fact at a time. */

import type { TrialAnswer } from '../../../src/core/answer/answer.ts';
import type {
  Comparison,
  ProfileComparison,
  Recommendation,
  RecommendedProfile,
  VersusBaseline,
} from '../../../src/core/compare/comparison.ts';
import { rankScenarios } from '../../../src/core/compare/rank-scenarios.ts';
import type { LoadMeasures } from '../../../src/core/measure/load-measures.ts';
import { bytes, milliseconds, ratio } from '../../../src/core/units.ts';
import type { PopupState } from '../../../src/protocol/page-state.ts';
import type { PredictionStanding } from '../../../src/protocol/prediction-answer.ts';
import type { TrialFacts } from '../../../src/protocol/trial-state.ts';

/** 2026-01-01T00:00:00Z. */
export const NOW = 1_767_225_600_000;

/** A prediction that recommends 8 connections. */
export const PREDICTED: Extract<PredictionStanding, { readonly state: 'predicted' }> = {
  state: 'predicted',
  link: { id: 1, name: 'RTT 20 ms', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads: 9 },
  pages: 3,
  isFormer: false,
  outside: 0,
  sites: [],
  best: ['c8-d1'],
  recommended: { id: 'c8-d1', change: { gain: 0.3, low: 0.1, high: 0.5 } },
  atMost: 0.5,
  rows: [],
  reach: { requests: 100, byConnections: 100 },
  tried: { preferences: 3, of: 40, requests: 100 },
  inferred: [],
};

export const measures: LoadMeasures = {
  loadTimeMs: milliseconds(3_400),
  bytes: bytes(312_000),
  idealTimeMs: milliseconds(1_564),
  efficiency: ratio(0.46),
  firstContentfulPaintMs: milliseconds(980),
  largestContentfulPaintMs: milliseconds(2_345),
  queueWait: { medianMs: milliseconds(120), maxMs: milliseconds(900), totalMs: milliseconds(4_300) },
  peakOutstanding: 12,
  peakOutstandingByOrigin: { 'http://a.example:80': 4, 'http://b.example:80': 6 },
  requests: 45,
  failedRequests: 0,
  coldConnections: 12,
  reusedConnections: 33,
  duplicateFetches: 0,
  httpVersions: { 'http/1.1': ratio(0.8), 'http/2': ratio(0.2) },
};

export function versus(changed: Partial<VersusBaseline> = {}): VersusBaseline {
  return {
    ratio: 1.18,
    low: 1.09,
    high: 1.28,
    verdict: 'better',
    reason: 'The interval excludes no change.',
    against: 'firefox-default',
    loadsNeeded: 0,
    loadsNeededAtMost: 0,
    pairs: 12,
    pairsAhead: 11,
    detectableChange: 0.12,
    p: 0.001,
    ...changed,
  };
}

export function profile(id: string, changed: Partial<ProfileComparison> = {}): ProfileComparison {
  return {
    id,
    carrier: 'none',
    role: 'candidate',
    loads: 12,
    voidLoads: 0,
    efficiency: { estimate: 0.46, low: 0.41, high: 0.51 },
    loadTimeMs: { median: 3_400 },
    versusBaseline: versus(),
    ...changed,
  };
}

export const baseline = profile('firefox-default', {
  role: 'baseline',
  efficiency: { estimate: 0.39, low: 0.36, high: 0.43 },
  versusBaseline: versus({ ratio: 1, low: 1, high: 1, verdict: 'baseline', reason: '' }),
});

/** One that needs no gateway: it is the best by settings alone too. */
export const recommendation = (one: RecommendedProfile): Recommendation => ({ ...one, settingsAlone: one });

export const comparison: Comparison = {
  baseline: 'firefox-default',
  profiles: [baseline, profile('c4-d6', { carrier: 'gateway' })],
  method: { estimate: 'paired', looks: 'any', alpha: 0.05, intervals: 1 },
  scenarios: [],
  modes: [],
  ranking: rankScenarios([], {
    baseline: 'firefox-default',
    profiles: [{ id: 'firefox-default', carrier: 'none', role: 'baseline', depth: 1 }],
  }),
  control: undefined,
  recommendation: {
    profileId: 'c4-d6',
    state: 'recommended',
    sentence: '4 connections with up to 6 requests on each (c4-d6) are faster through the gateway: +18 %.',
    gateway: { connections: 4, depth: 6 },
    settingsAlone: { profileId: null, state: 'none', sentence: 'By settings alone: no recommendation.' },
  },
};

export const lastLoad = {
  url: 'https://www.example.org:8443/path?q=secret',
  startedAt: NOW - 5 * 60_000,
  measures,
  link: { id: 1, name: 'RTT 300 ms, 2 Mbit/s', rttMs: 300, downKbps: 2_000, rttIntervalMs: {}, downIntervalKbps: {}, loads: 24 },
};

export function popupState(changed: Partial<PopupState> = {}): PopupState {
  return {
    recording: { state: 'recording' },
    active: {
      profileId: 'c4-d6',
      title: '4 connections, depth 6',
      appliedBy: 'experiment-api',
      carrier: 'gateway',
      depth: 6,
      mismatches: [],
    },
    lastLoad,
    loads: 24,
    comparison,
    ...changed,
  };
}

/** Four connections with six requests on each, which need the gateway, were faster. */
export const FASTER = { profileId: 'c4-d6', carrier: 'gateway', change: { gain: 0.18, low: 0.09, high: 0.28 } } as const;

/** A trial that has ended with this; `undefined`: with nothing. */
export function endedTrial(answer: TrialAnswer | undefined): TrialFacts {
  return {
    live: true,
    offer: {
      baseline: 'firefox-default',
      offered: [{ id: 'c8-d1', title: '8 connections' }],
      notOffered: [],
      usual: { loadsPerSlot: 3, minutesPerSlot: 10 },
    },
    current: {
      id: 't-1',
      stateKind: 'confirmed',
      sentence: 'Proven.',
      ...(answer && { answer }),
      warnings: [],
      slots: { kind: 'loads', perSlot: 3 },
      made: 320,
      loadsLeft: 36,
      arms: [{ profileId: 'firefox-default', attempted: 20, recorded: 20, lost: 0 }],
      turn: { profileId: 'firefox-default', block: 9, slot: 54, slotInBlock: 0 },
      now: { state: 'ended', restoring: false },
    },
  };
}

/** Turns no-break spaces into plain ones, so that expectations can be typed. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('\u00a0', ' ')) as T;
}
