/**
 * The control of a trial: what Firefox ships, but through the gateway. It has its turns as the baseline has, is no candidate, and tells what the
 * gateway does by itself from what a profile does. It goes when no profile is left that needs the gateway.
 */
import { isThroughGateway } from './gateway-arms.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { DroppedArm } from './trial-progress.ts';

/** `undefined`: no profile of the trial goes through the gateway, or it is of a version that took the control for a candidate. */
export const controlOf = ({ profiles }: TrialPlan): string | undefined => profiles.find(({ role }) => role === 'control')?.id;

/** Arms that are compared, in the order given. */
export function candidatesAmong(plan: TrialPlan, arms: readonly string[]): readonly string[] {
  const control = controlOf(plan);
  return arms.filter((id) => id !== plan.baseline && id !== control);
}

/** Without a control that nothing needs any more. */
export function withoutIdleControl(plan: TrialPlan, arms: readonly string[]): readonly string[] {
  const isNeeded = candidatesAmong(plan, arms).some((id) => isThroughGateway(plan, id));
  return isNeeded ? arms : arms.filter((id) => id !== controlOf(plan));
}

/** Why it has no turn any more, in words. */
export const CONTROL_IDLE = 'no profile is left that goes through the gateway';

type NotApplicable = Extract<DroppedArm, { readonly because: string }>;

/** What cannot be put in effect goes; with the control, whatever cannot be told apart from the gateway without it. */
export function goesWith(plan: TrialPlan, arms: readonly string[], arm: NotApplicable): readonly DroppedArm[] {
  if (arm.profileId !== controlOf(plan)) return [arm];
  const because = `without ${arm.profileId} nothing tells it apart from what the gateway does by itself: ${arm.because}`;
  const { block } = arm;
  const others = candidatesAmong(plan, arms).filter((id) => isThroughGateway(plan, id));
  return [arm, ...others.map((profileId): DroppedArm => ({ profileId, reason: 'not-applicable', because, block }))];
}
