/** What the dashboard asks its prediction worker for the map of settings, and for predictions beside measurements. Addresses stay within the extension. */
import * as v from 'valibot';
import { WITHHELD } from '../core/gateway-policy.ts';
import { RECORD_STATES } from '../core/predict/recorded-loads.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { count, finite, type Shape } from '../core/schema.ts';
import { fieldLinkSchema } from './field-answer.ts';

const positive = v.pipe(finite, v.gtValue(0));
const interval = v.object({ low: finite, high: finite });

const checkedPageSchema = v.object({
  /** Absent: no load of the page is kept with its address. */
  url: v.exactOptional(v.string()),
  loads: count,
  /** Under Firefox's own settings: the median, and its bounds where there are enough loads. */
  measuredMs: positive,
  intervalMs: v.exactOptional(interval),
  predictedMs: positive,
  /** Where the measured time should lie; absent: such bands are not known to hold. */
  bandMs: v.exactOptional(interval),
  state: v.picklist(RECORD_STATES),
});
/** One page under Firefox's own settings, measured and simulated. */
export type CheckedPage = Shape<typeof checkedPageSchema>;

/** The settings of the map, and those that were measured, as they are predicted for the newest pages over the present network. */
export const modelsAnswerSchema = v.variant('state', [
  v.object({ state: v.picklist(['no-loads', 'link-not-known', 'rate-not-known', 'nothing-to-predict']) }),
  v.object({
    state: v.literal('predicted'),
    link: fieldLinkSchema,
    pages: v.pipe(count, v.minValue(1)),
    /** `band`: where measured ratios should lie; absent: such bands are not known to hold. */
    rows: v.array(v.object({ id: profileIdSchema, ratio: positive, band: v.exactOptional(interval) })),
    /** Why some settings are missing; absent: none is. */
    withheld: v.exactOptional(v.picklist(WITHHELD)),
    /** Requests, those to servers with HTTP/1.1, and those of them over plain http. */
    reach: v.object({ requests: count, byConnections: count, byDepth: count }),
    checked: v.array(checkedPageSchema),
  }),
]);
export type ModelsAnswer = v.InferOutput<typeof modelsAnswerSchema>;
