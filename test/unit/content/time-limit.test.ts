/** When the recorder gives up on a page that goes on loading. */
import { beforeEach, expect, test, vi } from 'vitest';
import { stubPage } from '../../support/stubbed-page.ts';

const BEGAN = 1_800_000_000_000;
const REDIRECTED_MS = 700;
const sent: { readonly kind: string; readonly timing?: { readonly ended: string; readonly endedAt: number } }[] = [];

stubPage({
  beganMs: BEGAN,
  readyState: 'loading',
  navigation: { name: 'http://a.test/', type: 'navigate', fetchStart: REDIRECTED_MS, loadEventEnd: 0, domContentLoadedEventEnd: 0 },
});
beforeEach(() => {
  vi.stubGlobal('browser', {
    extension: { inIncognitoContext: false },
    runtime: {
      sendMessage: async (message: (typeof sent)[number]) => void sent.push(message),
      onMessage: { addListener: () => {} },
    },
  });
});

test('is a minute after the fetchStart from which its load time counts, whatever redirects took before', async () => {
  await import('../../../src/content/content.ts');
  await vi.advanceTimersByTimeAsync(60_000 + REDIRECTED_MS - 1);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toMatchObject([{ kind: 'page-timing', timing: { ended: 'time-limit', endedAt: 60_000 + REDIRECTED_MS } }]);
});
