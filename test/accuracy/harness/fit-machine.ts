/** What the calibration half says of the machine of the lab: measured on its timelines, and fitted to its load times where they show nothing. */
import { carrierFor } from '../../../src/core/profiles/carrier.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { quantile } from '../../../src/core/stats/quantile.ts';
import { textTable } from '../../../src/core/text/text-table.ts';
import { evaluate, type Predictor, simulator } from './evaluate.ts';
import { type LabMachine, machineOf } from './lab-machine.ts';
import { type MachineFigures, measureMachine } from './measure-machine.ts';
import { type MeasuredProfile, type MeasuredScenario, measuredMs } from './measured-scenario.ts';
import { percent } from './table-figures.ts';

export interface Fitted {
  readonly gatewayWorkMs: number;
  readonly jitterMs: number;
  /** Mean over the scenarios of their mean error. */
  readonly meanError: number;
}

export interface MachineFit {
  readonly measured: MachineFigures;
  /** Scenarios fitted to: a link that drops packets makes chance of a millisecond's difference. */
  readonly scenarios: number;
  /** Best first. */
  readonly fitted: readonly Fitted[];
  /** Of the reporting half, to which nothing was fitted. */
  readonly heldOut: readonly HeldOut[];
}

/** Errors of the same pairs with the figures in use, and with those measured and the best that were fitted. */
export interface HeldOut {
  readonly of: string;
  readonly pairs: number;
  readonly used: Errors;
  readonly fitted: Errors;
}

interface Errors {
  readonly p50: number;
  readonly p90: number;
}

const GATEWAY_WORKS_MS = [0, 1, 2, 3, 3.5, 4, 4.5, 5, 6];
const JITTERS_MS = [0, 1, 2, 3, 4, 5];
const SHOWN = 10;

export const isDirect = (profileId: string): boolean => {
  const profile = findProfile(profileId);
  return profile === undefined || carrierFor(profile, { gateway: true }) === 'none';
};

export function fitMachine(scenarios: readonly MeasuredScenario[]): MachineFit {
  const calibration = scenarios.filter(({ half }) => half === 'calibration');
  const lossless = calibration.filter(({ profiles }) => profiles.every(({ loads }) => loads.every(({ dropped }) => dropped === 0)));
  const measured = measureMachine(calibration, isDirect);
  const fittedSimulator = ({ gatewayWorkMs, jitterMs }: Pick<Fitted, 'gatewayWorkMs' | 'jitterMs'>): Predictor =>
    simulator((scenario) => {
      const machine = asMeasured(machineOf(scenario), measured);
      return { ...machine, model: { ...machine.model, gatewayWorkMs }, jitterMs };
    });
  const fitted = GATEWAY_WORKS_MS.flatMap((gatewayWorkMs) =>
    JITTERS_MS.map((jitterMs) => {
      const scored = evaluate(lossless, { predictor: fittedSimulator({ gatewayWorkMs, jitterMs }) }).flatMap((half) => half.scenarios);
      return { gatewayWorkMs, jitterMs, meanError: mean(scored.map(({ meanError }) => meanError)) };
    }),
  ).toSorted((a, b) => a.meanError - b.meanError);
  const [best] = fitted;
  const reporting = scenarios.filter(({ half }) => half === 'reporting');
  return {
    measured,
    scenarios: lossless.length,
    fitted,
    heldOut: best === undefined ? [] : heldOutErrors(reporting, { used: simulator(), fitted: fittedSimulator(best) }),
  };
}

