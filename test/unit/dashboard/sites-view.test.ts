import { describe, expect, it } from 'vitest';
import { groupRowView, groupsSentence, settingsLabel, trendSentence, trendView } from '../../../src/dashboard/sites-view.ts';
import type { GroupsAnswer, TrendAnswer } from '../../../src/protocol/history-messages.ts';
import { english } from '../../support/english.ts';
import { lastLoad, plain } from '../controls/sample-state.ts';

const LINK = lastLoad.link as NonNullable<GroupsAnswer['rows'][number]['link']>;
const answer = (more: Partial<GroupsAnswer> = {}): GroupsAnswer => ({
  rows: [],
  total: 0,
  unnamed: { sites: 0, loads: 0 },
  pending: false,
  ...more,
});

describe('a row', () => {
  it('has each figure with its interval and the number of loads', () => {
    const row = groupRowView(
      {
        ...{ key: 1, host: 'news.test', loads: 9, excluded: 2 },
        loadTimeMs: { median: 1_300, low: 900, high: 2_000, loads: 7 },
        efficiency: { median: 0.5, loads: 3 },
        requests: { median: 40.5, loads: 4 },
        versions: { http1: 10, http2: 30, http3: 0 },
      },
      'site',
    );
    expect(plain(row)).toEqual({
      name: 'news.test',
      site: 1,
      cells: [
        { lines: ['9'], small: [english('sites.excluded', { count: 2 })] },
        { lines: ['1.3 s'], small: ['900 ms to 2 s', '7 loads'] },
        { lines: ['50 %'], small: ['3 loads'] },
        { lines: ['41'], small: ['4 loads'] },
        { lines: ['HTTP/2: 75 %', 'HTTP/1.1: 25 %'], small: [] },
        { lines: ['25 %'], small: [] },
      ],
      narrow: [
        english('sites.narrow.efficiency', { efficiency: '50 %' }),
        '41 requests',
        english('sites.narrow.reached', { reached: '25 %' }),
      ].join(' · '),
    });
  });

  it('of a network is called by its name, of an unknown one unknown, and has no trend', () => {
    const network = { loads: 1, excluded: 0 };
    expect(plain(groupRowView({ ...network, key: LINK.id, link: LINK }, 'network'))).toMatchObject({
      name: 'RTT 300 ms, 2 Mbit/s',
      narrow: '',
    });
    const unknown = groupRowView({ ...network, key: 'unknown' }, 'network');
    expect(unknown).toMatchObject({
      name: english('figure.unknown'),
      cells: [{ lines: ['1'] }, ...Array(5).fill({ lines: ['–'], small: [] })],
    });
    expect(unknown).not.toHaveProperty('site');
  });
});

describe('the sentence', () => {
  it('says what is shown, what has no address, and what is still read', () => {
    expect(plain(groupsSentence(answer({ total: 3, unnamed: { sites: 2, loads: 5 }, pending: true }), 'site'))).toBe(
      [
        english('sites.shown', { shown: 0, all: english('sites.count.site', { count: 3 }) }),
        english('sites.unnamed', { count: 2, loads: '5 loads' }),
        english('history.reading'),
      ].join(' '),
    );
    expect(groupsSentence(answer(), 'network')).toBe(english('loads.none'));
    // Where it could not be read, nothing is waited for.
    expect(plain(groupsSentence(answer({ total: 3, pending: true }), 'site', { isReading: false }))).toBe(
      english('sites.shown', { shown: 0, all: english('sites.count.site', { count: 3 }) }),
    );
  });
});

describe('a trend', () => {
  const days: TrendAnswer['days'] = [
    {
      day: Date.UTC(2026, 0, 1, 12),
      loadTimeMs: { median: 500, low: 400, high: 700, loads: 6 },
      profiles: ['firefox-default'],
      isTrial: false,
    },
    { day: Date.UTC(2026, 0, 2, 12), loadTimeMs: { median: 450, loads: 1 }, profiles: ['c8-d1'], isTrial: true },
  ];
  const view = (more: Partial<TrendAnswer> = {}, network?: number) =>
    trendView({ days, networks: [{ link: LINK, loads: 3 }], pending: false, ...more }, { site: 'news.test', network });

  it('has a row for each day, and says what its marks are', () => {
    const shown = plain(view());
    expect(shown?.rows).toEqual([
      ['Jan 1', '6', '500 ms', '400 ms to 700 ms', english('trend.baseline')],
      ['Jan 2', '1', '450 ms', '–', '8 connections, trial'],
    ]);
    expect(shown?.subtitle).toBe(
      english('trend.subtitle', { loads: '7 loads', days: english('trend.days', { count: 2 }), network: english('trend.networks') }),
    );
    expect(shown?.key).toBe(['trend.key', 'trend.key.settings', 'trend.key.trial'].map((id) => english(id as 'trend.key')).join(' '));
  });

  it('names the network that was chosen, and explains no mark that is not there', () => {
    const [first] = days;
    const shown = plain(view({ days: first ? [first] : [] }, LINK.id));
    expect(shown?.subtitle).toContain('RTT 300 ms, 2 Mbit/s');
    expect(shown?.key).toBe(english('trend.key'));
  });

  it('is none without a day, and says whether one may follow', () => {
    expect(view({ days: [] })).toBeUndefined();
    const none = { days: [], networks: [], pending: false };
    expect(trendSentence(none)).toBe(english('trend.none'));
    expect(trendSentence({ ...none, pending: true })).toBe(english('history.reading'));
    expect(trendSentence({ ...none, pending: true }, { isReading: false })).toBe('');
    expect(trendSentence({ ...none, days, pending: true })).toBe('');
  });
});

it('names the first three of many settings', () => {
  expect(plain(settingsLabel(['a', 'b', 'c', 'd', 'e']))).toBe('a, b, c, 2 more');
});
