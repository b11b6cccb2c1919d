import type { MeasuredLoad } from './report.ts';

/** Origins in a report are numbered, not named, in the order of first appearance over all its loads. */
export function hideOrigins(loads: readonly MeasuredLoad[]): readonly MeasuredLoad[] {
  const names = new Map<string, string>();
  const nameOf = (origin: string): string => {
    const known = names.get(origin);
    if (known !== undefined) return known;
    const name = `origin-${names.size + 1}`;
    names.set(origin, name);
    return name;
  };
  return loads.map((load) => {
    if (load.measures === undefined) return load;
    const { peakOutstandingByOrigin } = load.measures;
    const hidden = Object.fromEntries(Object.entries(peakOutstandingByOrigin).map(([origin, peak]) => [nameOf(origin), peak]));
    return { ...load, measures: { ...load.measures, peakOutstandingByOrigin: hidden } };
  });
}
