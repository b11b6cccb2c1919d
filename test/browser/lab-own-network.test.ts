/**
 * A driven Firefox listens on a loopback port without asking for a secret, and its first caller has it. Wherever it needs no network of this machine it
 * runs in a namespace, which no other user reaches.
 */
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBuildNames } from '../../src/lab/firefox/build-preferences.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { readBuildFacts } from '../../src/lab/firefox/read-build-facts.ts';
import { relayLane } from '../../src/lab/lane/relay-lane.ts';
import { besideIn, descendantsOf } from '../support/processes.ts';

const program = (await findFirefox())?.path ?? '';

/** Firefoxes that were started meanwhile, and those of them that every user of this machine reaches. */
async function startedDuring(work: Promise<unknown>): Promise<{ readonly started: number; readonly reachable: number }> {
  const [started, reachable] = [new Set<number>(), new Set<number>()];
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const here = new Set(besideIn(process.pid).map(({ pid }) => pid));
    for (const { pid, name } of descendantsOf(process.pid)) {
      if (!name.startsWith('firefox')) continue;
      started.add(pid);
      if (here.has(pid)) reachable.add(pid);
    }
    await Promise.race([done, after(250)]);
  }
  await done;
  return { started: started.size, reachable: reachable.size };
}

test.each([
  ['for the preferences of a build', () => readBuildFacts(program, ['network.http.pipelining'])],
  ['for the names in a build', () => readBuildNames(program, ['network.http.pipelining'])],
  [
    'on a lane over the relay',
    async () => {
      const lane = await relayLane();
      try {
        await lane.start({ program, variant: 'release', quietMs: 100 });
      } finally {
        await lane.close();
      }
    },
  ],
])('%s', async (_, work) => {
  const { started, reachable } = await startedDuring(work());
  expect(started).toBeGreaterThan(0);
  expect(reachable).toBe(0);
});
