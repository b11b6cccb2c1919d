/** A listener that is added late misses the event that woke the page: with 50 ms of delay, 1 of 30 loads was recorded (measured, ESR 153). */
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { countBar } from '../../support/bar-count.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

let script: string;

beforeAll(async () => {
  const { outputFiles } = await build({ entryPoints: ['src/background/background.ts'], bundle: true, write: false, format: 'iife' });
  script = outputFiles[0]?.text ?? '';
});

/** Runs the event page's script as Firefox does, from its first statement to its last, and answers which listeners it added by then. */
function listenersOf(browser: ReturnType<typeof fakeBrowser>): readonly string[] {
  runInNewContext(script, { browser, chrome: browser, setTimeout, queueMicrotask, performance, URL });
  return browser.added.map(({ event }) => event);
}

const ALWAYS = [
  'webRequest.onBeforeRequest',
  'webRequest.onBeforeRedirect',
  'webRequest.onCompleted',
  // Of every request, and of pages: which of them answer forms.
  'webRequest.onCompleted',
  'webRequest.onErrorOccurred',
  'permissions.onAdded',
  // Of the host permission, and of the gateway's.
  'permissions.onRemoved',
  'permissions.onRemoved',
  'alarms.onAlarm',
  'runtime.onMessage',
  'runtime.onStartup',
  'runtime.onInstalled',
  'storage.session.onChanged',
];

describe('the event page', () => {
  test('has added every listener when its script has run, and adds none later', async () => {
    const browser = fakeBrowser();
    expect(listenersOf(browser).toSorted()).toEqual(ALWAYS.toSorted());
    const inTime = browser.added.length;
    await new Promise((done) => setTimeout(done, 20));
    expect(browser.added).toHaveLength(ALWAYS.length);
    countBar(2, 'listeners added in time', inTime, browser.added.length);
  });

  test('in the lab build answers proxy challenges as well', () => {
    const browser = fakeBrowser({ permissions: ['webRequest', 'webRequestAuthProvider'] });
    expect(listenersOf(browser).toSorted()).toEqual([...ALWAYS, 'webRequest.onAuthRequired'].toSorted());
  });

  test('blocks nothing, and never asks for private windows', () => {
    const browser = fakeBrowser();
    listenersOf(browser);
    const requests = browser.added.filter(({ event }) => event.startsWith('webRequest.'));
    expect(requests.map(({ rest }) => rest.length)).toEqual([1, 1, 1, 1, 1]);
    for (const { rest } of requests) expect(rest[0]).toMatchObject({ incognito: false });
  });
});
