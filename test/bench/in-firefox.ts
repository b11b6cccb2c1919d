/** What the benchmark runs inside a page of the extension: fills its store, and times the parts of the comparison there. */
import { readFigures } from '../../src/adapters/figures-store.ts';
import { withRecords, writeRecords } from '../../src/adapters/record-database.ts';
import { compareProfiles } from '../../src/core/compare/compare-profiles.ts';
import { comparableFigures } from '../../src/core/field/comparable-figures.ts';
import { compareField } from '../../src/core/field/compare-field.ts';
import { fieldLinks } from '../../src/core/field/field-links.ts';
import { BASELINE_ID } from '../../src/core/profiles/profile.ts';
import { METRIC_VERSION } from '../../src/core/report/report.ts';
import { CHUNK_LOADS, chunkOf, emptyChunk, rowOf, setFigures } from '../../src/protocol/figure-chunk.ts';
import { everydayFigures } from '../support/everyday-figures.ts';

/** Loads written in one transaction. */
const BATCH = 20 * CHUNK_LOADS;

/** Loads that still have their requests: 50 MB of records of 20 kB each. */
const WHOLE = 2_500;

/** Fills the store with figures of so many loads, of which the newest have their requests: each as the given one, at another address. */
async function fill(count: number, load: object): Promise<void> {
  const figures = everydayFigures(count, 1);
  for (let from = 0; from < count; from += BATCH) {
    await writeRecords(['loads', 'figures', 'totals'], async (transaction) => {
      const until = Math.min(count, from + BATCH);
      const chunks = new Map<number, ReturnType<typeof emptyChunk>>();
      for (let at = from; at < until; at++) {
        const own = figures[at];
        if (own === undefined) continue;
        const { startedAt, site, page } = own;
        if (at >= count - WHOLE) {
          const url = `http://site${site}.test/page${page}`;
          const record = { load: { ...load, startedAt, url }, id: String(at), startedAt, url, tabId: 1, endedAt: startedAt, entries: 0 };
          void transaction.objectStore('loads').put(record as never, at);
        }
        const chunk = chunks.get(chunkOf(at)) ?? emptyChunk(METRIC_VERSION);
        setFigures(chunk, rowOf(at), own);
        chunks.set(chunkOf(at), chunk);
      }
      for (const [number, chunk] of chunks) await transaction.objectStore('figures').put(chunk, number);
      await transaction.objectStore('totals').put({ loads: until, requests: until }, 'all');
    });
  }
  await withRecords((db) => db.count('figures'));
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

/** Each part by itself, in this thread; ms. */
async function parts(): Promise<Readonly<Record<string, number>>> {
  const read = await timed(readFigures);
  const ordered = read.result.figures.toSorted((a, b) => a.startedAt - b.startedAt);
  const links = await timed(() => fieldLinks(ordered));
  const comparable = await timed(() => comparableFigures(ordered, links.result));
  const compare = () => compareProfiles(comparable.result.loads, { baseline: BASELINE_ID, estimate: 'paired' });
  const [cold, warm] = [await timed(compare), await timed(compare)];
  const whole = await timed(() => compareField(ordered));
  return { read: read.ms, links: links.ms, prepare: comparable.ms, compareCold: cold.ms, compareWarm: warm.ms, field: whole.ms };
}

interface ExtensionGlobal {
  readonly browser: { readonly storage: { readonly local: { remove(key: string): Promise<void> } } };
}

/** How often the thread should get its turn, ms. */
const TICK_MS = 5;

/**
 * Opens the popup in a frame of this page, so that both share a thread, and waits until it shows a comparison of all loads.
 * @returns ms from opening until then, and the longest time for which the thread did not get its turn, and when that began.
 */
async function open(): Promise<{ readonly shownMs: number; readonly longestBlockMs: number; readonly blockedAtMs: number }> {
  // Otherwise the last comparison would be shown at once, before the new one.
  await (globalThis as unknown as ExtensionGlobal).browser.storage.local.remove('fieldAnswer');
  return new Promise((resolve) => {
    document.querySelector('iframe')?.remove();
    const frame = document.createElement('iframe');
    frame.src = location.href;
    const began = performance.now();
    let last = began;
    let [longest, blockedAt] = [0, 0];
    const timer = setInterval(() => {
      const now = performance.now();
      if (now - last - TICK_MS > longest) [longest, blockedAt] = [now - last - TICK_MS, last - began];
      last = now;
      const shown = (id: string) => frame.contentDocument?.getElementById(id)?.hidden === false;
      if (!shown('comparison') || !shown('content') || shown('comparison-status')) return;
      clearInterval(timer);
      resolve({ shownMs: now - began, longestBlockMs: longest, blockedAtMs: blockedAt });
    }, TICK_MS);
    document.body.append(frame);
  });
}

interface Condition {
  readonly shown: string;
  readonly typed?: { readonly field: string; readonly text: string };
  readonly opened?: string;
}

/**
 * Opens a page in a frame. @returns for each condition, how long it took until it held, from the opening, or from what was typed or opened for it;
 * looked at in every frame that is drawn.
 */
async function until(path: string, conditions: readonly Condition[], forget: boolean): Promise<readonly number[]> {
  if (forget) await (globalThis as unknown as ExtensionGlobal).browser.storage.local.remove('fieldAnswer');
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position: fixed; inset: 0; width: 1000px; height: 700px; background: white;';
  frame.src = new URL(path, new URL('/controls/controls.html', location.href)).href;
  const times: number[] = [];
  let began = performance.now();
  document.documentElement.append(frame);
  for (const { shown, typed, opened } of conditions) {
    if (opened !== undefined) {
      const details = frame.contentDocument?.querySelector<HTMLDetailsElement>(opened);
      began = performance.now();
      if (details) details.open = true;
    }
    if (typed !== undefined) {
      const page = frame.contentDocument;
      page?.querySelector('#loads-rows')?.setAttribute('data-before', '');
      const rows = page?.querySelector('#loads-rows');
      if (rows) new MutationObserver(() => rows.removeAttribute('data-before')).observe(rows, { childList: true });
      const field = page?.querySelector<HTMLInputElement>(typed.field);
      began = performance.now();
      if (field) field.value = typed.text;
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    }
    for (;;) {
      await new Promise((done) => requestAnimationFrame(done));
      const element = frame.contentDocument?.querySelector(shown);
      if (element?.checkVisibility() === true || performance.now() - began > 20_000) break;
    }
    times.push(performance.now() - began);
  }
  frame.remove();
  return times;
}

Object.assign(globalThis, { bench: { fill, parts, open, until } });
