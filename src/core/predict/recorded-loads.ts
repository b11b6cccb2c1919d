/** Predictions compared with recorded loads: where the two deviate, the simulation does not fit this page, and recommends nothing. */
import type { Prediction } from '../simulate/prediction.ts';
import { type errorOf, timeScale, widened } from './model-error.ts';
import type { PredictedScenario } from './predicted-profiles.ts';
import { type Band, bandOf } from './run-band.ts';

/** Real loads of a page under one profile. */
export interface RecordedLoads {
  readonly page: string;
  /** `undefined`: the record does not show its link. */
  readonly link: string | undefined;
  readonly profileId: string;
  readonly loads: number;
  /** The median of several, ms. */
  readonly loadTimeMs: number;
  /** Bounds of that median; absent: not known. */
  readonly intervalMs?: { readonly low: number; readonly high: number } | undefined;
}

/** `parts`: the two deviate by more than nine of ten predictions do; `not-judged`: the model's error is unknown. */
export const RECORD_STATES = ['agrees', 'parts', 'not-judged'] as const;

/** Recorded loads with what was simulated of the same page, link and profile. */
export interface RecordComparison {
  readonly page: string;
  readonly link: string;
  readonly profileId: string;
  readonly loads: number;
  readonly recordedMs: number;
  /** Bounds of it; absent: not known. */
  readonly recordedIntervalMs?: { readonly low: number; readonly high: number };
  readonly simulatedMs: number;
  /** Where the recorded time should lie; absent: such bands are not known to hold. */
  readonly simulatedBandMs?: Band;
  /** Simulated less recorded, as a share of the recorded: -0.1 is 10 % too fast. */
  readonly difference: number;
  /** How far nine of ten such simulations are off, a share; absent: never measured. */
  readonly limit?: number;
  readonly state: (typeof RECORD_STATES)[number];
}

/** Compares each record whose page, link and profile were simulated, by the error of its own simulation's regime. */
export function compareWithRecord(
  recorded: readonly RecordedLoads[],
  scenarios: readonly PredictedScenario[],
  errorOfThese: (predictions: readonly Prediction[]) => ReturnType<typeof errorOf>,
): readonly RecordComparison[] {
  return recorded.flatMap(({ page, link, profileId, loads, loadTimeMs, intervalMs }): readonly RecordComparison[] => {
    const scenario = scenarios.find((each) => each.page === page && each.link === link);
    const simulated = scenario?.predictions.find((each) => each.profileId === profileId);
    if (link === undefined || simulated === undefined || loadTimeMs <= 0) return [];
    const difference = simulated.loadTimeMs / loadTimeMs - 1;
    const { errorP90: limit, margins } = errorOfThese([simulated]) ?? {};
    const runs = bandOf(simulated.runsMs ?? []) ?? { low: simulated.loadTimeMs, high: simulated.loadTimeMs };
    const simulatedBandMs = margins && widened(runs, margins, timeScale(simulated.loadTimeMs));
    const state = limit === undefined ? 'not-judged' : Math.abs(difference) <= limit ? 'agrees' : 'parts';
    const beside = { page, link, profileId, loads, recordedMs: loadTimeMs, simulatedMs: simulated.loadTimeMs, difference, state } as const;
    return [
      {
        ...beside,
        ...(limit !== undefined && { limit }),
        ...(simulatedBandMs && { simulatedBandMs }),
        ...(intervalMs && { recordedIntervalMs: intervalMs }),
      },
    ];
  });
}

/** Whether the simulation deviates from the record of this page over this link; over other links all records of the page decide. */
export function deviatesFromRecord({ page, link }: Pick<RecordComparison, 'page' | 'link'>, beside: readonly RecordComparison[]): boolean {
  const ofPage = beside.filter((each) => each.page === page);
  const own = ofPage.filter((each) => each.link === link);
  const deciding = own.length > 0 ? own : ofPage;
  return deciding.length > 0 && deciding.every(({ state }) => state === 'parts');
}
