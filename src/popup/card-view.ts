/** The card as text and figures, made of its state, with its button and the row of the page in front. Pure. */
import type { CardState } from '../core/answer/card.ts';
import { type CardAction, leadsForward, mainAction, otherAction } from '../core/answer/card-actions.ts';
import { cardText } from '../core/answer/format-card.ts';
import type { Proof } from '../core/answer/proof.ts';
import { assertNever } from '../core/errors.ts';
import type { PlainId } from '../core/text/messages.ts';
import { profileName } from '../core/text/profile-name.ts';
import { coreLanguage, format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';
import { pageRow, type ThisPage } from './this-page.ts';

interface ViewOptions {
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** The load of the page in front; `undefined`: it is not recorded. */
  readonly page: ThisPage | undefined;
}

/** Pure. */
export function cardView(state: CardState, { now, page }: ViewOptions): CardView {
  const action = mainAction(state);
  const other = otherAction(state);
  return {
    kind: state.kind,
    ...cardText(state, { text, format, core: coreLanguage }, now),
    button: { action, label: buttonLabel(action, state), isPrimary: leadsForward(state) },
    ...(other && { other: { action: other, label: text('card.leave') } }),
    page: pageRow(page),
  };
}

function buttonLabel(action: CardAction, state: CardState): string {
  switch (state.kind) {
    case 'predicted':
      return proofLabel(state.proof);
    case 'nothing-to-gain':
      return text('card.measure.anyway');
    case 'not-faster':
      return text('card.measure.again');
    case 'invalid':
      return text(state.isOver ? 'card.another' : 'card.seeTrial');
    case 'locked':
    case 'undone-at-restart':
      return text('card.seeSettings');
    case 'applied':
    case 'applied-not-in-effect':
      if (action === 'set-again') return text('card.setAgain', { settings: profileName(state.applied.profileId, coreLanguage) });
      // The steps that are shown then undo them.
      return text(action === 'see-manual' ? 'manual.undo' : BUTTONS[action]);
    default:
      return text(BUTTONS[action]);
  }
}

function proofLabel(proof: Proof): string {
  switch (proof.state) {
    case 'working':
      return text('card.prove');
    case 'loads':
      return text('card.prove.loads', { count: proof.loads });
    case 'days':
      return text('card.prove.days', { count: proof.days });
    case 'too-slow':
      return text('card.measure.anyway');
    case 'restarts':
    case 'not-possible':
      return text('card.seeApply');
    default:
      return assertNever(proof);
  }
}

const BUTTONS = {
  allow: 'card.allow',
  check: 'card.check',
  dismiss: 'card.dismiss',
  try: 'card.try',
  measure: 'card.measure',
  prove: 'card.prove',
  pause: 'card.pause',
  resume: 'card.resume',
  apply: 'card.apply',
  undo: 'card.undo',
  'set-again': 'card.apply',
  'see-trial': 'card.seeTrial',
  'see-apply': 'card.seeApply',
  'see-manual': 'card.seeApply',
  'see-gateway': 'card.seeGateway',
  'see-never': 'card.seeNever',
} as const satisfies Record<CardAction, PlainId>;
