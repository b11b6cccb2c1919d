/** The page that the content script sees, at a time of its own: for tests that import `content.ts` outside a browser. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Of its navigation entry, what the content script reads. */
export interface StubbedNavigation {
  readonly name: string;
  readonly type: string;
  readonly fetchStart: number;
  readonly loadEventEnd: number;
  readonly domContentLoadedEventEnd: number;
}

/** For each test of the file. `browser` is left to the test. */
export function stubPage(options: {
  readonly beganMs: number;
  readonly readyState: DocumentReadyState;
  readonly navigation?: StubbedNavigation;
}): void {
  const { beganMs, readyState, navigation } = options;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: beganMs });
    vi.stubGlobal('window', {});
    vi.stubGlobal('location', { href: 'http://a.test/' });
    vi.stubGlobal('document', { readyState });
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
    const entries = navigation === undefined ? [] : [navigation];
    vi.stubGlobal('performance', { timeOrigin: beganMs, now: () => Date.now() - beganMs, getEntriesByType: () => entries });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}
