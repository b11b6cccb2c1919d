/** The run-time schema of a page as the simulator takes it, with what had to be assumed of it. */
import * as v from 'valibot';
import { INFERRED_FIELDS } from '../core/graph/inference.ts';
import { CONTENT_CLASSES, MAX_REQUESTS } from '../core/graph/page-graph.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const duration = v.pipe(v.number(), v.finite(), v.minValue(0));
const size = v.pipe(v.number(), v.finite(), v.minValue(0));

const discovery = v.object({ id: v.string(), bytes: v.exactOptional(size), delayMs: v.exactOptional(duration) });

const request = v.object({
  id: v.string(),
  bytes: size,
  requestBytes: v.exactOptional(size),
  origin: v.exactOptional(v.string()),
  class: v.exactOptional(v.picklist(CONTENT_CLASSES)),
  blocking: v.exactOptional(v.boolean()),
  serverMs: v.exactOptional(duration),
  after: v.exactOptional(v.union([discovery, v.array(discovery)])),
});

const originFacts = v.object({
  protocol: v.exactOptional(v.picklist(['http/1.1', 'http/2', 'http/3'])),
  tls: v.exactOptional(v.picklist(['none', '1.2', '1.3'])),
  resumed: v.exactOptional(v.boolean()),
  dnsMs: v.exactOptional(duration),
  maxStreams: v.exactOptional(v.union([count, v.literal('none')])),
});

export const pageGraphSchema = v.object({
  requests: v.pipe(v.array(request), v.minLength(1), v.maxLength(MAX_REQUESTS)),
  origins: v.exactOptional(v.record(v.string(), originFacts)),
});

/** What was assumed, of how many requests, by which rule. */
export const inferenceSchema = v.object({ field: v.picklist(INFERRED_FIELDS), requests: count, rule: v.string() });
