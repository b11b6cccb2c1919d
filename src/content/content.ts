/**
 * Copies a top-level document's own timing, raw, and sends it once: when the network has been quiet for a while after the load event, at the
 * time limit, or when the page is left. No analysis here, and no polyfill: this runs in every page.
 */
import type { PageTiming, ResourceEntry } from '../protocol/page-timing.ts';

declare const browser: {
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
/** No observation is longer (design: measures), counted from the time origin. */
const TIME_LIMIT_MS = 60_000;
/** Entries sent at most; the schema's limit. */
const ENTRIES_AT_MOST = 20_000;

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

function copyEntry(entry: PerformanceResourceTiming): ResourceEntry {
  const copy: Record<string, unknown> = {};
  for (const key of copied) copy[key] = entry[key];
  const blocking = (entry as { renderBlockingStatus?: string }).renderBlockingStatus;
  if (blocking) copy.renderBlocking = blocking === 'blocking';
  return copy as ResourceEntry;
}

function observe(): void {
  const resources: ResourceEntry[] = [];
  let quietMs = DEFAULT_QUIET_MS;
  let firstContentfulPaint: number | undefined;
  let largestContentfulPaint: number | undefined;
  let lastActivity = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const read = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      if (entry.entryType === 'resource') {
        if (resources.length < ENTRIES_AT_MOST) resources.push(copyEntry(entry as PerformanceResourceTiming));
        lastActivity = Math.max(lastActivity, (entry as PerformanceResourceTiming).responseEnd);
      } else if (entry.entryType === 'largest-contentful-paint') {
        largestContentfulPaint = (entry as PerformanceEntry & { renderTime?: number }).renderTime || entry.startTime;
      } else if (entry.name === 'first-contentful-paint') {
        firstContentfulPaint = entry.startTime;
      }
    }
  };
  const observer = new PerformanceObserver((list) => {
    read(list.getEntries());
    wait();
  });

  const finish = (ended: PageTiming['ended']) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    read(observer.takeRecords());
    observer.disconnect();
    const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
    if (!navigation) return;
    const timing: PageTiming = {
      url: location.href,
      timeOrigin: performance.timeOrigin,
      navigationType: navigation.type,
      navigation: copyEntry(navigation),
      domContentLoadedEventEnd: navigation.domContentLoadedEventEnd,
      loadEventEnd: navigation.loadEventEnd,
      ...(firstContentfulPaint !== undefined && { firstContentfulPaint }),
      ...(largestContentfulPaint !== undefined && { largestContentfulPaint }),
      resources,
      ended,
      quietMs,
      endedAt: performance.now(),
      ...(documentId && { documentId }),
    };
    void send({ kind: 'page-timing', timing });
  };

  const wait = () => {
    if (over) return;
    clearTimeout(timer);
    const now = performance.now();
    const loaded = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.loadEventEnd ?? 0;
    const quietAt = loaded > 0 ? Math.max(lastActivity, loaded) + quietMs : Number.POSITIVE_INFINITY;
    const ended = quietAt < TIME_LIMIT_MS ? 'quiet' : 'time-limit';
    // Asked again at the end: entries may have come since, or the load event.
    const end = Math.min(quietAt, TIME_LIMIT_MS);
    timer = setTimeout(
      () => {
        read(observer.takeRecords());
        const last = Math.max(lastActivity, loaded) + quietMs;
        if (ended === 'quiet' && last > end && last < TIME_LIMIT_MS) wait();
        else finish(ended);
      },
      Math.max(0, end - now),
    );
  };

  const documentId = runtime.getDocumentId?.(window);
  for (const type of ['resource', 'paint', 'largest-contentful-paint']) observer.observe({ type, buffered: true });
  // After the load event's own listeners, when its end is known.
  addEventListener('load', () => setTimeout(wait));
  addEventListener('pagehide', () => finish('page-left'));
  wait();
  void settings().then((answer) => {
    quietMs = answer.quietMs;
    if (answer.record) return wait();
    over = true;
    clearTimeout(timer);
    observer.disconnect();
  });
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
    return runtime.sendMessage(message).catch(() => undefined);
  }
}

if (!browser.extension.inIncognitoContext) observe();
