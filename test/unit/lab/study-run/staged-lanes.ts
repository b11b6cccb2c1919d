/** Lanes without a browser, on a clock of their own: what they do takes the time that a test says, and none of the test's. */
import { milliseconds } from '../../../../src/core/units.ts';
import type { ControlFailed } from '../../../../src/lab/run/limit-control.ts';
import { intended, type StudyLane, type StudyOrder } from '../../../../src/lab/study-run/study-lane.ts';
import type { StudyPlan } from '../../../../src/lab/study-run/study-plan.ts';

export interface Stage {
  readonly now: () => number;
  readonly lane: (number: number, script?: Script) => StudyLane;
  /** Numbers of the lanes that were closed. */
  readonly closed: readonly number[];
  /** `at` is when it began. */
  readonly begun: readonly (StudyOrder & { readonly lane: number; readonly at: number })[];
  /** Lets time pass until this settles. */
  play<T>(work: Promise<T>): Promise<T>;
}

export interface Script {
  /** How long a load takes, or an error that it ends with. */
  readonly load?: (order: StudyOrder) => number | Error;
  readonly checkMs?: number;
  /** What is wrong with a profile that shows its limit. */
  readonly control?: (profileId: string) => ControlFailed | undefined;
}

const LOAD_MS = 1000;
const NO_MEASURES = {
  peakOutstanding: 1,
  peakOutstandingByOrigin: {},
  requests: 1,
  failedRequests: 0,
  duplicateFetches: 0,
  httpVersions: {},
};

export function stage(plan: StudyPlan): Stage {
  let now = 0;
  const waiting: { readonly at: number; readonly go: () => void }[] = [];
  const passes = (ms: number) => new Promise<void>((go) => waiting.push({ at: now + ms, go }));
  const closed: number[] = [];
  const begun: (StudyOrder & { lane: number; at: number })[] = [];
  const lane = (number: number, { load = () => LOAD_MS, checkMs = 5000, control = () => undefined }: Script = {}): StudyLane => ({
    number,
    facts: { browser: { name: 'Firefox', version: '1', buildId: '1' }, applier: 'experiment-api' } as StudyLane['facts'],
    congestionControl: 'cubic',
    versions: {},
    check: async () => {
      await passes(checkMs);
      return { measured: { rttMs: 1, downKbps: 1 }, verdict: { ok: true }, attempts: 1 } as Awaited<ReturnType<StudyLane['check']>>;
    },
    use: async () => {},
    control: async ({ profile }) => control(profile.id),
    load: async (order) => {
      begun.push({ ...order, lane: number, at: now });
      const ms = load(order);
      await passes(ms instanceof Error ? 1 : ms);
      if (ms instanceof Error) throw ms;
      const profile = plan.profiles.find(({ id }) => id === order.planned.profileId) as StudyPlan['profiles'][number];
      const validity = { state: 'valid' } as const;
      const measures = { ...NO_MEASURES, loadTimeMs: milliseconds(ms) };
      const facts = { startedAt: now, validity, readBack: [], measures };
      return { load: { ...order.planned, ...facts, lane: number, lanes: order.lanes, intended: intended(profile) }, overheadMs: 0 };
    },
    close: async () => void closed.push(number),
  });
  const play = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver) {
      // Whatever follows from the last moment comes before the next.
      await new Promise((go) => setImmediate(go));
      const next = waiting.sort((a, b) => a.at - b.at).shift();
      if (!next) continue;
      now = next.at;
      next.go();
    }
    return over;
  };
  return { now: () => now, lane, closed, begun, play };
}
