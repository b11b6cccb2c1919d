/** The section of prefetching and early connections: a switch for what an ordinary extension may set, and its undo. */
import {
  clearPrefetch,
  mayOfferPrefetch,
  type PrefetchSetting,
  readPrefetch,
  requestPrefetchPermission,
  setPrefetch,
} from '../adapters/prefetch.ts';
import { assertNever } from '../core/errors.ts';
import type { PlainId } from '../core/text/messages.ts';
import { attempt, pageElement, reasonOf, setText, show } from '../views/page.ts';
import { text } from '../views/text.ts';

const toggle = () => pageElement('prefetch-switch', HTMLInputElement);

/** `wanted`: nothing better can change preferences here. A setting made by Plumbfox is shown in any case, so that it can be undone. */
export async function renderPrefetch(wanted: boolean): Promise<void> {
  if (!mayOfferPrefetch()) return show('prefetch', false);
  let now: Awaited<ReturnType<typeof readPrefetch>>;
  try {
    now = await readPrefetch();
  } catch (error) {
    show('prefetch', true);
    return setText('prefetch-state', text('failed.prefetchRead', { why: reasonOf(error) }));
  }
  show('prefetch', wanted || now?.control === 'ours');
  const view = prefetchView(now);
  setText('prefetch-state', view.state);
  show('prefetch-allow', view.canAllow);
  show('prefetch-field', view.isOn !== undefined);
  show('prefetch-undo', view.canGoBack);
  toggle().checked = view.isOn === true;
}

/** Call once, when the page has opened. */
export function wirePrefetch(refresh: () => Promise<void>): void {
  const change = (what: PlainId, work: () => Promise<unknown>) =>
    attempt(what, async () => {
      try {
        await work();
      } finally {
        await refresh();
      }
    });
  toggle().addEventListener('input', () => change('failed.change', () => setPrefetch(toggle().checked)));
  pageElement('prefetch-undo', HTMLButtonElement).addEventListener('click', () =>
    change('failed.undo', async () => {
      await clearPrefetch();
      toggle().focus();
    }),
  );
  pageElement('prefetch-allow', HTMLButtonElement).addEventListener('click', () => {
    // Called straight from the click: Firefox does not ask otherwise.
    const answer = requestPrefetchPermission();
    return change('failed.ask', () => answer);
  });
}

interface PrefetchView {
  readonly state: string;
  /** The permission has to be requested first. */
  readonly canAllow: boolean;
  /** Absent: it cannot be switched. */
  readonly isOn: boolean | undefined;
  readonly canGoBack: boolean;
}

/** Whether Firefox prefetches, who controls that, and what the person can do. `undefined`: the permission was not given. Pure. */
export function prefetchView(now: PrefetchSetting | undefined): PrefetchView {
  if (now === undefined) return { state: '', canAllow: true, isOn: undefined, canGoBack: false };
  const { enabled, control, before } = now;
  const label = (isOn: boolean) => text(isOn ? 'prefetch.on' : 'prefetch.off');
  const state = label(enabled);
  const fixed = { canAllow: false, isOn: undefined, canGoBack: false };
  switch (control) {
    case 'ours':
      return {
        state: before === undefined ? text('prefetch.ours', { state }) : text('prefetch.ours.before', { state, before: label(before) }),
        canAllow: false,
        isOn: enabled,
        canGoBack: true,
      };
    case 'free':
      return { ...fixed, state: text('prefetch.free', { state }), isOn: enabled };
    case 'others':
      return { ...fixed, state: text('prefetch.others', { state }) };
    case 'locked':
      return { ...fixed, state: text('prefetch.locked', { state }) };
    default:
      return assertNever(control);
  }
}
