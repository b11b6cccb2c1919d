/** What each line of a list adds, from the loads of a screening design: the line's own effect over all sets of settings that have it or not. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, VersusBaseline } from '../compare/comparison.ts';
import { groupBy } from '../group-by.ts';
import { cholesky, solve } from '../stats/least-squares.ts';
import type { DesignRow } from './screening-design.ts';

/** One set of settings of a design, by the id of its profile. */
export interface DesignArm {
  readonly id: string;
  readonly row: DesignRow;
}

/** The effect of a line: its setting against Firefox's own, whatever the other lines are. */
export interface LineEffect extends Pick<VersusBaseline, 'ratio' | 'low' | 'high' | 'verdict' | 'pairs'> {
  readonly line: string;
}

interface LineEffectOptions {
  readonly arms: readonly DesignArm[];
  /** In the order of the design's columns. */
  readonly lines: readonly string[];
  readonly plannedBlocks: number;
}

/** Loads of a page over a link in a block that may be missing, beyond which the block says nothing of this page over this link. */
const MAX_MISSING = 2;
const WITHOUT = 'without';

/**
 * In each block, page and link the logarithms of the arms' efficiencies are fitted by the mean and one effect for each line (least squares). The
 * effects enter the comparison as pairs of loads do, with and without the line: its rule gives intervals, valid at every look and adjusted for
 * the number of lines, and verdicts.
 */
export function lineEffects(loads: readonly ComparableLoad[], { arms, lines, plannedBlocks }: LineEffectOptions): readonly LineEffect[] {
  const rows = new Map(arms.map(({ id, row }) => [id, row]));
  const cells = groupBy(loads, ({ page, link, block }) => JSON.stringify([page, link, block]));
  const paired = [...cells.values()].flatMap((cell) => fitted(cell, { rows, lines }));
  const profiles = [WITHOUT, ...lines].map(
    (id, at): ComparedProfile => ({ id, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate', depth: 1 }),
  );
  const compared = new Map(
    compareProfiles(paired, { baseline: WITHOUT, profiles, plannedBlocks }).profiles.map((each) => [each.id, each.versusBaseline]),
  );
  return lines.flatMap((line) => {
    const found = compared.get(line);
    return found === undefined
      ? []
      : [{ line, ratio: found.ratio, low: found.low, high: found.high, verdict: found.verdict, pairs: found.pairs }];
  });
}

/** A load without any line, and one with each: their ratio is the line's effect. */
function fitted(
  cell: readonly ComparableLoad[],
  { rows, lines }: { rows: ReadonlyMap<string, DesignRow>; lines: readonly string[] },
): readonly ComparableLoad[] {
  const usable = cell.flatMap(({ profileId, valid, efficiency }) => {
    const row = rows.get(profileId);
    return row !== undefined && valid && efficiency !== undefined && efficiency > 0 ? [{ row, log: Math.log(efficiency) }] : [];
  });
  const [first] = cell;
  if (first === undefined || usable.length < Math.max(lines.length + 1, rows.size - MAX_MISSING)) return [];
  const effects = effectsOf(usable, lines.length);
  if (effects === undefined) return [];
  const { page, link, block, protocol } = first;
  const load = (profileId: string, log: number): ComparableLoad => ({
    ...{ profileId, page, link, block, protocol, valid: true },
    efficiency: Math.exp(log),
    loadTimeMs: undefined,
  });
  const mean = effects[0] as number;
  return [load(WITHOUT, mean), ...lines.map((line, at) => load(line, mean + (effects[at + 1] as number)))];
}

/** The mean with no line, and the change by each. `undefined`: the loads cannot separate them. */
function effectsOf(loads: readonly { readonly row: DesignRow; readonly log: number }[], lines: number): Float64Array | undefined {
  const columns = loads.map(({ row }) => [1, ...row.map((isIn) => (isIn ? 1 : 0))]);
  const sum = (cell: (at: number) => number) => loads.reduce((total, _, at) => total + cell(at), 0);
  const cellOf = (at: number, column: number) => columns[at]?.[column] ?? 0;
  const matrix = Array.from({ length: lines + 1 }, (_, a) =>
    Float64Array.from({ length: lines + 1 }, (_, b) => sum((at) => cellOf(at, a) * cellOf(at, b))),
  );
  const factor = cholesky(
    matrix,
    matrix.map((row, at) => row[at] ?? 0),
  );
  if (factor.empty.some(Boolean)) return undefined;
  return solve(
    factor,
    matrix.map((_, a) => sum((at) => cellOf(at, a) * (loads[at]?.log ?? 0))),
  );
}
