/** `plumbfox apply`, `revert` and `status`: a profile in the user.js of a Firefox profile. */

import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import { depthNotes } from '../../core/profiles/carrier.ts';
import { startGuard } from '../../helper/guard.ts';
import { receiptOf } from '../../helper/install/install.ts';
import { helperPlaces } from '../../helper/install/places.ts';
import { noteProfile } from '../../helper/install/touched-profiles.ts';
import { openProfile, type ProfileChanges } from '../../helper/profile/profile-changes.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { ACCEPT_PRICE, acceptPrice } from '../accept-price.ts';
import { chosenProfileFolder, FIREFOX_PROFILE_HELP, readOptions } from '../arguments.ts';
import { givenProfile } from '../given-profiles.ts';
import { runnable } from '../output/own-command.ts';
import { jsonText, print, printNotices } from '../output/terminal.ts';
import { appliedText, confirmedText, revertedText, statusText } from './text.ts';

export const APPLY_HELP = `plumbfox apply: writes a profile's preferences into Firefox's user.js; Firefox must be closed

  plumbfox apply --profile ID [--firefox-profile DIR] [--confirm] [--json]
  plumbfox apply --confirm [--firefox-profile DIR]

  --profile ID            such as c8-d1, betterfox, firefox-default, c16-d1+PREFERENCE=VALUE, or a file: profiles.json,
                          user.js, policies.json; it replaces a profile applied before.
                          Of c4-d6 only the connections are set: depth needs the gateway (plumbfox gateway)
${FIREFOX_PROFILE_HELP}
  --confirm               keep it: the previous settings will not come back by themselves (see below);
                          without --profile: keep what has been applied already
  --accept-price A,B      write these (PREFERENCE=VALUE; of a switch the name is enough) although they cost privacy or
                          security; without it, Plumbfox asks, or refuses where there is no terminal
  --json                  print what plumbfox status --json prints

A profile waits to be confirmed. The extension confirms it after 30 s of healthy browsing; without the extension, use
--confirm. If the helper app is installed (plumbfox helper install), it restores the previous settings after two starts
of Firefox without a confirmation. Without the helper app nothing is restored by itself.

Plumbfox writes one marked block at the end of user.js; everything else in that file stays as it is, byte for byte.
plumbfox revert undoes everything, including what Firefox has copied to prefs.js.

It refuses a running Firefox, another user's profile, symbolic links, a user.js that Firefox cannot read, and a
preference that an enterprise policy holds at another value.

exit codes: 0 done, 1 internal error, 2 bad arguments or refused, 3 the disk or another Plumbfox is in the way
`;

const EXAMPLE = 'plumbfox apply --profile c8-d1';

/** The options of all three. */
const WHERE = { 'firefox-profile': { type: 'string' }, json: { type: 'boolean' } } as const;

/** @returns its exit code. */
export async function apply(args: readonly string[]): Promise<number> {
  const values = readOptions('apply', args, {
    ...WHERE,
    profile: { type: 'string' },
    confirm: { type: 'boolean' },
    ...ACCEPT_PRICE,
  } as const);
  if (values.help) return print(APPLY_HELP);
  // Without a profile, --confirm is about the one that is there.
  const given = values.profile === undefined && values.confirm ? undefined : givenProfile(values.profile, EXAMPLE);
  const profile = given?.profile;
  const directory = await chosenProfileFolder(values['firefox-profile']);
  const changes = await openProfile(directory, { now: () => Date.now() });
  printNotices(given?.notices ?? []);
  if (profile !== undefined) await acceptPrice(profile, values['accept-price']);
  const applied = profile && (await changes.apply(profile));
  const status = applied === undefined || values.confirm ? await confirmed(changes, directory) : applied;
  const watched = status.phase === 'pending' && (await watchOver(directory));
  if (values.json) return print(statusJson(status));
  if (profile === undefined) return print(runnable(confirmedText(status, directory)));
  return print(runnable(appliedText({ profile, status, directory, depth: depthNotes(profile, 'none'), watched })));
}

