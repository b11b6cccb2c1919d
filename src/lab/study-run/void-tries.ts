/** Tries that came to a void load, by profile and reason: a loss that depends on the profile could pass for an effect of it. Pure. */

import { groupBy } from '../../core/group-by.ts';
import { entryOf } from '../../core/report/comparable-loads.ts';
import { isSettled } from '../../core/report/validity.ts';
import { percent } from '../../core/text/figures.ts';
import { countText, type StudyTable } from '../studies/findings.ts';
import type { StudyLoad } from '../studies/study.ts';
import type { StudyRecord } from './study-log.ts';

interface ProfileTries {
  readonly profileId: string;
  readonly tries: number;
  readonly void: number;
  /** Most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly tries: number }[];
}

/** Every load of the log is a try, whether it stands or not; most void ones first. */
function triesByProfile({ loads }: Pick<StudyRecord, 'loads'>): readonly ProfileTries[] {
  return [...groupBy(loads, ({ load }) => load.profileId)]
    .map(([profileId, own]) => {
      const reasons = own.flatMap(({ load: { validity } }) => (validity.state === 'void' ? [withoutPlace(validity.reason)] : []));
      return { profileId, tries: own.length, void: reasons.length, reasons: countsOf(reasons) };
    })
    .sort((a, b) => b.void - a.void);
}

/** What stands before the parenthesis that names the request: `a request failed: NS_BINDING_ABORTED`. */
const withoutPlace = (reason: string): string => reason.split(' (')[0] ?? reason;

const countsOf = (reasons: readonly string[]): ProfileTries['reasons'] =>
  [...groupBy(reasons, (reason) => reason)].map(([reason, own]) => ({ reason, tries: own.length })).sort((a, b) => b.tries - a.tries);

const reasonsText = (reasons: ProfileTries['reasons']): string =>
  reasons.map(({ reason, tries }) => `${reason}: ${countText(tries)}`).join('; ');

/** `undefined`: no try was void. Profiles without one share a row, so that it is seen whom it did not meet. */
export function voidTriesTable(record: Pick<StudyRecord, 'loads'>): StudyTable | undefined {
  const profiles = triesByProfile(record);
  const met = profiles.filter((profile) => profile.void > 0);
  const rest = profiles.filter((profile) => profile.void === 0);
  if (met.length === 0) return undefined;
  const all = rest.reduce((sum, { tries }) => sum + tries, 0);
  return {
    title: 'Void tries by profile: where they depend on it, so may what is left',
    columns: [
      { name: 'profile', align: 'left' },
      ...['tries', 'excluded', 'share'].map((name) => ({ name, align: 'right' as const })),
      { name: 'reasons', align: 'left' },
    ],
    rows: [
      ...met.map(({ profileId, tries, void: lost, reasons }) => [
        ...[profileId, countText(tries), countText(lost), percent(lost / tries)],
        reasonsText(reasons),
      ]),
      ...(rest.length === 0 ? [] : [[`the other ${rest.length}`, countText(all), '0', percent(0), '']]),
    ],
  };
}

/** In a sentence; `undefined`: no try was void. */
export function voidTriesSentence(record: Pick<StudyRecord, 'loads'>): string | undefined {
  const profiles = triesByProfile(record).filter((profile) => profile.void > 0);
  if (profiles.length === 0) return undefined;
  const reasons = countsOf(
    profiles.flatMap((profile) => profile.reasons.flatMap(({ reason, tries }) => Array<string>(tries).fill(reason))),
  );
  const lost = profiles.reduce((sum, profile) => sum + profile.void, 0);
  const byProfile = profiles.map((profile) => `${profile.profileId} ${countText(profile.void)}`).join(', ');
  return `${countText(lost)} of ${countText(record.loads.length)} tries were excluded (${reasonsText(reasons)}), by profile: ${byProfile}.`;
}

/** How many of the loads that stand count: whole, or as the least they can have taken. Those that are excluded for good are not made again. */
export interface LoadCounts {
  readonly valid: number;
  readonly atBound: number;
  readonly settledExcluded: number;
}

/** Counts by the rule by which loads enter the comparison (`entryOf`). */
export function loadCounts(standing: readonly Pick<StudyLoad, 'validity' | 'measures'>[]): LoadCounts {
  const lost = standing.filter(({ validity }) => validity.state === 'void');
  const atBound = lost.filter((load) => entryOf(load).enters === 'at-bound');
  const settled = lost.filter(({ validity }) => isSettled(validity));
  const settledExcluded = settled.filter((load) => entryOf(load).enters === 'not').length;
  return { valid: standing.length - lost.length, atBound: atBound.length, settledExcluded };
}

/** `39 of 40 loads are valid, and 1 that took too long counts at its bound.` */
export function loadCountsSentence({ valid, atBound }: LoadCounts, planned: number): string {
  const bound =
    atBound === 0
      ? ''
      : atBound === 1
        ? ', and 1 that took too long counts at its bound'
        : `, and ${countText(atBound)} that took too long count at their bound`;
  return `${countText(valid)} of ${countText(planned)} loads are valid${bound}.`;
}
