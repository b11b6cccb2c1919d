/** The seed of one run of one line: the same whatever else is run, in whichever thread. */
export function runSeed({ seed, line, run }: { readonly seed: number; readonly line: string; readonly run: number }): number {
  // FNV-1a over the text (Fowler, Noll & Vo 1991); `seededRandom` mixes it further.
  let hash = 0x811c9dc5;
  for (const character of `${seed} ${line} ${run}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
