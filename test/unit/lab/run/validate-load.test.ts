import { describe, expect, test } from 'vitest';
import type { HttpVersion, PageLoad, RequestRecord } from '../../../../src/core/measure/page-load.ts';
import { PER_SERVER, URGENT_START } from '../../../../src/core/profiles/catalogue.ts';
import type { AppliedProfile, Profile } from '../../../../src/core/profiles/profile.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { Observed } from '../../../../src/core/report/report.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import type { GatewayCounters } from '../../../../src/gateway/gateway-counters.ts';
import type { LinkCounters } from '../../../../src/lab/link/link-counters.ts';
import type { ServedBy } from '../../../../src/lab/pages/served-by.ts';
import { type LoadToValidate, observedLoad, validateLoad } from '../../../../src/lab/run/validate-load.ts';

const profile = (name: string): Profile => resolveProfiles([name])[0] as Profile;
const REQUESTS = 12;

const request = (more: Partial<RequestRecord> = {}): RequestRecord => ({
  url: 'http://x/',
  origin: 'http://x',
  type: 'image',
  outcome: { state: 'completed' },
  wire: { fromCache: false },
  ...more,
});

const page = (more: Partial<PageLoad> = {}): PageLoad => ({
  format: 1,
  id: '1',
  url: 'http://x/',
  startedAt: milliseconds(0),
  observation: { ended: 'quiet', quietMs: milliseconds(150) },
  requests: Array.from({ length: REQUESTS }, () => request()),
  ...more,
});

const applied = (profileId: string, mismatches: readonly string[] = []): AppliedProfile => ({
  profileId,
  applier: 'experiment-api',
  carrier: 'none',
  intended: {},
  readBack: [],
  mismatches,
});

const NO_CONNECTION = { opened: 0, peak: 0, used: 0, peakUsed: 0, backups: 0, udpFlows: 0 };
const SIDE = { admitted: 0, dropped: 0, lost: 0, bytes: 0 };
const carrying = (count: LinkCounters['connections'][string]): LinkCounters => ({
  down: SIDE,
  up: SIDE,
  deliveredBytes: [],
  connections: { '198.18.0.2': count },
});

interface Case {
  readonly name?: string;
  readonly observed?: Partial<Observed>;
  readonly load?: Partial<PageLoad>;
  readonly mismatches?: readonly string[];
  readonly limit?: number;
  readonly urgent?: number;
  readonly depth?: number;
  readonly fallback?: string;
  /** That the link saw beside slow handshakes. */
  readonly backups?: number;
  readonly expected?: LoadToValidate['expected'];
}

function judged({
  name = 'c4-d1',
  observed = {},
  load = {},
  mismatches = [],
  limit,
  urgent,
  depth,
  fallback,
  backups,
  expected,
}: Case): LoadToValidate {
  const carrier = /-d[2-9]|control/.test(name) ? 'gateway' : 'none';
  const seen = { peakConnections: 4, peakOutstanding: 4, peakDepth: 1, requests: REQUESTS, ...observed };
  const readBack = [
    ...(limit === undefined ? [] : [{ preference: PER_SERVER, value: limit, type: 'integer' as const, locked: false, userSet: true }]),
    ...(urgent === undefined ? [] : [{ preference: URGENT_START, value: urgent, type: 'integer' as const, locked: false, userSet: true }]),
  ];
  const gateway = {
    origins: [{ peakDepth: depth ?? 1 }],
    fallbacks: fallback === undefined ? [] : [{ reason: fallback }],
  } as unknown as GatewayCounters;
  return {
    profile: profile(name),
    carrier,
    outcome: {
      applied: applied(name, mismatches),
      readBack,
      load: page(load),
      gateway: carrier === 'gateway' ? gateway : undefined,
      origins: { 'http://x': { ...seen, connections: seen.peakConnections, bodyBytes: 0 } },
      ...(backups !== undefined && { link: carrying({ ...NO_CONNECTION, backups }) }),
    },
    expected: expected ?? { requests: REQUESTS },
  };
}

/** As on the real network, where nobody counts. */
function uncounted({ expected: _expected, ...rest }: LoadToValidate): LoadToValidate {
  const { origins: _origins, ...outcome } = rest.outcome;
  return { ...rest, outcome };
}

