/**
 * A trial comes to its verdict in a real Firefox: pages loaded again and again over an emulated link, as people come back to theirs, until the
 * trial has found what is so. That the profiles were in effect is told by the pages' server.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PageLoad } from '../../src/core/measure/page-load.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import type { CurrentTrial } from '../../src/protocol/trial-state.ts';
import { openExtensionPage, POPUP_URL } from '../support/extension-firefox.ts';
import { type LinkedFirefox, startLinkedFirefox } from '../support/linked-firefox.ts';
import { canMount } from '../support/private-policy.ts';
import { PER_SERVER, trialNow } from '../support/trial-firefox.ts';

/** The confirmation takes twice the loads, a minute and a half. */
const FULL = process.env.PLUMBFOX_FULL === '1';

const LINK = 'rtt=30,down=10000,up=1000,queue=1000';
/** `hold` wants 24 pictures at once, each held back for 80 ms: nothing but connections makes it faster. `wiki` shows what the link carries. */
const PAGES = ['wiki', 'hold'] as const;
/** Urgent requests may exceed the limit by so many: `network.http.max-urgent-start-excessive-connections-per-host` as shipped. */
const URGENT_START = 3;
const CONNECTIONS: Readonly<Record<string, number>> = { 'firefox-default': 6, 'c12-d1': 12, 'c3-d1': 3 };
/** Counted loads of a slot, the least: blocks are what a verdict counts. With the load of washout all pages have the same place in every slot. */
const PER_SLOT = 1;

interface SeenLoad {
  readonly id: string;
  /** Most pictures of `hold` that the server was asked for and had not yet sent; `undefined`: another page. */
  readonly atOnce: number | undefined;
}

interface Course {
  readonly seen: readonly SeenLoad[];
  /** As stored, with their places in the trial; in the same order. */
  readonly loads: readonly PageLoad[];
  readonly said: readonly CurrentTrial['said'][];
  readonly end: CurrentTrial;
}

