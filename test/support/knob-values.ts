/** Any value that a knob may have, and the type that Firefox holds it in. */
import fc from 'fast-check';
import type { KnobBounds, PreferenceValue } from '../../src/core/profiles/knob.ts';

export function anyValue({ bounds }: { readonly bounds: KnobBounds }): fc.Arbitrary<PreferenceValue> {
  switch (bounds.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(bounds.min, bounds.max) }, { weight: 8, arbitrary: fc.integer(bounds) });
    case 'decimal':
      // Hundredths, as people write them.
      return fc.integer({ min: bounds.min * 100, max: bounds.max * 100 }).map((hundredths) => String(hundredths / 100));
  }
}

export const heldType = ({ bounds }: { readonly bounds: KnobBounds }): 'number' | 'boolean' | 'string' =>
  bounds.type === 'integer' ? 'number' : bounds.type === 'decimal' ? 'string' : 'boolean';
