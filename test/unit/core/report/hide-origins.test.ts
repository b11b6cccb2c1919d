import { expect, it } from 'vitest';
import { hideOrigins } from '../../../../src/core/report/hide-origins.ts';
import type { MeasuredLoad } from '../../../../src/core/report/report.ts';

/** Of a load, what is looked at here. */
const load = (order: number, peaks?: Readonly<Record<string, number>>): MeasuredLoad =>
  ({ order, ...(peaks && { measures: { loadTimeMs: 7, peakOutstandingByOrigin: peaks } }) }) as unknown as MeasuredLoad;

it('numbers origins in the order of their first appearance, the same in every load', () => {
  const loads = [
    load(0, { 'http://a.test': 3, 'http://b.test': 1 }),
    load(1),
    load(2, { 'http://c.test': 2, 'http://b.test': 4, 'http://a.test': 5 }),
  ];
  expect(hideOrigins(loads)).toEqual([
    load(0, { 'origin-1': 3, 'origin-2': 1 }),
    load(1),
    load(2, { 'origin-3': 2, 'origin-2': 4, 'origin-1': 5 }),
  ]);
});
