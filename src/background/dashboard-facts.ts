/** Everything the dashboard shows that its worker does not tell it. */
import { networkPreferences } from '../adapters/network-preferences.ts';
import type { DashboardState } from '../protocol/dashboard-state.ts';
import { recordingState } from './popup-facts.ts';
import { trialOffer } from './trial-candidates.ts';

export async function dashboardFacts(): Promise<DashboardState> {
  const { offered } = trialOffer({ live: networkPreferences() !== undefined, gateway: false });
  return { recording: await recordingState(), candidates: offered.map(({ id }) => id) };
}
