/**
 * That a Firefox of the tests runs under nothing that its test has not made: its profile, its home, and no policies but the test's own. A policy
 * of the machine beats every preference of a profile, so a test under one shows nothing, and nobody would notice.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';

/** `nsIEnterprisePolicies.INACTIVE`: what about:policies calls inactive. */
const INACTIVE = 0;

/** What about:support and about:policies show. */
interface World {
  readonly processId: number;
  readonly profile: string;
  readonly home: string;
  readonly status: number;
  readonly policies: string;
}
const WORLD = `() => ({
  processId: Services.appinfo.processID,
  profile: Services.dirsvc.get('ProfD', Ci.nsIFile).path,
  home: Services.dirsvc.get('Home', Ci.nsIFile).path,
  status: Services.policies.status,
  policies: JSON.stringify(Services.policies.getActivePolicies?.() ?? null),
})`;

/** @throws Error that names the policies, the profile or the home that are not the test's. */
export async function expectOwnWorld(browser: Browser, own: { readonly profile: string; readonly home: string }): Promise<void> {
  const world = await (await chromeContext(browser)).run<World>(WORLD, null);
  for (const name of ['profile', 'home'] as const)
    if (world[name] !== own[name]) throw new Error(`Firefox runs with the ${name} ${world[name]}, not with the test's own, ${own[name]}`);
  // Whoever has an /etc of its own has the policies there that the test put into it: see private-etc.ts and private-policy.ts.
  if (world.status !== INACTIVE && !(await hasOwnEtc(world.processId)))
    throw new Error(`Firefox runs under policies of this machine, not the test's own (status ${world.status}): ${world.policies}`);
}

async function hasOwnEtc(processId: number): Promise<boolean> {
  const [its, ours] = await Promise.all([stat(join('/proc', String(processId), 'root', 'etc')), stat('/etc')]);
  return its.ino !== ours.ino || its.dev !== ours.dev;
}
