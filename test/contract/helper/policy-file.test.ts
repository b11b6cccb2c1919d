/** Our part of a policies.json on a real disk: put in with all else kept, taken back to the byte, and never into a file that is damaged. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mergePolicies, policyDocument } from '../../../src/core/profiles/merge-policies.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { hashOf } from '../../../src/helper/files/checked-file.ts';
import { installPolicy, type PolicyTarget, uninstallPolicy } from '../../../src/helper/policy/policies-json.ts';
import { countBar } from '../../support/bar-count.ts';

const ID = 'plumbfox@plumbfox.org';
const FOREIGN = '{\r\n\t"policies": {"DisableTelemetry": true, "Preferences": {"browser.a": {"Value": 1.50}}}}';

let root: string;
let target: PolicyTarget;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbfox-policy-'));
  target = { path: join(root, 'policies.json'), uid: process.getuid?.() ?? 0, extensionId: ID };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function merged(id: string, before: string | undefined = FOREIGN): string {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  const ours = policyDocument(profile, { extensionId: ID, carrier: 'none', status: 'default', trial: undefined, extensionUrl: undefined });
  return mergePolicies(before, ours, ID);
}
const install = (id: string) => installPolicy(target, (before) => merged(id, before));
const now = () => readFileSync(target.path, 'utf8');
const namesProfile = () => JSON.parse(now()).policies['3rdparty'].Extensions[ID].profile as string;
const inFolder = () => readdirSync(root).toSorted();

describe('a policy', () => {
  it('comes and goes with the folders that it needed', async () => {
    target = { ...target, path: join(root, 'firefox', 'policies', 'policies.json') };
    const { hash, backup } = await install('c4-d1');
    expect([hash, backup]).toEqual([hashOf(readFileSync(target.path)), undefined]);
    expect([statSync(target.path).mode & 0o777, statSync(join(root, 'firefox')).mode & 0o777]).toEqual([0o644, 0o755]);
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'removed', leftAlone: [], extensionStays: false });
    expect(inFolder()).toEqual([]);
  });

  it('that was removed by somebody is not brought back, and what was there before is not thrown away', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('c4-d1');
    rmSync(target.path);
    await expect(install('c4-d1')).rejects.toThrow(
      /is gone, and its content before Plumbfox is in .*\.before-plumbfox; restore or remove that file/,
    );
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'gone', leftAlone: [], extensionStays: false });
    expect(inFolder()).toEqual(['policies.json.before-plumbfox']);
    expect(readFileSync(`${target.path}.before-plumbfox`, 'utf8')).toBe(FOREIGN);
  });

  it('goes with what somebody who was killed has left behind', async () => {
    writeFileSync(target.path, FOREIGN);
    for (const name of ['.plumbfox-0123456789abcdef.tmp', '.plumbfox-notes.tmp']) writeFileSync(join(root, name), 'half');
    await uninstallPolicy(target);
    expect([now(), inFolder()]).toEqual([FOREIGN, ['.plumbfox-notes.tmp', 'policies.json']]);
  });

  it('leaves the package of the extension as long as the policies name it', async () => {
    target = { ...target, extension: Buffer.from('package') };
    const theirs = `{"policies": {"ExtensionSettings": {"${ID}": {"install_url": "file://${target.path}.plumbfox-lab.xpi"}}}}`;
    await installPolicy(target, () => theirs);
    await uninstallPolicy(target);
    expect([now(), inFolder()]).toEqual([theirs, ['policies.json', 'policies.json.plumbfox-lab.xpi']]);
    writeFileSync(target.path, FOREIGN);
    await uninstallPolicy(target);
    expect([now(), inFolder()]).toEqual([FOREIGN, ['policies.json']]);
  });

  it('leaves a folder in which somebody has put something since', async () => {
    target = { ...target, path: join(root, 'firefox', 'policies', 'policies.json') };
    await install('c4-d1');
    writeFileSync(join(root, 'firefox', 'theirs'), '');
    await uninstallPolicy(target);
    expect(readdirSync(join(root, 'firefox'))).toEqual(['theirs']);
  });

  it('gives back to the byte what was there, however often it was changed by us', async () => {
    writeFileSync(target.path, FOREIGN);
    const { backup } = await install('betterfox');
    expect(readFileSync(String(backup), 'utf8')).toBe(FOREIGN);
    await install('c4-d1');
    expect(namesProfile()).toBe('c4-d1');
    expect(JSON.parse(now()).policies).toMatchObject(JSON.parse(FOREIGN).policies);
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'restored', leftAlone: [], extensionStays: false });
    expect(now()).toBe(FOREIGN);
    countBar(24, 'policies taken back to the byte', 1, 1);
    expect(inFolder()).toEqual(['policies.json']);
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'nothing', leftAlone: [], extensionStays: false });
  });

  it('that somebody has changed since loses only what is ours', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('c4-d1');
    writeFileSync(target.path, now().replace('"DisableTelemetry": true', '"DisableTelemetry": false'));
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'taken-out', leftAlone: [], extensionStays: false });
    expect(now()).toBe(FOREIGN.replace('true', 'false'));
    expect(inFolder()).toEqual(['policies.json']);
    countBar(24, 'changes of others kept', 1, 1);
  });

  it('that somebody has changed since is kept with that change when another profile is installed', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('betterfox');
    writeFileSync(target.path, now().replace('"DisableTelemetry": true', '"DisableTelemetry": false'));
    await install('c4-d1');
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'restored', leftAlone: [], extensionStays: false });
    expect(now()).toBe(FOREIGN.replace('true', 'false'));
  });

  it('put there by hand is taken out too, and so is one whose backup is gone', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('c4-d1');
    const byHand = now();
    rmSync(`${target.path}.before-plumbfox`);
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'taken-out', leftAlone: [], extensionStays: false });
    expect(now()).toBe(FOREIGN);
    writeFileSync(target.path, byHand);
    await install('c8-d1');
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'restored', leftAlone: [], extensionStays: false });
    expect(now()).toBe(FOREIGN);
  });

  it('of which only the record was written when it was killed leaves what was there', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('c4-d1');
    writeFileSync(target.path, FOREIGN);
    expect(await uninstallPolicy(target)).toEqual({ outcome: 'nothing', leftAlone: [], extensionStays: false });
    expect([now(), inFolder()]).toEqual([FOREIGN, ['policies.json']]);
  });
});

describe('a damaged file is refused and stays as it is', () => {
  const refusedAndKept = async (content: string | Buffer, says: RegExp) => {
    writeFileSync(target.path, content);
    await expect(install('c4-d1')).rejects.toMatchObject({ kind: 'bad-input', message: expect.stringMatching(says) });
    expect(readFileSync(target.path).equals(Buffer.from(content))).toBe(true);
    expect(inFolder()).toEqual(['policies.json']);
  };

  // In full also somebody's file with a profile of ours in it: 4 kB.
  it('cut off at any byte', { timeout: 300_000 }, async () => {
    const wholes = [FOREIGN, ...(process.env.PLUMBFOX_FULL === '1' ? [merged('betterfox')] : [])];
    let refused = 0;
    for (const whole of wholes) {
      for (let at = 0; at < whole.length; at += 1, refused += 1) await refusedAndKept(whole.slice(0, at), /not valid JSON|empty/);
    }
    const bytes = wholes.reduce((sum, { length }) => sum + length, 0);
    countBar(13, 'cuts refused and left as they were', refused, bytes);
  });

  it.each([
    ['with a byte order mark', `\uFEFF${FOREIGN}`, /byte order mark/],
    ['in UTF-16', Buffer.from(`\uFEFF${FOREIGN}`, 'utf16le'), /not UTF-8/],
    ['empty', '', /empty/],
    ['with a policy twice', '{"policies": {"A": 1, "A": 2}}', /"A" twice/],
    ['that is a list', '[]', /not an object/],
  ])('%s', async (_, content, says) => {
    await refusedAndKept(content, says);
    countBar(13, 'other damages refused and left as they were', 1, 1);
  });

  it('ours, too: it is not taken back by halves', async () => {
    writeFileSync(target.path, FOREIGN);
    await install('c4-d1');
    const damaged = now().slice(0, -3);
    writeFileSync(target.path, damaged);
    await expect(uninstallPolicy(target)).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(install('c8-d1')).rejects.toMatchObject({ kind: 'bad-input' });
    expect(now()).toBe(damaged);
    expect(existsSync(`${target.path}.before-plumbfox`)).toBe(true);
  });
});
