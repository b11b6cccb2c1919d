/** Predicts how a page loads over a link under each profile. */
import { PlumbfoxError } from '../errors.ts';
import { checkPage } from '../graph/check-page.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { type BrowserModel, checkedModel } from '../simulate/browser-model.ts';
import { completeLink, type SimulatedLink } from '../simulate/link.ts';
import { pageColumns } from '../simulate/page-columns.ts';
import type { Prediction } from '../simulate/prediction.ts';
import { simulateLoad } from '../simulate/simulate-load.ts';
import { type PredictableProfile, type SimulatedProfile, simulatedProfiles } from '../simulate/simulated-profile.ts';
import { Workspace } from '../simulate/workspace.ts';

/** The page, the link and the profiles to predict. */
export interface PredictOptions {
  readonly page: PageGraph;
  readonly link: SimulatedLink;
  /** Ids of presets and sets (`c4-d6`, `fennec-18`), or profiles. */
  readonly profiles: readonly (string | PredictableProfile)[];
  /** Seed of random loss and jitter; without them it changes nothing. 0 unless given. */
  readonly seed?: number;
  /** What is named in a response is asked for up to so much later, evenly drawn by the seed for each, ms. 0 unless given. */
  readonly phaseMs?: number;
  /** What differs from `FIREFOX_TODAY`. */
  readonly model?: Partial<BrowserModel>;
}

/** Longer ones are mistakes in the unit. */
const MAX_PHASE_MS = 1000;

/**
 * One prediction per profile, in their order; the same input gives the same output, always.
 * @throws PlumbfoxError `bad-input`, one line, when page, link, profile, seed or model cannot be used.
 */
export function predict({ page, link, profiles, seed, phaseMs, model }: PredictOptions): readonly Prediction[] {
  const load = loaderOf(page, model);
  return simulatedProfiles(profiles).map((profile) => load(profile, { link, seed, phaseMs }));
}

interface Draw {
  readonly link: SimulatedLink;
  readonly seed?: number | undefined;
  readonly phaseMs?: number | undefined;
}
/** Loads the prepared page once: a profile over one draw of the link, its seed and its phase. */
export type Loader = (profile: SimulatedProfile, draw: Draw) => Prediction;

/** Checks and prepares the page once, for as many loads of it as are wanted. @throws PlumbfoxError `bad-input`, as each load does. */
export function loaderOf(page: PageGraph, model: Partial<BrowserModel> = {}): Loader {
  checkPage(page);
  const columns = pageColumns(page);
  const browser = checkedModel(model);
  const workspace = new Workspace();
  return (profile, { link, seed = 0, phaseMs = 0 }) => {
    const checked = completeLink(link);
    checkDraw(seed, phaseMs);
    return simulateLoad({ page: columns, link: checked, profile, model: browser, seed, phaseMs, workspace });
  };
}

function checkDraw(seed: number, phaseMs: number): void {
  if (!(phaseMs >= 0 && phaseMs <= MAX_PHASE_MS))
    throw new PlumbfoxError('bad-input', `A phase is a number from 0 to ${MAX_PHASE_MS} ms, not ${String(phaseMs)}`);
  if (!Number.isInteger(seed)) throw new PlumbfoxError('bad-input', `A seed is a whole number, not ${String(seed)}`);
}
