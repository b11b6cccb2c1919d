import { afterEach, describe, expect, it, vi } from 'vitest';
import { byHand } from '../../../src/cli/by-hand.ts';

afterEach(() => vi.restoreAllMocks());

describe('plumbfox by-hand', () => {
  it.each([
    [[], 'Name a profile'],
    [['--profile', 'c8-d1'], '--for takes a browser, one of desktop, android-nightly, android-release, pale-moon'],
    [['--profile', 'c8-d1', '--for', 'lynx'], 'not "lynx"'],
    [['--profile', 'c8d1', '--for', 'desktop'], 'Did you mean c8-d1?'],
    [['--profile', 'connections-sweep', '--for', 'desktop'], 'is a set of profiles'],
    [['--profile', 'again=c8-d1', '--for', 'desktop'], 'without "NAME="'],
    [['--profile', 'firefox-default', '--for', 'desktop'], 'firefox-default sets nothing'],
    [['--profile', 'c8-d1', '--for', 'desktop', '--package', 'org.mozilla.fenix'], '--package goes with --for android-release only'],
    [['--profile', 'c8-d1', '--for', 'android-release', '--package', 'a b'], 'Not the name of an Android app'],
    [['--nonsense'], 'See plumbfox by-hand --help'],
  ])('%j is refused in one line', async (args, message) => {
    await expect(byHand(args)).rejects.toThrow(message);
    await expect(byHand(args)).rejects.not.toThrow('\n');
  });

  it('prints the steps as JSON', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await byHand(['--profile', 'c4-d6', '--for', 'desktop', '--json'])).toBe(0);
    const said = JSON.parse(String(write.mock.calls[0]?.[0]));
    expect(said).toMatchObject({ profile: 'c4-d6', for: 'desktop', undo: false });
    expect(said.notes[0]).toContain('Depth 6 has no effect');
    expect(said.steps).toHaveLength(4);
  });
});