/** @throws PlumbfoxError `bad-input` where nothing waits for that word. */
async function confirmed(changes: ProfileChanges, directory: string): Promise<HelperStatus> {
  const status = await changes.confirm();
  switch (status.phase) {
    case 'confirmed':
      return status;
    case 'none':
      throw new PlumbfoxError('bad-input', `Nothing in ${directory} waits to be confirmed; apply a profile first: ${EXAMPLE}`);
    case 'pending':
      throw new PlumbfoxError(
        'bad-input',
        `The Firefox that has ${directory} open has not read ${status.profileId} yet; restart it, then confirm`,
      );
    case 'restoring':
      throw new PlumbfoxError(
        'bad-input',
        `Nothing in ${directory} waits to be confirmed: the previous settings come back when Firefox exits`,
      );
    default:
      return assertNever(status.phase);
  }
}

/**
 * Where the helper is installed, its guard sees to what a command has written, as it does for the extension.
 * @param directory - Absolute, of a Firefox profile. @returns whether the guard watches over it.
 */
export async function watchOver(directory: string): Promise<boolean> {
  const { platform } = process;
  if (platform !== 'linux' && platform !== 'darwin') return false;
  // A user without a home has installed nothing there.
  const home = await realpath(homedir()).catch(() => undefined);
  if (home === undefined) return false;
  const places = helperPlaces(platform, { home, env: process.env });
  if ((await receiptOf(places)) === undefined) return false;
  await startGuard({ program: places.program, directory });
  await noteProfile(places.program, directory);
  return true;
}

const REVERT_HELP = `plumbfox revert: restores everything as it was before plumbfox apply; Firefox must be closed

  plumbfox revert [--firefox-profile DIR] [--json]

${FIREFOX_PROFILE_HELP}
  --json                  print {"restored": [...], "leftAlone": [...]}, names of preferences

It restores user.js, and what Firefox has copied from it to prefs.js, byte for byte. Preferences that were changed
outside Plumbfox since are left unchanged and named. It needs neither the extension nor the helper app, and also removes a
block that was pasted manually.

exit codes: 0 done, 1 internal error, 2 bad arguments or refused, 3 the disk or another Plumbfox is in the way
`;

/** Undoes whatever `apply`, or the extension's helper app, has written. @returns the exit code. */
export async function revert(args: readonly string[]): Promise<number> {
  const values = readOptions('revert', args, WHERE);
  if (values.help) return print(REVERT_HELP);
  const directory = await chosenProfileFolder(values['firefox-profile']);
  const changes = await openProfile(directory, { now: () => Date.now() });
  const was = await changes.status();
  const undone = await changes.revert();
  const { restored, leftAlone } = undone;
  return print(values.json ? jsonText({ restored, leftAlone }) : runnable(revertedText(undone, { directory, was })));
}

const STATUS_HELP = `plumbfox status: shows what plumbfox apply or the extension has written into a Firefox profile

  plumbfox status [--firefox-profile DIR] [--json]

${FIREFOX_PROFILE_HELP}
  --json                  print {"applied": ID or null, "pending": ..., "prefs": [{"name", "intended", "found", "locked"}]}

"found" is what the next start of Firefox will use: the value of an enterprise policy where that is locked, else the
last line of user.js, else that of prefs.js; null where no file sets it. The extension shows what is in effect now.

exit codes: 0 done, 1 internal error, 2 bad arguments or refused, 3 the disk is in the way
`;

/** Shows what is written, and whether it is still there. @returns the exit code. */
export async function status(args: readonly string[]): Promise<number> {
  const values = readOptions('status', args, WHERE);
  if (values.help) return print(STATUS_HELP);
  const directory = await chosenProfileFolder(values['firefox-profile']);
  const changes = await openProfile(directory, { now: () => Date.now() });
  const found = await changes.status();
  return print(values.json ? statusJson(found) : runnable(statusText(found, directory)));
}

/** What `plumbfox status --json` prints, which is a contract. */
function statusJson({ profileId, phase, preferences }: HelperStatus): string {
  const document = {
    applied: profileId ?? null,
    pending: phase === 'pending',
    prefs: preferences.map(({ name, intended, found, locked }) => ({ name, intended, found: found ?? null, locked })),
  };
  return jsonText(document);
}