const failed = (error: string, at: number): Partial<PageLoad> => ({
  requests: Array.from({ length: REQUESTS }, (_, index) => request(index === at ? { outcome: { state: 'failed', error } } : {})),
});

describe('a load counts', () => {
  test.each<[string, Case]>([
    ['at the limit', { observed: { peakConnections: 4 } }],
    ['with three urgent connections more: 4 + 3', { observed: { peakConnections: 7 } }],
    ['with as many urgent ones as were read back: 4 + 1', { observed: { peakConnections: 5 }, urgent: 1 }],
    ['with a backup of each connection, where the link saw as many: 4 + 3 + 4', { observed: { peakConnections: 11 }, backups: 4 }],
    ["at Firefox's own limit: 6 + 3", { name: 'firefox-default', observed: { peakConnections: 9 } }],
    [
      'at the limit that was read back, where the profile leaves it alone: 8 + 3',
      { name: 'firefox-default', limit: 8, observed: { peakConnections: 11 } },
    ],
    ['below the limit', { name: 'c16-d1', observed: { peakConnections: 12 } }],
    ['through the gateway with no request pipelined', { name: 'c4-d6', depth: 1 }],
    ['with a request that came twice', { observed: { requests: 13 } }],
    [
      'with a request twice in the record as well',
      { observed: { requests: 13 }, load: { requests: Array.from({ length: 13 }, () => request()) } },
    ],
    ['with one backup, where one handshake was slow: 4 + 3 + 1', { observed: { peakConnections: 8 }, backups: 1 }],
    [
      'with requests from the cache, which no server saw',
      { load: { requests: [...page().requests, request({ wire: { fromCache: true } })] } },
    ],
    ['through the gateway at its depth', { name: 'c4-d6', depth: 6 }],
    ['through the gateway with depth 1', { name: 'control', observed: { peakConnections: 6 } }],
  ])('%s', (_name, each) => {
    expect(validateLoad(judged(each))).toEqual({ state: 'valid' });
  });
});

describe('a load in which a request timed out', () => {
  const timing = { fetchStart: milliseconds(0), responseEnd: milliseconds(900) };
  const timedOut = (at: number | undefined) => {
    const outcome = { state: 'failed', error: 'NS_ERROR_NET_TIMEOUT', ...(at !== undefined && { at: milliseconds(at) }) } as const;
    return validateLoad(judged({ load: { requests: [request({ timing }), request({ outcome })] } }));
  };

  test('took longer than until then, although its last response came long before', () => {
    expect(timedOut(45_000)).toMatchObject({ cause: 'request-failed', atLeastMs: 45_000 });
    // No load is taken to be longer than the time limit.
    expect(timedOut(75_000)).toMatchObject({ atLeastMs: 60_000 });
  });

  test('has no bound where nobody saw when: it may have taken any time', () => {
    expect(timedOut(undefined)).not.toHaveProperty('atLeastMs');
  });
});

