/**
 * The section "Apply": what is applied, by the helper for the next start of Firefox or at once where that can be, and what the person may do.
 * Pure.
 */
import { helperProblemMessage } from '../adapters/helper-failure.ts';
import { assertNever } from '../core/errors.ts';
import type { Reverted } from '../core/profiles/applier.ts';
import { BASELINE_ID, CONTROL_ID, findProfile, presetNames, profileSet, SHIPPED_ID } from '../core/profiles/presets.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperFacts } from '../protocol/helper-state.ts';
import type { LiveFacts, LivePreference } from '../protocol/page-state.ts';
import { applyTicks, type Found, foundWords, intendedWords, seenAs, type Tick } from './apply-ticks.ts';

export interface ApplyView {
  readonly standing: string;
  /** What went wrong, a sentence or two each. */
  readonly problems: readonly string[];
  readonly ticks: readonly Tick[];
  /** What the person has to do now; absent: nothing. */
  readonly task: string | undefined;
  /** Empty: nothing can be applied. */
  readonly choices: readonly { readonly id: string; readonly words: string }[];
  /** Chosen before the person has chosen; empty: nothing is. */
  readonly usual: string;
  readonly can: Readonly<Record<ApplyButton, boolean>>;
  /** The browser is to be looked at without being asked. */
  readonly wantsLook: boolean;
}

/** Each has an element `apply-NAME` in popup.html. */
export type ApplyButton = 'allow' | 'retry' | 'apply' | 'keep' | 'revert' | 'observe';

export interface ApplyContext {
  /** What a trial has due at the next start of Firefox. */
  readonly due: string | undefined;
  /** What the answer says to apply; absent: nothing. */
  readonly recommended: string | undefined;
  readonly isLooking: boolean;
}

const NOTHING: ApplyView['can'] = { allow: false, retry: false, apply: false, keep: false, revert: false, observe: false };
const BLANK = { problems: [], ticks: [], task: undefined, choices: [], usual: '', wantsLook: false } as const;

const WHAT_FOR =
  'To apply a profile from here, Plumbfox needs its helper, a small program beside Firefox. Install it with “plumbfox helper install”, then allow Plumbfox to speak to it. It is told the name of a profile and never what you browse.';

/** `undefined`: there is nothing to show, because there are no helpers on this system. */
export function applyView(facts: HelperFacts, context: ApplyContext): ApplyView | undefined {
  switch (facts.state) {
    case 'unsupported':
      return undefined;
    case 'problem':
      return facts.problem.why === 'no-permission'
        ? { ...BLANK, standing: WHAT_FOR, can: { ...NOTHING, allow: true } }
        : { ...BLANK, standing: '', problems: [helperProblemMessage(facts.problem)], can: { ...NOTHING, retry: true } };
    case 'ready':
      return readyView(facts, context);
    default:
      return assertNever(facts);
  }
}

type Ready = Extract<HelperFacts, { state: 'ready' }>;

const NO_FOLDER =
  'The helper does not find the profile folder of this Firefox, so that it can apply nothing. “plumbfox helper doctor” says why.';

function readyView(facts: Ready, context: ApplyContext): ApplyView {
  const { status, profileFound, observed, notObserved } = facts;
  const isApplied = status.phase === 'pending' || status.phase === 'confirmed';
  const isInEffect = isApplied && !status.restartNeeded;
  return {
    standing: standingWords(status),
    problems: [...(profileFound ? [] : [NO_FOLDER]), ...trouble(status)],
    ticks: applyTicks(facts, context),
    task: status.restartNeeded ? taskWords(status) : undefined,
    choices: profileFound ? choices(context) : [],
    usual: context.due ?? context.recommended ?? '',
    can: {
      allow: false,
      retry: !profileFound,
      apply: profileFound,
      keep: status.phase === 'pending' && !status.restartNeeded,
      revert: isApplied,
      observe: isInEffect && !context.isLooking,
    },
    wantsLook: isInEffect && !context.isLooking && notObserved === undefined && observed?.profileId !== status.profileId,
  };
}

