/** What a report of everyday loads says of the prediction, for whoever drives the extension by messages. */

import { describe, expect, it } from 'vitest';
import { createFieldReport } from '../../../src/background/field-report.ts';
import { loadSummary } from '../../../src/core/field/load-summary.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { recordedLoad } from '../../support/recorded-load.ts';
import { endedTrial, NOW } from '../controls/sample-state.ts';

const loads = [0, 1, 2, 3].map((minute) => recordedLoad({ minute, rttMs: 20, page: 'a' }));
const browser = useBrowser(fakeBrowser());
const { reportField } = createFieldReport({
  stores: fakeStores({
    newestLoads: async () => loads.toReversed(),
    readFigures: async () => ({ figures: loads.map(loadSummary), loads: loads.length, missing: 0, unreadable: 0 }),
  }),
  networkPreferences: () => undefined,
  trialStatus: { trialFacts: async () => endedTrial(undefined) },
});

const PREDICTED = {
  state: 'predicted',
  link: { id: 1, name: 'RTT 20 ms', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads: 9 },
  isFormer: false,
  pages: 3,
  outside: 0,
  sites: [],
  best: ['c8-d1'],
  recommended: { id: 'c8-d1', change: { gain: 0.3, low: 0.1, high: 0.5 } },
  rows: [],
  reach: { requests: 100, byConnections: 100 },
  tried: { preferences: 3, of: 40, requests: 100 },
  inferred: [],
};

const answerWith = async (held: unknown) => {
  browser.storage.local.held.set('fieldPrediction', held);
  const facts = { version: '140.0', buildId: '1', os: 'linux', architecture: 'x86-64' } as Parameters<typeof reportField>[0];
  return (await reportField(facts, NOW)).answer;
};

describe('the report of everyday loads', () => {
  it('says that nothing was predicted, where the popup has not', async () => {
    expect(await answerWith(undefined)).toEqual({
      finding: { from: 'nothing', why: 'not-predicted' },
      sentence: 'Nothing was predicted for these loads. A trial can measure them.',
    });
  });

  it('says of which loads the prediction knew nothing', async () => {
    const of = (at: number) => ({ of: '', loads: at + 1, newestAt: loads[at]?.startedAt, madeAt: NOW, answer: PREDICTED });
    expect((await answerWith(of(3)))?.finding).not.toHaveProperty('loadsSince');
    const older = await answerWith(of(1));
    expect(older?.finding).toMatchObject({ from: 'prediction', loadsSince: 2 });
    expect(older?.sentence).toMatch(/Predicted before your newest 2 loads\.$/);
  });
});
