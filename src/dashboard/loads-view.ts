/** Recorded loads in words, a row each. Measured, but for the link, which is estimated, and with it the efficiency. */
import { assertNever } from '../core/errors.ts';
import type { ShownLoad } from '../protocol/prediction-answer.ts';
import { type Figures, LINK_DISPROVED } from '../views/figures.ts';
import { linkWords } from '../views/prediction-view.ts';

/** Words for one row; `id` is the load's, for whoever chooses it. */
export interface LoadRow {
  readonly id: string;
  readonly page: string;
  readonly time: string;
  readonly link: string;
  readonly profile: string;
  readonly loadTime: string;
  readonly efficiency: string;
}

/** `now`: wall clock, ms since the epoch, which decides whether a day is told. */
export function loadRow(load: ShownLoad, { now, figures }: { readonly now: number; readonly figures: Figures }): LoadRow {
  return {
    id: load.id,
    page: pageLabel(load.url),
    time: figures.clock(load.startedAt, now),
    link: load.link === undefined ? 'not known' : linkWords(load.link),
    profile: load.standing === 'not-as-intended' ? `${load.profileId}, not in effect` : load.profileId,
    loadTime: loadTimeWords(load, figures),
    efficiency: load.efficiency !== undefined ? figures.percent(load.efficiency) : load.linkDisproved ? LINK_DISPROVED : 'not known',
  };
}

function loadTimeWords({ standing, loadTimeMs }: ShownLoad, figures: Figures): string {
  const time = loadTimeMs === undefined ? 'not known' : figures.duration(loadTimeMs);
  switch (standing) {
    case 'whole':
    case 'not-as-intended':
      return time;
    case 'cut-short':
      return loadTimeMs === undefined ? time : `at least ${time}`;
    case 'unmeasurable':
      return 'not known';
    default:
      return assertNever(standing);
  }
}

/** Host and path: what follows `?` and `#` may be nobody else's business, and tells little. */
export function pageLabel(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'a page without an address';
  if (parsed.host === '') return `a page without a host (${parsed.protocol})`;
  return `${parsed.host}${parsed.pathname === '/' ? '' : decoded(parsed.pathname)}`;
}

/** As a person reads it; a path that is no valid UTF-8 as it is. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