/** By what was measured, so that the pairs of a regime are the same for both. */
export function heldOutErrors(
  scenarios: readonly MeasuredScenario[],
  predictors: { readonly used: Predictor; readonly fitted: Predictor },
): readonly HeldOut[] {
  const pairs = scenarios.flatMap((scenario) => {
    const [used, fitted] = [predictors.used(scenario), predictors.fitted(scenario)];
    return scenario.profiles.map((profile) => {
      const errorOf = (predicted: ReadonlyMap<string, number>) =>
        Math.abs((predicted.get(profile.profileId) ?? Number.NaN) / measuredMs(profile) - 1);
      return { profile, used: errorOf(used), fitted: errorOf(fitted) };
    });
  });
  return Object.entries(REGIMES).flatMap(([of, isOf]) => {
    const own = pairs.filter(({ profile }) => isOf(profile));
    if (own.length === 0) return [];
    return [{ of, pairs: own.length, used: errorsOf(own.map(({ used }) => used)), fitted: errorsOf(own.map(({ fitted }) => fitted)) }];
  });
}

const lost = ({ loads }: MeasuredProfile): boolean => loads.some(({ dropped }) => dropped > 0);
const direct = ({ profileId }: MeasuredProfile): boolean => isDirect(profileId);
const REGIMES: Readonly<Record<string, (profile: MeasuredProfile) => boolean>> = {
  all: () => true,
  [`${BASELINE_ID} only`]: ({ profileId }) => profileId === BASELINE_ID,
  'without the gateway, no packet lost': (profile) => direct(profile) && !lost(profile),
  'without the gateway, packets lost': (profile) => direct(profile) && lost(profile),
  'through the gateway, no packet lost': (profile) => !direct(profile) && !lost(profile),
  'through the gateway, packets lost': (profile) => !direct(profile) && lost(profile),
};

function errorsOf(errors: readonly number[]): Errors {
  const sorted = errors.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) };
}

/** As the timelines say, to a tenth of a millisecond; what they do not say stays. Else what is fitted would make up for figures of another corpus. */
export function asMeasured(machine: LabMachine, measured: MachineFigures): LabMachine {
  const { startMs, firstDispatchMs, dispatchMs, requestWorkMs } = measured;
  return {
    ...machine,
    startMs: tenths(startMs ?? machine.startMs),
    firstDispatchMs: tenths(firstDispatchMs ?? machine.firstDispatchMs),
    dispatchMs: tenths(dispatchMs ?? machine.dispatchMs),
    model: { ...machine.model, requestWorkMs: tenths(requestWorkMs ?? machine.model.requestWorkMs) },
  };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export function fitText({ measured, scenarios, fitted, heldOut }: MachineFit): string {
  const figures = Object.entries(measured).map(([figure, ms]: [string, number | undefined]) => ({ figure, ms }));
  return `${[
    'Measured on the timelines of the calibration half:',
    '',
    ...textTable(figures, [
      { heading: 'figure', align: 'left', cell: ({ figure }) => figure },
      { heading: 'ms', align: 'right', cell: ({ ms }) => (ms === undefined ? '–' : ms.toFixed(1)) },
    ]),
    '',
    `Fitted to the load times of its ${scenarios} scenarios that lost no packet, the best ${SHOWN} of ${fitted.length}:`,
    '',
    ...textTable(fitted.slice(0, SHOWN), [
      { heading: 'gateway work, ms', align: 'right', cell: ({ gatewayWorkMs }) => String(gatewayWorkMs) },
      { heading: 'jitter, ms', align: 'right', cell: ({ jitterMs }) => String(jitterMs) },
      { heading: 'mean error', align: 'right', cell: ({ meanError }) => percent(meanError) },
    ]),
    '',
    'Errors of the reporting half with the figures in use, and with those measured and the first of these:',
    '',
    ...textTable(heldOut, [
      { heading: 'loads', align: 'left', cell: ({ of }) => of },
      { heading: 'pairs', align: 'right', cell: ({ pairs }) => String(pairs) },
      { heading: 'in use: p50', align: 'right', cell: ({ used }) => percent(used.p50) },
      { heading: 'p90', align: 'right', cell: ({ used }) => percent(used.p90) },
      { heading: 'fitted: p50', align: 'right', cell: (row) => percent(row.fitted.p50) },
      { heading: 'p90', align: 'right', cell: (row) => percent(row.fitted.p90) },
    ]),
  ].join('\n')}\n`;
}
