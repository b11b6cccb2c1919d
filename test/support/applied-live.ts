/** Four connections per server, in effect by the Experiment API. */
import type { AppliedProfile } from '../../src/core/profiles/profile.ts';

export const PER_SERVER = 'network.http.max-persistent-connections-per-server';

export const FOUR: AppliedProfile = {
  profileId: 'c4-d1',
  applier: 'experiment-api',
  carrier: 'none',
  intended: { [PER_SERVER]: 4 },
  readBack: [],
  mismatches: [],
};
