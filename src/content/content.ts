/**
 * Copies a top-level document's own timing, raw, and sends it: when the network has been quiet for a while after the load event, at the time
 * limit, or when the page is left. A request that had begun before that end and is answered after it is sent later, with everything again.
 * No analysis here, and no polyfill: this runs in every page.
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
  const documentId = runtime.getDocumentId?.(window);
  let quietMs = DEFAULT_QUIET_MS;
  let firstContentfulPaint: number | undefined;
  let largestContentfulPaint: number | undefined;
  let lastActivity = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: { ended: PageTiming['ended']; endedAt: number } | undefined;
  /** Entries that came after the end, of requests that had begun before it. */
  let late = false;

  const readResource = (entry: PerformanceResourceTiming) => {
    if (resources.length === ENTRIES_AT_MOST || (end && entry.fetchStart > end.endedAt)) return;
    resources.push(copyEntry(entry));
    lastActivity = Math.max(lastActivity, entry.responseEnd);
    late = end !== undefined;
  };
  const read = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      if (entry.entryType === 'resource') readResource(entry as PerformanceResourceTiming);
      else if (end) continue;
      else if (entry.entryType === 'largest-contentful-paint') {
        largestContentfulPaint = (entry as PerformanceEntry & { renderTime?: number }).renderTime || entry.startTime;
      } else if (entry.name === 'first-contentful-paint') firstContentfulPaint = entry.startTime;
    }
  };
  const navigation = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;

  const post = () => {
    const document = navigation();
    late = false;
    if (!document || !end) return;
    const timing: PageTiming = {
      url: location.href,
      timeOrigin: performance.timeOrigin,
      navigationType: document.type,
      navigation: copyEntry(document),
      domContentLoadedEventEnd: document.domContentLoadedEventEnd,
      loadEventEnd: document.loadEventEnd,
      ...(firstContentfulPaint !== undefined && { firstContentfulPaint }),
      ...(largestContentfulPaint !== undefined && { largestContentfulPaint }),
      resources,
      ...end,
      quietMs,
      ...(documentId && { documentId }),
    };
    void send({ kind: 'page-timing', timing });
  };

  const finish = (ended: PageTiming['ended']) => {
    clearTimeout(timer);
    read(observer.takeRecords());
    if (!end || late) {
      end ??= { ended, endedAt: performance.now() };
      post();
    }
    if (ended !== 'quiet') observer.disconnect();
  };

  /** Sets the timer for the end, or, after it, for an amendment: what was still under way at the end belongs to the load. */
  const wait = () => {
    clearTimeout(timer);
    const loaded = navigation()?.loadEventEnd ?? 0;
    const quietAt = loaded > 0 ? Math.max(lastActivity, loaded) + quietMs : Number.POSITIVE_INFINITY;
    const ended = quietAt < TIME_LIMIT_MS ? 'quiet' : 'time-limit';
    const at = Math.min(quietAt, TIME_LIMIT_MS);
    timer = setTimeout(
      () => {
        const before = lastActivity;
        read(observer.takeRecords());
        // Entries may have come meanwhile that no callback has brought yet.
        if (lastActivity > before && ended === 'quiet') wait();
        else finish(ended);
      },
      Math.max(0, at - performance.now()),
    );
  };

  const observer = new PerformanceObserver((list) => {
    read(list.getEntries());
    if (!end || late) wait();
  });
  for (const type of ['resource', 'paint', 'largest-contentful-paint']) observer.observe({ type, buffered: true });
  // After the load event's own listeners, when its end is known.
  addEventListener('load', () => setTimeout(wait));
  addEventListener('pagehide', () => finish('page-left'));
  wait();
  void settings().then((answer) => {
    quietMs = answer.quietMs;
    if (answer.record) return end ?? wait();
    end = { ended: 'page-left', endedAt: 0 };
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
