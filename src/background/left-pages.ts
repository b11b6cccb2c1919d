/** Loads of pages that were left before the event page had started. */

import { failureHandler } from '../adapters/failure-notes.ts';
import { eachLeftPage } from '../adapters/left-pages.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import { createMutex } from '../core/mutex.ts';
import type { PageTiming } from '../protocol/page-timing.ts';
import type { RecordStores } from './record-stores.ts';
import type { Recorder } from './recorder.ts';
import type { TrialRunner } from './trial-runner.ts';

/** A page that is left needs a moment to lay down its timing, and Firefox holds its requests back for 250 ms, or longer on a busy machine. Our own choice. */
const LOOK_AFTER_MS = 1_000;

/** So many looks for requests that have not come; what is still there then waits until somebody looks again. Our own choice. */
const LOOKS = 4;

/** Its requests have gone by then (`ORPHAN_AFTER_MS`): it is recorded without them. */
const GIVE_UP_AFTER_MS = 180_000;

/** Of a load whose tab nobody knows; Firefox's own begin with 1. */
const NO_TAB = -1;

interface LeftPagesDeps {
  readonly stores: Pick<RecordStores, 'tabOf'>;
  readonly recorder: Pick<Recorder, 'recordTiming' | 'settleEvents'>;
  readonly trialRunner: Pick<TrialRunner, 'advanceTrial'>;
}

export type LeftPages = ReturnType<typeof createLeftPages>;

export function createLeftPages({
  stores: { tabOf },
  recorder: { recordTiming, settleEvents },
  trialRunner: { advanceTrial },
}: LeftPagesDeps) {
  const runExclusive = createMutex();

  let timer: ReturnType<typeof setTimeout> | undefined;

  let looks = 0;

  /** A page may just be being left: looks for it in a moment. */
  function lookForLeftPages(): void {
    looks = LOOKS;
    lookLater();
  }

  function lookLater(): void {
    if (timer === undefined) timer = setTimeout(look, LOOK_AFTER_MS);
  }

  async function look(): Promise<void> {
    timer = undefined;
    looks -= 1;
    const { areLeft } = await recordLeftPages().catch(async (error: unknown) => {
      await failureHandler('storeFailure')(error);
      return { areLeft: false };
    });
    if (areLeft && looks > 0) lookLater();
  }

  /** Records those whose tab is known by now. @throws whatever IndexedDB throws. */
  const recordLeftPages = (): Promise<{ readonly areLeft: boolean }> => runExclusive(recordAll);

  async function recordAll(): Promise<{ areLeft: boolean }> {
    let areLeft = false;
    let areRecorded = false;
    await eachLeftPage(async (timing) => {
      const isDone = await record(timing);
      areLeft ||= !isDone;
      areRecorded ||= isDone;
      return isDone;
    });
    if (areRecorded) await advanceTrial();
    return { areLeft };
  }

  /** @returns whether it is done with. */
  async function record(timing: PageTiming): Promise<boolean> {
    await settleEvents();
    const isOld = Date.now() - timing.timeOrigin - timing.endedAt > GIVE_UP_AFTER_MS;
    const known = { ...timing, url: storedUrl(timing.url) };
    const tabId = await tabOf(known, isOld ? { among: Number.POSITIVE_INFINITY } : {});
    if (tabId === undefined && !isOld) return false;
    await recordTiming(timing, tabId ?? NO_TAB);
    return true;
  }

  return { lookForLeftPages, recordLeftPages };
}
