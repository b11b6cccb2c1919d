/**
 * Copies a top-level document's own timing, raw, and sends it: when the network has been quiet for a while after the load event, at the time
 * limit, or when the page is left. A request that had begun before that end and is answered after it is sent later, with everything again.
 * No analysis here, and no polyfill: this runs in every page.
 */

import type { PageTiming, RawEntry } from '../core/measure/page-timing.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import { leftPageKey, MAX_LEFT_PAGE_CHARS, unrecordedKey } from '../protocol/page-notes.ts';
import { wallTimeOrigin } from './wall-time-origin.ts';

declare const browser: {
  readonly storage: {
    readonly local: {
      set(items: Readonly<Record<string, string | number>>): Promise<void>;
    };
  };
  readonly extension: { readonly inIncognitoContext: boolean };
  readonly runtime: {
    sendMessage(message: unknown): Promise<unknown>;
    /** Firefox 153 and later. */
    getDocumentId?(target: Window): string;
  };
};

/** Kept apart: the linter takes a feature that is looked for in `browser.runtime` itself for one that is needed. */
const runtime = browser.runtime;

/** Until the background has answered; the design's window. */
const DEFAULT_QUIET_MS = 2_000;
/** No observation is longer, counted from the navigation's fetchStart, as load times are. */
const TIME_LIMIT_MS = 60_000;
/** Entries sent at most: one more than a load may have requests (`MAX_REQUESTS`), which says that there were more. */
const ENTRIES_AT_MOST = 2_001;

const copied = [
  'name',
  'initiatorType',
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'connectEnd',
  'secureConnectionStart',
  'requestStart',
  'responseStart',
  'responseEnd',
  'transferSize',
] as const;

function copyEntry(entry: PerformanceResourceTiming): RawEntry {
  const copy: Record<string, unknown> = {};
  for (const key of copied) copy[key] = entry[key];
  // As it is stored: a page can make 90 MB of addresses, too much for one message on the way out of the page.
  copy.name = storedUrl(entry.name);
  const blocking = (entry as { renderBlockingStatus?: string }).renderBlockingStatus;
  if (blocking) copy.renderBlocking = blocking === 'blocking';
  return copy as RawEntry;
}

function observe(): void {
  const resources: RawEntry[] = [];
  /** What the observer has brought and nobody has read: reading costs the page time, and during its load is the wrong moment. */
  const unread: PerformanceObserverEntryList[] = [];
  const documentId = runtime.getDocumentId?.(window);
  /** Once: with the address it says which document this is. */
  const timeOrigin = wallTimeOrigin({ timeOrigin: performance.timeOrigin, nowMs: performance.now(), wallMs: Date.now() });
  let quietMs = DEFAULT_QUIET_MS;
  let lastActivity = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (Pick<PageTiming, 'ended' | 'endedAt'> & Paints) | undefined;
  /** Entries that came after the end, of requests that had begun before it. */
  let late = false;

  const read = () => {
    const lists = unread.splice(0).map((list) => list.getEntries());
    for (const entry of [...lists, observer.takeRecords()].flat() as PerformanceResourceTiming[]) {
      if (resources.length === ENTRIES_AT_MOST || (end && entry.fetchStart > end.endedAt)) continue;
      resources.push(copyEntry(entry));
      lastActivity = Math.max(lastActivity, entry.responseEnd);
      late = end !== undefined;
    }
  };
  const navigation = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;

  const post = (isGone: boolean) => {
    const document = navigation();
    late = false;
    if (!document || !end) return;
    const timing: PageTiming = {
      url: storedUrl(location.href),
      timeOrigin,
      navigationType: document.type,
      navigation: copyEntry(document),
      domContentLoadedEventEnd: document.domContentLoadedEventEnd,
      loadEventEnd: document.loadEventEnd,
      resources,
      ...end,
      quietMs,
      ...(documentId && { documentId }),
    };
    // A load that does not arrive is missing among the navigations, which the background counts by itself.
    send({ kind: 'page-timing', timing }).catch(() => undefined);
    if (isGone) layDown(timing);
  };

  /** `isGone`: nothing can ask this page any more. */
  const finish = (ended: PageTiming['ended'], isGone = false) => {
    clearTimeout(timer);
    read();
    if (!end || late) {
      end ??= { ended, endedAt: performance.now(), ...paints() };
      post(isGone);
    }
    if (ended === 'quiet') return;
    clearTimeout(limit);
    observer.disconnect();
  };

  /** Sets the timer for the end, or, after it, for an amendment: what was still under way at the end belongs to the load. */
  const wait = () => {
    clearTimeout(timer);
    const loaded = navigation()?.loadEventEnd ?? 0;
    if (loaded === 0) return;
    timer = setTimeout(
      () => {
        const before = lastActivity;
        read();
        if (lastActivity > before) wait();
        else finish('quiet');
      },
      Math.max(0, Math.max(lastActivity, loaded) + quietMs - performance.now()),
    );
  };

  const observer = new PerformanceObserver((list) => {
    unread.push(list);
    if (!end) return;
    read();
    if (late) wait();
  });
  observer.observe({ type: 'resource', buffered: true });
  const limit = setTimeout(() => finish('time-limit'), (navigation()?.fetchStart ?? 0) + TIME_LIMIT_MS - performance.now());
  addEventListener('pagehide', ({ persisted }) => finish('page-left', !persisted));
  const loaded = async () => {
    wait();
    const answer = await settings();
    quietMs = answer.quietMs;
    if (answer.record) return end ?? wait();
    end = { ended: 'page-left', endedAt: 0 };
    finish('page-left');
  };
  // After the load event's own listeners, when its end is known. A page that was open when the extension was installed has had its load event.
  if (document.readyState === 'complete') setTimeout(loaded);
  else addEventListener('load', () => setTimeout(loaded));
}

