/** What passes between processes survives it: what one end sends, the other's schema takes, and nothing that was not agreed. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { milliseconds } from '../../../../src/core/units.ts';
import {
  type LoadOutcome,
  laneFactsAnswer,
  linkMeasurementAnswer,
  loadOutcomeAnswer,
  originCountsAnswer,
} from '../../../../src/lab/lane/lane-protocol.ts';
import { originCounters } from '../../../../src/lab/origin/origin-counters.ts';

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const held = { preference: 'network.http.pipelining', value: undefined, type: 'none', locked: false, userSet: false } as const;
const waits = { count: 0, total: milliseconds(0), max: undefined, values: [] };

const OUTCOME: LoadOutcome = {
  applied: { profileId: 'c4-d6', applier: 'driver', carrier: 'gateway', intended: { a: 1 }, readBack: [held], mismatches: [] },
  readBack: [held],
  load: {
    format: 1,
    id: '7-1',
    url: 'http://198.18.0.2/wiki/t/',
    startedAt: milliseconds(1),
    observation: { ended: 'quiet', quietMs: milliseconds(150) },
    requests: [
      {
        url: 'http://198.18.0.2/',
        origin: null,
        type: 'main_frame',
        outcome: { state: 'completed' },
        wire: { fromCache: false, proxied: true },
      },
    ],
  },
  gateway: {
    origins: [
      {
        origin: 'http://198.18.0.2',
        connectionsOpened: 4,
        connectionsFailed: 0,
        peakConnections: 4,
        peakDepth: 6,
        peakOutstanding: 24,
        requests: 45,
        pipelinedRequests: 30,
        handedBackRequests: 0,
        headOfLineWait: waits,
        queueWait: waits,
      },
    ],
    fallbacks: [{ origin: 'http://198.18.0.2', reason: 'endless' }],
    unauthorised: 1,
  },
};

test('a load comes through whole, what is unknown in it too', () => {
  expect(v.parse(loadOutcomeAnswer, overTheWire(OUTCOME))).toStrictEqual(OUTCOME);
  const direct = { ...OUTCOME, gateway: undefined };
  expect(v.parse(loadOutcomeAnswer, overTheWire(direct))).toStrictEqual(direct);
});

test('the counts of the servers come through whole', () => {
  const counters = originCounters();
  counters.arrive('http://198.18.0.2', {})(5);
  expect(v.parse(originCountsAnswer, overTheWire(counters.read()))).toEqual(counters.read());
});

test.each([
  ['a load without its record', loadOutcomeAnswer, { ...OUTCOME, load: undefined }],
  ['a gateway that counted half a request', loadOutcomeAnswer, { ...OUTCOME, gateway: { ...OUTCOME.gateway, unauthorised: 0.5 } }],
  [
    'a fallback for no known reason',
    loadOutcomeAnswer,
    { ...OUTCOME, gateway: { ...OUTCOME.gateway, fallbacks: [{ origin: 'x', reason: 'y' }] } },
  ],
  ['facts without a browser', laneFactsAnswer, { applier: 'driver', untouched: [] }],
  // JSON writes what is no number as null.
  ['a rate that is not known', linkMeasurementAnswer, { rttMs: 300, downKbps: Number.NaN }],
  ['a round trip of nothing', linkMeasurementAnswer, { rttMs: 0, downKbps: 2000 }],
])('%s is refused', (_name, schema: v.GenericSchema, value) => {
  expect(v.is(schema, overTheWire(value))).toBe(false);
});
