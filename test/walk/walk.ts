/**
 * `npm run walk`: a new person's way with Plumbfox in a real Firefox ESR behind an emulated link, from the installation to undoing a proven setting,
 * by keyboard alone where pages are concerned. Holds at each step what a person would check, and photographs it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { findProfile } from '../../src/core/profiles/presets.ts';
import { seededRandom } from '../../src/core/random.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import type { CurrentTrial } from '../../src/protocol/trial-state.ts';
import type { SeenCard } from '../support/browser-window.ts';
import { CONTROLS_URL, DASHBOARD_URL, openExtensionPage } from '../support/extension-firefox.ts';
import { type FirefoxLink, openFirefoxLink } from '../support/linked-firefox.ts';
import { packUndrivenExtension } from '../support/undriven-extension.ts';
import { type Notebook, openNotebook } from './notebook.ts';
import { type Person, startPerson, WELCOME_URL } from './person.ts';
import { HOSTS, LINK, SITES } from './sites.ts';

const PICTURES = '.cache/walk';
/** Shortened: the recorder waits so long for the network to stay idle instead of 2 s, after the welcome page. */
const QUIET_MS = 400;
/** Until a prediction comes with a proof that the card offers; and until the trial has ended. */
const MAX_BROWSED = 60;
const MAX_IN_TRIAL = 900;
/** Shortened: the trial that the card begins is planned for some 380 loads of each profile. Some ten blocks show a change of 20 % among pages that stay as they are. */
const MAX_LOADS_EACH = 108;
/** Leaves the trial as the card begins it: an hour, and a machine with nothing else to do. */
const isWhole = process.argv.includes('--whole');
/** Sites in random order: one after the other, each turn of the trial would have the same three. */
const SEED = 20_261_124;
/** Two profiles, three slots of three loads and one that does not count (`trial-defaults.ts`). */
const LOADS_PER_BLOCK = 24;

/** Of the card's own, and of Firefox's panels at most (ExtensionPopups.sys.mjs, 153). */
const PANEL_WIDTH = 380;
const MAX_PANEL_HEIGHT = 600;

interface Walk {
  readonly notebook: Notebook;
  readonly folder: string;
  readonly link: FirefoxLink;
}

const lines = ({ text }: SeenCard): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');
const site = (at: number) => SITES[at % SITES.length] as (typeof SITES)[number];
const shownText = (page: Page, id: string) =>
  page.$eval(`#${id}`, (element) => (element.checkVisibility() ? (element.textContent ?? '').replaceAll('\u00a0', ' ') : ''));

/** From a file, as about:addons offers it; Firefox's questions are agreed to. */
async function install({ notebook, folder }: Walk, { window }: Person): Promise<void> {
  const archive = join(folder, 'plumbfox-lab.xpi');
  await packUndrivenExtension(archive);
  await window.installFromFile(archive);
  const asked = await window.agree();
  await window.until('the extension installed', window.isInstalled);
  assert.match(asked, /Plumbfox/);
  await window.pinButton();
  await window.closePanel();
  await notebook.keep('installed', await window.picture(), `Firefox asked: ${asked.replaceAll(/\s+/g, ' ')}`);
}

