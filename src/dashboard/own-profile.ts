/** The section "Make your own": chooses preferences of the catalogue, names them, and keeps them for Apply, trials and manual steps. */
import { sendRequest } from '../adapters/messaging.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import type { OwnProfile } from '../protocol/own-profile.ts';
import { attempt, create, pageElement, removalButton, setOptionalText, setText, show } from '../views/page.ts';
import { profileText } from '../views/profile-text.ts';
import { text } from '../views/text.ts';
import { chosenSettings, chosenValue, knobView, optionLabel, ownExpression, settable } from './own-profile-view.ts';

const chosen = new Map<string, PreferenceValue>();

const knobChoice = () => pageElement('own-preference', HTMLSelectElement);
const valueChoice = () => pageElement('own-choice', HTMLSelectElement);
const valueNumber = () => pageElement('own-number', HTMLInputElement);

/** Call once. @param kept - Called with what is kept after each change. */
export function wireOwnProfiles(kept: (profiles: readonly OwnProfile[]) => void): void {
  knobChoice().replaceChildren(...settable().map((knob) => new Option(optionLabel(knob), knob.preference)));
  knobChoice().addEventListener('input', showKnob);
  pageElement('own-add', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.ownAdd', async () => {
      const preference = knobChoice().value;
      const isNumber = valueChoice().hidden;
      const value = chosenValue(preference, isNumber ? valueNumber().value : valueChoice().value);
      if (value !== undefined) chosen.set(preference, value);
      showChosen();
    }),
  );
  pageElement('own-chosen', HTMLElement).addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    chosen.delete(target.value);
    showChosen();
    knobChoice().focus();
  });
  pageElement('own-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const name = pageElement('own-name', HTMLInputElement);
    return attempt('failed.ownKeep', async () => {
      kept(await sendRequest({ kind: 'keep-own-profile', own: { name: name.value, profileId: ownExpression(chosen) } }));
      chosen.clear();
      name.value = '';
      showChosen();
      // The button that was pressed can be pressed no more.
      knobChoice().focus();
    });
  });
  pageElement('own-kept', HTMLElement).addEventListener('click', ({ target }) =>
    target instanceof HTMLButtonElement
      ? attempt('failed.ownDelete', async () => {
          kept(await sendRequest({ kind: 'drop-own-profile', name: target.value }));
          knobChoice().focus();
        })
      : undefined,
  );
  showKnob();
  showChosen();
}

function showKnob(): void {
  const view = knobView(knobChoice().value);
  if (view === undefined) return;
  setText('own-effect', view.effect);
  setText('own-bounds', view.bounds);
  setOptionalText('own-price', view.price);
  valueChoice().replaceChildren(...(view.values ?? []).map((value) => new Option(value, value)));
  valueChoice().hidden = view.values === undefined;
  valueNumber().hidden = view.values !== undefined;
}

function showChosen(): void {
  const rows = chosenSettings(chosen).map(({ preference, label, price }) =>
    create(
      'li',
      {},
      label,
      ' ',
      removalButton(preference, text('own.remove', { setting: label })),
      ...(price === undefined ? [] : [create('small', {}, price)]),
    ),
  );
  pageElement('own-chosen', HTMLElement).replaceChildren(...rows);
  show('own-chosen', rows.length > 0);
  pageElement('own-keep', HTMLButtonElement).disabled = rows.length === 0;
}

/** Lists what is kept. */
export function showOwnProfiles(profiles: readonly OwnProfile[]): void {
  const rows = profiles.map(({ name, profileId }) =>
    create(
      'li',
      {},
      create('strong', {}, name),
      `: ${profileText(profileId)} `,
      removalButton(name, text('own.delete', { name })),
      create('small', {}, profileId),
    ),
  );
  pageElement('own-kept', HTMLElement).replaceChildren(...rows);
  show('own-kept', rows.length > 0);
}