function standingWords({ phase, profileId, restartNeeded }: HelperStatus): string {
  switch (phase) {
    case 'none':
      return 'Nothing is applied: Firefox has its own values, and yours.';
    case 'pending':
      return restartNeeded
        ? `${profileId} is written for the next start of Firefox.`
        : `${profileId} is in effect, and on probation. ${PROBATION}`;
    case 'confirmed':
      return restartNeeded ? `${profileId} is written for the next start of Firefox.` : `${profileId} is in effect.`;
    case 'restoring':
      return 'What was there before is written for the next start of Firefox.';
    default:
      return assertNever(phase);
  }
}

const PROBATION =
  'It is kept when Firefox has run for half a minute and a page has come, or when you say so. If that does not come to pass in two starts, Firefox is as before at the third.';

const taskWords = ({ phase }: HelperStatus): string =>
  phase === 'restoring'
    ? 'Close Firefox and start it again: then everything is as before.'
    : 'Close Firefox and start it again: then the profile is in effect.';

function trouble({ restoredBecause, changedByOthers, preferences }: HelperStatus): readonly string[] {
  const unnamed = changedByOthers.filter((name) => !preferences.some((one) => one.name === name));
  return [
    ...(restoredBecause === undefined ? [] : [`${restoredBecause.trim().replace(/\.+$/, '')}.`]),
    ...(unnamed.length === 0 ? [] : [`Left alone, because someone else has changed it: ${unnamed.join(', ')}.`]),
  ];
}

/** What Firefox ships, under two names, and the lab's own. */
const NOT_OFFERED: readonly string[] = [BASELINE_ID, SHIPPED_ID, CONTROL_ID];

/** What is due or recommended first, then connections alone, then the profiles with a name. A depth has no effect where preferences alone are set: none is offered. */
export function choices({ due, recommended }: Pick<ApplyContext, 'due' | 'recommended'>): ApplyView['choices'] {
  const swept = (profileSet('connections-sweep') ?? []).map(({ id }) => id);
  const usual = [...swept, ...presetNames()].filter((id) => !NOT_OFFERED.includes(id));
  const ids = new Set([due, recommended, ...usual].filter((id) => id !== undefined && id !== BASELINE_ID));
  return [...ids].flatMap((id) => {
    const profile = id === undefined ? undefined : findProfile(id);
    if (profile === undefined) return [];
    const why = [...(profile.id === due ? ['due in the trial'] : []), ...(profile.id === recommended ? ['recommended'] : [])];
    return [{ id: profile.id, words: `${profile.id}: ${profile.title}${why.length === 0 ? '' : ` (${why.join(', ')})`}` }];
  });
}

/** Whether the section is of what acts at once: else the helper has written something for the next start of Firefox, and it is of that. */
export function isLiveShown(live: LiveFacts, helper: HelperFacts | undefined): boolean {
  return live.canRevert || helper?.state !== 'ready' || helper.status.phase === 'none';
}

type Context = Pick<ApplyContext, 'recommended' | 'isLooking'>;

/** `helper`: `undefined` as long as it has not answered. */
export function liveView(live: LiveFacts, helper: HelperFacts | undefined, { recommended, isLooking }: Context): ApplyView {
  const { applied, heldBy } = live;
  if (heldBy !== undefined) return { ...NOTHING_TO_DO, standing: heldWords(heldBy) };
  const canLook = applied !== undefined && helper?.state === 'ready';
  const why = applied !== undefined && helper?.state === 'problem' ? helper.problem.why : undefined;
  const isSeen = helper?.state === 'ready' && (helper.notObserved ?? helper.observed?.profileId === applied?.profileId);
  return {
    standing: liveStanding(live),
    problems: [],
    ticks: applied === undefined ? [] : ticks(applied, helper, isLooking),
    task: undefined,
    choices: choices({ due: undefined, recommended }),
    usual: recommended ?? '',
    can: {
      allow: why === 'no-permission',
      retry: why !== undefined && why !== 'no-permission' && why !== 'not-installed',
      apply: true,
      keep: false,
      revert: live.canRevert,
      observe: canLook && !isLooking,
    },
    wantsLook: canLook && !isLooking && !isSeen,
  };
}

