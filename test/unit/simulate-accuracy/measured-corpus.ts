/** A corpus made up by hand: two pages over two links, three profiles, two loads of each. */
import type { Half } from '../../accuracy/harness/halves.ts';
import type { MeasuredScenario } from '../../accuracy/harness/measured-scenario.ts';

const graph = { requests: [{ id: 'document', bytes: 1460 }] };

/** `loads`: by profile. */
export function measuredScenario(name: string, half: Half, loads: Readonly<Record<string, readonly number[]>>): MeasuredScenario {
  const [page = '', link = ''] = name.split('/');
  return {
    name,
    page,
    link,
    half,
    graph,
    simulated: { rttMs: 100, downKbps: 1460 },
    profiles: Object.entries(loads).map(([profileId, times]) => ({
      profileId,
      loads: times.map((loadTimeMs) => ({ loadTimeMs, connections: 1, dropped: 0 })),
      requests: [{ askedMs: 0, connectStartMs: 0, connectEndMs: 100, sentMs: 100, firstByteMs: 200, endMs: 208 }],
    })),
  };
}

const LOADS = { 'firefox-default': [990, 1010], 'c1-d2': [2000, 2000], 'c4-d6': [490, 510] };

/** Medians 1000, 2000 and 500 in each. */
export const MEASURED: readonly MeasuredScenario[] = [
  measuredScenario('a/1', 'calibration', LOADS),
  measuredScenario('a/2', 'reporting', LOADS),
  measuredScenario('b/1', 'reporting', LOADS),
  measuredScenario('b/2', 'calibration', LOADS),
];
