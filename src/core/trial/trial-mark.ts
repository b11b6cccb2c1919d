/** The mark that ties a load to its place in a trial. */
import * as v from 'valibot';
import type { PageLoad } from '../measure/page-load.ts';
import { profileIdSchema } from '../profiles/profile-id.ts';
import { count, type Shape } from '../schema.ts';

/** The id of a trial, and of a profile in one. */
export const trialIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));
export const armIdSchema = profileIdSchema;

export const trialMarkSchema = v.object({
  trialId: trialIdSchema,
  /** From 0. */
  block: count,
  /** Number of the slot in the whole trial, from 0; the slot's profile is drawn from it (`assignmentAt`). */
  slot: count,
  profileId: armIdSchema,
  /** Order in which loads began since the profile was put in effect: 0 for the first. */
  position: count,
  /** The first load after a switch, and any that began before it had ended: measured, but not counted. */
  washout: v.boolean(),
});
/** The place of a load in its trial, as the load itself carries it. */
export type TrialMark = Shape<typeof trialMarkSchema>;

/** A page load that may have a place in one of our trials. */
export type MarkedPageLoad = PageLoad<TrialMark>;
