/**
 * A whole trial on simulated browsing: every load is told to `advance`, what it asks for is done, and what it says is noted whenever
 * a person looks.
 */
import type { Random } from '../../../src/core/random.ts';
import { normalQuantile } from '../../../src/core/stats/distributions.ts';
import { advance, type TrialCommand, type TrialEvent } from '../../../src/core/trial/advance.ts';
import { decisionOn, judgeTrial } from '../../../src/core/trial/judge-trial.ts';
import type { TrialLoad } from '../../../src/core/trial/judged-loads.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import type { TrialMark } from '../../../src/core/trial/trial-mark.ts';
import type { TrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialProgress } from '../../../src/core/trial/trial-progress.ts';
import type { TrialState } from '../../../src/core/trial/trial-state.ts';
import { markOf } from '../../unit/core/trial/trial-driver.ts';
import { browse, EVERYDAY, HOUR, type Visit } from './browsing.ts';
import {
  armNamed,
  type EverydayTruth,
  MEAN_EFFICIENCY,
  measuredLoad,
  type SimulatedSlot,
  slotLevel,
  turnBefore,
} from './everyday-truth.ts';
import { normal } from './noise.ts';
import { type PlanChoices, plannedTrial } from './planned-trial.ts';

export interface TrialTruth extends EverydayTruth {
  /** Ups and downs with a period of so many loads. */
  readonly wave?: { readonly loads: number; readonly half: number };
  /** The last third of every day. */
  readonly evenings?: { readonly loadsPerDay: number; readonly effect: number };
  /** What the network has in common over hours: it forgets itself by e in so many. */
  readonly weather?: { readonly spread: number; readonly hours: number };
  /** What a page that is loaded again and again gains in the end. */
  readonly learning?: number;
  /** Chance that a load is lost, by profile; 0 unless said. */
  readonly lost?: Readonly<Record<string, number>>;
  /** Share of a profile's loads that are lost because they are its slowest; 0 unless said. */
  readonly lostSlowest?: Readonly<Record<string, number>>;
}

export interface TrialCourse {
  readonly truth: TrialTruth;
  readonly plan?: PlanChoices;
  /** Loads after which it is given up, those of the washout and lost ones included. */
  readonly mostLoads: number;
  /** A person looks whenever so many more loads were made; never unless said. */
  readonly lookEvery?: number;
}

export interface TrialRun {
  readonly plan: TrialPlan;
  readonly loads: readonly TrialLoad[];
  /** The state at the end. */
  readonly state: TrialState;
  readonly progress: TrialProgress;
  /** What the person saw. */
  readonly looks: readonly { readonly made: number; readonly state: TrialState }[];
  readonly made: number;
}

const LOAD_MS = 1000;

export function everydayTrial({ truth, plan: given, mostLoads, lookEvery }: TrialCourse, random: Random): TrialRun {
  const visits = browse(truth.habits ?? EVERYDAY, random);
  const plan = plannedTrial(truth.arms, random, given);
  const trial = drive(plan);
  const slots = slotLevels(truth, random);
  const conditions = conditionsOf(truth, random);
  const looks: { made: number; state: TrialState }[] = [];
  let made = 0;
  while (made < mostLoads && trial.progress().status === 'running') {
    const visit = visits.next().value;
    const at = visit.startedAtMs;
    const loadId = String(made);
    trial.tell({ kind: 'load-began', at, loadId });
    made += 1;
    const around = conditions(visit, made);
    const mark = markOf(trial.progress(), loadId);
    const profileId = mark?.profileId ?? trial.progress().current.profileId;
    let isLost = random.next() < (truth.lost?.[profileId] ?? 0);
    if (mark !== undefined && !isLost) {
      const load = moved(measuredLoad(truth, { slot: slots(mark), visit, position: mark.position }, random), around);
      isLost = isAmongSlowest(truth, { profileId, visit, load });
      if (!isLost) trial.loads.push({ profileId: mark.profileId, block: mark.block, slot: mark.slot, mark, ...load });
    }
    trial.tell({ kind: isLost ? 'load-lost' : 'load-recorded', at: at + LOAD_MS, loadId });
    if (lookEvery !== undefined && made % lookEvery === 0) looks.push({ made, state: judgeTrial(plan, trial.progress(), trial.loads) });
  }
  const { loads } = trial;
  const progress = trial.progress();
  return { plan, loads, state: judgeTrial(plan, progress, loads), progress, looks, made };
}

