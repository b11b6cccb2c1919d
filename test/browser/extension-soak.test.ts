/** Half a minute of the soak (`npm run soak`, docs/results/soak.md): the extension asks the network for nothing, and tells its helper what is documented. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { soak } from '../soak/soak.ts';
import { keptInLives, REQUESTS_PER_LOAD, soakCounts } from '../soak/soak-seen.ts';
import { countBar } from '../support/bar-count.ts';

const LOADS = 20;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-soak-'));
});
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

test('no request is the extension’s own, no message to the helper holds more than is documented, and every load is recorded', async () => {
  const seen = await soak({
    loads: LOADS,
    minutes: Number.POSITIVE_INFINITY,
    everyMs: 500,
    directory,
    // It lives from the first look to the last, however slow the machine is.
    idleMs: 3_600_000,
    isResumable: false,
    // Memory needs thousands of loads.
    warmLoads: undefined,
    visitEvery: 10,
    restEvery: Number.POSITIVE_INFINITY,
    isStopped: () => false,
    onVisit: async () => undefined,
  });
  expect(seen.loads).toBe(LOADS);
  expect(seen.strays).toEqual([]);
  expect(seen.ofExtension).toBe(0);
  expect(seen.nativeMessages).toBeGreaterThan(3);
  expect(seen.undocumented).toEqual([]);
  expect(keptInLives(seen.kept)).toEqual([[expect.any(Number), expect.any(Number)]]);
  const counts = seen.kept.map(({ count }) => count);
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts).toEqual(counts.map(() => counts[0]));
  expect(seen.requests).toBe(seen.loads * REQUESTS_PER_LOAD);
  for (const { bar, what, held, of } of soakCounts(seen)) countBar(bar, what, held, of);
}, 900_000);
