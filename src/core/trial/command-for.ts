/** What is to be done now: a function of the stored progress alone. */
import { assertNever } from '../errors.ts';
import { isLoadUnderWay } from './marked-loads.ts';
import type { TrialCommand } from './trial-event.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import { nextAssignment } from './turn-slots.ts';

/** `undefined`: nothing but to wait for the next event. */
export function commandFor(progress: TrialProgress, plan: TrialPlan): TrialCommand | undefined {
  const { status, applied } = progress;
  switch (status) {
    case 'planned':
      return undefined;
    case 'paused':
    case 'ended':
      return applied ? { kind: 'revert' } : undefined;
    case 'running':
      return plan.slots.kind === 'session' ? sessionCommand(progress, plan) : liveCommand(progress);
    default:
      return assertNever(status);
  }
}

/** A profile is never switched in the middle of a load. */
function liveCommand(progress: TrialProgress): TrialCommand | undefined {
  const { slot, profileId, phase } = progress.current;
  switch (phase) {
    case 'ended':
      return { kind: 'look', slot };
    case 'switching':
      return isLoadUnderWay(progress) ? undefined : { kind: 'switch-to', profileId, slot };
    case 'in-effect':
      return undefined;
    default:
      return assertNever(phase);
  }
}

function sessionCommand(progress: TrialProgress, plan: TrialPlan): TrialCommand | undefined {
  const { current, prepared, session } = progress;
  if (current.phase === 'ended') return { kind: 'look', slot: current.slot };
  const target = current.phase === 'in-effect' ? nextAssignment(progress, plan) : current;
  const { slot, profileId } = target;
  if (prepared?.slot !== slot) return { kind: 'prepare', profileId, slot };
  const started = session !== undefined && session.id !== prepared.sessionId;
  return current.phase === 'switching' && prepared.state === 'written' && started ? { kind: 'verify', profileId, slot } : undefined;
}
