/** Rows that state in what share of the runs something happened. */
import type { CalibrationRow } from './row.ts';

export interface ShareBar {
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Standard errors by which the full count may be beyond the bar; 0 unless said. */
  readonly allowance?: number;
}

/** With fewer runs than the full count, a bar is moved by so many standard errors: chance alone passes it once in 700 times. */
const ALLOWANCE_OF_FEW = 3;

export function shareRow<Outcome>(
  what: string,
  outcomes: readonly Outcome[],
  {
    happened,
    bar,
    full,
  }: { readonly happened: (outcome: Outcome) => boolean; readonly bar?: ShareBar | undefined; readonly full: boolean },
): CalibrationRow {
  const runs = outcomes.length;
  if (runs === 0) return { what, unit: 'share', found: undefined, bar: {} };
  const found = outcomes.filter(happened).length / runs;
  const row = { what, unit: 'share', found, error: standardError(found, runs) } as const;
  if (bar === undefined) return row;
  const { atMost, atLeast, allowance = 0 } = bar;
  const errors = full ? allowance : Math.max(allowance, ALLOWANCE_OF_FEW);
  return {
    ...row,
    bar: {
      ...(atMost !== undefined && { high: atMost + errors * standardError(atMost, runs) }),
      ...(atLeast !== undefined && { low: atLeast - errors * standardError(atLeast, runs) }),
    },
  };
}

function standardError(share: number, runs: number): number {
  return Math.sqrt((share * (1 - share)) / runs);
}
