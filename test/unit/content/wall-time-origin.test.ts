import { expect, test } from 'vitest';
import { wallTimeOrigin } from '../../../src/content/wall-time-origin.ts';

const ORIGIN = 1_800_000_000_000;

test('a document began when it says, as long as its clock keeps step with the wall clock', () => {
  expect(wallTimeOrigin({ timeOrigin: ORIGIN + 0.4, nowMs: 30, wallMs: ORIGIN + 31 })).toBe(ORIGIN + 0.4);
});

test.each([
  ['slept for 12 s', 12_000],
  ['had its clock put back by an hour', -3_600_000],
])('where the machine %s since the process started, by the wall clock', (_what, ms) => {
  expect(wallTimeOrigin({ timeOrigin: ORIGIN, nowMs: 30, wallMs: ORIGIN + ms + 30 })).toBe(ORIGIN + ms);
});
