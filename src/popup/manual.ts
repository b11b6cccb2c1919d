/** The section "Set manually": shows the steps of what was chosen, copies what they need, and notifies the background when they are done. */

import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { ManualCopy, ManualStep } from '../core/profiles/about-config.ts';
import type { ManualFacts } from '../protocol/page-state.ts';
import { attempt } from '../views/attempt.ts';
import { create, pageElement, setText, show } from '../views/page.ts';
import { text } from '../views/text.ts';
import { MANUAL_WAYS, type ManualView, manualSteps, manualView, probeAddress } from './manual-view.ts';

let shown: { readonly facts: ManualFacts; readonly view: ManualView } | undefined;
/** What the steps on the page are of: they are made anew only when this changes, lest the focus is lost. */
let stepsOf = '';

const guide = () => pageElement('by-hand-guide', HTMLDetailsElement);
const profileChoice = () => pageElement('by-hand-profile', HTMLSelectElement);
const wayChoice = () => pageElement('by-hand-way', HTMLSelectElement);

/** To be called with every state; `undefined` hides the section. */
export function renderManual(facts: ManualFacts | undefined, proposed?: string): void {
  show('by-hand', facts !== undefined);
  shown = facts && { facts, view: manualView(facts, proposed) };
  if (shown === undefined) return;
  const { view } = shown;
  setText('by-hand-standing', view.standing);
  setText('by-hand-summary', view.summary);
  show('by-hand-profile-field', view.profiles !== undefined);
  show('by-hand-way-field', view.hasWays);
  setText('by-hand-done', view.done);
  setText('by-hand-after', view.after);
  setText('by-hand-probe', view.probe);
  offerProfiles(view);
  showSteps();
}

/** Once, when the popup has opened. */
export function wireManual(refresh: () => Promise<void>): void {
  profileChoice().addEventListener('input', showSteps);
  wayChoice().addEventListener('input', showSteps);
  pageElement('by-hand-done', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.manual', async () => {
      await sendRequest({ kind: 'note-by-hand', ...(shown?.view.sets && { profileId: chosen() }) });
      guide().open = false;
      pageElement('by-hand-summary', HTMLElement).focus();
      await refresh();
    }),
  );
}

/** The choice stays as it is while the same profiles are offered. */
function offerProfiles({ profiles, usual }: ManualView): void {
  const select = profileChoice();
  const ids = (profiles ?? []).map(({ id }) => id).join(' ');
  if (select.dataset.ids === ids) return;
  select.dataset.ids = ids;
  select.replaceChildren(...(profiles ?? []).map(({ id, title }) => new Option(`${id}: ${title}`, id)));
  select.value = usual;
}

const chosen = (): string => (shown?.view.profiles === undefined ? (shown?.view.usual ?? '') : profileChoice().value);

function showSteps(): void {
  if (shown === undefined) return;
  const { facts, view } = shown;
  const way = MANUAL_WAYS.find((one) => one === wayChoice().value) ?? 'about-config';
  const asked = JSON.stringify([facts.platform, way, view.sets, chosen()]);
  if (asked === stepsOf) return;
  stepsOf = asked;
  const steps = manualSteps(chosen(), { platform: facts.platform, way: view.hasWays ? way : 'about-config', sets: view.sets });
  pageElement('by-hand-steps', HTMLElement).replaceChildren(...steps.map(stepItem));
  setText('by-hand-copied', '');
}

const stepItem = ({ text: step, copies }: ManualStep): HTMLElement => create('li', {}, create('p', {}, step), ...copies.map(copyRow));

function copyRow({ what, text: copied }: ManualCopy): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text('manual.copy', { what });
  button.addEventListener('click', () => copy(button, { what, text: copied }));
  return create('div', { className: 'copy' }, create('pre', {}, copied.trimEnd()), button);
}

/** From a click no permission is needed: https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Interact_with_the_clipboard */
async function copy(button: HTMLButtonElement, { what, text: content }: ManualCopy): Promise<void> {
  for (const other of pageElement('by-hand-steps', HTMLElement).querySelectorAll<HTMLElement>('[data-what]')) {
    other.textContent = text('manual.copy', { what: other.dataset.what ?? '' });
  }
  button.dataset.what = what;
  const copied = await navigator.clipboard.writeText(content).then(
    () => true,
    () => false,
  );
  button.textContent = copied ? text('manual.copied', { what }) : text('manual.notCopied');
  setText('by-hand-copied', copied ? text('manual.copied.text', { what, text: content.trimEnd() }) : text('manual.notCopied.why'));
}

/**
 * Counting connections from a computer beside this one: the address that `plumbfox probe --listen` prints is opened in a tab, whose page shows
 * what was counted. Not from this page: its policy turns http into https, save on loopback.
 */
export function wireProbe(): void {
  const field = pageElement('probe-address', HTMLInputElement);
  field.addEventListener('input', () => field.setCustomValidity(''));
  pageElement('probe-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const url = probeAddress(field.value);
    field.setCustomValidity(url === undefined ? text('manual.probeAddress') : '');
    if (url === undefined) {
      field.reportValidity();
      return undefined;
    }
    return attempt('failed.probe', async () => {
      await browser.tabs.create({ url });
    });
  });
}
