/** What the calibration half says of the machine of the lab: measured on its timelines, and fitted to its load times where they show nothing. */
import { carrierFor } from '../../../src/core/profiles/carrier-for.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { textTable } from '../../../src/core/report/text-table.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { evaluate, simulator } from './evaluate.ts';
import { percent } from './figure-words.ts';
import { type LabMachine, machineOf } from './lab-machine.ts';
import { type MachineFigures, measureMachine } from './measure-machine.ts';
import type { MeasuredScenario } from './measured-scenario.ts';

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
  const fitted = GATEWAY_WORKS_MS.flatMap((gatewayWorkMs) =>
    JITTERS_MS.map((jitterMs) => {
      const predictor = simulator((scenario) => {
        const machine = asMeasured(machineOf(scenario), measured);
        return { ...machine, model: { ...machine.model, gatewayWorkMs }, jitterMs };
      });
      const scored = evaluate(lossless, { predictor }).flatMap((half) => half.scenarios);
      return { gatewayWorkMs, jitterMs, meanError: mean(scored.map(({ meanError }) => meanError)) };
    }),
  );
  return {
    measured,
    scenarios: lossless.length,
    fitted: fitted.toSorted((a, b) => a.meanError - b.meanError),
  };
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

export function fitText({ measured, scenarios, fitted }: MachineFit): string {
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
  ].join('\n')}\n`;
}
