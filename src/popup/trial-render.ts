/** Puts the trial into popup.html. What can hold the focus stays: check boxes are made once, everything else is only shown or hidden. */

import { create, setOptionalText, setText, show } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import type { TrialSetupView } from './trial-setup-view.ts';
import type { CurrentTrialView, TrialRow, TrialView } from './trial-view.ts';

export function renderTrial(view: TrialView | undefined): void {
  show('trial', view !== undefined);
  if (view === undefined) return;
  const focused = document.activeElement;
  setOptionalText('trial-intro', view.intro);
  setOptionalText('trial-problem', view.problem);
  show('trial-current', view.current !== undefined);
  if (view.current) renderCurrent(view.current);
  show('trial-setup', view.setup !== undefined);
  if (view.setup) renderSetup(view.setup);
  if (focused?.closest('#trial') && !focused.checkVisibility()) passFocusOn();
}

/** What had the focus is gone, because it has done its work: the focus goes to what takes its place. */
function passFocusOn(): void {
  const next = ['trial-pause', 'trial-resume'].map((id) => pageElement(id, HTMLButtonElement)).find((button) => !button.hidden);
  (next ?? pageElement('trial-summary', HTMLElement)).focus();
}

function renderCurrent(view: CurrentTrialView): void {
  setText('trial-title', view.title);
  setText('trial-sentence', view.sentence);
  setText('trial-now', view.now);
  setOptionalText('trial-task', view.task);
  setOptionalText('trial-former', view.former?.text);
  pageElement('trial-former', HTMLElement).classList.toggle('problem', view.former?.isProblem === true);
  renderList('trial-warnings', view.warnings);
  renderList('trial-beside', view.beside);
  pageElement('trial-arms', HTMLElement).replaceChildren(...view.rows.map(armRow));
  show('trial-pause', view.canPause);
  show('trial-resume', view.canResume);
  show('trial-stop', view.canStop);
  if (!view.canStop) show('trial-stop-question', false);
  show('trial-policy', view.policies !== undefined);
}

function renderList(id: string, texts: readonly string[]): void {
  show(id, texts.length > 0);
  pageElement(id, HTMLElement).replaceChildren(...texts.map((text) => create('li', {}, text)));
}

function armRow({ id, note, recorded, lost, isOn }: TrialRow): HTMLElement {
  const small = [...(isOn ? ['has its turn'] : []), note].filter((text) => text !== '').join(' · ');
  return create(
    'tr',
    isOn ? { className: 'on' } : {},
    create('th', { scope: 'row' }, id, ...(small === '' ? [] : [create('small', {}, small)])),
    create('td', {}, recorded),
    create('td', {}, lost),
  );
}

function renderSetup({ explanation, legend, candidates, notOffered, hasLength, takesBack }: TrialSetupView): void {
  setOptionalText('trial-takes-back', takesBack);
  setText('trial-explanation', explanation);
  setText('trial-candidates-legend', legend);
  show('trial-length', hasLength);
  const boxes = pageElement('trial-candidates', HTMLElement);
  const ids = candidates.map(({ id }) => id).join(' ');
  if (boxes.dataset.ids === ids) return;
  boxes.dataset.ids = ids;
  boxes.replaceChildren(...candidates.map(choice));
  const reasons = notOffered.flatMap(({ id, why }) => [create('dt', {}, id), create('dd', {}, `${why}.`)]);
  pageElement('trial-not-offered', HTMLElement).replaceChildren(...reasons);
}

function choice({ id, title, isChosen }: TrialSetupView['candidates'][number]): HTMLElement {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.name = 'candidate';
  box.value = id;
  box.defaultChecked = isChosen;
  return create('label', {}, box, create('span', {}, id, create('small', {}, title)));
}
