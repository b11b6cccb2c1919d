/**
 * The answers of a search in words, in every state there is, as they were when somebody last looked at them. A difference is shown line by line; when
 * it is meant, write it with: npx vitest run --project unit test/golden -u
 */
import { expect, it } from 'vitest';
import { formatSearchAnswer } from '../../src/core/search/format-search.ts';
import type { Proof, SearchAnswer } from '../../src/core/search/search-record.ts';

const PACING = 'network.http.pacing.requests.enabled';
const PER_SERVER = 'network.http.max-persistent-connections-per-server';

const both: Proof = {
  profileId: `c12-d1+${PACING}=false`,
  settings: { [PER_SERVER]: 12, [PACING]: false },
  ratio: 1.56,
  low: 1.23,
  high: 1.97,
  verdict: 'better',
  pairs: 8,
  blocks: 8,
  loadTimeMs: 1220,
  baselineMs: 1900,
};
const pacing: Proof = {
  ...both,
  profileId: `firefox-default+${PACING}=false`,
  settings: { [PACING]: false },
  ratio: 1.53,
  loadTimeMs: 1240,
};
const contributions = [
  { preference: PER_SERVER, value: 12, predicted: 1.19, measured: { ratio: 1.17, low: 1.096, high: 1.26, pairs: 7 } },
  { preference: PACING, value: false, predicted: 1.64 },
  { preference: 'network.http.tailing.enabled', value: false },
];
const open: Proof = { ...pacing, ratio: 1.04, low: 0.97, high: 1.12, verdict: 'need-more-loads' };

const ANSWERS: Readonly<Record<string, SearchAnswer>> = {
  'faster, with what each preference does': { state: 'faster', best: both, cheapest: both, contributions },
  'faster, and something cheaper is as fast': { state: 'faster', best: both, cheapest: pacing, contributions: [] },
  'faster by another protocol': {
    state: 'faster',
    best: { ...both, profileId: 'firefox-default+network.http.http3.enable=false', settings: { 'network.http.http3.enable': false } },
    cheapest: { ...both, profileId: 'firefox-default+network.http.http3.enable=false', settings: { 'network.http.http3.enable': false } },
    contributions: [],
  },
  'nothing is within reach': { state: 'nothing-beats', because: 'out-of-reach' },
  'nothing is predicted': { state: 'nothing-beats', because: 'none-predicted' },
  'nothing is predicted, by bands that leave something open': { state: 'nothing-beats', because: 'none-predicted', highest: 1.15 },
  'nothing is ahead': { state: 'nothing-beats', because: 'none-ahead' },
  'nothing is ahead, as far as the loads can show': { state: 'nothing-beats', because: 'none-ahead', highest: 1.2, unseenBelow: 0.12 },
  'nothing is ahead, and half as fast again might not have shown': {
    state: 'nothing-beats',
    because: 'none-ahead',
    highest: 1.6,
    unseenBelow: 0.5,
  },
  'nothing is ahead, and the loads could hardly show anything': {
    state: 'nothing-beats',
    because: 'none-ahead',
    highest: 15,
    unseenBelow: 0.51,
  },
  'nothing is ahead, for certain': { state: 'nothing-beats', because: 'none-ahead', highest: 1.02 },
  'nothing is confirmed': {
    state: 'nothing-beats',
    because: 'not-proven',
    closest: { ...open, ratio: 0.99, low: 0.975, high: 1.01 },
    highest: 1.01,
  },
  'nothing is confirmed, and others may gain': {
    state: 'nothing-beats',
    because: 'not-proven',
    closest: { ...open, ratio: 0.99, low: 0.975, high: 1.01 },
    highest: 1.2,
    unseenBelow: 0.12,
  },
  'nothing is confirmed, and the loads of others could hardly show anything': {
    state: 'nothing-beats',
    because: 'not-proven',
    closest: { ...open, ratio: 0.99, low: 0.975, high: 1.01 },
    highest: 15,
    unseenBelow: 13.64,
  },
  'not proven': { state: 'undecided', closest: open },
  'not all was measured': { state: 'undecided', notMeasured: ['c8-d1', 'c16-d1'] },
  'nothing was confirmed in time': {
    state: 'undecided',
    closest: { profileId: pacing.profileId, settings: pacing.settings, verdict: 'need-more-loads', pairs: 0, blocks: 0 },
    notMeasured: ['c8-d1'],
  },
  'a check failed': { state: 'no-verdict', reason: 'No recommendation: 3 of 4 loads of c8-d1 are excluded.' },
  'interrupted early': { state: 'interrupted' },
  'interrupted late': { state: 'interrupted', closest: open },
};

it('says every answer in words', async () => {
  const lines = Object.entries(ANSWERS).flatMap(([name, answer]) => [name, ...formatSearchAnswer(answer, { isOutOfReach: false }), '']);
  const beyond = (
    [
      { state: 'nothing-beats', because: 'none-ahead' },
      { state: 'undecided', closest: open },
    ] as const
  ).flatMap((answer) => formatSearchAnswer(answer, { isOutOfReach: true }));
  await expect(['', ...lines, 'over HTTP/2', ...beyond, ''].join('\n')).toMatchFileSnapshot('search.txt');
});
