/** The heat map of the 2008 study: mean efficiency by connections and depth. */
import { counted } from '../../core/compare/plain-words.ts';
import { heatMapSvg } from '../../core/report/heat-map-svg.ts';
import { meanEfficiencyOf, type RankedStudy } from './fennec-2008-scenarios.ts';
import type { StudyPicture } from './study-findings.ts';

export function connectionsByDepth({ profiles, scenarios, ranking }: RankedStudy): StudyPicture {
  const title = 'Mean efficiency by connections per server and depth';
  const counts = ascending(profiles.flatMap(({ connections }) => (connections === undefined ? [] : [connections])));
  const depths = ascending(profiles.map(({ depth }) => depth));
  const pick = ranking.pick.state === 'picked' ? ranking.pick.profileId : undefined;
  const cellOf = (connections: number, depth: number) => {
    const profile = profiles.find((each) => each.connections === connections && each.depth === depth);
    const value = profile && meanEfficiencyOf(scenarios, profile.id);
    if (profile === undefined || value === undefined) return undefined;
    const notes = [...(profile.id === ranking.baseline ? ['default'] : []), ...(profile.id === pick ? ['pick'] : [])];
    return { value, marked: profile.id === pick, ...(notes.length > 0 && { note: notes.join(', ') }) };
  };
  return {
    name: 'connections-by-depth',
    title,
    svg: heatMapSvg({
      title,
      subtitle: `Mean over ${counted(ranking.scenarios, 'scenario')}, each one page over one link`,
      digits: 3,
      columns: { name: 'depth', labels: depths.map(String) },
      rows: { name: 'connections', labels: counts.map(String) },
      cells: counts.map((connections) => depths.map((depth) => cellOf(connections, depth))),
    }),
  };
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);
