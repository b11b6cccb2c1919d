/** The heat map of the 2008 study: efficiency by connections and depth. */
import { heatMapSvg } from '../../core/report/heat-map-svg.ts';
import { pickOf } from './fennec-2008-pick.ts';
import { efficiencyOf, type RankedStudy } from './fennec-2008-scenarios.ts';
import type { StudyPicture } from './study-findings.ts';

/** @param grounds - What the figures rest on, in words. */
export function connectionsByDepth({ profiles, scenarios, ranking }: RankedStudy, grounds: string): StudyPicture {
  const title = 'Efficiency by connections per server and depth of each';
  const counts = ascending(profiles.flatMap(({ connections }) => (connections === undefined ? [] : [connections])));
  const depths = ascending(profiles.map(({ depth }) => depth));
  const pick = pickOf({ ranking, profiles });
  const cellOf = (connections: number, depth: number) => {
    const profile = profiles.find((each) => each.connections === connections && each.depth === depth);
    const value = profile && efficiencyOf(scenarios, profile.id);
    if (profile === undefined || value === undefined) return undefined;
    const notes = [...(profile.id === ranking.baseline ? ['default'] : []), ...(profile.id === pick ? ['pick'] : [])];
    return { value, marked: profile.id === pick, ...(notes.length > 0 && { note: notes.join(', ') }) };
  };
  return {
    name: 'connections-by-depth',
    title,
    svg: heatMapSvg({
      title,
      subtitle: `Geometric mean, ${grounds}`,
      digits: 3,
      columns: { name: 'depth', labels: depths.map(String) },
      rows: { name: 'connections', labels: counts.map(String) },
      cells: counts.map((connections) => depths.map((depth) => cellOf(connections, depth))),
    }),
  };
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);
