/** Results for everyday loads in `storage.local`: the last prediction and comparison, and the names given to links. They hold no address. */
import * as v from 'valibot';
import { type NamedLink, nameOfLink } from '../core/field/field-links.ts';
import {
  type FieldAnswer,
  fieldAnswerSchema,
  type GivenLinkNames,
  givenLinkNamesSchema,
  linkNameSchema,
} from '../protocol/field-answer.ts';
import { shownFieldPredictionSchema } from '../protocol/prediction-answer.ts';
import { browser } from './browser.ts';

const PREDICTION_KEY = 'fieldPrediction';
const ANSWER_KEY = 'fieldAnswer';
const NAMES_KEY = 'linkNames';

async function readStored<T>(key: string, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> {
  const held = v.safeParse(schema, (await browser.storage.local.get(key))[key]);
  return held.success ? held.output : undefined;
}

async function writeStored(key: string, value: unknown): Promise<void> {
  if (value === undefined) await browser.storage.local.remove(key);
  else await browser.storage.local.set({ [key]: value });
}

const heldPredictionSchema = v.object({
  /** The loads and profiles it was computed for, and the version that computed it. */
  of: v.string(),
  loads: v.pipe(v.number(), v.integer(), v.minValue(0)),
  newestAt: v.optional(v.pipe(v.number(), v.finite()), () => undefined),
  /** When it was made, wall clock, ms since the epoch. */
  madeAt: v.pipe(v.number(), v.finite()),
  answer: shownFieldPredictionSchema,
});

export type HeldPrediction = Readonly<v.InferOutput<typeof heldPredictionSchema>>;

/** The last prediction, so that it is computed once for the same loads; `undefined`: none, or one of another version. */
export const readLastFieldPrediction = (): Promise<HeldPrediction | undefined> => readStored(PREDICTION_KEY, heldPredictionSchema);

/** Calls back with each prediction that a page stores: all of them show the same one. */
export function onFieldPrediction(notify: (held: HeldPrediction) => void): void {
  browser.storage.local.onChanged.addListener((changes) => {
    const held = v.safeParse(heldPredictionSchema, changes[PREDICTION_KEY]?.newValue);
    if (held.success) notify(held.output);
  });
}

/** Stores the last prediction; `undefined` removes it. */
export const writeLastFieldPrediction = (held: HeldPrediction | undefined): Promise<void> => writeStored(PREDICTION_KEY, held);

/** The last comparison, which the popup shows until it has compared the loads again; `undefined`: none, or one of another version. */
export const readLastFieldAnswer = (): Promise<FieldAnswer | undefined> => readStored(ANSWER_KEY, fieldAnswerSchema);

/** Stores the last comparison; `undefined` removes it. */
export const writeLastFieldAnswer = (answer: FieldAnswer | undefined): Promise<void> => writeStored(ANSWER_KEY, answer);

/** The names given to links, which outlive Firefox and the loads they were given for. */
export const readLinkNames = async (): Promise<GivenLinkNames> => (await readStored(NAMES_KEY, givenLinkNamesSchema)) ?? [];

/** Names the link instead of what it was called; text without a letter removes its name. @returns all names there are now. */
export async function writeLinkName(link: NamedLink, name: string): Promise<GivenLinkNames> {
  const typed = v.safeParse(linkNameSchema, name);
  const { id, rttMs, downKbps } = link;
  const before = await readLinkNames();
  const own = nameOfLink(link, before);
  const others = before.filter((one) => one !== own);
  const names = typed.success ? [...others, { id, name: typed.output, rttMs, ...(downKbps !== undefined && { downKbps }) }] : others;
  await browser.storage.local.set({ [NAMES_KEY]: names });
  // The kept one has the name that the link had.
  await browser.storage.local.remove(PREDICTION_KEY);
  return names;
}
