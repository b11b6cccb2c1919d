import type { Report } from '../../core/report/report.ts';
import type { Study } from '../studies/study.ts';
import type { StudyFindings } from '../studies/study-findings.ts';
import type { StudyLoad } from '../studies/study-load.ts';

/** What a study finds in the loads of its published report; what it asks of single requests or packets is not there. */
export function findingsOf(study: Study, { pages, links, profiles, loads }: Report): StudyFindings {
  const [measuredPages, measuredLinks] = [new Set(pages.map(({ name }) => name)), new Set(links.map(({ name }) => name))];
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  return study.findings({
    study,
    pages: study.pages.filter(({ name }) => measuredPages.has(name)),
    links: study.links.filter(({ name }) => measuredLinks.has(name)),
    loads: loads.flatMap((load): readonly StudyLoad[] => {
      const profile = byId.get(load.profileId);
      if (load.validity.state !== 'valid' || profile === undefined) return [];
      const { carrier, connections, depth, intended: preferences } = profile;
      return [{ ...load, lane: 0, lanes: 1, intended: { carrier, depth, preferences, ...(connections !== undefined && { connections }) } }];
    }),
  });
}
