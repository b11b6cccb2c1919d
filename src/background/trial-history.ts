/** Which protocol a trial is to judge, by the person's newest loads. */
import { newestLoads } from '../adapters/load-store.ts';
import { loadFigures } from '../core/field/load-figures.ts';
import { carrierFor } from '../core/profiles/carrier-for.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { pageProtocols } from '../core/report/page-protocol.ts';
import { type ProtocolPlan, planProtocols, reachedProtocols } from '../core/trial/protocol-plan.ts';
import { carriedSites, routeOf } from './trial-gateway.ts';

/** Our own choice: some days of browsing, read in some 100 ms; a share of one half is then known to 5 points. */
const NEWEST = 100;

/** Of a trial through the gateway only the loads that could count in it are asked. */
export async function protocolsFor(candidates: readonly Profile[]): Promise<ProtocolPlan> {
  const carried = candidates.map((profile) => ({ profile, carrier: carrierFor(profile, { gateway: true }) }));
  const all = await newestLoads(NEWEST);
  const listed = carried.some(({ carrier }) => carrier === 'gateway') ? await carriedSites() : undefined;
  const loads = listed === undefined ? all : all.filter((load) => routeOf(load, listed) !== 'not-carried');
  const figures = loads.map(loadFigures);
  const protocols = pageProtocols<number>();
  for (const { page, protocol, standing } of figures) if (protocol !== undefined) protocols.add(page, protocol, standing === 'whole');
  return planProtocols(
    figures.map(({ page }) => protocols.of(page)),
    reachedProtocols(carried),
  );
}
