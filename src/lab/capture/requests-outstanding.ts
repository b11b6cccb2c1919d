/** Requests that were asked and not yet completely answered, over time. */
import type { HttpExchange } from './http-exchanges.ts';

/** From `atMs` until the next step so many were outstanding. */
export interface OutstandingStep {
  readonly atMs: number;
  readonly requests: number;
}

/** Times strictly increasing. A request whose response has no known end stays outstanding. */
export function requestsOutstanding(exchanges: readonly HttpExchange[]): readonly OutstandingStep[] {
  const changes = exchanges
    .flatMap(({ requestMs, endMs }) => [
      { atMs: requestMs, change: 1 },
      ...(endMs === undefined ? [] : [{ atMs: Math.max(requestMs, endMs), change: -1 }]),
    ])
    .sort((one, other) => one.atMs - other.atMs);
  const steps: { atMs: number; requests: number }[] = [];
  let requests = 0;
  for (const { atMs, change } of changes) {
    requests += change;
    const last = steps.at(-1);
    if (last?.atMs === atMs) last.requests = requests;
    else steps.push({ atMs, requests });
  }
  return steps;
}

/** The most at once. */
export const mostOutstanding = (steps: readonly OutstandingStep[]): number =>
  steps.reduce((most, { requests }) => Math.max(most, requests), 0);
