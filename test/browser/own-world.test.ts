/** No test of a browser passes under what somebody else has set: a policy of the machine, or another home, ends it at the start. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { countBar } from '../support/bar-count.ts';
import { type DrivenFirefox, preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from '../support/firefox-process.ts';
import { canMount, privatePolicy } from '../support/private-policy.ts';

const POLICY = {
  policies: { DisableTelemetry: true, Preferences: { 'network.http.pacing.requests.enabled': { Value: false, Status: 'locked' } } },
};

const mountable = canMount();
const why = mountable ? '' : ' (skipped: a policy that only one Firefox sees needs root)';

let directory: string;
let firefox: DrivenFirefox | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  await mkdir(join(directory, 'profile'));
  await writeFile(join(directory, 'profile', 'user.js'), preferenceLines(QUIET_PREFERENCES));
});

afterEach(async () => {
  await firefox?.stop();
  firefox = undefined;
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const start = async (command: readonly string[]) => {
  firefox = await startDrivenFirefox({ profile: join(directory, 'profile'), home: join(directory, 'home'), command });
};

/** Words before a program that sees this folder in place of Firefox's own `distribution`, another place for policies; /etc stays the machine's. */
async function strayPolicy(): Promise<readonly string[]> {
  const path = await realpath((await findFirefox())?.path ?? 'firefox-esr');
  const folder = join(directory, 'stray');
  await mkdir(folder);
  await writeFile(join(folder, 'policies.json'), JSON.stringify(POLICY));
  return ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" "$1" && shift && exec "$@"', folder, join(dirname(path), 'distribution'), path];
}

test.runIf(mountable)(`a policy that the test did not make ends it, by name${why}`, async () => {
  await expect(start(await strayPolicy())).rejects.toThrow(/policies of this machine.+DisableTelemetry/);
  countBar(12, 'stray policies that ended the test', 1, 1);
});

test.runIf(mountable)(`a policy of the test's own does not${why}`, async () => {
  await start(await privatePolicy(directory, POLICY));
  countBar(12, 'policies of the test itself that did not', 1, 1);
});

test('another home ends it, by name', async () => {
  const another = join(directory, 'another');
  await mkdir(another);
  await expect(start(['env', `HOME=${another}`, 'firefox-esr'])).rejects.toThrow(`with the home ${another}`);
  countBar(12, 'homes of somebody else that ended the test', 1, 1);
});
