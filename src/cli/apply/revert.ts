/** `plumbfox revert`: undoes whatever `apply`, or the extension's helper, has written into a Firefox profile. */

import { openProfile } from '../../helper/profile/open-profile.ts';
import { chosenProfileFolder, FIREFOX_PROFILE_HELP, readOptions } from '../arguments.ts';
import { EXIT_CODES } from '../errors.ts';
import { runnable } from '../output/own-command.ts';
import { print } from '../output/terminal.ts';
import { revertedText } from './text.ts';

const REVERT_HELP = `plumbfox revert: restores everything as it was before plumbfox apply; Firefox must be closed

  plumbfox revert [--firefox-profile DIR] [--json]

${FIREFOX_PROFILE_HELP}
  --json                  print {"restored": [...], "leftAlone": [...]}, names of preferences

It restores user.js, and what Firefox has copied from it to prefs.js, byte for byte. Preferences that were changed by
somebody else since are left alone and named. It needs neither the extension nor the helper app, and also removes a
block that was pasted manually.

exit codes: 0 done, 1 internal error, 2 bad arguments or refused, 3 the disk or another Plumbfox is in the way
`;

const OPTIONS = {
  'firefox-profile': { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function revert(args: readonly string[]): Promise<number> {
  const values = readOptions('revert', args, OPTIONS);
  if (values.help) return print(REVERT_HELP);
  const directory = await chosenProfileFolder(values['firefox-profile']);
  const changes = await openProfile(directory, { now: () => Date.now() });
  const was = await changes.status();
  const undone = await changes.revert();
  const { restored, leftAlone } = undone;
  process.stdout.write(
    values.json ? `${JSON.stringify({ restored, leftAlone }, null, 2)}\n` : runnable(revertedText(undone, { directory, was })),
  );
  return EXIT_CODES.done;
}
