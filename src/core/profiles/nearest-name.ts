/** The name somebody probably meant. */

/** Beyond this share of its length changed, a name is a different word rather than a slip. */
const MOST_CHANGED = 0.4;

/** The known name with the fewest edits from `text`, where they are few enough for a slip; of equals the first. `undefined`: none is near. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const edits = editDistance(text, name);
    if (edits <= Math.max(1, MOST_CHANGED * name.length) && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** Levenshtein distance, in one row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
