import { findKnob, READ_COUNT, READ_SIZE } from './catalogue.ts';
import type { PreferenceValue } from './knob.ts';
import { priceOf } from './knob.ts';
import type { Carrier } from './profile.ts';
import { SHIPPED } from './shipped.ts';

/** What a profile costs in memory, here and on the servers: every connection holds buffers, every outstanding request state. */
interface MemoryCost {
  readonly connections: number;
  readonly depth: number;
}

type Preferences = Readonly<Record<string, PreferenceValue>>;

/** What decides the cost of a profile. */
export interface CostInput {
  /** Per server; left out: whatever this Firefox ships. */
  readonly connections?: number | undefined;
  readonly depth: number;
  /** Left out: not known yet, which costs nothing. */
  readonly carrier?: Carrier | undefined;
  /** What it sets, as a profile or as a report has it; left out: the connections alone. */
  readonly preferences?: Preferences | undefined;
  readonly intended?: Preferences | undefined;
}

/** The cost of a profile; one that does not set the connections costs what Firefox's own settings do. */
export function memoryCost(profile: Pick<CostInput, 'connections' | 'depth'>): MemoryCost {
  return { connections: profile.connections ?? SHIPPED.perServer, depth: profile.depth };
}

/**
 * Order of cost for `sort`: fewest values that cost privacy or security, then fewest connections, smallest depth, no gateway, least memory of
 * windows, buffers and caches, and fewest preferences that differ from what Firefox ships. 0: they cost the same.
 */
export function compareCost(a: CostInput, b: CostInput): number {
  const [costA, costB] = [costsOf(a), costsOf(b)];
  for (const [at, cost] of costA.entries()) if (cost !== costB[at]) return cost - (costB[at] ?? 0);
  return 0;
}

/** What is compared, the weightiest first. */
function costsOf(input: CostInput): readonly number[] {
  const { connections, depth } = memoryCost(input);
  const set = Object.entries(input.preferences ?? input.intended ?? {});
  const priced = set.filter(([name, value]) => {
    const knob = findKnob(name);
    return knob !== undefined && priceOf(knob, value) !== undefined;
  });
  const changed = set.filter(([name, value]) => findKnob(name)?.defaults.desktop !== value);
  return [priced.length, connections, depth, Number(input.carrier === 'gateway'), addedBytes(Object.fromEntries(set)), changed.length];
}

/** Units in which labels of the catalogue state sizes. */
const BYTES: Readonly<Record<string, number>> = { bytes: 1, KiB: 1024, MiB: 1_048_576 };

/** Bytes of the windows, buffers and caches that are set, beyond what Firefox ships; below zero: less than it ships. */
function addedBytes(set: Preferences): number {
  const sizes = Object.entries(set).reduce((sum, [name, value]) => {
    const knob = findKnob(name);
    const unit = BYTES[knob?.label.split(', ').at(-1) ?? ''];
    const shipped = knob?.defaults.desktop;
    if (unit === undefined || name === READ_SIZE || typeof value !== 'number' || typeof shipped !== 'number') return sum;
    return sum + unit * (value - shipped);
  }, 0);
  // What is read from a socket is buffered in so many segments.
  const [size, count] = [set[READ_SIZE] ?? SHIPPED.readSize, set[READ_COUNT] ?? SHIPPED.readCount];
  return sizes + Number(size) * Number(count) - SHIPPED.readSize * SHIPPED.readCount;
}

interface LevelRule<T> {
  readonly costOf: (choice: T) => CostInput;
  /** The best has the highest. */
  readonly gainOf: (choice: T) => number;
  /** Whether a choice is as good as the best, as far as can be measured and matters. */
  readonly isLevel: (choice: T, best: T) => boolean;
}

/**
 * The one rule of choice, for what was measured and for what is predicted: of those that are level with the best, the cheapest; of equally
 * cheap ones the better. `undefined`: there is nothing to choose from.
 */
export function cheapestLevel<T>(choices: readonly T[], rule: LevelRule<T>): { readonly best: T; readonly chosen: T } | undefined {
  const { costOf, gainOf, isLevel } = rule;
  const byCost = (a: T, b: T) => compareCost(costOf(a), costOf(b));
  const best = choices.toSorted((a, b) => gainOf(b) - gainOf(a) || byCost(a, b))[0];
  if (best === undefined) return undefined;
  const level = choices.filter((choice) => choice === best || isLevel(choice, best));
  const chosen = level.toSorted((a, b) => byCost(a, b) || gainOf(b) - gainOf(a))[0] ?? best;
  return { best, chosen };
}
