/** Starting a trial: the profiles to choose from, the length of their slots, and how many loads it will take. Pure. */

import { type PlannedProof, proofOf } from '../core/answer/proof.ts';
import { TARGET_CHANGE } from '../core/compare/thresholds.ts';
import { assertNever } from '../core/errors.ts';
import { protocolLabel } from '../core/text/labels.ts';
import type { MessageId } from '../core/text/messages.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { FormerProfile } from '../protocol/trial-record.ts';
import type { TrialFacts, TrialLengths, TrialWish } from '../protocol/trial-state.ts';
import { predictionView } from '../views/prediction-view.ts';
import { armText, titleText } from '../views/profile-text.ts';
import { fixedText, text } from '../views/text.ts';

export interface TrialSetupView {
  /** How slots work here. */
  readonly explanation: string;
  readonly legend: string;
  readonly candidates: readonly { readonly id: string; readonly title: string; readonly isChosen: boolean }[];
  readonly notOffered: readonly { readonly name: string; readonly why: string }[];
  /** Whether the length of a slot can be chosen. */
  readonly hasLength: boolean;
  readonly usual: TrialFacts['offer']['usual'];
  /** What happens to the profile that the person has applied; absent: none is applied. */
  readonly takesBack: string | undefined;
}

/** The initial choice: the cheapest change that may help, one step from Firefox's own settings. */
const CHOSEN: readonly string[] = ['c8-d1'];

/** What the person has to do between two sessions. */
const bySession = (byHand: TrialFacts['byHand']): string =>
  text(byHand === undefined ? 'trial.setup.policy' : byHand === 'android' ? 'trial.setup.manual' : 'trial.setup.either');

const TAKES_BACK = {
  live: 'trial.former.live',
  helper: 'trial.former.helper',
  person: 'trial.former.person',
} as const satisfies Record<FormerProfile['by'], MessageId>;

/** The text on what happens to the profile that the user has applied. */
export const takesBackText = ({ by, profileId }: FormerProfile): string => text(TAKES_BACK[by], { profile: armText(profileId) });

export function trialSetupView({ live, offer, byHand, former }: TrialFacts): TrialSetupView {
  const slots = live ? text('trial.setup.live') : text('trial.setup.session', { how: bySession(byHand) });
  return {
    explanation: offer.gateway ? `${slots} ${text('trial.setup.gateway')}` : slots,
    legend: text('trial.setup.legend', { baseline: armText(offer.baseline) }),
    candidates: [...offer.offered, ...(offer.gateway ?? [])].map((one) => ({
      id: one.id,
      title: titleText(one.id, one.title),
      isChosen: CHOSEN.includes(one.id),
    })),
    notOffered: offer.notOffered.map(({ id, why }) => ({ name: armText(id), why: fixedText(why) })),
    hasLength: live,
    usual: offer.usual,
    takesBack: former && takesBackText(former),
  };
}

/** How long the trial will take. `perDay`: page loads a day; `undefined`: not known yet. */
export function plannedText(lengths: TrialLengths, perDay: number | undefined): string {
  const { plannedLoads: loads, mostLoads, slots, judged, gateway } = lengths;
  const proof = proofOf({ loads, isLive: slots.kind !== 'session', perDay, countable: gateway });
  return [
    ...tooLongText(proof),
    text('trial.plan', {
      loads: text('count.pageLoads', { count: loads }),
      change: TARGET_CHANGE,
      pace: proof.state === 'days' ? text('trial.plan.days', { count: proof.days }) : '',
      most: text('count.pageLoads', { count: mostLoads }),
    }),
    ...(judged === undefined
      ? []
      : [text('trial.plan.protocol', { protocol: fixedText(protocolLabel(judged.protocol)), share: judged.share })]),
    ...(gateway === undefined
      ? []
      : [gateway.of === 0 ? text('trial.plan.gateway.none') : text('trial.plan.gateway', { could: gateway.could, of: gateway.of })]),
  ].join(' ');
}

/** What the card says instead of offering such a trial. Here a person may start it all the same. */
function tooLongText(proof: PlannedProof): readonly string[] {
  switch (proof.state) {
    case 'too-slow': {
      const { days, perDay, needed } = proof;
      return [text('card.tooSlow', { days, perDay, needed })];
    }
    case 'restarts':
      return [text('card.restarts', { restarts: proof.restarts })];
    case 'loads':
    case 'days':
      return [];
    default:
      return assertNever(proof);
  }
}

export interface PredictedChoice {
  /** Empty: nothing is chosen. */
  readonly arms: NonNullable<TrialWish['predicted']>;
  readonly why: string;
}

/** The candidates of a trial that begins with the predicted best. */
export function predictedChoice(answer: ShownFieldPrediction): PredictedChoice {
  if (answer.state !== 'predicted') {
    const { status = '' } = predictionView({ state: 'answered', answer, again: false });
    return { arms: [], why: text('trial.best.unknown', { why: status }) };
  }
  const arms = answer.best.flatMap((id) => answer.rows.filter((row) => row.id === id).map(({ ratio }) => ({ profileId: id, ratio })));
  if (arms.length === 0) return { arms, why: text('trial.best.none') };
  const list = arms.map(({ profileId, ratio: change }) => text('trial.best.one', { profile: armText(profileId), change })).join(', ');
  return { arms, why: text('trial.best', { list }) };
}
