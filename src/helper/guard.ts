/**
 * Watches over a profile that has been written and not confirmed, or taken back while Firefox runs: tells of every start of Firefox, those too
 * that end before the extension runs, and of every end, so that the former state is put back as soon as it may be. It is over when nothing is
 * left to do.
 */
import type { HelperPhase } from '../protocol/helper-messages.ts';
import { type FirefoxStart, isSameStart, type ProfileChanges } from './profile/changes.ts';

export interface Guarded {
  /** Whether what is watched over is still there. */
  readonly isThere: () => boolean;
  /** The Firefox that has the profile open. */
  readonly running: () => Promise<FirefoxStart | undefined>;
  /** The last Firefox, by what it left behind, if it did not end in good order and nothing has been recorded since it began. */
  readonly crashed: () => Promise<FirefoxStart | undefined>;
  /** @throws whatever keeps the files from being looked at or changed. */
  readonly changes: (askedBy: FirefoxStart | undefined) => Promise<ProfileChanges>;
  /** Settles when that Firefox may have ended, another may have started, the record may have changed, or what failed may be tried again. */
  readonly next: (look: { readonly running: FirefoxStart | undefined; readonly failed: boolean }) => Promise<void>;
}

export async function guard(guarded: Guarded): Promise<void> {
  const untold: FirefoxStart[] = [];
  let before: FirefoxStart | undefined;
  let crashedBefore: FirefoxStart | undefined;
  while (guarded.isThere()) {
    const running = await guarded.running();
    const crashed = await guarded.crashed();
    // It came and went between two looks, unless it was seen before it went.
    if (crashed && !isSameStart(crashed, crashedBefore) && crashed.processId !== before?.processId) untold.push(crashed);
    if (running && !isSameStart(running, before)) untold.push(running);
    const phase = await attempt(() => tell(guarded, { running, untold }));
    if (phase === 'none' || phase === 'confirmed') return;
    before = running;
    crashedBefore = crashed;
    await guarded.next({ running, failed: phase === undefined });
  }
}

interface Found {
  readonly running: FirefoxStart | undefined;
  /** Each is taken out once it has been told. */
  readonly untold: FirefoxStart[];
}

async function tell(guarded: Guarded, { running, untold }: Found): Promise<HelperPhase> {
  const changes = await guarded.changes(running);
  for (const start of [...untold]) {
    // Refused for one that has ended while another runs, for instance: it is told when that has ended too.
    if ((await attempt(() => changes.started(start))) !== undefined) untold.splice(untold.indexOf(start), 1);
  }
  const { phase } = await (running === undefined ? changes.ended() : changes.status());
  return phase;
}

/** `undefined`: it failed, as where another helper is at work or somebody has damaged a file. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
