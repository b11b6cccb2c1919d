/** One recorded load in words: what was measured, and what is predicted for its page beside it. */
import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import type { ShownLoadPrediction } from '../protocol/prediction-answer.ts';
import type { Figures } from '../views/figures.ts';
import { LINK_NOT_KNOWN, type PredictionView, predictionTable, RATE_NOT_KNOWN } from '../views/prediction-view.ts';
import { type LoadRow, loadRow } from './loads-view.ts';

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
