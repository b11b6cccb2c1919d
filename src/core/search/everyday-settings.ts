/**
 * What a trial of everyday browsing may try besides connections alone: the combinations that a search finds fastest over HTTP/1.1 in the lab, few
 * enough for the simulator to predict them for a person's own pages, of which the best three are proposed.
 */
import { PACING_ENABLED, PER_SERVER } from '../profiles/catalogue.ts';
import { profileOf } from '../profiles/presets.ts';
import type { Profile } from '../profiles/profile.ts';
import { factorial } from './factorial.ts';

/** Nothing paced, with Firefox's own number of connections and with more. */
export const EVERYDAY_SETTINGS: readonly Profile[] = factorial([
  { preference: PER_SERVER, values: [10, 16] },
  { preference: PACING_ENABLED, values: [false] },
])
  .filter((settings) => settings[PACING_ENABLED] === false)
  .map((preferences) => profileOf({ depth: 1, preferences }));
