/** Which captures of a folder are told of. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CaptureWork, captureFiles, captureOf, readCaptures } from '../../../../src/lab/study-run/study-captures.ts';
import { smallLoad } from '../capture/small-load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-captures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CELL = { page: 'wiki', link: 'far', profileId: 'c4-d6', block: 0 };

function keep(profileId: string, more: object): void {
  const files = captureFiles(folder, { ...CELL, profileId });
  writeFileSync(files.packets, smallLoad());
  files.keep({ ...CELL, profileId, token: 't', ...more });
}

test('those of the loads that count, not of one made before or since', () => {
  keep('c4-d6', { startedAt: 5 });
  keep('c1-d2', { startedAt: 6 });
  keep('older', {});
  const told = (loads: readonly (readonly [string, number])[]) =>
    readCaptures(
      folder,
      loads.map(([profileId, startedAt]) => ({ ...CELL, profileId, startedAt })),
    ).map(({ profileId }) => profileId);
  expect(
    told([
      ['c4-d6', 5],
      ['c1-d2', 7],
      ['older', 8],
    ]),
  ).toEqual(['c4-d6', 'older']);
  expect(told([])).toEqual([]);
});

const VALID = { state: 'valid' } as const;
const recorded = (more: Partial<CaptureWork>, stop: () => Promise<{ packets: number; missedPackets: number }>) =>
  captureOf(CELL, {
    folder,
    start: async (path) => {
      writeFileSync(path, smallLoad());
      return { stop, abandon: async () => {} };
    },
    again: async () => ({ validity: VALID, note: { token: 't', startedAt: 5 } }),
    ...more,
  });
const whole = async () => ({ packets: 9, missedPackets: 0 });

test('a capture of a valid load with every packet is kept', async () => {
  expect(await recorded({}, whole)).toBeUndefined();
  expect(readdirSync(folder).sort()).toEqual(['wiki_far_c4-d6_0.json', 'wiki_far_c4-d6_0.pcap']);
});

test.each<[string, string, Partial<CaptureWork>, Parameters<typeof recorded>[1]]>([
  ['tcpdump does not start', 'tcpdump did not start', { start: () => Promise.reject(new Error('tcpdump did not start')) }, whole],
  ['tcpdump ends in the middle', 'tcpdump ended', {}, () => Promise.reject(new Error('tcpdump ended\nmore'))],
  ['packets are missed', '3 packets were missed', {}, async () => ({ packets: 9, missedPackets: 3 })],
  ['the load beside it is void', 'no', { again: async () => ({ validity: { state: 'void', reason: 'no' }, note: { token: 't' } }) }, whole],
  ['the lane breaks', 'Firefox ended', { again: () => Promise.reject(new Error('Firefox ended')) }, whole],
])('where %s nothing is kept, and why is told, not thrown', async (_what, why, more, stop) => {
  expect(await recorded(more, stop)).toBe(why);
  expect(readdirSync(folder)).toEqual([]);
});
