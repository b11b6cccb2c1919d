import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { answerWith, type Handlers } from '../../../src/background/messages.ts';
import { PlumbfoxError, PreferenceRefused } from '../../../src/core/errors.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { pageTiming } from '../../support/observation-builders.ts';

const handled = { calls: [] as { kind: string; sender: unknown }[], failure: undefined as Error | undefined };
useBrowser(fakeBrowser());
const answer = answerWith(
  new Proxy({} as Handlers, {
    get: () => async (request: { kind: string }, sender: unknown) => {
      if (handled.failure) throw handled.failure;
      handled.calls.push({ kind: request.kind, sender });
      return 'done';
    },
  }),
);

const OWN = 'plumbfox@plumbfox.org';
const popup = { id: OWN, url: 'moz-extension://plumbfox/popup/popup.html' };
const content = { id: OWN, url: 'http://site.test/', frameId: 0, tab: { id: 3, incognito: false } };
const timing = { kind: 'page-timing', timing: { ...pageTiming(), navigationType: 'navigate' } };

beforeEach(() => {
  handled.calls.length = 0;
  handled.failure = undefined;
});

describe('who may ask what', () => {
  test.each([
    ['a content script', content, timing],
    ['a content script', content, { kind: 'observation-settings' }],
    ['the popup', popup, { kind: 'popup-state' }],
    ['the popup', popup, { kind: 'delete-all' }],
    ['the dashboard', { ...popup, url: 'moz-extension://plumbfox/dashboard/dashboard.html' }, { kind: 'dashboard-state' }],
    // The lab opens the popup's page in a tab.
    ['the popup in a tab', { ...popup, frameId: 0, tab: { id: 4, incognito: false } }, { kind: 'loads-after' }],
  ])('%s', async (_, sender, message) => {
    expect(await answer(message, sender)).toEqual({ ok: true, value: 'done' });
  });

  test.each([
    ['a content script that asks for records', content, { kind: 'loads-after' }],
    ['a content script that applies a profile', content, { kind: 'revert-profile' }],
    ['a frame', { ...content, frameId: 2 }, timing],
    ['something outside a tab', { id: OWN, url: 'http://site.test/' }, timing],
    ['another extension', { ...popup, id: 'other@example.org' }, { kind: 'popup-state' }],
    ['a page whose URL only looks like ours', { ...content, url: 'http://moz-extension/plumbfox/' }, { kind: 'delete-all' }],
  ])('not %s', async (_, sender, message) => {
    expect(await answer(message, sender)).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
    expect(handled.calls).toEqual([]);
  });

  test('a private window is told apart; a tab that does not say counts as private', async () => {
    await answer(timing, { ...content, tab: { id: 3, incognito: true } });
    await answer(timing, { ...content, tab: { id: 3 } });
    await answer(timing, content);
    expect(handled.calls.map(({ sender }) => sender)).toEqual([
      { from: 'content', tabId: 3, incognito: true, url: content.url },
      { from: 'content', tabId: 3, incognito: true, url: content.url },
      { from: 'content', tabId: 3, incognito: false, url: content.url },
    ]);
  });
});

describe('errors cross as data', () => {
  test.each([
    [
      new PreferenceRefused('network.x', 'locked', 'it is locked'),
      { kind: 'preference-refused', message: 'network.x: it is locked', reason: 'locked', preference: 'network.x' },
    ],
    [new PlumbfoxError('environment', 'no Experiment API'), { kind: 'environment', message: 'no Experiment API' }],
    [new RangeError('odd'), { kind: 'internal', message: 'RangeError: odd' }],
  ])('%s', async (failure, error) => {
    handled.failure = failure;
    expect(await answer({ kind: 'read-back' }, popup)).toEqual({ ok: false, error });
  });

  test('property: whatever is sent, the answer is a reply and no handler sees what is not a message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withNullPrototype: true }), async (message) => {
        const reply = await answer(message, popup);
        expect(reply.ok).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(handled.calls).toEqual([]);
  });
});
