/** What initiated a HAR's request. */

import type { ObservedInitiators } from '../graph/observed-load.ts';
import { addressOf, type Fields, fieldsOf, type Headers, listOf, textOf } from './fields.ts';

/** Call frames and asynchronous parents that are looked at; deeper ones are the same scripts again. */
const MAX_FRAMES = 40;
const MAX_PARENTS = 10;
const MAX_DETAIL_LENGTH = 100_000;

/**
 * The initiator in the three forms there are: an address (WebPageTest, browsertime), Chrome's object with an address or a call stack, and
 * browsertime's `_initiator_detail`, that object as JSON text.
 */
export function initiatorsOf(entry: Fields, headers: Headers): ObservedInitiators {
  const initiators = [
    ...addresses([textOf(entry._initiator)]),
    ...ofObject(fieldsOf(entry._initiator)),
    ...ofObject(detailOf(entry._initiator_detail)),
  ];
  const referer = addresses([headers.byName.get('referer'), textOf(entry._documentURL)])[0];
  return { named: [...new Set(initiators)], ...(referer !== undefined && { referer }) };
}

const addresses = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.flatMap((text) => (text === undefined ? [] : (addressOf(text)?.url ?? [])));

function ofObject(initiator: Fields): readonly string[] {
  const urls = [textOf(initiator.url)];
  let stack = fieldsOf(initiator.stack);
  for (let depth = 0; depth < MAX_PARENTS && Array.isArray(stack.callFrames); depth++) {
    urls.push(
      ...listOf(stack.callFrames)
        .slice(0, MAX_FRAMES)
        .map((frame) => textOf(fieldsOf(frame).url)),
    );
    stack = fieldsOf(stack.parent);
  }
  return addresses(urls);
}

function detailOf(detail: unknown): Fields {
  if (typeof detail !== 'string' || detail.length > MAX_DETAIL_LENGTH) return {};
  try {
    return fieldsOf(JSON.parse(detail));
  } catch {
    // It is a hint only, and without it the other rules hold.
    return {};
  }
}
