import { expect, it } from 'vitest';
import { acceptanceBand } from './acceptance-band.ts';

it('is the quantiles of the binomial distribution', () => {
  // scipy.stats.binom.ppf([0.0005, 0.9995], 2000, 0.05).
  expect(acceptanceBand({ runs: 2000, p: 0.05, level: 0.999 })).toEqual({ low: 69, high: 133 });
  // Two coins: 0, 1, 2 heads with 1/4, 1/2, 1/4. A tail of 1/5 is within the first and the last.
  expect(acceptanceBand({ runs: 2, p: 0.5, level: 0.6 })).toEqual({ low: 0, high: 2 });
  // Of 3/10 it takes the first and more, and all but the last: 1 to 1.
  expect(acceptanceBand({ runs: 2, p: 0.5, level: 0.4 })).toEqual({ low: 1, high: 1 });
});