function moved(load: Measured, by: number): Measured {
  const factor = Math.exp(by);
  return { ...load, efficiency: (load.efficiency ?? 1) * factor, loadTimeMs: (load.loadTimeMs ?? 1) / factor };
}

/** What no profile does: log efficiency that each load has by when it is made. @returns for the loads in their order. */
function conditionsOf({ wave, evenings, weather, learning = 0 }: TrialTruth, random: Random): (visit: Visit, made: number) => number {
  const times = new Map<string, number>();
  let [state, before] = [weather === undefined ? 0 : weather.spread * normal(random), 0];
  return ({ startedAtMs, page }, made) => {
    const seen = times.get(page) ?? 0;
    times.set(page, seen + 1);
    if (weather !== undefined) {
      const kept = Math.exp((before - startedAtMs) / (weather.hours * HOUR));
      state = kept * state + weather.spread * Math.sqrt(1 - kept ** 2) * normal(random);
      before = startedAtMs;
    }
    const isEvening = evenings !== undefined && made % evenings.loadsPerDay >= (2 / 3) * evenings.loadsPerDay;
    return (
      (wave === undefined ? 0 : wave.half * Math.sin((2 * Math.PI * made) / wave.loads)) +
      (isEvening ? evenings.effect : 0) +
      state +
      learning * (1 - 0.8 ** seen)
    );
  };
}

/** Among the slowest loads of its page over its link, as far as its noise is normal. */
function isAmongSlowest(truth: TrialTruth, { profileId, visit, load }: { profileId: string; visit: Visit; load: Measured }): boolean {
  const share = truth.lostSlowest?.[profileId] ?? 0;
  if (share === 0) return false;
  const spread = Math.hypot(truth.noiseSpread ?? 0.25, truth.contentSpread ?? 0);
  const own = Math.log(load.efficiency ?? Number.NaN) - Math.log(MEAN_EFFICIENCY) - visit.level;
  return own < spread * normalQuantile(share);
}

type Measured = ReturnType<typeof measuredLoad>;

interface Driven {
  readonly progress: () => TrialProgress;
  readonly loads: TrialLoad[];
  readonly tell: (event: TrialEvent) => void;
}

/** Does at once whatever the trial asks for. */
function drive(plan: TrialPlan): Driven {
  const loads: TrialLoad[] = [];
  let progress = beginTrial(plan);
  const answer = (command: TrialCommand | undefined, at: number): TrialEvent | undefined => {
    switch (command?.kind) {
      case 'switch-to':
        return { kind: 'switched', at, slot: command.slot };
      case 'look':
        return { kind: 'looked', at, decision: decisionOn(plan, progress, loads) };
      case 'revert':
        return { kind: 'reverted', at };
      case 'prepare':
      case 'verify':
        throw new Error('slots by session are not simulated');
      case undefined:
        return undefined;
    }
  };
  const tell = (event: TrialEvent): void => {
    let next: TrialEvent | undefined = event;
    while (next !== undefined) {
      const advanced = advance(progress, next, plan);
      progress = advanced.progress;
      next = answer(advanced.command, event.at);
    }
  };
  tell({ kind: 'started', at: 0 });
  return { progress: () => progress, loads, tell };
}

/** What the loads of a slot share, drawn when it begins. */
function slotLevels(truth: TrialTruth, random: Random): (mark: TrialMark) => SimulatedSlot {
  const known: { readonly number: number; readonly slot: SimulatedSlot }[] = [];
  return ({ slot: number, block, profileId }) => {
    const last = known.at(-1);
    if (last?.number === number) return last.slot;
    const arm = armNamed(truth, profileId);
    const before = { before: last?.slot.arm, turnBefore: turnBefore(last?.slot, block, arm) };
    const slot = { arm, ...before, block, level: slotLevel(truth, random) };
    known.push({ number, slot });
    return slot;
  };
}
