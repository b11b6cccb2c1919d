/** The comparisons of the study of modern defaults: one for each protocol and link, and one for each protocol over all links. Pure. */
import { compareProfiles } from '../../../core/compare/compare-profiles.ts';
import type { Comparison } from '../../../core/compare/comparison.ts';
import { DEFAULT_ALPHA } from '../../../core/compare/thresholds.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { mean } from '../../../core/stats/mean.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { ServedBy } from '../../pages/served-by.ts';
import type { StudyData, StudyLoad } from '../study.ts';

export interface ProtocolFindings {
  readonly servedBy: ServedBy;
  /** Of the requests whose version is known, those over HTTP/1.1, the only version that the limit on connections affects; absent: none is known. */
  readonly http1Share?: number;
  /** Over all links. */
  readonly overall: Comparison;
  readonly links: readonly { readonly link: LinkSpec; readonly comparison: Comparison }[];
}

/** What Firefox ships, set explicitly: no honest comparison may call it better or worse. */
export const SAME_AS_SHIPPED = 'c6-d1';

/** Intervals that hold together: those of every protocol, over all links and by link. */
export const intervalsTogether = (protocols: readonly ProtocolFindings[]): number =>
  protocols
    .flatMap(({ overall, links }) => [overall, ...links.map(({ comparison }) => comparison)])
    .reduce((sum, { method }) => sum + method.intervals, 0);

/** As tables and sentences have them; what serves it makes no difference to the name. */
export const PROTOCOL_NAMES: Readonly<Record<ServedBy, string>> = {
  embedded: 'HTTP/1.1 without TLS',
  nginx: 'HTTP/1.1 without TLS',
  https: 'HTTP/1.1',
  http2: 'HTTP/2',
  http3: 'HTTP/3',
};

/** Those protocols of which there are loads with the baseline and with another profile. */
export function protocolFindings(data: StudyData): readonly ProtocolFindings[] {
  const scenarios = groups(data);
  // Every comparison is looked for a winner, so all of them share the chance of an error.
  const alpha =
    DEFAULT_ALPHA /
    Math.max(
      1,
      scenarios.reduce((sum, { links }) => sum + links.length + 1, 0),
    );
  return scenarios.map(({ servedBy, loads, links }) => {
    const http1Share = http1ShareOf(loads);
    return {
      servedBy,
      ...(http1Share !== undefined && { http1Share }),
      overall: comparison(data, loads, alpha),
      links: links.map((link) => ({
        link,
        comparison: comparison(
          data,
          loads.filter((load) => load.link === link.name),
          alpha,
        ),
      })),
    };
  });
}

interface ProtocolLoads {
  readonly servedBy: ServedBy;
  readonly loads: readonly StudyLoad[];
  readonly links: readonly LinkSpec[];
}

function groups({ study, pages, links, loads }: StudyData): readonly ProtocolLoads[] {
  return [...new Set(pages.map(({ servedBy }) => servedBy))].flatMap((servedBy) => {
    const names = new Set(pages.filter((page) => page.servedBy === servedBy).map(({ name }) => name));
    const own = loads.filter(({ page }) => names.has(page));
    const compared = links.filter(({ name }) => {
      const profiles = new Set(own.filter(({ link }) => link === name).map(({ profileId }) => profileId));
      return profiles.has(study.baseline) && profiles.size > 1;
    });
    return compared.length === 0 ? [] : [{ servedBy, loads: own, links: compared }];
  });
}

/** The number of loads is fixed before the first, and they are looked at once. */
const comparison = ({ study }: StudyData, loads: readonly StudyLoad[], alpha: number): Comparison =>
  compareProfiles(comparableLoads(loads), { baseline: study.baseline, looks: 'once', alpha });

function http1ShareOf(loads: readonly StudyLoad[]): number | undefined {
  const shares = loads.flatMap(({ measures }) => {
    const versions = measures?.httpVersions ?? {};
    return Object.keys(versions).length === 0 ? [] : [(versions['http/1.1'] ?? 0) + (versions['http/1.0'] ?? 0)];
  });
  return shares.length === 0 ? undefined : mean(shares);
}
