/** Everything the dashboard shows that its worker does not tell it. */
import { networkPreferences } from '../adapters/network-preferences.ts';
import type { DashboardState } from '../protocol/dashboard-state.ts';
import { popupFacts } from './page-state.ts';
import { trialOffer } from './trial-candidates.ts';

/** `now`: wall clock, ms since the epoch. The popup's facts, so that both pages have one answer. */
export async function dashboardFacts(now: number): Promise<DashboardState> {
  const { recording, recordLoss, standstills, active, trial, loads } = await popupFacts(now);
  // What is predicted rests on no store.
  const { offered } = trial?.offer ?? trialOffer({ live: networkPreferences() !== undefined, gateway: false });
  const candidates = offered.map(({ id }) => id);
  return {
    recording,
    ...(recordLoss && { recordLoss }),
    ...(standstills && { standstills }),
    active,
    ...(trial && { trial }),
    loads,
    candidates,
  };
}
