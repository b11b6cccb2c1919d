/** The section "Guess ahead": a switch for what an ordinary extension may set, and the way back. */
import {
  clearPrefetch,
  mayOfferPrefetch,
  type PrefetchSetting,
  readPrefetch,
  requestPrefetchPermission,
  setPrefetch,
} from '../adapters/prefetch.ts';
import { assertNever } from '../core/errors.ts';
import { pageElement, setText, show } from '../views/page.ts';
import type { ManualActions } from './manual.ts';

const toggle = () => pageElement('guess-ahead-switch', HTMLInputElement);

/** `wanted`: nothing better can change preferences here. What Plumbfox has set is shown in any case, so that it can be taken back. */
export async function renderGuessAhead(wanted: boolean): Promise<void> {
  if (!mayOfferPrefetch()) return show('guess-ahead', false);
  let now: Awaited<ReturnType<typeof readPrefetch>>;
  try {
    now = await readPrefetch();
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
export function wireGuessAhead({ attempt, refresh }: ManualActions): void {
  const change = (what: string, work: () => Promise<unknown>) =>
    attempt(what, async () => {
      try {
        await work();
      } finally {
        await refresh();
      }
    });
  toggle().addEventListener('input', () => change('It could not be changed', () => setPrefetch(toggle().checked)));
  pageElement('guess-ahead-undo', HTMLButtonElement).addEventListener('click', () =>
    change('It could not be put back', async () => {
      await clearPrefetch();
      toggle().focus();
    }),
  );
  pageElement('guess-ahead-allow', HTMLButtonElement).addEventListener('click', () => {
    // Before anything else: Firefox asks only where a click led straight to it.
    const answer = requestPrefetchPermission();
    return change('Firefox refused the question', () => answer);
  });
}

/** Guessing ahead, in words: whether Firefox does it, who says so, and what may be done about it. Pure. */
interface GuessAheadView {
  readonly state: string;
  /** The permission has to be asked for first. */
  readonly canAllow: boolean;
  /** Absent: it cannot be switched. */
  readonly isOn: boolean | undefined;
  readonly canGoBack: boolean;
}

/** `undefined`: the permission was not given. */
export function guessAheadView(now: PrefetchSetting | undefined): GuessAheadView {
  if (now === undefined) return { state: '', canAllow: true, isOn: undefined, canGoBack: false };
  const { enabled, control, before } = now;
  const isOn = enabled ? 'On' : 'Off';
  switch (control) {
    case 'ours':
      return {
        state: `${isOn}: set by Plumbfox${before === undefined ? '' : `; ${before ? 'on' : 'off'} before`}.`,
        canAllow: false,
        isOn: enabled,
        canGoBack: true,
      };
    case 'free':
      return { state: `${isOn}: not set by Plumbfox.`, canAllow: false, isOn: enabled, canGoBack: false };
    case 'others':
      return {
        state: `${isOn}: another extension has set it, so it cannot be changed here.`,
        canAllow: false,
        isOn: undefined,
        canGoBack: false,
      };
    case 'locked':
      return { state: `${isOn}: an enterprise policy has locked it.`, canAllow: false, isOn: undefined, canGoBack: false };
    default:
      return assertNever(control);
  }
}
