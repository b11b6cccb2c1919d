/** The run-time schema of a comparison, as `tune --json` prints it and a report holds it. */
import * as v from 'valibot';
import { UNANSWERED } from '../core/answer/answer.ts';
import { LOAD_PROTOCOLS } from '../core/compare/comparison.ts';
import { TRIAL_PROTOCOLS } from '../core/trial/protocol-plan.ts';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** JSON leaves out what is undefined; the parsed object has the key again. */
const figure = v.optional(finite, () => undefined);
const carrier = v.picklist(['none', 'gateway', 'http2', 'legacy']);
const role = v.picklist(['baseline', 'candidate', 'control']);

const versusBaseline = v.object({
  ratio: figure,
  low: figure,
  high: figure,
  verdict: v.picklist(['better', 'worse', 'no-meaningful-difference', 'need-more-loads', 'baseline', 'no-verdict']),
  reason: v.string(),
  against: v.string(),
  loadsNeeded: figure,
  loadsNeededAtMost: figure,
  pairs: count,
  pairsAhead: count,
  detectableChange: figure,
  p: figure,
});

const profile = v.object({
  id: v.string(),
  carrier,
  role,
  loads: count,
  voidLoads: count,
  efficiency: v.object({ estimate: figure, low: figure, high: figure }),
  loadTimeMs: v.object({ median: figure }),
  versusBaseline,
});

const scenario = v.object({
  page: v.string(),
  link: v.string(),
  profiles: v.array(v.object({ id: v.string(), loads: count, efficiencyMedian: figure, loadTimeMsMedian: figure })),
});

const control = v.object({ profileId: v.string(), ratio: figure, used: v.boolean(), sentence: v.string() });

const method = v.object({
  estimate: v.picklist(['paired', 'adjusted']),
  looks: v.picklist(['any', 'once', 'planned']),
  alpha: finite,
  intervals: count,
  plannedPairs: v.exactOptional(count),
  plannedBlocks: v.exactOptional(count),
});

const ranks = v.object({
  id: v.string(),
  ranked: count,
  firsts: count,
  topQuartile: count,
  lasts: count,
  meanEfficiency: figure,
});

const ranking = v.object({
  baseline: v.string(),
  scenarios: count,
  slots: count,
  profiles: v.array(ranks),
  meanSpread: figure,
  baselineEfficiency: figure,
  gain: figure,
});

const modes = v.object({
  profileId: v.string(),
  page: v.string(),
  link: v.string(),
  modes: v.object({
    modes: v.literal('several'),
    peaks: v.array(v.object({ at: finite, share: finite, low: finite, high: finite })),
    separation: finite,
  }),
});

const gatewaySettings = v.object({ connections: v.exactOptional(count), depth: count });

const recommendedProfile = {
  profileId: v.nullable(v.string()),
  state: v.picklist(['recommended', 'keep-baseline', 'need-more-loads', 'none']),
  sentence: v.string(),
};

const recommendation = v.object({
  ...recommendedProfile,
  gateway: v.exactOptional(gatewaySettings),
  settingsAlone: v.object(recommendedProfile),
});

export const comparisonSchema = v.object({
  baseline: v.string(),
  method,
  profiles: v.array(profile),
  scenarios: v.array(scenario),
  ranking,
  modes: v.array(modes),
  control: v.optional(control, () => undefined),
  recommendation,
  setAside: v.exactOptional(v.array(v.object({ profileId: v.string(), page: v.string(), link: v.string() }))),
  protocols: v.exactOptional(
    v.array(
      v.object({
        protocol: v.picklist([...LOAD_PROTOCOLS, 'unknown']),
        pages: v.array(v.string()),
        method,
        profiles: v.array(profile),
        control: v.optional(control, () => undefined),
        recommendation,
      }),
    ),
  ),
});

/** Change of speed, a share above -1. */
const share = v.pipe(finite, v.minValue(-1));
const profileId = v.pipe(v.string(), v.maxLength(64));
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
