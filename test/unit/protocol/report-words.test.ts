/** Every word that a report may hold, and every member: reports are kept, and read by later versions. */
import { describe, expect, it } from 'vitest';
import { LOAD_PROTOCOLS } from '../../../src/core/compare/comparison.ts';
import { CONGESTION_CONTROLS, REPORT_VERSION } from '../../../src/core/report/report.ts';
import { VOID_CAUSES } from '../../../src/core/report/validity.ts';
import { parseReport } from '../../../src/protocol/parse-report.ts';

const METHOD = { estimate: 'paired', looks: 'any', alpha: 0.05, intervals: 3, plannedPairs: 20, plannedBlocks: 10 };
const PROFILE = {
  ...{ id: 'c4-d6', carrier: 'gateway', role: 'candidate', loads: 20, voidLoads: 1 },
  ...{ efficiency: { estimate: 0.6, low: 0.5, high: 0.7 }, loadTimeMs: { median: 900 } },
  versusBaseline: {
    ...{ ratio: 1.2, low: 1.1, high: 1.3, verdict: 'better', reason: 'why', against: 'firefox-default', loadsNeeded: 10 },
    ...{ loadsNeededAtMost: 40, pairs: 20, pairsAhead: 18, detectableChange: 0.05, p: 0.001 },
  },
};
const CONTROL = { profileId: 'c6-d1-gateway', ratio: 0.99, used: true, sentence: 'said' };
const ALONE = { profileId: null, state: 'keep-baseline', sentence: 'said' };
const RECOMMENDATION = {
  ...{ profileId: 'c4-d6', state: 'recommended', sentence: 'said' },
  ...{ gateway: { connections: 4, depth: 6 }, settingsAlone: ALONE },
};
const COMPARISON = {
  ...{ baseline: 'firefox-default', method: METHOD, profiles: [PROFILE] },
  scenarios: [{ page: 'wiki', link: 'slow', profiles: [{ id: 'c4-d6', loads: 20, efficiencyMedian: 0.6, loadTimeMsMedian: 900 }] }],
  ranking: {
    ...{ baseline: 'firefox-default', scenarios: 4, slots: 5, meanSpread: 0.3, baselineEfficiency: 0.5, gain: 0.1 },
    profiles: [{ id: 'c4-d6', ranked: 4, firsts: 3, topQuartile: 4, lasts: 0, meanEfficiency: 0.6 }],
  },
  modes: [
    {
      ...{ profileId: 'c4-d6', page: 'wiki', link: 'slow' },
      modes: { modes: 'several', peaks: [{ at: 900, share: 0.5, low: 800, high: 1000 }], separation: 2.5 },
    },
  ],
  ...{ control: CONTROL, recommendation: RECOMMENDATION, setAside: [{ profileId: 'c4-d6', page: 'wiki', link: 'slow' }] },
  protocols: [
    {
      ...{ protocol: 'http/2', pages: ['wiki'], method: METHOD, profiles: [PROFILE], control: CONTROL },
      recommendation: RECOMMENDATION,
    },
  ],
};
const LINK = {
  ...{ name: 'slow', kind: 'packet', basis: 'configured' },
  asked: {
    ...{ rttMs: 300, downKbps: 2000, upKbps: 400, queue: 100, lossDown: 0.01, lossUp: 0.02, jitterMs: 3, downTrace: 'lte' },
    ...{ initialWindow: 10, receiveBufferBytes: 65_536, congestionControl: 'bbr', seed: 7 },
  },
  measured: {
    ...{ rttMs: 301, downKbps: 1990, upKbps: 390, lossDown: 0.011, lossUp: 0.019, packetsDown: 1000, packetsUp: 500 },
    ...{ jitterMs: 3.1, traceShare: 0.9 },
  },
};
const PAGE = {
  ...{ name: 'wiki', served: { protocol: 'http/2', tls: '1.3', connections: 'cold' }, requests: 45, origins: 2, bytes: 640_000 },
  ...{ graph: { requests: [{ id: '1', bytes: 5 }] }, inferred: [{ field: 'sizes', requests: 1, rule: 'said' }] },
};
const COMPARED = {
  ...{ id: 'c4-d6', title: 'Four', carrier: 'gateway', connections: 4, depth: 6, role: 'candidate' },
  intended: { 'network.a': 4, 'network.b': true, 'network.c': 'x' },
};
const MEASURES = {
  ...{ loadTimeMs: 900, cutShort: 'time-limit', bytes: 640_000, idealTimeMs: 500, efficiency: 0.55, utilisation: 0.4 },
  ...{ firstContentfulPaintMs: 300, largestContentfulPaintMs: 400, queueWait: { medianMs: 1, maxMs: 5, totalMs: 20 } },
  ...{ peakOutstanding: 6, peakOutstandingByOrigin: { 'http://a.test': 6 }, requests: 45, failedRequests: 1, coldConnections: 4 },
  ...{ reusedConnections: 41, duplicateFetches: 2, duplicateBytes: 900, emptySources: 1, renderBlockingEndMs: 250 },
  httpVersions: { 'http/1.0': 0.1, 'http/1.1': 0.2, 'http/2': 0.3, 'http/3': 0.4 },
};
const LOAD = {
  ...{ profileId: 'c4-d6', page: 'wiki', link: 'slow', block: 0, order: 3, startedAt: 1000, validity: { state: 'valid' } },
  readBack: [{ preference: 'network.a', value: 4, type: 'integer', locked: false, userSet: true }],
  ...{ observed: { peakConnections: 4, peakOutstanding: 20, peakDepth: 6, requests: 45 }, measures: MEASURES },
};
const PROVENANCE = {
  ...{ plumbfox: '0.1.0', firefox: { version: '153.0', buildId: '2026', channel: 'esr' }, os: 'linux', node: '22', applier: 'driver' },
  ...{ seed: 7, turns: 'as-they-came', plannedBlocks: 10, congestionControl: 'bbr', weather: 'by-block' },
  ...{ labPreferences: { 'network.a': 1 }, notes: ['a note'] },
};
const REPORT = {
  ...{
    format: 'plumbfox-report',
    version: REPORT_VERSION,
    metricVersion: 2,
    createdAt: '2026-01-01T00:20:00.000Z',
    provenance: PROVENANCE,
  },
  ...{ links: [LINK], pages: [PAGE], profiles: [COMPARED], loads: [LOAD], comparison: COMPARISON },
  answer: { sentence: 'said', finding: { from: 'nothing', why: 'working' } },
};

