/** What the card's state is made of, from what the background, the helper app and the workers say. Pure. */
import { type Answer, type Change, type PredictedFaster, settingsToApply } from '../core/answer/answer.ts';
import type { AppliedNow, CardInput, CardTrial, ComparedRow, SiteRow } from '../core/answer/card.ts';
import { type Proof, proofOf, trialLeft } from '../core/answer/proof.ts';
import { assertNever } from '../core/errors.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import type { FieldAnswer } from '../protocol/field-answer.ts';
import type { HelperFacts } from '../protocol/helper-state.ts';
import type { CardFacts, PopupState } from '../protocol/page-state.ts';
import type { PredictionStanding } from '../protocol/prediction-answer.ts';
import type { CurrentTrial, TrialLengths } from '../protocol/trial-state.ts';

export interface Known {
  readonly state: PopupState;
  readonly facts: CardFacts;
  readonly answer: Answer;
  readonly prediction: PredictionStanding;
  /** `undefined`: it has not answered yet, or need not be asked. */
  readonly helper: HelperFacts | undefined;
  /** Everyday loads compared; `undefined`: not yet. */
  readonly compared: FieldAnswer | undefined;
  /** The lengths of a trial of the predicted settings, or why there can be none; `undefined`: not planned yet. */
  readonly lengths: TrialLengths | { readonly why: string } | undefined;
  readonly refusedLocked: string | undefined;
}

export function cardInput({ state, facts, answer, prediction, helper, compared, lengths, refusedLocked }: Known): CardInput {
  const { recording, recordLoss, standstills = [], loads, trial } = state;
  const current = trial?.current;
  const isUnderWay = current !== undefined && current.now.state !== 'ended';
  return {
    answer,
    recording: recording.state,
    lost: recordLoss && { loads: recordLoss.loads, until: recordLoss.until },
    stopped: standstills.at(-1),
    loads,
    trial: isUnderWay ? cardTrial(current, facts.perDay) : undefined,
    basis: current?.basis,
    networks: compared?.trialNetworks,
    failedChecks: current?.failedChecks,
    isTrialInvalid: current !== undefined && !isUnderWay && current.stateKind === 'invalid',
    applied: isUnderWay ? undefined : appliedNow(state, { helper, compared: compared?.sinceApplied }),
    applier: applierOf(state, helper),
    refusedLocked,
    rows: predictedRows(prediction, current?.slower),
    faster: fasterThanRecommended(prediction, current?.slower),
    sites: siteRows(prediction, facts.hosts),
    proof: proof(lengths, facts.perDay),
  };
}

function cardTrial(trial: CurrentTrial, perDay: number | undefined): CardTrial {
  const { arms, rows = [], made, loadsLeft, countable, now, due, slots } = trial;
  const isLive = slots.kind !== 'session';
  return {
    isPaused: now.state === 'paused',
    because: now.state === 'paused' ? now.because : undefined,
    candidates: arms.slice(1).flatMap(({ profileId, dropped, isControl }) => (dropped === undefined && !isControl ? [profileId] : [])),
    rows,
    each: made,
    planned: made + loadsLeft,
    left: trialLeft({ loads: loadsLeft, isLive, perDay, countable }),
    due: due?.profileId,
  };
}

interface Applied {
  readonly helper: HelperFacts | undefined;
  readonly compared: FieldAnswer['sinceApplied'];
}

