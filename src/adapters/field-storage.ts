/** What is kept of everyday loads in `storage.local`: the last prediction and comparison, and the names given to links. No address is in it. */
import * as v from 'valibot';
import {
  type FieldAnswer,
  fieldAnswerSchema,
  type GivenLinkNames,
  givenLinkNamesSchema,
  linkNameSchema,
} from '../protocol/field-answer.ts';
import { shownFieldPredictionSchema } from '../protocol/prediction-answer.ts';
import { browser } from './browser.ts';

/** The last prediction for the newest loads, so that it is computed once for the same loads. */
const PREDICTION_KEY = 'fieldPrediction';

const heldPredictionSchema = v.object({
  /** For which loads and profiles it was computed, and by which version. */
  of: v.string(),
  loads: v.pipe(v.number(), v.integer(), v.minValue(0)),
  newestAt: v.optional(v.pipe(v.number(), v.finite()), () => undefined),
  answer: shownFieldPredictionSchema,
});

/** A prediction as it is kept. */
export type HeldPrediction = Readonly<v.InferOutput<typeof heldPredictionSchema>>;

/** `undefined`: none, or of another version. */
export async function readLastFieldPrediction(): Promise<HeldPrediction | undefined> {
  const held = v.safeParse(heldPredictionSchema, (await browser.storage.local.get(PREDICTION_KEY))[PREDICTION_KEY]);
  return held.success ? held.output : undefined;
}

/** `undefined`: forgets it. */
export async function writeLastFieldPrediction(held: HeldPrediction | undefined): Promise<void> {
  if (held === undefined) await browser.storage.local.remove(PREDICTION_KEY);
  else await browser.storage.local.set({ [PREDICTION_KEY]: held });
}

/** The last comparison: what the popup shows until it has compared the loads again. */
const ANSWER_KEY = 'fieldAnswer';

/** `undefined`: none, or of another version. */
export async function readLastFieldAnswer(): Promise<FieldAnswer | undefined> {
  const held = v.safeParse(fieldAnswerSchema, (await browser.storage.local.get(ANSWER_KEY))[ANSWER_KEY]);
  return held.success ? held.output : undefined;
}

/** `undefined`: forgets it. */
export async function writeLastFieldAnswer(answer: FieldAnswer | undefined): Promise<void> {
  if (answer === undefined) await browser.storage.local.remove(ANSWER_KEY);
  else await browser.storage.local.set({ [ANSWER_KEY]: answer });
}

/** These names outlive Firefox, and the loads they were given for. */
const NAMES_KEY = 'linkNames';

/** What cannot be read is no name. */
export async function readLinkNames(): Promise<GivenLinkNames> {
  const held = v.safeParse(givenLinkNamesSchema, (await browser.storage.local.get(NAMES_KEY))[NAMES_KEY]);
  return held.success ? held.output : [];
}

/** Names the link; text without a letter takes its name away. @returns all names there are now. */
export async function writeLinkName(link: Omit<GivenLinkNames[number], 'name'>, name: string): Promise<GivenLinkNames> {
  const typed = v.safeParse(linkNameSchema, name);
  const { id, rttMs, downKbps } = link;
  const others = (await readLinkNames()).filter((one) => one.id !== id);
  const names = typed.success ? [...others, { id, name: typed.output, rttMs, ...(downKbps !== undefined && { downKbps }) }] : others;
  await browser.storage.local.set({ [NAMES_KEY]: names });
  return names;
}
