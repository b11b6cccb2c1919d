/** The section "Settings": what the toolbar button shows, how long loads are kept, sites that are never recorded, and names of networks. */
import { readLinkNames, writeLinkName } from '../adapters/field-storage.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { readSettings } from '../adapters/settings.ts';
import { siteTyped } from '../adapters/site-shares.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { nameOfLink } from '../core/field/field-links.ts';
import { RATE_UNITS, TIME_UNITS } from '../core/text/number-format.ts';
import type { GivenLinkNames, ShownLink } from '../protocol/field-answer.ts';
import { BADGES, type Settings } from '../protocol/settings.ts';
import { attempt, create, pageElement, removalButton, setOptionalText, setText, show } from '../views/page.ts';
import { format, text, useUnits } from '../views/text.ts';
import { redrawAll } from './drawn.ts';

/** What is offered; what was chosen otherwise is added. Chosen, not measured. */
const DAYS = [7, 30, 90, 365] as const;
const LOADS = [500, 2_000, 10_000, 40_000] as const;

const choice = (id: string) => pageElement(id, HTMLSelectElement);

interface SettingsPage {
  /** Called before that, when a network was named. */
  readonly onNamed: () => void;
  /** Called when loads were deleted, networks were named, or figures are written in other units. */
  readonly refresh: () => Promise<void>;
  /** Those of the loads, the most frequent first; `undefined`: not known yet. */
  readonly networks: () => readonly ShownLink[] | undefined;
}

export interface SettingsSection {
  /** Lists the networks again, unless one is being named. */
  readonly showNames: () => Promise<void>;
}

/** Call once. */
export async function wireSettings({ onNamed, refresh, networks }: SettingsPage): Promise<SettingsSection> {
  const section = pageElement('settings', HTMLDetailsElement);
  const names = async () => {
    const links = networks();
    if (section.open && links !== undefined) renderNames(await readLinkNames(), links);
  };
  section.addEventListener('toggle', () => attempt('failed.settings', names));
  choice('settings-badge').addEventListener('change', () =>
    attempt('failed.change', async () => {
      const badge = BADGES.find((one) => one === choice('settings-badge').value);
      if (badge !== undefined) await change({ badge });
    }),
  );
  for (const id of ['settings-time', 'settings-rate'])
    choice(id).addEventListener('change', () =>
      attempt('failed.change', async () => {
        const timeUnit = TIME_UNITS.find((unit) => unit === choice('settings-time').value);
        const rateUnit = RATE_UNITS.find((unit) => unit === choice('settings-rate').value);
        if (timeUnit === undefined || rateUnit === undefined) return;
        await change({ timeUnit, rateUnit });
        redrawAll();
        await Promise.all([names(), refresh()]);
      }),
    );
  for (const id of ['settings-days', 'settings-loads']) choice(id).addEventListener('change', () => show('settings-keep', true));
  pageElement('settings-keep', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.change', async () => {
      await change({ keepDays: limitOf('settings-days'), keepLoads: limitOf('settings-loads') });
      choice('settings-days').focus();
      await refresh();
    }),
  );
  wireNever(refresh);
  wireNames(async (id, name) => {
    const link = [...(networks() ?? []), ...(await readLinkNames())].find((one) => String(one.id) === id);
    if (link !== undefined) await writeLinkName(link, name);
    onNamed();
    await Promise.all([names(), refresh()]);
  });
  await attempt('failed.settings', async () => {
    render(await readSettings());
    await names();
  });
  return { showNames: () => (isNaming() ? Promise.resolve() : attempt('failed.settings', names)) };
}

const namesList = () => pageElement('names-list', HTMLElement);
/** Something is typed that is not kept yet. */
const isNaming = (): boolean => [...namesList().querySelectorAll('input')].some((field) => field.value !== field.defaultValue);

const limitOf = (id: string): number | 'no-limit' => (choice(id).value === '' ? 'no-limit' : Number(choice(id).value));

async function change(wanted: Partial<Settings>): Promise<void> {
  render(await sendRequest({ kind: 'change-settings', change: wanted as never }));
}

function render(settings: Settings): void {
  const { badge, keepDays, keepLoads, neverRecorded, isListLost, timeUnit, rateUnit } = settings;
  choice('settings-badge').value = badge;
  choice('settings-time').value = timeUnit;
  choice('settings-rate').value = rateUnit;
  useUnits(settings);
  fill('settings-days', { offered: DAYS, chosen: keepDays, label: (count) => text('settings.days', { count }) });
  fill('settings-loads', {
    offered: LOADS,
    chosen: keepLoads,
    label: (count) => text('settings.newest', { loads: text('count.loads', { count }) }),
  });
  show('settings-keep', false);
  const rows = neverRecorded.map((site) =>
    create('li', {}, create('bdi', {}, site), ' ', removalButton(site, text('settings.record', { site }))),
  );
  pageElement('never-list', HTMLElement).replaceChildren(...rows);
  show('never-list', rows.length > 0);
  show('never-lost', isListLost);
}

interface Choices {
  readonly offered: readonly number[];
  readonly chosen: number | 'no-limit';
  readonly label: (value: number) => string;
}

