import { describe, expect, it } from 'vitest';
import { chosenLoadView, loadRow, pageLabel } from '../../../src/dashboard/loads-view.ts';
import type { ShownLoad, ShownLoadPrediction } from '../../../src/protocol/prediction-answer.ts';
import { notRecordingLabel } from '../../../src/views/recording-view.ts';
import { lastLoad, NOW, plain } from '../controls/sample-state.ts';

const load = (more: Partial<ShownLoad> = {}): ShownLoad => ({
  id: '7-1',
  url: 'https://www.example.org:8443/news/%C3%A4.html?q=secret#there',
  startedAt: NOW + 10 * 3_600_000,
  profileId: 'c8-d1',
  standing: 'whole',
  link: lastLoad.link,
  loadTimeMs: 3_400,
  efficiency: 0.46,
  ...more,
});
const row = (more: Partial<ShownLoad> = {}) => plain(loadRow(load(more), NOW));

describe('a row', () => {
  it('has page, time, link, profile, load time and efficiency', () => {
    expect(row()).toEqual({
      page: 'www.example.org:8443/news/ä.html',
      time: '10:00',
      link: 'RTT 300 ms, 2 Mbit/s',
      profile: '8 connections',
      loadTime: '3.4 s',
      efficiency: '46 %',
    });
  });

  it('cuts a path of 3,000 characters, and lets none turn the direction of text', () => {
    const label = pageLabel(`http://a.test/${'long-path/'.repeat(300)}end.html`);
    expect(label).toHaveLength(160);
    expect(label).toMatch(/^a\.test\/long.*….*\/end\.html$/);
    expect(pageLabel('http://a.test/%E2%80%AEfdp.exe')).toBe('a.test/?fdp.exe');
  });

  it('says what is unknown, and never gives it a figure', () => {
    const { link: _, loadTimeMs: __, efficiency: ___, ...bare } = load({ standing: 'unmeasurable' });
    expect(loadRow({ ...bare, linkDisproved: true }, NOW).efficiency).toBe('network estimate wrong');
    expect(plain(loadRow(bare, NOW))).toMatchObject({ link: 'unknown', loadTime: 'unknown', efficiency: 'unknown' });
  });

  it('says that a load was cut short, or its profile not in effect', () => {
    expect(row({ standing: 'cut-short' }).loadTime).toBe('at least 3.4 s');
    expect(row({ standing: 'not-as-intended' }).profile).toBe('8 connections, not in effect');
  });

  it('names the link as a person does', () => {
    expect(row({ link: { ...lastLoad.link, given: 'train' } }).link).toBe('train (RTT 300 ms, 2 Mbit/s)');
  });

  it.each([
    ['https://example.org/', 'example.org'],
    ['https://example.org/a?b=c', 'example.org/a'],
    ['https://example.org/%ff', 'example.org/%ff'],
    ['about:blank', 'a page without a host (about:)'],
    ['', 'a page without an address'],
  ])('%s is %s', (url, label) => expect(pageLabel(url)).toBe(label));
});

describe('the chosen load', () => {
  const view = (prediction: ShownLoadPrediction['prediction']) => plain(chosenLoadView({ load: load(), prediction }, NOW));

  it('keeps what was measured apart from what is predicted', () => {
    const { facts, prediction } = view({
      state: 'predicted',
      rows: [{ id: 'c8-d1', loadTimeMs: 3_100, ratio: 1.06, bound: 'server', measured: { loads: 1, medianMs: 3_400 } }],
      inferred: [],
      reach: { requests: 3, byConnections: 3 },
    });
    expect(facts).toContainEqual({ term: 'Load time, measured', value: '3.4 s' });
    expect(prediction.table?.rows).toEqual([
      { id: 'c8-d1', loadTime: '≈ 3.1 s', change: '≈ +6 %', bound: 'the server', measured: '3.4 s (1 load)' },
    ]);
    expect(prediction.table?.notes[0]).toContain('over RTT 300 ms, 2 Mbit/s (estimated)');
  });

  it.each([
    [{ state: 'link-not-known' }, 'The network is not known yet. It takes a few more loads that open new connections.'],
    [{ state: 'rate-not-known' }, 'The download rate'],
    [
      { state: 'nothing-to-predict', because: 'All came from the cache' },
      'Nothing can be predicted for this load: All came from the cache',
    ],
  ] as const)('%j is said in words', (prediction, words) => expect(view(prediction).prediction.status).toContain(words));
});

describe('recording', () => {
  it('is only spoken of where it does not take place', () => {
    expect(notRecordingLabel({ state: 'recording' })).toBeUndefined();
    expect(notRecordingLabel({ state: 'no-permission' })).toContain('Not recording');
    expect(notRecordingLabel({ state: 'store-failed', message: 'disk full.' })).toContain('Firefox reported: disk full.');
  });
});
