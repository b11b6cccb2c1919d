/**
 * What a page began before its scripts were read, by `src/views/early-start.ts`: its worker, and its first question to the background. Firefox reads
 * 230 to 430 kB of scripts for a page, and starts a worker through the same thread: one after the other they took 150 ms more.
 */
export interface EarlyStart {
  readonly path: string;
  worker: Worker;
  readonly kind: string;
  reply: Promise<unknown>;
  /** The worker has failed: whoever starts another learns why. */
  hasFailed: boolean;
  /** Something was stored since the question was asked. */
  isOutdated: boolean;
}

declare global {
  var earlyStart: Partial<EarlyStart> | undefined;
}

/** The worker that was started early, for the first who asks; `undefined`: none, or it has failed. @param path - From the page. */
export function takeEarlyWorker(path: string): Worker | undefined {
  const early = globalThis.earlyStart;
  if (early?.path !== path || early.hasFailed) return undefined;
  const { worker } = early;
  delete early.worker;
  return worker;
}

/** The background's reply to the question that was asked early, for the first who asks; `undefined`: none that holds. */
export function takeEarlyReply(kind: string): Promise<unknown> | undefined {
  const early = globalThis.earlyStart;
  if (early?.kind !== kind || early.isOutdated) return undefined;
  const { reply } = early;
  delete early.reply;
  return reply;
}
