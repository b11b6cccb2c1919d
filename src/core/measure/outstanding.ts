/**
 * Requests outstanding over time: sent (requestStart) and not completely answered (before responseEnd). Source: Resource Timing, so a
 * request whose requestStart is unknown (in frames of other sites, say) is not among them.
 */
import { groupBy } from '../group-by.ts';
import { type Milliseconds, milliseconds } from '../units.ts';
import type { RequestRecord } from './page-load.ts';
import { networkRequests } from './requests.ts';

/** From `at` (ms after the time origin) until the next step, `outstanding` requests were outstanding. */
export interface OutstandingStep {
  readonly at: Milliseconds;
  readonly outstanding: number;
}

export interface Outstanding {
  /** The maximum at once; a request answered within one step of the clock counts for its instant. */
  readonly peak: number;
  /** Times strictly increasing; the last step is 0. */
  readonly steps: readonly OutstandingStep[];
}

/** For all origins together, and for each. */
export interface OutstandingOverTime extends Outstanding {
  readonly byOrigin: ReadonlyMap<string, Outstanding>;
}

export function outstanding(requests: readonly RequestRecord[]): OutstandingOverTime {
  const sent = networkRequests(requests).flatMap(spanOf);
  const byOrigin = new Map([...groupBy(sent, ({ origin }) => origin)].map(([origin, spans]) => [origin, sweep(spans)]));
  return { ...sweep(sent), byOrigin };
}

interface Span {
  readonly origin: string;
  readonly from: number;
  readonly to: number;
}

function spanOf({ origin, timing }: RequestRecord): readonly Span[] {
  if (origin === null || timing?.requestStart === undefined) return [];
  return [{ origin, from: timing.requestStart, to: Math.max(timing.requestStart, timing.responseEnd) }];
}

/** Order at one instant: a connection's next request begins where the one before ended, so ends come first, but for spans of no length. */
const END = 0;
const START = 1;
const END_AT_ONCE = 2;

function sweep(spans: readonly Span[]): Outstanding {
  const events = spans
    .flatMap(({ from, to }) => [
      { at: from, turn: START, change: 1 },
      { at: to, turn: to > from ? END : END_AT_ONCE, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.turn - b.turn);
  const levels = new Map<number, number>();
  let level = 0;
  let peak = 0;
  for (const { at, change } of events) {
    level += change;
    peak = Math.max(peak, level);
    levels.set(at, level);
  }
  const steps = [...levels].map(([at, level]) => ({ at: milliseconds(at), outstanding: level }));
  return { peak, steps: steps.filter((step, index) => step.outstanding !== (steps[index - 1]?.outstanding ?? 0)) };
}
