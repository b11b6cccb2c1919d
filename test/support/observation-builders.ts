/** Raw halves of a load in a few words; times in ms after the load's time origin, which is 1 000 000. */
import type { RawPhase, RawRequestEvent } from '../../src/core/measure/page-load.ts';
import type { RawEntry, RawPageTiming } from '../../src/core/measure/page-timing.ts';

export const ORIGIN_AT = 1_000_000;
export const PAGE = 'http://site.test/';

export function entry(name: string, start: number, end: number, more: Partial<RawEntry> = {}): RawEntry {
  const at = { domainLookupStart: start, domainLookupEnd: start, connectStart: start, connectEnd: start, secureConnectionStart: 0 };
  return { name, initiatorType: 'img', fetchStart: start, ...at, requestStart: start, responseStart: end, responseEnd: end, ...more };
}

export function pageTiming(resources: readonly RawEntry[] = [], more: Partial<RawPageTiming> = {}): RawPageTiming {
  return {
    url: PAGE,
    timeOrigin: ORIGIN_AT,
    navigation: entry(PAGE, 1, 50, { initiatorType: 'navigation' }),
    domContentLoadedEventEnd: 60,
    loadEventEnd: 200,
    resources,
    ended: 'quiet',
    quietMs: 2000,
    endedAt: 2_300,
    ...more,
  };
}

/** `at`: ms after the time origin. */
export function event(phase: RawPhase, requestId: string, at: number, more: Partial<RawRequestEvent> = {}): RawRequestEvent {
  const ended = phase === 'completed' ? { responseBytes: 500, fromCache: false, status: 200, httpVersion: 'http/1.1' as const } : {};
  return {
    phase,
    requestId,
    at: ORIGIN_AT + at,
    tabId: 1,
    frameId: 0,
    type: 'image',
    url: `http://site.test/${requestId}.png`,
    ...(phase === 'failed' && { error: 'NS_ERROR_NET_RESET' }),
    ...ended,
    ...more,
  };
}

export const mainEvent = (phase: RawPhase, requestId: string, at: number, more: Partial<RawRequestEvent> = {}): RawRequestEvent =>
  event(phase, requestId, at, { type: 'main_frame', url: PAGE, ...more });

export const originOf = (url: string): string | null => /^(?:http|ws)s?:\/\/[^/]+/.exec(url)?.[0] ?? null;
