/**
 * What the helper has to do with this run of Firefox. It learns of each start once, by which it counts those that nobody has called healthy,
 * and what was in effect since then is noted for the loads.
 */

import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { appliedByHelper } from '../adapters/applier-helper.ts';
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { type HelperConnection, HelperFailure, withHelper } from '../adapters/native-helper.ts';
import { hasHelperPermission } from '../adapters/permissions.ts';
import { browserSession, readRunState, writeRunState } from '../adapters/run-state.ts';
import { createMutex } from '../core/mutex.ts';
import type { AppliedProfile } from '../core/profiles/profile.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperRun } from '../protocol/helper-state.ts';
import type { RecordStores } from './record-stores.ts';

/** Asked in vain so often, it is asked no more but by the person: each time is a process that may hang. Our own choice. */
const MAX_FAILURES = 5;

interface HelperSessionDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory' | 'noteInEffect'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
}

export type HelperSession = ReturnType<typeof createHelperSession>;

export function createHelperSession({ stores: { inEffectHistory, noteInEffect }, networkPreferences }: HelperSessionDeps) {
  let asking: Promise<HelperRun> | undefined;

  /**
   * `isWanted`: a person asks, so that it is tried whatever came of it before. Otherwise the helper is asked once, and again when it was busy or
   * too slow, as it may be while Firefox starts. @throws what a store throws; never for the helper's sake.
   */
  async function helperRun({ isWanted }: { readonly isWanted: boolean } = { isWanted: false }): Promise<HelperRun> {
    const { helperRun: known } = await readRunState();
    if (known && (known.problem === undefined || !(isWanted || maySucceed(known)))) return known;
    asking ??= askOnce(known).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function askOnce(known: HelperRun | undefined): Promise<HelperRun> {
    const answered = await asked();
    const run = answered.problem === undefined ? answered : { ...answered, failures: (known?.failures ?? 0) + 1 };
    // Most people have no helper: nothing is written for them whenever the event page wakes.
    if (run.problem?.why !== 'no-permission') await writeRunState('helperRun', run);
    return run;
  }

  async function asked(): Promise<HelperRun> {
    if (!(await hasHelperPermission())) return withProblem({ why: 'no-permission' });
    try {
      const status = await askHelper((helper) => helper.ask({ op: 'started' }));
      await note(status);
      const inEffect = (await inEffectByHelper())?.profileId;
      const awaitsConfirmation = status.phase === 'pending' && !status.restartNeeded;
      return { awaitsConfirmation, ...(inEffect !== undefined && { inEffect }) };
    } catch (error) {
      if (error instanceof HelperFailure) return withProblem(error.problem);
      throw error;
    }
  }

  /**
   * What it wrote before is still there, as far as is known; not where the helper is gone: `plumbfox helper uninstall` has taken it back, with
   * Firefox closed.
   */
  async function withProblem(problem: NonNullable<HelperRun['problem']>): Promise<HelperRun> {
    if (problem.why === 'not-installed' && (await inEffectByHelper()) !== undefined) await noteOthers();
    const inEffect = (await inEffectByHelper())?.profileId;
    return { awaitsConfirmation: false, problem, ...(inEffect !== undefined && { inEffect }) };
  }

  async function inEffectByHelper(): Promise<AppliedProfile | undefined> {
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    return current?.applier === 'helper' ? current : undefined;
  }

  /** It acts at the start of Firefox, before any event page: what was read then holds since this run began, and until it ends. */
  async function note(status: HelperStatus): Promise<void> {
    // What was written since is not what this run has read: that is what was noted at its start, if it was.
    if (status.restartNeeded) return;
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    if (current?.applier === 'experiment-api') return;
    const applied = await appliedByHelper(status, networkPreferences());
    if (applied === undefined && current?.applier !== 'helper') return;
    if (applied !== undefined && JSON.stringify(applied) === JSON.stringify(current)) return;
    if (applied === undefined) return noteOthers();
    await noteInEffect(applied, (await browserSession()).since);
  }

  /** Nothing of the helper's: what a policy says, or what Firefox ships. */
  async function noteOthers(): Promise<void> {
    await noteInEffect((await appliedByPolicy(networkPreferences())) ?? null, (await browserSession()).since);
  }

  /** Two processes of the helper at once would be in each other's way. */
  const runExclusive = createMutex();

  /** @throws HelperFailure, and whatever the work throws. */
  function askHelper<T>(work: (helper: HelperConnection) => Promise<T>): Promise<T> {
    return runExclusive(() => withHelper(work));
  }

  return { helperRun, askHelper };
}

/** Whether another time may end otherwise. */
function maySucceed({ problem, failures = 0 }: HelperRun): boolean {
  return failures < MAX_FAILURES && (problem?.why === 'silent' || problem?.why === 'stopped' || problem?.why === 'refused');
}

/** Of what was written in this run nothing is in effect before the next, so that no word of this one can be about it. */
export async function noteWritten(profileId: string, { phase, restartNeeded }: HelperStatus): Promise<void> {
  await writeRunState('laidReady', profileId);
  if (restartNeeded || phase !== 'pending') await noteKept();
}

/** Nobody waits for word of this run any more. */
export async function noteKept(): Promise<void> {
  const { helperRun: run } = await readRunState();
  if (run) await writeRunState('helperRun', { ...run, awaitsConfirmation: false });
}
