/** The block of user.js that the helper writes: what a profile sets, and what has to be given back meanwhile. */
import { inCatalogueOrder } from './in-catalogue-order.ts';
import type { PreferenceValue } from './knob.ts';
import { commentLines, SETS_NOTHING, USER_JS_BEGIN, USER_JS_END, userPref } from './user-js.ts';

export interface AppliedBlock {
  /** What a person should know who comes upon it. */
  readonly notes: readonly string[];
  readonly intended: Readonly<Record<string, PreferenceValue>>;
  /** Statements as they are to be written: former values of preferences that are no longer set, until Firefox has saved them. */
  readonly givenBack: readonly string[];
}

/** Lines ended by LF; one byte a character, because the given-back statements are in bytes too. */
export function appliedBlock({ notes, intended, givenBack }: AppliedBlock): string {
  const set = inCatalogueOrder(intended).map(userPref);
  const lines = [
    USER_JS_BEGIN,
    ...notes.flatMap(commentLines).map((line) => line.replace(/[^ -~]/g, '?')),
    ...set,
    ...(set.length + givenBack.length === 0 ? commentLines(SETS_NOTHING) : []),
    ...(givenBack.length === 0 ? [] : commentLines('Given back; these lines go when Firefox has saved them:')),
    ...givenBack,
    USER_JS_END,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
