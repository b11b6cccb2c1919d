/** The section "Guess ahead": a switch for what an ordinary extension may set, and the way back. */
import {
  clearNetworkPrediction,
  mayOfferNetworkPrediction,
  networkPrediction,
  requestNetworkPrediction,
  setNetworkPrediction,
} from '../adapters/network-prediction.ts';
import { setText, show } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import { guessAheadView } from './guess-ahead-view.ts';
import type { ByHandActions } from './manual.ts';

const toggle = () => pageElement('guess-ahead-switch', HTMLInputElement);

/** `wanted`: nothing better can change preferences here. What Plumbfox has set is shown in any case, so that it can be taken back. */
export async function renderGuessAhead(wanted: boolean): Promise<void> {
  if (!mayOfferNetworkPrediction()) return show('guess-ahead', false);
  let now: Awaited<ReturnType<typeof networkPrediction>>;
  try {
    now = await networkPrediction();
  } catch (error) {
    show('guess-ahead', true);
    return setText('guess-ahead-state', `Firefox does not say: ${error instanceof Error ? error.message : String(error)}`);
  }
  show('guess-ahead', wanted || now?.control === 'ours');
  const view = guessAheadView(now);
  setText('guess-ahead-state', view.state);
  show('guess-ahead-allow', view.canAllow);
  show('guess-ahead-field', view.isOn !== undefined);
  show('guess-ahead-undo', view.canGoBack);
  toggle().checked = view.isOn === true;
}

/** Once, when the popup has opened. */
export function wireGuessAhead({ attempt, refresh }: ByHandActions): void {
  const change = (what: string, work: () => Promise<unknown>) =>
    attempt(what, async () => {
      try {
        await work();
      } finally {
        await refresh();
      }
    });
  toggle().addEventListener('input', () => change('It could not be changed', () => setNetworkPrediction(toggle().checked)));
  pageElement('guess-ahead-undo', HTMLButtonElement).addEventListener('click', () =>
    change('It could not be put back', async () => {
      await clearNetworkPrediction();
      toggle().focus();
    }),
  );
  pageElement('guess-ahead-allow', HTMLButtonElement).addEventListener('click', () => {
    // Before anything else: Firefox asks only where a click led straight to it.
    const answer = requestNetworkPrediction();
    return change('Firefox refused the question', () => answer);
  });
}
