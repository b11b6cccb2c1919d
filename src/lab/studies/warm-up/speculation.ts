/** The gain of opening connections ahead of need: first requests to many servers, by how many may be half-open. Pure. */
import type { ComparisonMethod, VersusBaseline } from '../../../core/compare/comparison.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { median } from '../../../core/stats/quantile.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { MANY_ORIGINS, manyOrigins } from '../../pages/study-pages.ts';
import { compareOwnProfiles } from '../comparisons.ts';
import type { StudyData, StudyRequest } from '../study.ts';

/** The loads of one profile over one link; a figure for each load in every list. */
export interface SpeculationCell {
  readonly link: LinkSpec;
  readonly profileId: string;
  readonly loads: number;
  /** Servers, of `MANY_ORIGINS`, to which a connection was opened only when something was wanted there. */
  readonly onDemand: readonly number[];
  /** From the decision to fetch until the first byte, ms; median over the requests of the load. */
  readonly firstByteMs: readonly number[];
  /** From the first decision to fetch until the last byte of the last answer, ms. */
  readonly allMs: readonly number[];
}

/** Loads whose requests are not known are left out, and cells without loads. */
export function speculationCells({ study, pages, links, loads }: StudyData): readonly SpeculationCell[] {
  const names = pages.filter(({ recipe }) => recipe.name === manyOrigins.name).map(({ name }) => name);
  return links.flatMap((link) =>
    study.profiles.flatMap(({ id }) => {
      const own = loads.filter((load) => names.includes(load.page) && load.link === link.name && load.profileId === id);
      const figures = own.flatMap(({ requests }) => (requests ? loadFigures(requests.slice(1), link) : []));
      if (figures.length === 0) return [];
      return [
        {
          link,
          profileId: id,
          loads: figures.length,
          onDemand: figures.map(({ onDemand }) => onDemand),
          firstByteMs: figures.map(({ firstByteMs }) => firstByteMs),
          allMs: figures.map(({ allMs }) => allMs),
        },
      ];
    }),
  );
}

interface LoadFigures {
  readonly onDemand: number;
  readonly firstByteMs: number;
  readonly allMs: number;
}

function loadFigures(requests: readonly StudyRequest[], link: LinkSpec): readonly LoadFigures[] {
  const firstByteMs = median(
    requests.flatMap(({ fetchStart, responseStart }) => (responseStart === undefined ? [] : [responseStart - fetchStart])),
  );
  if (firstByteMs === undefined) return [];
  const allMs = Math.max(...requests.map(({ responseEnd }) => responseEnd)) - Math.min(...requests.map(({ fetchStart }) => fetchStart));
  return [{ onDemand: requests.filter((request) => openedOnDemand(request, link)).length, firstByteMs, allMs }];
}

/** A handshake is a round trip; one seen for a smaller part of it was in progress before. Clocks of pages are coarse. */
const WHOLE_HANDSHAKE = 0.8;

const openedOnDemand = ({ fetchStart, connectStart, connectEnd }: StudyRequest, { rttMs }: LinkSpec): boolean =>
  connectStart !== undefined &&
  connectEnd !== undefined &&
  connectStart >= fetchStart &&
  connectEnd - connectStart >= WHOLE_HANDSHAKE * rttMs;

/** No connection was there, or in progress, before it was wanted: in no load of no profile. */
export const allOnDemand = (cells: readonly SpeculationCell[]): boolean =>
  cells.length > 0 && cells.every(({ onDemand }) => onDemand.every((servers) => servers === MANY_ORIGINS));

/** Profiles against the baseline, over everything that was loaded over cold connections, together. */
export interface SpeculationVerdicts {
  readonly versus: ReadonlyMap<string, VersusBaseline>;
  readonly pages: number;
  readonly links: number;
  readonly method: Pick<ComparisonMethod, 'alpha' | 'intervals'>;
}

/**
 * Figures of whole loads of the pages over cold connections: over warm ones there is nothing to open. `undefined`: no load of the baseline, or none of
 * another.
 */
export function speculationVerdicts({ study, pages, links, loads }: StudyData): SpeculationVerdicts | undefined {
  const cold = pages.filter(({ connections }) => connections === 'cold').map(({ name }) => name);
  const own = links.filter(({ receiveBufferBytes }) => receiveBufferBytes === undefined).map(({ name }) => name);
  const compared = comparableLoads(loads.filter(({ page, link }) => cold.includes(page) && own.includes(link)));
  const there = new Set(compared.map(({ profileId }) => profileId));
  if (!there.has(study.baseline) || there.size < 2) return undefined;
  const { profiles: found, method } = compareOwnProfiles(study, compared, study.baseline);
  return {
    versus: new Map(found.filter(({ id }) => id !== study.baseline).map(({ id, versusBaseline }) => [id, versusBaseline])),
    pages: new Set(compared.map(({ page }) => page)).size,
    links: new Set(compared.map(({ link }) => link)).size,
    method,
  };
}
