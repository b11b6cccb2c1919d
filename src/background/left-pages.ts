/** Loads of pages that were left before the event page had started: their content scripts have stored the timing in `storage.local`. */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { failureHandler } from '../adapters/failure-notes.ts';
import { type PageTiming, pageTimingSchema } from '../core/measure/page-timing.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import { createMutex } from '../core/mutex.ts';
import { LEFT_PAGE_KEYS } from '../protocol/page-notes.ts';
import type { RecordStores } from './record-stores.ts';
import type { Recorder } from './recorder.ts';
import type { TrialRunner } from './trial-runner.ts';

/** A page needs a moment to store its timing, and Firefox holds its requests back for 250 ms, or longer on a busy machine. */
const LOOK_AFTER_MS = 1_000;

/** Looks for requests that have not come yet; what is left then waits for the next look. Chosen, not measured. */
const LOOKS = 4;

/** After this time the page is recorded without its requests, which have been dropped (`ORPHAN_AFTER_MS`). */
const GIVE_UP_AFTER_MS = 180_000;

/** Stands for an unknown tab; Firefox's own numbers begin with 1. */
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

  /** Looks in a moment for a page that may just be being left. */
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

  /** Records the pages whose tab is known by now. @throws whatever IndexedDB throws. */
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

  /** @returns whether nothing is left to do for it. */
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

/** Passes on each stored timing, and removes those that `record` is done with. */
async function eachLeftPage(record: (timing: PageTiming) => Promise<boolean>): Promise<void> {
  for (const [key, stored] of Object.entries(await browser.storage.local.get([...LEFT_PAGE_KEYS]))) {
    const timing = timingOf(stored);
    if (timing !== undefined && !(await record(timing))) continue;
    const { [key]: now } = await browser.storage.local.get(key);
    // Another page may have taken the place since.
    if (now === stored) await browser.storage.local.remove(key);
  }
}

/** Removes all stored timings. */
export const forgetLeftPages = (): Promise<void> => browser.storage.local.remove([...LEFT_PAGE_KEYS]);

/** `undefined`: it cannot be read, and never will be. */
function timingOf(stored: unknown): PageTiming | undefined {
  if (typeof stored !== 'string') return undefined;
  try {
    const result = v.safeParse(pageTimingSchema, JSON.parse(stored));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
