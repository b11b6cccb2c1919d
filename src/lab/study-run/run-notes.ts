/** Notes on a run: excluded tries, the part of the study it is, loads that may take too long, lanes that disturb each other. Pure. */

import { groupBy } from '../../core/group-by.ts';
import { MAX_LOAD_MS } from '../../core/measure/load-window.ts';
import { entryOf } from '../../core/report/comparable-loads.ts';
import { isSettled } from '../../core/report/validity.ts';
import { counted, percent } from '../../core/text/figures.ts';
import { countText, figureColumn as figure, type StudyTable, tableOf, textColumn as text } from '../studies/findings.ts';
import type { Study, StudyLoad } from '../studies/study.ts';
import { MAX_LONGER, MAX_RATIO_MOVE } from './interference.ts';
import type { InterferenceLine, StudyRecord } from './study-log.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan, studyPlan } from './study-plan.ts';

interface ProfileTries {
  readonly profileId: string;
  readonly tries: number;
  readonly excluded: number;
  /** Most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly tries: number }[];
}

/** Every load of the log is a try, whether it counts or not; most excluded ones first. */
function triesByProfile({ loads }: Pick<StudyRecord, 'loads'>): readonly ProfileTries[] {
  return [...groupBy(loads, ({ load }) => load.profileId)]
    .map(([profileId, own]) => {
      const reasons = own.flatMap(({ load: { validity } }) => (validity.state === 'void' ? [withoutPlace(validity.reason)] : []));
      return { profileId, tries: own.length, excluded: reasons.length, reasons: countsOf(reasons) };
    })
    .sort((a, b) => b.excluded - a.excluded);
}

/** The text before the parenthesis that names the request: `a request failed: NS_BINDING_ABORTED`. */
const withoutPlace = (reason: string): string => reason.split(' (')[0] ?? reason;

const countsOf = (reasons: readonly string[]): ProfileTries['reasons'] =>
  [...groupBy(reasons, (reason) => reason)].map(([reason, own]) => ({ reason, tries: own.length })).sort((a, b) => b.tries - a.tries);

const reasonsText = (reasons: ProfileTries['reasons']): string =>
  reasons.map(({ reason, tries }) => `${reason}: ${countText(tries)}`).join('; ');

/** `undefined`: no try was excluded. Profiles without one share a row, so that it is seen whom it did not meet. */
export function excludedTriesTable(record: Pick<StudyRecord, 'loads'>): StudyTable | undefined {
  const profiles = triesByProfile(record);
  const met = profiles.filter((profile) => profile.excluded > 0);
  const rest = profiles.filter((profile) => profile.excluded === 0);
  if (met.length === 0) return undefined;
  const all = rest.reduce((sum, { tries }) => sum + tries, 0);
  const others: ProfileTries = { profileId: `the other ${rest.length}`, tries: all, excluded: 0, reasons: [] };
  return tableOf(
    'Excluded tries by profile: where they depend on the profile, so may the rest',
    [...met, ...(rest.length === 0 ? [] : [others])],
    [
      text('profile', ({ profileId }) => profileId),
      figure('tries', ({ tries }) => countText(tries)),
      figure('excluded', (profile) => countText(profile.excluded)),
      figure('share', (profile) => percent(profile.excluded / profile.tries)),
      text('reasons', ({ reasons }) => reasonsText(reasons)),
    ],
  );
}

/** In a sentence; `undefined`: no try was excluded. */
export function excludedTriesSentence(record: Pick<StudyRecord, 'loads'>): string | undefined {
  const profiles = triesByProfile(record).filter((profile) => profile.excluded > 0);
  if (profiles.length === 0) return undefined;
  const reasons = countsOf(
    profiles.flatMap((profile) => profile.reasons.flatMap(({ reason, tries }) => Array<string>(tries).fill(reason))),
  );
  const lost = profiles.reduce((sum, profile) => sum + profile.excluded, 0);
  const byProfile = profiles.map((profile) => `${profile.profileId} ${countText(profile.excluded)}`).join(', ');
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

/** @returns `undefined` when all of the study was requested, or more of it. */
export function partSentence(study: Study, plan: StudyPlan): string | undefined {
  const whole = studyPlan(study, { cut: {}, seed: 0 });
  const parts = [
    { name: 'pages', here: plan.pages.length, all: whole.pages.length },
    { name: 'links', here: plan.links.length, all: whole.links.length },
    { name: 'profiles', here: plan.profiles.length, all: whole.profiles.length },
    { name: 'repeats', here: repeatsOf(plan), all: repeatsOf(whole) },
  ].filter(({ here, all }) => here < all);
  if (parts.length === 0) return undefined;
  const words = parts.map(({ name, here, all }) => `${countText(here)} of ${countText(all)} ${name}`).join(', ');
  return `This is a part of the study, ${words}: ${countText(plan.loads)} loads where the whole has ${countText(whole.loads)}. What it finds holds for the part.`;
}

const repeatsOf = ({ blocks }: StudyPlan): number => new Set(blocks.map(({ repeat }) => repeat)).size;

/** More names would bury the rest of the note. Chosen, not measured. */
const MAX_NAMED = 3;

/** @returns one sentence; `undefined`: the simulator expects none. */
export function slowLoadsSentence(
  plan: Pick<StudyPlan, 'blocks' | 'profiles'>,
  { timeoutMs }: { readonly timeoutMs: number },
): string | undefined {
  const mostMs = Math.min(timeoutMs, MAX_LOAD_MS);
  const slow = plan.blocks
    .filter(({ repeat }) => repeat === 0)
    .map((block) => ({ block, ms: longestMs(block, plan) }))
    .filter(({ ms }) => ms > mostMs);
  if (slow.length === 0) return undefined;
  const named = slow
    .slice(0, MAX_NAMED)
    .map(({ block, ms }) => `${block.page.name} over ${block.link.name} (about ${Math.round(ms / 1000)} s)`);
  const more = slow.length > named.length ? `, and ${slow.length - named.length} more` : '';
  return `Loads are likely to take over ${mostMs / 1000} s, and then to be excluded: ${named.join(', ')}${more}. --only leaves pages, links and profiles out`;
}

/**
 * One load, without the one that warms connections up. The limit on connections has no effect on HTTP/2 and 3, so the quickest profile is taken
 * there.
 */
function longestMs(block: StudyBlock, { profiles }: Pick<StudyPlan, 'profiles'>): number {
  const times = [...expectedLoadMs(block, profiles).values()].map((ms) => (block.page.connections === 'warm' ? ms / 2 : ms));
  const { servedBy } = block.page;
  return servedBy === 'http2' || servedBy === 'http3' ? Math.min(...times) : Math.max(...times);
}

const share = (value: number): string => `${(value * 100).toFixed(1).replace('-', '\u2212')} %`;

/** `2.3`, `183`: for a share that is too large to be read as one. */
const factor = (value: number): string => (1 + value).toFixed(value < 8.95 ? 1 : 0);

/** `12.6 % longer than alone`, from twice as long on `183 times as long as alone`. */
export const longerText = (longer: number): string =>
  longer < 1 ? `${share(longer)} longer than alone` : `${factor(longer)} times as long as alone`;

/** `by 2.9 %`, from twice as much on `by a factor of 3.1`. */
export const movedText = (moves: number): string => (moves < 1 ? `by ${share(moves)}` : `by a factor of ${factor(moves)}`);

/** A sentence for each session's checks that failed, and one for each that passed; empty: nothing was checked, as with one lane. */
export function interferenceNotes(checks: readonly InterferenceLine[]): readonly string[] {
  const sessions = [...new Set(checks.map(({ session }) => session))];
  return sessions.flatMap((session) => {
    const own = checks.filter((check) => check.session === session);
    const failed = own.filter(({ ok, notMeasured }) => !ok && notMeasured !== true);
    return [
      ...(failed.length === 0 ? [] : [failedNote(failed)]),
      ...own.filter(({ notMeasured }) => notMeasured === true).map(notMeasuredNote),
      ...own.filter(({ ok }) => ok).map(passedNote),
    ];
  });
}

function failedNote(failed: readonly InterferenceLine[]): string {
  const each = failed.map(({ lanes, longer, ratioMoves }) => `with ${lanes} lanes ${disturbedBy({ longer, ratioMoves })}`);
  return `Lanes side by side disturbed each other, so loads made with them do not count: ${each.join('; ')}.`;
}

const notMeasuredNote = ({ lanes }: InterferenceLine): string =>
  `Whether ${lanes} lanes side by side disturb each other was not measured: too few loads were made for it.`;

/** What is beyond its bound; of a check that came to no end nothing is known. */
function disturbedBy({ longer, ratioMoves }: { readonly longer: number | undefined; readonly ratioMoves: number | undefined }): string {
  if (longer === undefined || ratioMoves === undefined) return 'the check did not finish';
  return [
    ...(longer > MAX_LONGER ? [`a load took ${longerText(longer)}`] : []),
    ...(ratioMoves > MAX_RATIO_MOVE ? [`the ratio of the profiles moved ${movedText(ratioMoves)}`] : []),
  ].join(' and ');
}

function passedNote(check: InterferenceLine): string {
  const { lanes, page, link, profiles, longer, ratioMoves } = check;
  const rests = `This rests on ${loadsWords(check)} of ${profiles.map(({ profileId }) => profileId).join(' and ')} each, on ${page} over ${link} alone`;
  const figures =
    longer === undefined || ratioMoves === undefined
      ? 'did not disturb each other'
      : `did not disturb each other: the median load took at most ${longerText(longer)}, and the ratio of the profiles moved ${movedText(ratioMoves)}`;
  return `${lanes} lanes side by side ${figures}. ${rests}; up to ${share(MAX_LONGER)} and ${share(MAX_RATIO_MOVE)} pass.`;
}

/** The fewest of any profile, without excluded loads. */
function loadsWords({ profiles }: InterferenceLine): string {
  const fewest = (times: readonly (readonly number[])[]) => Math.min(...times.map(({ length }) => length));
  return `${counted(fewest(profiles.map(({ aloneMs }) => aloneMs)), 'load')} alone and ${fewest(profiles.map(({ besideMs }) => besideMs))} beside the others`;
}
