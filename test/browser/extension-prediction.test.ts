/** Predictions for recorded loads in a real Firefox behind an emulated link: in the popup, in the dashboard, and at the start of a trial. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/core/answer/answer.ts';
import { answerLabel, answerSentence } from '../../src/core/answer/format-answer.ts';
import { linksOfLoads } from '../../src/core/field/field-links.ts';
import { unstore } from '../support/card-records.ts';
import { anyFigures, english, englishPattern, loadsStored } from '../support/english.ts';
import { CONTROLS_URL, DASHBOARD_URL, openExtensionPage } from '../support/extension-firefox.ts';
import { type LinkedFirefox, startLinkedFirefox } from '../support/linked-firefox.ts';
import { recorded, trialNow } from '../support/trial-firefox.ts';

/** Round trips are what takes the time here, so that more connections are sure to be predicted to gain. */
const LINK = 'rtt=200,down=8000,up=2000,queue=200';
const WIDTH_PX = 360;
/** The narrowest at which pages must fit. */
const NARROWEST_PX = 320;
/** Three of each, every one another page. */
const PAGES = ['wiki', 'images', 'wiki', 'images', 'wiki', 'images'] as const;

/** What may be answered, with other figures. */
const SURE = { from: 'prediction', profileId: 'c8-d1', carrier: 'none', change: { gain: 0.2, low: 0.1, high: 0.3 }, pages: 6 } as const;
const UNPACED_SURE = { ...SURE, profileId: 'c16-d1+network.http.pacing.requests.enabled=false' } as const;
const PACED_SURE = { ...SURE, profileId: 'c16-d1+network.http.pacing.requests.hz=320' } as const;
const NOT_SURE = { from: 'reach', pages: 6, requests: 60, byConnections: 60, tried: { preferences: 3, of: 40, requests: 60 } } as const;

const NOT_MATCHING = { from: 'nothing', why: 'not-matching' } as const;

let linked: LinkedFirefox;

beforeAll(async () => {
  linked = await startLinkedFirefox(LINK);
  await linked.firefox.ask({ kind: 'set-quiet', quietMs: 300 });
});

/** What a test that failed has left open would be among the views of the next. */
const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) if (!page.isClosed()) await page.close();
});
afterAll(() => linked?.close());

interface OwnViews {
  readonly browser: {
    readonly extension: { getViews(of: { type: 'tab' }): readonly { readonly location: { readonly pathname: string } }[] };
  };
}

interface OpenPage {
  readonly page: Page;
  readonly text: (selector?: string) => Promise<string>;
  readonly faults: () => Promise<string | undefined>;
}

/** An extension page opened anew, once it shows its content, at the width of a phone. */
async function open(url: string): Promise<OpenPage> {
  const page = await openExtensionPage(linked.firefox.browser, url);
  opened.push(page);
  await page.setViewport({ width: WIDTH_PX, height: 800 });
  await page.bringToFront();
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
  await page.evaluate(() => {
    const note = (event: Event) => document.body.setAttribute('data-reported', `${event.type} ${document.body.dataset.reported ?? ''}`);
    for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) addEventListener(type, note);
  });
  return {
    page,
    text: (selector = 'body') =>
      page.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ')),
    faults: () => page.evaluate(() => document.body.dataset.reported),
  };
}

const unfold = async (page: Page) => {
  await page.focus('#prediction > summary');
  await page.keyboard.press('Enter');
};
const rowsOf = (page: Page, id: string) =>
  page.$$eval(`#${id} tr`, (rows) =>
    rows.map((row) =>
      [...row.children].map((cell) => (cell as HTMLElement).dataset.profile ?? (cell as HTMLElement).innerText.replaceAll('\u00a0', ' ')),
    ),
  );
