/**
 * What Firefox makes of numbers beyond the clamps of the catalogue: it counts as at the nearest limit, and otherwise than at a number within.
 * The preferences are set past Plumbfox, which would refuse them.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findKnob } from '../../../src/core/profiles/catalogue.ts';
import { actingValue } from '../../../src/core/profiles/knob-at.ts';
import { findWitness } from '../../../src/core/profiles/witnesses.ts';
import { findFirefox } from '../../../src/lab/firefox/find-firefox.ts';
import { makeCertificates } from '../../../src/lab/origin/certificates.ts';
import { measuredAs } from '../../../src/lab/witness/measure-witness.ts';
import type { Scenario } from '../../../src/lab/witness/scenario.ts';
import { SCENARIOS } from '../../../src/lab/witness/scenarios/all-scenarios.ts';
import { type WitnessBrowser, witnessBrowser } from '../../../src/lab/witness/witness-browser.ts';
import { describeCounts, reportCounts } from '../../support/witness-room.ts';

let folder: string;
let browser: WitnessBrowser | undefined;
let certificate: { readonly key: string; readonly cert: string };

beforeAll(async () => {
  const firefox = await findFirefox();
  if (firefox === undefined) throw new Error('No Firefox was found');
  folder = await mkdtemp(join(tmpdir(), 'plumbfox-clamps-'));
  const { files, authority } = await makeCertificates(folder, ['127.0.0.1', '*.witness.test']);
  const [key, cert] = await Promise.all([readFile(files.keyPath, 'utf8'), readFile(files.certificatePath, 'utf8')]);
  certificate = { key, cert };
  browser = await witnessBrowser({ program: firefox.path, authority });
});

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

let runs = 0;

/** The count of the preference's witness. */
async function countAt(preference: string, value: number): Promise<number> {
  if (browser === undefined) return expect.fail('There is no browser');
  const scenario: Scenario = SCENARIOS[findWitness(preference)?.scenario ?? expect.fail(`${preference} has no witness`)];
  try {
    await browser.set({ ...scenario.preferences, [preference]: value });
    return await scenario.run({ browser, certificate, label: `run${runs++}` });
  } finally {
    await browser.clear();
  }
}

it.each([
  { preference: 'network.http.max-persistent-connections-per-server', beyond: 0, actsAs: 1, within: 3 },
  { preference: 'network.http.max-persistent-connections-per-proxy', beyond: -5, actsAs: 1, within: 3 },
  { preference: 'network.http.keep-alive.timeout', beyond: 0, actsAs: 1, within: 115 },
  { preference: 'network.http.http2.default-concurrent', beyond: 0, actsAs: 1, within: 3 },
  { preference: 'network.http.http2.push-allowance', beyond: 1, actsAs: 1024, within: 2048 },
  { preference: 'network.http.http2.push-allowance', beyond: 2_147_483_647, actsAs: 12_582_912, within: 2048 },
])('$preference $beyond acts as $actsAs', async ({ preference, beyond, actsAs, within }) => {
  expect(actingValue(findKnob(preference) ?? expect.fail(preference), beyond)).toEqual({ state: 'clamped', actsAs });
  const { isAsExpected, measured } = await measuredAs(
    async () => [await countAt(preference, beyond), await countAt(preference, actsAs), await countAt(preference, within)] as const,
    ([atBeyond, atLimit, atWithin]) => atBeyond === atLimit && atLimit !== atWithin,
  );
  reportCounts(`${preference} ${beyond}, ${actsAs}, ${within}`, measured);
  expect(isAsExpected, describeCounts(measured)).toBe(true);
});
