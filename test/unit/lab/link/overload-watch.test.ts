import { expect, test } from 'vitest';
import { overloadWatch } from '../../../../src/lab/link/relay-timers.ts';

/** Looks every second at a process that used these shares of a processor. */
function looks(shares: readonly number[]): (number | undefined)[] {
  const watch = overloadWatch({ busyMs: 70, nowMs: 1000 });
  let busyMs = 70;
  return shares.map((share, second) => {
    busyMs += share * 1000;
    return watch.look({ busyMs, nowMs: 1000 + (second + 1) * 1000 });
  });
}

test('a relay that is never idle for five seconds cannot keep up', () => {
  expect(looks([0.2, 0.95, 0.95, 0.95, 0.95]).every((each) => each === undefined)).toBe(true);
  expect(looks([0.2, 0.95, 0.95, 0.95, 0.95, 0.95]).at(-1)).toBeCloseTo(0.95, 9);
});

test('one that was idle in between, or busy with what it can carry, keeps up', () => {
  const shares = [0.95, 0.95, 0.95, 0.95, 0.5, 0.95, 0.95, 0.95, 0.95, ...Array.from({ length: 20 }, () => 0.75)];
  expect(looks(shares).every((each) => each === undefined)).toBe(true);
});
