import type { Carrier } from './profile.ts';
import { SHIPPED } from './shipped.ts';

/** What a profile costs in memory, here and on the servers: every connection holds buffers, every outstanding request state. */
interface MemoryCost {
  readonly connections: number;
  readonly depth: number;
}

/** The numbers that decide the cost of a profile. */
interface CostInput {
  /** Per server; left out: whatever this Firefox ships. */
  readonly connections?: number | undefined;
  readonly depth: number;
  /** Left out: not known yet, which costs nothing. */
  readonly carrier?: Carrier | undefined;
}

/** The cost of a profile; one that does not set the connections costs what Firefox's own settings do. */
export function memoryCost(profile: Pick<CostInput, 'connections' | 'depth'>): MemoryCost {
  return { connections: profile.connections ?? SHIPPED.perServer, depth: profile.depth };
}

/** Order of cost for `sort`: fewest connections, then smallest depth, then the one that needs no gateway. 0: they cost the same. */
export function compareCost(a: CostInput, b: CostInput): number {
  const [costA, costB] = [memoryCost(a), memoryCost(b)];
  return costA.connections - costB.connections || costA.depth - costB.depth || needsGateway(a) - needsGateway(b);
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

const needsGateway = ({ carrier }: CostInput): number => Number(carrier === 'gateway');
