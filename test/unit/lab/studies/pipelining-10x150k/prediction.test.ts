/** Of "Firefox Pipelining: Be Afraid" (14 July 2011): 10 images of 150 kB, RTT 100 ms, 6 connections, the last four pipelined onto one of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { predict } from '../../../../../src/core/predict/predict.ts';
import { images } from '../../../../../src/lab/pages/pages.ts';
import { idleTransferMs, segmentTimeMs } from '../../../core/simulate/closed-form.ts';

const SEGMENTS = 103;
const FOUR = { requests: Array.from({ length: 4 }, (_, at) => ({ id: `picture-${at + 6}`, bytes: SEGMENTS * 1460 })) };

const times = (downKbps: number) => {
  const link = { rttMs: 100, downKbps, upKbps: 100_000_000 };
  const [one, spread] = predict({ page: FOUR, link, profiles: ['c1-d4', 'c4-d1'], model: { gatewayVisit: 'known-site' } });
  return { one: one?.loadTimeMs ?? Number.NaN, spread: spread?.loadTimeMs ?? Number.NaN };
};

describe('four images of 150 kB', () => {
  it('are those of the image page', () => {
    expect(images.resources.slice(6).map(({ bytes }) => Math.round(bytes / SEGMENTS / 14.6))).toEqual([100, 100, 100, 100]);
  });

  it('take two rounds of slow start more on one cold connection than spread over four', () => {
    // A window of 10 sends 10, 20, 40, 80, 160, 320: 412 segments take six rounds, 103 take four; on the line a segment takes 0.1168 ms.
    const { one, spread } = times(100_000);
    expect(one).toBeCloseTo(idleTransferMs({ rttMs: 100, segmentMs: segmentTimeMs(100_000), window: 10, segments: 4 * SEGMENTS }), 1);
    // Four connections are one with four times the window, but for the last round, which each begins by itself: less than a round's 40 segments.
    const together = idleTransferMs({ rttMs: 100, segmentMs: segmentTimeMs(100_000), window: 40, segments: 4 * SEGMENTS });
    expect(spread).toBeGreaterThanOrEqual(together);
    expect(spread).toBeLessThan(together + 40 * segmentTimeMs(100_000));
    expect(one - spread).toBeGreaterThan(190);
  });

  it('are as much slower as docs/decisions/023-the-2008-study-simulated.md says', () => {
    const page = readFileSync(new URL('../../../../../docs/decisions/023-the-2008-study-simulated.md', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    const said =
      /onto one cold connection is predicted to take (\d\.\d) times as long as spreading them over four at 100 Mbit\/s, (\d\.\d) times at 10/.exec(
        page,
      );
    for (const [at, downKbps] of [100_000, 10_000].entries()) {
      const { one, spread } = times(downKbps);
      expect(said?.[at + 1]).toBe((one / spread).toFixed(1));
    }
  });
});