describe.runIf(canMount())('a trial over a link', () => {
  let linked: LinkedFirefox;

  beforeAll(async () => {
    linked = await startLinkedFirefox(LINK);
    await linked.firefox.ask({ kind: 'set-quiet', quietMs: 50 });
  });
  afterAll(() => linked?.close());
  beforeEach(async () => {
    await linked.firefox.ask({ kind: 'delete-all' });
  });

  /** Settles when the load is recorded: its id, and what the server saw. */
  async function loadPage(page: (typeof PAGES)[number], after: string | undefined): Promise<SeenLoad> {
    const { firefox } = linked;
    await linked.takeCount();
    await firefox.page.goto(linked.pageUrl(page, 'everyday'), { waitUntil: 'load' });
    let load: PageLoad | undefined;
    const stored = async () => {
      [load] = await firefox.ask({ kind: 'loads-after', ...(after !== undefined && { id: after }) });
      return load?.id;
    };
    await expect.poll(stored, { timeout: 30_000, interval: 20 }).toBeDefined();
    const count = await linked.takeCount();
    return { id: load?.id ?? '', atOnce: page === 'hold' ? count?.peakOutstanding : undefined };
  }

  /** Loads pages until the trial has ended by itself; `most` loads at most. */
  async function untilEnded(most: number): Promise<Course> {
    const seen: SeenLoad[] = [];
    const said: CurrentTrial['said'][] = [];
    for (let at = 0; at < most; at++) {
      seen.push(await loadPage(PAGES[at % PAGES.length] as (typeof PAGES)[number], seen.at(-1)?.id));
      // The trial has been told of the load when it answers, and has switched if that was due.
      const end = await trialNow(linked.firefox);
      if (said.at(-1) !== end.said) said.push(end.said);
      if (end.now.state === 'ended') return { seen, loads: await linked.firefox.ask({ kind: 'loads-after' }), said, end };
    }
    throw new Error(`No verdict after ${most} loads: ${(await trialNow(linked.firefox)).sentence}`);
  }

  const start = (candidate: string) =>
    linked.firefox.ask({ kind: 'start-trial', trial: { candidates: [candidate], slots: { kind: 'loads', perSlot: PER_SLOT } } });

  function expectArmsInEffect({ seen, loads }: Course, candidate: string): void {
    expect(loads.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
    for (const [at, { trial, applied }] of loads.entries()) {
      const profileId = trial?.mark.profileId ?? '';
      expect.soft(trial?.void).toBeUndefined();
      expect.soft(applied).toMatchObject({ profileId, mismatches: [] });
      const atOnce = seen[at]?.atOnce;
      if (atOnce === undefined) continue;
      const limit = CONNECTIONS[profileId] ?? Number.NaN;
      // Above 6 Firefox paces its requests, so on a busy machine the limit is not always reached; what no other arm can reach tells enough.
      expect.soft(atOnce, `load ${at} under ${profileId}`).toBeGreaterThanOrEqual(Math.min(limit, 6 + URGENT_START + 1));
      expect.soft(atOnce, `load ${at} under ${profileId}`).toBeLessThanOrEqual(limit + URGENT_START);
    }
    expect(new Set(loads.map(({ trial }) => trial?.mark.profileId))).toEqual(new Set(['firefox-default', candidate]));
  }

  async function expectRestored(): Promise<void> {
    await expect.poll(async () => (await trialNow(linked.firefox)).now).toEqual({ state: 'ended', restoring: false });
    const chrome = await chromeContext(linked.firefox.browser);
    const held = await chrome.run(
      `name => ({ value: Services.prefs.getIntPref(name), userSet: Services.prefs.prefHasUserValue(name) })`,
      PER_SERVER,
    );
    expect(held).toEqual({ value: 6, userSet: false });
  }

  async function expectInPopup(sentence: string): Promise<void> {
    const page = await openExtensionPage(linked.firefox.browser, POPUP_URL);
    const text = () => page.evaluate(() => document.getElementById('trial')?.innerText.replaceAll('\u00a0', ' ') ?? '');
    await expect.poll(text, { timeout: 20_000 }).toContain(sentence.replaceAll('\u00a0', ' '));
    await page.close();
    await linked.firefox.page.bringToFront();
  }

  test('a profile that harms is dropped, and the trial ends with that', async () => {
    await start('c3-d1');
    const course = await untilEnded(120);
    const { end } = course;
    expectArmsInEffect(course, 'c3-d1');
    expect(end.said).toBe('stopped');
    expect(end.sentence).toMatch(
      /^The trial is over: no candidate is left beside firefox-default\. c3-d1 was dropped at once: it is \d+ % less efficient than firefox-default \(−\d+ % to (?:−[\d.]+|0) %\)\.$/,
    );
    // What harms is dropped without waiting for the checks, of which one in 200 trials says at that moment that there may be something.
    expect(end.warnings.filter((warning) => !warning.endsWith('that may be chance, so a verdict waits.'))).toEqual([]);
    await expectRestored();
    await expectInPopup(end.sentence);
  }, 600_000);

  test.runIf(FULL)('a profile that is better is confirmed on fresh loads', async () => {
    await start('c12-d1');
    const course = await untilEnded(200);
    const { end, said } = course;
    expectArmsInEffect(course, 'c12-d1');
    expect(end.said).toBe('confirmed');
    expect(said).toContain('leading');
    // The whole interval is above no change.
    expect(end.sentence).toMatch(
      /^Confirmed on fresh loads: c12-d1 is [\d.]+ % more efficient than firefox-default \(\+[\d.]+ % to \+[\d.]+ %\), over \d+ loads of c12-d1 and \d+ of firefox-default\.$/,
    );
    expect(end.warnings).toEqual([]);
    await expectRestored();
    await expectInPopup(end.sentence);
  });
});
