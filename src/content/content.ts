/**
 * Copies a top-level document's own timing, raw, and sends it: when the network has been idle for a while after the load event, at the time limit,
 * or when the page is left. If a request that began before that end is answered after it, everything is sent again. No analysis and no polyfill
 * here: this runs in every page.
 */

import type { PageTiming, RawEntry } from '../core/measure/page-timing.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import { leftPageKey, MAX_LEFT_PAGE_CHARS, unrecordedKey } from '../protocol/page-notes.ts';
import { WOULD_ASK } from '../protocol/tryout-state.ts';
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
    readonly onMessage: { addListener(listener: (message: unknown) => Promise<boolean> | undefined): void };
    /** Firefox 153 and later. */
    getDocumentId?(target: Window): string;
  };
};

/** Aliased: the linter treats an optional member read directly from `browser.runtime` as required. */
const runtime = browser.runtime;

/** Used until the background has answered (design: measures). */
const DEFAULT_QUIET_MS = 2_000;
/** No observation is longer, counted from the navigation's fetchStart, as load times are. */
const TIME_LIMIT_MS = 60_000;
/** One entry more than a load may have requests (`MAX_REQUESTS`) shows that there were more. */
const MAX_ENTRIES = 2_001;

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
  // Cut here already: a page can make 90 MB of addresses, too much for one message when it is left.
  copy.name = storedUrl(entry.name);
  const blocking = (entry as { renderBlockingStatus?: string }).renderBlockingStatus;
  if (blocking) copy.renderBlocking = blocking === 'blocking';
  return copy as RawEntry;
}

function observe(): void {
  runtime.onMessage.addListener((message) => (message === WOULD_ASK ? Promise.resolve(wouldAsk()) : undefined));
  const resources: RawEntry[] = [];
  /** Entries not read yet: reading costs the page time, which must not happen during its load. */
  const unread: PerformanceObserverEntryList[] = [];
  const documentId = runtime.getDocumentId?.(window);
  /** Computed once, because with the address it identifies the document. */
  const timeOrigin = wallTimeOrigin({ timeOrigin: performance.timeOrigin, nowMs: performance.now(), wallMs: Date.now() });
  let quietMs = DEFAULT_QUIET_MS;
  let lastActivity = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (Pick<PageTiming, 'ended' | 'endedAt'> & Paints) | undefined;
  /** Whether entries came after the end, of requests that had begun before it. */
  let late = false;

  const read = () => {
    const lists = unread.splice(0).map((list) => list.getEntries());
    for (const entry of [...lists, observer.takeRecords()].flat() as PerformanceResourceTiming[]) {
      if (resources.length === MAX_ENTRIES || (end && entry.fetchStart > end.endedAt)) continue;
      resources.push(copyEntry(entry));
      lastActivity = Math.max(lastActivity, entry.responseEnd);
      late = end !== undefined;
    }
  };
  const navigation = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;

  const post = (pageIsUnloading: boolean) => {
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
    // The background notices a load that does not arrive, because it counts the navigations.
    send({ kind: 'page-timing', timing }).catch(() => undefined);
    if (pageIsUnloading) store(timing);
  };

  /** `pageIsUnloading`: the document will not be shown again. */
  const finish = (ended: PageTiming['ended'], pageIsUnloading = false) => {
    clearTimeout(timer);
    read();
    if (!end || late) {
      end ??= { ended, endedAt: performance.now(), ...paints() };
      post(pageIsUnloading);
    }
    if (ended === 'quiet') return;
    clearTimeout(limit);
    observer.disconnect();
  };

  /** Sets the timer for the end or, after it, for resending the timing: requests outstanding at the end belong to the load. */
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
    // Not to be recorded: stop without sending.
    end = { ended: 'page-left', endedAt: 0 };
    finish('page-left');
  };
  // Runs after the load event's own listeners, when its end is known. A page that was open when the extension was installed has had its load event.
  if (document.readyState === 'complete') setTimeout(loaded);
  else addEventListener('load', () => setTimeout(loaded));
}

type Paints = Pick<PageTiming, 'firstContentfulPaint' | 'largestContentfulPaint'>;

/** Read at the end, from what Firefox keeps (`buffered`), so that nothing happens during the load. */
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

/** The background's settings, or the defaults without an answer. */
async function settings(): Promise<{ record: boolean; quietMs: number }> {
  const reply = (await send({ kind: 'observation-settings' })) as { ok: true; value: { record: boolean; quietMs: number } } | undefined;
  return reply?.ok ? reply.value : { record: true, quietMs: DEFAULT_QUIET_MS };
}

/** Sends a message, and once more if the event page was just being closed: the background stores the same timing only once. */
async function send(message: unknown): Promise<unknown> {
  try {
    return await runtime.sendMessage(message);
  } catch {
    return runtime.sendMessage(message).catch(noteUnrecordedPage);
  }
}

/** The event page may not have started before this page is gone. Firefox takes a string at once, but an object only while its page exists. */
function store(timing: PageTiming): void {
  const text = JSON.stringify(timing);
  if (text.length <= MAX_LEFT_PAGE_CHARS) browser.storage.local.set({ [leftPageKey(Date.now())]: text }).catch(() => undefined);
}

/**
 * Firefox does not restart an extension process that ends six times in 30 s (`ExtensionProcessCrashObserver` in Extension.sys.mjs): only this
 * page can note then that it is not recorded. Never rejects: if the extension was removed, the note is not needed.
 */
async function noteUnrecordedPage(reason: unknown): Promise<undefined> {
  if (!String(reason).includes('Receiving end')) return;
  const now = Date.now();
  await browser.storage.local.set({ [unrecordedKey(now)]: now }).catch(() => undefined);
}

/**
 * Whether Firefox would ask the person before it leaves this page: only of a page that they have used, and whose own listeners want it. They are
 * asked by an event like Firefox's, which shows no question.
 */
function wouldAsk(): boolean {
  if (!navigator.userActivation.hasBeenActive) return false;
  const event = document.createEvent('BeforeUnloadEvent');
  event.initEvent('beforeunload', false, true);
  dispatchEvent(event);
  return event.defaultPrevented || String(event.returnValue) !== '';
}

if (!browser.extension.inIncognitoContext) observe();
