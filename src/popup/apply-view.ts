/** The section "Apply", in words: what is applied for the next start of Firefox, how far it has got, and what the person may do. Pure. */
import { problemWords } from '../adapters/helper-problem-words.ts';
import { assertNever } from '../core/errors.ts';
import { BASELINE_ID, CONTROL_ID, findProfile, presetNames, profileSet, SHIPPED_ID } from '../core/profiles/presets.ts';
import type { HelperFacts } from '../protocol/helper-facts.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import { applyTicks, type Tick } from './apply-ticks.ts';

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
        : { ...BLANK, standing: '', problems: [problemWords(facts.problem)], can: { ...NOTHING, retry: true } };
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
