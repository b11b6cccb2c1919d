/** What becomes of a trial when the wall clock was set back: every event would be older than what is known already, and not be heard. */
import { voidLoads } from './marked-loads.ts';
import type { TrialProgress } from './trial-progress.ts';
import { interruptSlot } from './turn-slots.ts';

/** Clocks of webRequest, of documents and of the event page differ by less. Our own choice, as where loads are matched with navigations. */
const CLOCKS_APART_MS = 5_000;

/**
 * Times that have not come yet become `now`: the slot is put in effect anew, and what is loading is void, because nothing says which of it
 * was before the other. Unless there are such times, the progress itself.
 *
 * @param now wall clock, ms: a moment before whatever is told next.
 */
export function clockSetBack(progress: TrialProgress, now: number): TrialProgress {
  const { statusSince, current, session } = progress;
  if (Math.max(statusSince, current.since, session?.since ?? 0) <= now + CLOCKS_APART_MS) return progress;
  const cut = progress.status === 'running' ? interruptSlot(voidLoads(progress, { firefoxEnded: false }), now) : progress;
  const past = (at: number): number => Math.min(at, now);
  const { failedAt: _, ...slot } = cut.current;
  return {
    ...cut,
    statusSince: past(cut.statusSince),
    current: { ...slot, since: past(slot.since) },
    pauses: cut.pauses.map(({ from, to }) => ({ from: past(from), ...(to !== undefined && { to: past(to) }) })),
    loads: cut.loads.map((load) => ({ ...load, at: past(load.at) })),
    ...(cut.startedAt !== undefined && { startedAt: past(cut.startedAt) }),
    ...(cut.forgottenUntil !== undefined && { forgottenUntil: past(cut.forgottenUntil) }),
    ...(cut.session && { session: { ...cut.session, since: past(cut.session.since) } }),
  };
}
