/** What `plumbfox policy` refuses before it does anything. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { policyArguments } from '../../../../src/cli/policy/arguments.ts';
import { policyContent } from '../../../../src/cli/policy/content.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-policy-arguments-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function contentOf(...args: readonly string[]) {
  const asked = policyArguments(args);
  if (asked.action !== 'print') throw new Error(`It is ${asked.action}`);
  return policyContent(asked.content);
}

describe('the options', () => {
  it('are taken as they are meant', () => {
    expect(policyArguments(['--profile', 'c4-d1', '--extension', '--install'])).toMatchObject({
      action: 'install',
      content: { profile: { id: 'c4-d1' }, status: 'default', carrier: 'none', extension: 'built' },
    });
    expect(policyArguments(['--extension', 'a.xpi', '--profile=c4-d1', '--status=locked'])).toMatchObject({
      action: 'print',
      content: { status: 'locked', extension: { path: 'a.xpi' } },
    });
    expect(policyArguments(['--profile', 'c4-d1', '--extension'])).toMatchObject({ content: { extension: 'built' } });
    expect(policyArguments(['--uninstall', '--json'])).toEqual({ action: 'uninstall', file: undefined, json: true });
    expect(policyArguments(['--help', '--uninstall'])).toEqual({ action: 'help' });
  });

  it.each([
    [[], /Name a profile/],
    [['--profile', 'fennec-18'], /a set of profiles/],
    // The extension would look for a profile of that name.
    [['--profile', 'again=c4-d1'], /without "NAME="/],
    [['--profile', 'c4-d1', '--status', 'user'], /default, locked, not "user"/],
    [['--profile', 'c4-d6', '--carrier', 'gateway'], /none, http2/],
    [['--profile', 'c4-d1', '--install', '--uninstall'], /not both/],
    [['--profile', 'c4-d1', '--uninstall'], /takes no --profile/],
    [['--extension', '--uninstall'], /takes no --extension/],
    [['--profile', 'c4-d1', '--install', '--merge', 'a'], /--merge is for printing/],
    [['--profile', 'c4-d1', '--json'], /--json goes with/],
    [['--profile', 'c4-d1', '--file', 'a'], /--file goes with/],
    [['--profiles', 'c4-d1'], /See plumbfox policy --help/],
  ])('%j are refused', (args, says) => {
    expect(() => policyArguments(args)).toThrow(says);
  });
});

describe('a trial', () => {
  it('is the same for the same definition, and another for another', async () => {
    const id = async (definition: string) => {
      const { entry } = await contentOf('--profile', 'firefox-default', '--trial', file('trial.json', definition));
      return (entry.trial as { id: string }).id;
    };
    const one = await id('{"candidates": ["c4-d1"]}');
    expect(one).toMatch(/^policy-[0-9a-f]{16}$/);
    expect(await id('{ "candidates" : [ "c4-d1" ] }')).toBe(one);
    expect(await id('{"candidates": ["c8-d1"]}')).not.toBe(one);
  });

  it.each([
    ['{"candidates": []}', /defines no trial/],
    ['{"candidates": ["c4-d1"], "slot": 1}', /defines no trial/],
    ['{"candidates": ["c4-d1"], "candidates": ["c8-d1"]}', /twice/],
    ['{"candidates": ["c4-d6"]}', /needs the gateway/],
    ['{"candidates": ["firefox-default"]}', /cannot be tried/],
    ['{"candidates": ["of-nobody"]}', /no profile "of-nobody"/],
    ['candidates', /not valid JSON/],
  ])('that is %s is refused', async (definition, says) => {
    await expect(contentOf('--profile', 'c4-d1', '--trial', file('trial.json', definition))).rejects.toThrow(says);
  });

  it('shows what its candidates cost, accepted or not', async () => {
    const priced = 'c8-d1+network.dns.echconfig.enabled=false';
    const trial = (accepts: string) => file('trial.json', `{"candidates": ["${priced}"], "accepts": ["${accepts}"]}`);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await contentOf('--profile', 'firefox-default', '--trial', trial('network.dns.echconfig.enabled=false'));
      expect(stderr.mock.calls).toEqual([
        [expect.stringMatching(/^network\.dns\.echconfig\.enabled=false: Without it, whoever watches .*\n$/)],
      ]);
      const other = contentOf('--profile', 'firefox-default', '--trial', trial('network.dns.echconfig.enabled=true'));
      await expect(other).rejects.toThrow(/not been accepted/);
      // A switch has one value that costs; of a number the value is accepted.
      await contentOf('--profile', 'firefox-default', '--trial', trial('network.dns.echconfig.enabled'));
      const mode = (accepts: string) => file('trial.json', `{"candidates": ["c8-d1+network.trr.mode=5"], "accepts": ["${accepts}"]}`);
      await expect(contentOf('--profile', 'firefox-default', '--trial', mode('network.trr.mode'))).rejects.toThrow(/not been accepted/);
      await contentOf('--profile', 'firefox-default', '--trial', mode('network.trr.mode=5'));
    } finally {
      stderr.mockRestore();
    }
  });

  it('of what the policy locks is refused', async () => {
    const trial = file('trial.json', '{"candidates": ["c4-d1"]}');
    await expect(contentOf('--profile', 'c8-d1', '--status', 'locked', '--trial', trial)).rejects.toThrow(
      /cannot switch what the policy locks/,
    );
  });
});

describe('the package of the lab build', () => {
  it('must be there, and within the reach of everybody', async () => {
    const path = file('lab.xpi', '');
    const named = () => contentOf('--profile', 'c4-d1', '--extension', path);
    await expect(contentOf('--profile', 'c4-d1', '--extension', join(folder, 'nothing.xpi'))).rejects.toThrow(/nothing\.xpi is not there/);
    chmodSync(folder, 0o700);
    await expect(named()).rejects.toThrow(/not everybody can enter .*plumbfox-policy-arguments/);
    chmodSync(folder, 0o755);
    chmodSync(path, 0o600);
    await expect(named()).rejects.toThrow(/chmod o\+r/);
    chmodSync(path, 0o644);
    expect((await named()).extension?.install_url).toBe(`file://${path}`);
  });
});
