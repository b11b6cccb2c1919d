/** A row of the table: a figure found by simulation, and the bar it is held to. */
export type Unit = 'share' | 'runs' | 'loads' | 'p' | 'ratio';

export interface CalibrationRow {
  readonly what: string;
  readonly unit: Unit;
  /** `undefined`: could not be found, which misses every bar. */
  readonly found: number | undefined;
  /** One Monte-Carlo standard error of `found`; `undefined` where there is none to state. */
  readonly error?: number | undefined;
  /** Both ends belong to it. Left out: shown for comparison, nothing to be met. */
  readonly bar?: { readonly low?: number; readonly high?: number } | undefined;
}

export type RowState = 'met' | 'missed' | 'shown';

export function stateOf({ found, bar }: CalibrationRow): RowState {
  if (bar === undefined) return 'shown';
  if (found === undefined) return 'missed';
  // Written so that NaN misses.
  return found >= (bar.low ?? Number.NEGATIVE_INFINITY) && found <= (bar.high ?? Number.POSITIVE_INFINITY) ? 'met' : 'missed';
}