/** The tab that opens by itself: access in one press, and three of six open sites loaded twice, then the other three. */
async function welcome({ notebook }: Walk, person: Person): Promise<void> {
  const { window } = person;
  const page = await person.tab(WELCOME_URL);
  await page.setViewport(null);
  person.askFrom(page);
  await window.until('the welcome page', () => page.$eval('#content', (content) => content.checkVisibility()));
  await notebook.keep('welcome', await window.picture(), await shownText(page, 'access-state'), await shownText(page, 'tabs-status'));

  await takeAccess(page);
  await window.until('access asked for', async () => (await shownText(page, 'grant')) !== '');
  await notebook.keep('no access', await window.picture(), await shownText(page, 'access-state'));
  await person.tabTo(page, '#grant');
  await window.press('Enter');
  const asked = await window.agree();
  await window.until('access given', async () => (await shownText(page, 'grant')) === '');
  await notebook.keep('access given', await window.picture(), `Firefox asked: ${asked.replaceAll(/\s+/g, ' ')}`);

  for (const { url } of SITES) {
    const tab = await person.browser.newPage();
    await tab.setViewport(null);
    await tab.goto(url, { waitUntil: 'load', timeout: 120_000 });
  }
  await page.bringToFront();
  const seen = async () => (await person.ask({ kind: 'loads-after' })).length;
  await window.until('six loads recorded', async () => (await seen()) === SITES.length);
  await page.evaluate(() => document.getElementById('try-heading')?.scrollIntoView());
  await notebook.keep('six sites open', await window.picture(), await shownText(page, 'tabs-status'));
  for (const [half, hosts] of [SITES.slice(0, 3), SITES.slice(3)].entries()) await tryThree({ notebook, person, page, half }, hosts);

  const loads = await person.ask({ kind: 'loads-after' });
  assert.equal(loads.length, 3 * SITES.length);
  for (const { url, requests } of SITES) {
    const own = loads.filter((load) => load.url === url);
    assert.deepEqual(
      own.map((load) => load.requests.filter((request) => request.url.startsWith('http')).length),
      [requests, requests, requests],
      `requests of ${url}`,
    );
  }
}

interface Tryout {
  readonly notebook: Notebook;
  readonly person: Person;
  readonly page: Page;
  readonly half: number;
}

async function tryThree({ notebook, person, page, half }: Tryout, sites: typeof SITES): Promise<void> {
  const { window } = person;
  if (half > 0) {
    await person.tabTo(page, '#again');
    await window.press('Enter');
  }
  const { tabs } = await person.ask({ kind: 'tryout-state' });
  for (const { host } of sites) {
    const box = `#tabs input[value="${tabs.find((tab) => tab.host === host)?.tabId}"]`;
    await person.tabTo(page, box);
    await window.press(' ');
    await window.until(`${host} chosen`, () => page.$eval(box, (input) => (input as HTMLInputElement).checked));
  }
  await notebook.keep(`three chosen ${half + 1}`, await window.picture(), await shownText(page, 'tabs-status'));
  await person.tabTo(page, '#start');
  await window.press('Enter');
  await window.until('loading', async () => (await shownText(page, 'progress-text')).startsWith('Loading'));
  await notebook.keep(`loading ${half + 1}`, await window.picture(), await shownText(page, 'progress-text'));
  const done = await window.until(
    'six loads',
    async () => {
      const text = await shownText(page, 'progress-text');
      return text.startsWith('Loading') || text === '' ? undefined : text;
    },
    180_000,
  );
  assert.equal(done, 'Done: 6 of 6 loads recorded.');
  await window.until('an answer', async () => /^(?!Working out).*\w/.test(await shownText(page, 'answer-sentence')));
  await page.evaluate(() => document.getElementById('try-heading')?.scrollIntoView());
  await notebook.keep(
    `answer ${half + 1}`,
    await window.picture(),
    done,
    `${await shownText(page, 'answer-label')} ${await shownText(page, 'answer-sentence')}`,
  );
}

/** As a person does in about:addons. */
const takeAccess = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { permissions } = (globalThis as unknown as { browser: { permissions: { remove(what: object): Promise<boolean> } } }).browser;
    return permissions.remove({ origins: ['<all_urls>', 'http://*/*', 'https://*/*'] });
  });

