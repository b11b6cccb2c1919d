import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../src/core/graph/page-graph.ts';
import { PARSER_START_MS, SCRIPT_RUN_MS, STYLING_MS } from '../../../src/lab/pages/recipe-graph.ts';
import { asMeasured, heldOutErrors, isDirect } from '../../accuracy/harness/fit-machine.ts';
import { LAB_MACHINES, machineOf, onLabMachine } from '../../accuracy/harness/lab-machine.ts';
import { type MachineFigures, measureMachine } from '../../accuracy/harness/measure-machine.ts';
import type { MeasuredRequest, MeasuredScenario } from '../../accuracy/harness/measured-scenario.ts';
import { readCorpus } from '../../accuracy/harness/read-corpus.ts';

const graph: PageGraph = {
  requests: [
    { id: 'document', bytes: 9000, class: 'document', origin: 'a' },
    {
      id: 'style',
      bytes: 900,
      class: 'stylesheet',
      origin: 'a',
      after: [
        { id: 'document', bytes: 700 },
        { id: 'document', bytes: 0, delayMs: 19 },
      ],
    },
    { id: 'script', bytes: 900, class: 'script', origin: 'a', after: { id: 'document', bytes: 800 } },
    { id: 'picture', bytes: 900, class: 'image', origin: 'a', after: { id: 'document', bytes: 8000 } },
    { id: 'data', bytes: 900, class: 'fetch', origin: 'a', after: [{ id: 'script' }, { id: 'style' }] },
    { id: 'sprite', bytes: 900, class: 'image', origin: 'a', after: [{ id: 'document', bytes: 9000 }, { id: 'style' }] },
  ],
  origins: { a: { protocol: 'http/1.1' } },
};

const times = (...ms: readonly [number, number, number, number, number, number]): MeasuredRequest => {
  const [askedMs, connectStartMs, connectEndMs, sentMs, firstByteMs, endMs] = ms;
  return { askedMs, connectStartMs, connectEndMs, sentMs, firstByteMs, endMs };
};

const scenario = (profiles: Readonly<Record<string, readonly MeasuredRequest[]>>): MeasuredScenario => ({
  name: 'a/1',
  page: 'a',
  link: '1',
  half: 'calibration',
  graph,
  simulated: { rttMs: 50, downKbps: 1000 },
  profiles: Object.entries(profiles).map(([profileId, requests]) => ({ profileId, loads: [], requests })),
});

describe('what a timeline says of the machine', () => {
  const direct = [
    times(0, 6, 56, 56, 110, 112),
    // Asked for 20 ms after the document's first byte; on its way 30 ms later, its connection being opened at 160.
    times(130, 160, 210, 210, 260, 270),
    // The next connections 4 and 6 ms after it.
    times(130, 164, 214, 215, 265, 280),
    times(132, 166, 216, 216, 266, 268),
    // The script and the style sheet are there at 280; asked for 5 ms later, on its way after another 7.
    times(285, 285, 285, 292, 342, 343),
    // The style sheet is there at 270; asked for 16 ms later, on its way after 10.
    times(286, 286, 286, 296, 346, 347),
  ];

  it('is measured where it shows', () => {
    expect(measureMachine([scenario({ 'c2-d1': direct })], () => true)).toEqual({
      startMs: 6,
      parserStartMs: 20,
      scriptRunMs: 5,
      stylingMs: 16,
      firstDispatchMs: 30,
      dispatchMs: 7,
      requestWorkMs: 3,
    });
  });

  it('has no connections to servers where there is a gateway: what counts is when a request was sent', () => {
    const found = measureMachine([scenario({ 'c2-d4': direct })], () => false);
    // Sent at 210, asked for at 130.
    expect(found).toMatchObject({ startMs: undefined, requestWorkMs: undefined, firstDispatchMs: 80, parserStartMs: 20 });
  });

  it('is the median over the loads, and leaves out those without a timeline', () => {
    const later = direct.map((each, index) => (index === 0 ? times(0, 10, 60, 60, 110, 112) : each));
    const latest = direct.map((each, index) => (index === 0 ? times(0, 30, 80, 80, 110, 112) : each));
    const found = measureMachine([scenario({ a: direct, b: later, c: latest, d: [] })], () => true);
    expect(found.startMs).toBe(10);
    expect(measureMachine([], () => true).startMs).toBeUndefined();
  });
});

