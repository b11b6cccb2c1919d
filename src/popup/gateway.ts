/** The popup's section of the gateway: asks by itself, and again while it is on, because its figures grow. */

import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { requestGatewayPermission } from '../adapters/permissions.ts';
import { GATEWAY_PROFILES, profileLabel } from '../core/profiles/presets.ts';
import type { GatewayFacts } from '../protocol/helper-state.ts';
import { attempt, reportOnPage } from '../views/attempt.ts';
import { pageElement } from '../views/page.ts';
import { refresher } from '../views/refresher.ts';
import { text } from '../views/text.ts';
import { gatewayView, type SiteRow } from './gateway-view.ts';

/** A person sees figures grow; oftener costs the loads that are counted. Our own choice. */
const FIGURES_EVERY_MS = 2_000;

const profile = pageElement('gateway-profile', HTMLSelectElement);
const switchOn = pageElement('gateway-on', HTMLButtonElement);
const switchOff = pageElement('gateway-off', HTMLButtonElement);
const site = pageElement('gateway-site', HTMLInputElement);

/** Once, when the popup has opened. */
export function wireGateway(): void {
  profile.replaceChildren(...GATEWAY_PROFILES.map(optionFor));
  profile.addEventListener('input', () => {
    profile.dataset.touched = 'yes';
  });
  switchOn.addEventListener('click', () => {
    // Straight from the click: Firefox refuses the question without it.
    const allowed = requestGatewayPermission();
    return attempt('failed.gatewayOn', async () => {
      if (await allowed) show(await sendRequest({ kind: 'gateway-on', profileId: profile.value }));
      else say('gateway-problem', text('gateway.notAllowed'));
    });
  });
  switchOff.addEventListener('click', () => attempt('failed.gatewayOff', async () => show(await sendRequest({ kind: 'gateway-off' }))));
  pageElement('gateway-list', HTMLFormElement).addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    return attempt('failed.gatewayAdd', async () => {
      show(await sendRequest({ kind: 'gateway-sites', change: { add: site.value } }));
      site.value = '';
    });
  });
  const refresh = refresher(() => attempt('failed.gatewayAsk', async () => show(await sendRequest({ kind: 'gateway-state' }))));
  setInterval(() => {
    if (!switchOff.hidden) refresh().catch(reportFault);
  }, FIGURES_EVERY_MS);
  // The background notes there when the gateway has ended by itself.
  browser.storage.session.onChanged.addListener(() => refresh());
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('focus', refresh);
  refresh().catch(reportFault);
}

/** Chooses what the answer names, until the person has chosen. `undefined`: it names nothing that the gateway carries. */
export function proposeForGateway(profileId: string | undefined): void {
  if (profileId === undefined || profile.dataset.touched !== undefined) return;
  if (![...profile.options].some(({ value }) => value === profileId)) profile.append(optionFor(profileId));
  profile.value = profileId;
}

const reportFault = reportOnPage('failed.gatewayShown');

function show(facts: GatewayFacts): void {
  const view = gatewayView(facts);
  pageElement('gateway', HTMLElement).hidden = !view.shown;
  pageElement('gateway-words', HTMLElement).textContent = view.words;
  say('gateway-counted', view.counted);
  say('gateway-problem', view.problem);
  showSites(view.sites);
  profile.hidden = view.on;
  switchOn.hidden = view.on;
  switchOff.hidden = !view.on;
}

/** Left alone while nothing changes: a press in between would be lost. */
let shownSites = '';

function showSites(sites: readonly SiteRow[]): void {
  const now = JSON.stringify(sites);
  if (now === shownSites) return;
  shownSites = now;
  pageElement('gateway-sites', HTMLUListElement).replaceChildren(...sites.map(rowOf));
}

function rowOf({ origin, note }: SiteRow): HTMLLIElement {
  const row = document.createElement('li');
  const remove = document.createElement('button');
  remove.type = 'button';
  remove.textContent = text('gateway.remove');
  remove.setAttribute('aria-label', text('gateway.remove.site', { site: origin }));
  remove.addEventListener('click', () =>
    attempt('failed.gatewayRemove', async () => show(await sendRequest({ kind: 'gateway-sites', change: { remove: origin } }))),
  );
  row.append(note === undefined ? origin : text('gateway.site', { site: origin, why: note }), ' ', remove);
  return row;
}

function say(id: string, words: string | undefined): void {
  const element = pageElement(id, HTMLElement);
  element.hidden = words === undefined;
  element.textContent = words ?? '';
}

function optionFor(id: string): HTMLOptionElement {
  const option = document.createElement('option');
  option.value = id;
  option.textContent = profileLabel(id);
  return option;
}
