/** Every word that a record may hold, and every member. A word that is lost here makes records unreadable that lie in people's stores. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LOSS_KEY, lossSchema, MIRROR_KEY, mirrorSchema, STANDSTILLS_KEY, standstillSchema } from '../../../src/protocol/record-mirror.ts';
import {
  appliedSinceSchema,
  navigationSchema,
  parseAppliedProfile,
  parsePageLoad,
  parseRawRequestEvent,
  readPageLoad,
  readRawRequestEvent,
} from '../../../src/protocol/stored-records.ts';

const TYPES = [
  ...['main_frame', 'sub_frame', 'stylesheet', 'script', 'image', 'imageset', 'font', 'media', 'object', 'xmlhttprequest'],
  ...['ping', 'beacon', 'websocket', 'csp_report', 'xslt', 'xml_dtd', 'web_manifest', 'speculative', 'json', 'other'],
];
const VERSIONS = ['http/1.0', 'http/1.1', 'http/2', 'http/3'];

const APPLIED = {
  ...{ profileId: 'c4-d6', applier: 'experiment-api', carrier: 'gateway', intended: { a: 1, b: true, c: 'x' }, mismatches: ['a'] },
  readBack: [{ preference: 'a', value: 2, type: 'integer', locked: false, userSet: true }],
};
const WIRE = {
  ...{ responseBytes: 500, requestBytes: 80, fromCache: false, httpVersion: 'http/2', address: '127.0.0.1', status: 200, proxied: true },
};
const TIMING = {
  ...{ fetchStart: 1, domainLookupStart: 2, domainLookupEnd: 3, connectStart: 4, secureConnectionStart: 5, connectEnd: 6 },
  ...{ requestStart: 7, responseStart: 8, responseEnd: 9 },
};
const REQUEST = {
  ...{ requestId: '1', url: 'http://a.test/', origin: 'http://a.test', type: 'main_frame', initiatorType: 'navigation' },
  ...{ renderBlocking: true, timing: TIMING, beganAt: 1, wire: WIRE, outcome: { state: 'completed' } },
};
const LOAD = {
  ...{ format: 1, id: 'l', url: 'http://a.test/', startedAt: 1000, loadEventEnd: 5, domContentLoadedEventEnd: 4 },
  ...{ firstContentfulPaint: 2, largestContentfulPaint: 3, requests: [REQUEST], applied: APPLIED },
  observation: { ended: 'quiet', quietMs: 2000, eventsAheadMs: 0.5, tooManyRequests: true },
  trial: { mark: { trialId: 't', block: 0, slot: 1, profileId: 'c4-d6', position: 2, washout: false }, void: 'why' },
};
const EVENT = {
  ...{ phase: 'completed', at: 3, requestId: '1', tabId: 1, frameId: 0, type: 'image', url: 'http://a.test/i', documentId: 'd' },
  ...{ documentUrl: 'http://a.test/', ...WIRE, error: 'NS_ERROR_FAILURE' },
};

describe('a load', () => {
  it('is read with every member that it can have', () => {
    expect(parsePageLoad(LOAD)).toStrictEqual(LOAD);
    expect(readPageLoad(LOAD)).toStrictEqual(LOAD);
  });

  it('is read with none that it can be without', () => {
    const request = { url: 'about:blank', origin: null, type: 'other', outcome: { state: 'unfinished' } };
    const bare = { format: 1, id: 'l', url: 'u', startedAt: 1, observation: { ended: 'page-left', quietMs: 0 }, requests: [request] };
    expect(readPageLoad(bare)).toStrictEqual(bare);
  });

  it.each([
    ...TYPES.map((type) => ({ ...LOAD, requests: [{ ...REQUEST, type }] })),
    ...VERSIONS.map((httpVersion) => ({ ...LOAD, requests: [{ ...REQUEST, wire: { ...WIRE, httpVersion } }] })),
    ...[{ state: 'redirected' }, { state: 'failed', error: 'e' }, { state: 'failed', error: 'e', at: 9 }, { state: 'unfinished' }].map(
      (outcome) => ({ ...LOAD, requests: [{ ...REQUEST, outcome }] }),
    ),
    ...['quiet', 'page-left', 'time-limit'].map((ended) => ({ ...LOAD, observation: { ended, quietMs: 0 } })),
  ])('has each of the words', (load) => {
    expect(readPageLoad(load)).toStrictEqual(load);
  });

  it.each([
    [undefined],
    [{ ...LOAD, format: 2 }],
    [{ ...LOAD, requests: [{ ...REQUEST, type: '' }] }],
    [{ ...LOAD, requests: [{ ...REQUEST, outcome: { state: 'failed' } }] }],
    [{ ...LOAD, requests: [{ ...REQUEST, wire: { ...WIRE, fromCache: undefined } }] }],
    [{ ...LOAD, observation: { ...LOAD.observation, tooManyRequests: false } }],
    [{ ...LOAD, observation: { ...LOAD.observation, quietMs: -1 } }],
  ])('that is none is not read', (load) => {
    expect(readPageLoad(load)).toBeUndefined();
    expect(() => parsePageLoad(load)).toThrow(v.ValiError);
  });
});

describe('an event', () => {
  it('is read with every member that it can have', () => {
    expect(parseRawRequestEvent(EVENT)).toStrictEqual(EVENT);
    expect(readRawRequestEvent(EVENT)).toStrictEqual(EVENT);
  });

  it.each([
    ...['started', 'redirected', 'completed', 'failed'].map((phase) => ({ ...EVENT, phase })),
    ...TYPES.map((type) => ({ ...EVENT, type })),
    ...VERSIONS.map((httpVersion) => ({ ...EVENT, httpVersion })),
  ])('has each of the words', (event) => {
    expect(readRawRequestEvent(event)).toStrictEqual(event);
  });

  it.each([[undefined], [{ ...EVENT, phase: '' }], [{ ...EVENT, tabId: -1 }], [{ ...EVENT, responseBytes: -1 }]])(
    'that is none is not read',
    (event) => {
      expect(readRawRequestEvent(event)).toBeUndefined();
      expect(() => parseRawRequestEvent(event)).toThrow(v.ValiError);
    },
  );
});

it('reads what was applied, with a value that the browser does not know as undefined', () => {
  const { value: _, ...unknown } = { preference: 'a', value: 1, type: 'none', locked: false, userSet: false };
  const applied = { ...APPLIED, readBack: [...APPLIED.readBack, unknown] };
  expect(parseAppliedProfile(applied)).toStrictEqual({ ...APPLIED, readBack: [...APPLIED.readBack, { ...unknown, value: undefined }] });
  expect(() => parseAppliedProfile({ ...APPLIED, applier: '' })).toThrow(v.ValiError);
  for (const one of [APPLIED, null]) {
    expect(v.parse(appliedSinceSchema, { since: 5, applied: one })).toStrictEqual({ since: 5, applied: one });
  }
});

it('reads navigations, each beside the event that it began with', () => {
  expect(readRawRequestEvent(EVENT)).toBeDefined();
  for (const state of ['open', 'recorded', 'failed']) {
    const navigation = { requestId: '1', startedAt: 5, state };
    expect(v.parse(navigationSchema, navigation)).toStrictEqual(navigation);
  }
  expect(v.is(navigationSchema, { requestId: '1', startedAt: 5, state: '' })).toBe(false);
});

it('finds what an older version has put beside the records', () => {
  expect([MIRROR_KEY, LOSS_KEY, STANDSTILLS_KEY]).toEqual(['recordMirror', 'recordLoss', 'standstills']);
  const mirror = { generation: 'g', loads: 3, forgotten: 1, newestKey: 4, at: 5 };
  expect(v.parse(mirrorSchema, mirror)).toStrictEqual(mirror);
  const loss = { loads: 3, until: 5 };
  expect(v.parse(lossSchema, loss)).toStrictEqual(loss);
  const standstill = { from: 1, until: 2 };
  expect(v.parse(standstillSchema, standstill)).toStrictEqual(standstill);
  // An older version noted here that it had run since.
  expect(v.parse(standstillSchema, { ...standstill, over: true })).toStrictEqual(standstill);
});
