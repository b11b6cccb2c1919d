/** Beyond this share of its length changed, a name is a different word rather than a slip. */
const MAX_CHANGED = 0.4;

/** A beginning this long stands for the one name that has it. */
const MIN_BEGINNING = 3;

/**
 * The known name with the fewest edits from `text`, where they are few enough for a slip; of equals the first. Where none is, the only one
 * that begins with `text`. `undefined`: none is near.
 */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const edits = editDistance(text, name);
    if (edits <= Math.max(1, MAX_CHANGED * name.length) && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  if (best !== undefined || text.length < MIN_BEGINNING) return best?.name;
  const [begun, another] = known.filter((name) => name.startsWith(text));
  return another === undefined ? begun : undefined;
}

/** Insertions, deletions, substitutions and swaps of neighbours: Damerau's four slips, as optimal string alignment (CACM 7, 1964). */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = swaps ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substituted, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** ` Did you mean NAME?`, to stand after what is wrong; empty where no known name is near. */
export function didYouMean(text: string, known: readonly string[]): string {
  const nearest = nearestName(text, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}
