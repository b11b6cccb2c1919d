/** What a person reads who sets a profile by hand, as it was when somebody last looked at it. To renew: npx vitest run --project unit test/golden -u */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { byHand } from '../../src/cli/by-hand.ts';

afterEach(() => vi.restoreAllMocks());

async function printed(...args: readonly string[]): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  expect(await byHand(args)).toBe(0);
  vi.restoreAllMocks();
  return written.join('');
}

describe.each([
  ['desktop', 'betterfox'],
  ['android-nightly', 'c8-d1'],
  ['android-release', 'betterfox'],
  ['pale-moon', 'c4-d6'],
  ['pale-moon', 'betterfox'],
])('by hand on %s, %s', (browser, profile) => {
  it('is set so', async () => {
    await expect(await printed('--profile', profile, '--for', browser)).toMatchFileSnapshot(`by-hand/${browser}-${profile}.txt`);
  });
  it('is taken back so', async () => {
    await expect(await printed('--profile', profile, '--for', browser, '--undo')).toMatchFileSnapshot(
      `by-hand/${browser}-${profile}-undo.txt`,
    );
  });
});
