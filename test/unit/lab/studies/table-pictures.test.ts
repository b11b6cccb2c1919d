import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../../src/lab/published/merge-findings.ts';
import {
  changeIn,
  dispatchPictures,
  readSizePictures,
  soonerIn,
  timesIn,
  warmUpPictures,
} from '../../../../src/lab/studies/table-pictures.ts';

describe('a cell of a table', () => {
  it.each([
    ['+21 % (−10 % to +64 %)', { ratio: 1.21, low: 0.9, high: 1.64 }],
    ['−1.5 %', { ratio: 0.985 }],
    ['–', undefined],
  ])('is read as a change: %s', (text, figure) => {
    if (figure === undefined) expect(changeIn(text)).toBeUndefined();
    else for (const [key, value] of Object.entries(figure)) expect(changeIn(text)).toHaveProperty(key, expect.closeTo(value, 9));
  });

  it('is read as times', () => {
    expect(timesIn('107.04 (105.84 to 1,108.90)')).toEqual({ ratio: 107.04, low: 105.84, high: 1108.9 });
    expect(timesIn('–')).toBeUndefined();
  });

  it.each([
    ['3 % sooner', '5 % later to 10 % sooner', [1.03, 0.95, 1.1]],
    ['1.5 % sooner', '1 % to 2.1 % sooner', [1.015, 1.01, 1.021]],
    ['2 % later', '3 % to 1 % later', [0.98, 0.97, 0.99]],
    ['0 %', '0.2 % later to 0.2 % sooner', [1, 0.998, 1.002]],
  ])('is read as sooner or later: %s', (change, interval, [ratio, low, high]) => {
    expect(soonerIn(change, interval)).toEqual({
      ratio: expect.closeTo(ratio ?? 0, 9),
      low: expect.closeTo(low ?? 0, 9),
      high: expect.closeTo(high ?? 0, 9),
    });
  });
});

const PAGE = `# study

## Against firefox-default, on new connections. Without waiting: less

| profile | loads | of | pairs | change | 95 % interval, 2 together | verdict |
| --- | --: | --- | --: | --: | --: | --- |
| read-1k | 6 | time to first byte | 6 | 9 % sooner | 1 % to 20 % sooner | sooner |
| read-1k | 6 | without waiting | 6 | 0.4 % later | 2.2 % later to 1.2 % sooner | not enough data yet |
| read-4k | 6 | without waiting | 6 | 2 % sooner | 1 % to 3 % sooner | sooner |

## By receive buffer of the client (net.ipv4.tcp\\_rmem), ms

| link | RTT, ms | buffer | object | connection | loads | later, times the kernel's own |
| --- | --: | --: | --: | --- | --: | --: |
| near | 20 | 4 KiB | 64 KiB | new | 6 | 21.70 (21.59 to 22.22) |
| near | 20 | 64 KiB | 1 KiB | new | 6 | 0.99 (0.99 to 1.00) |

## Appended against bundled: geometric means

| profile | efficiency | ahead in | finding |
| --- | --- | --: | --- |
| c1-d2 | +21 % (−10 % to +64 %) | 28 of 28 | neither |
| c2-d4 | +10 % (+3.1 % to +17 %) | 26 of 28 | appended |
`;

describe('a picture of a published table', () => {
  const tables = tablesOf(PAGE);
  const textIn = (svg = '') => [...svg.matchAll(/<(?:tspan|text) [^>]*>([^<]+)</g)].map(([, text]) => text?.replaceAll('\u00a0', ' '));

  it('has the title that stands over the table, without the marks of Markdown', () => {
    expect(tables.map(({ title }) => title)[1]).toBe('By receive buffer of the client (net.ipv4.tcp_rmem), ms');
    expect(tables[0]?.columns[1]).toEqual({ name: 'loads', align: 'right' });
  });

  it('shows the measure that the answer rests on, the soonest on top', () => {
    const text = textIn(readSizePictures(tables)[0]?.svg);
    expect(text.indexOf('read-4k')).toBeLessThan(text.indexOf('read-1k'));
    expect(text).toEqual(expect.arrayContaining(['2 % sooner', '1 % sooner to 3 % sooner', '0.4 % later']));
    expect(text).not.toContain('9 % sooner');
  });

  it('shows what takes longer, and counts the rows that do not', () => {
    const [picture] = warmUpPictures(tables);
    expect(textIn(picture?.svg)).toEqual(
      expect.arrayContaining(['21.7 times', '21.6 to 22.2 times', 'RTT 20 ms', '6 loads, new connection']),
    );
    expect(textIn(picture?.svg).join(' ')).toContain('Not drawn: 1 row that differs');
  });

  it('shows which of two ways is ahead, and where', () => {
    const [picture] = dispatchPictures(tables);
    expect(textIn(picture?.svg)).toEqual(expect.arrayContaining(['+21 %', '−10 % to +64 %', 'ahead in 28 of 28', 'c2-d4']));
    // Only an interval without 1 is full.
    expect(picture?.svg.match(/<circle [^>]*fill="#103668"/g)).toHaveLength(1);
  });

  it('is none without its table', () => {
    expect([readSizePictures([]), warmUpPictures([]), dispatchPictures([])]).toEqual([[], [], []]);
  });
});
