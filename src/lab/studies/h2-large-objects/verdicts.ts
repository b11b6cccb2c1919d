/** Whole loads of large objects against what Firefox ships, one comparison per protocol and link. Pure. */
import { compareProfiles } from '../../../core/compare/compare-profiles.ts';
import type { ProfileComparison, VersusBaseline } from '../../../core/compare/comparison.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import type { StudyData } from '../study.ts';
import { windowOf } from './cells.ts';
import { PROTOCOL_WORDS } from './words.ts';

export interface LoadVerdicts {
  /** Protocol and link. */
  readonly name: string;
  /** Intervals that hold together. */
  readonly intervals: number;
  readonly profiles: readonly ProfileComparison[];
}

/** A window acts differently on each protocol and each link. */
export function loadVerdicts({ study, pages, links, loads }: StudyData): readonly LoadVerdicts[] {
  const protocols = [...new Set(pages.map(({ servedBy }) => servedBy))];
  return protocols.flatMap((servedBy) =>
    links.flatMap((link) => {
      const names = pages.filter((page) => page.servedBy === servedBy).map(({ name }) => name);
      const own = loads.filter((load) => load.link === link.name && names.includes(load.page));
      if (!own.some(({ profileId }) => profileId === study.baseline)) return [];
      // The number of loads is fixed before the first, and they are looked at once.
      const { profiles, method } = compareProfiles(comparableLoads(own), { baseline: study.baseline, looks: 'once' });
      const name = `${PROTOCOL_WORDS[servedBy]}, ${link.name}`;
      return [{ name, intervals: method.intervals, profiles: checked(profiles, checkIds(study)) }];
    }),
  );
}

/** Profiles that set the very window that is shipped. */
function checkIds({ profiles, baseline }: StudyData['study']): readonly string[] {
  const shipped = profiles.find(({ id }) => id === baseline);
  return profiles.filter((profile) => profile !== shipped && shipped && windowOf(profile) === windowOf(shipped)).map(({ id }) => id);
}

/** No verdict where what sets what is shipped differs from it as well. */
function checked(profiles: readonly ProfileComparison[], checks: readonly string[]): readonly ProfileComparison[] {
  const differing = profiles.find(({ id, versusBaseline }) => checks.includes(id) && excludesNoChange(versusBaseline));
  if (differing === undefined) return profiles;
  const reason = `No verdict: ${differing.id}, which sets what is shipped, differs from it as well.`;
  return profiles.map((profile) =>
    checks.includes(profile.id) || profile.versusBaseline.verdict === 'baseline'
      ? profile
      : {
          ...profile,
          versusBaseline: {
            ...profile.versusBaseline,
            verdict: 'no-verdict',
            reason,
            loadsNeeded: undefined,
            loadsNeededAtMost: undefined,
          },
        },
  );
}

const excludesNoChange = ({ low, high }: VersusBaseline): boolean => (low ?? 1) > 1 || (high ?? 1) < 1;
