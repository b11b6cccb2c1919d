/**
 * The helper in this run of Firefox. It is informed of each start once, so that it can count unconfirmed ones, and what has been in effect since
 * then is noted for the loads.
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

/** After so many failures only the person has the helper asked again: each time is a process that may hang. */
const MAX_FAILURES = 5;

interface HelperSessionDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory' | 'noteInEffect'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
}

export type HelperSession = ReturnType<typeof createHelperSession>;

export function createHelperSession({ stores: { inEffectHistory, noteInEffect }, networkPreferences }: HelperSessionDeps) {
  let asking: Promise<HelperRun> | undefined;

  /**
   * `isWanted`: the person asks, so that it is tried whatever failed before. Otherwise the helper is asked once, and again when it was busy or too
   * slow, as it may be while Firefox starts. @throws what a store throws, and never because of the helper.
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
    // Most people have no helper: nothing is written for them each time the event page wakes.
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
   * What the helper wrote before is assumed to be in effect still, unless the helper is gone: `plumbfox helper uninstall` has undone it, with Firefox
   * closed.
   */
  async function withProblem(problem: NonNullable<HelperRun['problem']>): Promise<HelperRun> {
    if (problem.why === 'not-installed' && (await inEffectByHelper()) !== undefined) await noteWithoutHelper();
    const inEffect = (await inEffectByHelper())?.profileId;
    return { awaitsConfirmation: false, problem, ...(inEffect !== undefined && { inEffect }) };
  }

  async function inEffectByHelper(): Promise<AppliedProfile | undefined> {
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    return current?.applier === 'helper' ? current : undefined;
  }

  /** Firefox reads the helper's files at its start, before any event page: what it read is in effect from the beginning of this run to its end. */
  async function note(status: HelperStatus): Promise<void> {
    // What was written since is not what this run has read.
    if (status.restartNeeded) return;
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    if (current?.applier === 'experiment-api') return;
    const applied = await appliedByHelper(status, networkPreferences());
    if (applied === undefined && current?.applier !== 'helper') return;
    if (applied !== undefined && JSON.stringify(applied) === JSON.stringify(current)) return;
    if (applied === undefined) return noteWithoutHelper();
    await noteInEffect(applied, (await browserSession()).since);
  }

  /** Notes what is in effect without the helper: a policy's profile, or Firefox's own settings. */
  async function noteWithoutHelper(): Promise<void> {
    await noteInEffect((await appliedByPolicy(networkPreferences())) ?? null, (await browserSession()).since);
  }

  /** Two helper processes at once would get in each other's way. */
  const runExclusive = createMutex();

  /** @throws HelperFailure, and whatever the work throws. */
  function askHelper<T>(work: (helper: HelperConnection) => Promise<T>): Promise<T> {
    return runExclusive(() => withHelper(work));
  }

  return { helperRun, askHelper };
}

/** Whether another try may succeed. */
function maySucceed({ problem, failures = 0 }: HelperRun): boolean {
  return failures < MAX_FAILURES && (problem?.why === 'silent' || problem?.why === 'stopped' || problem?.why === 'refused');
}

/** Notes a profile that was written: it is not in effect before the next start, so this run cannot confirm it. */
export async function noteWritten(profileId: string, { phase, restartNeeded }: HelperStatus): Promise<void> {
  await writeRunState('laidReady', profileId);
  if (restartNeeded || phase !== 'pending') await noteKept();
}

/** Notes that the helper no longer waits for confirmation. */
export async function noteKept(): Promise<void> {
  const { helperRun: run } = await readRunState();
  if (run) await writeRunState('helperRun', { ...run, awaitsConfirmation: false });
}
