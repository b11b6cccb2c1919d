import { describe, expect, test } from 'vitest';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import { parsePageLoad, parseRawRequestEvent } from '../../../src/protocol/stored-records.ts';
import { entry, event, mainEvent, originOf, pageTiming } from '../../support/observation-builders.ts';

const load = joinPageLoad(
  pageTiming([entry('http://site.test/a.png', 20, 60), entry('data:,x', 20, 21)]),
  [mainEvent('completed', '1', 50), event('completed', '2', 61, { url: 'http://site.test/a.png' }), event('failed', '3', 70)],
  {
    originOf,
    applied: {
      profileId: 'c4-d6',
      applier: 'experiment-api',
      carrier: 'gateway',
      intended: { 'network.proxy.http': '127.0.0.1' },
      readBack: [{ preference: 'network.proxy.http', value: '127.0.0.1', type: 'string', locked: false, userSet: true }],
      mismatches: [],
    },
  },
);

describe('a stored load', () => {
  test('is read as it was written', () => {
    expect(parsePageLoad(structuredClone(load))).toEqual(load);
  });

  test('keeps its place in a trial, and is read without one', () => {
    const mark = { trialId: 't-1', block: 0, slot: 1, profileId: 'c8-d1', position: 0, washout: true };
    const placed = { ...load, trial: { mark, void: 'the trial was paused' } };
    expect(parsePageLoad(structuredClone(placed))).toEqual(placed);
    expect(parsePageLoad(load)).not.toHaveProperty('trial');
    expect(() => parsePageLoad({ ...load, trial: { mark: { ...mark, slot: -1 } } })).toThrow();
  });

  test.each([
    ['another format', { ...load, format: 2 }],
    ['no id', { ...load, id: undefined }],
    ['a time that is no number', { ...load, startedAt: Number.NaN }],
    ['negative bytes', { ...load, requests: [{ ...load.requests[0], wire: { fromCache: false, responseBytes: -1 } }] }],
    ['an outcome that there is not', { ...load, requests: [{ ...load.requests[0], outcome: { state: 'lost' } }] }],
  ])('with %s is refused', (_, broken) => {
    expect(() => parsePageLoad(broken)).toThrow();
  });
});

test('an event without a tab is refused', () => {
  expect(() => parseRawRequestEvent({ ...event('completed', '1', 2), tabId: -1 })).toThrow();
});
