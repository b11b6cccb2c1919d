/** What a capture has, for a person: medians by scenario and profile, and how far repeats lie apart. */
import { median } from '../../core/stats/quantile.ts';
import { spread } from './capture-plan.ts';
import type { CorpusLoad } from './corpus-load.ts';
import { CORPUS_PROFILES, CORPUS_SCENARIOS } from './scenarios.ts';

const FIRST_COLUMN = 24;
const COLUMN = 17;

/** Median load time in ms and, in brackets, the spread of its repeats in percent. */
export function overview(loads: readonly CorpusLoad[]): string {
  const valid = loads.filter((load) => load.void === undefined);
  const header = ['scenario'.padEnd(FIRST_COLUMN), ...CORPUS_PROFILES.map((profile) => profile.padStart(COLUMN))].join('');
  const lines = CORPUS_SCENARIOS.map(({ page, link }) => {
    const cells = CORPUS_PROFILES.map((profile) => {
      const times = valid.flatMap((load) =>
        load.page === page && load.link === link && load.profile === profile ? (load.figures?.loadTimeMs ?? []) : [],
      );
      const middle = median(times);
      return (middle === undefined ? '–' : `${middle.toFixed(0)} (${(100 * spread(times)).toFixed(1)} %)`).padStart(COLUMN);
    });
    return [`${page} ${link}`.padEnd(FIRST_COLUMN), ...cells].join('');
  });
  return `${[header, ...lines, `${valid.length} loads that count, ${loads.length - valid.length} excluded`].join('\n')}\n`;
}
