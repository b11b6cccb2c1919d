/** Recorded loads in words, a row each. Measured, but for the link, which is estimated, and with it the efficiency. */
import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import type { ShownLoad, ShownLoadPrediction } from '../protocol/prediction-answer.ts';
import { type Figures, LINK_DISPROVED } from '../core/text/number-format.ts';
import { LINK_NOT_KNOWN, linkWords, type PredictionView, predictionTable, RATE_NOT_KNOWN } from '../views/prediction-view.ts';

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

/** All in words; `facts` in the order in which they are shown. */
export interface ChosenLoadView {
  readonly title: string;
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly prediction: PredictionView;
}

export function chosenLoadView(
  { load, prediction }: ShownLoadPrediction,
  { now, figures }: { readonly now: number; readonly figures: Figures },
): ChosenLoadView {
  const row = loadRow(load, { now, figures });
  const twice = load.duplicates && { term: 'Fetched twice', value: fetchedTwice(load.duplicates, figures) };
  return { title: row.page, facts: [...factsOf(row), ...(twice ? [twice] : [])], prediction: predictionOf(prediction, row, figures) };
}

const fetchedTwice = (duplicates: NonNullable<ShownLoadPrediction['load']['duplicates']>, figures: Figures): string =>
  duplicateCostText(duplicates, [{ where: 'over this link (estimated)', ms: duplicates.ms }], figures);

function factsOf({ time, profile, link, loadTime, efficiency }: LoadRow): ChosenLoadView['facts'] {
  return [
    { term: 'Loaded at', value: time },
    { term: 'Profile', value: profile },
    { term: 'Load time, measured', value: loadTime },
    { term: 'Link (estimated)', value: link },
    { term: 'Efficiency (over the estimated link)', value: efficiency },
  ];
}

function predictionOf(prediction: ShownLoadPrediction['prediction'], { link }: LoadRow, figures: Figures): PredictionView {
  const none = (status: string): PredictionView => ({ status, table: undefined });
  switch (prediction.state) {
    case 'link-not-known':
      return none(LINK_NOT_KNOWN);
    case 'rate-not-known':
      return none(RATE_NOT_KNOWN);
    case 'nothing-to-predict':
      return none(`Nothing can be predicted for this load: ${prediction.because}`);
    case 'predicted': {
      const basis = `For the page as this load found it, over ${link} (estimated), with every connection opened anew. Measured: whole loads of this page over this link, of any time; with connections still open from before they are mostly faster.`;
      return { status: undefined, table: predictionTable(prediction, { figures, basis }) };
    }
    default:
      return assertNever(prediction);
  }
}
