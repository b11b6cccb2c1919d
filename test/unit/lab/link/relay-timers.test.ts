import { expect, test } from 'vitest';
import { orderedTimers, type StartTimer } from '../../../../src/lab/link/relay-timers.ts';

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
