import { expect, test } from 'vitest';
import { timeLeft } from '../../../../src/lab/study-run/work-left.ts';

test('the time left goes by the predictions, and by how far they were off so far', () => {
  const left = timeLeft({ loadsMs: 1000, aroundMs: 0 });
  expect(left.leftMs()).toBe(1000);
  // Twice as long as predicted: what is left is likely to be so too.
  left.loadDone({ expectedMs: 100, tookMs: 200 });
  expect(left.leftMs()).toBe(1800);
  left.loadDone({ expectedMs: 900, tookMs: 800 });
  expect(left.leftMs()).toBe(0);
});

test('what is around the loads is counted as it is', () => {
  const left = timeLeft({ loadsMs: 1000, aroundMs: 600 });
  left.loadDone({ expectedMs: 500, tookMs: 1000 });
  expect(left.leftMs()).toBe(1600);
  left.overheadDone(600);
  expect(left.leftMs()).toBe(1000);
});
