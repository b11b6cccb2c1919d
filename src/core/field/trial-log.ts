/**
 * The log of a trial: which settings had which turns and when, which loads were excluded and why, and its checks, as data. It is made of the summaries
 * of its loads, so it can still be read when their requests are no longer kept.
 */
import * as v from 'valibot';
import { roleSchema } from '../profiles/profile.ts';
import { count, finite, type Shape } from '../schema.ts';
import { armOfSlot, blockOfSlot } from '../trial/assignment.ts';
import { isCounted, protocolsUntilSlot, settledLoads, type TrialLoad } from '../trial/judged-loads.ts';
import { trialChecks } from '../trial/trial-checks.ts';
import { armIdSchema, trialIdSchema } from '../trial/trial-mark.ts';
import type { TrialPlan } from '../trial/trial-plan.ts';
import type { TrialProgress } from '../trial/trial-progress.ts';
import type { TrialCheck } from '../trial/trial-state.ts';
import { exclusionOf, HISTORY_EXCLUSIONS } from './history.ts';
import type { LoadSummary } from './load-summary.ts';
import { comparableTrialLoads, placedFigures } from './trial-loads.ts';

/**
 * Why a load of a trial is in no verdict. `wearing-off`: it is of the first slot after other settings, whose after-effects may last; `no-efficiency`: its
 * network is unknown, or all of it came from the cache; `not-recorded`: it began and left no record.
 */
export const LOG_EXCLUSIONS = [...HISTORY_EXCLUSIONS, 'wearing-off', 'no-efficiency', 'not-recorded'] as const;
export type LogExclusion = (typeof LOG_EXCLUSIONS)[number];

const excludedSchema = v.array(v.object({ why: v.picklist(LOG_EXCLUSIONS), loads: count }));

const turnSchema = v.object({
  /** From 0. */
  block: count,
  profileId: armIdSchema,
  /** When its first and its last load began, ms since the epoch; absent: it has had none. */
  from: v.exactOptional(finite),
  to: v.exactOptional(finite),
  /** Loads that count. */
  loads: count,
  excluded: excludedSchema,
  /** It has its turn now. */
  isCurrent: v.boolean(),
});
/** Consecutive slots of one block with the same settings. */
export type TrialTurn = Shape<typeof turnSchema>;

const armSchema = v.object({
  profileId: armIdSchema,
  role: roleSchema,
  turns: count,
  /** Loads that began, but for the first after each switch; those of them without a record; and those that count. */
  attempted: count,
  lost: count,
  loads: count,
  /** The loads that were to be expected to be usable, by the share of attempts; absent: not checked. */
  usable: v.exactOptional(count),
  expected: v.exactOptional(finite),
  /** Loads that were recorded with other settings in effect. */
  notInEffect: count,
  dropped: v.exactOptional(
    /** `block`: the first without it. */
    v.object({ reason: v.picklist(['harmful', 'worse', 'same', 'cannot-win', 'behind', 'not-applicable', 'not-needed']), block: count }),
  ),
});

const outcome = v.picklist(['passed', 'too-early', 'warning', 'failed']);
const known = v.optional(v.number(), () => undefined);
const loadsOfArm = { profileId: armIdSchema, usable: count, attempted: count, evidence: v.number() };

/** What the checks find; `checkSentence` makes the words. */
const checkSchema = v.variant('kind', [
  v.object({
    kind: v.literal('sample-ratio'),
    outcome,
    arms: v.array(v.object({ ...loadsOfArm, expected: finite, adjustedP: finite })),
  }),
  v.object({ kind: v.literal('lost-loads'), outcome, arms: v.array(v.object({ ...loadsOfArm, lost: count })) }),
  v.object({
    kind: v.literal('not-in-effect'),
    outcome,
    arms: v.array(v.object({ profileId: armIdSchema, recorded: count, mismatched: count })),
  }),
  v.object({ kind: v.literal('carry-over'), outcome, after: v.optional(armIdSchema, () => undefined), ratio: known, evidence: known }),
]);
/** The finding of one check. */
export type LoggedCheck = Shape<typeof checkSchema>;

export const trialLogSchema = v.object({
  id: trialIdSchema,
  status: v.picklist(['planned', 'running', 'paused', 'ended']),
  startedAt: v.exactOptional(finite),
  /** Present exactly when it has ended. */
  endedAt: v.exactOptional(finite),
  baseline: armIdSchema,
  /** In the order of the plan. */
  arms: v.array(armSchema),
  /** In their order. */
  turns: v.array(turnSchema),
  pauses: v.array(v.object({ from: finite, to: v.exactOptional(finite) })),
  /** Loads that count, and those that do not, the most frequent cause first. */
  loads: count,
  excluded: excludedSchema,
  checks: v.array(checkSchema),
});
/** The log of one trial. */
export type TrialLog = Shape<typeof trialLogSchema>;

/** The clocks of webRequest and of the document are within this; see `loadsOfTrial`. */
const CLOCKS_APART_MS = 5_000;

