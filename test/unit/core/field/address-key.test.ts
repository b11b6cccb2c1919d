import { expect, test } from 'vitest';
import { addressKey } from '../../../../src/core/field/address-key.ts';

// As its author lists them for the seed 0; all of them also computed with Python's integers, which have no bound.
test.each([
  ['', 3338908027751811],
  ['a', 7929297801672961],
  ['b', 8684336938537663],
  ['revenge', 4051478007546757],
  ['revenue', 8309097637345594],
  ['https://site.test/', 7317237567491834],
  ['例え', 3318913636144097],
])('%j is the number %i', (text, key) => {
  expect(addressKey(text)).toBe(key);
});
