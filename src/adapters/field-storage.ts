/** The last prediction for the newest loads, in `storage.local`, so that it is computed once for the same loads. No address is in it. */
import * as v from 'valibot';
import { type ShownFieldPrediction, shownFieldPredictionSchema } from '../protocol/prediction-answer.ts';
import type { PredictedLoads } from '../protocol/shown-answer.ts';
import { browser } from './browser.ts';

const KEY = 'fieldPrediction';

const heldSchema = v.object({
  of: v.string(),
  loads: v.pipe(v.number(), v.integer(), v.minValue(0)),
  newestAt: v.optional(v.pipe(v.number(), v.finite()), () => undefined),
  answer: shownFieldPredictionSchema,
});

/** `of`: for which loads and profiles it was computed, and by which version. */
export interface HeldPrediction extends PredictedLoads {
  readonly of: string;
  readonly answer: ShownFieldPrediction;
}

/** `undefined`: none, or of another version. */
export async function readLastFieldPrediction(): Promise<HeldPrediction | undefined> {
  const held = v.safeParse(heldSchema, (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : undefined;
}

/** `undefined`: forgets it. */
export async function writeLastFieldPrediction(held: HeldPrediction | undefined): Promise<void> {
  if (held === undefined) await browser.storage.local.remove(KEY);
  else await browser.storage.local.set({ [KEY]: held });
}
