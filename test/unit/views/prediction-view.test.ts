import { describe, expect, it } from 'vitest';
import { USUAL_UNITS } from '../../../src/core/text/number-format.ts';
import type { ShownFieldPrediction } from '../../../src/protocol/prediction-answer.ts';
import { linkLabel, type PredictionState, predictionView } from '../../../src/views/prediction-view.ts';
import { useUnits } from '../../../src/views/text.ts';
import { lastLoad, plain } from '../controls/sample-state.ts';

const view = (state: PredictionState) => plain(predictionView(state));
const answered = (answer: ShownFieldPrediction, again = false) => view({ state: 'answered', answer, again });

const PREDICTED: Extract<ShownFieldPrediction, { state: 'predicted' }> = {
  state: 'predicted',
  link: lastLoad.link,
  pages: 12,
  isFormer: false,
  outside: 0,
  sites: [],
  best: ['c8-d1'],
  rows: [
    { id: 'c8-d1', loadTimeMs: 2_170, ratio: 1.06, bound: 'queue-wait' },
    { id: 'firefox-default', loadTimeMs: 2_300, ratio: 1, bound: 'round-trips', measured: { loads: 3, medianMs: 2_410 } },
    { id: 'c2-d1', loadTimeMs: 4_600, ratio: 0.5, bound: 'queue-wait', measured: { loads: 1, medianMs: 5_000 } },
  ],
  inferred: [
    { field: 'discovery', requests: 40, rule: 'What the document names is asked for when it has arrived' },
    { field: 'link', requests: 0, rule: 'The link is estimated.' },
  ],
  reach: { requests: 40, byConnections: 40 },
  tried: { preferences: 3, of: 40, requests: 40 },
  error: { errorP50: 0.04, errorP90: 0.12, basis: '112 lab loads' },
};

describe('where there is none', () => {
  it.each([
    [{ state: 'no-loads' }, 'No loads recorded yet'],
    [{ state: 'link-not-known' }, 'The network is not known yet. It takes a few more loads that open new connections.'],
    [
      { state: 'rate-not-known', link: lastLoad.link },
      'The download rate of your network is not known yet. It takes a load that keeps it busy, such as a page with large pictures. Known so far: RTT 300 ms, 2 Mbit/s.',
    ],
    [
      { state: 'nothing-to-predict', link: lastLoad.link },
      'None of your newest loads over RTT 300 ms, 2 Mbit/s can be predicted: none finished.',
    ],
    [
      { state: 'nothing-to-predict', link: lastLoad.link, because: 'All came from the cache.' },
      'can be predicted: All came from the cache.',
    ],
  ] as const)('%j is said in words', (answer, words) => {
    const { status, table } = answered(answer);
    expect(status).toContain(words);
    expect(table).toBeUndefined();
  });

  it('computing and failing are said too', () => {
    expect(view({ state: 'computing' }).status).toBe('Computing…');
    expect(view({ state: 'failed', message: 'QuotaExceededError: full' }).status).toBe('The prediction failed: QuotaExceededError: full.');
  });
});

