/** Predictions with figures a test can choose. */

import type { ModelError } from '../../src/core/predict/model-error.ts';
import { type PredictedProfile, predictedProfiles } from '../../src/core/predict/predicted-profiles.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../src/core/profiles/profile.ts';
import type { Bound, Prediction } from '../../src/core/simulate/prediction.ts';

const NO_SHARES: Readonly<Record<Bound, number>> = { bandwidth: 0, 'queue-wait': 0, 'round-trips': 0, loss: 0, server: 0, page: 0 };

/** The ideal time is 1000 ms, so that efficiency is 1000 / load time. */
export function madePrediction(
  profileId: string,
  loadTimeMs: number,
  shares: Partial<Record<Bound, number>> = { bandwidth: 1 },
): Prediction {
  const boundShares = { ...NO_SHARES, ...shares };
  const [bound = 'bandwidth'] = (Object.keys(shares) as Bound[]).sort((a, b) => boundShares[b] - boundShares[a]);
  return {
    profileId,
    loadTimeMs,
    efficiency: 1000 / loadTimeMs,
    bytes: 1500,
    connections: 7,
    bound,
    boundShares,
    retransmissions: 0,
    carriages: ['http/1.1'],
    loss: 'none',
    requests: [{ id: 'index', discoveredMs: 0, startMs: 100, firstByteMs: 200, endMs: loadTimeMs, connection: 1 }],
  };
}

/** The same of load times and of ratios, and bands as much wider. */
export function madeError(errorP90: number, basis = '100 loads'): ModelError {
  const margins = { below: errorP90, above: errorP90 };
  return { errorP50: errorP90 / 3, errorP90, margins, ratio: margins, basis };
}

export function presetProfile(id: string): Profile {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`no profile ${id}`);
  return profile;
}

/** Of one scenario, by load time in ms. */
export function madeProfiles(loadTimes: Readonly<Record<string, number>>, error = madeError(0)): readonly PredictedProfile[] {
  const predictions = Object.entries(loadTimes).map(([id, loadTimeMs]) => madePrediction(id, loadTimeMs));
  return predictedProfiles([{ page: 'p', link: 'l', predictions }], {
    profiles: Object.keys(loadTimes).map(presetProfile),
    baseline: BASELINE_ID,
    pages: [{ requests: [{ id: 'index', bytes: 1500 }] }],
    errorOf: () => error,
  });
}
