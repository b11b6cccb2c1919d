/** What the warm-up study plans: its links and profiles, and that no load takes longer than it may. */
import { describe, expect, it } from 'vitest';
import { checkProfile } from '../../../../../src/core/profiles/check-profile.ts';
import type { LinkSpec } from '../../../../../src/lab/link/link-spec.ts';
import { warmUp } from '../../../../../src/lab/studies/warm-up.ts';
import { expectedLoadMs, type StudyBlock, studyPlan } from '../../../../../src/lab/study-run/study-plan.ts';

describe('the study', () => {
  /** What a load takes besides its own time, ms, as the design allows at most. */
  const AROUND_LOAD_MS = 600;
  /** Measured in Firefox 153 on Linux 6.18: about 1,310 bytes come in a round trip with a buffer of 4,096. */
  const windowOf = (bufferBytes: number) => bufferBytes / 3.2;
  /** Measured there: a response of 1 kB with a buffer of 512 bytes. */
  const TINY_BUFFER_MS = 2200;

  /** The simulator knows no receive buffer: what it adds comes on top. */
  function bufferMs({ page, link }: Pick<StudyBlock, 'page' | 'link'>): number {
    const { receiveBufferBytes } = link;
    if (receiveBufferBytes === undefined) return 0;
    const objects = page.recipe.resources.length;
    if (receiveBufferBytes < 1024) return (1 + objects) * (TINY_BUFFER_MS + link.rttMs);
    const bytes = page.recipe.resources[0]?.bytes ?? 0;
    return objects * Math.floor(bytes / windowOf(receiveBufferBytes)) * link.rttMs;
  }

  const minutes = (cut: Parameters<typeof studyPlan>[1]['cut']) => {
    const once = studyPlan(warmUp, { cut: { ...cut, repeats: 1 }, seed: 1 });
    const ms = once.blocks.map((block) => {
      const times = expectedLoadMs(block, once.profiles);
      return block.loads.reduce((sum, { profileId }) => sum + (times.get(profileId) ?? Number.NaN) + AROUND_LOAD_MS + bufferMs(block), 0);
    });
    return ((cut.repeats ?? warmUp.repeats) * ms.reduce((a, b) => a + b, 0)) / 60_000;
  };

  it('is predicted to take at most ten minutes in one lane, and its cut one', () => {
    expect(minutes({})).toBeLessThan(10);
    expect(minutes({})).toBeGreaterThan(2);
    expect(minutes(warmUp.cut)).toBeLessThan(1);
  });

  it('measures no page over a link where a load would take longer than it may', () => {
    const plan = studyPlan(warmUp, { cut: { repeats: 1 }, seed: 1 });
    for (const block of plan.blocks)
      expect(bufferMs(block), `${block.page.name} over ${block.link.name}`).toBeLessThan(warmUp.timeoutS * 1000);
  });

  it('has the buffers of the survey, named by their size, and one connection per server', () => {
    const buffers = (rttMs: number) =>
      warmUp.links.filter((link: LinkSpec) => link.rttMs === rttMs).map(({ name, receiveBufferBytes }) => [name, receiveBufferBytes]);
    expect(buffers(20)).toEqual([
      ['near-20m', undefined],
      ['near-20m-rmem512', 512],
      ['near-20m-rmem4k', 4096],
      ['near-20m-rmem8k', 8192],
      ['near-20m-rmem16k', 16_384],
      ['near-20m-rmem32k', 32_768],
      ['near-20m-rmem64k', 65_536],
    ]);
    expect(buffers(200).map(([name]) => name)).toEqual(['far-20m', 'far-20m-rmem4k', 'far-20m-rmem16k', 'far-20m-rmem64k']);
    for (const profile of warmUp.profiles) {
      checkProfile(profile);
      expect(profile.connections).toBe(1);
    }
    expect(warmUp.profiles.map(({ preferences }) => preferences['network.http.speculative-parallel-limit'])).toEqual([20, 6, 0]);
  });
});