describe('a load is void', () => {
  test.each<[string, Case, RegExp]>([
    [
      'a value that did not hold',
      { mismatches: [PER_SERVER] },
      /not in effect: .*max-persistent-connections-per-server read back another value/,
    ],
    [
      'time was up',
      { load: { observation: { ended: 'time-limit', quietMs: milliseconds(150) } } },
      /takes longer than the 60 s that are recorded/,
    ],
    ['a picture failed', { load: failed('NS_ERROR_NET_RESET', 11) }, /a request failed: NS_ERROR_NET_RESET \([a-z_]+ http:\/\/x\/\)/],
    ['a request stayed open', { load: { requests: [request({ outcome: { state: 'unfinished' } })] } }, /still open at the end/],
    ['the servers saw one too few', { observed: { requests: 11 } }, /the servers saw 11 requests, the page has 12/],
    [
      'the recorder missed one',
      { load: { requests: Array.from({ length: 11 }, () => request()) } },
      /11 requests were recorded, the page has 12/,
    ],
    [
      'one more than limit and urgent: 4 + 3 + 1',
      { observed: { peakConnections: 8 } },
      /8 connections to one server, at most 4 \(\+3 urgent\)/,
    ],
    [
      'as many where the link saw no slow handshake, whatever it might have been',
      { observed: { peakConnections: 11 }, backups: 0 },
      /11 connections to one server, at most 4 \(\+3 urgent\)/,
    ],
    [
      'one more than limit, urgent and the backups that were seen: 4 + 3 + 1 + 1',
      { observed: { peakConnections: 9 }, backups: 1 },
      /at most 4 \(\+3 urgent, \+1 for slow handshakes\)/,
    ],
    [
      'more backups than the limit has connections to back up: 4 + 3 + 4 + 1',
      { observed: { peakConnections: 12 }, backups: 12 },
      /at most 4 \(\+3 urgent, \+4 for slow handshakes\)/,
    ],
    ["one more than Firefox's own: 6 + 3 + 1", { name: 'firefox-default', observed: { peakConnections: 10 } }, /at most 6 \(\+3 urgent\)/],
    ['depth without a carrier', { observed: { peakDepth: 2 } }, /2 requests outstanding on one connection, which nothing here provides/],
    ['the gateway fell back', { name: 'c4-d6', depth: 6, fallback: 'http-1.0' }, /cannot pipeline \(http-1\.0\): depth fell back to 1/],
    [
      'the gateway went above the limit: no urgent ones there',
      { name: 'c4-d6', depth: 6, observed: { peakConnections: 5 } },
      /5 connections to one server, at most 4/,
    ],
    ['the gateway went deeper', { name: 'c4-d6', depth: 7 }, /7 requests outstanding on one connection, at most 6/],
    [
      'a request bypassed the gateway',
      {
        name: 'c4-d6',
        depth: 6,
        load: { requests: Array.from({ length: REQUESTS }, () => request({ wire: { fromCache: false, proxied: false } })) },
      },
      /bypassed the gateway/,
    ],
  ])('%s', (_name, each, says) => {
    const verdict = validateLoad(judged(each));
    expect(verdict.state === 'void' ? verdict.reason : 'valid').toMatch(says);
  });

  test('on the real network only the document must not fail, and nobody counts', () => {
    const real = uncounted(judged({ load: failed('NS_ERROR_UNKNOWN_HOST', 5), observed: { peakConnections: 99 } }));
    expect(validateLoad(real)).toEqual({ state: 'valid' });
    expect(observedLoad(real)).toBeUndefined();
    const broken = uncounted(judged({ load: failed('NS_ERROR_UNKNOWN_HOST', 0) }));
    expect(validateLoad(broken)).toMatchObject({
      state: 'void',
      reason: expect.stringMatching(/^a request failed: NS_ERROR_UNKNOWN_HOST \(/),
    });
  });
});

test('a load is void when another profile was applied', () => {
  const load = judged({ name: 'c4-d1' });
  const other = { ...load, outcome: { ...load.outcome, applied: applied('c8-d1') } };
  expect(validateLoad(other)).toEqual({
    state: 'void',
    cause: 'not-in-effect',
    reason: 'not in effect: c8-d1 was applied instead',
  });
});

describe('on the real network, through the gateway', () => {
  const document = (proxied: boolean | undefined, more: Partial<RequestRecord> = {}) =>
    request({ type: 'main_frame', wire: { fromCache: false, ...(proxied === undefined ? {} : { proxied }) }, ...more });
  const verdictOn = (requests: readonly RequestRecord[], more: Case = {}) => {
    return validateLoad(uncounted(judged({ name: 'c4-d6', load: { requests }, ...more })));
  };

  test('a page of plain http counts, with https on it or not', () => {
    expect(verdictOn([document(true), request({ wire: { fromCache: false, proxied: false } })])).toEqual({ state: 'valid' });
    // Not known is not false.
    expect(verdictOn([document(undefined)])).toEqual({ state: 'valid' });
  });

  test('a page of https is void, also behind a redirect: no depth was in effect', () => {
    const reason = 'the page itself bypassed the gateway, which takes plain http only: c4-d6 was not in effect';
    expect(verdictOn([document(false)])).toMatchObject({ state: 'void', reason });
    expect(verdictOn([document(false), document(true, { outcome: { state: 'redirected' } })])).toMatchObject({ state: 'void', reason });
    expect(verdictOn([document(false)], { name: 'c8-d1' })).toEqual({ state: 'valid' });
  });

  test('a server that cannot pipeline is seen though nobody counts', () => {
    expect(verdictOn([document(true)], { fallback: 'http-1.0' })).toEqual({
      state: 'void',
      cause: 'gateway-fell-back',
      reason: 'the server cannot pipeline (http-1.0): depth fell back to 1',
    });
  });
});

test('what was observed is the most of any server, and all their requests', () => {
  const two = judged({});
  const count = { requests: 3, connections: 1, peakConnections: 1, peakOutstanding: 9, peakDepth: 1, bodyBytes: 0 };
  expect(observedLoad({ ...two, outcome: { ...two.outcome, origins: { ...two.outcome.origins, 'http://y': count } } })).toEqual({
    peakConnections: 4,
    peakOutstanding: 9,
    peakDepth: 1,
    requests: 15,
  });
});

describe('behind a server in front', () => {
  const counted = { opened: 9, peak: 8, used: 5, peakUsed: 3, backups: 0, udpFlows: 0 };
  const behind = (
    servedBy: ServedBy,
    { version, ...link }: { version: HttpVersion; peakUsed?: number; udpFlows?: number },
  ): LoadToValidate => {
    const wire = { fromCache: false, httpVersion: version };
    const load = judged({ load: { requests: Array.from({ length: REQUESTS }, () => request({ wire })) }, observed: { peakDepth: 40 } });
    return { ...load, servedBy, outcome: { ...load.outcome, link: carrying({ ...counted, ...link }) } };
  };

  test('connections are those that the link carried, and nobody sees the depth of one', () => {
    expect(observedLoad(behind('https', { version: 'http/1.1', peakUsed: 3 }))).toMatchObject({ peakConnections: 3 });
    expect(observedLoad(behind('http2', { version: 'http/2' }))?.peakDepth).toBeUndefined();
    expect(observedLoad(behind('http3', { version: 'http/3', peakUsed: 0, udpFlows: 1 }))).toMatchObject({ peakConnections: 1 });
  });

  test('a page that came by another version of HTTP is void', () => {
    expect(validateLoad(behind('http2', { version: 'http/2', peakUsed: 1 }))).toEqual({ state: 'valid' });
    const reason = 'a request came by http/2, not by http/3';
    expect(validateLoad(behind('http3', { version: 'http/2', udpFlows: 1 }))).toMatchObject({ state: 'void', reason });
  });

  test('a server of several versions is held to the newest that the profile leaves on', () => {
    const under = (servedBy: ServedBy, version: HttpVersion, ...off: readonly string[]) => {
      const load = behind(servedBy, { version, peakUsed: 1 });
      const preferences = Object.fromEntries(off.map((name) => [`network.http.${name}`, false]));
      return validateLoad({ ...load, profile: { ...load.profile, preferences } }).state;
    };
    expect(under('http3', 'http/3')).toBe('valid');
    expect(under('http3', 'http/3', 'http3.enable')).toBe('void');
    expect(under('http3', 'http/2', 'http3.enable')).toBe('valid');
    expect(under('http3', 'http/1.1', 'http3.enable')).toBe('void');
    expect(under('http3', 'http/1.1', 'http3.enable', 'http2.enabled')).toBe('valid');
    expect(under('http2', 'http/1.1', 'http2.enabled')).toBe('valid');
    // Without HTTP/2 alone, HTTP/3 is still there.
    expect(under('http3', 'http/3', 'http2.enabled')).toBe('valid');
    expect(under('https', 'http/1.1')).toBe('valid');
    // Where Firefox learns from DNS what there is, the version is a result; one that is switched off is none.
    for (const version of ['http/3', 'http/2', 'http/1.1'] as const) expect(under('negotiated', version)).toBe('valid');
    expect(under('negotiated', 'http/3', 'http3.enable')).toBe('void');
    expect(under('negotiated', 'http/2', 'http3.enable')).toBe('valid');
    expect(under('negotiated', 'http/2', 'http3.enable', 'http2.enabled')).toBe('void');
  });

  test('more connections than the limit are void there too', () => {
    const verdict = validateLoad(behind('https', { version: 'http/1.1', peakUsed: 10 }));
    expect(verdict).toMatchObject({ state: 'void', reason: expect.stringMatching(/^10 connections to one server/) });
  });
});