describe('a page on the machine of the lab', () => {
  const machine = { startMs: 5, firstDispatchMs: 30, dispatchMs: 6, model: { requestWorkMs: 2, gatewayWorkMs: 4 }, jitterMs: 1 };
  const { requests, origins } = onLabMachine(graph, machine);
  const delays = requests.map(({ after }) => [after ?? []].flat().map(({ delayMs }) => delayMs));

  it('waits for the first dispatch after the first byte, and for the usual one else; the request’s own work is the simulator’s', () => {
    expect(delays).toEqual([[], [4, 19 + 28], [4], [4], [4, 4], [4, 4]]);
    expect(origins).toEqual({ a: { protocol: 'http/1.1', dnsMs: 5 } });
  });

  it('waits for no less than nothing where the work on a request is all there is', () => {
    const busy = { ...machine, model: { ...machine.model, requestWorkMs: 7 } };
    expect(onLabMachine(graph, busy).requests[2]?.after).toEqual([{ id: 'document', bytes: 800, delayMs: 0 }]);
  });

  it.each([['reno', 'test/corpus']] as const)('is measured on the calibration half alone: %s', (name, folder) => {
    const found = rounded(measureMachine(calibrationOf(folder), isDirect));
    const { startMs, firstDispatchMs, dispatchMs, model } = LAB_MACHINES[name];
    expect(found).toMatchObject({ startMs, firstDispatchMs, dispatchMs, requestWorkMs: model.requestWorkMs });
  });

  it('is fitted as the timelines have it, and keeps what they do not say', () => {
    const unknown = {
      startMs: undefined,
      parserStartMs: undefined,
      scriptRunMs: undefined,
      stylingMs: undefined,
      firstDispatchMs: undefined,
      dispatchMs: undefined,
      requestWorkMs: undefined,
    };
    expect(asMeasured(machine, unknown)).toEqual(machine);
    expect(asMeasured(machine, { ...unknown, startMs: 3.04, dispatchMs: 2.58, requestWorkMs: 0.71 })).toEqual({
      ...machine,
      startMs: 3,
      dispatchMs: 2.6,
      model: { requestWorkMs: 0.7, gatewayWorkMs: 4 },
    });
  });

  it('is that of the corpus a scenario is of', () => {
    expect(machineOf({ simulated: { rttMs: 1, downKbps: 1, congestionControl: 'reno' } })).toBe(LAB_MACHINES.reno);
    expect(machineOf({ simulated: { rttMs: 1, downKbps: 1 } })).toBe(LAB_MACHINES.cubic);
  });
});

it('what Firefox needs before it asks is measured on the calibration half alone', () => {
  const { parserStartMs, scriptRunMs, stylingMs } = rounded(measureMachine(calibrationOf('test/corpus'), isDirect));
  expect([parserStartMs, scriptRunMs, stylingMs]).toEqual([PARSER_START_MS, SCRIPT_RUN_MS, STYLING_MS]);
});

it('what was fitted is held against the same pairs as what is in use, by what was measured of them', () => {
  const load = (loadTimeMs: number, dropped: number) => ({ loadTimeMs, connections: 1, dropped });
  const profiles = [
    { profileId: 'firefox-default', loads: [load(100, 0)], requests: [] },
    { profileId: 'c4-d6', loads: [load(200, 0), load(200, 3)], requests: [] },
  ];
  const used = () => new Map(Object.entries({ 'firefox-default': 110, 'c4-d6': 150 }));
  const fitted = () => new Map(Object.entries({ 'firefox-default': 95, 'c4-d6': 200 }));
  const rounded = heldOutErrors([{ ...scenario({}), profiles }], { used, fitted }).map(({ of, pairs, used, fitted }) => [
    of,
    pairs,
    ...[used.p50, used.p90, fitted.p50, fitted.p90].map((error) => Number(error.toFixed(4))),
  ]);
  expect(rounded).toEqual([
    ['all', 2, 0.175, 0.235, 0.025, 0.045],
    ['firefox-default only', 1, 0.1, 0.1, 0.05, 0.05],
    ['without the gateway, no packet lost', 1, 0.1, 0.1, 0.05, 0.05],
    ['through the gateway, packets lost', 1, 0.25, 0.25, 0, 0],
  ]);
});

const calibrationOf = (folder: string) => readCorpus(folder).scenarios.filter(({ half }) => half === 'calibration');

const rounded = (found: MachineFigures): MachineFigures =>
  Object.fromEntries(Object.entries(found).map(([figure, ms]) => [figure, Math.round((ms ?? Number.NaN) * 10) / 10])) as never;
