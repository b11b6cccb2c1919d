import { expect, it } from 'vitest';
import { calibrateHelp, DEFAULT_SEED, parseCalibrateArguments } from './calibrate-arguments.ts';

const parse = (...args: string[]) => parseCalibrateArguments(args, ['one', 'two']);

it('runs everything in full with the seed that is printed, unless told otherwise', () => {
  expect(parse()).toEqual({
    only: [],
    json: false,
    fresh: false,
    kept: false,
    workers: undefined,
    help: false,
    seed: DEFAULT_SEED,
    runs: undefined,
  });
  expect(parse('--only', 'two', '--only', 'one', '--runs', '7', '--seed', '0', '--json', '--fresh', '--kept', '--workers', '1')).toEqual({
    only: ['two', 'one'],
    json: true,
    fresh: true,
    kept: true,
    workers: 1,
    help: false,
    seed: 0,
    runs: 7,
  });
});

it.each([
  [['--only', 'three'], 'There is no line three. Lines: one, two'],
  [['--runs', '0'], '--runs must be a whole number from 1'],
  [['--runs', '1e3'], '--runs must be a whole number from 1'],
  [['--workers', '0'], '--workers must be a whole number from 1'],
  [['--seed', '4294967296'], '--seed must be a whole number from 0'],
  [['--quick'], "Unknown option '--quick'"],
])('refuses %j', (args, message) => {
  expect(() => parse(...args)).toThrow(message);
});

it('has every option and line in its help', () => {
  const help = calibrateHelp(['one', 'two']);
  for (const option of ['--only', '--runs', '--seed', '--fresh', '--kept', '--workers', '--json', '--help']) expect(help).toContain(option);
  expect(help).toContain('Lines: one, two');
});
