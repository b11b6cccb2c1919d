/** How often a page asks the background: at once, then once in a frame, however much changes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refresher } from '../../../src/views/page.ts';

const page = { hidden: false };
vi.stubGlobal('document', page);

beforeEach(() => {
  vi.useFakeTimers();
  page.hidden = false;
});
afterEach(() => vi.useRealTimers());

/** Each request takes 10 ms; `at`: when each was made. */
function counting() {
  const at: number[] = [];
  const start = performance.now();
  const refresh = refresher(async () => {
    at.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
  return { at, refresh };
}

test('the first is made at once, and what changes in a frame leads to one more at its end', async () => {
  const { at, refresh } = counting();
  for (let change = 0; change < 40; change++) {
    void refresh();
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(at).toEqual([0, 50]);
});

test('a change after the frame does not wait', async () => {
  const { at, refresh } = counting();
  void refresh();
  await vi.advanceTimersByTimeAsync(200);
  void refresh();
  await vi.advanceTimersByTimeAsync(200);
  expect(at).toEqual([0, 200]);
});

test('a change while an answer is under way leads to one more', async () => {
  const { at, refresh } = counting();
  void refresh();
  await vi.advanceTimersByTimeAsync(100);
  void refresh();
  await vi.advanceTimersByTimeAsync(5);
  void refresh();
  void refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(at).toEqual([0, 100, 150]);
});

test('a hidden page does not ask', async () => {
  const { at, refresh } = counting();
  page.hidden = true;
  await refresh();
  expect(at).toEqual([]);
});

test('nor one that is hidden before the frame is over', async () => {
  const { at, refresh } = counting();
  void refresh();
  await vi.advanceTimersByTimeAsync(20);
  void refresh();
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(at).toEqual([0]);
});

test('a failure does not end it', async () => {
  let asked = 0;
  const refresh = refresher(async () => {
    asked += 1;
    if (asked === 1) throw new Error('as asked');
  });
  await expect(refresh()).rejects.toThrow('as asked');
  const again = refresh();
  await vi.advanceTimersByTimeAsync(50);
  await again;
  expect(asked).toBe(2);
});
