/** The helper's state for the popup, and requests to it. */
import { applyByName } from '../adapters/applier-helper.ts';
import { type HelperConnection, HelperFailure } from '../adapters/native-helper.ts';
import { canHaveHelper } from '../adapters/permissions.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperFacts } from '../protocol/helper-state.ts';
import type { HelperHealth } from './helper-health.ts';
import { type HelperSession, noteKept, noteWritten } from './helper-session.ts';
import type { ProfileSwitch } from './profile-switch.ts';

/** A probe holds its responses for 5 s at most; a busy machine takes longer. */
const PROBE_TIMEOUT_MS = 15_000;

interface HelperDeps {
  readonly helperHealth: Pick<HelperHealth, 'awaitHealth'>;
  readonly helperSession: Pick<HelperSession, 'askHelper'>;
  readonly profileSwitch: Pick<ProfileSwitch, 'appliedLive'>;
}

export type Helper = ReturnType<typeof createHelper>;

export function createHelper({ helperHealth: { awaitHealth }, helperSession: { askHelper }, profileSwitch: { appliedLive } }: HelperDeps) {
  /** The helper's state; a failure is part of it. */
  async function helperFacts(): Promise<HelperFacts> {
    if (!(await canHaveHelper())) return { state: 'unsupported' };
    try {
      const { problem } = await awaitHealth({ isWanted: true });
      // It was asked just now: a helper that hangs is not waited for twice.
      if (problem) return { state: 'problem', problem };
      return await factsWith((helper) => helper.ask({ op: 'status' }));
    } catch (error) {
      if (error instanceof HelperFailure) return { state: 'problem', problem: error.problem };
      throw error;
    }
  }

  /** Applies a profile from the next start of Firefox on. @throws HelperFailure, and nothing is changed then. */
  const applyAtStart = (profileId: string): Promise<HelperFacts> =>
    factsWith(async (helper) => {
      const status = await applyByName(helper, profileId);
      await noteWritten(profileId, status);
      return status;
    });

  /** Undoes everything from the next start of Firefox on. @throws HelperFailure */
  const revertAtStart = (): Promise<HelperFacts> =>
    factsWith(async (helper) => {
      const { status } = await helper.ask({ op: 'revert' });
      await noteWritten(BASELINE_ID, status);
      return status;
    });

  /** The person confirms that Firefox works. @throws HelperFailure */
  const keepApplied = (): Promise<HelperFacts> =>
    factsWith(async (helper) => {
      const status = await helper.ask({ op: 'confirm' });
      await noteKept();
      return status;
    });

  /** Probes how many connections this run of Firefox uses. A failure is part of the state. */
  async function observeRun(): Promise<HelperFacts> {
    try {
      await askHelper(observe);
      await writeRunState('notObserved', undefined);
    } catch (error) {
      if (!(error instanceof HelperFailure)) throw error;
      await writeRunState('observed', undefined);
      await writeRunState('notObserved', error.problem);
    }
    return helperFacts();
  }

  async function observe(helper: HelperConnection): Promise<void> {
    const profileId = (await appliedLive())?.profileId ?? (await heldByHelper(helper));
    const probe = await helper.ask({ op: 'probe-open', profileId });
    await fetchPieces(probe);
    const counted = await helper.ask({ op: 'probe-result' });
    await helper.ask({ op: 'probe-close' });
    await writeRunState('observed', { profileId, pieces: probe.pieces, ...counted });
  }

  async function factsWith(work: (helper: HelperConnection) => Promise<HelperStatus>): Promise<HelperFacts> {
    const answered = await askHelper(async (helper) => ({ hello: helper.hello, status: await work(helper) }));
    const { observed, notObserved } = await readRunState();
    return {
      state: 'ready',
      helper: answered.hello.helper,
      profileFound: answered.hello.profileFound,
      status: answered.status,
      ...(observed && { observed }),
      ...(notObserved && { notObserved }),
    };
  }

  return { helperFacts, applyAtStart, revertAtStart, keepApplied, observeRun };
}

/** The profile whose preferences this run of Firefox has read from the helper's files. */
async function heldByHelper(helper: HelperConnection): Promise<string> {
  const { restartNeeded, profileId = BASELINE_ID } = await helper.ask({ op: 'status' });
  return restartNeeded ? BASELINE_ID : profileId;
}

/**
 * Fetches the pieces of a behaviour probe, as many at once as Firefox allows, which the probe counts. Settles when all have come or failed.
 * Loopback is exempt from `upgrade-insecure-requests`, HTTPS-only mode and local network access, and `no-cors` needs no access to the site (each
 * measured with Firefox 153).
 */
async function fetchPieces({ port, token, pieces }: { port: number; token: string; pieces: number }): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const fetchPiece = (_: unknown, at: number) =>
    fetch(`http://127.0.0.1:${port}/${token}/${at}`, { cache: 'no-store', mode: 'no-cors', credentials: 'omit', signal });
  await Promise.allSettled(Array.from({ length: pieces }, fetchPiece));
}
