/** The chrome context over replies in the shape of WebDriver BiDi's `browsingContext.getTree` and `script.EvaluateResult`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { chromeContext } from '../../../../src/lab/firefox/chrome-context.ts';

const success = (value: unknown) => ({ type: 'success', realm: 'r', result: { type: 'string', value } });

async function answering(evaluated: unknown, tree: unknown = { contexts: [{ context: 'window-1', children: [], 'moz:scope': 'chrome' }] }) {
  const asked: object[] = [];
  const send = async (method: string, params: object) => {
    asked.push(params);
    return { result: method === 'browsingContext.getTree' ? tree : evaluated };
  };
  return { chrome: await chromeContext({ connection: { send } } as unknown as Browser), asked };
}

test('a function runs in the window, its answer is parsed', async () => {
  const { chrome, asked } = await answering(success('{"status":1}'));
  expect(await chrome.ask('n => n', 'a "b"', v.object({ status: v.number() }))).toEqual({ status: 1 });
  expect(asked[1]).toMatchObject({
    expression: '(async () => JSON.stringify((await (n => n)("a \\"b\\"")) ?? null))()',
    target: { context: 'window-1' },
  });
});

test('an answer of another shape is an error of ours, not a value', async () => {
  const { chrome } = await answering(success('"active"'));
  await expect(chrome.ask('f', null, v.number())).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringContaining('not expected'),
  });
});

test.each([
  [
    'an exception',
    { type: 'exception', exceptionDetails: { text: 'Services is not defined' } },
    /refused a chrome script: Services is not/,
  ],
  ['a reply that is none', { type: 'success' }, /not expected, at type|not expected, at result/],
])('%s is told', async (_name, reply, says) => {
  const { chrome } = await answering(reply);
  await expect(chrome.run('f', null)).rejects.toThrow(says);
});

const PAGE = { context: 'tab-2', url: 'moz-extension://4d0b/plumbfox-parent.html', children: [] };

/** What ESR 140 answers: it lists its tabs where it is asked for its window. The tab of the lab's extension is there once that is installed. */
function tabsOnly({ refuses = false, states = ['ready'], reply = {} as unknown, open = false } = {}) {
  const installed: { folder: string; files: readonly string[] }[] = [];
  const ran: string[] = [];
  const left = [...states];
  const send = async (method: string, params: object) => {
    if (method === 'browsingContext.getTree')
      return {
        result: { contexts: [{ context: 'tab-1', url: 'about:blank', children: [] }, ...(open || installed.length > 0 ? [PAGE] : [])] },
      };
    if (method === 'webExtension.install') {
      if (refuses) throw new Error('Could not install Add-on: Extension is invalid');
      const { path } = (params as { extensionData: { path: string } }).extensionData;
      installed.push({ folder: path, files: (await readdir(path)).sort() });
      return { result: { extension: 'id' } };
    }
    const { expression, target } = params as { expression: string; target: { context: string } };
    expect(target.context).toBe('tab-2');
    if (expression.includes('readyState')) return { result: success(left.length > 1 ? left.shift() : left[0]) };
    ran.push(expression);
    return { result: success(JSON.stringify(reply)) };
  };
  return { browser: { connection: { send } } as unknown as Browser, installed, ran };
}

test('a Firefox that lists its tabs instead of its window gets an extension, whose files do not stay', async () => {
  const { browser, installed, ran } = tabsOnly({ states: ['loading', 'ready'], reply: { answer: 7 } });
  const chrome = await chromeContext(browser);
  expect(installed.map(({ files }) => files)).toEqual([['api.js', 'manifest.json', 'open-page.js', 'plumbfox-parent.html', 'schema.json']]);
  expect(installed.filter(({ folder }) => existsSync(folder))).toEqual([]);
  expect(await chrome.ask('n => n', 'a "b"', v.number())).toBe(7);
  // The script is text within the page's own, and its argument within that.
  expect(ran.at(-1)).toBe(String.raw`browser.plumbfoxParent.run("(n => n)(\"a \\\"b\\\"\")")`);
});

test('whoever asks again gets the page that is there', async () => {
  const { browser, installed } = tabsOnly({ open: true, reply: { answer: null } });
  expect(await (await chromeContext(browser)).run('() => {}', null)).toBeNull();
  expect(installed).toEqual([]);
});

test('what a script threw there is told', async () => {
  const { browser } = tabsOnly({ open: true, reply: { error: 'Error: no such thing' } });
  await expect((await chromeContext(browser)).run('f', null)).rejects.toMatchObject({
    kind: 'internal',
    message: 'Firefox refused a chrome script: Error: no such thing',
  });
});

test.each([
  ['refuses the extension', { refuses: true }],
  ['takes it without its Experiment', { states: ['refused'] }],
])('a Firefox that %s is an environment that lacks it', async (_name, firefox) => {
  const { browser, installed } = tabsOnly(firefox);
  await expect(chromeContext(browser)).rejects.toMatchObject({
    kind: 'environment',
    message: expect.stringMatching(/^[^\n]*PLUMBFOX_FIREFOX$/),
  });
  expect(installed.filter(({ folder }) => existsSync(folder))).toEqual([]);
});
