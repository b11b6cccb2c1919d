/** Half a minute of the soak (`npm run soak`, docs/soak.md): the extension asks the network for nothing, and tells its helper what is documented. */
import { expect, test } from 'vitest';
import { soak, soakCounts } from '../soak/soak.ts';
import { countBar } from '../support/bar-count.ts';

const LOADS = 24;

test('no request is the extension’s own, no message to the helper holds more than is documented, and every load is recorded', async () => {
  const seen = await soak({
    loads: LOADS,
    minutes: 0.25,
    // Memory needs thousands of loads.
    warmLoads: undefined,
    visitEvery: 8,
    restEvery: Number.POSITIVE_INFINITY,
    isStopped: () => false,
    onProgress: () => undefined,
  });
  expect(seen.loads).toBeGreaterThan(10);
  expect(seen.strays).toEqual([]);
  expect(seen.ofExtension).toBe(0);
  expect(seen.nativeMessages).toBeGreaterThan(3);
  expect(seen.undocumented).toEqual([]);
  expect(seen.keptFirst).toBeGreaterThan(0);
  expect(seen.keptLast).toBe(seen.keptFirst);
  expect(seen.requests).toBe(seen.loads * 5);
  for (const { bar, what, held, of } of soakCounts(seen)) countBar(bar, what, held, of);
});
