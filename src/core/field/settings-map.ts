/**
 * Connections by requests per connection: what was measured where something was, and what is predicted for the rest; and, where there is both, whether
 * the prediction's band covers what was measured.
 */
import type { Comparison, ProfileComparison, ProtocolComparison } from '../compare/comparison.ts';
import { formatProfileId, MAX_THROUGH_GATEWAY, parseProfileId, SHIPPED_ID } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { SHIPPED } from '../profiles/shipped.ts';

/** The grid that is predicted: about the numbers of the memo, up to those that help most in the lab. Chosen, not measured. */
const CONNECTIONS = [2, 4, 6, 8, 12, 16] as const;
const DEPTHS = [1, 2, 4, 6] as const;

/** The profiles of the grid, without what Firefox ships, and without those that send more than Firefox sends through a gateway. */
export const gridProfileIds = (): readonly string[] =>
  CONNECTIONS.flatMap((connections) =>
    DEPTHS.filter((depth) => depth === 1 || connections * depth <= MAX_THROUGH_GATEWAY).map((depth) =>
      formatProfileId({ connections, depth }),
    ),
  ).filter((id) => id !== SHIPPED_ID);

/** A change of speed against Firefox's own settings: 1 is none. Bounds are absent where they are not known. */
export interface ChangeWithBounds {
  readonly id: string;
  readonly ratio: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** A measured one: its interval of 95 %, and what it rests on. */
export interface MeasuredChange extends ChangeWithBounds {
  readonly loads: number;
  /** What it was compared with: the baseline, or the control through the gateway. */
  readonly against: string;
}

/** The changes that were measured over one protocol, which is absent where all loads have the same. */
export interface MeasuredGroup {
  readonly protocol?: ProtocolComparison['protocol'];
  readonly changes: readonly MeasuredChange[];
  /** Loads under Firefox's own settings. */
  readonly baselineLoads: number;
}

/** What was measured of each protocol, the one with most loads under other settings first. Loads of several are never put together. */
export function measuredGroups({ profiles, protocols }: Pick<Comparison, 'profiles' | 'protocols'>): readonly MeasuredGroup[] {
  const parts: readonly (Pick<Comparison, 'profiles'> & Pick<MeasuredGroup, 'protocol'>)[] = protocols ?? [{ profiles }];
  return parts
    .map((part) => ({
      ...(part.protocol !== undefined && { protocol: part.protocol }),
      changes: part.profiles.flatMap(measuredChange),
      baselineLoads: part.profiles.find(({ role }) => role === 'baseline')?.loads ?? 0,
    }))
    .filter(({ changes }) => changes.length > 0)
    .sort((a, b) => loadsOf(b) - loadsOf(a));
}

const loadsOf = ({ changes }: MeasuredGroup): number => changes.reduce((sum, { loads }) => sum + loads, 0);

function measuredChange({ id, role, loads, versusBaseline }: ProfileComparison): readonly MeasuredChange[] {
  const { ratio, low, high, against } = versusBaseline;
  return role === 'baseline' || ratio === undefined ? [] : [{ id, ratio, low, high, loads, against }];
}

/** What a cell of the map shows; `own`: Firefox's own settings, which everything is compared with. */
export type SettingsCell =
  | { readonly kind: 'own' }
  | { readonly kind: 'measured'; readonly change: MeasuredChange }
  | { readonly kind: 'predicted'; readonly change: ChangeWithBounds };

/** Rows of connections per server by columns of requests per connection. */
export interface SettingsMap {
  readonly connections: readonly number[];
  readonly depths: readonly number[];
  /** Rows, then columns; `undefined`: neither measured nor predicted. */
  readonly cells: readonly (readonly (SettingsCell | undefined)[])[];
}

/** Settings that set more than the two numbers have no place on it. */
export function settingsMap(measured: readonly MeasuredChange[], predicted: readonly ChangeWithBounds[]): SettingsMap {
  const placed = [...measured, ...predicted].flatMap(({ id }) => parseProfileId(id) ?? []);
  const own = { connections: SHIPPED.perServer, depth: 1 };
  const connections = ascending([own, ...placed].map((place) => place.connections));
  const depths = ascending([own, ...placed].map(({ depth }) => depth));
  const cellOf = (row: number, column: number): SettingsCell | undefined => {
    const id = formatProfileId({ connections: row, depth: column });
    if (id === SHIPPED_ID) return { kind: 'own' };
    const found = measured.find((change) => change.id === id);
    if (found !== undefined) return { kind: 'measured', change: found };
    const expected = predicted.find((change) => change.id === id);
    return expected && { kind: 'predicted', change: expected };
  };
  return { connections, depths, cells: connections.map((row) => depths.map((column) => cellOf(row, column))) };
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);

/**
 * Whether a prediction held: `covered`, what was measured lies in its band; `missed`, the whole interval of what was measured lies outside;
 * `open`, the interval, or that there is none, leaves both possible.
 */
export type Coverage = 'covered' | 'missed' | 'open';

/** Settings with a prediction and a measurement. */
export interface CheckedPrediction {
  readonly predicted: ChangeWithBounds;
  readonly measured: MeasuredChange;
  readonly coverage: Coverage;
}

/** In the order of what was measured. A prediction without a band, or a measurement against the control, is not checked. */
export function checkedPredictions(
  measured: readonly MeasuredChange[],
  predicted: readonly ChangeWithBounds[],
): readonly CheckedPrediction[] {
  return measured.flatMap((own) => {
    const found = predicted.find(({ id }) => id === own.id);
    const { low, high } = found ?? {};
    if (found === undefined || low === undefined || high === undefined || own.against !== BASELINE_ID) return [];
    return [{ predicted: found, measured: own, coverage: coverageOf({ low, high }, { at: own.ratio, low: own.low, high: own.high }) }];
  });
}

/** @param measured - `at`: the estimate, with its interval as far as it is bounded. */
export function coverageOf(
  band: { readonly low: number; readonly high: number },
  measured: { readonly at: number; readonly low?: number | undefined; readonly high?: number | undefined },
): Coverage {
  const { at, low, high } = measured;
  if ((low !== undefined && low > band.high) || (high !== undefined && high < band.low)) return 'missed';
  return low !== undefined && high !== undefined && at >= band.low && at <= band.high ? 'covered' : 'open';
}