type Paints = Pick<PageTiming, 'firstContentfulPaint' | 'largestContentfulPaint'>;

/** Asked for at the end, out of what Firefox keeps (`buffered`), so that nothing is sent during the load. */
function paints(): Paints {
  const observer = new PerformanceObserver(() => undefined);
  for (const type of ['paint', 'largest-contentful-paint']) observer.observe({ type, buffered: true });
  const entries = observer.takeRecords();
  observer.disconnect();
  const first = entries.find((entry) => entry.name === 'first-contentful-paint');
  const largest = entries.findLast((entry) => entry.entryType === 'largest-contentful-paint');
  return {
    ...(first && { firstContentfulPaint: first.startTime }),
    ...(largest && { largestContentfulPaint: (largest as PerformanceEntry & { renderTime?: number }).renderTime || largest.startTime }),
  };
}

/** The background's answer; the defaults if it does not come. */
async function settings(): Promise<{ record: boolean; quietMs: number }> {
  const reply = (await send({ kind: 'observation-settings' })) as { ok: true; value: { record: boolean; quietMs: number } } | undefined;
  return reply?.ok ? reply.value : { record: true, quietMs: DEFAULT_QUIET_MS };
}

/** Sends, and once more if the event page was just being closed: the background takes the same timing twice for once. */
async function send(message: unknown): Promise<unknown> {
  try {
    return await runtime.sendMessage(message);
  } catch {
    return runtime.sendMessage(message).catch(noteStandstill);
  }
}

/** The event page may not have started when this page is gone. Firefox takes a text at once, an object only while its page is there. */
function layDown(timing: PageTiming): void {
  const text = JSON.stringify(timing);
  if (text.length <= MAX_LEFT_PAGE_CHARS) browser.storage.local.set({ [leftPageKey(Date.now())]: text }).catch(() => undefined);
}

/**
 * A process of the extension that ends six times in 30 s is not started again (`ExtensionProcessCrashObserver` in Extension.sys.mjs): then
 * nobody else is left to note that this page is not recorded. Never rejects: where the extension was taken away nobody will ask.
 */
async function noteStandstill(reason: unknown): Promise<undefined> {
  if (!String(reason).includes('Receiving end')) return;
  const now = Date.now();
  await browser.storage.local.set({ [unrecordedKey(now)]: now }).catch(() => undefined);
}

if (!browser.extension.inIncognitoContext) observe();
