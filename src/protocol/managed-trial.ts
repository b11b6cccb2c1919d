/** A trial as an administrator defines it in a policy, which the extension begins by itself, once for each id. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { trialWishSchema } from './trial-state.ts';

const { candidates, slots, mostLoadsPerArm } = trialWishSchema.entries;
const wish = { candidates, slots, mostLoadsPerArm };

/** As a person writes it into a file: what is not named here is refused. */
const trialDefinitionSchema = v.strictObject(wish);
export type TrialDefinition = v.InferOutput<typeof trialDefinitionSchema>;

/** Characters of the file that a refusal quotes. Our own choice. */
const MAX_WORDS = 400;

/** @throws PlumbfoxError `bad-input`, in one line. */
export function parseTrialDefinition(value: unknown): TrialDefinition {
  const result = v.safeParse(trialDefinitionSchema, value);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `It defines no trial: ${v.summarize(result.issues).replaceAll(/\s+/g, ' ').slice(0, MAX_WORDS)}`);
}

/** As it lies in managed storage. The id is the trial's own. */
export const managedTrialSchema = v.object({ ...wish, id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)) });
export type ManagedTrial = v.InferOutput<typeof managedTrialSchema>;
