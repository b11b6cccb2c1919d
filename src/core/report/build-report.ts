/** A report made from the loads of a run: the comparison is computed here, from these loads and nothing else. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { ProfileComparison } from '../compare/comparison.ts';
import { PlumbfoxError } from '../errors.ts';
import type { DroppedProfile } from '../experiment/race.ts';
import type { InferredPage } from '../graph/inference.ts';
import { pageFromLoad } from '../graph/page-from-load.ts';
import type { PageLoad } from '../measure/page-load.ts';
import { comparableReport } from './comparable-loads.ts';
import { hideOrigins } from './hide-origins.ts';
import { METRIC_VERSION, REPORT_FORMAT, REPORT_VERSION, type Report, type ReportPage } from './report.ts';

interface ReportInput extends Pick<Report, 'createdAt' | 'provenance' | 'links' | 'pages' | 'profiles' | 'loads'> {
  readonly baseline: string;
  /** Profiles whose turns ended before those of others. */
  readonly dropped?: readonly DroppedProfile[];
}

/**
 * Origins of the measures are replaced by `origin-1`, `origin-2`, ...: a report leaves the machine, addresses do not.
 * @throws PlumbfoxError bad-input as `compareProfiles` does.
 */
export function buildReport({ createdAt, provenance, links, pages, profiles, loads, baseline, dropped = [] }: ReportInput): Report {
  const { turns, plannedBlocks } = provenance;
  const comparison = compareProfiles(comparableReport({ loads, pages }), { baseline, profiles, turns, plannedBlocks });
  const endOf = (id: string) => dropped.find(({ profileId }) => profileId === id);
  return {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    metricVersion: METRIC_VERSION,
    createdAt,
    provenance,
    links,
    pages,
    profiles,
    loads: hideOrigins(loads),
    comparison: { ...comparison, profiles: comparison.profiles.map((profile) => withDrop(profile, endOf(profile.id))) },
  };
}

function withDrop(profile: ProfileComparison, drop: DroppedProfile | undefined): ProfileComparison {
  return drop === undefined ? profile : { ...profile, dropped: { because: drop.because, afterBlocks: drop.afterBlocks } };
}

/** Loads that are tried: what the newest few do not show, older ones hardly do. */
const MAX_TRIED = 5;

/**
 * A page of a report as its loads show it: its name, and what is on it where one of them shows that. Loads seen to their end and made without
 * the gateway are tried first, the newest of them.
 * @param loads in the order of their start.
 */
export function pageOfLoads(name: string, loads: readonly PageLoad[]): ReportPage {
  const newest = loads.toReversed();
  const plain = newest.filter(isPlain);
  const others = newest.filter((load) => !isPlain(load));
  for (const load of [...plain, ...others].slice(0, MAX_TRIED)) {
    const found = pageOf(load);
    if (found === undefined) continue;
    const { page, inferred } = found;
    return { name, graph: page, ...(inferred.length > 0 && { inferred }) };
  }
  return { name };
}

/** Behind the gateway the browser sees no handshake of a server, and an early end hides what would have followed. */
const isPlain = ({ observation, requests }: PageLoad): boolean =>
  observation.ended === 'quiet' && requests.every(({ wire }) => wire?.proxied !== true);

/** `undefined`: nothing of it was answered over the network. */
function pageOf(load: PageLoad): InferredPage | undefined {
  try {
    return pageFromLoad(load);
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind === 'bad-input') return undefined;
    throw error;
  }
}
