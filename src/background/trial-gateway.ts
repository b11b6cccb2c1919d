/** Switches the gateway for a trial: between slots while Firefox runs, and back to its previous state when the trial pauses or ends. */
import { listedSites } from '../adapters/gateway-sites.ts';
import { canHaveHelper, hasGatewayPermission, hasOwnProxy } from '../adapters/permissions.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import type { CountableLoads } from '../core/answer/proof.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { isThroughGateway, type LoadRoute } from '../core/trial/gateway-arms.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { TrialPlan } from '../core/trial/trial-plan.ts';
import type { GatewayFacts } from '../protocol/helper-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { Gateway } from './gateway.ts';
import type { HelperSession } from './helper-session.ts';
import type { RecordStores } from './record-stores.ts';

/** Newest loads that show how many could count. A day or two, read in some 50 ms. */
const NEWEST = 50;

interface TrialGatewayDeps {
  readonly stores: Pick<RecordStores, 'newestLoads'>;
  readonly gateway: Pick<Gateway, 'gatewayHasEnded' | 'gatewayProfile' | 'switchGatewayOff' | 'switchGatewayOn'>;
  readonly helperSession: Pick<HelperSession, 'helperRun'>;
}

export type TrialGateway = ReturnType<typeof createTrialGateway>;

export function createTrialGateway({
  stores: { newestLoads },
  gateway: { gatewayHasEnded, gatewayProfile, switchGatewayOff, switchGatewayOn },
  helperSession: { helperRun },
}: TrialGatewayDeps) {
  /** Whether there is a helper that can run a gateway, and the person has allowed it. */
  async function isGatewayThere(): Promise<boolean> {
    if (!((await canHaveHelper()) && (await hasGatewayPermission())) || (await hasOwnProxy())) return false;
    const { problem } = await helperRun();
    // A helper that finds no profile folder can run a gateway all the same.
    return problem === undefined || problem.why === 'refused';
  }

  /** Switches the gateway on for the profile, or off. @throws PlumbfoxError `environment`: it is unchanged then. */
  async function switchGateway(plan: TrialPlan, profileId: string): Promise<void> {
    const held = gatewayProfile();
    const before = (await readRunState()).gatewayBeforeTrial ?? { ...(held !== undefined && { profileId: held }) };
    if (isThroughGateway(plan, profileId)) await switchGatewayOn(profileId);
    else await switchGatewayOff();
    await writeRunState('gatewayBeforeTrial', before);
  }

  /** Restores the gateway's state from before the trial, unless it was switched by something else since or it has ended by itself. */
  async function returnGateway(): Promise<void> {
    const { gatewayBeforeTrial: before } = await readRunState();
    if (before === undefined) return;
    if (!gatewayHasEnded()) await (before.profileId === undefined ? switchGatewayOff() : switchOnAgain(before.profileId));
    await writeRunState('gatewayBeforeTrial', undefined);
  }

  /** Switches it on with its previous profile, or off where that fails. */
  async function switchOnAgain(profileId: string): Promise<void> {
    try {
      await switchGatewayOn(profileId);
    } catch (error) {
      if (!(error instanceof PlumbfoxError)) throw error;
      await switchGatewayOff();
    }
  }

  /** Why the gateway is not as the slot requires, in words; `undefined`: it is. */
  async function gatewayDisturbance({ plan, progress }: TrialRecord): Promise<string | undefined> {
    const { profileId } = progress.current;
    const wanted = isThroughGateway(plan, profileId) ? profileId : undefined;
    const held = gatewayProfile();
    if (held === wanted) return undefined;
    if (held !== undefined) return `The gateway was switched on with ${held} in the slot of ${profileId}.`;
    const hasEnded = gatewayHasEnded() || (await readRunState()).gateway?.ended !== undefined;
    return hasEnded ? 'The gateway ended by itself, and everything goes direct.' : 'The gateway was switched off.';
  }

  /** How many of the newest loads could have counted. */
  async function countableLoads(): Promise<CountableLoads> {
    const [loads, listed] = await Promise.all([newestLoads(NEWEST), carriedSites()]);
    return { could: loads.filter((load) => routeOf(load, listed) !== 'not-carried').length, of: loads.length };
  }

  return { isGatewayThere, switchGateway, returnGateway, gatewayDisturbance, countableLoads };
}

/** Makes the person's choice permanent: no trial restores an earlier state. @throws what the work throws. */
export async function switchedByPerson(work: () => Promise<GatewayFacts>): Promise<GatewayFacts> {
  const facts = await work();
  await writeRunState('gatewayBeforeTrial', undefined);
  return facts;
}

/** Origins of the listed sites that may go through the gateway. */
export async function carriedSites(): Promise<ReadonlySet<string>> {
  return new Set((await listedSites()).filter(({ direct }) => direct === undefined).map(({ origin }) => origin));
}

/** The route of a load, by its document, which comes first, before the redirects that led to it. */
export function routeOf({ url, requests: [document] }: MarkedPageLoad, listed: ReadonlySet<string>): LoadRoute {
  const origin = URL.parse(document?.url ?? url)?.origin;
  if (origin === undefined || !listed.has(origin) || document?.wire?.fromCache === true) return 'not-carried';
  return document?.wire?.proxied === true ? 'gateway' : 'direct';
}
