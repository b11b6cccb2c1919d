/** Every witness is of a preference of the catalogue, with values that it may have, and every scenario has a witness. */
import { expect, it } from 'vitest';
import { checkPreference } from '../../src/core/profiles/check-profile.ts';
import { WITNESSES } from '../../src/core/profiles/witnesses.ts';
import { SCENARIOS } from '../../src/lab/witness/scenarios/all-scenarios.ts';
import { textOf } from './support/source-tree.ts';

it('a preference has one witness at most', () => {
  const preferences = WITNESSES.map(({ preference }) => preference);
  expect(preferences).toEqual([...new Set(preferences)]);
});

it('both values of a witness are within the bounds of the catalogue, and are two', () => {
  for (const { preference, values } of WITNESSES) {
    for (const value of values) expect(() => checkPreference(preference, value)).not.toThrow();
    expect(values[0]).not.toBe(values[1]);
  }
});

it('every scenario is that of a witness', () => {
  expect(Object.keys(SCENARIOS).toSorted()).toEqual([...new Set(WITNESSES.map(({ scenario }) => scenario))].toSorted());
});

it('every room has its test file', () => {
  for (const room of new Set(WITNESSES.map((witness) => witness.room)))
    expect(textOf(`test/browser/witness/${room}.test.ts`)).toContain(`witnessRoom('${room}')`);
});
