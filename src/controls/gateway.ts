/**
 * The section of the gateway: what it does, what it has counted, and the listed sites. It asks again while the gateway is on, because its figures
 * grow.
 */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { requestGatewayPermission } from '../adapters/permissions.ts';
import { GATEWAY_PROFILES } from '../core/profiles/presets.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { DirectReason, ListedSite } from '../protocol/gateway-sites.ts';
import type { GatewayFacts } from '../protocol/helper-state.ts';
import { attempt, pageElement, refresher, reportOnPage, setOptionalText, setText, show } from '../views/page.ts';
import { profileText } from '../views/profile-text.ts';
import { text } from '../views/text.ts';

interface GatewayView {
  readonly shown: boolean;
  readonly on: boolean;
  readonly state: string;
  /** The figures of what it has carried. */
  readonly counted: string | undefined;
  /** How it ended by itself, or how a site misbehaved. */
  readonly problem: string | undefined;
  readonly sites: readonly SiteRow[];
}

interface SiteRow {
  readonly origin: string;
  /** Why it goes direct although it is listed. */
  readonly note: string | undefined;
}

/** Pure. */
export function gatewayView(facts: GatewayFacts): GatewayView {
  switch (facts.state) {
    case 'unsupported':
      return { shown: false, on: false, state: '', counted: undefined, problem: undefined, sites: [] };
    case 'off':
      return {
        shown: true,
        on: false,
        state: text('gateway.off'),
        counted: undefined,
        problem: facts.ended && endedText(facts.ended),
        sites: facts.sites.map(siteRow),
      };
    case 'on':
      return {
        shown: true,
        on: true,
        state: facts.sites.some(({ direct }) => direct === undefined)
          ? text('gateway.on', { connections: connections(facts.connections), requests: requests(facts.depth) })
          : text('gateway.noSite'),
        counted: facts.counters && countedText(facts.counters),
        problem: facts.doubt && doubtText(facts.doubt),
        sites: facts.sites.map(siteRow),
      };
  }
}

type On = Extract<GatewayFacts, { state: 'on' }>;
type Off = Extract<GatewayFacts, { state: 'off' }>;

const connections = (count: number): string => text('count.connections', { count });
const requests = (count: number): string => text('count.requests', { count });

const siteRow = ({ origin, direct }: ListedSite): SiteRow => ({ origin, note: direct && text(DIRECT[direct]) });

const DIRECT = {
  authentication: 'gateway.authentication',
  misbehaved: 'gateway.misbehaved',
  'this-machine': 'gateway.thisMachine',
  'other-proxy': 'gateway.otherProxy',
} as const satisfies Record<DirectReason, PlainId>;

function countedText({ requests: carried, mostConnections, mostDepth: depth, failures }: NonNullable<On['counters']>): string {
  if (carried === 0) return text('gateway.unused');
  const used = text('gateway.used', { requests: requests(carried), connections: connections(mostConnections), depth });
  return failures === 0 ? used : `${used} ${text('gateway.connectionsFailed', { count: failures })}`;
}

function doubtText({ answers, reloaded, left }: NonNullable<On['doubt']>): string {
  return [
    text('gateway.surplus', { count: answers }),
    ...(reloaded === 0 ? [] : [text('gateway.reloaded', { count: reloaded })]),
    ...(left === 0 ? [] : [text('gateway.formLeft', { count: left })]),
  ].join(' ');
}

function endedText({ reloaded: count }: NonNullable<Off['ended']>): string {
  return [text('gateway.ended'), ...(count === 0 ? [] : [text('gateway.ended.reloaded', { count })])].join(' ');
}

/** Often enough to see figures grow; more often would slow down the counted loads. Chosen, not measured. */
const FIGURES_EVERY_MS = 2_000;

const profileChoice = () => pageElement('gateway-profile', HTMLSelectElement);

/** Call once, when the page has opened. */
export function wireGateway(): void {
  const profile = profileChoice();
  const switchOff = pageElement('gateway-off', HTMLButtonElement);
  const site = pageElement('gateway-site', HTMLInputElement);
  profile.replaceChildren(...GATEWAY_PROFILES.map(optionFor));
  profile.addEventListener('input', () => {
    profile.dataset.touched = 'yes';
  });
  pageElement('gateway-on', HTMLButtonElement).addEventListener('click', () => {
    // Called straight from the click: Firefox does not ask otherwise.
    const allowed = requestGatewayPermission();
    return attempt('failed.gatewayOn', async () => {
      if (await allowed) render(await sendRequest({ kind: 'gateway-on', profileId: profile.value }));
      else setOptionalText('gateway-problem', text('gateway.notAllowed'));
    });
  });
  switchOff.addEventListener('click', () => attempt('failed.gatewayOff', async () => render(await sendRequest({ kind: 'gateway-off' }))));
  pageElement('gateway-list', HTMLFormElement).addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    return attempt('failed.gatewayAdd', async () => {
      render(await sendRequest({ kind: 'gateway-sites', change: { add: site.value } }));
      site.value = '';
    });
  });
  const refresh = refresher(() => attempt('failed.gatewayAsk', async () => render(await sendRequest({ kind: 'gateway-state' }))));
  setInterval(() => {
    if (!switchOff.hidden) refresh().catch(reportFault);
  }, FIGURES_EVERY_MS);
  // The background writes there when the gateway has ended by itself.
  browser.storage.session.onChanged.addListener(() => refresh());
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('focus', refresh);
  refresh().catch(reportFault);
}

/** Chooses the profile that the answer names, until the person has chosen. `undefined`: the answer names none for the gateway. */
export function proposeForGateway(profileId: string | undefined): void {
  const profile = profileChoice();
  if (profileId === undefined || profile.dataset.touched !== undefined) return;
  if (![...profile.options].some(({ value }) => value === profileId)) profile.append(optionFor(profileId));
  profile.value = profileId;
}

const reportFault = reportOnPage('failed.gatewayShown');

function render(facts: GatewayFacts): void {
  const view = gatewayView(facts);
  show('gateway', view.shown);
  setText('gateway-words', view.state);
  setOptionalText('gateway-counted', view.counted);
  setOptionalText('gateway-problem', view.problem);
  renderSites(view.sites);
  show('gateway-profile', !view.on);
  show('gateway-on', !view.on);
  show('gateway-off', view.on);
}

/** The list is not touched while nothing changes, or a press in between would be lost. */
let shownSites = '';

function renderSites(sites: readonly SiteRow[]): void {
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
    attempt('failed.gatewayRemove', async () => render(await sendRequest({ kind: 'gateway-sites', change: { remove: origin } }))),
  );
  row.append(note === undefined ? origin : text('gateway.site', { site: origin, why: note }), ' ', remove);
  return row;
}

const optionFor = (id: string): HTMLOptionElement => new Option(profileText(id), id);