function fill(id: string, { offered, chosen, label }: Choices): void {
  const values = [...new Set(chosen === 'no-limit' ? offered : [...offered, chosen])].sort((a, b) => a - b);
  choice(id).replaceChildren(new Option(text('settings.noLimit'), ''), ...values.map((value) => new Option(label(value), String(value))));
  choice(id).value = chosen === 'no-limit' ? '' : String(chosen);
}

/** The site whose loads are offered to be deleted. */
let offeredSite: string | undefined;

function wireNever(refresh: () => Promise<void>): void {
  const field = pageElement('never-site', HTMLInputElement);
  pageElement('never-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    return attempt('failed.never', async () => {
      const site = siteTyped(field.value);
      if (site === undefined) throw new PlumbfoxError('bad-input', text('settings.noSite'));
      const { neverRecorded } = await readSettings();
      await change({ neverRecorded: [...new Set([...neverRecorded, site])].sort() });
      field.value = '';
      await offerDeletion(site);
    });
  });
  pageElement('never-list', HTMLElement).addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return undefined;
    return attempt('failed.change', async () => {
      const { neverRecorded } = await readSettings();
      await change({ neverRecorded: neverRecorded.filter((site) => site !== target.value) });
      field.focus();
    });
  });
  pageElement('never-complete', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.change', async () => {
      await change({ isListLost: false });
      field.focus();
      await refresh();
    }),
  );
  pageElement('never-keep', HTMLButtonElement).addEventListener('click', () => {
    show('never-question', false);
    field.focus();
  });
  pageElement('never-delete', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.delete', async () => {
      if (offeredSite === undefined) return;
      const { deleted } = await sendRequest({ kind: 'delete-site', site: offeredSite });
      show('never-question', false);
      setOptionalText('never-outcome', text('records.deleted', { count: deleted }));
      field.focus();
      await refresh();
    }),
  );
}

async function offerDeletion(site: string): Promise<void> {
  const { loads } = await sendRequest({ kind: 'count-site', site });
  offeredSite = site;
  setOptionalText('never-outcome', loads > 0 ? undefined : text('settings.noneStored', { site }));
  setText('never-words', text('settings.stored', { count: loads, site }));
  show('never-question', loads > 0);
  if (loads > 0) pageElement('never-keep', HTMLButtonElement).focus();
}

/** @param rename - Takes the id of a network as text; an empty name removes it. */
function wireNames(rename: (id: string, name: string) => Promise<void>): void {
  namesList().addEventListener('change', ({ target }) =>
    target instanceof HTMLInputElement ? attempt('failed.name', () => rename(target.name, target.value)) : undefined,
  );
  namesList().addEventListener('click', ({ target }) =>
    target instanceof HTMLButtonElement
      ? attempt('failed.name', async () => {
          await rename(target.value, '');
          pageElement('settings-badge', HTMLSelectElement).focus();
        })
      : undefined,
  );
}

interface NameRow {
  readonly row: HTMLElement;
  readonly field: HTMLInputElement;
  readonly estimated: HTMLElement;
  readonly removal: HTMLButtonElement;
}
/** The rows that were made, by the network's id. */
const nameRows = new Map<number, NameRow>();

/**
 * Names the networks. Rows stay, and with them the focus and what is typed. Named networks of which there are no loads any more come last: their names
 * can be removed.
 */
function renderNames(names: GivenLinkNames, networks: readonly ShownLink[]): void {
  // What was named just now is not among what is known of the loads yet.
  const own = networks.map((link) => nameOfLink(link, names));
  const gone = names.filter((name) => !own.includes(name));
  const named = [...networks.map((link, at) => ({ ...link, name: own[at]?.name ?? '' })), ...gone];
  const rows = named.map(nameRow);
  const list = namesList();
  const focused = document.activeElement;
  if (rows.length !== list.children.length || rows.some((row, at) => row !== list.children[at])) list.replaceChildren(...rows);
  // An element that is moved loses the focus.
  if (focused instanceof HTMLElement && focused !== document.activeElement && list.contains(focused)) focused.focus();
  show('names', rows.length > 0);
}

function nameRow({ id, name, rttMs, downKbps }: GivenLinkNames[number]): HTMLElement {
  const held = nameRows.get(id) ?? newNameRow(id);
  nameRows.set(id, held);
  const { row, field, estimated, removal } = held;
  // What is typed stays until it is kept.
  if (field.value === field.defaultValue || field.value.trim() === name) field.value = name;
  field.defaultValue = name;
  const figures = [format.duration(rttMs), ...(downKbps === undefined ? [] : [format.rate(downKbps)])].join(', ');
  field.setAttribute('aria-label', text('settings.nameOf', { figures }));
  estimated.textContent = text('settings.estimated', { figures });
  removal.setAttribute('aria-label', text('own.remove', { setting: name }));
  if (name === '') removal.remove();
  else if (!removal.isConnected) row.append(removal);
  return row;
}

function newNameRow(id: number): NameRow {
  const field = document.createElement('input');
  field.name = String(id);
  field.maxLength = 40;
  const [estimated, removal] = [create('small', {}), removalButton(String(id), '')];
  return { row: create('li', {}, field, ' ', estimated, ' '), field, estimated, removal };
}
