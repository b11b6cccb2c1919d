/** The guard has gone with a restart of the machine, and the clock has been set: starts are counted all the same, and what was there comes back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BETTERFOX } from '../../../src/core/profiles/presets.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';
import { countBar } from '../../support/bar-count.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
const USER_JS = '// mine\r\nuser_pref("network.proxy.type", 1);';
let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'plumbfox-reboot-'));
  writeFileSync(join(profile, 'user.js'), USER_JS);
});
afterEach(() => rmSync(profile, { recursive: true }));

const open = (now: number) => openProfile(profile, { now: () => now, systemPolicies: join(profile, 'none') });
/** The same number and the same ticks: told apart by the machine's start alone. */
const startOn = (boot: string) => ({ processId: 4_000_000, began: `${boot}/1234` });

it.each([
  ['the right time', [0, 0, 0, 0]],
  ['ten years back at each restart', [40, 30, 20, 10]],
  ['ten years on at each restart', [10, 20, 30, 40]],
])('with a clock at %s', async (_, years) => {
  const [applied = 0, ...later] = years.map((each) => each * YEAR_MS);
  await (await open(applied)).apply(BETTERFOX);
  const phases: string[] = [];
  for (const [at, boot] of ['first', 'second', 'third'].entries()) {
    const changes = await open(later[at] ?? expect.fail());
    // Told twice of one start, it counts it once.
    await changes.started(startOn(boot));
    const { phase, starts, restoredBecause } = await changes.started(startOn(boot));
    phases.push(`${phase} ${starts} ${restoredBecause === undefined ? 'kept' : 'told'}`);
  }
  expect(phases).toEqual(['pending 1 kept', 'pending 2 kept', 'none 0 told']);
  expect(readFileSync(join(profile, 'user.js'), 'latin1')).toBe(USER_JS);
  expect(readdirSync(profile)).toEqual(['plumbfox', 'user.js']);
  countBar(23, 'files given back after restarts of the machine', 1, 1);
});
