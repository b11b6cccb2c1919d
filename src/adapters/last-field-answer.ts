/** The last comparison of everyday loads, in `storage.local`: what the popup shows until it has compared them again. No address is in it. */
import * as v from 'valibot';
import { type FieldAnswer, fieldAnswerSchema } from '../protocol/field-answer.ts';
import { browser } from './browser.ts';

const KEY = 'fieldAnswer';

/** `undefined`: none, or of another version. */
export async function readLastFieldAnswer(): Promise<FieldAnswer | undefined> {
  const held = v.safeParse(fieldAnswerSchema, (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : undefined;
}

/** `undefined`: forgets it. */
export async function writeLastFieldAnswer(answer: FieldAnswer | undefined): Promise<void> {
  if (answer === undefined) await browser.storage.local.remove(KEY);
  else await browser.storage.local.set({ [KEY]: answer });
}
