/** The section "Set manually": the state of a profile that the user sets, the steps to set or undo one, and what the steps copy. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { assertNever } from '../core/errors.ts';
import { aboutConfigSteps, aboutConfigUndo, type ManualCopy, type ManualStep } from '../core/profiles/about-config.ts';
import { ANDROID_PACKAGES, geckoviewConfigSteps, geckoviewConfigUndo } from '../core/profiles/geckoview-config-yaml.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { pricesOf } from '../core/profiles/profile-price.ts';
import type { ManualFacts } from '../protocol/page-state.ts';
import { attempt, create, pageElement, setText, show } from '../views/page.ts';
import { priceText } from '../views/price-question.ts';
import { profileText, titleText } from '../views/profile-text.ts';
import { fixedText, text } from '../views/text.ts';

/** Firefox's own page of preferences, or adb on a computer for that channel of Firefox for Android. */
type ManualWay = 'about-config' | keyof typeof ANDROID_PACKAGES;
/** The ways in the order of the choice. All but the first are channels of Firefox for Android. */
const MANUAL_WAYS: readonly ManualWay[] = ['about-config', 'release', 'beta', 'nightly'];

interface ManualView {
  readonly standing: string;
  /** The label that opens the steps. */
  readonly summary: string;
  /** Absent: the steps undo a known profile. */
  readonly profiles: readonly { readonly id: string; readonly title: string }[] | undefined;
  readonly hasWays: boolean;
  /** The label of the button below the steps. */
  readonly done: string;
  /** How connections are counted from outside. */
  readonly probe: string;
  /** What to do after the button. */
  readonly after: string;
  /** Whether the steps set a profile; otherwise they undo one. */
  readonly sets: boolean;
  /** The profile chosen until the person chooses. */
  readonly usual: string;
}

const USUAL_ID = 'c8-d1';

/** Pure. `proposed`: the profile that a trial has due, or the recommended one, where there is any. */
export function manualView({ platform, offered, said }: ManualFacts, proposed?: string): ManualView {
  const isAndroid = platform === 'android';
  const sets = said === undefined || said.state === 'going-back';
  const usual = [proposed, USUAL_ID].find((id) => offered.some((one) => one.id === id)) ?? offered[0]?.id ?? '';
  return {
    standing: standingOf(said, isAndroid),
    summary: text(sets ? 'manual.set' : 'manual.undo'),
    profiles: sets ? offered : undefined,
    hasWays: isAndroid,
    done: text(sets ? 'manual.done' : 'manual.done.undo'),
    probe: text(isAndroid ? 'manual.probe.android' : 'manual.probe'),
    after: text(isAndroid ? 'manual.after.android' : 'manual.after'),
    sets,
    usual: sets ? usual : (said?.profileId ?? ''),
  };
}

/** The steps; none for a profile that this version does not know. */
export function manualSteps(profileId: string, { platform, way, sets }: StepsOptions): readonly ManualStep[] {
  const profile = findProfile(profileId);
  if (profile === undefined) return [];
  if (way === 'about-config') return (sets ? aboutConfigSteps : aboutConfigUndo)(profile, { platform });
  const app = ANDROID_PACKAGES[way];
  return sets ? geckoviewConfigSteps(profile, { app }) : geckoviewConfigUndo({ app });
}

/** What the profile costs, a line for each value, to be read before the steps; none where the steps undo it. */
export const manualPrices = (profileId: string, { sets }: Pick<StepsOptions, 'sets'>): readonly string[] =>
  sets ? pricesOf(findProfile(profileId)?.preferences ?? {}).map(priceText) : [];

interface StepsOptions {
  readonly platform: ManualFacts['platform'];
  readonly way: ManualWay;
  readonly sets: boolean;
}

function standingOf(said: ManualFacts['said'], isAndroid: boolean): string {
  if (said === undefined) return text(isAndroid ? 'manual.none.android' : 'manual.none');
  const profile = profileText(said.profileId);
  switch (said.state) {
    case 'waits':
      return text('manual.waits', { profile });
    case 'in-effect':
      return text('manual.inEffect', { profile });
    case 'going-back':
      return text('manual.undone');
    default:
      return assertNever(said.state);
  }
}

/** The path of the probe's addresses: the part that cannot be guessed, and a slash, which people lose. */
const PATH = /^\/[A-Za-z0-9_-]{16,64}\/?$/;

/** The address to open, with http:// added if it is missing; `undefined`: no probe prints such an address. */
export function probeAddress(input: string): string | undefined {
  const typed = input.trim();
  const whole = typed.includes('://') ? typed : `http://${typed}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host, port, pathname, username, password, search, hash } = new URL(whole);
  const isPlain = protocol === 'http:' && port !== '' && `${username}${password}${search}${hash}` === '';
  return isPlain && PATH.test(pathname) ? `http://${host}${pathname.replace(/\/?$/, '/')}` : undefined;
}

let shown: { readonly facts: ManualFacts; readonly view: ManualView } | undefined;
/** The input of the steps on the page, which are rebuilt only when it changes, so that the focus is not lost. */
let stepsOf = '';

const guide = () => pageElement('by-hand-guide', HTMLDetailsElement);
const profileChoice = () => pageElement('by-hand-profile', HTMLSelectElement);
const wayChoice = () => pageElement('by-hand-way', HTMLSelectElement);

/** Call with every state; `undefined` hides the section. */
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

/** Call once, when the page has opened. */
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
  select.replaceChildren(...(profiles ?? []).map(({ id, title }) => new Option(`${id}: ${titleText(id, title)}`, id)));
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
  const prices = manualPrices(chosen(), view);
  show('by-hand-price', prices.length > 0);
  pageElement('by-hand-price-list', HTMLElement).replaceChildren(...prices.map((line) => create('li', {}, line)));
  pageElement('by-hand-steps', HTMLElement).replaceChildren(...steps.map(stepItem));
  setText('by-hand-copied', '');
}

const stepItem = ({ text: step, copies }: ManualStep): HTMLElement =>
  create('li', {}, create('p', {}, fixedText(step)), ...copies.map((one) => copyRow({ ...one, what: fixedText(one.what) })));

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
 * Counts connections from another computer: the address that `plumbfox probe --listen` prints is opened in a tab, whose page shows the count. This
 * page cannot do it, because its policy turns http into https except on loopback.
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
