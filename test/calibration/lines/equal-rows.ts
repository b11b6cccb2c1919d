/** The rows of lines in which all profiles are equal. */
import { kolmogorovSmirnovUniform } from '../../support/stats/kolmogorov-smirnov.ts';
import { acceptanceBand } from '../harness/acceptance-band.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { shareRow } from '../harness/share-row.ts';
import { type FalseWins, PEEKS } from './equal-arms.ts';

/** Of one comparison, over all its intervals. */
export const ALPHA = 0.05;
/** Standard errors of the full count by which a rate may be above 5 % where the bar allows for Monte-Carlo error. */
export const MONTE_CARLO = 2;
/** Chance that a test which is right is outside its band. */
const BAND_LEVEL = 0.999;
const LEAST_KS_P = 0.001;
/** Of intervals that exclude no change. */
export const LOOKS_ROW = `false wins at any of ${PEEKS} looks and the planned end`;

/** Neither too many false wins nor too few: the test uses up what it is allowed. */
export function fixedBandRow(outcomes: readonly FalseWins[]): CalibrationRow {
  const found = outcomes.filter(({ once }) => once).length;
  const runs = outcomes.length;
  return {
    what: 'false wins at the one look that was planned',
    unit: 'runs',
    found,
    error: Math.sqrt(ALPHA * (1 - ALPHA) * runs),
    bar: acceptanceBand({ runs, p: ALPHA, level: BAND_LEVEL }),
  };
}

export function uniformRow(outcomes: readonly FalseWins[]): CalibrationRow {
  const values = outcomes.flatMap(({ p }) => (p === undefined ? [] : [p]));
  const found = values.length === outcomes.length ? kolmogorovSmirnovUniform(values).p : undefined;
  return { what: 'p-values uniform: p of Kolmogorov-Smirnov', unit: 'p', found, bar: { low: LEAST_KS_P } };
}

export function peeksRow(outcomes: readonly FalseWins[], full: boolean): CalibrationRow {
  return shareRow(LOOKS_ROW, outcomes, {
    happened: ({ any }) => any,
    bar: { atMost: ALPHA, allowance: MONTE_CARLO },
    full,
  });
}

export function claimRows(outcomes: readonly FalseWins[], full: boolean): readonly CalibrationRow[] {
  return [
    shareRow('called better or worse at the one look (by the 3 % rule as well)', outcomes, {
      happened: ({ onceClaimed }) => onceClaimed,
      full,
    }),
    shareRow('called better or worse at any of these looks', outcomes, { happened: ({ anyClaimed }) => anyClaimed, full }),
  ];
}
