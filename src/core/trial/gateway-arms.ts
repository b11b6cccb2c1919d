/**
 * Trials with profiles that go through the gateway. Only loads that the gateway carries are compared, and a control (Firefox's own settings, but
 * through the gateway) separates what the gateway does by itself from what a profile does. It has turns like the baseline, is no candidate, and
 * goes when no profile is left that needs the gateway.
 */
import { assertNever } from '../errors.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { DroppedArm } from './trial-progress.ts';

/**
 * `gateway`: the document is of a listed site and came through the gateway; `direct`: of a listed site, past it; `not-carried`: no gateway
 * carries it, as with https and sites that are not listed, or it came from the cache.
 */
export type LoadRoute = 'gateway' | 'direct' | 'not-carried';

/** False also for a profile that is not of the trial. */
export function isThroughGateway({ profiles }: TrialPlan, profileId: string): boolean {
  return profiles.some(({ id, carrier }) => id === profileId && carrier === 'gateway');
}

/** Whether a profile of the trial goes through the gateway. */
export const isGatewayTrial = ({ profiles }: TrialPlan): boolean => profiles.some(({ carrier }) => carrier === 'gateway');

/** Whether a profile of the trial sets preferences in the Firefox that runs; with slots by session none does. */
export function setsPreferences({ profiles, baseline, slots }: TrialPlan): boolean {
  return slots.kind !== 'session' && profiles.some(({ id, carrier }) => id !== baseline && carrier !== 'gateway');
}

const NOT_CARRIED = 'the page is of no site listed for pipelining, so it does not use the gateway: it counts for no profile of this trial';

/** Why a load cannot count under this profile; `undefined`: it can. What no gateway carries counts under none, so that all stay comparable. */
export function whyUnfit(plan: TrialPlan, profileId: string, route: LoadRoute | undefined): string | undefined {
  if (route === undefined || !isGatewayTrial(plan)) return undefined;
  switch (route) {
    case 'not-carried':
      return NOT_CARRIED;
    case 'direct':
      return isThroughGateway(plan, profileId) ? `the page itself bypassed the gateway: ${profileId} was not in effect` : undefined;
    case 'gateway':
      return isThroughGateway(plan, profileId) ? undefined : `the page came through the gateway: ${profileId} was not in effect`;
    default:
      return assertNever(route);
  }
}

/** `undefined`: no profile of the trial goes through the gateway, or its version took the control for a candidate. */
export const controlOf = ({ profiles }: TrialPlan): string | undefined => profiles.find(({ role }) => role === 'control')?.id;

/** The arms that are neither the baseline nor the control, in the order given. */
export function candidatesAmong(plan: TrialPlan, arms: readonly string[]): readonly string[] {
  const control = controlOf(plan);
  return arms.filter((id) => id !== plan.baseline && id !== control);
}

/** Leaves out a control that nothing needs any more. */
export function withoutIdleControl(plan: TrialPlan, arms: readonly string[]): readonly string[] {
  const isNeeded = candidatesAmong(plan, arms).some((id) => isThroughGateway(plan, id));
  return isNeeded ? arms : arms.filter((id) => id !== controlOf(plan));
}

/** Why an idle control has no more turns. */
export const CONTROL_IDLE = 'no profile is left that goes through the gateway';

type NotApplicable = Extract<DroppedArm, { readonly because: string }>;

/** Arms that cannot be put in effect are dropped; with the control, so is whatever cannot be separated from the gateway without it. */
export function goesWith(plan: TrialPlan, arms: readonly string[], arm: NotApplicable): readonly DroppedArm[] {
  if (arm.profileId !== controlOf(plan)) return [arm];
  const because = `without ${arm.profileId} nothing tells it apart from what the gateway does by itself: ${arm.because}`;
  const { block } = arm;
  const others = candidatesAmong(plan, arms).filter((id) => isThroughGateway(plan, id));
  return [arm, ...others.map((profileId): DroppedArm => ({ profileId, reason: 'not-applicable', because, block }))];
}
