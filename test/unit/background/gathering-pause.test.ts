import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatheringPause } from '../../../src/background/group-commit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** When the pause ended, ms after it began; `undefined`: it has not. */
function observed(pause: ReturnType<typeof gatheringPause>) {
  const began = performance.now();
  const seen: { after?: number } = {};
  void pause.begin().then(() => {
    seen.after = performance.now() - began;
  });
  return seen;
}

describe('gatheringPause', () => {
  test('ends when nothing more has come for the quiet time', async () => {
    const seen = observed(gatheringPause({ quietMs: 100, maxMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(99);
    expect(seen.after).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.after).toBe(100);
  });

  test('is extended by what comes: 60 + 60 + 100', async () => {
    const pause = gatheringPause({ quietMs: 100, maxMs: 1_000 });
    const seen = observed(pause);
    for (let times = 0; times < 2; times++) {
      await vi.advanceTimersByTimeAsync(60);
      pause.extend();
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(seen.after).toBe(220);
  });

  test('lasts no longer than its longest, however much comes', async () => {
    const pause = gatheringPause({ quietMs: 100, maxMs: 250 });
    const seen = observed(pause);
    for (let times = 0; times < 20; times++) {
      await vi.advanceTimersByTimeAsync(50);
      pause.extend();
    }
    expect(seen.after).toBe(250);
  });

  test('is cut short when somebody waits, and the next one has its full length', async () => {
    const pause = gatheringPause({ quietMs: 100, maxMs: 1_000 });
    const first = observed(pause);
    await vi.advanceTimersByTimeAsync(10);
    pause.cut();
    await vi.advanceTimersByTimeAsync(0);
    expect(first.after).toBe(10);
    await vi.advanceTimersByTimeAsync(50);
    const second = observed(pause);
    await vi.advanceTimersByTimeAsync(300);
    expect(second.after).toBe(100);
  });

  test('cutting what has not begun does nothing', async () => {
    const pause = gatheringPause({ quietMs: 100, maxMs: 1_000 });
    pause.cut();
    const seen = observed(pause);
    await vi.advanceTimersByTimeAsync(300);
    expect(seen.after).toBe(100);
  });
});
