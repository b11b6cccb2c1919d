/** The section "Apply" where profiles are put in effect while Firefox runs, in words. No helper is needed for it; one that is there observes. Pure. */
import { problemWords } from '../adapters/helper-problem-words.ts';
import { assertNever } from '../core/errors.ts';
import type { Reverted } from '../core/profiles/applier.ts';
import { findProfile } from '../core/profiles/presets.ts';
import type { HelperFacts } from '../protocol/helper-facts.ts';
import type { LiveFacts, LivePreference } from '../protocol/live-facts.ts';
import { type Found, foundWords, intendedWords, seenAs, type Tick } from './apply-ticks.ts';
import { type ApplyContext, type ApplyView, choices } from './apply-view.ts';

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
    standing: standingWords(live),
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

function standingWords({ applied, canRevert }: LiveFacts): string {
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
  if (helper.notObserved) return { state: 'no', text: problemWords(helper.notObserved) };
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
      return `Nothing observes here. ${problemWords(problem)}`;
  }
}

/** What came of "Back to before". */
export function revertedWords({ restored, leftAlone, locked = [] }: Reverted): string {
  const back = restored.length > 0 ? [`Put back: ${restored.join(', ')}.`] : [];
  const alone = leftAlone.length > 0 ? [`Left alone, because someone else has changed it: ${leftAlone.join(', ')}.`] : [];
  const later = locked.length > 0 ? [`Locked by a policy now, and put back when it is not any more: ${locked.join(', ')}.`] : [];
  return [...back, ...alone, ...later].join(' ');
}
