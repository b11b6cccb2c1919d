/** A whole trial on simulated browsing: loads whose truth is known, told to `advance` one by one, and looked at whenever it asks. */
import type { LoadProtocol } from '../../../../src/core/compare/comparison.ts';
import { type Random, seededRandom } from '../../../../src/core/random.ts';
import { advance, type TrialCommand, type TrialEvent } from '../../../../src/core/trial/advance.ts';
import { lookAtTrial } from '../../../../src/core/trial/judge-trial.ts';
import type { TrialLoad } from '../../../../src/core/trial/judged-loads.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { TrialMark } from '../../../../src/core/trial/trial-mark.ts';
import type { TrialPlan } from '../../../../src/core/trial/trial-plan.ts';
import type { TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import type { TrialState } from '../../../../src/core/trial/trial-state.ts';
import { gaussian } from '../compare/simulated-run.ts';
import { markOf } from './trial-driver.ts';

export interface Truth {
  /** Change of ln efficiency by profile; 0 unless said. */
  readonly effects?: Readonly<Record<string, number>>;
  /** Of the pages, in turn; unless said, none is known. */
  readonly protocols?: readonly LoadProtocol[];
  /** Besides, on pages of a protocol. */
  readonly effectsOver?: Readonly<Partial<Record<LoadProtocol, Readonly<Record<string, number>>>>>;
  /** Standard deviation of ln efficiency within page and block; 0.25 unless said. */
  readonly spread?: number;
  readonly driftPerHour?: number;
  /** What each page has of `effects`; 1 unless said. */
  readonly shares?: readonly number[];
  /** The first so many pages, in the same order again and again; unless said, all at random. */
  readonly inTurn?: number;
  /** Change of ln efficiency of a load at a position in a slot after a slot of another profile; 0 unless said. */
  readonly carryOver?: (mark: TrialMark, after: string | undefined) => number;
  /** Chance that a load is lost, by profile; 0 unless said. */
  readonly lost?: Readonly<Record<string, number>>;
}

export interface TrialEnd {
  readonly progress: TrialProgress;
  readonly state: TrialState;
  readonly loads: readonly TrialLoad[];
  /** All that were made, the washout and lost ones among them. */
  readonly made: number;
  /** Kinds of states that were shown, in order of first appearance. */
  readonly shown: readonly TrialState['kind'][];
}

const MINUTE = 60_000;
/** Eight pages, log levels half a unit apart at most, as in the calibration of everyday loads. */
const PAGES = Array.from({ length: 8 }, (_, at) => ({ name: `page-${at}`, level: 0.4 * Math.sin(at * 2.4) }));

/** Runs until the trial ends by itself or `mostLoads` were made. A load every two minutes. */
export function simulateTrial(plan: TrialPlan, truth: Truth, { seed, mostLoads = 4000 }: { seed: number; mostLoads?: number }): TrialEnd {
  const random = seededRandom(seed);
  const loads: TrialLoad[] = [];
  const shown: TrialState['kind'][] = [];
  let state: TrialState | undefined;
  let progress = beginTrial(plan);
  let at = plan.createdAt;
  const look = () => {
    const seen = lookAtTrial(plan, progress, loads);
    state = seen.state;
    if (!shown.includes(state.kind)) shown.push(state.kind);
    return seen.decision;
  };
  const answer = (command: TrialCommand | undefined): TrialEvent | undefined => {
    if (command?.kind === 'switch-to') return { kind: 'switched', at, slot: command.slot };
    if (command?.kind === 'look') return { kind: 'looked', at, decision: look() };
    return command?.kind === 'revert' ? { kind: 'reverted', at } : undefined;
  };
  const tell = (event: TrialEvent): void => {
    let next: TrialEvent | undefined = event;
    while (next !== undefined) {
      const advanced = advance(progress, next, plan);
      progress = advanced.progress;
      next = answer(advanced.command);
    }
  };
  tell({ kind: 'started', at });
  let made = 0;
  const profiles: string[] = [];
  for (; made < mostLoads && progress.status === 'running'; made++) {
    at += 2 * MINUTE;
    const loadId = String(made);
    const { profileId, slot } = progress.current;
    if (profiles[slot] === undefined) profiles[slot] = profileId;
    tell({ kind: 'load-began', at, loadId });
    const isLost = random.next() < (truth.lost?.[profileId] ?? 0);
    const mark = markOf(progress, loadId);
    if (mark !== undefined && !isLost) loads.push(loadOf(mark, { truth, at, random, made, after: profiles.findLast((_, s) => s < slot) }));
    tell({ kind: isLost ? 'load-lost' : 'load-recorded', at: at + 1000, loadId });
  }
  look();
  if (state === undefined) throw new Error('never looked at');
  return { progress, state, loads, made, shown };
}

interface Drawn {
  readonly truth: Truth;
  readonly at: number;
  readonly random: Random;
  readonly made: number;
  readonly after: string | undefined;
}

function loadOf(mark: TrialMark, { truth, at, random, made, after }: Drawn): TrialLoad {
  const number = truth.inTurn === undefined ? random.integer(PAGES.length) : made % truth.inTurn;
  const page = PAGES[number] ?? { name: '', level: 0 };
  const protocol = truth.protocols?.[number % truth.protocols.length];
  const onPage = (protocol && truth.effectsOver?.[protocol]?.[mark.profileId]) ?? 0;
  const { effects = {}, shares, spread = 0.25, driftPerHour = 0, carryOver = () => 0 } = truth;
  const effect = (effects[mark.profileId] ?? 0) * (shares?.[number] ?? 1);
  const noise = spread * gaussian(random);
  const log = -1 + page.level + effect + onPage + (driftPerHour * at) / (60 * MINUTE) + carryOver(mark, after) + noise;
  const efficiency = Math.exp(log);
  const { profileId, block, slot } = mark;
  return {
    profileId,
    page: page.name,
    link: 'field',
    ...(protocol && { protocol }),
    block,
    slot,
    mark,
    startedAt: at,
    inEffect: true,
    valid: true,
    efficiency,
    loadTimeMs: 1000 / efficiency,
  };
}