/** The wider of the two that does not fit; `undefined`: both do. */
async function tooWide(page: Page): Promise<number | undefined> {
  for (const width of [WIDTH_PX, NARROWEST_PX]) {
    await page.setViewport({ width, height: 800 });
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    if (scrollWidth > clientWidth) return width;
  }
  return undefined;
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

test('before there is a load, popup and dashboard say that there is none', async () => {
  const popup = await open(CONTROLS_URL);
  expect(await popup.page.$eval('#prediction', (details) => (details as HTMLDetailsElement).open)).toBe(false);
  await unfold(popup.page);
  await expect.poll(() => popup.text('#predictions')).toContain(english('prediction.noLoads'));
  await popup.page.close();
  const dashboard = await open(DASHBOARD_URL);
  await expect.poll(() => dashboard.text()).toContain(english('loads.none'));
  expect(await dashboard.faults()).toBeUndefined();
  await dashboard.page.close();
});

describe('after loads of six pages', () => {
  // A test of its own: only within one may be waited for what is recorded.
  test('which are recorded', async () => {
    for (const [at, name] of PAGES.entries()) {
      const url = linked.pageUrl(name, `t${at}`);
      await linked.firefox.page.bringToFront();
      await linked.firefox.page.goto(url, { waitUntil: 'load' });
      await recorded(linked.firefox, url);
    }
  });

  test('the popup predicts every profile on offer when it is asked, and says that nothing of it was measured', async () => {
    const { page, text, faults } = await open(CONTROLS_URL);
    expect(await text('#predictions')).not.toContain('≈');
    await unfold(page);
    await expect.poll(() => rowsOf(page, 'prediction-rows')).not.toEqual([]);
    const rows = await rowsOf(page, 'prediction-rows');
    const paced = ['hz=320', 'enabled=false'].flatMap((pacing) =>
      ['firefox-default', 'c10-d1', 'c16-d1'].map((base) => `${base}+network.http.pacing.requests.${pacing}`),
    );
    const offered = ['c1-d1', 'c2-d1', 'c4-d1', 'c8-d1', 'c10-d1', 'c16-d1', ...paced, 'betterfox'];
    expect(rows.map(([id]) => id).toSorted()).toEqual(['firefox-default', ...offered].toSorted());
    for (const [id, time, change] of rows) {
      expect(time).toMatch(englishPattern('prediction.about', { figure: /[\d.]+ m?s/ }));
      expect(time).toMatch(englishPattern('prediction.mostly'));
      const changes = [englishPattern('prediction.about', { figure: /[+−]?[\d.]+ %/ }), englishPattern('prediction.unchanged')];
      if (id !== 'firefox-default') expect(changes.some((pattern) => pattern.test(change ?? ''))).toBe(true);
    }
    // Whether the gain is sure is the model's to say; one of the two it says.
    const isSure = await page.$eval('#answer', (answer) => answer.classList.contains('predicted'));
    // A lower bound that rounds to nothing has no sign.
    const sure = [SURE, UNPACED_SURE, PACED_SURE].flatMap((one) => [one, { ...one, change: { ...one.change, low: 0 } }]);
    // Some of the pages may be set aside, or all.
    const bases = isSure ? sure : [NOT_SURE, { ...NOT_SURE, atMost: 0.1 }];
    const several = bases.flatMap((one) => [one, { ...one, pages: 1 }, { ...one, outside: 1 }]);
    const answers: readonly Answer[] = isSure ? several : [...several, NOT_MATCHING];
    expect(answers.map(answerLabel)).toContain(await text('#answer-label'));
    const sentence = await text('#answer-sentence');
    expect(
      answers.filter((answer) => anyFigures(answerSentence(answer)).test(sentence)),
      sentence,
    ).toHaveLength(1);
    if (isSure) expect(await text('#answer-profile')).toMatch(/^(?:c\d+-d1|firefox-default)(?:\+\S+=(?:false|320))?$/);
    expect(await page.$eval('#answer-trial', (button) => button.checkVisibility())).toBe(true);
    expect(await page.$eval('#predictions .tag.predicted', (tag) => tag.checkVisibility())).toBe(true);
    const words = await text('#predictions');
    const one = /(\d)/;
    const countIn = (pattern: RegExp) =>
      Number(
        pattern
          .exec(words)
          ?.slice(1)
          .find((found) => found !== undefined) ?? 0,
      );
    const predicted = countIn(englishPattern('prediction.basis', { count: one, network: /RTT \d+ ms, [\d.]+ Mbit\/s/ }));
    // On a busy machine a page takes longer than any link makes it: it is set aside, and said.
    const setAside = countIn(englishPattern('prediction.parting', { count: one }));
    // On a busy machine a load may be taken for one of another network, or may not be seen to its end: then it is not among these.
    const loads = await linked.firefox.ask({ kind: 'loads-after' });
    const over = linksOfLoads(loads, { figures: [], names: [] });
    const now = over.linkAt(over.figures.findLastIndex(({ standing }) => standing !== 'unmeasurable'));
    const facts = loads.map((load) => ({ ...over.figuresOf(load), link: over.linkOf(load)?.name }));
    const eligible = loads.filter((load) => over.linkOf(load) === now && over.figuresOf(load).standing === 'whole');
    expect(predicted + setAside, JSON.stringify(facts)).toBe(eligible.length);
    expect(predicted).toBeGreaterThan(0);
    expect(words).not.toMatch(/undefined|NaN|\[object/);
    expect(await tooWide(page)).toBeUndefined();
    expect(await faults()).toBeUndefined();
    await page.close();
  });

  test('a worker that does not start is said to have failed, and the popup goes on', async () => {
    // While a trial runs the answer rests on no prediction, so that none is asked for before the section is unfolded.
    await linked.firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
    // The one of the test before is kept for the same loads.
    await unstore(linked.firefox.popup, 'local', 'fieldPrediction');
    const { page, text } = await open(CONTROLS_URL);
    await page.evaluate(() => {
      Object.assign(globalThis, {
        Worker: class {
          constructor() {
            throw new Error('no workers today');
          }
        },
      });
    });
    await unfold(page);
    await expect.poll(() => text('#predictions')).toContain(english('prediction.failed', { why: 'no workers today.' }));
    expect(await text()).toContain(loadsStored(PAGES.length));
    await page.close();
    await linked.firefox.ask({ kind: 'stop-trial' });
  });

  test('the dashboard lists them, the newest first, and shows a prediction beside what was measured', async () => {
    const { page, text, faults } = await open(DASHBOARD_URL);
    await expect.poll(() => rowsOf(page, 'loads-rows')).toHaveLength(PAGES.length);
    const buttons = await page.$$eval('#loads-rows button', (all) => all.map((button) => button.textContent));
    expect(buttons.map((words) => words?.split('/').slice(1, 3))).toEqual(PAGES.map((name, at) => [name, `t${at}`]).toReversed());
    await expect.poll(() => rowsOf(page, 'prediction-rows')).toHaveLength(14);
    // One answer, whichever page shows it. Beside one that is sure the dashboard says what settings reach, too.
    const answerOf = async (shown: OpenPage['text']) => [await shown('#answer-label'), await shown('#answer-sentence')];
    const popup = await open(CONTROLS_URL);
    await expect
      .poll(() => popup.text('#answer-label'))
      .toMatch(new RegExp(`^(?:${[SURE, NOT_SURE, NOT_MATCHING].map(answerLabel).join('|')})$`));
    const answer = await answerOf(popup.text);
    await popup.page.close();
    await page.bringToFront();
    expect(await answerOf(text)).toEqual(answer);
    await page.focus('#loads-rows button');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('chosen-title');
    await expect.poll(() => rowsOf(page, 'chosen-rows')).toHaveLength(14);
    await page.click('#chosen details > summary');
    const rows = await rowsOf(page, 'chosen-rows');
    const measured = Object.fromEntries(rows.map(([id, , , last]) => [id, last]));
    expect(measured['firefox-default']).toMatch(englishPattern('prediction.measured', { count: 1, time: /[\d.]+ s/ }));
    expect(measured['c8-d1']).toBe(english('prediction.notMeasured'));
    expect(await text('#chosen')).toContain(english('loads.measured'));
    expect(await text()).not.toMatch(/undefined|NaN|\[object/);
    expect(await tooWide(page)).toBeUndefined();
    await page.focus('#chosen-back');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(buttons[0]);
    expect(await faults()).toBeUndefined();
    await page.close();
  });

  test('the popup opens the dashboard in a tab', async () => {
    const { page } = await open(CONTROLS_URL);
    const views = () =>
      page.evaluate(() =>
        (globalThis as unknown as OwnViews).browser.extension.getViews({ type: 'tab' }).map((view) => view.location.pathname),
      );
    expect(await views()).not.toContain('/dashboard/dashboard.html');
    await page.click('#open-dashboard');
    await expect.poll(views).toContain('/dashboard/dashboard.html');
    await page.close();
  });

  test('a trial begins with the predicted best, and remembers that they were predicted', async () => {
    const { page, text } = await open(CONTROLS_URL);
    await page.click('#trial-summary');
    await page.click('#trial-predicted');
    await expect.poll(() => text('#trial-predicted-words')).toMatch(englishPattern('trial.best'));
    const chosen = await page.$$eval('#trial-candidates input', (all) =>
      all.filter((box) => (box as HTMLInputElement).checked).map((box) => (box as HTMLInputElement).value),
    );
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.length).toBeLessThanOrEqual(3);
    await page.click('#trial-start');
    await expect.poll(() => text('#trial')).toContain(english('trial.collecting'));
    expect(await text('#trial-arms')).toMatch(englishPattern('trial.predicted', { change: /\+[\d.]+\s%/ }));
    const { arms } = await trialNow(linked.firefox);
    expect(arms.filter(({ predictedRatio }) => predictedRatio !== undefined).map(({ profileId }) => profileId)).toEqual(chosen);
    for (const { predictedRatio } of arms.slice(1)) expect(predictedRatio).toBeGreaterThan(1);
    await linked.firefox.ask({ kind: 'stop-trial' });
    await page.close();
  });
});
