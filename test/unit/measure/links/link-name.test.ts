import { expect, it } from 'vitest';
import { linkName } from '../../../../src/core/measure/links/class-figures.ts';

it.each([
  [{ rttMs: 50, downKbps: 10_000 }, 'RTT 50 ms, 10 Mbit/s'],
  // 2.2 lies nearer to 2 (a tenth) than to 2.5 (an eighth); 970 kbit/s nearer to 1000 than to 800.
  [{ rttMs: 48, downKbps: 2_200 }, 'RTT 50 ms, 2 Mbit/s'],
  [{ rttMs: 12, downKbps: 970 }, 'RTT 12 ms, 1 Mbit/s'],
  [{ rttMs: 640, downKbps: 384 }, 'RTT 600 ms, 400 kbit/s'],
  [{ rttMs: 0.4, downKbps: 1_180_000 }, 'RTT 1 ms, 1200 Mbit/s'],
  [{ rttMs: 30 }, 'RTT 30 ms'],
])('%o is called %s', (figures, name) => {
  expect(linkName(figures)).toBe(name);
});

it('stays the same while the estimate moves by a tenth about a preferred number', () => {
  for (const rttMs of [46, 50, 54]) expect(linkName({ rttMs, downKbps: 10_000 })).toBe('RTT 50 ms, 10 Mbit/s');
});
