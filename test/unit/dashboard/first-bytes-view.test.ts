import { expect, it } from 'vitest';
import type { FirstBytes } from '../../../src/core/field/first-bytes.ts';
import { firstBytesView } from '../../../src/dashboard/first-bytes-view.ts';
import { english } from '../../support/english.ts';
import { xmlFault } from '../../support/well-formed.ts';
import { plain } from '../controls/sample-state.ts';

const FOUND: FirstBytes = {
  ...{ loads: 20, fresh: 40, reused: 200, setUpMs: 45 },
  rows: [
    {
      cutoffPercent: 50,
      fresh: { valueMs: 120, meanMs: 90, intervalMs: { low: 110, high: 131 } },
      reused: { valueMs: 80, meanMs: 60, intervalMs: { low: 75, high: 85 } },
      ratio: 1.5,
      ratioInterval: { low: 1.4, high: 1.6 },
    },
    { cutoffPercent: 60, fresh: { valueMs: 1_200, meanMs: 700 }, reused: { valueMs: 90, meanMs: 0 } },
  ],
  curves: { fresh: [{ ms: 120, share: 0.5 }], reused: [{ ms: 80, share: 0.5 }] },
};
const view = (found: Partial<FirstBytes> = {}) => plain(firstBytesView({ ...FOUND, ...found }, 376));

it('has a row for each cut-off, with intervals where there are any', () => {
  const { basis, notes, drawn } = view();
  expect(drawn?.table.rows).toEqual([
    ['50 %', '120 ms (110 ms to 131 ms)', '80 ms (75 ms to 85 ms)', '90 ms', '60 ms', '+50 % (+40 % to +60 %)'],
    ['60 %', '1.2 s (no interval yet)', '90 ms (no interval yet)', '700 ms', '0 ms', 'unknown'],
  ]);
  expect(drawn?.table.headings).toHaveLength(6);
  expect(basis).toBe(english('firstBytes.basis', { loads: english('count.loads', { count: 20 }) }));
  expect(notes[0]).toBe(english('firstBytes.setUp', { time: 45, requests: english('count.requests', { count: 40 }) }));
});

it('draws both curves, and names the requests that each rests on', () => {
  const { drawn } = view();
  expect(xmlFault(drawn?.svg ?? '')).toBeUndefined();
  expect(drawn?.svg).toContain('new connections (40 requests)');
  expect(drawn?.svg.match(/class="interval"/g)).toHaveLength(2);
});

it('says how many there are where these are too few', () => {
  expect(view({ rows: [], fresh: 3, reused: 0 })).toEqual({ basis: english('firstBytes.few', { fresh: 3, reused: 0 }), notes: [] });
});
