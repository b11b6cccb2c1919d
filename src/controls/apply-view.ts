/** The section "Apply": what is applied, by the helper for the next start of Firefox or at once where possible, and what the person can do. Pure. */
import { helperProblemMessage } from '../adapters/native-helper.ts';
import { assertNever } from '../core/errors.ts';
import { CONTROL_ID, findProfile, presetNames, profileSet, SHIPPED_ID } from '../core/profiles/presets.ts';
import { BASELINE_ID, type Reverted } from '../core/profiles/profile.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperFacts, HelperProblem } from '../protocol/helper-state.ts';
import type { OwnProfile } from '../protocol/own-profile.ts';
import type { LiveFacts, LivePreference } from '../protocol/page-state.ts';
import { profileText, titleText } from '../views/profile-text.ts';
import { withoutStop } from '../views/recording-view.ts';
import { fixedText, text } from '../views/text.ts';
import { applyTicks, type Found, foundValues, seenAs, type Tick, threeTicks, valueLabel } from './apply-ticks.ts';

export interface ApplyView {
  readonly standing: string;
  readonly problems: readonly string[];
  readonly ticks: readonly Tick[];
  /** What the person has to do now; absent: nothing. */
  readonly task: string | undefined;
  /** Empty: nothing can be applied. */
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  /** The choice until the person chooses; empty: none. */
  readonly usual: string;
  readonly can: Readonly<Record<ApplyButton, boolean>>;
  /** The probe should count without a press. */
  readonly wantsLook: boolean;
}

/** Each button has an element `apply-NAME` in the page. */
export type ApplyButton = 'allow' | 'retry' | 'apply' | 'keep' | 'revert' | 'observe';

export interface ApplyContext {
  /** The profile that a trial has due at the next start of Firefox. */
  readonly due: string | undefined;
  /** The profile that the answer recommends. */
  readonly recommended: string | undefined;
  /** What the person has made; absent: nothing. */
  readonly own?: readonly OwnProfile[] | undefined;
  readonly isLooking: boolean;
}

const NOTHING: ApplyView['can'] = { allow: false, retry: false, apply: false, keep: false, revert: false, observe: false };
const BLANK: Omit<ApplyView, 'standing'> = {
  problems: [],
  ticks: [],
  task: undefined,
  choices: [],
  usual: '',
  can: NOTHING,
  wantsLook: false,
};

/** The view of the helper's work; `undefined`: there are no helpers on this system, so nothing is shown. */
export function applyView(facts: HelperFacts, context: ApplyContext): ApplyView | undefined {
  switch (facts.state) {
    case 'unsupported':
      return undefined;
    case 'problem':
      return facts.problem.why === 'no-permission'
        ? { ...BLANK, standing: text('apply.whatFor'), can: { ...NOTHING, allow: true } }
        : { ...BLANK, standing: '', problems: [fixedText(helperProblemMessage(facts.problem))], can: { ...NOTHING, retry: true } };
    case 'ready':
      return readyView(facts, context);
    default:
      return assertNever(facts);
  }
}

type Ready = Extract<HelperFacts, { state: 'ready' }>;

