import { describe, expect, it } from 'vitest';
import type { Comparison, ProfileComparison, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import { rankScenarios } from '../../../src/core/compare/rank-scenarios.ts';
import { gatewayCaution } from '../../../src/core/report/gateway-caution.ts';

type Facts = Pick<ProfileComparison, 'carrier'> & Partial<Pick<VersusBaseline, 'ratio' | 'verdict' | 'loadsNeeded'>>;

const NO_FIGURES = { pairs: 0, pairsAhead: 0, detectableChange: undefined, p: undefined };

const profile = (id: string, { carrier, ratio, verdict = 'better', loadsNeeded }: Facts): ProfileComparison => ({
  id,
  carrier,
  role: verdict === 'baseline' ? 'baseline' : 'candidate',
  loads: 12,
  voidLoads: 0,
  efficiency: { estimate: undefined, low: undefined, high: undefined },
  loadTimeMs: { median: undefined },
  versusBaseline: { ratio, low: undefined, high: undefined, verdict, reason: '', against: 'firefox-default', loadsNeeded, ...NO_FIGURES },
});

const BASELINE = profile('firefox-default', { carrier: 'none', ratio: 1, verdict: 'baseline' });
const DEEP = profile('c4-d6', { carrier: 'gateway', ratio: 1.25 });

const comparison = (profileId: string | null, ...others: readonly ProfileComparison[]): Comparison => ({
  baseline: 'firefox-default',
  profiles: [BASELINE, DEEP, ...others],
  method: { estimate: 'paired', looks: 'any', alpha: 0.05, intervals: 1 },
  scenarios: [],
  modes: [],
  ranking: rankScenarios([], {
    baseline: 'firefox-default',
    profiles: [{ id: 'firefox-default', carrier: 'none', role: 'baseline', depth: 1 }],
  }),
  control: undefined,
  recommendation: { profileId, state: profileId === null ? 'none' : 'recommended', sentence: '' },
});

describe('gatewayCaution', () => {
  it('says what is left of the profile without the gateway', () => {
    expect(gatewayCaution(comparison('c4-d6'))).toBe(
      "Without the gateway (the popup's, or plumbfox gateway), the depth of c4-d6 has no effect: Firefox then sends one request at a time on each connection, which may be slower than firefox-default. Nothing but firefox-default was measured without it.",
    );
  });

  const eight = (facts: Partial<Facts>) => profile('c8-d1', { carrier: 'none', ...facts });
  it.each<[string, readonly ProfileComparison[]]>([
    ['Best of those measured without it: c8-d1, 8 % more efficient than firefox-default; verdict: better.', [eight({ ratio: 1.08 })]],
    [
      'Best of those measured without it: c8-d1, 2 % more efficient than firefox-default; verdict: need more loads (about 9).',
      [eight({ ratio: 1.02, verdict: 'need-more-loads', loadsNeeded: 9 })],
    ],
    [
      'Best of those measured without it: c10-d1, 9 % more efficient than firefox-default; verdict: better.',
      [eight({ ratio: 1.08 }), profile('c10-d1', { carrier: 'none', ratio: 1.09 })],
    ],
    // One that was carried, and one whose checks failed, are not named however good they look.
    [
      'Best of those measured without it: c8-d1, 8 % more efficient than firefox-default; verdict: better.',
      [
        eight({ ratio: 1.08 }),
        profile('c5-d8', { carrier: 'gateway', ratio: 1.4 }),
        profile('c16-d1', { carrier: 'none', ratio: 2, verdict: 'no-verdict' }),
      ],
    ],
    ['Of those measured without it, none did better than firefox-default.', [eight({ ratio: 0.97, verdict: 'worse' })]],
    ['There is no verdict on any profile measured without it.', [eight({ verdict: 'no-verdict' })]],
  ])('%s', (sentence, others) => {
    expect(gatewayCaution(comparison('c4-d6', ...others))?.endsWith(` ${sentence}`)).toBe(true);
  });

  it.each([['c8-d1'], ['firefox-default'], [null]])('is silent where %s is recommended', (profileId) => {
    expect(gatewayCaution(comparison(profileId, eight({ ratio: 1.08 })))).toBeUndefined();
  });
});
