/** How a load came, where a trial has profiles that go through the gateway: only what the gateway carries is compared. */
import { assertNever } from '../errors.ts';
import type { TrialPlan } from './trial-plan.ts';

/**
 * `gateway`: its document is of a listed site and came through the gateway; `direct`: of a listed site, past it; `not-carried`: no gateway
 * carries it, as with https and sites that are not listed, or it came from the cache, so that nothing had to.
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

const NOT_CARRIED =
  'the page is of no site listed for pipelining, and the gateway carries nothing else: it counts for no profile of this trial';

/** Why a load cannot count under this profile, in words; `undefined`: it can. What no gateway carries counts under none, so that all stay comparable. */
export function whyUnfit(plan: TrialPlan, profileId: string, route: LoadRoute | undefined): string | undefined {
  if (route === undefined || !isGatewayTrial(plan)) return undefined;
  switch (route) {
    case 'not-carried':
      return NOT_CARRIED;
    case 'direct':
      return isThroughGateway(plan, profileId) ? `the page itself went past the gateway: ${profileId} was not in effect` : undefined;
    case 'gateway':
      return isThroughGateway(plan, profileId) ? undefined : `the page came through the gateway: ${profileId} was not in effect`;
    default:
      return assertNever(route);
  }
}
