/** What processes of ours answer, as schemas: a line from another process is from outside, whoever wrote the program. */
import * as v from 'valibot';
import type { PageLoad } from '../../core/measure/page-load.ts';
import type { Milliseconds } from '../../core/units.ts';
import type { GatewayCounters, WaitSummary } from '../../gateway/gateway-counters.ts';
import { appliedProfileSchema, type BrowserFacts } from '../../protocol/messages.ts';
import { pageLoadSchema } from '../../protocol/stored-records.ts';
import { readbackAnswer } from '../firefox/appliers.ts';
import type { LinkMeasurement } from '../link/link-check.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import type { LaneFacts, LoadOutcome } from './lane-protocol.ts';
import type { OverheadPairs } from './overhead-pairs.ts';

type Answer<T> = v.GenericSchema<unknown, T>;

const finite = v.pipe(v.number(), v.finite());
const positive = v.pipe(finite, v.gtValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Units exist only for the compiler; at run time these are finite numbers. */
const milliseconds = finite as unknown as Answer<Milliseconds>;

const browserFacts: Answer<BrowserFacts> = v.object({
  name: v.string(),
  version: v.string(),
  buildId: v.string(),
  os: v.string(),
  architecture: v.string(),
  experimentApi: v.boolean(),
  policies: v.picklist(['inactive', 'active', 'failed', 'unknown']),
});

/** To `start`. */
export const laneFactsAnswer: Answer<LaneFacts> = v.object({
  browser: browserFacts,
  applier: appliedProfileSchema.entries.applier,
  untouched: v.array(readbackAnswer),
});

const waits: Answer<WaitSummary> = v.object({
  count,
  total: milliseconds,
  max: v.optional(milliseconds, () => undefined),
  values: v.array(milliseconds),
});

const gatewayCounters: Answer<GatewayCounters> = v.object({
  origins: v.array(
    v.object({
      origin: v.string(),
      connectionsOpened: count,
      connectionsFailed: count,
      peakConnections: count,
      peakDepth: count,
      peakOutstanding: count,
      requests: count,
      pipelinedRequests: count,
      repeatedRequests: count,
      headOfLineWait: waits,
      queueWait: waits,
    }),
  ),
  fallbacks: v.array(
    v.object({
      origin: v.string(),
      reason: v.picklist(['closed-early', 'http-1.0', 'malformed-response', 'wrong-order', 'no-answer']),
    }),
  ),
  tunnels: count,
  unauthorised: count,
});

/** To `load`. */
export const loadOutcomeAnswer: Answer<LoadOutcome> = v.object({
  applied: v.object({ ...appliedProfileSchema.entries, readBack: v.array(readbackAnswer) }),
  readBack: v.array(readbackAnswer),
  load: pageLoadSchema as unknown as Answer<PageLoad>,
  gateway: v.optional(gatewayCounters, () => undefined),
});

export const originCountsAnswer: Answer<Record<string, OriginCount>> = v.record(
  v.string(),
  v.object({ requests: count, connections: count, peakConnections: count, peakOutstanding: count, peakDepth: count, bodyBytes: count }),
);

/** To the measurements: of a link, of one round trip (ms), and of loads with and without the recorder. */
export const linkMeasurementAnswer: Answer<LinkMeasurement> = v.object({ rttMs: positive, downKbps: positive });
export const roundTripAnswer: Answer<number> = positive;
export const overheadAnswer: Answer<OverheadPairs> = v.object({ recording: v.array(finite), plain: v.array(finite), stored: count });

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
/** Ports, in the order asked. */
export const portsAnswer: Answer<readonly number[]> = v.array(port);
