/** When a trial is to be looked at again although nothing happens: its alarm. */
import { openNavigations } from '../adapters/trial-store.ts';
import { commandFor } from '../core/trial/command-for.ts';
import { LOAD_LOST_AFTER_MS } from '../core/trial/trial-defaults.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';

const MS_PER_MINUTE = 60_000;
/** A command that could not be carried out is tried again then, or when the next load has ended. Our own choice. */
const TRY_AGAIN_MS = 30_000;

/** Wall clock, ms since the epoch; `undefined`: only when something happens. */
export async function nextLookAt({ plan, progress }: TrialRecord, now: number): Promise<number | undefined> {
  const { current, status } = progress;
  const command = commandFor(progress, plan);
  // It is the person who has to do something, and Firefox starts anew then.
  if (command?.kind === 'verify') return undefined;
  if (command !== undefined) return (await freeAt(now)) ?? now + TRY_AGAIN_MS;
  if (status !== 'running') return undefined;
  if (current.phase === 'switching') return freeAt(now);
  if (plan.slots.kind !== 'minutes') return undefined;
  const over = current.since + plan.slots.perSlot * MS_PER_MINUTE - current.inEffectMs;
  return over > now ? over : freeAt(now);
}

/** When every navigation that is under way has ended or is given up; `undefined`: none is. */
async function freeAt(now: number): Promise<number | undefined> {
  const open = await openNavigations(now - LOAD_LOST_AFTER_MS);
  return open.length === 0 ? undefined : Math.max(...open) + LOAD_LOST_AFTER_MS + 1;
}
