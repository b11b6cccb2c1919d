/** Starting a trial, in words: which profiles there are to choose from, how long their turns are, and how many loads it will take. */

import { protocolLabel } from '../core/trial/protocol-plan.ts';
import type { SlotRule } from '../core/trial/trial-plan.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { TrialFacts, TrialLengths, TrialWish } from '../protocol/trial-state.ts';
import type { Figures } from '../core/text/number-format.ts';
import { predictionView } from '../views/prediction-view.ts';
import { takesBackWords } from './trial-former-view.ts';

export interface TrialSetupView {
  /** How slots work here. */
  readonly explanation: string;
  readonly legend: string;
  readonly candidates: readonly { readonly id: string; readonly title: string; readonly isChosen: boolean }[];
  readonly notOffered: readonly { readonly id: string; readonly why: string }[];
  /** Whether the length of a slot can be chosen. */
  readonly hasLength: boolean;
  readonly usual: TrialFacts['offer']['usual'];
  /** What becomes of the profile that the person has applied; absent: none is. */
  readonly takesBack: string | undefined;
}

/** Chosen to begin with: the cheapest change that may help, one step from what Firefox ships. */
const CHOSEN: readonly string[] = ['c8-d1'];

const LIVE =
  'A profile has three slots in a row; the first lets wear off what the one before left. Between two slots Plumbfox changes the preferences and closes idle connections; the first load after that does not count. When the trial pauses or ends, your preferences are as before.';
const NOT_LIVE =
  'This Firefox does not let Plumbfox change preferences while it runs; the lab build on Firefox ESR, Developer Edition or Nightly does. Here a slot is one session: Plumbfox says which profile is due,';
const OTHERS = 'A session under another profile does not count.';

const THROUGH_GATEWAY = 'The profiles at the end go through the gateway, which is switched while Firefox runs, between two pages.';

/** What the person does between two sessions. */
function bySession(byHand: TrialFacts['byHand']): string {
  const policy = 'you put its policies.json in place';
  const how = byHand === undefined ? policy : byHand === 'android' ? 'you set it by hand' : `${policy} or set it by hand`;
  return `${NOT_LIVE} ${how}, and start Firefox anew. ${OTHERS}`;
}

export function trialSetupView({ live, offer, byHand, former }: TrialFacts): TrialSetupView {
  return {
    explanation: `${live ? LIVE : bySession(byHand)}${offer.gateway ? ` ${THROUGH_GATEWAY}` : ''}`,
    legend: `Profiles to compare with ${offer.baseline}`,
    candidates: [...offer.offered, ...(offer.gateway ?? [])].map((one) => ({ ...one, isChosen: CHOSEN.includes(one.id) })),
    notOffered: offer.notOffered,
    hasLength: live,
    usual: offer.usual,
    takesBack: former && takesBackWords(former),
  };
}

/** In place of how long the trial would be. */
export const NOTHING_CHOSEN = 'Choose at least one profile.';

/** How many loads the trial will take, in a sentence or two. */
export function plannedWords(
  { candidates, slots }: Pick<TrialWish, 'candidates' | 'slots'>,
  lengths: TrialLengths,
  figures: Figures,
): string {
  const counted = plannedLoads(candidates.length, lengths);
  const change = figures.percent(lengths.targetChange);
  const washout = washoutOf(lengths.gateway?.slots ?? slots, counted);
  const loads = figures.count(counted + washout.loads, { one: 'page load', many: 'page loads' });
  const most = figures.count(lengths.mostLoadsPerArm, { one: 'page load', many: 'page loads' });
  return `About ${loads} to prove a ${change} gain${washout.words}. It gives up after ${most} of each profile in the choice, and as many in the confirmation. You may look at it at any time.${judgedWords(lengths, figures)}${gatewayWords(lengths.gateway)}`;
}

function judgedWords({ judged }: TrialLengths, figures: Figures): string {
  if (judged === undefined) return '';
  return ` Its verdict is about pages over ${protocolLabel(judged.protocol)}, ${figures.percent(judged.share)} of your newest loads; the others are compared beside it.`;
}

function gatewayWords(gateway: TrialLengths['gateway']): string {
  if (gateway === undefined) return '';
  const seen = gateway.of === 0 ? 'none of your loads is known yet' : `of your last ${gateway.of} loads ${gateway.could} could have`;
  return ` Only pages of the sites listed for pipelining count, under every profile, as the gateway carries nothing else: ${seen}.`;
}

/**
 * Loads that count: rounds of the choice, in each of which half the candidates drop out (`successive-halving.ts`), then the confirmation of one.
 * Every round has as many loads, for however many profiles.
 */
export function plannedLoads(candidates: number, { loadsPerRound, plannedLoadsPerArm, gateway }: TrialLengths): number {
  const rounds = Math.max(1, Math.ceil(Math.log2(candidates)));
  // The baseline, the candidate, and the control where there is one.
  return rounds * loadsPerRound + (gateway === undefined ? 2 : 3) * plannedLoadsPerArm;
}

function washoutOf(slots: SlotRule | undefined, counted: number): { readonly loads: number; readonly words: string } {
  if (slots?.kind === 'loads') {
    return { loads: Math.ceil(counted / slots.perSlot), words: `, the first of every ${slots.perSlot + 1} not counted` };
  }
  return { loads: 0, words: slots === undefined ? ', and the first of each session' : ', and the first of each slot' };
}

export interface PredictedChoice {
  /** Empty: nothing is to be chosen. */
  readonly arms: NonNullable<TrialWish['predicted']>;
  readonly words: string;
}

/** The candidates of a trial that begins with the predicted best. */
export function predictedChoice(answer: ShownFieldPrediction, figures: Figures): PredictedChoice {
  if (answer.state !== 'predicted') {
    const { status } = predictionView({ state: 'answered', answer, again: false }, figures);
    return { arms: [], words: `Nothing was chosen. ${status ?? ''}`.trim() };
  }
  const arms = answer.best.flatMap((id) => answer.rows.filter((row) => row.id === id).map(({ ratio }) => ({ profileId: id, ratio })));
  if (arms.length === 0) {
    return { arms, words: 'Nothing was chosen: no profile is predicted to be at least 1\u00a0% faster than firefox-default.' };
  }
  const list = arms.map(({ profileId, ratio }) => `${profileId} (≈\u00a0${figures.change(ratio)})`).join(', ');
  return { arms, words: `Chosen by prediction, not by measurement: ${list}. The trial measures them.` };
}
