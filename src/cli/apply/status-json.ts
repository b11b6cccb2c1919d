/** What `plumbfox status --json` prints: a contract. */
import type { HelperStatus } from '../../protocol/helper-messages.ts';

export function statusJson({ profileId, phase, preferences }: HelperStatus): string {
  const document = {
    applied: profileId ?? null,
    pending: phase === 'pending',
    prefs: preferences.map(({ name, intended, found, locked }) => ({ name, intended, found: found ?? null, locked })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
