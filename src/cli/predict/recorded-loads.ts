/** What a report measured, to stand beside what is predicted for it. */
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import type { Report } from '../../core/report/report.ts';
import type { RecordedLoads } from '../../core/simulate/beside-record.ts';
import { median } from '../../core/stats/median.ts';

/** Of Firefox's own settings, page by page and link by link: the median of loads that count and were seen to their end. */
export function recordedLoads({ loads, pages, links }: Pick<Report, 'loads' | 'pages' | 'links'>): readonly RecordedLoads[] {
  const whole = loads.flatMap(({ profileId, page, link, validity, measures }) =>
    profileId === BASELINE_ID && validity.state === 'valid' && measures !== undefined && measures.cutShort === undefined
      ? [{ page, link, loadTimeMs: measures.loadTimeMs }]
      : [],
  );
  return pages.flatMap((page) =>
    links.flatMap((link) => {
      const times = whole.filter((load) => load.page === page.name && load.link === link.name).map(({ loadTimeMs }) => loadTimeMs);
      const loadTimeMs = median(times);
      return loadTimeMs === undefined
        ? []
        : [{ page: page.name, link: link.name, profileId: BASELINE_ID, loads: times.length, loadTimeMs }];
    }),
  );
}
