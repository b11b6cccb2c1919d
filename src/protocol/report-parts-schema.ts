/** The run-time schemas of a report's parts. */
import * as v from 'valibot';
import { inferenceSchema } from '../core/graph/inference.ts';
import { pageGraphSchema } from '../core/graph/page-graph.ts';
import { CONGESTION_CONTROLS } from '../core/report/report.ts';
import { VOID_CAUSES } from '../core/report/validity.ts';
import type { Bytes, Milliseconds, Ratio } from '../core/units.ts';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Units exist only for the compiler; at run time these are finite numbers. */
const milliseconds = finite as unknown as v.GenericSchema<number, Milliseconds>;
const bytes = v.pipe(v.number(), v.finite(), v.minValue(0)) as unknown as v.GenericSchema<number, Bytes>;
const ratio = finite as unknown as v.GenericSchema<number, Ratio>;

const preferenceValue = v.union([finite, v.boolean(), v.string()]);
const preferences = v.record(v.string(), preferenceValue);
const carrier = v.picklist(['none', 'gateway', 'http2', 'legacy']);

const optionalFigure = v.exactOptional(finite);

/** Asked beside measured; a figure that is absent was not asked for, or not measured. */
export const linkSchema = v.object({
  name: v.string(),
  kind: v.picklist(['packet', 'relay', 'real']),
  basis: v.picklist(['configured', 'measured', 'estimated']),
  asked: v.exactOptional(
    v.object({
      rttMs: finite,
      downKbps: finite,
      upKbps: optionalFigure,
      queue: optionalFigure,
      lossDown: optionalFigure,
      lossUp: optionalFigure,
      jitterMs: optionalFigure,
      downTrace: v.exactOptional(v.string()),
      initialWindow: optionalFigure,
      receiveBufferBytes: optionalFigure,
      congestionControl: v.exactOptional(v.picklist(CONGESTION_CONTROLS)),
      seed: optionalFigure,
    }),
  ),
  measured: v.exactOptional(
    v.object({
      rttMs: finite,
      downKbps: finite,
      upKbps: optionalFigure,
      lossDown: optionalFigure,
      lossUp: optionalFigure,
      packetsDown: v.exactOptional(count),
      packetsUp: v.exactOptional(count),
      jitterMs: optionalFigure,
      traceShare: optionalFigure,
    }),
  ),
});

/** `graph`: with it, the page can be predicted from the report alone. */
export const pageSchema = v.object({
  name: v.string(),
  served: v.exactOptional(
    v.object({
      protocol: v.picklist(['http/1.1', 'http/2', 'http/3']),
      tls: v.picklist(['none', '1.2', '1.3']),
      connections: v.picklist(['cold', 'warm']),
    }),
  ),
  requests: v.exactOptional(count),
  origins: v.exactOptional(count),
  bytes: v.exactOptional(count),
  graph: v.exactOptional(pageGraphSchema),
  inferred: v.exactOptional(v.array(inferenceSchema)),
});

/** As it was compared. `connections` absent: as Firefox ships them. */
export const profileSchema = v.object({
  id: v.string(),
  title: v.string(),
  carrier,
  connections: v.exactOptional(count),
  depth: count,
  intended: preferences,
  role: v.picklist(['baseline', 'candidate', 'control']),
});

const readback = v.object({
  preference: v.string(),
  value: v.optional(preferenceValue, () => undefined),
  type: v.picklist(['integer', 'boolean', 'string', 'none']),
  locked: v.boolean(),
  userSet: v.boolean(),
});

const measures = v.object({
  loadTimeMs: milliseconds,
  cutShort: v.exactOptional(v.picklist(['document-failed', 'no-load-event', 'page-left', 'time-limit', 'too-many-requests'])),
  bytes: v.exactOptional(bytes),
  idealTimeMs: v.exactOptional(milliseconds),
  efficiency: v.exactOptional(ratio),
  utilisation: v.exactOptional(ratio),
  firstContentfulPaintMs: v.exactOptional(milliseconds),
  largestContentfulPaintMs: v.exactOptional(milliseconds),
  queueWait: v.exactOptional(v.object({ medianMs: milliseconds, maxMs: milliseconds, totalMs: milliseconds })),
  peakOutstanding: count,
  peakOutstandingByOrigin: v.record(v.string(), count),
  requests: count,
  failedRequests: count,
  coldConnections: v.exactOptional(count),
  reusedConnections: v.exactOptional(count),
  duplicateFetches: count,
  duplicateBytes: v.exactOptional(bytes),
  emptySources: v.exactOptional(count),
  renderBlockingEndMs: v.exactOptional(milliseconds),
  httpVersions: v.object({
    'http/1.0': v.exactOptional(ratio),
    'http/1.1': v.exactOptional(ratio),
    'http/2': v.exactOptional(ratio),
    'http/3': v.exactOptional(ratio),
  }),
});

/** One load, valid or void; a void one keeps what is known of it. */
export const loadSchema = v.object({
  profileId: v.string(),
  page: v.string(),
  link: v.string(),
  block: count,
  order: count,
  startedAt: finite,
  validity: v.variant('state', [
    v.object({ state: v.literal('valid') }),
    v.object({
      state: v.literal('void'),
      reason: v.string(),
      cause: v.exactOptional(v.picklist(VOID_CAUSES)),
      atLeastMs: v.exactOptional(finite),
    }),
  ]),
  readBack: v.array(readback),
  observed: v.exactOptional(
    v.object({ peakConnections: count, peakOutstanding: count, peakDepth: v.exactOptional(count), requests: count }),
  ),
  measures: v.exactOptional(measures),
});

/** Where the figures come from; absent: it does not apply, or nobody could say. */
export const provenanceSchema = v.object({
  plumbfox: v.string(),
  firefox: v.exactOptional(v.object({ version: v.string(), buildId: v.exactOptional(v.string()), channel: v.exactOptional(v.string()) })),
  os: v.string(),
  node: v.exactOptional(v.string()),
  applier: v.exactOptional(v.picklist(['experiment-api', 'driver', 'policy', 'helper', 'gateway', 'manual'])),
  seed: finite,
  turns: v.exactOptional(v.literal('as-they-came')),
  plannedBlocks: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  congestionControl: v.exactOptional(v.string()),
  weather: v.exactOptional(v.literal('by-block')),
  labPreferences: v.exactOptional(preferences),
  notes: v.array(v.string()),
});
