/** One scenario in full: where a prediction and a measurement part. For whoever works on the model. */

import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { PageRequest } from '../../../src/core/graph/page-graph.ts';
import type { PredictedRequest, Prediction } from '../../../src/core/simulate/prediction.ts';
import { type TextColumn, textTable } from '../../../src/core/text/text-table.ts';
import { type LabMachine, machineOf } from './lab-machine.ts';
import { type MeasuredProfile, type MeasuredRequest, type MeasuredScenario, measuredMs } from './measured-scenario.ts';
import { predictScenario } from './predict-scenario.ts';
import { percent, signedPercent } from './table-figures.ts';

interface PredictedScenarioProfile {
  readonly measured: MeasuredProfile;
  readonly predicted: Prediction;
}

function pairsOf(scenario: MeasuredScenario, machine: LabMachine): readonly PredictedScenarioProfile[] {
  const predictions = predictScenario(scenario, machine);
  return scenario.profiles.flatMap((measured) => {
    const predicted = predictions.find(({ profileId }) => profileId === measured.profileId);
    return predicted === undefined ? [] : [{ measured, predicted }];
  });
}

export interface ScenarioOptions {
  /** Whose requests are shown; the first's unless given. */
  readonly profileId?: string | undefined;
  /** What is tried in place of what the lab's machine was found to be. */
  readonly machine?: LabMachine;
}

/** @throws PlumbfoxError bad-input naming the profiles there are. */
export function scenarioText(scenario: MeasuredScenario, { profileId, machine = machineOf(scenario) }: ScenarioOptions = {}): string {
  const predicted = pairsOf(scenario, machine);
  const shown = predicted.find(({ measured }) => profileId === undefined || measured.profileId === profileId);
  if (shown === undefined) {
    const known = scenario.profiles.map((profile) => profile.profileId).join(', ');
    throw new PlumbfoxError('bad-input', `${scenario.name} has no profile "${profileId}". Profiles: ${known}`);
  }
  return [
    `${scenario.name}: ${linkLabel(scenario)}`,
    '',
    ...textTable(predicted, PROFILE_COLUMNS),
    '',
    `Requests of ${shown.measured.profileId}, ms after the start: measured (the load nearest the median) and predicted.`,
    '',
    ...textTable(requestRows(scenario, shown), REQUEST_COLUMNS),
    '',
  ].join('\n');
}

/** The same for machines: every profile with every request. */
export function scenarioJson(scenario: MeasuredScenario, { machine = machineOf(scenario) }: ScenarioOptions = {}): unknown {
  return {
    name: scenario.name,
    link: scenario.simulated,
    profiles: pairsOf(scenario, machine).map(({ measured, predicted }) => ({
      profileId: measured.profileId,
      measuredMs: measuredMs(measured),
      loads: measured.loads,
      requests: measured.requests,
      predicted,
    })),
  };
}

function linkLabel({ simulated }: MeasuredScenario): string {
  const { rttMs, downKbps, upKbps, queuePackets } = simulated;
  return `RTT ${rttMs} ms, ${downKbps} kbit/s down, ${upKbps ?? downKbps} up, queue ${queuePackets ?? '–'} packets`;
}

const ms = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0));
const right = <Row>(heading: string, cell: (row: Row) => string): TextColumn<Row> => ({ heading, align: 'right', cell });
const left = <Row>(heading: string, cell: (row: Row) => string): TextColumn<Row> => ({ heading, align: 'left', cell });

const PROFILE_COLUMNS: readonly TextColumn<PredictedScenarioProfile>[] = [
  left('profile', ({ measured }) => measured.profileId),
  right('measured', ({ measured }) => ms(measuredMs(measured))),
  right('predicted', ({ predicted }) => ms(predicted.loadTimeMs)),
  right('error', ({ measured, predicted }) => signedPercent(predicted.loadTimeMs / measuredMs(measured) - 1)),
  left('loads', ({ measured }) => measured.loads.map(({ loadTimeMs }) => ms(loadTimeMs)).join(' ')),
  right('connections', ({ measured }) => measured.loads.map(({ connections }) => connections).join(' ')),
  right('predicted', ({ predicted }) => String(predicted.connections)),
  right('dropped', ({ measured }) => measured.loads.map(({ dropped }) => dropped).join(' ')),
  right('sent again', ({ predicted }) => String(predicted.retransmissions)),
  left('bound by', ({ predicted }) =>
    Object.entries(predicted.boundShares)
      .filter(([, share]) => share >= 0.005)
      .sort(([, a], [, b]) => b - a)
      .map(([bound, share]) => `${bound} ${percent(share)}`)
      .join(', '),
  ),
];

interface RequestRow {
  readonly request: PageRequest;
  readonly measured: MeasuredRequest | undefined;
  readonly predicted: PredictedRequest | undefined;
}

const requestRows = ({ graph }: MeasuredScenario, { measured, predicted }: PredictedScenarioProfile): readonly RequestRow[] =>
  graph.requests.map((request, index) => ({ request, measured: measured.requests[index], predicted: predicted.requests[index] }));

const REQUEST_COLUMNS: readonly TextColumn<RequestRow>[] = [
  left('request', ({ request }) => request.id),
  left('class', ({ request }) => request.class ?? 'other'),
  left('server', ({ request }) => request.origin ?? ''),
  right('bytes', ({ request }) => String(request.bytes)),
  right('asked', ({ measured }) => ms(measured?.askedMs)),
  right('pred.', ({ predicted }) => ms(predicted?.discoveredMs)),
  right('sent', ({ measured }) => ms(measured?.sentMs)),
  right('pred.', ({ predicted }) => ms(predicted?.startMs)),
  right('1st byte', ({ measured }) => ms(measured?.firstByteMs)),
  right('pred.', ({ predicted }) => ms(predicted?.firstByteMs)),
  right('end', ({ measured }) => ms(measured?.endMs)),
  right('pred.', ({ predicted }) => ms(predicted?.endMs)),
  right('end off', ({ measured, predicted }) =>
    measured?.endMs === undefined || predicted === undefined ? '–' : (predicted.endMs - measured.endMs).toFixed(0),
  ),
  right('connection', ({ predicted }) => (predicted === undefined ? '–' : String(predicted.connection))),
];