function appliedNow({ live, byHand, active }: PopupState, { helper, compared }: Applied): AppliedNow | undefined {
  const common = (profileId: string, since = active.profileId === profileId ? active.since : undefined) => ({
    profileId,
    since,
    wrong: [],
    locked: [],
    // What was kept may be of an earlier time under the same settings.
    changed: compared?.profileId === profileId && (since === undefined || compared.since === since) ? compared : undefined,
  });
  if (live?.applied !== undefined) {
    const { profileId, preferences, since } = live.applied;
    const wrong = preferences.filter(({ found, intended }) => found !== intended);
    return { ...common(profileId, since), by: 'live', wrong: wrong.map(({ name }) => name), locked: lockedOf(wrong) };
  }
  if (helper?.state === 'ready' && helper.status.profileId !== undefined) {
    const { profileId, restartNeeded, preferences } = helper.status;
    const wrong = restartNeeded ? [] : preferences.filter(({ found, intended }) => found !== intended);
    return {
      ...common(profileId),
      by: 'helper',
      ...(restartNeeded && { awaitsRestart: 'to-apply' }),
      wrong: wrong.map(({ name }) => name),
      locked: lockedOf(wrong),
    };
  }
  // The helper app no longer names what it has undone: until Firefox restarts that is still what was noted as in effect.
  if (helper?.state === 'ready' && helper.status.phase === 'restoring' && helper.status.restartNeeded) {
    return { ...common(active.profileId), by: 'helper', awaitsRestart: 'to-undo' };
  }
  if (byHand?.said !== undefined && byHand.said.state !== 'going-back') {
    const { profileId, state } = byHand.said;
    return { ...common(profileId), by: 'manual', ...(state === 'waits' && { awaitsRestart: 'to-apply' }) };
  }
  const { appliedBy: by, profileId, mismatches } = active;
  if (profileId === BASELINE_ID || (by !== 'policy' && by !== 'gateway' && by !== 'helper')) return undefined;
  return { ...common(profileId), by, wrong: mismatches };
}

const lockedOf = (wrong: readonly { readonly name: string; readonly locked: boolean }[]): readonly string[] =>
  wrong.filter(({ locked }) => locked).map(({ name }) => name);

function applierOf({ live }: PopupState, helper: HelperFacts | undefined): CardInput['applier'] {
  if (live !== undefined) return 'at-once';
  switch (helper?.state) {
    case undefined:
      return 'working';
    case 'unsupported':
      return 'person-alone';
    case 'problem':
      return 'person';
    case 'ready':
      return helper.profileFound ? 'at-start' : 'person';
    default:
      return assertNever(helper);
  }
}

/** Rows that the card shows: the recommended settings first. */
const MAX_ROWS = 3;

/** @param slower - Found to be slower by a trial: the card does not say the contrary of it. */
function fasterThanRecommended(prediction: PredictionStanding, slower: readonly string[] = []): PredictedFaster | undefined {
  const faster = prediction.state === 'predicted' ? prediction.recommended?.faster : undefined;
  return faster === undefined || slower.includes(faster.profileId) ? undefined : faster;
}

function predictedRows(prediction: PredictionStanding, slower: readonly string[] = []): readonly ComparedRow[] {
  if (prediction.state !== 'predicted') return [];
  const { rows, best, recommended } = prediction;
  const ratioOf = (id: string) => rows.find((one) => one.id === id)?.ratio ?? 0;
  // None above the headline: where another is faster, a sentence says why it is not recommended, and has the room.
  const others = recommended?.faster ? [] : best.filter((id) => recommended === undefined || ratioOf(id) <= ratioOf(recommended.id));
  const unrefuted = [...(recommended ? [recommended.id] : []), ...others].filter((id) => !slower.includes(id));
  const wanted = [...new Set(unrefuted)].slice(0, MAX_ROWS);
  return wanted.flatMap((id) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return [];
    const change: Change = {
      gain: row.ratio - 1,
      low: row.ratioBand && row.ratioBand.low - 1,
      high: row.ratioBand && row.ratioBand.high - 1,
    };
    return [{ profileId: id, change: id === recommended?.id ? recommended.change : change }];
  });
}

/** A site whose load is gone has no name any more. */
function siteRows(prediction: PredictionStanding, hosts: CardFacts['hosts'] = {}): readonly SiteRow[] {
  const sites = prediction.state === 'predicted' ? prediction.sites : [];
  return sites.flatMap(({ load, gains, isSimulated }) => {
    const host = hosts[load];
    return host === undefined ? [] : [{ host, isSimulated, change: gains?.change }];
  });
}

function proof(lengths: Known['lengths'], perDay: number | undefined): Proof {
  if (lengths === undefined) return { state: 'working' };
  if ('why' in lengths) return { state: 'not-possible', why: lengths.why };
  const { plannedLoads, slots } = lengths;
  return proofOf({ loads: plannedLoads, isLive: slots.kind !== 'session', perDay });
}

/** What a trial of the card would try; `undefined`: nothing is predicted to gain anything, or one is under way. */
export function provable(answer: Answer, { trial }: PopupState): string | undefined {
  const isUnderWay = trial?.current !== undefined && trial.current.now.state !== 'ended';
  return answer.from === 'prediction' && !isUnderWay ? settingsToApply(answer) : undefined;
}