function readyView(facts: Ready, context: ApplyContext): ApplyView {
  const { status, profileFound, observed, notObserved } = facts;
  const isApplied = status.phase === 'pending' || status.phase === 'confirmed';
  const isInEffect = isApplied && !status.restartNeeded;
  const task = text(status.phase === 'restoring' ? 'apply.restart.undo' : 'apply.restart');
  return {
    standing: standingOf(status),
    problems: [...(profileFound ? [] : [text('apply.noFolder')]), ...trouble(status)],
    ticks: applyTicks(facts, context),
    task: status.restartNeeded ? task : undefined,
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

function standingOf({ phase, profileId = '', restartNeeded }: HelperStatus): string {
  const settings = profileText(profileId);
  switch (phase) {
    case 'none':
      return text('apply.none');
    case 'pending':
      return text(restartNeeded ? 'apply.written' : 'apply.probation', { settings });
    case 'confirmed':
      return text(restartNeeded ? 'apply.written' : 'apply.inEffect', { settings });
    case 'restoring':
      return text('apply.restoring');
    default:
      return assertNever(phase);
  }
}

function trouble({ restoredBecause, changedByOthers, preferences }: HelperStatus): readonly string[] {
  const unnamed = changedByOthers.filter((name) => !preferences.some((one) => one.name === name));
  return [
    ...(restoredBecause === undefined ? [] : [`${withoutStop(fixedText(restoredBecause))}.`]),
    ...(unnamed.length === 0 ? [] : [text('apply.leftAlone', { preferences: unnamed.join(', ') })]),
  ];
}

/** Firefox's own settings under two names, and the gateway's control. */
const NOT_OFFERED: readonly string[] = [BASELINE_ID, SHIPPED_ID, CONTROL_ID];

/**
 * The due and recommended profiles, the person's own, then connections only, then the named profiles. Depths are not offered: preferences by themselves do not bring
 * them into effect.
 */
function choices({ due, recommended, own = [] }: Pick<ApplyContext, 'due' | 'recommended' | 'own'>): ApplyView['choices'] {
  const swept = (profileSet('connections-sweep') ?? []).map(({ id }) => id);
  const usual = [...swept, ...presetNames()].filter((id) => !NOT_OFFERED.includes(id));
  const ids = new Set(
    [due, recommended, ...own.map(({ profileId }) => profileId), ...usual].filter((id) => id !== undefined && id !== BASELINE_ID),
  );
  return [...ids].flatMap((one) => {
    const profile = one === undefined ? undefined : findProfile(one);
    if (profile === undefined) return [];
    const { id } = profile;
    const name = own.find(({ profileId }) => profileId === id)?.name;
    if (name !== undefined && id !== due && id !== recommended)
      return [{ id, label: text('apply.option', { id: name, title: titleText(id, profile.title) }) }];
    const title = name ?? titleText(id, profile.title);
    const why = [...(id === due ? [text('apply.due')] : []), ...(id === recommended ? [text('apply.recommended')] : [])].join(', ');
    return [{ id, label: why === '' ? text('apply.option', { id, title }) : text('apply.option.why', { id, title, why }) }];
  });
}

/** Whether the section shows what acts at once; otherwise the helper has written something for the next start of Firefox, which it shows. */
export function isLiveShown(live: LiveFacts, helper: HelperFacts | undefined): boolean {
  return live.canRevert || helper?.state !== 'ready' || helper.status.phase === 'none';
}

type LiveContext = Pick<ApplyContext, 'recommended' | 'own' | 'isLooking'>;

/**
 * The view of settings that act at once. They need no helper, but an installed one counts connections. `helper`: `undefined` until it has answered.
 */
export function liveView(live: LiveFacts, helper: HelperFacts | undefined, { recommended, own, isLooking }: LiveContext): ApplyView {
  const { applied, heldBy } = live;
  if (heldBy !== undefined) return { ...BLANK, standing: text(HELD_BY[heldBy]) };
  const canLook = applied !== undefined && helper?.state === 'ready';
  const why = applied !== undefined && helper?.state === 'problem' ? helper.problem.why : undefined;
  const isSeen = helper?.state === 'ready' && (helper.notObserved ?? helper.observed?.profileId === applied?.profileId);
  return {
    standing: liveStanding(live),
    problems: [],
    ticks: applied === undefined ? [] : liveTicks(applied, helper, isLooking),
    task: undefined,
    choices: choices({ due: undefined, recommended, own }),
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

function liveStanding({ applied, canRevert }: LiveFacts): string {
  if (applied === undefined) return text(canRevert ? 'apply.interrupted' : 'apply.none.live');
  const isHeld = applied.preferences.every(({ intended, found }) => found === intended);
  return text(isHeld ? 'apply.inEffect.live' : 'apply.inPart', { settings: profileText(applied.profileId) });
}

const HELD_BY = {
  trial: 'apply.heldByTrial',
  'trial-restoring': 'apply.heldByTrialEnd',
  gateway: 'apply.heldByGateway',
} as const satisfies Record<NonNullable<LiveFacts['heldBy']>, PlainId>;

type Applied = NonNullable<LiveFacts['applied']>;

function liveTicks(applied: Applied, helper: HelperFacts | undefined, isLooking: boolean): readonly Tick[] {
  const { preferences } = applied;
  const wrong = preferences.flatMap((one) => wrongValue(one) ?? []);
  const right = text('tick.live', { count: preferences.length });
  return threeTicks(applied, { readBack: foundValues(wrong, right), observed: observed(applied, helper, isLooking) });
}

/** `undefined`: it has the intended value. */
function wrongValue({ name, intended, found, locked }: LivePreference): string | undefined {
  if (found === intended) return undefined;
  return text(locked ? 'tick.locked' : 'tick.changed.live', { name, found: valueLabel(found), intended: valueLabel(intended) });
}

function observed({ profileId }: Applied, helper: HelperFacts | undefined, isLooking: boolean): Found {
  const waiting = (id: PlainId): Found => ({ state: 'waiting', text: text(id) });
  if (helper === undefined) return waiting('tick.notCounted');
  if (helper.state === 'unsupported') return { state: 'nobody', text: text('tick.nobodyCounts') };
  if (helper.state === 'problem') return { state: 'nobody', text: unobserved(helper.problem) };
  if (isLooking) return waiting('tick.counting');
  if (helper.notObserved) return { state: 'no', text: helperProblemMessage(helper.notObserved) };
  const { observed: seen } = helper;
  return seen?.profileId === profileId ? seenAs(seen, findProfile(profileId)) : waiting('tick.notCounted');
}

/** Why connections are not counted; the profile is in effect all the same. */
function unobserved(problem: HelperProblem): string {
  switch (problem.why) {
    case 'no-permission':
      return text('tick.helperNotAllowed');
    case 'not-installed':
      return text('tick.helperMissing');
    default:
      return text('tick.helperFailed', { why: fixedText(helperProblemMessage(problem)) });
  }
}

/** The outcome of "Undo". */
export function revertedText({ restored, leftAlone, locked = [] }: Reverted): string {
  const named = (id: 'apply.restored' | 'apply.leftAlone' | 'apply.locked', names: readonly string[]) =>
    names.length === 0 ? [] : [text(id, { preferences: names.join(', ') })];
  return [...named('apply.restored', restored), ...named('apply.leftAlone', leftAlone), ...named('apply.locked', locked)].join(' ');
}