/** Browses until the card says what would be faster, and offers the proof. @returns the settings on offer. */
async function answer({ notebook }: Walk, person: Person, tab: Page): Promise<void> {
  const { window } = person;
  await tab.bringToFront();
  await window.pressButton();
  const first = await person.cardIn('fresh', 'predicted', 'nothing-to-gain');
  const { width, height } = await window.until('the panel at its width', async () => {
    const box = await window.panelBox();
    return box?.width === PANEL_WIDTH ? box : undefined;
  });
  assert(height <= MAX_PANEL_HEIGHT);
  await notebook.keep('panel by its button', await window.picture(), `The panel's page has ${width} x ${height} px`, ...lines(first));
  await window.closePanel();
  let said = '';
  for (let at = 0; at < MAX_BROWSED; at += 1) {
    await person.load(tab, site(at));
    if (at % SITES.length < SITES.length - 1) continue;
    await person.openByShortcut();
    const card = await answered(person);
    if (card.main !== said) await notebook.keep(`answer after ${(at + 1) / SITES.length} rounds`, await window.picture(), ...lines(card));
    said = card.main;
    if (card.state === 'predicted' && /^Prove it/.test(said)) return;
    await person.closeByEscape();
  }
  throw new Error(`Nothing to prove after ${MAX_BROWSED} more loads`);
}

/** A prediction takes some seconds; without one the card stays as it is. */
async function answered({ window, cardIn }: Person): Promise<SeenCard> {
  const look = async () => {
    const card = await cardIn('fresh', 'predicted', 'nothing-to-gain', 'unanswered');
    return card.state === 'predicted' && !card.text.includes('Working out') ? card : undefined;
  };
  return window.until('a prediction', look).catch(() => cardIn('fresh', 'predicted', 'nothing-to-gain', 'unanswered'));
}

/** Begins the trial from the open panel, and browses until it has ended. @returns what it confirmed. */
async function trial({ notebook }: Walk, person: Person, tab: Page): Promise<string> {
  const { window } = person;
  await person.pressInPanel('main');
  await notebook.keep('trial begun', await window.picture(), ...lines(await person.cardIn('collecting')));
  await person.closeByEscape();
  const candidate = (await current(person)).arms[1]?.profileId ?? '';
  if (!isWhole) await shorten(person, candidate);
  const seen = new Set<string>();
  let shown = 'collecting';
  const random = seededRandom(SEED);
  for (let at = 0; at < MAX_IN_TRIAL; at += 1) {
    const load = await person.load(tab, site(random.integer(SITES.length)));
    const now = await current(person);
    const profileId = load.trial?.mark.profileId ?? '';
    assert.deepEqual([load.applied?.profileId, load.applied?.mismatches], [profileId, []], `load ${at} of the trial`);
    if (!seen.has(now.turn.profileId) && now.now.state === 'in-effect') {
      await holds(person, now.turn.profileId, candidate);
      seen.add(now.turn.profileId);
    }
    const stage = stageOf(now);
    if (stage !== shown || at === 40) {
      shown = stage;
      await person.openByShortcut();
      const card = await person.cardIn('collecting', 'leading', 'confirmed', 'not-faster', 'invalid');
      await notebook.keep(`trial ${stage}, ${at + 1} loads`, await window.picture(), ...lines(card));
      await person.closeByEscape();
    }
    if (at % LOADS_PER_BLOCK === 0)
      process.stdout.write(`        ${[`${at + 1} loads: ${now.sentence}`, ...now.warnings].join('\n        ')}\n`);
    if (now.now.state === 'ended' && !now.now.restoring) break;
  }
  assert.equal(shown, 'confirmed');
  assert.deepEqual([...seen].sort(), ['firefox-default', candidate].sort());
  await holds(person, 'firefox-default', candidate);
  return candidate;
}

/** The same trial with fewer loads, which no page of the extension offers: it can end within a quarter of an hour. */
async function shorten(person: Person, candidate: string): Promise<void> {
  await person.ask({ kind: 'stop-trial' });
  await person.window.until('the trial stopped', async () => {
    const { now } = await current(person);
    return now.state === 'ended' && !now.restoring;
  });
  await person.ask({ kind: 'start-trial', trial: { candidates: [candidate], mostLoadsPerArm: MAX_LOADS_EACH } });
}

async function current({ ask }: Person): Promise<CurrentTrial> {
  const { current: now, failure } = await ask({ kind: 'trial-state' });
  assert.equal(failure, undefined);
  assert(now);
  return now;
}

