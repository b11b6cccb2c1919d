/** The answer as it crosses boundaries: from the popup to its worker, into the report, and out of a report that is read. */
import * as v from 'valibot';
import { UNANSWERED } from '../core/answer/answer.ts';
import { TRIAL_PROTOCOLS } from '../core/trial/trial-protocol.ts';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Change of speed, a share above -1. */
const share = v.pipe(finite, v.minValue(-1));
const profileId = v.pipe(v.string(), v.maxLength(64));
const carrier = v.picklist(['none', 'gateway', 'http2', 'legacy']);
/** Unbounded is absent in JSON. */
const bound = v.optional(share, () => undefined);

/** See `PredictedChange`. */
export const predictedChangeSchema = v.object({ gain: share, low: share, high: share });
const change = v.object({ gain: share, low: bound, high: bound });
const answeredProfile = { profileId, carrier, change, protocol: v.exactOptional(v.picklist(TRIAL_PROTOCOLS)) };

const trial = v.literal('trial');

const loadsSince = v.exactOptional(count);

/** See `Answer`. */
export const answerSchema = v.union([
  v.object({ from: trial, state: v.literal('confirmed'), loads: count, ...answeredProfile, alone: v.exactOptional(change) }),
  v.object({
    from: trial,
    state: v.literal('no-difference'),
    loads: count,
    within: share,
    ...answeredProfile,
    alone: v.exactOptional(change),
  }),
  v.object({ from: trial, state: v.literal('open'), loads: count, closest: v.exactOptional(v.object(answeredProfile)) }),
  v.object({ from: trial, state: v.literal('slower'), profiles: v.array(v.object(answeredProfile)) }),
  v.object({
    from: trial,
    state: v.literal('running'),
    stage: v.picklist(['collecting', 'checking', 'confirming', 'held']),
    isPaused: v.boolean(),
    loads: count,
    leader: v.exactOptional(v.object(answeredProfile)),
    fresh: v.exactOptional(v.object({ loads: count, planned: count })),
  }),
  v.object({ from: v.literal('prediction'), profileId, carrier, change: predictedChangeSchema, pages: count, loadsSince }),
  v.object({
    from: v.literal('reach'),
    requests: count,
    byConnections: count,
    atMost: v.exactOptional(v.pipe(finite, v.minValue(0))),
    loadsSince,
  }),
  v.object({ from: v.literal('nothing'), why: v.picklist(UNANSWERED) }),
]);

/** With its sentence, as a report holds it. */
export const reportAnswerSchema = v.object({ sentence: v.string(), finding: answerSchema });