const profileWith = (more: object) => ({ ...REPORT, comparison: { ...COMPARISON, profiles: [{ ...PROFILE, ...more }] } });
const comparisonWith = (more: object) => ({ ...REPORT, comparison: { ...COMPARISON, ...more } });
const linkWith = (more: object) => ({ ...REPORT, links: [{ ...LINK, ...more }] });
const servedWith = (more: object) => ({ ...REPORT, pages: [{ ...PAGE, served: { ...PAGE.served, ...more } }] });
const loadWith = (more: object) => ({ ...REPORT, loads: [{ ...LOAD, ...more }] });
const comparedWith = (more: object) => ({ ...REPORT, profiles: [{ ...COMPARED, ...more }] });
const sourceWith = (more: object) => ({ ...REPORT, provenance: { ...PROVENANCE, ...more } });

/** Where a word may stand, and which. */
const WORDS: readonly (readonly [string, readonly string[], (word: string) => object])[] = [
  ['carrier of a verdict', ['none', 'gateway', 'http2', 'legacy'], (carrier) => profileWith({ carrier })],
  ['role of a verdict', ['baseline', 'candidate', 'control'], (role) => profileWith({ role })],
  [
    'verdict',
    ['better', 'worse', 'no-meaningful-difference', 'need-more-loads', 'baseline', 'no-verdict'],
    (verdict) => profileWith({ versusBaseline: { ...PROFILE.versusBaseline, verdict } }),
  ],
  ['estimate', ['paired', 'adjusted'], (estimate) => comparisonWith({ method: { ...METHOD, estimate } })],
  ['looks', ['any', 'once', 'planned'], (looks) => comparisonWith({ method: { ...METHOD, looks } })],
  [
    'recommendation',
    ['recommended', 'keep-baseline', 'need-more-loads', 'none'],
    (state) => comparisonWith({ recommendation: { ...RECOMMENDATION, state, settingsAlone: { ...ALONE, state } } }),
  ],
  [
    'protocol compared',
    [...LOAD_PROTOCOLS, 'unknown'],
    (protocol) => comparisonWith({ protocols: COMPARISON.protocols.map((one) => ({ ...one, protocol })) }),
  ],
  ['kind of link', ['packet', 'relay', 'real'], (kind) => linkWith({ kind })],
  ['basis of link', ['configured', 'measured', 'estimated'], (basis) => linkWith({ basis })],
  [
    'congestion control',
    [...CONGESTION_CONTROLS],
    (congestionControl) => linkWith({ asked: { rttMs: 1, downKbps: 1, congestionControl } }),
  ],
  ['protocol served', ['http/1.1', 'http/2', 'http/3'], (protocol) => servedWith({ protocol })],
  ['TLS served', ['none', '1.2', '1.3'], (tls) => servedWith({ tls })],
  ['connections served', ['cold', 'warm'], (connections) => servedWith({ connections })],
  ['carrier of a profile', ['none', 'gateway', 'http2', 'legacy'], (carrier) => comparedWith({ carrier })],
  ['role of a profile', ['baseline', 'candidate', 'control'], (role) => comparedWith({ role })],
  [
    'type read back',
    ['integer', 'boolean', 'string', 'none'],
    (type) => loadWith({ readBack: [{ preference: 'a', value: undefined, type, locked: true, userSet: false }] }),
  ],
  [
    'cut',
    ['document-failed', 'no-load-event', 'page-left', 'time-limit', 'too-many-requests'],
    (cutShort) => loadWith({ measures: { ...MEASURES, cutShort } }),
  ],
  ['cause', VOID_CAUSES, (cause) => loadWith({ validity: { state: 'void', reason: 'said', cause, atLeastMs: 60_000 } })],
  ['applier', ['experiment-api', 'driver', 'policy', 'helper', 'gateway', 'manual'], (applier) => sourceWith({ applier })],
  ['turns', ['as-they-came'], (turns) => sourceWith({ turns })],
  ['weather', ['by-block'], (weather) => sourceWith({ weather })],
];

describe('a report', () => {
  it('is read with every member that it can have', () => {
    expect(parseReport(REPORT)).toStrictEqual(REPORT);
  });

  it.each(WORDS)('has each word, and no other: %s', (_, words, reportWith) => {
    for (const word of words) expect(parseReport(reportWith(word))).toStrictEqual(reportWith(word));
    expect(() => parseReport(reportWith(''))).toThrow(/^The report is damaged at /);
    expect(() => parseReport(reportWith('no such word'))).toThrow(/^The report is damaged at /);
  });
});
