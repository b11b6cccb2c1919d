/** When the soak looks at what Firefox keeps for the event page, and which arguments it takes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptByEventPage } from '../soak/process-memory.ts';
import { parseSoakArguments } from '../soak/soak-arguments.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts in the order they are asked for; the last one from then on. `null`: the event page has ended. */
function eventPage(...counts: readonly (number | null)[]) {
  let asked = 0;
  const run = async () => counts[Math.min(asked++, counts.length - 1)];
  return { run: run as never, ask: async () => undefined as never };
}

const look = async (counts: readonly (number | null)[], before?: number) => {
  const count = keptByEventPage(eventPage(...counts), before);
  await vi.runAllTimersAsync();
  return count;
};

test('what is left when the event page ends is counted, however soon it ends', async () => {
  expect(await look([14, 14, null], 8)).toBe(14);
  expect(await look([106, null], 8)).toBe(106);
});

test('what is closed before the event page ends is not counted', async () => {
  expect(await look([14, 11, 8, 14], 8)).toBe(8);
  expect(await look([14, 9, null], 8)).toBe(9);
});

test('what is never closed is counted while the event page lives on', async () => {
  expect(await look([14], 8)).toBe(14);
});

test('the first look takes what is there', async () => {
  expect(await look([8, 7])).toBe(8);
});

test('without an event page nothing is known', async () => {
  expect(await look([null], 8)).toBeUndefined();
});

test('it runs for an hour and 10,000 loads unless asked otherwise', () => {
  expect(parseSoakArguments([])).toEqual({ minutes: 60, loads: 10_000, write: false, resume: false, help: false });
  expect(parseSoakArguments(['--minutes', '0.5', '--loads', '40', '--write', '--resume'])).toEqual({
    minutes: 0.5,
    loads: 40,
    write: true,
    resume: true,
    help: false,
  });
  expect(parseSoakArguments(['--help']).help).toBe(true);
});

test.each([
  [['--minutes', 'many'], '--minutes'],
  [['--minutes', '0'], '--minutes'],
  [['--minutes', 'Infinity'], '--minutes'],
  [['--loads', '2.5'], '--loads'],
  [['--loads', ''], '--loads'],
  [['--hours', '1'], '--hours'],
  [['600'], '600'],
])('%j is refused in one line', (args, named) => {
  const refused = () => parseSoakArguments(args);
  expect(refused).toThrow(named);
  expect(refused).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.not.stringContaining('\n') }));
});
