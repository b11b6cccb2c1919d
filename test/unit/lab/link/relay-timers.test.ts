import { expect, test } from 'vitest';
import { orderedTimers, overloadWatch, type StartTimer } from '../../../../src/lab/link/relay-timers.ts';

/** Timers that end when told, by their number in the order in which they were started. */
function hand() {
  const started: { readonly action: () => void; readonly delayMs: number }[] = [];
  const start: StartTimer = (action, delayMs) => void started.push({ action, delayMs });
  return { started, start, fire: (number: number) => started[number]?.action() };
}

test('actions are done in the order in which they were added, whichever timer comes first', () => {
  const timers = hand();
  const done: string[] = [];
  const at = orderedTimers(() => 100, timers.start);
  for (const name of ['first', 'second', 'third']) at(105, () => done.push(name));
  timers.fire(2);
  expect(done).toEqual(['first']);
  timers.fire(0);
  timers.fire(1);
  expect(done).toEqual(['first', 'second', 'third']);
});

test('a timer runs until the action is due, and never backwards', () => {
  const timers = hand();
  const at = orderedTimers(() => 100, timers.start);
  at(105.5, () => {});
  at(90, () => {});
  expect(timers.started.map(({ delayMs }) => delayMs)).toEqual([5.5, 0]);
});

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
