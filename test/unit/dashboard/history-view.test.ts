import { describe, expect, it } from 'vitest';
import { filterOptions, filterQuery, foundSentence, historyRowView } from '../../../src/dashboard/history-view.ts';
import type { HistoryAnswer, HistoryRow } from '../../../src/protocol/history-messages.ts';
import { english } from '../../support/english.ts';
import { lastLoad, NOW, plain } from '../controls/sample-state.ts';

const LINK = lastLoad.link as NonNullable<HistoryRow['link']>;
const ROW: HistoryRow = { key: 7, site: 1, startedAt: NOW, profileId: 'c8-d1', standing: 'whole' };
const row = (more: Partial<HistoryRow> = {}, pending = false) => plain(historyRowView({ ...ROW, ...more }, { now: NOW, pending }));

const CHOICES: HistoryAnswer['choices'] = {
  sites: [{ value: 1, loads: 2, host: 'news.test' }],
  networks: [
    { value: LINK.id, loads: 2, link: LINK },
    { value: 'unknown', loads: 1 },
  ],
  profiles: [{ value: 'c8-d1', loads: 2 }],
  protocols: [{ value: 'http/2', loads: 2 }],
  excluded: [{ value: 'page-left', loads: 1 }],
};
const answer = (more: Partial<HistoryAnswer> = {}): HistoryAnswer => ({
  rows: [],
  found: 0,
  total: 3,
  isPart: false,
  pending: false,
  choices: CHOICES,
  ...more,
});

describe('a row', () => {
  it('has its page, network, protocol, and why it is excluded', () => {
    const whole = {
      url: 'https://news.test/a',
      host: 'news.test',
      id: '7-1',
      link: LINK,
      protocol: 'http/2',
      excluded: 'washout',
    } as const;
    expect(row({ ...whole, loadTimeMs: 3_400, efficiency: 0.46 })).toEqual({
      ...{ key: 7, id: '7-1', page: 'news.test/a', time: '00:00', link: 'RTT 300 ms, 2 Mbit/s', profile: '8 connections' },
      ...{ protocol: 'HTTP/2', loadTime: '3.4 s', efficiency: '46 %', excluded: english('history.washout') },
    });
  });

  it('says which address is no longer kept', () => {
    expect(row()).toMatchObject({ page: english('history.addressGone') });
    expect(row({ host: 'news.test' })).toMatchObject({ page: english('history.pageGone', { host: 'news.test' }) });
    expect(row()).not.toHaveProperty('id');
  });

  it('calls unknown only what is not being estimated', () => {
    expect(row()).toMatchObject({ link: english('figure.unknown'), efficiency: english('figure.unknown'), excluded: '' });
    expect(row({}, true)).toMatchObject({ link: english('history.pending'), efficiency: english('history.pending') });
  });
});

describe('the filters', () => {
  it('are chosen by name and number of loads', () => {
    const labels = Object.values(filterOptions(answer())).map((options) => plain(options.map(({ label }) => label)));
    expect(labels).toEqual([
      ['news.test (2 loads)'],
      ['RTT 300 ms, 2 Mbit/s (2 loads)', 'unknown (1 load)'],
      ['8 connections (2 loads)'],
      ['HTTP/2 (2 loads)'],
      [english('history.compared'), english('history.anyExcluded'), 'left early (1 load)'],
    ]);
  });

  it('that are chosen make the query, also where no load has them, and the empty ones nothing', () => {
    const none = { site: '', network: '', profile: '', protocol: '', excluded: '' };
    expect(filterQuery(none)).toEqual({});
    const some = { site: '1', network: String(LINK.id), profile: 'c8-d1', protocol: 'http/2', excluded: 'page-left' };
    expect(filterQuery(some)).toEqual({ site: 1, network: LINK.id, profile: 'c8-d1', protocol: 'http/2', excluded: 'page-left' });
    expect(filterQuery({ ...none, network: 'unknown', protocol: 'unknown', excluded: 'any' })).toEqual({
      ...{ network: 'unknown', protocol: 'unknown', excluded: 'any' },
    });
  });
});

it('what was found is said with the rows that are shown', () => {
  const rows = [ROW, ROW];
  expect(plain(foundSentence(answer({ total: 0 }), 0))).toBe(english('loads.none'));
  expect(plain(foundSentence(answer(), 0))).toBe('None of 3 loads fits. Clear the filters to see them all.');
  expect(plain(foundSentence(answer({ pending: true }), 0))).toBe(
    `${english('history.noneFound', { loads: '3 loads' })} ${english('history.reading')}`,
  );
  expect(plain(foundSentence(answer({ rows, found: 3 }), 1))).toBe('2 to 3 of 3 loads.');
  expect(plain(foundSentence(answer({ rows, found: 2 }), 0))).toBe('1 to 2 of 2 found, of 3 loads.');
  expect(plain(foundSentence(answer({ rows, found: 3, pending: true }), 0))).toBe(`1 to 2 of 3 loads. ${english('history.reading')}`);
  expect(plain(foundSentence(answer({ rows, found: 2, isPart: true }), 0))).toBe(
    '1 to 2 of 2 found among the newest loads. Reading the others…',
  );
  expect(plain(foundSentence(answer({ isPart: true }), 0))).toBe(`${english('history.part.none')} ${english('history.others')}`);
  // Where they could not be read, nothing is waited for.
  const failed = { isReading: false };
  expect(plain(foundSentence(answer({ isPart: true }), 0, failed))).toBe(english('history.part.none'));
  expect(plain(foundSentence(answer({ rows, found: 2, isPart: true }), 0, failed))).toBe('1 to 2 of 2 found among the newest loads.');
  expect(plain(foundSentence(answer({ rows, found: 3, pending: true }), 0, failed))).toBe('1 to 2 of 3 loads.');
});
