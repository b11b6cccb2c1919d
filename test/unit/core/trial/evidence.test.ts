import { describe, expect, it } from 'vitest';
import { shareEvidence, turnEvidence } from '../../../../src/core/trial/evidence.ts';

describe('shareEvidence', () => {
  it('is 1 without counts', () => {
    expect(shareEvidence([])).toBe(1);
    expect(shareEvidence([{ own: 0, total: 0, share: 0.5 }])).toBe(1);
  });

  it('is the mean likelihood ratio over its odds ratios', () => {
    // Two of two in an arm of share 1/2: a ratio theta and its inverse give (2 theta / (1 + theta))^2 + (2 / (1 + theta))^2
    // = 4 (theta^2 + 1) / (1 + theta)^2: 100/49, 20/9, 5/2, 26/9 and 404/121 for 4/3, 2, 3, 5 and 10.
    const expected = (100 / 49 + 20 / 9 + 5 / 2 + 26 / 9 + 404 / 121) / 10;
    expect(shareEvidence([{ own: 2, total: 2, share: 0.5 }])).toBeCloseTo(expected, 12);
  });

  it('is 1 on average over the binomial distribution, and below it where loads are drawn without replacement', () => {
    // 6 ends of 20 attempts, 8 of them in the arm.
    let binomial = 0;
    let hypergeometric = 0;
    for (let own = 0; own <= 6; own++) {
      const evidence = shareEvidence([{ own, total: 6, share: 0.4 }]);
      binomial += choose(6, own) * 0.4 ** own * 0.6 ** (6 - own) * evidence;
      hypergeometric += ((choose(8, own) * choose(12, 6 - own)) / choose(20, 6)) * evidence;
    }
    expect(binomial).toBeCloseTo(1, 12);
    expect(hypergeometric).toBeLessThan(1);
    expect(hypergeometric).toBeGreaterThan(0.5);
  });

  it('multiplies over stretches within each odds ratio', () => {
    const twice = [
      { own: 3, total: 4, share: 0.5 },
      { own: 3, total: 4, share: 0.5 },
    ];
    expect(shareEvidence(twice)).toBeCloseTo(shareEvidence([{ own: 6, total: 8, share: 0.5 }]), 12);
  });
});

describe('turnEvidence', () => {
  it('is 1 without blocks, and where all slots of a block came to the same', () => {
    expect(turnEvidence([])).toBe(1);
    expect(turnEvidence([{ own: 0.4, all: [0.4, 0.4, 0.4] }])).toBeCloseTo(1, 12);
  });

  it('grows by less than the number of slots with every block', () => {
    // The arm's slot lost everything, the other nothing, in each of ten blocks: 2^10 at most.
    const block = { own: 1, all: [1, 0] };
    const evidence = turnEvidence(Array.from({ length: 10 }, () => block));
    expect(evidence).toBeLessThan(2 ** 10);
    // Of eight tilts, that of 8 alone gives (2 e^8 / (e^8 + 1))^10 / 8 = 127.6.
    expect(evidence).toBeGreaterThan(127);
  });
});

function choose(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
