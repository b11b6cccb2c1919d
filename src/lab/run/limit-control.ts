/**
 * The positive control: whether a profile's limit holds, and can be reached, on a page whose pictures the servers hold back until all that may
 * be requested has been. Made once for every profile in every block, beside the loads that count, so that none of those has to show it.
 */

import { PlumbfoxError } from '../../core/errors.ts';
import { PROBATION } from '../../core/gateway-policy.ts';
import { carrierFor, preferencesFor } from '../../core/profiles/carrier.ts';
import { PER_SERVER } from '../../core/profiles/catalogue.ts';
import type { Carrier, Profile } from '../../core/profiles/profile.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { VoidFinding } from '../../core/report/validity.ts';
import type { Lane } from '../lane/lane.ts';
import { QUICK_LINK } from '../link/links.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { hold } from '../pages/pages.ts';
import { LAB_NETWORK_IDLE_MS } from './network-idle.ts';
import { observedLoad } from './validate-load.ts';

/** More at once are not tried: the page would take a second pace of Firefox's own (`network.http.pacing.requests`: 10, then 80 a second). */
const MAX_AT_ONCE = 24;
/** Pictures beyond what may be requested at once, so that more would be requested if the limit did not hold. */
const MORE = 4;
/** In that time Firefox's pacing lets 10 + 80 x 0.25 = 30 requests go. */
const HELD_MS = 250;
/** A busy moment may spoil one. */
const MAX_TRIES = 2;

interface Expected {
  /** Requests at once; fewer, and the limit was not reached. */
  readonly least: number;
  /** More, and it did not hold. */
  readonly most: number;
  readonly recipe: PageRecipe;
}

/**
 * The limit that a profile is to show. Of one that changes other preferences as well, only that its limit is not exceeded: others may hold it back.
 */
export function expectedOfControl(profile: Profile, carrier: Carrier): Expected {
  const { [PER_SERVER]: set, ...others } = preferencesFor(profile, carrier);
  const limit = profile.connections ?? (typeof set === 'number' ? set : SHIPPED.perServer);
  const carried = carrier === 'gateway';
  const limited = limit * (carried ? profile.depth : 1);
  const wanted = Math.min(MAX_AT_ONCE, limited);
  const [picture] = hold.resources;
  if (!picture) throw new PlumbfoxError('internal', 'The page of held pictures has none');
  // As many as the gateway takes one at a time first.
  const count = wanted + MORE + (carried ? PROBATION.answers : 0);
  return {
    // How full a pipeline gets is the dispatch's business (bundles wait for a free connection): that there is one is what is to be shown.
    least: carried ? Math.min(wanted, limit + 1) : Object.keys(others).length === 0 ? wanted : 1,
    most: limited + (carried ? 0 : SHIPPED.urgentStart),
    recipe: {
      ...hold,
      name: `hold-${count}`,
      resources: Array.from({ length: count }, (_, index) => ({ ...picture, name: `held-${index}.png`, serverMs: HELD_MS })),
    },
  };
}

/**
 * Which profiles show their limit in this group of a block (a page on a link): over the groups of a block each does so once, or more often
 * where there are more groups than profiles.
 * @param group - From 0.
 */
export const controlledIn = <T>(
  group: number,
  { groups, profiles }: { readonly groups: number; readonly profiles: readonly T[] },
): readonly T[] => profiles.filter((_, index) => (groups < profiles.length ? index % groups === group : index === group % profiles.length));

/**
 * The profiles that failed their control, by block: the one rule for `tune` and for studies. A profile that did not show its limit has nothing to
 * show that it is in effect, so none of its loads that come after it in that block counts, on whatever page and link.
 */
export interface FailedControls {
  add(block: number, finding: ControlFailed): void;
  /** `undefined`: nothing is known against it. */
  of(load: { readonly block: number; readonly profileId: string }): VoidFinding | undefined;
}

/** The finding that excludes the loads of a profile in a block: its control did not show the limit. */
export type ControlFailed = Extract<VoidFinding, { readonly cause: 'control-failed' }>;

/** None has failed at first; a block's and profile's last finding holds. */
export function failedControls(): FailedControls {
  const failed = new Map<string, ControlFailed>();
  const key = (block: number, profileId: string) => `${block} ${profileId}`;
  return {
    add: (block, finding) => {
      failed.set(key(block, finding.profileId), finding);
    },
    of: ({ block, profileId }) => failed.get(key(block, profileId)),
  };
}

interface ControlOrder {
  readonly lane: Pick<Lane, 'servePages' | 'useLink' | 'load' | 'pageUrl'>;
  readonly profile: Profile;
  /** Unique in the run. */
  readonly token: string;
  readonly timeoutMs: number;
}

/** Leaves another link in place. @returns what it found wrong. @throws PlumbfoxError when the lane breaks. */
export async function limitControl({ lane, profile, token, timeoutMs }: ControlOrder): Promise<ControlFailed | undefined> {
  const carrier = carrierFor(profile, { gateway: true });
  const { least, most, recipe } = expectedOfControl(profile, carrier);
  await lane.servePages([recipe]);
  await lane.useLink(QUICK_LINK);
  let seen = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const url = lane.pageUrl(recipe.name, `${token}-${tries}`);
    const outcome = await lane.load({ profile, carrier, url, timeoutMs, quietMs: LAB_NETWORK_IDLE_MS }).catch(unlessBroken);
    seen = (outcome && observedLoad({ outcome, carrier })?.peakOutstanding) ?? 0;
    if (seen >= least && seen <= most) return undefined;
  }
  return { cause: 'control-failed', profileId: profile.id, seen, wanted: seen > most ? most : least };
}

function unlessBroken(error: unknown): undefined {
  if (!(error instanceof PlumbfoxError && error.kind === 'run-void')) throw error;
}
