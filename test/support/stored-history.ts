/** Puts summaries of everyday loads into the extension's own store, as many as a test needs: they have no requests any more, and no address. */
import type { Page } from 'puppeteer-core';
import type { LoadSummary } from '../../src/core/field/load-summary.ts';
import { pageBundle } from './page-bundle.ts';

/** Chunks before this one are left to loads that are recorded. */
const FIRST_CHUNK = 10;

const ENTRY = `
  import { CHUNK_LOADS, emptyChunk, setFigures } from './src/protocol/figure-chunk.ts';
  import { writeRecords } from './src/adapters/record-database.ts';
  import { METRIC_VERSION } from './src/core/report/report.ts';
  import { everydayFigures } from './test/support/everyday-figures.ts';
  const store = (figures) => writeRecords(['figures', 'totals'], async (transaction) => {
    for (let at = 0; at < figures.length; at += CHUNK_LOADS) {
      const chunk = emptyChunk(METRIC_VERSION);
      for (const [row, own] of figures.slice(at, at + CHUNK_LOADS).entries()) setFigures(chunk, row, own, own.site);
      await transaction.objectStore('figures').put(chunk, ${FIRST_CHUNK} + at / CHUNK_LOADS);
    }
    const totals = (await transaction.objectStore('totals').get('all')) ?? { loads: 0, requests: 0, whole: 0 };
    await transaction.objectStore('totals').put({ ...totals, loads: totals.loads + figures.length }, 'all');
  });
  globalThis.storeHistory = (count) => store(everydayFigures(count, 1));
  globalThis.storeSummaries = store;
`;

/** @param page - A page of the extension. */
export async function storeHistory(page: Page, count: number): Promise<void> {
  await page.evaluate(await pageBundle({ contents: ENTRY }));
  await page.evaluate(`storeHistory(${count})`);
}

/** Such loads as they are given. @param page - A page of the extension. */
export async function storeSummaries(page: Page, summaries: readonly LoadSummary[]): Promise<void> {
  await page.evaluate(await pageBundle({ contents: ENTRY }));
  await page.evaluate(`storeSummaries(${JSON.stringify(summaries)})`);
}
