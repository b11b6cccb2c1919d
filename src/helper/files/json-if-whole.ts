/** JSON of somebody else's, which may be damaged. */

/** `undefined`: it is not JSON, which itself has no such value. What it holds has to be parsed by a schema. */
export function jsonIfWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