/** @param figures - The summaries of all stored loads, in any order; the trial is the newest, so that every later mark is its own. */
export function trialLog(plan: TrialPlan, progress: TrialProgress, figures: readonly LoadSummary[]): TrialLog {
  const since = Math.min(plan.createdAt, progress.startedAt ?? plan.createdAt) - CLOCKS_APART_MS;
  const own = figures
    .filter(({ trial, startedAt }) => trial !== undefined && startedAt >= since)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const placed = placedFigures(plan, own);
  const { loads } = comparableTrialLoads(placed, plan.baseline, { protocolsUntilSlot: protocolsUntilSlot(plan), before: figures });
  const settled = new Set(settledLoads(plan, progress, loads));
  const reasons = new Map(placed.map(({ figures: load }, at) => [load, reasonOf(load, loads[at], settled)] as const));
  const logged = own.flatMap((load): readonly LoggedLoad[] => {
    const slot = load.trial?.slot;
    return slot === undefined
      ? []
      : [{ slot, at: load.startedAt, why: reasons.has(load) ? reasons.get(load) : (exclusionOf(load) ?? 'unfit') }];
  });
  const turns = turnsOf(plan, progress, logged);
  const checks = trialChecks(plan, progress, loads);
  const lost = lostLoads(progress);
  return {
    id: plan.id,
    status: progress.status,
    ...(progress.startedAt !== undefined && { startedAt: progress.startedAt }),
    ...(progress.status === 'ended' && { endedAt: progress.statusSince }),
    baseline: plan.baseline,
    arms: armsOf(plan, progress, { turns, checks }),
    turns,
    pauses: progress.pauses.map(({ from, to }) => ({ from, ...(to !== undefined && { to }) })),
    loads: turns.reduce((sum, turn) => sum + turn.loads, 0),
    excluded: excludedOf([...logged.map(({ why }) => why), ...Array.from({ length: lost }, () => 'not-recorded' as const)]),
    checks: checks.map(({ sentence: _, ...found }) => found),
  };
}

interface LoggedLoad {
  readonly slot: number;
  readonly at: number;
  /** `undefined`: it counts. */
  readonly why: LogExclusion | undefined;
}

/** @param load - As it is judged. */
function reasonOf(figures: LoadSummary, load: TrialLoad | undefined, settled: ReadonlySet<TrialLoad>): LogExclusion | undefined {
  const own = exclusionOf(figures);
  // A load that had not ended at the time limit enters at that time.
  if (own !== undefined && own !== 'time-limit') return own;
  if (load === undefined || load.mark.washout) return 'washout';
  if (!load.inEffect) return 'not-in-effect';
  if (!isCounted(load)) return 'no-efficiency';
  return settled.has(load) ? undefined : 'wearing-off';
}

const lostLoads = ({ stretches }: TrialProgress): number =>
  stretches.reduce((sum, { counts }) => sum + Object.values(counts).reduce((own, { lost }) => own + lost, 0), 0);

function excludedOf(reasons: readonly (LogExclusion | undefined)[]): TrialLog['excluded'] {
  const counts = new Map<LogExclusion, number>();
  for (const why of reasons) if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, loads]) => ({ why, loads })).sort((a, b) => b.loads - a.loads);
}

/** The turns that have had a load, and the current one. */
function turnsOf(plan: TrialPlan, progress: TrialProgress, logged: readonly LoggedLoad[]): readonly TrialTurn[] {
  const { current, status } = progress;
  const isOn = status !== 'ended';
  const bySlot = new Map<number, LoggedLoad[]>();
  if (isOn) bySlot.set(current.slot, []);
  for (const load of logged) bySlot.set(load.slot, [...(bySlot.get(load.slot) ?? []), load]);
  const turns = new Map<number, { readonly slot: number; readonly loads: LoggedLoad[]; isCurrent: boolean }>();
  for (const [slot, loads] of [...bySlot].sort(([a], [b]) => a - b)) {
    const turn = Math.floor(slot / plan.slotsPerTurn);
    const known = turns.get(turn) ?? { slot, loads: [], isCurrent: false };
    turns.set(turn, known);
    known.loads.push(...loads);
    known.isCurrent ||= isOn && slot === current.slot;
  }
  return [...turns.values()].map(({ slot, loads, isCurrent }) => {
    const times = loads.map(({ at }) => at);
    return {
      block: blockOfSlot(plan, slot),
      profileId: armOfSlot(plan, slot),
      ...(times.length > 0 && { from: Math.min(...times), to: Math.max(...times) }),
      loads: loads.filter(({ why }) => why === undefined).length,
      excluded: excludedOf(loads.map(({ why }) => why)),
      isCurrent,
    };
  });
}

function armsOf(
  plan: TrialPlan,
  { stretches, dropped }: TrialProgress,
  { turns, checks }: { readonly turns: readonly TrialTurn[]; readonly checks: readonly TrialCheck[] },
): TrialLog['arms'] {
  return plan.profiles.map(({ id, role }) => {
    const counts = stretches.flatMap((stretch) => stretch.counts[id] ?? []);
    const own = turns.filter(({ profileId, from }) => profileId === id && from !== undefined);
    const share = checks.flatMap((check) => (check.kind === 'sample-ratio' ? check.arms : [])).find(({ profileId }) => profileId === id);
    const gone = dropped.find(({ profileId }) => profileId === id);
    return {
      profileId: id,
      role,
      turns: own.length,
      attempted: counts.reduce((sum, { attempted }) => sum + attempted, 0),
      lost: counts.reduce((sum, { lost }) => sum + lost, 0),
      loads: own.reduce((sum, { loads }) => sum + loads, 0),
      ...(share && { usable: share.usable, expected: share.expected }),
      notInEffect: own
        .flatMap(({ excluded }) => excluded)
        .reduce((sum, { why, loads }) => (why === 'not-in-effect' ? sum + loads : sum), 0),
      ...(gone && { dropped: { reason: gone.reason, block: gone.block } }),
    };
  });
}
