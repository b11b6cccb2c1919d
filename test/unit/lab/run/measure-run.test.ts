/** What a run does with loads that come to no end. */
import { expect, test } from 'vitest';
import { blockOrder } from '../../../../src/core/compare/block-order.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import type { ObservationEnd } from '../../../../src/core/measure/page-timing.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { LinkKind } from '../../../../src/core/report/report.ts';
import type { Lane } from '../../../../src/lab/lane/lane.ts';
import type { RunLoad } from '../../../../src/lab/run/measure-one.ts';
import { measureRun } from '../../../../src/lab/run/measure-run.ts';

async function run(kind: LinkKind, answer: (page: string, asked: number) => unknown, interruptedAfter = Number.POSITIVE_INFINITY) {
  const loads: RunLoad[] = [];
  const asked: string[] = [];
  const lane = {
    kind,
    useLink: async () => {},
    load: async ({ url }: { url: string }) => {
      asked.push(url);
      const answered = answer(url, asked.length);
      if (answered instanceof Error) throw answered;
      return answered;
    },
  } as unknown as Lane;
  const plan = blockOrder({
    profiles: ['firefox-default', 'c2-d1'],
    scenarios: ['one', 'two'].map((page) => ({ page, link: 'x' })),
    blocks: 4,
    seed: 1,
  });
  const ended = await measureRun({
    lane,
    plan,
    profiles: resolveProfiles(['firefox-default', 'c2-d1']),
    pages: ['one', 'two'].map((name) => ({ report: { name }, expected: undefined, url: () => name })),
    links: [],
    seed: 1,
    timeoutMs: 1,
    now: () => 0,
    onLoad: (load) => loads.push(load),
    interrupted: () => asked.length >= interruptedAfter,
  }).catch((error: unknown) => error);
  return { loads, asked, ended, planned: plan.length };
}

const endless = () => new PlumbfoxError('run-void', 'no end');

test('in the lab three in a row end the run as void; each of them is kept as a void load', async () => {
  const { loads, ended } = await run('packet', endless);
  expect(ended).toMatchObject({ kind: 'run-void', message: '3 page loads in a row did not finish, the last one: no end' });
  expect(loads.map(({ measured }) => measured.validity)).toEqual(
    Array.from({ length: 3 }, () => ({ state: 'void', cause: 'no-record', reason: 'no end' })),
  );
});

test('on the real network only the page is given up: 3 tries of 8 for each of two', async () => {
  const { loads, asked, ended, planned } = await run('real', endless);
  expect(ended).toBeUndefined();
  expect(loads).toHaveLength(planned);
  expect([asked.filter((page) => page === 'one').length, asked.filter((page) => page === 'two').length]).toEqual([3, 3]);
  expect(
    loads.filter(({ measured: { validity } }) => validity.state === 'void' && validity.reason === 'not tried again: no end'),
  ).toHaveLength(10);
});

test('a part of the lane that broke ends the run at once', async () => {
  const broken = new PlumbfoxError('environment', 'gone');
  const { loads, ended } = await run('packet', () => broken);
  expect([loads, ended]).toEqual([[], broken]);
});

test('after an interruption nothing more is asked', async () => {
  const { asked } = await run('real', endless, 1);
  expect(asked).toHaveLength(1);
});

const outcomeOf = (ended: ObservationEnd) => ({
  applied: { profileId: 'c2-d1', mismatches: [], intended: {} },
  readBack: [],
  load: { format: 1, id: '1', url: 'x', startedAt: 0, observation: { ended, quietMs: 150 }, requests: [] },
  gateway: undefined,
});

test.each<[ObservationEnd, string]>([
  ['time-limit', 'the page takes longer than the 60 s that are recorded: take a smaller page or a quicker link'],
  ['page-left', 'the page was left before it was finished'],
])('three records in a row that ended with %s end the run, with what can be done', async (end, says) => {
  const { ended, loads } = await run('relay', () => outcomeOf(end));
  expect(ended).toMatchObject({ kind: 'run-void', message: `3 page loads in a row did not finish, the last one: ${says}` });
  expect(loads).toHaveLength(3);
});

test('a load that ends in between begins the count again', async () => {
  // Of sixteen loads every third ends: never three in a row.
  const { loads, ended } = await run('packet', (_page, asked) => (asked % 3 === 0 ? outcomeOf('quiet') : endless()));
  expect(ended).toBeUndefined();
  expect(loads).toHaveLength(16);
});
