/** When the recorder gives up on a page that goes on loading. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const BEGAN = 1_800_000_000_000;
const REDIRECTED_MS = 700;
const sent: { readonly kind: string; readonly timing?: { readonly ended: string; readonly endedAt: number } }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: BEGAN });
  vi.stubGlobal('browser', {
    extension: { inIncognitoContext: false },
    runtime: { sendMessage: async (message: (typeof sent)[number]) => void sent.push(message) },
  });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { href: 'http://a.test/' });
  vi.stubGlobal('document', { readyState: 'loading' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe() {}
      disconnect() {}
      takeRecords() {
        return [];
      }
    },
  );
  const document = { name: 'http://a.test/', type: 'navigate', fetchStart: REDIRECTED_MS, loadEventEnd: 0, domContentLoadedEventEnd: 0 };
  vi.stubGlobal('performance', { timeOrigin: BEGAN, now: () => Date.now() - BEGAN, getEntriesByType: () => [document] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('is a minute after the fetchStart from which its load time counts, whatever redirects took before', async () => {
  await import('../../../src/content/content.ts');
  await vi.advanceTimersByTimeAsync(60_000 + REDIRECTED_MS - 1);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toMatchObject([{ kind: 'page-timing', timing: { ended: 'time-limit', endedAt: 60_000 + REDIRECTED_MS } }]);
});
