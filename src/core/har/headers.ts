/** The headers of a HAR's request or response. */
import { fieldsOf, listOf, textOf } from './fields.ts';

export interface Headers {
  /** By name in lower case; of several the last. */
  readonly byName: ReadonlyMap<string, string>;
  /** Characters of the lines, `: ` and line ends included; 0: there are none. */
  readonly textLength: number;
}

/** `: ` and the line's end. */
const LINE_EXTRAS = 4;

export function headersOf(value: unknown): Headers {
  const byName = new Map<string, string>();
  let textLength = 0;
  for (const line of listOf(value)) {
    const { name, value: content } = fieldsOf(line);
    const [key, text] = [textOf(name), textOf(content) ?? ''];
    if (key === undefined) continue;
    byName.set(key.toLowerCase(), text);
    textLength += key.length + text.length + LINE_EXTRAS;
  }
  return { byName, textLength };
}
