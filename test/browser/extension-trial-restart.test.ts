/** A trial goes on after Firefox itself has ended: with the same assignment where profiles are switched live, and from session to session where not. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { policiesJson } from '../../src/core/profiles/policies-json.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import { DEFAULT_SLOTS_PER_TURN } from '../../src/core/trial/trial-defaults.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { CurrentTrial } from '../../src/protocol/trial-state.ts';
import { type ExtensionFirefox, type FirefoxOptions, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { canMount, privatePolicy } from '../support/private-policy.ts';
import { expectUnderItsProfile, heldPages, loadOnce, PER_SERVER, trialNow } from '../support/trial-firefox.ts';

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox | undefined;
let count = 0;
const url = () => `${server.origin}/hold?${++count}`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-trial-'));
  server = await startTestServer(heldPages);
});

afterEach(async () => {
  await firefox?.stop();
  firefox = undefined;
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function start(options: FirefoxOptions = {}): Promise<ExtensionFirefox> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
    ...options,
  });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  return firefox;
}

const held = async (running: ExtensionFirefox) =>
  (await chromeContext(running.browser)).run<{ value: number; userSet: boolean }>(
    `name => ({ value: Services.prefs.getIntPref(name), userSet: Services.prefs.prefHasUserValue(name) })`,
    PER_SERVER,
  );

describe('switched live', () => {
  const slots = { kind: 'loads', perSlot: 3 } as const;
  /** Loads of a turn, those of washout among them. */
  const TURN = DEFAULT_SLOTS_PER_TURN * slots.perSlot;

  /** A trial in the middle of a slot of c2-d1, whose preference is on the disk. */
  async function trialInSlot(): Promise<ExtensionFirefox> {
    const running = await start();
    await running.ask({ kind: 'start-trial', trial: { candidates: ['c2-d1'], slots } });
    const first = await trialNow(running);
    for (let at = 0; first.turn.profileId !== 'c2-d1' && at < TURN; at++) await loadOnce(running, url());
    await loadOnce(running, url());
    expect((await loadOnce(running, url())).trial?.mark).toMatchObject({ profileId: 'c2-d1', position: 1, washout: false });
    return running;
  }

  async function expectToGoOn({ profileId, block, slot }: CurrentTrial['turn']): Promise<void> {
    const running = await start();
    const turn = { profileId, block, slot };
    expect(await trialNow(running)).toMatchObject({ turn, now: { state: 'in-effect', washout: true } });
    expect(await held(running)).toEqual({ value: 2, userSet: true });
    const loads = [await loadOnce(running, url()), await loadOnce(running, url())];
    for (const load of loads) expectUnderItsProfile(server, load);
    expect(loads.map(({ trial }) => trial)).toMatchObject([{ mark: { ...turn, washout: true } }, { mark: { ...turn, washout: false } }]);
    expect(loads.map(({ trial }) => trial?.void)).toEqual([undefined, undefined]);
    await running.ask({ kind: 'stop-trial' });
    expect(await held(running)).toEqual({ value: 6, userSet: false });
  }

  test('goes on in the same slot after Firefox was ended', async () => {
    const running = await trialInSlot();
    const { turn } = await trialNow(running);
    await running.stop();
    await expectToGoOn(turn);
  });

  test('goes on in the same slot after Firefox was killed, although the preference never reached the disk', async () => {
    const running = await start();
    await running.ask({ kind: 'start-trial', trial: { candidates: ['c2-d1'], slots } });
    if ((await trialNow(running)).turn.profileId !== 'c2-d1') for (let at = 0; at < TURN; at++) await loadOnce(running, url());
    const { turn } = await trialNow(running);
    expect(turn.profileId).toBe('c2-d1');
    // As if it had been killed in the half second before Firefox writes its preferences.
    const path = join(directory, 'profile', 'prefs.js');
    await expect.poll(() => readFile(path, 'utf8')).toContain(PER_SERVER);
    await running.kill();
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes(PER_SERVER));
    await writeFile(path, lines.join('\n'));
    await expectToGoOn(turn);
  });
});

describe.runIf(canMount())('from session to session', () => {
  const release = { archive: 'dist/plumbfox-release.xpi' } as const;
  const underPolicy = async (policies: string) => start({ ...release, command: await privatePolicy(directory, JSON.parse(policies)) });

  test('a session counts only under the profile that is due', async () => {
    const first = await start(release);
    const { live } = await first.ask({ kind: 'trial-state' });
    expect(live).toBe(false);
    await first.ask({ kind: 'start-trial', trial: { candidates: ['c2-d1'] } });
    expect(await trialNow(first)).toMatchObject({ slots: { kind: 'session' }, now: { state: 'due-at-start', held: 'firefox-default' } });
    expect((await loadOnce(first, url())).trial).toMatchObject({ void: expect.any(String) });
    const due = (await trialNow(first)).due;
    await first.stop();
    // Another profile than the one that is due.
    const other = due?.profileId === 'c2-d1' ? undefined : 'c2-d1';
    const wrong = other === undefined ? await start(release) : await underPolicy(policyOf(other));
    expect(await trialNow(wrong)).toMatchObject({ turn: { slot: 0 }, now: { state: 'due-at-start', held: other ?? 'firefox-default' } });
    expect((await loadOnce(wrong, url())).trial).toMatchObject({ void: expect.any(String) });
    await wrong.stop();

    const right = await underPolicy(due?.policies ?? '');
    expect(await trialNow(right)).toMatchObject({
      turn: { slot: 0, profileId: due?.profileId },
      now: { state: 'in-effect', washout: true },
    });
    const loads = [await loadOnce(right, url()), await loadOnce(right, url())];
    expect(loads.map(({ trial }) => [trial?.mark.slot, trial?.mark.washout, trial?.void])).toEqual([
      [0, true, undefined],
      [0, false, undefined],
    ]);
    for (const load of loads) expectUnderItsProfile(server, load);
    const next = (await trialNow(right)).due;
    // A turn is of three sessions.
    expect(next?.profileId).toBe(due?.profileId);
    await right.stop();

    const second = await underPolicy(next?.policies ?? '');
    expect(await trialNow(second)).toMatchObject({ turn: { slot: 1, profileId: next?.profileId }, now: { state: 'in-effect' } });
    expectUnderItsProfile(server, await loadOnce(second, url()));
    await second.ask({ kind: 'stop-trial' });
    expect(await trialNow(second)).toMatchObject({ now: { state: 'ended', restoring: false } });
  });
});

function policyOf(id: string): string {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  return JSON.stringify(policiesJson(profile, { extensionId: EXTENSION_ID, carrier: 'none' }));
}
