import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/random.ts';
import { checkSentence } from '../../../../src/core/trial/format-checks.ts';
import { checkLostLoads, checkSampleRatio } from '../../../../src/core/trial/trial-checks.ts';

/** `[attempted, usable]` per arm: arms a, b, c, ... */
function tableOf(...arms: readonly (readonly [number, number])[]) {
  return [arms.map(([attempted, usable], at) => ({ profileId: nameOf(at), attempted, usable, lost: attempted - usable }))];
}
const nameOf = (at: number) => String.fromCharCode(97 + at);
const namesOf = (count: number) => Array.from({ length: count }, (_, at) => nameOf(at));

/** Lost shares of the arms' slots in each pair of blocks, in the order of the arms. */
function pairsOf(count: number, ...lost: readonly number[]) {
  return Array.from({ length: count }, () => lost.map((share, at) => ({ profileId: nameOf(at), lost: share })));
}

describe('the sample-ratio check', () => {
  it('says nothing before each arm has 20 loads, and is passed by equal shares', () => {
    expect(checkSampleRatio(tableOf([20, 20], [19, 19]), namesOf(2)).outcome).toBe('too-early');
    expect(checkSampleRatio(tableOf([20, 20], [20, 20]), namesOf(2))).toMatchObject({
      outcome: 'passed',
      arms: [{ expected: 20, adjustedP: 1 }, { expected: 20 }],
    });
  });

  it('takes the share from the attempts: an arm that was used less often misses nothing', () => {
    const { arms, outcome } = checkSampleRatio(tableOf([90, 81], [30, 27]), namesOf(2));
    expect(outcome).toBe('passed');
    expect(arms.map(({ expected }) => expected)).toEqual([81, 27]);
  });

  it('sees that one of eighteen arms has 30 loads where the others have 60', () => {
    // 30 of 1050 at a share of 1/18: exact binomial p = 4.8e-5 (the sum of all terms that are no larger), times 18 by Holm.
    const others = Array.from({ length: 17 }, () => [60, 60] as const);
    const { arms } = checkSampleRatio(tableOf([60, 30], ...others), namesOf(18));
    expect(arms[0]?.adjustedP).toBeCloseTo(18 * 4.80555e-5, 8);
  });

  it('raises the alarm where half of an arm is missing, with the counts', () => {
    const check = checkSampleRatio(tableOf([100, 100], [100, 50]), namesOf(2));
    expect(check.outcome).toBe('failed');
    expect(checkSentence(check)).toMatch(/^b has 50 usable loads where about 75 were to be expected/);
  });

  it('keeps the arms of different stretches apart', () => {
    // What all lost while c was there is not held against a and b.
    const [before = []] = tableOf([50, 25], [50, 25], [50, 25]);
    const [after = []] = tableOf([200, 200], [200, 200]);
    expect(checkSampleRatio([before, after], ['a', 'b']).outcome).toBe('passed');
  });
});

describe('the lost-loads check', () => {
  it('is passed where all arms lose alike', () => {
    expect(checkLostLoads(tableOf([100, 60], [100, 60]), pairsOf(10, 0.4, 0.4), namesOf(2)).outcome).toBe('passed');
  });

  it('fails where an arm loses half its loads, from 20 loads of each on', () => {
    expect(checkLostLoads(tableOf([15, 15], [15, 8]), pairsOf(3, 0, 0.5), namesOf(2)).outcome).toBe('too-early');
    const check = checkLostLoads(tableOf([30, 30], [30, 15]), pairsOf(6, 0, 0.5), namesOf(2));
    expect(check.outcome).toBe('failed');
    expect(checkSentence(check)).toBe(
      '15 of the 30 loads with b are missing or cannot be used, where the others lost 0 %: that is not chance.',
    );
  });

  it('is not misled by a network that was dead for three slots of one arm', () => {
    // As single loads 15 of 100 lost against none would be evidence of a thousand and more.
    const dead = [...pairsOf(17, 0, 0), ...pairsOf(3, 0, 1)];
    expect(checkLostLoads(tableOf([100, 100], [100, 85]), dead, namesOf(2)).outcome).not.toBe('failed');
  });

  it('raises a false alarm in at most 1 of 100 trials over 10 looks, with dead networks among them', () => {
    const random = seededRandom(11);
    let alarms = 0;
    for (let run = 0; run < 300; run++) {
      const counts = [
        { attempted: 0, usable: 0 },
        { attempted: 0, usable: 0 },
      ];
      const blocks: { profileId: string; lost: number }[][] = [];
      let isUp = false;
      for (let block = 0; block < 40; block++) {
        blocks.push(
          counts.map((own, at) => {
            const isDead = random.next() < 0.05;
            let kept = 0;
            for (let load = 0; load < 5; load++) if (!isDead && random.next() >= 0.1) kept += 1;
            own.attempted += 5;
            own.usable += kept;
            return { profileId: nameOf(at), lost: 1 - kept / 5 };
          }),
        );
        const table = tableOf(...counts.map(({ attempted, usable }) => [attempted, usable] as const));
        if (block % 4 === 3) isUp ||= checkLostLoads(table, blocks, namesOf(2)).outcome === 'failed';
      }
      if (isUp) alarms += 1;
    }
    // 3 expected at the level; 3 standard deviations more.
    expect(alarms).toBeLessThanOrEqual(3 + 3 * Math.sqrt(3));
  });
});
