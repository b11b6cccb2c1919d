/**
 * Which lines of a list each measured set of settings has: a two-level design, so that every load says something of every line. Up to 3 lines all
 * combinations; up to 7 the 8 runs of Plackett and Burman with their fold-over (16, main effects clear of every effect of two lines together);
 * more lines the 12, 16, 20 or 24 runs alone, in which effects of two lines together would show as a share of single ones.
 * Plackett and Burman, "The design of optimum multifactorial experiments", Biometrika 33 (1946) 305-325; fold-over: Box and Wilson, "On the
 * experimental attainment of optimum conditions", Journal of the Royal Statistical Society B 13 (1951) 1-45.
 */

/** The levels of each line in one set of settings: whether the line is in it. */
export type DesignRow = readonly boolean[];

/** Sets of settings at most: more take longer than anybody waits. */
export const MAX_ARMS = 24;
/** Lines at most; with as many the design is saturated. */
export const MAX_LINES = MAX_ARMS - 1;
const MAX_FULL_LINES = 3;
const MAX_FOLDED_LINES = 7;

/** First rows of the cyclic designs, by their number of runs. */
const GENERATORS: readonly (readonly [number, string])[] = [
  [8, '+++-+--'],
  [12, '++-+++---+-'],
  [16, '++++-+-++--+---'],
  [20, '++--++++-+-+----++-'],
  [24, '+++++-+-++--++--+-+----'],
];

/** The first row has no line: Firefox's own settings. @throws RangeError for more than `MAX_LINES` lines. */
export function screeningDesign(lines: number): readonly DesignRow[] {
  if (lines > MAX_LINES) throw new RangeError(`${lines} lines are more than ${MAX_LINES}`);
  if (lines <= MAX_FULL_LINES)
    return Array.from({ length: 2 ** lines }, (_, run) => Array.from({ length: lines }, (_, line) => ((run >> line) & 1) === 1));
  const folded = lines <= MAX_FOLDED_LINES;
  const rows = plackettBurman(lines);
  return folded ? [...rows, ...rows.map((row) => row.map((isIn) => !isIn))] : rows;
}

function plackettBurman(lines: number): readonly DesignRow[] {
  const [runs, generator] = GENERATORS.find(([size]) => size > lines) ?? [0, ''];
  const none = Array.from({ length: lines }, () => false);
  const shifted = Array.from({ length: runs - 1 }, (_, shift) =>
    Array.from({ length: lines }, (_, line) => generator[(line + runs - 1 - shift) % (runs - 1)] === '+'),
  );
  return [none, ...shifted];
}

/** Whether effects of two lines together cannot show as effects of single ones. */
export const isClear = (lines: number): boolean => lines <= MAX_FOLDED_LINES;