describe('a prediction', () => {
  it('marks every figure that was not measured', () => {
    const { table, status } = answered(PREDICTED);
    expect(status).toBeUndefined();
    expect(table?.rows).toEqual([
      { id: 'c8-d1', loadTime: '≈ 2.17 s', change: '≈ +6 %', bound: 'waiting to be sent', measured: '' },
      { id: 'firefox-default', loadTime: '≈ 2.3 s', change: 'baseline', bound: 'round trips', measured: '2.41 s (median of 3 loads)' },
      { id: 'c2-d1', loadTime: '≈ 4.6 s', change: '≈ −50 %', bound: 'waiting to be sent', measured: '5 s (1 load)' },
    ]);
  });

  it('says of what, over what, and how far it may be off', () => {
    const { table } = answered({
      ...PREDICTED,
      reach: { requests: 412, byConnections: 30 },
      tried: { preferences: 3, of: 40, requests: 412 },
    });
    expect(table?.notes).toEqual([
      'For 12 different pages you loaded recently, over RTT 300 ms, 2 Mbit/s (estimated), with new connections. Figures are geometric means.',
      'Half of such predictions were within 4 % of the measured load time, nine of ten within 12 % (112 lab loads).',
      'Connection settings act on 30 of 412 requests; the others use HTTP/2 or HTTP/3.',
    ]);
    expect(table?.assumed).toEqual(['What the document names is asked for when it has arrived. (40 requests)', 'The link is estimated.']);
    expect(answered({ ...PREDICTED, pages: 1 }).table?.notes[0]).toBe(
      'For 1 page you loaded recently, over RTT 300 ms, 2 Mbit/s (estimated), with new connections.',
    );
  });

  it('says "not modelled" or "cannot act here" in place of figures that would look like no effect', () => {
    const rows = [
      { id: 'x', loadTimeMs: 2_300, ratio: 1, bound: 'round-trips' as const, coverage: 'not-modelled' as const },
      { id: 'betterfox', loadTimeMs: 2_170, ratio: 1.06, bound: 'queue-wait' as const, coverage: 'in-part' as const },
      { id: 'c8-d1', loadTimeMs: 2_300, ratio: 1, bound: 'round-trips' as const, coverage: 'cannot-act' as const },
    ];
    const { table } = answered({ ...PREDICTED, rows });
    expect(table?.rows).toEqual([
      { id: 'x', loadTime: '–', change: 'not modelled', bound: '–', measured: '' },
      { id: 'betterfox', loadTime: '≈ 2.17 s', change: '≈ +6 % (in part)', bound: 'waiting to be sent', measured: '' },
      { id: 'c8-d1', loadTime: '–', change: 'cannot act here', bound: '–', measured: '' },
    ]);
    expect(table?.notes.at(-1)).toBe('Predicted in part, because not all their settings are modelled: betterfox.');
  });

  it('says of which gateway it is, and nothing of what is withheld but why', () => {
    const deep = { id: 'c4-d6', loadTimeMs: 1_900, ratio: 1.2, bound: 'bandwidth', gateway: 'first-visit' } as const;
    const { table } = answered({ ...PREDICTED, rows: [{ ...deep, coverage: 'short-round-trips' }] });
    expect(table?.rows).toEqual([{ id: 'c4-d6', loadTime: '–', change: 'not predicted over short round trips', bound: '–', measured: '' }]);
    expect(table?.notes.at(-1)).toBe(
      'Through the gateway: first visits, where the first 8 responses of a site come one at a time on each connection.',
    );
  });

  it('stands beside the loads of the same pages', () => {
    const besideNote = (...states: readonly ('agrees' | 'parts')[]) =>
      plain(
        answered({ ...PREDICTED, beside: states.map((state) => ({ recordedMs: 2000, simulatedMs: 1900, state })) }).table?.notes.at(-1) ??
          '',
      );
    const times = 'under Firefox’s own settings took 2 s; simulated ≈ 1.9 s.';
    expect(besideNote('agrees', 'agrees')).toBe(`Your loads of 2 pages ${times}`);
    expect(besideNote('agrees', 'parts')).toBe(
      `Your loads of 2 pages ${times} 1 page is excluded: its simulation is further off than usual.`,
    );
    expect(besideNote('parts')).toBe(
      `Your loads of 1 page ${times} Every simulation is further off than usual, so nothing is recommended.`,
    );
  });

  it('says that connections have no effect where none can have one', () => {
    const notes =
      answered({ ...PREDICTED, reach: { requests: 412, byConnections: 0 }, tried: { preferences: 3, of: 40, requests: 412 } }).table
        ?.notes ?? [];
    expect(notes.at(-1)).toBe('Connection settings have no effect here: every server uses HTTP/2 or HTTP/3.');
    expect(answered(PREDICTED).table?.notes).toHaveLength(2);
  });

  it('of a model that has not been measured says that', () => {
    const { error: _, ...unknown } = PREDICTED;
    expect(answered(unknown).table?.notes[1]).toBe('How far off such predictions are has not been measured yet.');
  });

  it('stays while a newer one is computed', () => {
    const { status, table } = answered(PREDICTED, true);
    expect(status).toBe('Computing again…');
    expect(table?.rows).toHaveLength(3);
  });
});

it('a network is named by its figures in the chosen unit, and what a person called it stays', () => {
  const link = { name: 'RTT 50 ms, 10 Mbit/s', given: '2 Mbit/s at home' };
  expect(linkLabel({ name: link.name })).toBe(link.name);
  useUnits({ ...USUAL_UNITS, rateUnit: 'byte' });
  // 10,000 kbit/s are 1,250 kB/s.
  expect(linkLabel({ name: link.name })).toBe('RTT 50 ms, 1.25 MB/s');
  expect(linkLabel(link)).toBe('2 Mbit/s at home (RTT 50 ms, 1.25 MB/s)');
  useUnits({ ...USUAL_UNITS, timeUnit: 's' });
  expect(linkLabel({ name: link.name })).toBe('RTT 0.05 s, 10 Mbit/s');
  useUnits(USUAL_UNITS);
});
