/** The chrome context over replies in the shape of WebDriver BiDi's `script.EvaluateResult`. */
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { chromeContext } from '../../../src/lab/firefox/chrome-context.ts';

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

test('a Firefox without a chrome window to run in is an environment that lacks it', async () => {
  await expect(answering(success('null'), { contexts: [] })).rejects.toMatchObject({ kind: 'environment' });
});

// What ESR 140 answers to the same question: the page in the tab.
test('a Firefox that lists its tabs instead is told from one with a window to run in', async () => {
  await expect(answering(success('null'), { contexts: [{ context: 'tab-1', url: 'about:blank', children: [] }] })).rejects.toMatchObject({
    kind: 'environment',
    message: expect.stringContaining('PLUMBFOX_FIREFOX'),
  });
});
