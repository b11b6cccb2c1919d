/** The loads of a trial as its verdict needs them, read from the store. */
import { loadSummary } from '../core/field/load-summary.ts';
import { comparableTrialLoads, type PlacedLoad } from '../core/field/trial-loads.ts';
import { loadWindow } from '../core/measure/load-window.ts';
import { decisionOn, judgeTrial, type LoadsOfTrial } from '../core/trial/judge-trial.ts';
import { protocolsUntilSlot } from '../core/trial/judged-loads.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { RecordStores } from './record-stores.ts';

/** The loads without those that the trial excluded; its other arguments are those of `comparableTrialLoads`. */
export async function trialLoads(
  loads: readonly MarkedPageLoad[],
  baseline: string,
  options: Parameters<typeof comparableTrialLoads>[2] = {},
): Promise<LoadsOfTrial> {
  const placed = (await figuresOf(loads)).toSorted((a, b) => a.figures.startedAt - b.figures.startedAt);
  return comparableTrialLoads(placed, baseline, options);
}

/** Loads that are summarised before other work in this process, such as the popup's clicks, gets its turn. Some 10 ms. */
const AT_ONCE = 25;

async function figuresOf(loads: readonly MarkedPageLoad[]): Promise<readonly PlacedLoad[]> {
  const placed: PlacedLoad[] = [];
  for (const [at, load] of loads.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((done) => setTimeout(done));
    if (load.trial === undefined || load.trial.void !== undefined) continue;
    const window = loadWindow(load);
    placed.push({
      mark: load.trial.mark,
      figures: loadSummary(load),
      timedOut: window?.cutShort === 'time-limit',
    });
  }
  return placed;
}

interface TrialLoadsDeps {
  readonly stores: Pick<RecordStores, 'loadsOfTrial' | 'readFigures'>;
}

export type TrialLoads = ReturnType<typeof createTrialLoads>;

export function createTrialLoads({ stores: { loadsOfTrial, readFigures } }: TrialLoadsDeps) {
  async function loadsOf({ plan, progress }: TrialRecord): Promise<LoadsOfTrial> {
    // The plan's time may be after that of its loads, if the clock was set back (`clockSetBack`).
    const since = Math.min(plan.createdAt, progress.startedAt ?? plan.createdAt);
    const [loads, { figures }] = await Promise.all([loadsOfTrial(plan.id, since), readFigures()]);
    return trialLoads(loads, plan.baseline, { protocolsUntilSlot: protocolsUntilSlot(plan), before: figures });
  }

  /** What the trial does next. */
  async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
    return decisionOn(trial.plan, trial.progress, await loadsOf(trial));
  }

  /** The verdict so far. */
  async function judge(trial: TrialRecord): Promise<TrialState> {
    return judgeTrial(trial.plan, trial.progress, await loadsOf(trial));
  }

  return { lookAtLoads, judge };
}
