/** Prices that a command has accepted: by value, and never without being shown. */
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { acceptPrice } from '../../../src/cli/accept-price.ts';
import { profileOf } from '../../../src/core/profiles/presets.ts';

const MODE = 'network.trr.mode';
const PREFETCH = 'network.prefetch-next';

let stderr: MockInstance<typeof process.stderr.write>;
beforeEach(() => {
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => stderr.mockRestore());

const accept = (preferences: Record<string, number | boolean>, ...given: readonly string[]) =>
  acceptPrice(profileOf({ depth: 1, preferences }), given.length === 0 ? undefined : given);

it('an accepted price is shown', async () => {
  await accept({ [MODE]: 2, [PREFETCH]: true }, `${MODE}=2,${PREFETCH}`);
  expect(stderr.mock.calls.map(([line]) => String(line).split(':')[0])).toEqual([`${PREFETCH}=true`, `${MODE}=2`]);
});

it('what was accepted for one value of a number is not accepted for another', async () => {
  await expect(accept({ [MODE]: 5 }, `${MODE}=2`)).rejects.toThrow(/at no price/);
  await expect(accept({ [MODE]: 5 }, MODE)).rejects.toThrow(`name the value, ${MODE}=5`);
});

it('without an answer, the way to accept names the value', async () => {
  await expect(accept({ [MODE]: 5 })).rejects.toThrow(`to accept it: --accept-price ${MODE}=5`);
  expect(stderr).not.toHaveBeenCalled();
});

it('what costs nothing is written without a word', async () => {
  await accept({ [PREFETCH]: false });
  expect(stderr).not.toHaveBeenCalled();
});
