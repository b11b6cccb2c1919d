import { expect, it } from 'vitest';
import { KEPT_VALUES, OriginRecorder, WaitRecorder } from '../../../src/gateway/gateway-counters.ts';

it('keeps a bounded number of values, and count, total and max of all', () => {
  const waits = new WaitRecorder();
  expect(waits.summary()).toEqual({ count: 0, total: 0, max: undefined, values: [] });
  for (let i = 0; i < KEPT_VALUES; i++) waits.add(1);
  waits.add(9);
  // 4096 x 1 + 9
  expect(waits.summary()).toMatchObject({ count: KEPT_VALUES + 1, total: KEPT_VALUES + 9, max: 9 });
  expect(waits.summary().values).toHaveLength(KEPT_VALUES);
});

it('begins peaks anew at the present level', () => {
  const recorder = new OriginRecorder('http://a.example');
  recorder.opened();
  recorder.opened();
  recorder.sent(1);
  recorder.sent(2);
  recorder.sent(3);
  recorder.handedBack();
  expect(recorder.counters()).toMatchObject({
    peakConnections: 2,
    peakDepth: 3,
    peakOutstanding: 3,
    pipelinedRequests: 2,
    handedBackRequests: 1,
  });
  recorder.settled(2);
  recorder.closed();
  recorder.reset(1);
  expect(recorder.counters()).toMatchObject({ connectionsOpened: 0, peakConnections: 1, peakDepth: 1, peakOutstanding: 1, requests: 0 });
});
