import { describe, expect, it } from 'vitest';
import { didYouMean, nearestName } from '../../../src/core/nearest-name.ts';

const LINKS = ['far-2m', 'dsl-10m', 'dsl-25m', '4g-15m'];

describe('nearestName', () => {
  it('sets a slip of a few letters right', () => {
    expect(nearestName('fra-2m', LINKS)).toBe('far-2m');
    expect(nearestName('4g-15', LINKS)).toBe('4g-15m');
    // Neighbours swapped are one slip, or a word of four letters would allow none.
    expect(nearestName('tuen', ['tune', 'lab'])).toBe('tune');
  });

  it('takes a beginning for the one name that has it, and for none where two have', () => {
    expect(nearestName('far', LINKS)).toBe('far-2m');
    expect(nearestName('dsl', LINKS)).toBeUndefined();
    expect(nearestName('fa', LINKS)).toBeUndefined();
  });

  it('knows another word from a slip', () => {
    expect(nearestName('satellite', LINKS)).toBeUndefined();
    expect(didYouMean('satellite', LINKS)).toBe('');
    expect(didYouMean('fra-2m', LINKS)).toBe(' Did you mean far-2m?');
  });
});