const NOTHING_TO_DO: Omit<ApplyView, 'standing'> = {
  problems: [],
  ticks: [],
  task: undefined,
  choices: [],
  usual: '',
  can: { allow: false, retry: false, apply: false, keep: false, revert: false, observe: false },
  wantsLook: false,
};

function liveStanding({ applied, canRevert }: LiveFacts): string {
  if (applied !== undefined) {
    const isHeld = applied.preferences.every(({ intended, found }) => found === intended);
    return isHeld
      ? `${applied.profileId} is in effect. It stays so when Firefox is started anew, until you go back.`
      : `${applied.profileId} was applied, and is not wholly in effect.`;
  }
  return canRevert
    ? 'Firefox ended while Plumbfox was changing preferences. Go back to before: then they are your own again.'
    : 'Nothing is applied: Firefox has its own values, and yours. What you apply here is in effect at once.';
}

function heldWords(heldBy: NonNullable<LiveFacts['heldBy']>): string {
  switch (heldBy) {
    case 'trial':
      return 'A trial is under way and switches profiles by itself. To apply one yourself, stop the trial first.';
    case 'trial-restoring':
      return 'A trial has ended and puts back what it has set. Then you can apply a profile yourself.';
    case 'gateway':
      return 'The gateway for plain-http sites is on. To apply a profile to all sites, or to go back to before, switch it off first.';
    default:
      return assertNever(heldBy);
  }
}

type Applied = NonNullable<LiveFacts['applied']>;

function ticks(applied: Applied, helper: HelperFacts | undefined, isLooking: boolean): readonly Tick[] {
  const { preferences } = applied;
  const wrong = preferences.flatMap((one) => wrongWords(one) ?? []);
  return [
    { name: 'Intended', state: 'yes', text: intendedWords(applied) },
    { name: 'Read back', ...foundWords(wrong, { of: preferences.length, where: 'Firefox holds' }) },
    { name: 'Observed', ...observed(applied, helper, isLooking) },
  ];
}

/** `undefined`: it has the value that is intended. */
function wrongWords({ name, intended, found, locked }: LivePreference): string | undefined {
  if (found === intended) return undefined;
  const now = `${name} ${found === undefined ? 'is not set' : `is ${found}`}, and not ${intended}`;
  return locked ? `${now}: an enterprise policy locks it.` : `${now}: someone else has changed it. Plumbfox leaves it alone.`;
}

function observed({ profileId }: Applied, helper: HelperFacts | undefined, isLooking: boolean): Found {
  if (helper === undefined) return { state: 'waiting', text: 'Not looked at yet.' };
  if (helper.state === 'unsupported') return { state: 'nobody', text: 'Nothing observes here.' };
  if (helper.state === 'problem') return { state: 'nobody', text: unobservedWords(helper.problem) };
  if (isLooking) return { state: 'waiting', text: 'Firefox is being looked at …' };
  if (helper.notObserved) return { state: 'no', text: helperProblemMessage(helper.notObserved) };
  const { observed: seen } = helper;
  return seen?.profileId === profileId ? seenAs(seen, findProfile(profileId)) : { state: 'waiting', text: 'Not looked at yet.' };
}

/** Nothing is missing: the profile is in effect without anybody who looks. */
function unobservedWords(problem: Extract<HelperFacts, { state: 'problem' }>['problem']): string {
  switch (problem.why) {
    case 'no-permission':
      return 'Nothing observes here. The helper would, if you allow it; the profile needs none.';
    case 'not-installed':
      return 'Nothing observes here. The helper would (“plumbfox helper install”); the profile needs none.';
    default:
      return `Nothing observes here. ${helperProblemMessage(problem)}`;
  }
}

/** What came of "Back to before". */
export function revertedWords({ restored, leftAlone, locked = [] }: Reverted): string {
  const back = restored.length > 0 ? [`Put back: ${restored.join(', ')}.`] : [];
  const alone = leftAlone.length > 0 ? [`Left alone, because someone else has changed it: ${leftAlone.join(', ')}.`] : [];
  const later = locked.length > 0 ? [`Locked by a policy now, and put back when it is not any more: ${locked.join(', ')}.`] : [];
  return [...back, ...alone, ...later].join(' ');
}
