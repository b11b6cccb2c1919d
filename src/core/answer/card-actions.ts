/** What can be pressed on the card in each state, and how it looks. */
import { assertNever } from '../errors.ts';
import type { AppliedNow, CardState } from './card.ts';

/** The one thing to press. `see-*` open the page behind "More" at that section. */
export type CardAction =
  | 'allow'
  | 'check'
  | 'dismiss'
  | 'try'
  | 'measure'
  | 'prove'
  | 'pause'
  | 'resume'
  | 'apply'
  | 'undo'
  | 'set-again'
  | 'see-trial'
  | 'see-apply'
  | 'see-manual'
  | 'see-gateway'
  | 'see-never';

/** The button of a state: there is always exactly one. */
export function mainAction(state: CardState): CardAction {
  switch (state.kind) {
    case 'no-permission':
      return 'allow';
    case 'private-only':
    case 'version-too-new':
    case 'held-by-another':
    case 'disk-full':
      return 'check';
    case 'list-lost':
      return 'see-never';
    case 'storage-lost':
    case 'restarted':
      return 'dismiss';
    case 'fresh':
      return 'try';
    case 'unanswered':
    case 'nothing-to-gain':
    case 'not-faster':
      return 'measure';
    case 'predicted':
      return unprovenAction(state);
    case 'collecting':
    case 'leading':
      return 'pause';
    case 'paused':
      return 'resume';
    case 'invalid':
      return state.isOver ? 'measure' : 'see-trial';
    case 'confirmed':
      return state.found.carrier === 'none' ? 'apply' : 'see-gateway';
    case 'helper-missing':
    case 'locked':
    case 'undone-at-restart':
      return 'see-apply';
    case 'manual-step':
      return 'see-manual';
    case 'applied-not-in-effect':
      return canSetAgain(state.applied) ? 'set-again' : undoAction(state.applied);
    case 'applied':
      return undoAction(state.applied);
    default:
      return assertNever(state);
  }
}

/** What else can be pressed; `undefined`: nothing. */
export const otherAction = (state: CardState): CardAction | undefined =>
  state.kind === 'applied-not-in-effect' && canSetAgain(state.applied) ? undoAction(state.applied) : undefined;

/** What the extension has set it can set again; what the helper app has written Firefox reads again when it starts. */
const canSetAgain = ({ by, wrong }: AppliedNow): boolean => wrong.length > 0 && by === 'live';

/** Whether the button leads forward. What takes back, pauses, or measures against the advice of the card is a link. */
export function leadsForward(state: CardState): boolean {
  const action = mainAction(state);
  switch (state.kind) {
    case 'applied':
    case 'locked':
    case 'undone-at-restart':
      return false;
    case 'applied-not-in-effect':
      return action === 'set-again';
    case 'predicted':
    case 'nothing-to-gain':
    case 'not-faster':
      return action !== 'measure';
    default:
      return action !== 'pause' && action !== 'dismiss';
  }
}

/** Where no trial can prove it, what is left is to apply the settings. */
function unprovenAction({ proof, isManual }: Extract<CardState, { kind: 'predicted' }>): CardAction {
  switch (proof.state) {
    // Nothing speaks against a trial, as far as is known.
    case 'days':
    case 'loads':
    case 'working':
      return 'prove';
    case 'too-slow':
      return 'measure';
    case 'restarts':
    case 'not-possible':
      return isManual ? 'see-manual' : 'see-apply';
    default:
      return assertNever(proof);
  }
}

function undoAction({ by }: AppliedNow): CardAction {
  switch (by) {
    case 'live':
    case 'helper':
      return 'undo';
    case 'gateway':
      return 'see-gateway';
    case 'manual':
      return 'see-manual';
    case 'policy':
      return 'see-apply';
    default:
      return assertNever(by);
  }
}
