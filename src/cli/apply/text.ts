/** The output of `plumbfox apply`, `revert` and `status` for people. */
import { assertNever } from '../../core/errors.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { wrapped } from '../../core/text/text-table.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { shellWord } from '../output/own-command.ts';

const COLUMNS = 100;

export function appliedText(options: {
  readonly profile: Profile;
  readonly status: HelperStatus;
  readonly directory: string;
  readonly depth: readonly string[];
  /** Whether the helper will bring back what was there, if it is not confirmed. */
  readonly watched: boolean;
}): string {
  const { profile, status, directory, depth, watched } = options;
  const sets =
    status.preferences.length === 0
      ? ['It sets nothing: these are the values of Firefox itself.']
      : ['It sets:', '', ...aligned(status.preferences.map(({ name, intended }) => [`  ${name}`, String(intended)]))];
  return lines([
    `${profile.id} (${profile.title}) is written into ${directory}/user.js, as a block at its end. Everything else in that file is unchanged.`,
    '',
    ...sets,
    ...(depth.length === 0 ? [] : ['', ...depth]),
    '',
    'Next    start Firefox, which reads user.js only then',
    `Check   plumbfox status${named(directory)}, or about:config in Firefox`,
    `Undo    plumbfox revert${named(directory)}, with Firefox closed`,
    ...(status.phase === 'pending' ? ['', watched ? WATCHED : UNWATCHED] : []),
    ...(status.phase === 'pending' && watched ? [`Keep    plumbfox apply --confirm${named(directory)}`] : []),
  ]);
}

const WATCHED =
  'The helper app watches: it restores the previous settings after two starts of Firefox without a confirmation. The extension confirms after 30 s of healthy browsing; without the extension, confirm it yourself:';
const UNWATCHED = 'The helper app is not installed (plumbfox helper install), so nothing is restored by itself.';

/** After `plumbfox apply --confirm`. @param directory - Of the Firefox profile. */
export const confirmedText = (status: HelperStatus, directory: string): string =>
  lines([`${status.profileId} stays in ${directory}.`, `Undo    plumbfox revert${named(directory)}, with Firefox closed`]);

/** @param texts.was - The status before the revert. */
export function revertedText(
  {
    restored,
    leftAlone,
    status,
  }: { readonly restored: readonly string[]; readonly leftAlone: readonly string[]; readonly status: HelperStatus },
  { directory, was }: { readonly directory: string; readonly was: HelperStatus },
): string {
  if (was.phase === 'none' && restored.length + leftAlone.length === 0) return lines([`Plumbfox has written nothing into ${directory}.`]);
  const how =
    status.phase !== 'none'
      ? 'this is complete when Firefox exits.'
      : `everything ${leftAlone.length === 0 ? '' : 'else '}is as it was before.`;
  return lines([
    `${was.profileId ?? 'What Plumbfox wrote'} is removed from ${directory}: ${how}`,
    ...(restored.length === 0 ? [] : ['', 'Restored, from the next start of Firefox:', ...restored.map((name) => `  ${name}`)]),
    ...(leftAlone.length === 0
      ? []
      : ['', 'Changed outside Plumbfox since, and left unchanged; about:config shows them:', ...leftAlone.map((name) => `  ${name}`)]),
  ]);
}

/** Several lines, each ended; a table of preferences where something is written. */
export function statusText(status: HelperStatus, directory: string): string {
  const { preferences, changedByOthers } = status;
  const rows = preferences.map(({ name, intended, found, locked }) => [
    `  ${name}`,
    String(intended),
    found === undefined ? 'not set' : String(found),
    locked ? 'locked by a policy' : changedByOthers.includes(name) ? 'changed outside Plumbfox' : '',
  ]);
  const others = changedByOthers.filter((name) => !preferences.some((one) => one.name === name));
  return lines([
    ...phaseText(status, directory),
    ...(status.restartNeeded ? ['The running Firefox has not read it yet: it was started before.'] : []),
    ...(status.restoredBecause === undefined ? [] : [`${status.restoredBecause}.`]),
    ...(rows.length === 0 ? [] : ['', ...aligned([['  preference', 'intended', 'for the next start', ''], ...rows])]),
    ...(others.length === 0 ? [] : ['', 'Changed outside Plumbfox:', ...others.map((name) => `  ${name}`)]),
  ]);
}

function phaseText({ phase, profileId, starts }: HelperStatus, directory: string): readonly string[] {
  const keep = `Keep    plumbfox apply --confirm${named(directory)}`;
  const back = `Undo    plumbfox revert${named(directory)}, with Firefox closed`;
  switch (phase) {
    case 'none':
      return [`Plumbfox has written nothing into ${directory}.`];
    case 'pending':
      return [
        `${profileId} is written into ${directory}/user.js and waits to be confirmed (${starts === 1 ? '1 start' : `${starts} starts`} since).`,
        keep,
        back,
      ];
    case 'confirmed':
      return [`${profileId} is written into ${directory}/user.js.`, back];
    case 'restoring':
      return [`Restoring the previous settings in ${directory}: complete when Firefox exits.`, back];
    default:
      return assertNever(phase);
  }
}

const named = (directory: string): string => ` --firefox-profile ${shellWord(directory)}`;

/** Columns two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<readonly number[]>((all, row) => row.map((cell, at) => Math.max(cell.length, all[at] ?? 0)), []);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A sentence is wrapped; a command, a path and a table stay whole. */
const lines = (all: readonly string[]): string => all.map((line) => `${KEPT_WHOLE.test(line) ? line : wrapped(line, COLUMNS)}\n`).join('');
const KEPT_WHOLE = /^( |Next|Keep|Check|Undo)/;
