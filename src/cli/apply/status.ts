/** `plumbfox status`: what is written into a Firefox profile, and whether it still stands. */

import { openProfile } from '../../helper/profile/open-profile.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { chosenProfileFolder, FIREFOX_PROFILE_HELP, readOptions } from '../arguments.ts';
import { EXIT_CODES } from '../errors.ts';
import { runnable } from '../output/own-command.ts';
import { print } from '../output/terminal.ts';
import { statusText } from './text.ts';

const STATUS_HELP = `plumbfox status: shows what plumbfox apply or the extension has written into a Firefox profile

  plumbfox status [--firefox-profile DIR] [--json]

${FIREFOX_PROFILE_HELP}
  --json                  print {"applied": ID or null, "pending": ..., "prefs": [{"name", "intended", "found", "locked"}]}

"found" is what the next start of Firefox will use: the value of an enterprise policy where that is locked, else the
last line of user.js, else that of prefs.js; null where no file sets it. The extension shows what is in effect now.

exit codes: 0 done, 1 internal error, 2 bad arguments or refused, 3 the disk is in the way
`;

const OPTIONS = {
  'firefox-profile': { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function status(args: readonly string[]): Promise<number> {
  const values = readOptions('status', args, OPTIONS);
  if (values.help) return print(STATUS_HELP);
  const directory = await chosenProfileFolder(values['firefox-profile']);
  const changes = await openProfile(directory, { now: () => Date.now() });
  const found = await changes.status();
  process.stdout.write(values.json ? statusJson(found) : runnable(statusText(found, directory)));
  return EXIT_CODES.done;
}

/** What `plumbfox status --json` prints, which is a contract. */
export function statusJson({ profileId, phase, preferences }: HelperStatus): string {
  const document = {
    applied: profileId ?? null,
    pending: phase === 'pending',
    prefs: preferences.map(({ name, intended, found, locked }) => ({ name, intended, found: found ?? null, locked })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