function stageOf({ answer: found, stateKind }: CurrentTrial): string {
  if (found?.state !== 'running') return stateKind;
  return found.stage;
}

/** Firefox's own values are those of the settings, or what it ships where they are its own. */
async function holds({ window }: Person, profileId: string, candidate: string): Promise<readonly string[]> {
  const intended = findProfile(profileId)?.preferences ?? {};
  const names = Object.keys(findProfile(candidate)?.preferences ?? {});
  assert(names.length > 0);
  return Promise.all(
    names.map(async (name) => {
      const found = await window.preference(name);
      assert.equal(found.isSet, name in intended, `${name} under ${profileId}`);
      if (name in intended) assert.equal(found.value, intended[name], name);
      return `${name} = ${found.value}${found.isSet ? '' : ', as shipped'}`;
    }),
  );
}

/** By keys alone: apply, restart Firefox, undo. @returns the person at the restarted Firefox. */
async function useIt(
  { notebook, folder, link }: Walk,
  person: Person,
  { tab, candidate }: { tab: Page; candidate: string },
): Promise<Person> {
  await person.openByShortcut();
  await notebook.keep('confirmed', await person.window.picture(), ...lines(await person.cardIn('confirmed')));
  await person.pressInPanel('main');
  const applied = await person.cardIn('applied');
  await notebook.keep('applied', await person.window.picture(), ...lines(applied), ...(await holds(person, candidate, candidate)));
  await person.closeByEscape();
  for (const [at] of SITES.entries()) {
    const { applied: under } = await person.load(tab, site(at));
    assert.equal(under?.profileId, candidate);
    assert.deepEqual(under?.mismatches, []);
  }
  const before = (await person.ask({ kind: 'loads-after' })).length;
  await person.stop();

  const again = await startPerson(folder, link);
  const { window } = again;
  again.askFrom(await openExtensionPage(again.browser, CONTROLS_URL));
  assert.equal((await again.ask({ kind: 'loads-after' })).length, before);
  const held = await holds(again, candidate, candidate);
  assert(!(await addresses(again)).includes(WELCOME_URL), 'the welcome tab opens once');
  await again.openByShortcut();
  const still = await again.cardIn('applied');
  await notebook.keep('after the restart', await window.picture(), ...lines(still), ...held);
  await again.pressInPanel('main');
  const undone = await again.cardIn('confirmed');
  await notebook.keep('undone', await window.picture(), ...lines(undone), ...(await holds(again, 'firefox-default', candidate)));
  await again.pressInPanel('open-dashboard');
  const dashboard = await again.tab(DASHBOARD_URL);
  await dashboard.setViewport(null);
  const label = () => dashboard.$eval('#answer-label', ({ textContent }) => textContent ?? '');
  await window.until('the answer on the dashboard', async () => (await label()).startsWith('Proven'));
  await notebook.keep('dashboard', await window.picture());
  return again;
}

async function addresses({ browser }: Person): Promise<readonly string[]> {
  return Promise.all((await browser.pages()).map((page) => page.evaluate(() => location.href).catch(() => '')));
}

async function main(): Promise<void> {
  await ensurePrograms({ emulator: true, install: false, onInstall: () => {} });
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-walk-'));
  const notebook = await openNotebook(PICTURES);
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, HOSTS);
  const link = await openFirefoxLink(LINK, { hosts });
  const walk: Walk = { notebook, folder, link };
  let person: Person | undefined;
  try {
    person = await startPerson(folder, link);
    await install(walk, person);
    await welcome(walk, person);
    const tab = await person.tab(site(0).url);
    person.forgetLast();
    await person.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
    await answer(walk, person, tab);
    const candidate = await trial(walk, person, tab);
    person = await useIt(walk, person, { tab, candidate });
    process.stdout.write(`Walked. ${await notebook.writeSheet(person.browser)}\n`);
  } catch (error) {
    if (person) await notebook.keep('where it ended', await person.window.picture(), String(error));
    throw error;
  } finally {
    await person?.stop();
    await link.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
