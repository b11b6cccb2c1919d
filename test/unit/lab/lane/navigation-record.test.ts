/** Which record is of a navigation: by its address where no other has it, else by its time. */
import { describe, expect, test } from 'vitest';
import type { PageLoad, RequestRecord } from '../../../../src/core/measure/page-load.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { isOfAddress, isRecordOf } from '../../../../src/lab/lane/navigation-record.ts';

const document = (url: string): RequestRecord => ({ url, origin: null, type: 'main_frame', outcome: { state: 'completed' } });
const redirect = (url: string): RequestRecord => ({ ...document(url), outcome: { state: 'redirected' } });
const image: RequestRecord = { ...document('http://x/i.png'), type: 'image' };

const record = (requests: readonly RequestRecord[], startedAt = 0): PageLoad => ({
  format: 1,
  id: '1',
  url: 'unused',
  startedAt: milliseconds(startedAt),
  observation: { ended: 'quiet', quietMs: milliseconds(150) },
  requests,
});

test.each<[string, readonly RequestRecord[], string, boolean]>([
  ['the same address', [document('http://x/a')], 'http://x/a', true],
  ['written otherwise, and with a fragment', [document('http://x/a#b')], 'http://X:80/a#c', true],
  ['another address', [document('http://x/a')], 'http://x/b', false],
  [
    'redirected twice: the first that was asked for',
    [document('http://x/c'), redirect('http://x/a'), redirect('http://x/b')],
    'http://x/a',
    true,
  ],
  ['redirected: the last is not what was asked for', [document('http://x/c'), redirect('http://x/a')], 'http://x/c', false],
  ['a picture of that address is no document', [document('http://x/a'), image], 'http://x/i.png', false],
  ['a record of nothing', [], 'http://x/a', false],
])('%s', (_name, requests, url, isIt) => {
  expect(isOfAddress(record(requests), url)).toBe(isIt);
});

describe('an address that was asked for the first time', () => {
  const isIt = isRecordOf({ url: 'http://x/b', fresh: true, begunAtMs: 10_000 });

  test('tells, whatever the clocks say', () => {
    expect(isIt(record([document('http://x/b')], 5000))).toBe(true);
    expect(isIt(record([document('http://x/a')], 5000))).toBe(false);
  });

  test('need not be told by the record of a real site', () => {
    expect(isIt(record([document('https://www.x/b')], 10_020))).toBe(true);
  });
});

describe('an address that was asked for before tells nothing', () => {
  const isIt = isRecordOf({ url: 'http://x/a', fresh: false, begunAtMs: 10_000 });

  test.each([
    [10_001, true],
    // The two clocks are not quite one: 100 ms.
    [9901, true],
    [9899, false],
  ])('a record begun at %d: %s', (startedAt, taken) => {
    expect(isIt(record([document('http://x/a')], startedAt))).toBe(taken);
  });
});
