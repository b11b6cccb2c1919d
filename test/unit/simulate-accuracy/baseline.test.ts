import { describe, expect, it } from 'vitest';
import { baselineOf, parseBaseline, worseThan } from '../../accuracy/harness/baseline.ts';
import { evaluate } from '../../accuracy/harness/evaluate.ts';
import { MEASURED } from './measured-corpus.ts';

/** Predictions off by these shares of 1000, 2000 and 500 ms; `of` a scenario otherwise than the rest. */
function baseline(errors: readonly [number, number, number], of: Readonly<Record<string, readonly [number, number, number]>> = {}) {
  return baselineOf(
    evaluate(MEASURED, {
      predictor: ({ name }) => {
        const [a, b, c] = of[name] ?? errors;
        return new Map([
          ['firefox-default', 1000 * (1 + a)],
          ['c1-d2', 2000 * (1 + b)],
          ['c4-d6', 500 * (1 + c)],
        ]);
      },
    }),
  );
}
const before = baseline([0.1, 0.1, 0.1]);

describe('the baseline', () => {
  it('has the rounded figures of both halves and of every scenario', () => {
    expect(before.reporting).toEqual({
      scenarios: 2,
      pairs: 6,
      errorP50: 0.1,
      errorP90: 0.1,
      errorP95: 0.1,
      bias: 0.1,
      spearman: 1,
      kendall: 1,
      bestFound: 1,
    });
    expect(Object.keys(before.scenarios)).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
    expect(before.scenarios['a/2']).toMatchObject({ half: 'reporting', errors: { 'firefox-default': 0.1, 'c1-d2': 0.1, 'c4-d6': 0.1 } });
  });

  it('is read as it was written', () => {
    expect(parseBaseline(JSON.stringify(before))).toEqual(before);
    expect(() => parseBaseline('{"calibration":{}}')).toThrow(/is no baseline .*npm run accuracy -- --write/);
    expect(() => parseBaseline('not JSON')).toThrow(/is no baseline/);
  });
});

describe('worse than the baseline', () => {
  it('is nothing that is as good, better, or off by rounding', () => {
    expect(worseThan(before, before)).toEqual([]);
    expect(worseThan(before, baseline([0.02, -0.03, 0.1]))).toEqual([]);
    expect(worseThan(before, baseline([0.1004, 0.1004, 0.1004]))).toEqual([]);
  });

  it('is a scenario that lost more than a percentage point, although another gained', () => {
    const now = baseline([0, 0, 0], { 'b/1': [0.12, 0.12, 0.12] });
    expect(worseThan(before, now)).toEqual([
      'reporting half: error p90 10.0 % -> 12.0 %',
      'reporting half: error p95 10.0 % -> 12.0 %',
      [
        'b/1 (reporting): mean error 10.0 % -> 12.0 %',
        '  was: firefox-default +10.0 %, c1-d2 +10.0 %, c4-d6 +10.0 %',
        '  now: firefox-default +12.0 %, c1-d2 +12.0 %, c4-d6 +12.0 %',
      ].join('\n'),
    ]);
  });

  it('is a half that got worse a little everywhere, with every scenario that did', () => {
    const worse = worseThan(before, baseline([0.104, 0.104, 0.104]));
    expect(worse.filter((line) => line.includes('half: error p50'))).toHaveLength(2);
    expect(worse.filter((line) => line.includes('mean error 10.0 % -> 10.4 %'))).toHaveLength(4);
  });

  it('is an order that is wrong, and a best profile that is missed', () => {
    // c4-d6 (500 ms) predicted as 1050 and firefox-default (1000 ms) as 900: errors stay below those of a baseline that was as far off.
    const far = baseline([1.1, 1.1, 1.1]);
    const worse = worseThan(far, baseline([-0.1, 0.1, 1.1]));
    expect(worse).toContain('calibration half: best found 100.0 % -> 0.0 %');
    expect(worse).toContain('reporting half: rho 1.000 -> 0.500');
  });

  it('is a corpus that is not the baseline’s', () => {
    const other = { ...before, scenarios: Object.fromEntries(Object.entries(before.scenarios).slice(1)) };
    expect(worseThan(other, before)).toEqual([
      'new: a/1 firefox-default (calibration half)',
      'new: a/1 c1-d2 (calibration half)',
      'new: a/1 c4-d6 (calibration half)',
      'The corpus is not the one of the baseline: npm run accuracy -- --write',
    ]);
    expect(worseThan(before, other)[0]).toBe('gone: a/1 firefox-default (calibration half)');
  });
});
