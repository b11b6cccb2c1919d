/**
 * Puts a `PopupView` into popup.html. What can hold the focus is in the page already and only shown, hidden or renamed,
 * so a refresh never moves the focus or closes what is open. Text is only ever set as text.
 */

import { renderAnswer } from '../views/answer-render.ts';
import { create, setOptionalText, setText, show } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import type { RecordingView } from '../views/recording-view.ts';
import { type ComparisonRow, type ComparisonView, chosenGroup } from './comparison-view.ts';
import type { LoadView } from './load-view.ts';
import type { PopupView } from './popup-view.ts';
import type { ProfileView } from './profile-view.ts';
import { renderTrial } from './trial-render.ts';

/** @param protocol - The group of the comparison that the person chose; absent: none. */
export function render(view: PopupView, protocol: string | undefined): void {
  renderRecording(view.recording);
  setOptionalText('loss-text', view.loss);
  show('loss', view.loss !== undefined);
  renderAnswer(view.answer);
  show('answer-trial', view.answer.offersTrial);
  renderProfile(view.profile);
  renderTrial(view.trial);
  renderLoad(view.load);
  renderComparison(view.comparison, protocol);
  setOptionalText('comparison-status', view.comparisonStatus);
  renderRecords(view.records);
  show('content', true);
}

function renderRecording(view: RecordingView): void {
  const section = pageElement('recording', HTMLElement);
  section.classList.toggle('good', view.tone === 'good');
  section.classList.toggle('problem', view.tone === 'problem');
  setText('recording-title', view.title);
  setText('recording-detail', view.detail);
  show('grant', view.offerPermission);
  show('rescue', view.offerSalvage);
  if (!view.offerPermission) show('grant-hint', false);
}

function renderProfile(view: ProfileView): void {
  setText('profile-title', view.title);
  setOptionalText('profile-id', view.id);
  setText('profile-applied-by', view.appliedBy);
  setText('profile-depth', view.depth.text);
  pageElement('profile-depth', HTMLElement).classList.toggle('warning', view.depth.tone === 'warning');
  pageElement('failures', HTMLElement).replaceChildren(...view.failures.map((text) => create('p', {}, text)));
  show('failures', view.failures.length > 0);
  show('mismatches', view.mismatches !== undefined);
  setText('mismatches-heading', view.mismatches?.heading ?? '');
  const items = (view.mismatches?.preferences ?? []).map((preference) => create('li', {}, create('code', {}, preference)));
  pageElement('mismatches-list', HTMLElement).replaceChildren(...items);
}

function renderLoad(load: PopupView['load']): void {
  setOptionalText('load-empty', load.state === 'empty' ? load.text : undefined);
  show('load', load.state === 'known');
  if (load.state === 'known') renderKnownLoad(load.view);
}

function renderKnownLoad(view: LoadView): void {
  setText('load-page', view.page);
  setText('load-age', view.age);
  setText('load-time', view.loadTime);
  setText('load-efficiency', view.efficiency.value);
  setText('load-explanation', view.efficiency.explanation);
  const findings = view.findings.map(({ text, tone }) => create('li', { className: tone }, text));
  pageElement('load-findings', HTMLElement).replaceChildren(...findings);
  const facts = view.facts.map(({ term, value }) => create('div', {}, create('dt', {}, term), create('dd', {}, value)));
  pageElement('load-facts', HTMLElement).replaceChildren(...facts);
}

function renderComparison(comparison: PopupView['comparison'], protocol: string | undefined): void {
  setOptionalText('comparison-empty', comparison.state === 'empty' ? comparison.text : undefined);
  const known = comparison.state === 'known';
  show('comparison', known);
  if (known) renderKnownComparison(comparison.view, protocol);
}

function renderKnownComparison(view: ComparisonView, protocol: string | undefined): void {
  const group = chosenGroup(view, protocol);
  renderGroupChoice(view, group.key);
  show('chart-frame', group.bars.length > 0);
  setText('comparison-caption', group.caption);
  setText('against-heading', `Against ${view.baseline}`);
  pageElement('comparison-rows', HTMLElement).replaceChildren(...group.rows.map(tableRow));
  setOptionalText('comparison-control', group.control);
  setOptionalText('comparison-excluded', view.excluded);
  const reasons = group.rows
    .filter(({ reason }) => reason !== '')
    .flatMap(({ id, reason }) => [create('dt', {}, id), create('dd', {}, reason)]);
  pageElement('comparison-reasons', HTMLElement).replaceChildren(...reasons);
}

/** A choice that is open must not close because a load was stored: its options are made anew only where they differ. */
function renderGroupChoice({ groups }: ComparisonView, chosen: string): void {
  show('comparison-protocols', groups.length > 1);
  const choice = pageElement('comparison-protocol', HTMLSelectElement);
  const shown = [...choice.options].map(({ value, text }) => `${value} ${text}`).join();
  if (shown !== groups.map(({ key, label }) => `${key} ${label}`).join())
    choice.replaceChildren(...groups.map(({ key, label }) => new Option(label, key)));
  choice.value = chosen;
}

function tableRow(row: ComparisonRow): HTMLElement {
  const small = (text: string) => (text === '' ? [] : [create('small', {}, text)]);
  return create(
    'tr',
    { className: row.kind },
    create('th', { scope: 'row' }, row.id, ...small(row.note)),
    create('td', {}, row.efficiency),
    create('td', {}, row.loadTime),
    create('td', {}, create('span', { className: `verdict ${row.verdict.tone}` }, row.verdict.word), ...small(row.change)),
  );
}

function renderRecords(view: PopupView['records']): void {
  setText('records-text', view.text);
  setText('delete-words', view.deleteQuestion);
  pageElement('export', HTMLButtonElement).disabled = !view.canExport;
  pageElement('delete', HTMLButtonElement).disabled = !view.canDelete;
}
