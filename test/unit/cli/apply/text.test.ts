/** What a person is told to type, and what is said of a revert. */
import { describe, expect, it } from 'vitest';
import { revertedText, statusText } from '../../../../src/cli/apply/text.ts';
import type { HelperStatus } from '../../../../src/protocol/helper-messages.ts';

const NONE: HelperStatus = { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] };
const CONFIRMED: HelperStatus = { ...NONE, phase: 'confirmed', profileId: 'c4-d1' };

describe('a command to be typed', () => {
  it.each([
    ['/home/ann/.mozilla/firefox/x.default', '/home/ann/.mozilla/firefox/x.default'],
    ['/home/ann/Library/Application Support/x', "'/home/ann/Library/Application Support/x'"],
    ["/home/o'hara/$(reboot)`", "'/home/o'\\''hara/$(reboot)`'"],
  ])('names %s so that a shell takes nothing in it for its own', (directory, typed) => {
    expect(statusText(CONFIRMED, directory)).toContain(`plumbfox revert --firefox-profile ${typed}, with Firefox closed`);
  });
});

describe('a revert', () => {
  const reverted = (leftAlone: readonly string[]) =>
    revertedText({ restored: [], leftAlone, status: NONE }, { directory: '/p', was: CONFIRMED });

  it('is everything, or everything else than what somebody has changed', () => {
    expect(reverted([])).toContain('everything is as it was before');
    expect(reverted(['network.prefetch-next'])).toContain('everything else is as it was before');
    expect(reverted(['network.prefetch-next'])).toContain('  network.prefetch-next');
  });
});
