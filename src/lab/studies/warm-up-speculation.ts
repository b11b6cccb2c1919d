/** What opening connections ahead of need brings: first requests to many servers, by how many may be half-open. Pure. */
import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { VersusBaseline } from '../../core/compare/comparison.ts';
import { median } from '../../core/stats/median.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { doors } from '../pages/doors.ts';
import type { StudyData, StudyLoad, StudyRequest } from './study-load.ts';

/** Medians over loads; within a load over its requests to servers that no connection led to. */
export interface SpeculationCell {
  readonly link: LinkSpec;
  readonly profileId: string;
  readonly loads: number;
  /** Requests that had to open their connection themselves, or wait for the rest of its handshake. */
  readonly opened: number;
  /** From the decision to fetch until the first byte, ms. */
  readonly firstByteMs: number;
  /** From the first decision to fetch until the last byte of the last answer, ms. */
  readonly allMs: number;
}

export function speculationCells({ study, pages, links, loads }: StudyData): readonly SpeculationCell[] {
  const names = pages.filter(({ recipe }) => recipe.name === doors.name).map(({ name }) => name);
  return links.flatMap((link) =>
    study.profiles.flatMap(({ id }) => {
      const own = loads.filter((load) => names.includes(load.page) && load.link === link.name && load.profileId === id);
      const cell = cellOf(own.flatMap(({ requests }) => (requests ? [requests.slice(1)] : [])));
      return cell ? [{ link, profileId: id, ...cell }] : [];
    }),
  );
}

type Figures = Omit<SpeculationCell, 'link' | 'profileId'>;

function cellOf(loads: readonly (readonly StudyRequest[])[]): Figures | undefined {
  const opened = median(loads.map((requests) => requests.filter(({ connectStart }) => connectStart !== undefined).length));
  const firstByteMs = median(
    loads.flatMap(
      (requests) =>
        median(requests.flatMap(({ fetchStart, responseStart }) => (responseStart === undefined ? [] : [responseStart - fetchStart]))) ??
        [],
    ),
  );
  const allMs = median(
    loads
      .filter(({ length }) => length > 0)
      .map((requests) => Math.max(...requests.map((each) => each.responseEnd)) - Math.min(...requests.map((each) => each.fetchStart))),
  );
  if (opened === undefined || firstByteMs === undefined || allMs === undefined) return undefined;
  return { loads: loads.length, opened, firstByteMs, allMs };
}

/** Of whole loads of the pages over cold connections: over warm ones there is nothing to open. */
export function speculationVerdicts({ study, pages, links, loads }: StudyData): ReadonlyMap<string, VersusBaseline> {
  const cold = pages.filter(({ connections }) => connections === 'cold').map(({ name }) => name);
  const own = links.filter(({ receiveBufferBytes }) => receiveBufferBytes === undefined).map(({ name }) => name);
  const compared = loads.filter(({ page, link }) => cold.includes(page) && own.includes(link)).map(comparable);
  const there = new Set(compared.map(({ profileId }) => profileId));
  if (!there.has(study.baseline)) return new Map();
  const profiles = study.profiles
    .filter(({ id }) => there.has(id))
    .map(({ id, depth, connections }) => {
      const role = id === study.baseline ? ('baseline' as const) : ('candidate' as const);
      return { id, depth, connections, carrier: 'none' as const, role };
    });
  const comparison = compareProfiles(compared, { baseline: study.baseline, profiles, looks: 'once' });
  return new Map(comparison.profiles.map(({ id, versusBaseline }) => [id, versusBaseline]));
}

const comparable = ({ profileId, page, link, block, measures }: StudyLoad) => ({
  ...{ profileId, page, link, block },
  valid: true,
  efficiency: measures?.efficiency,
  loadTimeMs: measures?.loadTimeMs,
});
