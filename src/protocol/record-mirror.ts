/** The mirror in `storage.local` of what is stored in the database; see `adapters/record-mirror.ts`. */
import * as v from 'valibot';
import { count } from '../core/schema.ts';

const time = v.pipe(v.number(), v.finite());

/** Name of the mirror in `storage.local`. */
export const MIRROR_KEY = 'recordMirror';

/** How much the database held when this was last written. */
export const mirrorSchema = v.object({
  /** The database's generation: a new one for each database that is created. */
  generation: v.string(),
  loads: count,
  /** Loads that Plumbfox itself had let go of by then, to stay below its caps. */
  forgotten: v.optional(count),
  /** The newest key of a load, which salvaging goes up to. */
  newestKey: v.optional(count),
  /** When this was written, ms since the epoch. */
  at: time,
});
export type RecordMirror = v.InferOutput<typeof mirrorSchema>;

/** Name of a loss in `storage.local`. */
export const LOSS_KEY = 'recordLoss';

/** The records that Firefox has lost. */
export const lossSchema = v.object({
  /** Loads that are gone. */
  loads: count,
  /** They had been recorded until then, ms since the epoch. */
  until: time,
});
export type RecordLoss = v.InferOutput<typeof lossSchema>;

/** Name of the standstills in `storage.local`, the oldest first. */
export const STANDSTILLS_KEY = 'standstills';

/** When pages were opened that could not be recorded because Firefox had stopped the extension: the first and the last, ms since the epoch. */
export const standstillSchema = v.object({ from: time, until: time });
export type Standstill = v.InferOutput<typeof standstillSchema>;
